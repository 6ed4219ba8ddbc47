"""Objects: the trees and blobs of any commit, opened in process; what cannot be opened so, git is asked for."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import TracebackType

from gitmem.storage.checkout import Checkout, missing
from gitmem.storage.config_file import options
from gitmem.storage.git import Repository
from gitmem.storage.plumbing import Batch
from gitmem.storage.trees import FOLDER, Leaf
from gitmem.values import NamedTuple, Self

# A commit of so many files is asked about whole at the first question; a larger one only for what is read of it.
FEW = 500
REGULAR = ("100644", "100755", "100664")  # the last one was written by early versions of git
# Extensions that leave objects where and as they are; objectformat says which hash names them.
HARMLESS = frozenset(
    ("noop", "partialclone", "worktreeconfig", "preciousobjects", "relativeworktrees", "refstorage", "objectformat")
)


class _Store(NamedTuple):
    """Objects as dulwich opens them: one object's bytes by id, None where git must be asked; and their end."""

    read: Callable[[str], bytes | None]
    close: Callable[[], None]


class Objects:
    """The objects of one repository; a context manager. It never writes and never walks history."""

    def __init__(self, repository: Repository, *, environment: Mapping[str, str]) -> None:
        self.repository = repository
        self.environment = environment
        self._store: _Store | None = None
        self._batch: Batch | None = None
        self._checkout = Checkout(repository.top, environment=environment)
        self._trees: dict[str, dict[str, Leaf]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._store:
            self._store.close()
        if self._batch:
            self._batch.__exit__(kind, error, trace)
        self._checkout.__exit__(kind, error, trace)

    def texts(self, folder: str, files: Mapping[str, Leaf]) -> Iterator[tuple[str, bytes]]:
        """Yields the bytes of files below a folder, as a checkout would write them, in the order of their paths."""
        self.expect(f"{folder}/{path}" for path in files)
        return ((path, self.text(f"{folder}/{path}", files[path].id)) for path in sorted(files))

    def expect(self, paths: Iterable[str]) -> None:
        """Has git asked once about all these paths, relative to the top level, as soon as one of them is read."""
        self._checkout.expect(paths)

    def text(self, path: str, id: str) -> bytes:
        """Returns an object's bytes as a checkout would write them at a path, relative to the top level.

        Raises GitmemError("missing-object"), and GitmemError("filter") where a filter fails that must not.
        """
        data = self._checkout.read(path, id)
        return self.read(id) if data is None else data

    def read(self, id: str) -> bytes:
        """Returns an object's bytes as git stores them; raises GitmemError("missing-object") where no way leads to it."""
        if self._store is None:
            self._store = _opened(self.repository)
        data = self._store.read(id)
        if data is None:
            data = self._asked(id)
        if data is None:
            raise missing(id)
        return data

    def _asked(self, id: str) -> bytes | None:
        """Returns an object's bytes from git itself, which fetches what a partial clone was promised."""
        if self._batch is None:
            self._batch = Batch(self.repository.top, ["cat-file", "--batch"], environment=self.environment)
        self._batch.say(id.encode() + b"\n")
        head = self._batch.line().split(" ")
        if len(head) != 3 or not head[2].isdigit():
            return None
        return self._batch.read(int(head[2]) + 1)[:-1]

    def files(self, commit: str, folder: str) -> dict[str, Leaf]:
        """Returns the regular files of a commit below a folder, by path below it; none where it has no such folder."""
        here: str | None = self.read(commit)[5:].partition(b"\n")[0].decode()
        for name in folder.split("/"):
            leaf = dict(_entries(self.read(here), len(commit) // 2)).get(name) if here else None
            here = leaf.id if leaf and leaf.mode == FOLDER else None
        found = self._below(here) if here else {}
        if len(found) <= FEW:
            self.expect(f"{folder}/{path}" for path in found)
        return found

    def _below(self, tree: str) -> dict[str, Leaf]:
        """Returns the regular files of a tree by path; a tree that several commits share is read once."""
        known = self._trees.get(tree)
        if known is None:
            known = {}
            for name, leaf in _entries(self.read(tree), len(tree) // 2):
                if leaf.mode == FOLDER:
                    known |= {f"{name}/{path}": below for path, below in self._below(leaf.id).items()}
                elif leaf.mode in REGULAR:
                    known[name] = leaf
            self._trees[tree] = known
        return known


def _entries(data: bytes, size: int) -> Iterator[tuple[str, Leaf]]:
    """Yields what the bytes of a tree list; ids have `size` bytes."""
    at = 0
    while at < len(data):
        nul = data.index(b"\0", at)
        mode, _, name = data[at:nul].partition(b" ")
        at = nul + 1 + size
        yield os.fsdecode(name), Leaf(mode.decode(), data[nul + 1 : at].hex())


def _opened(repository: Repository) -> _Store:
    """Returns the objects of a repository as dulwich opens them; of one it would misread, a store that has none."""
    form = _format(repository)
    if form is None:
        return _Store(lambda id: None, lambda: None)
    import zlib

    from dulwich import errors  # late: it costs nine times an interpreter's start
    from dulwich.object_format import get_object_format
    from dulwich.object_store import DiskObjectStore
    from dulwich.objects import ObjectID
    from dulwich.pack import PackFileDisappeared, UnresolvedDeltas

    folder = os.path.join(repository.common_dir, "objects")
    store = DiskObjectStore(folder, object_format=get_object_format(form))
    # Not there, or damaged, or packed away this very moment: git has the last word.
    gone = (KeyError, OSError, PackFileDisappeared)
    damaged = (ValueError, AssertionError, zlib.error, UnresolvedDeltas)
    broken = (errors.ChecksumMismatch, errors.ApplyDeltaError, errors.FileFormatException)

    def read(id: str) -> bytes | None:
        try:
            return store.get_raw(ObjectID(id.encode()))[1]
        except (*gone, *damaged, *broken):
            return None

    return _Store(read, store.close)


def _format(repository: Repository) -> str | None:
    """Returns the name of the hash that names objects, or None where their folder alone does not tell the truth.

    That is so with an extension we do not know, and with `git replace`, which only git follows.
    """
    extensions = {key: value for section, key, value in options(repository) if section == "extensions"}
    form = extensions.get("objectformat", "sha1").lower()
    if not extensions.keys() <= HARMLESS:
        return None
    return form if form in ("sha1", "sha256") and not _replaces(repository) else None


def _replaces(repository: Repository) -> bool:
    folder = os.path.join(repository.common_dir, "refs", "replace")
    return os.path.isdir(folder) or " refs/replace/" in _text(os.path.join(repository.common_dir, "packed-refs"))


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except OSError:
        return ""

"""Trees: those of a commit on the way down to some paths, read and made anew by git itself, all others kept by id."""

import os
from collections.abc import Mapping
from types import TracebackType

from gitmem.errors import GitmemError
from gitmem.storage.git import Repository
from gitmem.storage.plumbing import Batch
from gitmem.values import NamedTuple, Self

FOLDER = "40000"
_KINDS = {FOLDER: "tree", "160000": "commit"}


class Leaf(NamedTuple):
    """An entry of a tree: its mode as trees write it, and the id of its object."""

    mode: str
    id: str


Tree = dict[str, Leaf]


class Tip(NamedTuple):
    """The commit that HEAD names and its tree; both None on an unborn branch."""

    commit: str | None
    tree: str | None


class TreeMaker:
    """The objects of a repository while a commit is made: two git processes, one that reads and one that makes."""

    def __init__(self, repository: Repository, *, environment: Mapping[str, str]) -> None:
        self.reader = Batch(repository.top, ["cat-file", "--batch"], environment=environment)
        # --missing: in a partial clone the files beside ours need not be here.
        self.maker = Batch(repository.top, ["mktree", "-z", "--missing", "--batch"], environment=environment)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.maker.__exit__(kind, error, trace)
        self.reader.__exit__(kind, error, trace)

    def tip(self) -> Tip:
        """Returns what HEAD names at this moment."""
        id, data = self._read("HEAD")
        return Tip(id, data[5:].partition(b"\n")[0].decode()) if id else Tip(None, None)

    def tree(self, id: str) -> Tree:
        """Returns the entries of a tree; raises GitmemError where the repository lacks it."""
        found, data = self._read(id)
        if found is None:
            raise GitmemError("git", f"The repository lacks the tree {id}.", "git fsck tells what else is missing.")
        entries, at, size = {}, 0, len(id) // 2
        while at < len(data):
            space, nul = data.index(b" ", at), data.index(b"\0", at)
            name = os.fsdecode(data[space + 1 : nul])
            entries[name] = Leaf(data[at:space].decode(), data[nul + 1 : nul + 1 + size].hex())
            at = nul + 1 + size
        return entries

    def make(self, entries: Tree) -> str:
        """Returns the id of a tree of these entries, written where it was not there; raises GitmemError if git refuses."""
        rows = [f"{leaf.mode} {_KINDS.get(leaf.mode, 'blob')} {leaf.id}\t{name}" for name, leaf in entries.items()]
        self.maker.say(os.fsencode("".join(row + "\0" for row in rows)) + b"\0")
        id = self.maker.line()
        if not id:
            raise GitmemError("git", "git mktree could not write a tree.", "See that the disk has room.")
        return id

    def _read(self, name: str) -> tuple[str | None, bytes]:
        self.reader.say(name.encode() + b"\n")
        head = self.reader.line().split(" ")
        if len(head) != 3 or not head[2].isdigit():
            return None, b""
        data = self.reader.read(int(head[2]))
        self.reader.read(1)
        return head[0], data


def rebuilt(objects: TreeMaker, held: str | None, changes: Mapping[str, Leaf | None]) -> str | None:
    """Returns the id of a tree with paths set, or gone where None; None for a tree that has nothing left.

    `held` is the id of the tree so far, None where there is none. A tree that stays as it was is not made again.
    """
    before = objects.tree(held) if held else {}
    after = dict(before)
    below: dict[str, dict[str, Leaf | None]] = {}
    for path, leaf in changes.items():
        name, slash, rest = path.partition("/")
        if slash:
            below.setdefault(name, {})[rest] = leaf
        else:
            _put(after, name, leaf)
    for name, inner in below.items():
        old = after.get(name)
        tree = old.id if old and old.mode == FOLDER else None
        made = rebuilt(objects, tree, inner)
        if made or tree:
            _put(after, name, Leaf(FOLDER, made) if made else None)
    if after == before:
        return held
    return objects.make(after) if after else None


def _put(entries: Tree, name: str, leaf: Leaf | None) -> None:
    if leaf is None:
        entries.pop(name, None)
    else:
        entries[name] = leaf

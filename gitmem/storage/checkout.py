"""Checkout: a file's bytes as git would write them to the work tree, where a filter or an encoding makes them others."""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from types import TracebackType

from gitmem.errors import GitmemError
from gitmem.storage import git, staged
from gitmem.storage.git import talk
from gitmem.storage.plumbing import Batch
from gitmem.storage.staged import Content
from gitmem.values import Self

ATTRIBUTES = ("filter", "working-tree-encoding", "ident", "text", "eol")
NEITHER = ("unspecified", "unset")
LINE_ENDS = r"^core\.(autocrlf|eol)$"
CARRIAGE_RETURNS = ("true", "yes", "on", "1", "", "crlf")  # what those settings say where lines are to end so


class Checkout:
    """The files of a work tree as a checkout would write them; a context manager.

    Attributes are those of the work tree, and filters those of the user's own configuration, as with every checkout:
    what a repository holds names a filter, but never says what it runs.
    """

    def __init__(self, top: str, *, environment: Mapping[str, str]) -> None:
        self.top = top
        self.environment = environment
        self._expected: set[str] = set()
        self._known: dict[str, bool] = {}
        self._batch: Batch | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._batch:
            self._batch.__exit__(kind, error, trace)

    def expect(self, paths: Iterable[str]) -> None:
        """Adds paths that may be read to the next question: that costs a process of 2 ms, and 1,000 paths as much."""
        self._expected.update(paths)

    def learn(self, paths: Iterable[str]) -> None:
        """Asks git about paths, relative to the top level, all at once and about none twice."""
        new = [path for path in paths if path not in self._known]
        if new:
            new = [*new, *(self._expected - self._known.keys())]
            altered = _altered(self.top, new, environment=self.environment)
            self._known |= {path: path in altered for path in new}

    def read(self, path: str, id: str) -> bytes | None:
        """Returns what a checkout writes for an object at a path, None where that is what git stores.

        Raises GitmemError("filter") where a filter fails that must not, and GitmemError("missing-object").
        """
        self.learn([path])
        if not self._known[path]:
            return None
        # A line holds one path, and its first word ends at the first blank.
        data = self._once(path, id) if "\n" in path or path[0].isspace() else self._next(path, id)
        if data is None:
            raise _failed(path, id)
        return data

    def _once(self, path: str, id: str) -> bytes | None:
        arguments = ["cat-file", "--filters", f"--path={path}", id]
        done = talk(self.top, arguments, environment=self.environment)
        return None if done.status else done.out

    def _next(self, path: str, id: str) -> bytes | None:
        """Returns what one more answer of a running git says; it ends at what git does not know, for no size is told.

        The size that git tells is that of the stored object (2.39). No content holds the id of itself.
        """
        if self._batch is None:
            self._batch = Batch(self.top, ["cat-file", "--batch", "--filters"], environment=self.environment)
        end = f"{id}-end"
        self._batch.say(os.fsencode(f"{id} {path}\n{end}\n"))
        found = not self._batch.line().endswith(" missing")
        rows: list[bytes] = []
        while row := self._batch.out.readline():
            if row == f"{end} missing\n".encode():
                if found:
                    return b"".join(rows)[:-1]
                raise missing(id)
            rows.append(row)
        return None


def missing(id: str) -> GitmemError:
    """Returns the refusal of an object that is not there."""
    message = f"The repository lacks the object {id}."
    return GitmemError("missing-object", message, "git fsck tells what is missing; git fetch may bring it.")


def _failed(path: str, id: str) -> GitmemError:
    from shlex import quote

    hint = f"git cat-file --filters --path={quote(path)} {id} says why; a checkout of the file would fail, too."
    return GitmemError("filter", f"What git stores of {path} could not be brought through its filter.", hint)


def contents(
    top: str, objects: Mapping[str, str], *, most: int, environment: Mapping[str, str]
) -> Iterator[tuple[str, Content]]:
    """Yields each object, by path from the top level, with what a checkout would write there, in the order given.

    Bytes only of those that are at most `most` bytes.
    """
    if not objects:
        return
    with Checkout(top, environment=environment) as checkout:
        checkout.learn(objects)
        stored = staged.contents(top, list(objects.values()), most=most, environment=environment)
        for (path, id), (_, content) in zip(objects.items(), stored, strict=True):
            data = None if content.data is None else checkout.read(path, id)
            yield path, content if data is None else Content(len(data), data if len(data) <= most else None)


def _altered(top: str, paths: Collection[str], *, environment: Mapping[str, str]) -> set[str]:
    """Returns the paths of which git may write other bytes than it stores."""
    given = os.fsencode("".join(f"{path}\0" for path in paths))
    arguments = ["check-attr", "-z", "--stdin", *ATTRIBUTES]
    done = talk(top, arguments, environment=environment, given=given)
    if done.status:
        raise git.said(done, "git cannot tell the attributes of the notes")
    words = done.out.decode("utf-8", "surrogateescape").split("\0")[:-1]
    values = [words[at::15] for at in range(2, 15, 3)]
    rows = zip(words[::15], *values, strict=True)
    return {path for path, *said in rows if _alters(*said)} | _by_line_ends(top, words, values, environment)


def _alters(filter: str, encoding: str, ident: str, text: str, eol: str) -> bool:
    return filter not in NEITHER or encoding not in NEITHER or ident == "set" or (eol == "crlf" and text != "unset")


def _by_line_ends(top: str, words: list[str], values: list[list[str]], environment: Mapping[str, str]) -> set[str]:
    """Returns the notes whose lines the configuration may end otherwise; config.toml reads the same either way."""
    rows = zip(words[::15], values[3], values[4], strict=True)
    found = {path for path, text, eol in rows if text != "unset" and eol in NEITHER and path.endswith(".md")}
    if not found:
        return found
    said = git.ask(top, ["config", "-z", "--get-regexp", LINE_ENDS], environment=environment) or b""
    pairs = dict(item.partition("\n")[::2] for item in said.decode("utf-8", "replace").split("\0") if item)
    return found if any(value.lower() in CARRIAGE_RETURNS for value in pairs.values()) else set()

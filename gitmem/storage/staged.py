"""Staged: what the next commit changes, what a revision holds, and the bytes of both, read from Git alone."""

from collections.abc import Iterator, Mapping, Sequence

from gitmem.storage import git
from gitmem.storage.git import talk
from gitmem.storage.plumbing import Batch
from gitmem.values import NamedTuple

REGULAR = ("100644", "100755")
_CHUNK = 1 << 16


class Change(NamedTuple):
    """One path that the next commit changes: its new mode and object, and git's letter (A, M, D, T, U)."""

    path: str
    mode: str
    object: str
    letter: str


class Content(NamedTuple):
    """An object's size in bytes, and its bytes; None where it is larger than was asked for, or not there."""

    size: int
    data: bytes | None


def changes(top: str, *, environment: Mapping[str, str]) -> list[Change]:
    """Returns what the index holds otherwise than HEAD, paths relative to the top level; a move is two changes.

    Raises GitmemError("git") where git refuses.
    """
    arguments = ["diff", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", "--no-ext-diff"]
    words = _words(top, arguments, environment)
    heads = (word.split(" ") for word in words[::2])
    return [Change(path, head[1], head[3], head[4][0]) for head, path in zip(heads, words[1::2], strict=True)]


def indexed(top: str, folder: str, *, environment: Mapping[str, str]) -> dict[str, str]:
    """Returns the object of each regular file that the index holds below a folder, by path relative to the top level."""
    rows = _words(top, ["ls-files", "--stage", "-z", "--full-name", "--", folder], environment)
    return {path: head.split(" ")[1] for head, _, path in (row.partition("\t") for row in rows) if head[:6] in REGULAR}


def held(top: str, commit: str, folder: str, *, environment: Mapping[str, str]) -> list[Change]:
    """Returns every file that a commit holds below a folder, as if the commit added them all."""
    rows = _words(top, ["ls-tree", "-r", "-z", "--full-tree", commit, "--", folder], environment)
    heads = ((head.split(" "), path) for head, _, path in (row.partition("\t") for row in rows))
    return [Change(path, head[0], head[2], "A") for head, path in heads]


def paths(top: str, commit: str, *, environment: Mapping[str, str]) -> dict[str, str]:
    """Returns the mode of every file, folder and submodule that a commit holds, by path relative to the top level."""
    rows = _words(top, ["ls-tree", "-r", "-t", "-z", "--full-tree", commit], environment)
    return {path: head[:6] for head, _, path in (row.partition("\t") for row in rows)}


def contents(
    top: str, objects: Sequence[str], *, most: int, environment: Mapping[str, str]
) -> Iterator[tuple[str, Content]]:
    """Yields each object with its content, in the order given; bytes only of those of at most `most` bytes."""
    if not objects:
        return
    with Batch(top, ["cat-file", "--batch"], environment=environment) as batch:
        for name in objects:
            batch.say(f"{name}\n".encode())
            yield name, _content(batch, most)


def _content(batch: Batch, most: int) -> Content:
    head = batch.line().split(" ")
    if len(head) != 3:  # "NAME missing", or git has ended
        return Content(0, None)
    size = int(head[2])
    if size <= most:
        return Content(size, batch.read(size + 1)[:-1])
    left = size + 1
    while left and (chunk := batch.read(min(left, _CHUNK))):
        left -= len(chunk)
    return Content(size, None)


def _words(top: str, arguments: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    done = talk(top, arguments, environment=environment)
    if done.status:
        raise git.said(done, f"git {arguments[0]} failed")
    return done.out.decode("utf-8", "surrogateescape").split("\0")[:-1]

"""The ledger: what gitmem's own verbs wrote in one work tree, kept beside Git's data and never needed for an answer."""

import os
import re
from collections.abc import Mapping

from gitmem.storage import git, spare
from gitmem.storage.git import Repository
from gitmem.values import NamedTuple

LIMIT = 1_000_000  # bytes: some 8,000 writes; past it the older half goes
_LINE = rb"([-=]|[0-9a-f]{64}) ([^\n]+)"  # compiled when a ledger is read, which writing does not
_GONE, _BACK = "-", "="
_APPENDED = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


class Written(NamedTuple):
    """Every digest a path was given, and the paths whose last entry is that a verb took them away."""

    digests: Mapping[str, frozenset[str]]
    gone: frozenset[str]

    def holds(self, path: str, digest: str) -> bool:
        """Returns whether a verb wrote these bytes to a path, relative to the top level."""
        return digest in self.digests.get(path, frozenset())


def record(folder: str, written: Mapping[str, str | None]) -> None:
    """Adds what a verb wrote in a folder: SHA-256 in hex by path below it, None where it took the file away.

    Outside a repository, or where Git's folder cannot be written, nothing is kept: an agent's checkpoint then leaves
    those notes and names them.
    """
    _add(folder, {path: digest or _GONE for path, digest in written.items()})


def restore(folder: str, path: str) -> None:
    """Takes back that a verb took a file away: it lies there again, as whoever wrote it left it."""
    _add(folder, {path: _BACK})


def _add(folder: str, signs: Mapping[str, str]) -> None:
    repository = git.find(folder)
    if repository is None:
        return
    prefix = os.path.relpath(folder, repository.top)
    rows = [f"{sign} {os.path.normpath(os.path.join(prefix, path))}\n" for path, sign in signs.items()]
    path = _path(repository)
    try:
        _append(path, os.fsencode("".join(rows).replace(os.sep, "/")))
    except OSError:
        return


def count(repository: Repository, kind: str, row: str) -> None:
    """Adds a row to one of this clone's counters, as far as there is room; where that fails nothing is lost."""
    try:
        with open(_opened(os.path.join(repository.common_dir, "gitmem", kind)), "ab", buffering=0) as file:
            if file.tell() < LIMIT:
                file.write(f"{row}\n".encode("utf-8", "replace"))
    except OSError:
        return


def _opened(path: str) -> int:
    """Returns the handle of a file to append to; its folder is made where it is missing, which it seldom is."""
    try:
        return os.open(path, _APPENDED, 0o644)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return os.open(path, _APPENDED, 0o644)


def counts(repository: Repository, kind: str) -> list[list[str]]:
    """Returns the rows of a counter as words, oldest first; a torn one is not there."""
    text = spare.load(os.path.join(repository.common_dir, "gitmem", kind)).decode("utf-8", "replace")
    rows = (line.split(" ") for line in text[: text.rfind("\n") + 1].splitlines())
    return [row for row in rows if re.fullmatch("[0-9]{1,15}", row[0])]


def read(repository: Repository) -> Written:
    """Returns what the ledger of a work tree says; a torn line is skipped."""
    digests: dict[str, set[str]] = {}
    gone: set[str] = set()
    for line in spare.load(_path(repository)).split(b"\n"):
        match = re.fullmatch(_LINE, line)
        if match is None:
            continue
        digest, path = match[1].decode(), os.fsdecode(match[2])
        if digest == _GONE:
            gone.add(path)
            continue
        gone.discard(path)
        if digest != _BACK:
            digests.setdefault(path, set()).add(digest)
    return Written({path: frozenset(known) for path, known in digests.items()}, frozenset(gone))


def _path(repository: Repository) -> str:
    """Returns the ledger's file: one a work tree, as each has files of its own."""
    tree = "" if repository.git_dir == repository.common_dir else "." + os.path.basename(repository.git_dir)
    return os.path.join(repository.common_dir, "gitmem", "ledger" + tree)


def _append(path: str, rows: bytes) -> None:
    """Adds rows in one write; the line end before them closes a row that a killed process tore."""
    with open(_opened(path), "ab") as file:
        size = file.tell()
        file.write(b"\n" + rows)
    if size > LIMIT:
        _shorten(path)


def _shorten(path: str) -> None:
    """Drops the older half; a row that another process adds meanwhile may go with it: its note then stays in `left`."""
    spare.write(path, spare.load(path)[-LIMIT // 2 :].partition(b"\n")[2])

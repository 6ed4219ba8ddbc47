"""Continuity: the repository as it is now, and what has moved in it since a checkpoint."""

import os
from collections.abc import Iterable

from gitmem.errors import GitmemError
from gitmem.operations.memory import Memory, shown_path
from gitmem.storage import disk, git, history, status
from gitmem.storage.git import Repository, talk
from gitmem.storage.head import Head, head
from gitmem.storage.status import Row
from gitmem.values import NamedTuple

# Bytes of one changed file that count for the fingerprint; of a longer one its size does, too.
FINGERPRINT_BYTES = 1 << 20
FINGERPRINT_DIGITS = 12
MOST = 1_000  # commits that are counted
_COMMIT = "\x01"


class Now(NamedTuple):
    """A repository as it is: where HEAD stands, what is unfinished, and what differs outside memory; None: git cannot tell."""

    head: Head
    operation: str | None
    rows: tuple[Row, ...] | None

    @property
    def changed(self) -> list[str]:
        """The paths that differ from HEAD, untracked ones too; an untracked folder ends in `/`."""
        return sorted({row.path for row in self.rows or ()})  # one that was unstaged is there twice


class Commit(NamedTuple):
    """A commit since a checkpoint, of something other than memory."""

    id: str
    title: str


class Since(NamedTuple):
    """What has moved since a checkpoint: commits, and the files that differ from what it stood on.

    reachable: whether HEAD still descends from the checkpoint's commit, None where it names none or the clone is too
    shallow to tell; without it no commit can be counted.
    """

    reachable: bool | None
    commits: tuple[Commit, ...] | None
    files: tuple[str, ...]


def now(memory: Memory) -> Now:
    """Returns the repository as it is now; without Git nothing stands anywhere."""
    repository = memory.repository
    if repository is None:
        return Now(Head(None, None), None, ())
    at = head(repository, environment=memory.environment)
    return Now(at, git.operation(repository), _rows(memory, repository))


def _rows(memory: Memory, repository: Repository) -> tuple[Row, ...] | None:
    try:
        return status.outside(repository, shown_path(memory, ""), environment=memory.environment).rows
    except GitmemError:  # no git, or one that refuses: what is remembered is told all the same
        return None


def since(memory: Memory, at: Now, commit: str | None, worktree: str | None) -> Since:
    """Returns what has moved since a checkpoint that named a commit and the fingerprint of the work tree on it.

    Where neither has moved nothing has. A work tree that differed then cannot be told file by file from one that
    differs now: then every file that differs counts.
    """
    repository = memory.repository
    if repository is None or at.rows is None:
        return Since(None, None, ())
    try:
        moved = _moved(memory, repository, at, commit)
    except GitmemError:  # git took too long
        moved = Since(None, None, ())
    if not moved.files and worktree and worktree == fingerprint(repository, at.rows):
        return moved
    return moved._replace(files=tuple(sorted({*moved.files, *at.changed})))


def _moved(memory: Memory, repository: Repository, at: Now, commit: str | None) -> Since:
    """Returns the commits from one to HEAD, and the files that they changed."""
    tip, environment = at.head.commit, memory.environment
    if commit is None or tip is None:
        return Since(None, None, ())
    if commit == tip:
        return Since(True, (), ())
    if not _is_id(commit) or not history.descends(repository, tip, commit, environment=environment):
        gone = None if history.boundary(repository) else False  # what a shallow clone lacks may still be there
        return Since(gone, None, _between(memory, repository, commit, tip))
    arguments = ["log", "--no-show-signature", "--no-color", "--encoding=UTF-8", f"--format={_COMMIT}%H %s"]
    arguments += ["--no-ext-diff", f"--max-count={MOST}", f"{commit}..{tip}", "--", *_code(memory)]
    done = talk(repository.top, arguments, environment=environment, magic=True)
    if done.status:
        return Since(True, None, ())
    said = done.out.decode("utf-8", "replace").split(_COMMIT)[1:]
    commits = tuple(Commit(*each.rstrip("\n").split(" ", 1)) for each in said)
    return Since(True, commits, _between(memory, repository, commit, tip) if commits else ())


def _is_id(word: str) -> bool:
    """Returns whether a word is a commit's whole id: what a note says must be no option to git."""
    return len(word) in (40, 64) and all(digit in "0123456789abcdef" for digit in word)


def _between(memory: Memory, repository: Repository, old: str, new: str) -> tuple[str, ...]:
    """Returns the files outside memory that differ between two commits; none where the older one is gone for good."""
    if not _is_id(old):
        return ()
    arguments = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", "--no-ext-diff", old, new, "--"]
    done = talk(repository.top, [*arguments, *_code(memory)], environment=memory.environment, magic=True)
    return tuple(word for word in done.out.decode("utf-8", "surrogateescape").split("\0") if word)


def _code(memory: Memory) -> tuple[str, str]:
    return ".", f":(exclude,literal){shown_path(memory, '')}"


def fingerprint(repository: Repository, rows: Iterable[Row]) -> str:
    """Returns 12 hex digits of what differs from HEAD outside memory: changed files by content, untracked ones by name."""
    said = [f"{path}\0{_content(repository, path) if kind == 'changed' else ''}\n" for path, kind, _ in sorted(rows)]
    return disk.digest(os.fsencode("".join(said)))[:FINGERPRINT_DIGITS]


def _content(repository: Repository, path: str) -> str:
    whole = os.path.join(repository.top, path)
    try:
        if os.path.islink(whole):
            return os.readlink(whole)
        with open(whole, "rb") as file:
            start = file.read(FINGERPRINT_BYTES)
        return f"{disk.digest(start)} {os.path.getsize(whole)}"
    except OSError as error:
        return type(error).__name__

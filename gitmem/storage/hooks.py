"""Hooks: where a repository keeps them, and our lines put into them and taken out again, byte for byte."""

import os
import re
import stat
from collections.abc import Mapping

from gitmem.errors import GitmemError
from gitmem.storage import disk, git
from gitmem.storage.git import Repository, talk
from gitmem.storage.plumbing import tracked
from gitmem.values import NamedTuple

NAMES = ("pre-commit", "post-checkout", "post-merge", "post-rewrite")
# Our lines stand right below the first line of a hook. They run the rest of the file first, as a process of its own:
# so `exec` in it, its own reading of $0, and what other managers write there go on as they were.
BEGIN, END = b"# gitmem: begin", b"# gitmem: end.\n"
# The rest of a file that was not there before, and of one that stands in for a hook that is no shell script.
ALONE = b"# There was no such hook before.\n"
BEFORE = ".before-gitmem"
CHAIN = b'if [ -x "$0.before-gitmem" ]; then exec "$0.before-gitmem" "$@"; fi\n'
SHELLS = ("sh", "ash", "bash", "dash", "ksh", "mksh", "zsh")


class Hook(NamedTuple):
    """One hook: whether our lines stand in it, and whether they run what was there before."""

    name: str
    installed: bool
    chained: bool


class Folder(NamedTuple):
    """Where git looks for hooks, and what else that folder is: tracked by Git, or not this repository's alone."""

    path: str
    tracked: bool
    shared: bool


def shim(name: str) -> bytes:
    """Returns the shipped hook: in an installed package it lies in it, in a source tree beside it."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    shipped = os.path.join(package, "hooks", name)
    return disk.read(shipped if os.path.exists(shipped) else os.path.join(os.path.dirname(package), "hooks", name))


def folder(repository: Repository, *, environment: Mapping[str, str]) -> Folder:
    """Returns where the hooks of a work tree lie, `core.hooksPath` counted in.

    Raises GitmemError: "git" where git refuses, "hooks-off" where the path is none that can hold files.
    """
    top, path = repository.top, looked_in(repository, environment=environment)
    if path == os.sep or (os.path.lexists(path) and not os.path.isdir(path)):
        why = "as core.hooksPath is empty" if path == os.sep else "which is no folder"
        message = f"Git looks for hooks in {path}, {why}, so this repository runs none."
        raise GitmemError("hooks-off", message, "git config --show-origin core.hooksPath says who set it.")
    real = os.path.realpath(path)
    ours = [os.path.realpath(each) for each in (repository.common_dir, top)]
    within = os.path.relpath(real, ours[1])
    is_tracked = _is_inside(real, ours[1]) and bool(tracked(top, [within], environment=environment))
    return Folder(path, is_tracked, not any(_is_inside(real, each) for each in ours))


def looked_in(repository: Repository, *, environment: Mapping[str, str]) -> str:
    """Returns the folder in which git looks for the hooks of a work tree; raises GitmemError("git") where git refuses.

    Git is asked where one of them lies: of the folder itself it says `./` where core.hooksPath is empty, and looks
    in the root of the file system.
    """
    done = talk(repository.top, ["rev-parse", "--git-path", "hooks/pre-commit"], environment=environment)
    if done.status:
        raise git.said(done, "git does not say where its hooks are")
    path = os.path.join(repository.top, os.fsdecode(done.out.removesuffix(b"\n")))
    return os.path.normpath(os.path.dirname(path))


def _is_inside(path: str, above: str) -> bool:
    return path == above or path.startswith(above + os.sep)


def look(place: Folder, name: str) -> Hook:
    """Returns how a hook stands now."""
    path = os.path.join(place.path, name)
    rest = _without_lines(_read(path))
    if rest is None:
        return Hook(name, False, False)
    runs = os.access(path, os.X_OK)
    moved = _ends(rest, CHAIN)
    chained = os.access(path + BEFORE, os.X_OK) if moved else not _ends(rest, ALONE)
    return Hook(name, runs, runs and chained)


def put(place: Folder, name: str) -> bool:
    """Puts our lines into a hook, and returns whether that changed anything; twice is once.

    A script of a shell keeps its own bytes around them. Whatever else is there (another interpreter, a program, a
    link, a file that is not executable) is moved beside, untouched. Raises GitmemError where the disk refuses.
    """
    path = os.path.join(place.path, name)
    try:
        os.makedirs(place.path, exist_ok=True)
        return _put(path, shim(name))
    except OSError as error:
        raise disk.refused(error, path) from error


def _put(path: str, shipped: bytes) -> bool:
    first, _, lines = shipped.partition(b"\n")
    shebang, mode = first + b"\n", 0o777 & ~_mask()
    if not os.path.lexists(path):
        disk.replace(path, shebang + lines + ALONE, mode)
        return True
    old = _read(path)
    rest = _without_lines(old)
    if rest is None and not _is_shell_script(path, old):
        _move_beside(path)
        disk.replace(path, shebang + lines + CHAIN, mode)
        return True
    head, _, tail = (old if rest is None else rest).partition(b"\n")
    new = head + b"\n" + lines + tail
    runs = os.access(path, os.X_OK)
    if new != old or not runs:
        disk.replace(os.path.realpath(path), new, _mode(path) | (0 if runs else mode & 0o111))
    return new != old or not runs


def take(place: Folder, name: str) -> bool:
    """Takes our lines out of a hook, and returns whether there were any; what was there before is as it was."""
    path = os.path.join(place.path, name)
    rest = _without_lines(_read(path))
    if rest is None:
        return False
    try:
        if _ends(rest, CHAIN) and os.path.lexists(path + BEFORE):
            os.replace(path + BEFORE, path)
        elif _ends(rest, ALONE) or _ends(rest, CHAIN):
            os.unlink(path)
        else:
            disk.replace(os.path.realpath(path), rest, _mode(path))
    except OSError as error:
        raise disk.refused(error, path) from error
    return True


def drop(place: Folder) -> None:
    """Takes the folder of hooks away where nothing is left in it: git needs none, and may have had none."""
    try:
        os.rmdir(place.path)
    except OSError:
        return


def _without_lines(data: bytes) -> bytes | None:
    """Returns a hook without our lines, or None where it has none."""
    start = data.find(b"\n" + BEGIN)
    end = data.find(b"\n" + END, start)
    return None if start < 0 or end < 0 else data[: start + 1] + data[end + 1 + len(END) :]


def _ends(rest: bytes, tail: bytes) -> bool:
    """Returns whether all that a hook holds besides our lines is its first line and a line that we wrote."""
    return rest.partition(b"\n")[2] == tail


def _is_shell_script(path: str, data: bytes) -> bool:
    """Returns whether our lines can stand in a file: it runs, and a shell reads it."""
    first, newline, _ = data.partition(b"\n")
    if not newline or not first.startswith(b"#!") or os.path.islink(path) or not os.access(path, os.X_OK):
        return False
    words = [word for word in first[2:].decode("latin-1").split(" ") if word and not word.startswith("-")]
    if words and os.path.basename(words[0]) == "env":
        words = [word for word in words[1:] if not re.match(r"\w+=", word)]
    return bool(words) and os.path.basename(words[0]) in SHELLS


def _move_beside(path: str) -> None:
    if os.path.lexists(path + BEFORE):
        name = os.path.basename(path) + BEFORE
        message = f"{path} would be moved to {name}, but there is a file of that name."
        raise GitmemError("hook-in-the-way", message, f"Move {name} away, then run gitmem hooks install again.")
    os.rename(path, path + BEFORE)


def _read(path: str) -> bytes:
    """Returns a hook's bytes, empty where there is none; a link is read through."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise disk.refused(error, path) from error


def _mode(path: str) -> int:
    return stat.S_IMODE(os.stat(path).st_mode)


def _mask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask

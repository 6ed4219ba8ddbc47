"""The way back: how to give each file that setup changed its old bytes again, kept beside Git's data or the user's state."""

import base64
import json
import os
from collections.abc import Mapping

from gitmem.storage import disk, spare
from gitmem.storage.git import Repository
from gitmem.values import Any, NamedTuple

EDITION = 1


class Way(NamedTuple):
    """The way back of one file.

    users: the agents for which it was changed; after: the digest of the file as we left it; was: its digest before,
    None where there was no file; start, cut and tail: the bytes before are the first `start` of those after, then
    `cut`, then the last `tail`; folders: those that were made for it, as paths like its own.
    """

    users: tuple[str, ...]
    after: str
    was: str | None
    start: int
    cut: str
    tail: int
    folders: tuple[str, ...]


def way(users: tuple[str, ...], before: bytes | None, after: bytes, folders: tuple[str, ...]) -> Way:
    """Returns the way back from what a file becomes to what it was; only what we take out of it is kept."""
    old = before or b""
    start = len(os.path.commonprefix([old, after]))
    tail = len(os.path.commonprefix([old[start:][::-1], after[start:][::-1]]))
    cut = base64.b64encode(old[start : len(old) - tail]).decode()
    was = None if before is None else disk.digest(before)
    return Way(users, disk.digest(after), was, start, cut, tail, folders)


def before(way: Way, data: bytes | None) -> tuple[bool, bytes | None]:
    """Returns whether a file is as we left it, and then what it was before, None for no file."""
    if data is None or disk.digest(data) != way.after:
        return False, None
    if way.was is None:
        return True, None
    old = data[: way.start] + base64.b64decode(way.cut) + data[len(data) - way.tail :]
    return disk.digest(old) == way.was, old


def place(repository: Repository) -> str:
    """Returns where the ways back of a work tree are kept."""
    tree = "" if repository.git_dir == repository.common_dir else "." + os.path.basename(repository.git_dir)
    return os.path.join(repository.common_dir, "gitmem", "setup" + tree)


def users_place(environment: Mapping[str, str], home: str) -> str:
    """Returns where the ways back of the user's own files are kept."""
    state = environment.get("XDG_STATE_HOME", "")
    state = state if os.path.isabs(state) else os.path.join(home, ".local", "state")
    return os.path.join(state, "gitmem", "setup")


def load(path: str) -> dict[str, Way]:
    """Returns the ways back by path, as far as they can be read."""
    try:
        kept = json.loads(spare.load(path) or b"{}")
        return {name: _way(row) for name, row in kept["files"].items()} if kept.get("edition") == EDITION else {}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}


def _way(row: dict[str, Any]) -> Way:  # Any: JSON
    known = Way(**row)
    if min(int(known.start), int(known.tail)) < 0:
        raise ValueError("a place before the file's beginning")
    base64.b64decode(known.cut, validate=True)
    users, folders = (tuple(map(str, each)) for each in (known.users, known.folders))
    return known._replace(users=users, folders=folders, start=int(known.start), tail=int(known.tail))


def save(path: str, ways: Mapping[str, Way]) -> None:
    """Keeps the ways back, for nobody else to read; with none left the file goes."""
    if not ways:
        disk.forget(path)
        return
    folder = os.path.dirname(path)
    text = json.dumps({"edition": EDITION, "files": {name: each._asdict() for name, each in ways.items()}}, indent=1)
    try:
        os.makedirs(folder, exist_ok=True)
        if not os.path.lexists(path):
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise disk.refused(error, path) from error
    disk.save(folder, os.path.basename(path), text.encode())

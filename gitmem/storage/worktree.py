"""The work tree: the files below a top level, none outside of it, and no link followed."""

import os
import stat

from gitmem.storage import disk
from gitmem.values import NamedTuple

FOLDER, FILE, LINK = "folder", "file", "link"
_NO_STEP = ("", ".", "..", ".git")


class Seen(NamedTuple):
    """What lies at a path: FOLDER, FILE or LINK, its size in bytes, and of a file all that changes with it as one word."""

    kind: str
    size: int
    row: str


class Worktree:
    """The files below a top level as one command sees them."""

    def __init__(self, top: str) -> None:
        self.top = top
        self._plain = {"": True}
        self._seen: dict[str, Seen | None] = {}

    def look(self, path: str) -> Seen | None:
        """Returns what lies at a path, None for nothing, and for what is outside, behind a link, Git's own, or no file.

        The kernel is asked once.
        """
        if path not in self._seen:
            self._seen[path] = self._look(path)
        return self._seen[path]

    def _look(self, path: str) -> Seen | None:
        folder, _, name = path.rpartition("/")
        if name in _NO_STEP or "\0" in path or not self._is_plain(folder):
            return None
        try:
            seen = os.lstat(os.path.join(self.top, path))
        except OSError:
            return None
        kinds = {stat.S_IFDIR: FOLDER, stat.S_IFLNK: LINK, stat.S_IFREG: FILE}
        kind = kinds.get(stat.S_IFMT(seen.st_mode))
        return Seen(kind, seen.st_size, disk.row_of(seen)) if kind else None

    def _is_plain(self, folder: str) -> bool:
        """Returns whether a folder is one of the tree, and no link is on the way to it."""
        if folder in self._plain:
            return self._plain[folder]
        here = ""
        for name in folder.split("/"):
            above, here = here, f"{here}/{name}" if here else name
            if here not in self._plain:
                whole = os.path.join(self.top, here)
                self._plain[here] = self._plain[above] and name not in _NO_STEP and _is_folder(whole)
            if not self._plain[here]:
                break
        self._plain[folder] = self._plain[here]
        return self._plain[folder]

    def data(self, path: str) -> bytes:
        """Returns a file's bytes, of a link the path that it holds; raises OSError where it cannot be read."""
        seen, whole = self.look(path), os.path.join(self.top, path)
        if seen and seen.kind == LINK:
            return os.fsencode(os.readlink(whole))
        if seen is None:
            raise FileNotFoundError(path)
        return disk.read(whole)


def _is_folder(path: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except OSError:
        return False

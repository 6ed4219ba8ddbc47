"""The cache folder: what was seen of every file, and the side files of the current index. All of it derived."""

import os
import zlib
from collections.abc import Iterable
from typing import NamedTuple

from gitmem.storage import disk

# A file changed within this many seconds before it was looked at may change again without its times moving
# (kernel ticks are 4 to 10 ms; network file systems and FAT count whole seconds), so it is hashed again.
DOUBT = 2.5
SEEN = "seen"


class Files(NamedTuple):
    """What a folder holds now, and one digest of all of it (the tree).

    rows: sorted, each a path up to a NUL; packed: a line a row, its digest; decoded only when something changed.
    unread: paths that could not be read; unreadable: folder prefixes that could not be listed ("" is the top).
    """

    tree: str
    rows: list[str]
    packed: bytes
    unread: tuple[str, ...]
    unreadable: tuple[str, ...]

    def digests(self) -> dict[str, str]:
        """Returns the digest of each path, by path."""
        return dict(zip((row.partition("\0")[0] for row in self.rows), lines(self.packed), strict=True))


def usable(folder: str, *, uid: int) -> bool:
    """Returns whether a cache may be kept here: the notes' folder is ours, and nothing else stands in its place.

    One that cannot be written still counts: what lies in it is read, and what changed since is laid over it.
    """
    cache = os.path.join(folder, ".cache")
    try:
        if os.lstat(folder).st_uid != uid or os.path.islink(cache):
            return False
        os.mkdir(cache)
    except FileExistsError:
        return os.path.isdir(cache)
    except OSError:
        return False
    return write(os.path.join(cache, ".gitignore"), b"*\n")


def write(path: str, data: bytes) -> bool:
    """Writes a cache file whole, without a sync: what a crash tears is rebuilt. False where the disk refuses."""
    temporary = f"{path}.{os.getpid()}"
    try:
        with open(temporary, "xb") as file:  # exclusive: never through a link that a repository brought along
            file.write(data)
        os.replace(temporary, path)
    except OSError:
        forget(temporary)
        return False
    return True


def forget(path: str) -> None:
    """Removes a cache file where that is possible."""
    try:
        os.unlink(path)
    except OSError:
        return


def load(path: str) -> bytes:
    """Returns a cache file's bytes, empty where there is none."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def seal(*parts: bytes) -> bytes:
    """Returns parts joined by empty lines under a checksum; no part may hold an empty line."""
    blob = b"\n\n".join(parts)
    return b"%08x\n\n" % zlib.crc32(blob) + blob


def unseal(data: bytes, count: int) -> list[bytes] | None:
    """Returns the parts under a checksum, or None where the data is not what was sealed."""
    head, _, blob = data.partition(b"\n\n")
    parts = blob.split(b"\n\n")
    return parts if head == b"%08x" % zlib.crc32(blob) and len(parts) == count else None


def lines(blob: bytes) -> list[str]:
    """Returns the lines of a part, none for an empty one."""
    return blob.decode("utf-8", "surrogateescape").split("\n") if blob else []


def blob(texts: Iterable[str]) -> bytes:
    """Returns texts as the lines of a part."""
    return "\n".join(texts).encode("utf-8", "surrogateescape")


def look(folder: str, cache: str | None, *, now: float) -> Files:
    """Returns what the folder holds, hashing only files whose times, size or inode are new; `now` in epoch seconds."""
    scan = disk.scan(folder)
    seen = unseal(load(os.path.join(cache, SEEN)), 3) if cache else None
    tree, rows, digests = seen or (b"", b"", b"")
    if seen and rows == blob(scan.rows) and not scan.unreadable:
        return Files(tree.decode(), scan.rows, digests, (), ())
    files = _hashed(folder, scan, dict(zip(lines(rows), lines(digests), strict=False)))
    if cache:
        _remember(cache, scan, files, now)
    return files


def _hashed(folder: str, scan: disk.Scan, known: dict[str, str]) -> Files:
    paths: list[str] = []
    digests: list[str] = []
    unread: list[str] = []
    for row in scan.rows:
        path = row.partition("\0")[0]
        digest = known.get(row)
        if digest is None:
            digest = _digest(folder, path, unread)
        if digest:
            paths.append(path)
            digests.append(digest)
    return Files(tree_of(paths, digests), paths, blob(digests), tuple(unread), tuple(scan.unreadable))


def _digest(folder: str, path: str, unread: list[str]) -> str:
    """Returns a file's digest, empty for one that has gone since; one that cannot be read is added to `unread`."""
    try:
        return disk.digest(disk.read(os.path.join(folder, path)))
    except FileNotFoundError:
        return ""
    except OSError:
        unread.append(path)
        return ""


def tree_of(paths: list[str], digests: list[str]) -> str:
    """Returns the digest of a folder's content: every path with its digest."""
    import hashlib

    return hashlib.sha256(blob(map("\0".join, zip(paths, digests, strict=True)))).hexdigest()


def _remember(cache: str, scan: disk.Scan, files: Files, now: float) -> None:
    """Writes down what was seen; the row of a file too fresh to be trusted by its times gets a mark that never matches."""
    known = files.digests()
    rows, digests = [], []
    for row in scan.rows:
        digest = known.get(row.partition("\0")[0])
        if digest:
            rows.append(row if disk.changed_at(row) < now - DOUBT else row + "?")
            digests.append(digest)
    write(os.path.join(cache, SEEN), seal(files.tree.encode(), blob(rows), blob(digests)))

"""The cache folder, all of it derived: what was seen of every file, and the side files of the current index."""

import os
import zlib
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from gitmem.errors import GitmemError
from gitmem.storage import disk
from gitmem.storage.spare import load, write
from gitmem.values import NamedTuple

DOUBT = disk.DOUBT  # a file that changed within so many seconds is hashed again
SEEN = "seen"
MARK = "made-here"
# Files by which the others are believed.
BELIEVED = (SEEN, "current", "config", "log", "review-branch", "review-notes", "review-log", "review-alike")
# So many rows may be hashed at every look before they are written down.
FEW = 64
HEX = 65  # bytes of a line with a SHA-256


class Files(NamedTuple):
    """What a folder holds now, and one digest of all of it (the tree).

    rows: sorted, each a path up to a NUL; packed: a line a row, its digest; decoded only when something changed.
    tree is empty where it was not worth working out. unread: paths that could not be read; unreadable: folder prefixes that could not be listed ("" is the top).
    since: the tree of an earlier look, empty where none is known; differing: every path that may hold something else
    than it did then, with its digest now, empty where it is gone.
    settled: no file of it is in doubt. large: paths of files that are too large to be read. remembered: what a process
    that looks again and again knows of the files' times.
    """

    tree: str
    rows: list[str]
    packed: bytes
    unread: tuple[str, ...]
    unreadable: tuple[str, ...]
    since: str = ""
    differing: Mapping[str, str] = MappingProxyType({})
    settled: bool = False
    large: tuple[str, ...] = ()
    remembered: disk.Remembered | None = None

    def same(self, other: "Files") -> bool:
        """Returns whether two looks saw the same notes."""
        if (self.unread, self.unreadable, self.large) != (other.unread, other.unreadable, other.large):
            return False
        if self.tree and other.tree:
            return self.tree == other.tree
        if self.since and self.since == other.since and self.differing == other.differing:
            return True
        return self.digests() == other.digests()

    def paths(self) -> list[str]:
        """Returns the sorted paths of all files that are there, readable or not."""
        read = [row[: row.index("\0")] for row in self.rows]
        return sorted({*read, *self.unread, *self.large}) if self.unread or self.large else read

    def size(self) -> int:
        """Returns the bytes of all files."""
        return sum(int(row.partition("\0")[2].partition(".")[0]) for row in self.rows)

    def digests(self) -> dict[str, str]:
        """Returns the digest of each path, by path."""
        return dict(zip(map(_path, self.rows), lines(self.packed), strict=True))


class Place(NamedTuple):
    """Where the notes lie, and the cache folder, None where none may be kept."""

    folder: str
    cache: str | None


def place(folder: str, *, uid: int) -> Place:
    """Returns the place of a folder of notes; makes the cache folder where it may."""
    return Place(folder, os.path.join(folder, ".cache") if _usable(folder, uid=uid) else None)


def _usable(folder: str, *, uid: int) -> bool:
    """Returns whether a cache may be kept here: the notes' folder is ours, and what lies in the cache was made here.

    One that cannot be written still counts: what lies in it is read, and what changed since is laid over it.
    """
    cache = os.path.join(folder, ".cache")
    try:
        if os.lstat(folder).st_uid != uid or os.path.islink(cache):
            return False
        os.mkdir(cache)
    except FileExistsError:
        return os.path.isdir(cache) and (_is_own(cache) or _adopted(cache))
    except OSError:
        return False
    return _adopted(cache)


def _is_own(cache: str) -> bool:
    """Returns whether this cache was made here: it names the inode and change time of a file in it.

    A repository can ship a cache that lies about its notes, but not one that knows what its files get in a clone.
    """
    birth = _birth(cache)
    return birth is not None and load(os.path.join(cache, MARK)) == birth


def _birth(cache: str) -> bytes | None:
    """Returns what no repository can know of the file that the mark speaks of, None where it is missing."""
    try:
        seen = os.lstat(os.path.join(cache, ".gitignore"))
    except OSError:
        return None
    return b"%d.%d.%d" % (seen.st_dev, seen.st_ino, seen.st_ctime_ns)


def _adopted(cache: str) -> bool:
    """Makes a cache our own: takes out what would be believed, then marks it. False where the disk refuses."""
    lock = disk.Lock(cache)
    try:
        with lock:
            if _is_own(cache):
                return True
            for name in BELIEVED:
                disk.forget(os.path.join(cache, name))
            ours = write(os.path.join(cache, ".gitignore"), b"*\n")
            birth = _birth(cache) if ours and not _believable(cache) else None
            return birth is not None and write(os.path.join(cache, MARK), birth)
    except GitmemError:
        return False


def _believable(cache: str) -> bool:
    return any(os.path.lexists(os.path.join(cache, name)) for name in BELIEVED)


def seal(*parts: bytes) -> bytes:
    """Returns parts under a line with their checksum and sizes."""
    blob = b"".join(parts)
    return b" ".join([b"%08x" % zlib.adler32(blob), *(b"%d" % len(part) for part in parts)]) + b"\n" + blob


def unseal(data: bytes, count: int) -> list[bytes] | None:
    """Returns the parts under a checksum, or None where the data is not what was sealed. Copies nothing twice."""
    start = data.find(b"\n", 0, 200) + 1
    check, *sizes = data[:start].split() or [b""]
    if len(sizes) != count or not all(size.isdigit() for size in sizes):
        return None
    if check != b"%08x" % zlib.adler32(memoryview(data)[start:]):
        return None
    parts = []
    for size in map(int, sizes):
        parts.append(data[start : start + size])
        start += size
    return parts if start == len(data) else None


def lines(blob: bytes) -> list[str]:
    """Returns the lines of a part, none for an empty one."""
    return blob.decode("utf-8", "surrogateescape").split("\n") if blob else []


def blob(texts: Iterable[str]) -> bytes:
    """Returns texts as the lines of a part."""
    return "\n".join(texts).encode("utf-8", "surrogateescape")


def look(folder: str, cache: str | None, *, now: float, before: Files | None = None) -> Files:
    """Returns what the folder holds, hashing only files whose times, size or inode are new; `now` in epoch seconds.

    `before` is an earlier look: where it is settled and nothing moved since, it holds, and the cache is not read.
    """
    remembered = (before.remembered or {}) if before else None
    files = _looked(folder, cache, disk.scan(folder, remembered), now, before)
    return files._replace(remembered=remembered)


def _looked(folder: str, cache: str | None, scan: disk.Scan, now: float, before: Files | None) -> Files:
    large = tuple(sorted(path for path, kind in scan.strays if kind == "large"))
    if before and before.settled and not scan.unreadable and (scan.rows, large) == (before.rows, before.large):
        return before
    seen = unseal(load(os.path.join(cache, SEEN)), 3) if cache else None
    tree, rows, digests = seen or (b"", b"", b"")
    sound = tree.isalnum() and tree.isascii() and digests.isascii()
    if sound and not scan.unreadable and rows == blob(scan.rows) and len(digests) == max(0, HEX * len(scan.rows) - 1):
        return Files(tree.decode(), scan.rows, digests, (), (), settled=True, large=large)
    whole = sound and rows.count(b"\n") == digests.count(b"\n")
    known = dict(zip(lines(rows), lines(digests), strict=False)) if whole else {}
    files, new = _hashed(folder, scan, known)
    files = files._replace(since=tree.decode() if whole else "", large=large)
    settled = {row for row in new if disk.changed_at(row) < now - DOUBT}
    # Rows in doubt never match, written down or not; a few of them alone are not worth writing 2 MB for 10,000 notes.
    if cache and (settled or len(new) > FEW or len(known) - len(scan.rows) > FEW):
        doubtful = new - settled
        rows_seen = (row + "?" if row in doubtful else row for row in scan.rows)
        kept = files.digests()
        files = files._replace(tree=tree_of(list(kept), list(kept.values())))
        pairs = [(row, kept[path]) for row in rows_seen if (path := row.partition("\0")[0]) in kept]
        write(
            os.path.join(cache, SEEN),
            seal(files.tree.encode(), blob(row for row, _ in pairs), blob(each for _, each in pairs)),
        )
    return files


def _hashed(folder: str, scan: disk.Scan, known: dict[str, str]) -> tuple[Files, set[str]]:
    """Returns what the folder holds, and the rows that were not known."""
    # Whatever is done for every row takes a millisecond of 10,000 notes' recall.
    rows, digests, unread = scan.rows, list(map(known.get, scan.rows)), list[str]()
    new = [at for at, digest in enumerate(digests) if digest is None]
    differing = {}
    for at in new:
        path = _path(rows[at])
        differing[path] = digests[at] = _digest(folder, path, unread)
    if len(rows) - len(new) < len(known):
        differing = dict.fromkeys(map(_path, known.keys() - rows), "") | differing
    if "" in differing.values():
        rows = [row for row, digest in zip(rows, digests, strict=True) if digest]
    found = blob(digest for digest in digests if digest)
    files = Files("", rows, found, tuple(unread), tuple(scan.unreadable), differing=differing)
    return files, {scan.rows[at] for at in new}


def _path(row: str) -> str:
    return row.partition("\0")[0]


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

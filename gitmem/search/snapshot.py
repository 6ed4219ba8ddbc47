"""The index as it lies in the cache: whole folders, each written aside, then named current by one rename."""

import json
import mmap
import os
import zlib
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence

from gitmem.errors import GitmemError
from gitmem.search import cache as side
from gitmem.search import index as full_text
from gitmem.search.document import Document
from gitmem.search.index import Index, Stored
from gitmem.search.records import PLACE, Records, write
from gitmem.search.vectors import Vectors, pack
from gitmem.storage import disk, spare
from gitmem.values import NamedTuple

CURRENT = "current"
RECORDS = "records"


class Rows(NamedTuple):
    """The notes of a snapshot in the order of its vectors: live ones first, each part by path.

    live: how many rows are live; total: the sum of their lengths. The columns of digests and lengths are decoded only
    when something changed; places: where the record of each row lies. claimed: folded names that notes replace, and perhaps some that notes replaced once.
    """

    tree: str
    live: int
    total: int
    paths: list[str]
    packed_digests: bytes
    packed_lengths: bytes
    places: bytes
    claimed: frozenset[str]

    def row(self, path: str) -> int:
        """Returns the row of a path, of one that is not there no row of its own; a dictionary of 10,000 would cost more than all that is looked up."""
        at = bisect_left(self.paths, path, 0, self.live)
        return at if at < self.live and self.paths[at] == path else bisect_left(self.paths, path, self.live)

    def place(self, row: int) -> bytes:
        """Returns where the record of a row lies."""
        return self.places[row * PLACE : (row + 1) * PLACE]

    def digests(self) -> dict[str, str]:
        """Returns the digest of each path, by path."""
        return dict(zip(self.paths, side.lines(self.packed_digests), strict=True))

    def digest(self, path: str) -> str:
        """Returns the digest of one path, empty where there is no such note."""
        row = self.row(path)
        if row == len(self.paths) or self.paths[row] != path:
            return ""
        return self.packed_digests[row * side.HEX : (row + 1) * side.HEX - 1].decode()

    def lengths(self) -> list[int]:
        """Returns each row's weighted length in terms."""
        return list(map(int, side.lines(self.packed_lengths)))


class Snapshot(NamedTuple):
    """One index that does not change any more, with the vectors and rows that belong to it."""

    folder: str
    full_text: Index
    rows: Rows
    packed: bytes | memoryview
    records: Records
    stamps: bytes

    def stands(self) -> bool:
        """Returns whether its files are as they were: what is cut short under a memory map ends the process that reads it."""
        return _stamps(self.folder) == self.stamps

    def at(self, path: str) -> Stored | None:
        """Returns the note at a path, None where there is none: the index takes ten times as long to find it."""
        row = self.rows.row(path)
        there = row < len(self.rows.paths) and self.rows.paths[row] == path
        return self.records.read(path, self.rows.place(row)) if there else None


class _Current(NamedTuple):
    """What is said of the current snapshot: what it was made for, where it lies, and how its files were."""

    fingerprint: bytes
    folder: str
    stamps: bytes
    sums: bytes


def _current(cache: str) -> _Current | None:
    """Returns what is said, None also for what a repository brings along: a name that leads elsewhere, or nowhere."""
    parts = side.unseal(spare.load(os.path.join(cache, CURRENT)), 4)
    if parts is None or not parts[1].removeprefix(b"index-").isdigit():
        return None
    return _Current(parts[0], os.path.join(cache, parts[1].decode()), parts[2], parts[3])


def open_current(cache: str, fingerprint: str) -> Snapshot | None:
    """Returns the current snapshot, or None where there is none, it is damaged, or it was made for another fingerprint.

    A second look follows a first that fails: the folder may have been replaced in between.
    """
    for _ in range(2):
        current = _current(cache)
        if current is None or current.fingerprint != fingerprint.encode():
            return None
        folder, stamps = current.folder, current.stamps
        snapshot = _open(folder, stamps) if _stamps(folder) == stamps else None
        if snapshot and snapshot.stands():  # still: numbers of folders are used again
            return snapshot
    return None


def is_damaged(cache: str) -> bool:
    """Returns whether the current snapshot no longer holds what was written into it: all of it is read for that.

    Such a one is current no longer, so that the next look makes another.
    """
    current = _current(cache)
    if current is None or _sums(current.folder) == current.sums or _current(cache) != current:  # made anew meanwhile
        return False
    disk.forget(os.path.join(cache, CURRENT))
    return True


def _open(folder: str, stamps: bytes) -> Snapshot | None:
    try:
        rows = _read_rows(spare.load(os.path.join(folder, "rows")))
        kept = Records(os.path.join(folder, RECORDS))
        index = full_text.load(os.path.join(folder, "index"), lambda path: kept.read(path, rows.place(rows.row(path))))
        return Snapshot(folder, index, rows, _map(os.path.join(folder, "vectors")), kept, stamps)
    except (OSError, ValueError, TypeError):  # TypeError: a head of other shape than ours
        return None


def _map(path: str) -> bytes | memoryview:
    with open(path, "rb") as file:
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def _stamps(folder: str) -> bytes:
    """Returns size, time and inode of every file of a snapshot: whoever wrote into it since is found out."""
    return side.blob(sorted(map(_stamp, _files(folder))))


def _stamp(entry: os.DirEntry[str]) -> str:
    try:
        seen = entry.stat(follow_symlinks=False)
    except OSError:
        return entry.name
    return f"{entry.name} {seen.st_size}.{seen.st_mtime_ns}.{seen.st_ino}"


def _sums(folder: str) -> bytes:
    """Returns a checksum of every file of a snapshot."""
    return side.blob(sorted(f"{entry.name} {zlib.crc32(spare.load(entry.path)):08x}" for entry in _files(folder)))


def _files(folder: str) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    yield from _files(entry.path)
                elif not entry.name.endswith(".lock"):
                    yield entry
    except OSError:
        return


def build(cache: str, fingerprint: str, documents: Sequence[Document]) -> Snapshot | None:
    """Makes a snapshot of these documents current and returns it; None where another process is at it, or the disk refuses."""
    return _publish(cache, fingerprint, None, documents, frozenset())


def extend(
    cache: str, fingerprint: str, old: Snapshot, documents: Sequence[Document], gone: frozenset[str]
) -> Snapshot | None:
    """Makes an old snapshot with documents added and the paths in `gone` taken out current; as build."""
    return _publish(cache, fingerprint, old, documents, gone)


def is_worn(snapshot: Snapshot, gone: Collection[str]) -> bool:
    """Returns whether more of an index would be dead than alive without the paths in `gone`: such a one never shrinks."""
    try:
        dead = full_text.dead(os.path.join(snapshot.folder, "index"))
    except (OSError, ValueError):
        return True
    return dead + len(gone) > len(snapshot.rows.paths) - len(gone)


def _publish(
    cache: str, fingerprint: str, old: Snapshot | None, documents: Sequence[Document], gone: frozenset[str]
) -> Snapshot | None:
    lock = disk.Lock(cache)
    if not _taken(lock):
        return None
    try:
        folder = os.path.join(cache, _fresh_name(cache))
        return _made(cache, folder, fingerprint, old, documents, gone)
    except OSError:
        return None
    finally:
        lock.release()


def _taken(lock: disk.Lock) -> bool:
    """Returns whether the lock was free; a cache folder that has gone or cannot be opened has none to give."""
    try:
        return lock.take(0)
    except GitmemError:
        return False


def _made(
    cache: str, folder: str, fingerprint: str, old: Snapshot | None, documents: Sequence[Document], gone: frozenset[str]
) -> Snapshot | None:
    try:
        _write(folder, old, documents, gone)
        stamps = _stamps(folder)
        current = side.seal(fingerprint.encode(), os.path.basename(folder).encode(), stamps, _sums(folder))
        if spare.write(os.path.join(cache, CURRENT), current):
            _sweep(cache, {folder, old.folder if old else folder})
            return _open(folder, stamps)
    except (OSError, ValueError):
        pass  # a disk that refuses leaves the cache as it was
    import shutil

    shutil.rmtree(folder, ignore_errors=True)  # a full disk must not fill up with attempts
    return None


def _fresh_name(cache: str) -> str:
    taken = {name for name in os.listdir(cache) if name.startswith("index-")}
    return next(name for number in range(len(taken) + 1) if (name := f"index-{number}") not in taken)


def _sweep(cache: str, kept: set[str]) -> None:
    """Removes what killed processes left, and snapshots that no reader can be about to open: all but the current and the one before it."""
    import shutil

    for name in os.listdir(cache):
        path = os.path.join(cache, name)
        if name.startswith("index-") and path not in kept:
            shutil.rmtree(path, ignore_errors=True)
        elif name.rpartition(".")[2].isdigit():
            disk.forget(path)  # a temporary file; who still writes it only loses a cache file


def _write(folder: str, old: Snapshot | None, documents: Sequence[Document], gone: frozenset[str]) -> None:
    os.mkdir(folder)
    records = [document.record for document in documents]
    if old:
        full_text.extend(os.path.join(old.folder, "index"), os.path.join(folder, "index"), records, gone)
    else:
        full_text.build(os.path.join(folder, "index"), records)
    places = write(os.path.join(folder, RECORDS), os.path.join(old.folder, RECORDS) if old else None, records)
    rows = sorted([*_kept(old, gone), *map(_row, documents, places)])
    vectors = [row[4] for row in rows]
    claimed = {name for record in records for name in record.supersedes}.union(old.rows.claimed if old else ())
    _save(os.path.join(folder, "vectors"), pack(vectors))
    _save(os.path.join(folder, "rows"), _rows_blob(rows, claimed))


_Row = tuple[bool, str, str, int, bytes, bytes]


def _row(document: Document, place: bytes) -> _Row:
    record = document.record
    return document.inert, record.path, document.digest, record.length, document.vector, place


def _kept(old: Snapshot | None, gone: frozenset[str]) -> Iterator[_Row]:
    if old is None:
        return
    vectors, lengths = Vectors(old.packed), old.rows.lengths()
    for at, (path, digest) in enumerate(old.rows.digests().items()):
        if path not in gone:
            yield at >= old.rows.live, path, digest, lengths[at], vectors.row(at), old.rows.place(at)


def _save(path: str, data: bytes) -> None:
    """Writes a file for good, as tantivy does its own: after a power cut, what is named current is whole."""
    with open(path, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def tree_of(digests: dict[str, str]) -> str:
    """Returns the digest of a folder's content, from the digests of its paths."""
    paths = sorted(digests)
    return side.tree_of(paths, [digests[path] for path in paths])


def _rows_blob(rows: list[_Row], claimed: Collection[str]) -> bytes:
    live = sum(not row[0] for row in rows)
    total = sum(row[3] for row in rows if not row[0])
    # Claimed names are what people wrote, maybe over several lines: JSON holds them, lines would not.
    head = json.dumps([tree_of({row[1]: row[2] for row in rows}), live, total, sorted(claimed)])
    columns = (
        side.blob(row[1] for row in rows),
        side.blob(row[2] for row in rows),
        side.blob(str(row[3]) for row in rows),
        b"".join(row[5] for row in rows),
    )
    return side.seal(head.encode(), *columns)


def _read_rows(data: bytes) -> Rows:
    parts = side.unseal(data, 5)
    if parts is None:
        raise ValueError("not a whole rows file")
    tree, live, total, claimed = json.loads(parts[0])
    return Rows(tree, live, total, side.lines(parts[1]), parts[2], parts[3], parts[4], frozenset(claimed))

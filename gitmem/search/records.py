"""The file of what an index gives back of its notes: bags and JSON, read one by one where they are asked for."""

import json
import mmap
import os
import struct
from collections.abc import Sequence

from gitmem.notes.store import key
from gitmem.search.index import Record, Stored, bag_bytes

# Where a note's record begins, and the bytes of its three parts: folded aliases as JSON, bag, and the note's own JSON.
_PLACE = struct.Struct("<QIII")
PLACE = _PLACE.size


class Records:
    """The records of a snapshot. One is read in 3 us; tantivy's own store takes 15, and 30 when it is cold."""

    def __init__(self, path: str) -> None:
        """Raises OSError where there is no such file, which stays open as long as anybody has this."""
        self._handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        self._known: dict[str, Stored] = {}
        self._mapped: mmap.mmap | None = None

    def load(self) -> None:
        """Maps the whole file, for many questions: a note is read in 1 us then, but a cold one counts 64 kB around it as ours."""
        if self._mapped is None and os.fstat(self._handle).st_size:
            self._mapped = mmap.mmap(self._handle, 0, access=mmap.ACCESS_READ)

    def __del__(self) -> None:
        handle = self.__dict__.pop("_handle", -1)
        if handle >= 0:
            os.close(handle)

    def read(self, path: str, place: bytes) -> Stored:
        """Returns what is known of the note at a path, from where its record lies; each is read once."""
        known = self._known.get(path)
        if known is None:
            known = self._known[path] = self._read(path, place)
        return known

    def _read(self, path: str, place: bytes) -> Stored:
        start, aliases, bag, note = _PLACE.unpack(place)
        size = aliases + bag + note
        data = self._mapped[start : start + size] if self._mapped else os.pread(self._handle, size, start)
        names = tuple(json.loads(data[:aliases])) if aliases else ()
        return Stored(path, key(path), names, data[aliases : aliases + bag], data[aliases + bag :])


def stored(record: Record) -> Stored:
    """Returns of a record what an index gives back."""
    return Stored(record.path, record.key, record.aliases, bag_bytes(record.terms, record.length), record.stored)


def write(path: str, old: str | None, records: Sequence[Record]) -> list[bytes]:
    """Writes a file of records behind those of an old one, for good; returns the place of each."""
    if old:
        import shutil  # late: it loads what unpacks archives

        shutil.copyfile(old, path)
    places = []
    with open(path, "ab") as file:
        for record in records:
            aliases = json.dumps(record.aliases).encode() if record.aliases else b""
            parts = (aliases, bag_bytes(record.terms, record.length), record.stored)
            places.append(_PLACE.pack(file.tell(), *map(len, parts)))
            file.writelines(parts)
        file.flush()
        os.fsync(file.fileno())
    return places

"""The store: one folder of notes, found by name, read whole, and saved under its lock."""

import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain

from gitmem.errors import GitmemError, near_misses
from gitmem.notes.name import check_name, fold
from gitmem.notes.note import Entry
from gitmem.storage import disk, ledger, root
from gitmem.values import NamedTuple

FOLDER = root.FOLDER


class Store(NamedTuple):
    """A folder of notes, and the verbs whose fields are links."""

    folder: str
    verbs: tuple[str, ...]


class Names:
    """Which paths have which folded name, at one moment."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._first: dict[str, str] = {}
        self._others: dict[str, list[str]] = {}  # of the names that more than one file has
        for path in paths:
            if self._first.setdefault(key(path), path) != path:
                self._others.setdefault(key(path), []).append(path)

    def __iter__(self) -> Iterator[str]:
        """Yields each folded name."""
        return iter(self._first)

    def __len__(self) -> int:
        return len(self._first)

    def paths(self, name: str) -> list[str]:
        """Returns the paths of the notes of a name: none, one, or several where files collide."""
        name = fold(name)
        return [self._first[name], *self._others.get(name, ())] if name in self._first else []

    def all(self) -> list[str]:
        """Returns all paths."""
        return [*self._first.values(), *chain.from_iterable(self._others.values())]

    def add(self, path: str) -> None:
        """Takes in a path, once."""
        if path not in self.paths(stem(path)) and self._first.setdefault(key(path), path) != path:
            self._others.setdefault(key(path), []).append(path)


def stem(path: str) -> str:
    """Returns the name that a path gives its note."""
    return path[path.rfind("/") + 1 : -3]


@lru_cache(1 << 14)
def key(path: str) -> str:
    """Returns the folded name that a path gives its note; kept, as each write asks for those of all notes."""
    return fold(stem(path))


def names(store: Store) -> Names:
    """Returns the names in use now."""
    return Names(disk.note_paths(store.folder))


def load(store: Store, path: str) -> Entry:
    """Returns the note at a path; raises GitmemError where there is none."""
    return entry_of(store, path, raw(store, path))


def entry_of(store: Store, path: str, data: bytes) -> Entry:
    """Returns the note that bytes at a path are."""
    from gitmem.notes.entry import read  # late: finding notes must not pay for reading their text

    return read(path, data, verbs=store.verbs)


def raw(store: Store, path: str) -> bytes:
    """Returns a note's bytes; raises GitmemError where they cannot be read."""
    try:
        return disk.read(disk.inside(store.folder, path))
    except OSError as error:
        reason = error.strerror or str(error)
        raise GitmemError(
            "unreadable", f"{FOLDER}/{path} cannot be read: {reason}.", "See that the file is there."
        ) from error


def save(store: Store, path: str, data: bytes) -> Entry:
    """Writes a note and returns it as it now reads. Call it under the lock."""
    # First: a note that a killed process leaves is known as ours, and a digest that no file has means nothing.
    ledger.record(store.folder, {path: disk.digest(data)})
    disk.save(store.folder, path, data)
    return entry_of(store, path, data)


def move(store: Store, old: str, new: str) -> None:
    """Moves a note's file; raises GitmemError where the new place is taken. Call it under the lock."""
    disk.move(store.folder, old, new)
    ledger.record(store.folder, {old: None, new: disk.digest(raw(store, new))})


def remove(store: Store, path: str) -> None:
    """Removes a note's file. Call it under the lock."""
    disk.remove(store.folder, path)
    ledger.record(store.folder, {path: None})


def lock(store: Store) -> disk.Lock:
    """Returns the lock that every write of this store holds."""
    return disk.Lock(store.folder)


def path_of(store: Store, word: str, known: Names) -> str | None:
    """Returns the path that a name or a path inside the folder means, or None.

    Raises GitmemError where the word cannot be a name, or several files have that name.
    """
    if "/" in word or word.endswith(".md"):
        return _path_inside(store, word)
    paths = known.paths(check_name(word))
    if len(paths) > 1:
        listed = ", ".join(f"{FOLDER}/{path}" for path in paths)
        raise GitmemError(
            "duplicate-name", f"Several files are named {word!r}: {listed}.", "Name the file by its path."
        )
    return paths[0] if paths else None


def _path_inside(store: Store, word: str) -> str | None:
    parts = word.split("/")
    tail = "/".join(parts[parts.index(FOLDER) + 1 :]) if FOLDER in parts else word
    path = tail if tail.endswith(".md") else tail + ".md"
    target = disk.inside(store.folder, path)
    return path if os.path.isfile(target) and not stem(path).startswith(".") else None


def unknown(word: str, known: Names) -> GitmemError:
    """Returns the refusal of a name that no note has, with the names it most likely meant."""
    near = [stem(known.paths(name)[0]) for name in near_misses(fold(word), list(known))]
    hint = f"Did you mean {' or '.join(near)}?" if near else "gitmem list shows every note."
    return GitmemError("unknown-name", f"No note is named {word!r}.", hint)

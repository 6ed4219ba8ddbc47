"""The roster: which notes a reader is shown first, told from one line of numbers a note, so that none has to be read for it."""

import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from gitmem.notes.instant import seconds
from gitmem.notes.name import fold
from gitmem.notes.note import Entry, confirmed
from gitmem.notes.store import key
from gitmem.search import cache as side
from gitmem.search.document import Roles, restored, status_of, targets
from gitmem.search.rank import owners
from gitmem.search.snapshot import Snapshot
from gitmem.search.view import View
from gitmem.storage import spare
from gitmem.values import Any, NamedTuple

KEPT = "roster"
# Any other shape of what is kept needs another number.
EDITION = b"1"
HANDOFF = "handoff"
UNDATED = -(2**62)
NEW = -1  # stands for the row of a note that no snapshot holds

# Kinds of notes; beside them a type stands as "type NAME", and a file or folder that notes touch as "touch PLACE".
# "claimed NAME" one that says that somebody stands for it.
OPEN, LEADING, LIVE, EVERY = "open", "leading", "live", "every"
CHECKPOINT = "checkpoint"


class Line(NamedTuple):
    """What the roster says of a note: when it was written in epoch seconds, what it counts among, and whom it names.

    replaces, contradicts, suspects: the folded names and aliases that it replaces, contradicts and seems to disagree with.
    """

    path: str
    date: int
    kinds: tuple[str, ...]
    aliases: tuple[str, ...]
    replaces: tuple[str, ...]
    contradicts: tuple[str, ...]
    suspects: tuple[str, ...]


class Roster:
    """The notes of a view by what they count among, newest first; those that another note replaces are in none."""

    def __init__(self, view: View, cache: str | None, roles: Roles) -> None:
        """`cache` is the folder where the part of it that belongs to a snapshot is kept, None where nothing may be."""
        base, self._hidden, documents = view.layers()
        self._view = view
        self._paths = base.rows.paths if base else []
        self._known = _kept(base, cache, view.fingerprint, roles) if base else _gathered([])
        self._over = [line(restored(each.record.stored)[0], roles) for each in documents]
        self._dates = {each.path: each.date for each in self._over}
        self.replaced = {path for _, path in self._meant("replaces")}

    def of(self, kind: str) -> list[str]:
        """Returns the paths of the notes of a kind, newest first, then by name; no replaced one."""
        paths = self._shown(self._paths[row] for row in self._known["kinds"].get(kind, ()))
        over = [each.path for each in self._over if kind in each.kinds]
        if over:
            paths = sorted((*paths, *over), key=self._newest_first)
        return [path for path in paths if path not in self.replaced]

    def pairs(self, field: str) -> list[tuple[str, str]]:
        """Returns the paths of the notes of which the first contradicts, or is suspected to contradict, the second."""
        return list(self._meant(field))

    def touching(self, places: Collection[str], folders: tuple[str, ...] = ()) -> list[str]:
        """Returns the paths of the notes that touch one of some places, or anything in one of some folders, newest first."""
        known = {*self._known["kinds"], *(kind for each in self._over for kind in each.kinds)}
        within = tuple(f"touch {folder}" for folder in folders)
        kinds = known.intersection(f"touch {place}" for place in places)
        kinds |= {kind for kind in known if within and kind.startswith(within)}
        return sorted({path for kind in kinds for path in self.of(kind)}, key=self._newest_first)

    def since(self, moment: int) -> int:
        """Returns how many notes were written after a moment, checkpoints left aside."""
        counts = self._known["kinds"].get(EVERY, ())
        stored = (self._paths[row] for row in counts if self._known["dates"][row] > moment)
        over = (each for each in self._over if EVERY in each.kinds and each.date > moment)
        return sum(1 for path in stored if path not in self._hidden) + sum(1 for _ in over)

    def _shown(self, paths: Iterable[str]) -> list[str]:
        return [path for path in paths if path not in self._hidden] if self._hidden else list(paths)

    def _newest_first(self, path: str) -> tuple[int, str, str]:
        date = self._dates.get(path)
        if date is None:
            date = self._dates[path] = self._known["dates"][self._row(path)]
        return -date, key(path), path

    def _row(self, path: str) -> int:
        base = self._view.layers()[0]
        return base.rows.row(path) if base else NEW

    def _meant(self, field: str) -> Iterator[tuple[str, str]]:
        """Yields the notes that claims of a field join: a name beats an alias, then the first by path."""
        stored = ((self._paths[row], words) for row, words in self._known[field])
        claims = [(path, words) for path, words in stored if path not in self._hidden]
        claims += [(each.path, getattr(each, field)) for each in self._over if getattr(each, field)]
        words = {word for _, said in claims for word in said}
        meant = self._owners(words)
        for path, said in sorted(claims):
            yield from ((path, meant[word]) for word in said if word in meant and meant[word] != path)

    def _owners(self, words: set[str]) -> dict[str, str]:
        """Returns the path that each word means; the index is asked of what no snapshot has seen claimed."""
        known: Mapping[str, list[list[Any]]] = self._known["meant"]
        named = [(key(each.path), 0, each.path) for each in self._over]
        named += [(alias, 1, each.path) for each in self._over for alias in each.aliases]
        found: dict[str, tuple[int, str]] = {}
        for word in words & known.keys():
            rows = [(kind, self._paths[row]) for kind, row in known[word]]
            rows = [each for each in rows if each[1] not in self._hidden]
            if rows:
                found[word] = min(rows)
        for word, kind, path in named:
            if word in words and (word in known):
                found[word] = min(found.get(word, (kind, path)), (kind, path))
        missing = sorted(words - known.keys())
        return {word: path for word, (_, path) in found.items()} | owners(self._view, missing)


def line(entry: Entry, roles: Roles) -> Line:
    """Returns what the roster says of a note."""
    note = entry.note
    return Line(
        entry.path,
        seconds(note.created) if note.created else UNDATED,
        tuple(_kinds(entry, roles)),
        tuple(map(fold, note.aliases)),
        targets(note, roles.supersession),
        targets(note, roles.contradiction),
        tuple(map(fold, note.suspects)),
    )


def _kinds(entry: Entry, roles: Roles) -> Iterator[str]:
    note = entry.note
    if note.type in roles.checkpoint:
        yield CHECKPOINT
        return
    yield EVERY
    if note.status in ("archived", "superseded"):
        return
    is_open = status_of(note, roles) == "open"
    yield from (LIVE, f"type {note.type}")
    if is_open and note.type in roles.worklist:
        yield OPEN
    if is_open and HANDOFF in note.tags:
        yield LEADING
    if note.pinned is not None or note.approved or note.source == "user" or _confirmed(entry):
        yield f"claimed {note.type}"
    for touch in note.touches:
        yield f"touch {place(touch)}"


def _confirmed(entry: Entry) -> bool:
    return confirmed(entry.note) is not None


def place(touch: str) -> str:
    """Returns the file or folder that a touch is in, by its path alone, in one case."""
    from gitmem.notes.touch import unhashed

    return unhashed(touch).partition("::")[0].casefold()


# What is kept of a snapshot


def _kept(base: Snapshot, cache: str | None, fingerprint: str, roles: Roles) -> dict[str, Any]:  # Any: JSON
    """Returns the part of a roster that belongs to a snapshot; read from the cache where it was worked out before."""
    path = os.path.join(cache, KEPT) if cache else None
    # The mark is what no repository can know, so that none can bring a roster along.
    mark = spare.load(os.path.join(cache, side.MARK)) if cache else b""
    key = b" ".join((EDITION, mark, base.rows.tree.encode(), fingerprint.encode()))
    parts = side.unseal(spare.load(path), 2) if path else None
    if parts and parts[0] == key:
        return dict(json.loads(parts[1]))
    rows = {stored.path: line(restored(stored.note)[0], roles) for stored in base.full_text.everything()}
    known = _gathered([rows[path] for path in base.rows.paths])
    if path:
        spare.write(path, side.seal(key, json.dumps(known, separators=(",", ":")).encode()))
    return known


def _gathered(lines: Sequence[Line]) -> dict[str, Any]:  # Any: JSON
    """Returns lines as JSON: dates by row, rows by kind newest first, claims, and the rows that claimed words mean."""
    order = sorted(range(len(lines)), key=lambda row: (-lines[row].date, key(lines[row].path), lines[row].path))
    kinds: dict[str, list[int]] = {}
    for row in order:
        for kind in dict.fromkeys(lines[row].kinds):
            kinds.setdefault(kind, []).append(row)
    fields = ("replaces", "contradicts", "suspects")
    claims = {field: _claims(lines, field) for field in fields}
    words = {word for said in claims.values() for _, names in said for word in names}
    return {"dates": [each.date for each in lines], "kinds": kinds, "meant": _meaning(lines, words), **claims}


def _claims(lines: Sequence[Line], field: str) -> list[tuple[int, tuple[str, ...]]]:
    said: list[tuple[str, ...]] = [getattr(each, field) for each in lines]
    return [(row, words) for row, words in enumerate(said) if words]


def _meaning(lines: Sequence[Line], words: set[str]) -> dict[str, list[tuple[int, int]]]:
    """Returns, for each word, the notes that have it as their name (0) or as an alias (1)."""
    meant: dict[str, list[tuple[int, int]]] = {word: [] for word in words}
    for row, each in enumerate(lines):
        for kind, names in ((0, (key(each.path),)), (1, each.aliases)):
            for name in names:
                if name in meant:
                    meant[name].append((kind, row))
    return meant

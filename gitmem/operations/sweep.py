"""The sweep: pairs of notes that seem to disagree and were never looked at, across a whole memory or among some notes."""

from collections.abc import Iterable, Sequence

from gitmem.notes import store as notes
from gitmem.notes.name import fold
from gitmem.notes.note import Entry
from gitmem.operations import verdict as verdicts
from gitmem.operations.claims import Save
from gitmem.operations.draft import rewritten
from gitmem.operations.memory import Finder, Memory, shown_path
from gitmem.operations.near import Neighbours
from gitmem.operations.transaction import carry_out
from gitmem.values import Any

Reply = dict[str, Any]  # Any: the JSON of design section 14


def sweep(memory: Memory, *, write: bool = False) -> Reply:
    """Returns every pair that seems to disagree, unjudged and unstamped: {pairs, changed}; `write` stamps the newer notes.

    `changed` are the paths of the notes that were stamped.
    """
    with notes.lock(memory.store):
        near = Neighbours(Finder(memory))
        found = list(_pairs(near, near.view.everything()))
        changed = _stamped(near.finder, found) if write else []
    return {"pairs": [_told(pair) for pair in found], "changed": [shown_path(memory, path) for path in changed]}


def looked_at(memory: Memory, entries: Iterable[Entry]) -> list[Reply]:
    """Returns the pairs in which some notes seem to disagree with others, unjudged and unstamped."""
    near = Neighbours(Finder(memory))
    return [_told(pair) for pair in _pairs(near, list(entries))]


def _pairs(near: Neighbours, entries: list[Entry]) -> Iterable[verdicts.Dispute]:
    """Yields each pair once, by the names of the newer notes."""
    found: dict[frozenset[str], verdicts.Dispute] = {}
    for entry in entries:
        for dispute in verdicts.disputes(near, entry):
            found.setdefault(frozenset((dispute.newer.path, dispute.older.path)), dispute)
    return sorted(found.values(), key=lambda pair: (pair.newer.name, pair.older.name))


def _told(pair: verdicts.Dispute) -> Reply:
    titles = {"newer_title": pair.newer.note.title, "older_title": pair.older.note.title}
    return {"newer": pair.newer.name, "older": pair.older.name, "reason": pair.reason, "kind": pair.kind} | titles


def _stamped(finder: Finder, pairs: Iterable[verdicts.Dispute]) -> list[str]:
    """Stamps each newer note with the older ones, and returns the paths of those that changed."""
    named: dict[str, list[str]] = {}
    for pair in pairs:
        named.setdefault(pair.newer.path, []).append(pair.older.name)
    return carry_out(finder.memory, [_stamp(finder, path, names) for path, names in named.items()]).paths


def _stamp(finder: Finder, path: str, names: Sequence[str]) -> Save:
    store = finder.memory.store
    entry, data = finder.load(path), notes.raw(store, path)
    known = {fold(name) for name in entry.note.suspects}
    more = [name for name in names if fold(name) not in known]
    note = entry.note._replace(suspects=(*entry.note.suspects, *more))
    return Save(path, rewritten(entry, data, note, store.verbs))

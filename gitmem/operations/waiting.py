"""Waiting: what a person is to look at, and what nobody will miss."""

from collections.abc import Iterator, Mapping, Sequence

from gitmem.errors import GitmemError
from gitmem.knowledge import graph as graphs
from gitmem.knowledge.graph import Graph
from gitmem.knowledge.trust import Facts, Standing, stale_since
from gitmem.notes import store as notes
from gitmem.notes.instant import DAY, instant_of
from gitmem.notes.note import Entry, summary
from gitmem.notes.vocabulary import types_with
from gitmem.operations.claims import Save, stamped
from gitmem.operations.draft import Author
from gitmem.operations.judging import contradictions, unjudged
from gitmem.operations.memory import Finder, Memory, ready, shown_path
from gitmem.operations.retiring import HELD, RETIRED, retired
from gitmem.operations.standing import all_facts, drifted, of_all, shown
from gitmem.operations.transaction import carry_out
from gitmem.operations.unfinished import unfinished
from gitmem.operations.write import Reply
from gitmem.search.document import roles_of
from gitmem.values import NamedTuple

# How long a note is stale before `decay` puts it away (design section 6).
GRACE = 14 * DAY


class _Fading(NamedTuple):
    """A note that nobody will miss: how it stands, and since when it is stale, in epoch seconds."""

    entry: Entry
    standing: Standing
    since: int


def waiting(memory: Memory) -> Reply:
    """Returns the notes that a person should look at, the weakest first, and the pairs to be judged (section 14).

    `retired` are those that a person stood for, and that a note put away which nobody reviewed: `by` names that one.
    """
    graph = graphs.build(ready(memory).view.everything())
    standings = _standings(memory, graph)
    return _lists(memory, graph, standings) | {"retired": list(_retired(memory, graph, standings))}


def waiting_in(memory: Memory, graph: Graph) -> Reply:
    """Returns what waits among the notes of a graph; what was replaced or put away waits for nobody, nor does a checkpoint."""
    return _lists(memory, graph, _standings(memory, graph))


def _standings(memory: Memory, graph: Graph) -> dict[str, Standing]:
    return of_all(memory, graph, drifted(memory, graph.entries))


def _lists(memory: Memory, graph: Graph, standings: Mapping[str, Standing]) -> Reply:
    checkpoints = roles_of(memory.config.vocabulary).checkpoint
    live = [
        entry
        for entry in sorted(graph.entries, key=lambda each: (standings[each.path].trust, each.name, each.path))
        if entry.note.type not in checkpoints and not RETIRED.intersection(standings[entry.path].marks)
    ]
    lists = {
        mark: [_listed(memory, entry, standings[entry.path]) for entry in live if mark in standings[entry.path].marks]
        for mark in ("unreviewed", "stale", "drifted")
    }
    return lists | {"conflicts": contradictions(memory, graph), "suspects": unjudged(graph)}


def _retired(memory: Memory, graph: Graph, standings: Mapping[str, Standing]) -> Iterator[Reply]:
    """Yields the notes that wait for a person to judge what took their place; approving that settles it."""
    by = _retirers(memory, graph)
    for entry in sorted(graph.entries, key=lambda each: (each.name, each.path)):
        marks = standings[entry.path].marks
        retirer = None if HELD.isdisjoint(marks) or RETIRED.isdisjoint(marks) else by.get(entry.path)
        if retirer and "unreviewed" in standings[retirer.path].marks:
            yield _listed(memory, entry, standings[entry.path]) | {"by": retirer.name}


def _retirers(memory: Memory, graph: Graph) -> dict[str, Entry]:
    """Returns, by path, what holds in place of each note that was replaced, or the tombstone of one that was buried."""
    roles = roles_of(memory.config.vocabulary)
    stones = types_with(memory.config.vocabulary, "tombstone")
    live = (entry for entry in graph.entries if entry.note.type in stones and entry.note.status not in RETIRED)
    buried = ((graphs.resolve(graph, name), stone) for stone in live for name in stone.note.buried)
    replaced = graphs.replacements(graph, roles.supersession)
    heads = {path: graphs.head(edge.source, replaced) for path, edge in replaced.items()}
    return {entry.path: stone for entry, stone in buried if entry} | heads


def _listed(memory: Memory, entry: Entry, standing: Standing) -> Reply:
    note = entry.note
    named = {"name": entry.name, "path": shown_path(memory, entry.path), "type": note.type, "title": note.title}
    said = {"summary": summary(note), "created": note.created, "source": note.source, "agent": note.agent}
    return named | said | shown(standing)


def decay(memory: Memory, *, apply: bool = False) -> Reply:
    """Returns the notes that an agent wrote and that were stale for 14 days; with `apply` they are archived.

    Approved, pinned, stable and open ones are left alone, and checkpoints, which go by their number. Nothing is deleted.
    Apply it for a person only.
    """
    if not apply:
        return _decayed(memory, list(_fading(memory)), [])
    with notes.lock(memory.store):
        found = list(_fading(memory))
        warnings = retired(Finder(memory), [each.entry for each in found], Author("user", None))
        saves = list(_archived(memory, found, warnings))
        carry_out(memory, saves)
    return _decayed(memory, found, saves) | {"applied": True, "warnings": warnings}


def _decayed(memory: Memory, found: Sequence[_Fading], saves: Sequence[Save]) -> Reply:
    return {
        "notes": [
            _listed(memory, each.entry, each.standing) | {"stale_since": instant_of(each.since)} for each in found
        ],
        "applied": False,
        "changed": [shown_path(memory, save.path) for save in saves],
        "warnings": [],
        "deferred": unfinished(memory) is not None,
    }


def _fading(memory: Memory) -> Iterator[_Fading]:
    """Yields the notes that decay is about, those that are stale for longest first."""
    graph = graphs.build(ready(memory).view.everything())
    known = all_facts(memory, graph)
    standings = of_all(memory, graph)
    checkpoints = roles_of(memory.config.vocabulary).checkpoint
    since = {path: stale_since(facts, memory.now) for path, facts in known.items()}
    found = [
        _Fading(entry, standings[entry.path], began)
        for entry in graph.entries
        if (began := since[entry.path]) is not None
        and memory.now - began >= GRACE
        and entry.note.type not in checkpoints
        and _may_fade(entry, known[entry.path])
    ]
    yield from sorted(found, key=lambda each: (each.since, each.entry.name, each.entry.path))


def _may_fade(entry: Entry, facts: Facts) -> bool:
    held = facts.approvals or entry.note.source == "user" or entry.note.pinned is not None
    return not (held or facts.open or facts.durability == "stable" or facts.known)


def _archived(memory: Memory, found: Sequence[_Fading], warnings: list[Reply]) -> Iterator[Save]:
    """Yields what archives each note; one whose file only a hand can edit is left, with a warning."""
    for each in found:
        try:
            yield stamped(memory, notes.load(memory.store, each.entry.path), "archived")
        except GitmemError as error:
            message = f"{shown_path(memory, each.entry.path)} is left as it is: {error.message}"
            warnings.append({"code": error.code, "name": each.entry.name, "message": message})

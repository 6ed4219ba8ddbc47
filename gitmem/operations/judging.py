"""Judging: the notes that contradict one another or seem to, and what a reader makes of a pair."""

from collections.abc import Iterable

from gitmem.errors import GitmemError
from gitmem.knowledge import graph as graphs
from gitmem.knowledge.graph import Graph
from gitmem.notes import store as notes
from gitmem.notes import vocabulary as words
from gitmem.notes.name import fold
from gitmem.notes.note import Entry, Link, Note
from gitmem.operations.claims import Save, checked_links, stamps, with_link, without_link
from gitmem.operations.coverage import covers_less
from gitmem.operations.draft import Author, rewritten
from gitmem.operations.lapse import lapsed, owned
from gitmem.operations.memory import Finder, Memory, ready, shown_path
from gitmem.operations.retiring import retired
from gitmem.operations.transaction import carry_out
from gitmem.operations.unfinished import unfinished
from gitmem.operations.write import Reply
from gitmem.values import TYPE_CHECKING

if TYPE_CHECKING:
    from gitmem.operations.near import Comparer

KINDS = ("conflict", "replaces", "distinct")


def conflicts(memory: Memory) -> Reply:
    """Returns the pairs of notes of which one contradicts the other (reply of design section 14)."""
    return {"pairs": contradictions(memory, graphs.build(ready(memory).view.everything()))}


def suspects(memory: Memory) -> Reply:
    """Returns the pairs of notes that seem to disagree, and that nobody has judged (reply of design section 14)."""
    from gitmem.operations.near import Comparer

    reading = ready(memory)
    graph, comparer = graphs.build(reading.view.everything()), Comparer(reading.maker, {})
    return {"pairs": [pair | {"reason": _reason(graph, comparer, pair)} for pair in unjudged(graph)]}


def _reason(graph: Graph, comparer: "Comparer", pair: Reply) -> str | None:
    """Returns what either note of a suspect pair says; None where an edit has taken the difference away."""
    from gitmem.operations.verdict import disagrees, reason

    newer, older = graphs.resolve(graph, pair["newer"]), graphs.resolve(graph, pair["older"])
    comparison = comparer.compared(newer, older) if newer and older else None
    return reason(comparison, pair["older"]) if comparison and disagrees(comparison) else None


def contradictions(memory: Memory, graph: Graph) -> list[Reply]:
    """Returns each pair of a graph that a link of contradiction joins, once, by the newer's name."""
    verbs = words.verbs_with(memory.config.vocabulary, "contradiction")
    edges = graphs.joined(graph, verbs)
    return _once(_pair(*_by_age(edge.source, edge.target), edge.link.note, "conflict") for edge in edges if edge.target)


def unjudged(graph: Graph) -> list[Reply]:
    """Returns each pair of a graph that a note's suspects name, once, by the newer's name."""
    named = ((entry, graphs.resolve(graph, word)) for entry in graph.entries for word in entry.note.suspects)
    return _once([_pair(entry, other, None, "suspect") for entry, other in named if other and other.path != entry.path])


def _by_age(source: Entry, target: Entry) -> tuple[Entry, Entry]:
    """Returns the newer of two notes, then the older; of two that are equally old the one that makes the claim is newer."""
    return (source, target) if (source.note.created or "") >= (target.note.created or "") else (target, source)


def _pair(newer: Entry, older: Entry, reason: str | None, kind: str) -> Reply:
    titles = {"newer_title": newer.note.title, "older_title": older.note.title}
    return {"newer": newer.name, "older": older.name, "reason": reason, "kind": kind} | titles


def _once(pairs: Iterable[Reply]) -> list[Reply]:
    """Returns pairs by name, each once, with the reason that one of them has."""
    found: dict[tuple[str, str], Reply] = {}
    for pair in pairs:
        key = pair["newer"], pair["older"]
        turned = found.get((key[1], key[0]))
        if turned is None and (key not in found or found[key]["reason"] is None):
            found[key] = pair
    return [found[key] for key in sorted(found)]


def judge(memory: Memory, newer: str, older: str, kind: str, *, author: Author | None = None) -> Reply:
    """Settles what two notes are to each other: "conflict", "replaces" or "distinct"; the same again changes nothing.

    A conflict links the newer to the older; a replacement also stamps the older, and ends their conflict; distinct ends
    it, too, and keeps the pair from being suspected again. Raises GitmemError for another kind, and for one note twice.
    """
    if kind not in KINDS:
        raise GitmemError("unknown-kind", f"{kind!r} is no judgement.", f"Use one of {', '.join(KINDS)}.", status=2)
    with notes.lock(memory.store):
        finder = Finder(memory)
        pair = finder.entry(newer), finder.entry(older)
        if pair[0].path == pair[1].path:
            raise GitmemError("self-link", f"{pair[0].name} cannot disagree with itself.", "Name two notes.")
        gone = retired(finder, pair[1:] if kind == "replaces" else (), author, pair[0].note)
        changed = _settled(finder, pair, kind, author)
        after = finder.load(pair[0].path).note
        lacking = covers_less(finder, pair[0].name, after, pair[0].note.links)
    reply = {
        "name": pair[0].name,
        "path": shown_path(memory, pair[0].path),
        "changed": [shown_path(memory, path) for path in changed],
        "newer": pair[0].name,
        "older": pair[1].name,
        "kind": kind,
        "warnings": [*lacking, *gone],
        "deferred": unfinished(memory) is not None,
    }
    reply = lapsed(reply, pair[0].note, after)
    return lapsed(reply, pair[1].note, finder.load(pair[1].path).note, pair[1].name)


def _settled(finder: Finder, pair: tuple[Entry, Entry], kind: str, author: Author | None) -> list[str]:
    """Writes what a judgement changes, the claiming note first, and returns the paths of the notes that changed."""
    newer, older = pair
    store = finder.memory.store
    after = owned(newer.note, _judged(finder, newer, older, kind), finder.memory.environment, author)
    datas = {entry.path: notes.raw(store, entry.path) for entry in pair}
    own = rewritten(newer, datas[newer.path], after, store.verbs)
    stamped = {save.path: save.data for save in stamps(finder, newer.path, after.links, newer.note.links)}
    other = stamped.pop(older.path, datas[older.path])
    stands = notes.entry_of(store, older.path, other)
    cleared = owned(stands.note, _without(finder, stands.note, newer, kind), finder.memory.environment, author)
    other = rewritten(stands, other, cleared, store.verbs)
    wanted = {newer.path: own, older.path: other, **stamped}
    saves = [Save(path, data) for path, data in wanted.items() if data != datas.get(path)]
    written = carry_out(finder.memory, saves)
    for entry in written.entries:
        finder.add(entry)
    return written.paths


def _judged(finder: Finder, newer: Entry, older: Entry, kind: str) -> Note:
    """Returns the newer note with a judgement on the older."""
    note = _without(finder, newer.note, older, kind)
    spellings = finder.spellings(older)
    if kind == "distinct":
        known = {fold(name) for name in note.distinct}
        return (
            note if known.intersection(map(fold, spellings)) else note._replace(distinct=(*note.distinct, older.name))
        )
    role = "contradiction" if kind == "conflict" else "supersession"
    verb = words.verb_with(finder.memory.config.vocabulary, role)
    if any(link.verb == verb and fold(link.to) in set(map(fold, spellings)) for link in note.links):
        return note
    claim = checked_links(finder, [Link(verb, older.name, None, 1.0)], newer.name, newer.path)[0]
    return with_link(note, claim, spellings)


def _without(finder: Finder, note: Note, other: Entry, kind: str) -> Note:
    """Returns a note without what a judgement on another one ends: suspicion, and a conflict, or that they are distinct."""
    spellings = finder.spellings(other)
    keys = set(map(fold, spellings))
    note = note._replace(suspects=tuple(name for name in note.suspects if fold(name) not in keys))
    if kind != "distinct":
        note = note._replace(distinct=tuple(name for name in note.distinct if fold(name) not in keys))
    verb = words.verb_with(finder.memory.config.vocabulary, "contradiction")
    return note if kind == "conflict" else without_link(note, verb, spellings)

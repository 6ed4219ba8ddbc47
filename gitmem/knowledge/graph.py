"""The graph of notes: which name means which note, who links to whom, and what replaced what."""

from collections.abc import Collection, Sequence

from gitmem.notes.name import fold
from gitmem.notes.note import Entry, Link
from gitmem.values import NamedTuple


class Edge(NamedTuple):
    """A link from one note to another, or to a name that no note has (target None)."""

    source: Entry
    link: Link
    target: Entry | None


class Graph(NamedTuple):
    """All notes by folded name and alias, with their links both ways by path.

    A name beats an alias; of several files of one name the first by path is meant.
    """

    entries: tuple[Entry, ...]
    names: dict[str, Entry]
    aliases: dict[str, Entry]
    out: dict[str, list[Edge]]
    into: dict[str, list[Edge]]


class Step(NamedTuple):
    """A note reached on a walk, and how many links away it is."""

    entry: Entry
    depth: int


def build(entries: Sequence[Entry]) -> Graph:
    """Returns the graph of these notes."""
    ordered = tuple(sorted(entries, key=lambda entry: entry.path))
    graph = Graph(ordered, {}, {}, {}, {})
    for entry in ordered:
        graph.names.setdefault(fold(entry.name), entry)
        for alias in entry.note.aliases:
            graph.aliases.setdefault(fold(alias), entry)
    for entry in ordered:
        graph.out[entry.path] = [Edge(entry, link, resolve(graph, link.to)) for link in entry.note.links]
        for edge in graph.out[entry.path]:
            if edge.target:
                graph.into.setdefault(edge.target.path, []).append(edge)
    return graph


def resolve(graph: Graph, word: str) -> Entry | None:
    """Returns the note that a name or an alias means, or None."""
    key = fold(word)
    return graph.names.get(key) or graph.aliases.get(key)


def joined(graph: Graph, verbs: Collection[str]) -> list[Edge]:
    """Returns the links of these verbs that join two notes, by the claiming note's path; never a note to itself."""
    edges = (edge for entry in graph.entries for edge in graph.out[entry.path] if edge.link.verb in verbs)
    return [edge for edge in edges if edge.target and edge.target.path != edge.source.path]


def replacements(graph: Graph, verbs: Collection[str]) -> dict[str, Edge]:
    """Returns, by path, the link that replaces each superseded note: the newest of several; never its own."""
    found: dict[str, Edge] = {}
    for edges in graph.into.values():
        for edge in edges:
            if edge.link.verb in verbs and edge.target and edge.target.path != edge.source.path:
                found[edge.target.path] = max(found.get(edge.target.path, edge), edge, key=_newest)
    return found


def _newest(edge: Edge) -> tuple[str, str]:
    return edge.source.note.created or "", edge.source.path


def head(entry: Entry, replaced: dict[str, Edge]) -> Entry:
    """Returns the note that a chain of replacements ends at; in a cycle, the one where it closes."""
    return _chain(entry, replaced)[-1]


def _chain(entry: Entry, replaced: dict[str, Edge]) -> list[Entry]:
    """Returns a note, what replaced it, what replaced that, and so on, each once."""
    chain, seen = [entry], {entry.path}
    while chain[-1].path in replaced and replaced[chain[-1].path].source.path not in seen:
        chain.append(replaced[chain[-1].path].source)
        seen.add(chain[-1].path)
    return chain


def history(graph: Graph, entry: Entry, verbs: Collection[str]) -> list[Entry]:
    """Returns every note of the chain of replacements around a note, the replaced before what replaced it."""
    family, waiting = {entry.path: entry}, [entry]
    while waiting:
        here = waiting.pop()
        for edge in graph.out[here.path] + graph.into.get(here.path, []):
            other = edge.target if edge.source.path == here.path else edge.source
            if edge.link.verb in verbs and other and other.path not in family:
                family[other.path] = other
                waiting.append(other)
    replaced = replacements(graph, verbs)
    return sorted(family.values(), key=lambda each: (-len(_chain(each, replaced)), each.note.created or "", each.path))


def cycles(graph: Graph, verbs: Collection[str]) -> list[list[Entry]]:
    """Returns the rings of notes that replace one another, each note in one ring at most, starting at its first path."""
    found: list[list[Entry]] = []
    ringed: set[str] = set()
    for path in _cyclic(graph, verbs):
        ring = _ring(graph, path, verbs) if path not in ringed else []
        if ring and not ringed.intersection(entry.path for entry in ring):
            found.append(ring)
            ringed.update(entry.path for entry in ring)
    return found


def _cyclic(graph: Graph, verbs: Collection[str]) -> list[str]:
    """Returns the sorted paths of the notes that are left when those that replace nothing left are taken out, over and over."""
    targets = {path: _replaced_by(graph, path, verbs) for path in graph.out}
    left = {path for path, reached in targets.items() if reached}
    while ended := {path for path in left if not left.intersection(targets[path])}:
        left -= ended
    return sorted(left)


def _replaced_by(graph: Graph, path: str, verbs: Collection[str]) -> list[str]:
    edges = (edge for edge in graph.out[path] if edge.link.verb in verbs and edge.target)
    return [edge.target.path for edge in edges if edge.target and edge.target.path != path]


def _ring(graph: Graph, start: str, verbs: Collection[str]) -> list[Entry]:
    """Returns a shortest way from a note over replacements back to itself, empty where there is none."""
    before: dict[str, str] = {}
    waiting = [start]
    for here in waiting:
        for path in _replaced_by(graph, here, verbs):
            if path not in before:
                before[path] = here
                waiting.append(path)
    if start not in before:
        return []
    way = [start]
    while before[way[-1]] != start:
        way.append(before[way[-1]])
    entries = {entry.path: entry for entry in graph.entries}
    return [entries[path] for path in way]


def walk(
    graph: Graph, start: Entry, *, depth: int, verbs: Collection[str], least: float, direction: str, most: int
) -> tuple[list[Step], list[Edge]]:
    """Returns the notes within `depth` links of a note, nearest first, at most `most`, and the links among them.

    No verbs means all; `least` is the smallest weight followed; direction is "out", "in" or "both".
    """
    steps = {start.path: Step(start, 0)}
    waiting = [start]
    for level in range(1, depth + 1):
        reached = []
        for entry in waiting:
            for edge in _edges(graph, entry, direction):
                other = edge.target if edge.source.path == entry.path else edge.source
                if other and _follows(edge, verbs, least) and other.path not in steps and len(steps) < most:
                    steps[other.path] = Step(other, level)
                    reached.append(other)
        waiting = reached
        if not waiting:
            break
    among = [
        edge
        for path in steps
        for edge in graph.out[path]
        if edge.target and edge.target.path in steps and _follows(edge, verbs, least)
    ]
    return list(steps.values()), among


def _follows(edge: Edge, verbs: Collection[str], least: float) -> bool:
    return (not verbs or edge.link.verb in verbs) and edge.link.weight >= least


def _edges(graph: Graph, entry: Entry, direction: str) -> list[Edge]:
    out = graph.out[entry.path] if direction != "in" else []
    return out + (graph.into.get(entry.path, []) if direction != "out" else [])

"""The graph of notes: which name means which note, who links to whom, and what replaced what."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from gitmem.notes.name import fold
from gitmem.notes.note import Entry, Link


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
    seen = {entry.path}
    while entry.path in replaced and replaced[entry.path].source.path not in seen:
        entry = replaced[entry.path].source
        seen.add(entry.path)
    return entry


def history(graph: Graph, entry: Entry, verbs: Collection[str]) -> list[Entry]:
    """Returns every note of the chain of replacements around a note, oldest first."""
    family, waiting = {entry.path: entry}, [entry]
    while waiting:
        here = waiting.pop()
        edges = graph.out[here.path] + graph.into.get(here.path, [])
        for edge in edges:
            other = edge.target if edge.source.path == here.path else edge.source
            if edge.link.verb in verbs and other and other.path not in family:
                family[other.path] = other
                waiting.append(other)
    return sorted(family.values(), key=lambda each: (each.note.created or "", each.path))


def cycles(replaced: dict[str, Edge]) -> Iterator[list[Entry]]:
    """Yields each ring of notes that replace one another, starting at its first path."""
    done: set[str] = set()
    for start in sorted(replaced):
        trail: list[str] = []
        here = start
        while here in replaced and here not in done and here not in trail:
            trail.append(here)
            here = replaced[here].source.path
        if here in trail:
            yield [edge.target for edge in (replaced[path] for path in trail[trail.index(here) :]) if edge.target]
        done.update(trail)


def walk(
    graph: Graph, start: Entry, *, depth: int, verbs: Collection[str], least: float, direction: str, most: int
) -> tuple[list[Step], list[Edge]]:
    """Returns the notes within `depth` links of a note, nearest first, at most `most`, and the links among them.

    No verbs means all; `least` is the smallest weight followed; direction is "out", "in" or "both".
    """
    steps, used = {start.path: Step(start, 0)}, []
    waiting = [start]
    for level in range(1, depth + 1):
        reached = []
        for entry in waiting:
            for edge in _edges(graph, entry, direction):
                other = edge.target if edge.source.path == entry.path else edge.source
                if other is None or (verbs and edge.link.verb not in verbs) or edge.link.weight < least:
                    continue
                if other.path not in steps and len(steps) < most:
                    steps[other.path] = Step(other, level)
                    reached.append(other)
                if other.path in steps and edge not in used:
                    used.append(edge)
        waiting = reached
    return list(steps.values()), used


def _edges(graph: Graph, entry: Entry, direction: str) -> list[Edge]:
    out = graph.out[entry.path] if direction != "in" else []
    return out + (graph.into.get(entry.path, []) if direction != "out" else [])

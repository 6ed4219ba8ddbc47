"""Reading notes one by one or all together: show, list, search, walk, timeline, tags."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from gitmem.errors import GitmemError
from gitmem.knowledge import graph as graphs
from gitmem.knowledge.graph import Edge, Graph
from gitmem.notes import frontmatter
from gitmem.notes import store as notes
from gitmem.notes import vocabulary as words
from gitmem.notes.name import fold
from gitmem.notes.note import Entry, summary
from gitmem.notes.prose import mentions
from gitmem.operations.memory import Memory, find_root, locate, open_memory, ready, shown_path
from gitmem.search.document import facets, restored, roles_of, status_of, unhashed
from gitmem.search.index import facet_filters
from gitmem.search.query import Wanted
from gitmem.storage import disk

Reply = dict[str, Any]  # Any: the JSON of design section 14

WALK_LIMIT = 200
LINE_WIDTH = 400


def whole_graph(memory: Memory) -> Graph:
    """Returns the graph of all notes as they are now."""
    return graphs.build(ready(memory).view.everything())


def search(memory: Memory, text: str, *, regex: bool = False) -> Reply:
    """Returns every line of every note's file that holds a text, in any case, or matches a regular expression."""
    pattern = _pattern(text, regex=regex)
    matches = [match for path in disk.note_paths(memory.store.folder) for match in _matches(memory, path, pattern)]
    return {"total": len(matches), "matches": matches}


def _pattern(text: str, *, regex: bool) -> re.Pattern[str]:
    if not text:
        raise GitmemError("empty-text", "There is no text to search for.", "gitmem search TEXT", status=2)
    try:
        return re.compile(text if regex else re.escape(text), re.IGNORECASE)
    except (re.error, OverflowError, RecursionError) as error:
        raise GitmemError(
            "bad-regex",
            f"{text!r} is no regular expression: {error}.",
            "Leave out --regex to search for the text.",
            status=2,
        ) from error


def _matches(memory: Memory, path: str, pattern: re.Pattern[str]) -> Iterator[Reply]:
    try:
        entry = notes.load(memory.store, path)
        text = notes.raw(memory.store, path).decode("utf-8", "replace")
    except GitmemError:
        return
    body_line = frontmatter.parse(text.encode(), path).body_line if entry.note.sensitive else 0
    for number, line in enumerate(text.splitlines(), 1):
        if pattern.search(line) and not (body_line and number >= body_line):
            yield {"name": entry.name, "path": shown_path(memory, path), "line": number, "text": line[:LINE_WIDTH]}


def show(memory: Memory, name: str, *, body: bool = False) -> Reply:
    """Returns all of a note (reply of design section 14); a sensitive one's body only with `body`."""
    known = notes.names(memory.store)
    entry = locate(memory, name, known)
    view = ready(memory).view
    note, keys = entry.note, [fold(each) for each in (entry.name, *entry.note.aliases)]
    into = sorted((restored(item.note) for item in view.having("to", keys)), key=lambda each: each.name)
    parsed = frontmatter.parse(notes.raw(memory.store, entry.path), entry.path)
    return {
        "name": entry.name,
        "path": shown_path(memory, entry.path),
        "type": note.type,
        "title": note.title,
        "summary": summary(note),
        "body": note.body if body or not note.sensitive else None,
        "fields": parsed.fields,
        "links_out": [
            _link(link.verb, link.to, _title(memory, known, link.to), link.note, link.weight) for link in note.links
        ],
        "links_in": [
            _link(link.verb, source.name, source.note.title, link.note, link.weight)
            for source in into
            for link in source.note.links
            if fold(link.to) in keys
        ],
        "mentions": [{"name": each, "title": _title(memory, known, each)} for each in mentions(note.body)],
        "trust": None,
        "standing": None,
        "marks": [],
        "touches": [{"ref": unhashed(touch), "state": None} for touch in note.touches],
        "digest": entry.digest,
        "problems": [problem._asdict() for problem in entry.problems],
    }


def _link(verb: str, name: str, title: str | None, note: str | None, weight: float) -> Reply:
    return {"verb": verb, "name": name, "title": title, "note": note, "weight": weight}


def _title(memory: Memory, known: notes.Names, word: str) -> str | None:
    try:
        return locate(memory, word, known).note.title
    except GitmemError:
        return None


def show_raw(memory: Memory, name: str) -> bytes:
    """Returns a note's file as it is."""
    return notes.raw(memory.store, locate(memory, name).path)


def list_notes(memory: Memory, wanted: Wanted, *, limit: int = 0) -> Reply:
    """Returns every note that passes the filters, newest first, then by name; limit 0 is no limit."""
    graph = whole_graph(memory)
    roles = roles_of(memory.config.vocabulary)
    replaced = graphs.replacements(graph, roles.supersession)
    chosen = [entry for entry in graph.entries if passes(entry, wanted, memory)]
    chosen.sort(key=lambda entry: (entry.name, entry.path))
    chosen.sort(key=lambda entry: entry.note.created or "", reverse=True)
    listed = [
        {
            "name": entry.name,
            "path": shown_path(memory, entry.path),
            "type": entry.note.type,
            "title": entry.note.title,
            "summary": summary(entry.note),
            "tags": list(entry.note.tags),
            "created": entry.note.created,
            "trust": None,
            "standing": None,
            "marks": [],
            "status": "superseded" if entry.path in replaced else status_of(entry.note, roles),
        }
        for entry in chosen
    ]
    return {"total": len(listed), "notes": listed[: limit or None]}


def passes(entry: Entry, wanted: Wanted, memory: Memory) -> bool:
    """Returns whether a note passes the filters, by the same facets that the index filters by."""
    created = entry.note.created
    if (wanted.since and (not created or created < wanted.since)) or (
        wanted.until and (not created or created >= wanted.until)
    ):
        return False
    own = set(facets(entry.note, roles_of(memory.config.vocabulary), inert=False))
    return all(own.intersection(words) for words in facet_filters(wanted))


def walk(
    memory: Memory,
    name: str,
    *,
    depth: int = 2,
    verbs: Sequence[str] = (),
    min_weight: float = 0.0,
    direction: str = "both",
) -> Reply:
    """Returns the notes around a note, nearest first, and the links among them."""
    graph = whole_graph(memory)
    start = _in_graph(memory, graph, name)
    named = [words.verb_named(memory.config.vocabulary, verb) for verb in verbs]
    steps, edges = graphs.walk(
        graph, start, depth=depth, verbs=named, least=min_weight, direction=direction, most=WALK_LIMIT
    )
    return {
        "root": start.name,
        "notes": [
            {"name": step.entry.name, "type": step.entry.note.type, "title": step.entry.note.title, "depth": step.depth}
            for step in steps
        ],
        "edges": [_edge(edge) for edge in edges],
    }


def _in_graph(memory: Memory, graph: Graph, name: str) -> Entry:
    path = locate(memory, name).path
    return next(entry for entry in graph.entries if entry.path == path)


def _edge(edge: Edge) -> Reply:
    target = edge.target.name if edge.target else edge.link.to
    return {
        "from": edge.source.name,
        "verb": edge.link.verb,
        "to": target,
        "weight": edge.link.weight,
        "note": edge.link.note,
    }


def timeline(memory: Memory, name: str) -> Reply:
    """Returns the chain of replacements around a note, oldest first, and the note that holds now."""
    graph = whole_graph(memory)
    entry = _in_graph(memory, graph, name)
    verbs = roles_of(memory.config.vocabulary).supersession
    replaced = graphs.replacements(graph, verbs)
    return {
        "head": graphs.head(entry, replaced).name,
        "notes": [
            {
                "name": each.name,
                "title": each.note.title,
                "created": each.note.created,
                "replaced_by": replaced[each.path].source.name if each.path in replaced else None,
                "note": replaced[each.path].link.note if each.path in replaced else None,
            }
            for each in graphs.history(graph, entry, verbs)
        ],
    }


def tags(memory: Memory) -> Reply:
    """Returns every tag with the number of notes that have it, the commonest first."""
    counts: dict[str, int] = {}
    for entry in ready(memory).view.everything():
        for tag in entry.note.tags:
            counts[tag] = counts.get(tag, 0) + 1
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return {"tags": [{"tag": tag, "count": count} for tag, count in ordered]}


def complete(directory: str, prefix: str) -> list[tuple[str, str]]:
    """Returns (name, title) of the notes whose names begin with a prefix, for a shell to offer; none without a memory."""
    root = find_root(directory)
    if root is None:
        return []
    memory = open_memory(root, environment={}, now=0)
    paths = [path for path in disk.note_paths(memory.store.folder) if fold(notes.stem(path)).startswith(fold(prefix))]
    return [(notes.stem(path), notes.load(memory.store, path).note.title) for path in sorted(paths)[:100]]

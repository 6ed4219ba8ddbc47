"""Reading notes one by one or all together: show, list, search, walk, timeline, tags."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from gitmem.errors import GitmemError
from gitmem.knowledge import graph as graphs
from gitmem.knowledge.graph import Edge, Step
from gitmem.knowledge.trust import Standing
from gitmem.notes import frontmatter, source
from gitmem.notes import store as notes
from gitmem.notes import vocabulary as words
from gitmem.notes.entry import read
from gitmem.notes.name import fold
from gitmem.notes.note import Entry, Link, Note, summary
from gitmem.notes.prose import mentions
from gitmem.notes.shown import cut
from gitmem.operations import succession
from gitmem.operations.anchors import graded, is_drifted
from gitmem.operations.filters import checked
from gitmem.operations.memory import Finder, Memory, find_root, locate, open_memory, ready, shown_path
from gitmem.operations.standing import drifted, of_all, of_one
from gitmem.operations.standing import shown as told
from gitmem.operations.succession import UNKNOWN, around
from gitmem.search.document import Roles, facets, roles_of, status_of
from gitmem.search.index import facet_filters
from gitmem.search.query import Wanted
from gitmem.storage import disk
from gitmem.storage.apart import apart
from gitmem.values import Any

Reply = dict[str, Any]  # Any: the JSON of design section 14

WALK_LIMIT = 200
LINE_WIDTH = 400
COMPLETED = 100
PATIENCE = 5  # seconds of computing for one regular expression; 10,000 notes take a second


def search(memory: Memory, text: str, *, regex: bool = False) -> Reply:
    """Returns every line of every note's file that holds a text, in any case, or matches a regular expression.

    Raises GitmemError for an expression that is none, and for one that comes to no end.
    """
    pattern = _pattern(text, regex=regex)
    matches = _bounded(memory, pattern) if regex else _found(memory, pattern)
    return {"total": len(matches), "matches": matches}


def _found(memory: Memory, pattern: re.Pattern[str]) -> list[Reply]:
    return [match for path in disk.note_paths(memory.store.folder) for match in _matches(memory, path, pattern)]


def _bounded(memory: Memory, pattern: re.Pattern[str]) -> list[Reply]:
    said = apart(lambda: json.dumps(_found(memory, pattern)).encode(), PATIENCE)
    if said is None:
        message = f"The regular expression {cut(pattern.pattern, COMPLETED)!r} was at work for over {PATIENCE} seconds."
        hint = "Take out what repeats a repetition, as in (a+)+, or leave out --regex to search for the text."
        raise GitmemError("slow-regex", message, hint)
    found: list[Reply] = json.loads(said)
    return found


def _pattern(text: str, *, regex: bool) -> re.Pattern[str]:
    if not text:
        raise GitmemError("empty-text", "There is no text to search for.", "gitmem search TEXT", status=2)
    try:
        return re.compile(text if regex else re.escape(text), re.IGNORECASE)
    except (re.error, OverflowError, RecursionError) as error:
        message = f"{text!r} is no regular expression: {error}."
        raise GitmemError("bad-regex", message, "Leave out --regex to search for the text.", status=2) from error


def _matches(memory: Memory, path: str, pattern: re.Pattern[str]) -> Iterator[Reply]:
    """Yields the matching lines of a file, of a sensitive note those of its front matter alone."""
    try:
        data = notes.raw(memory.store, path)
    except GitmemError:  # gone since it was listed, or unreadable, which check tells
        return
    lines = source.decode(data, path)[0].split("\n")
    found = [number for number, line in enumerate(lines, 1) if pattern.search(line)]
    entry = read(path, data, verbs=memory.store.verbs) if found else None
    hidden = frontmatter.parse(data, path).body_line if entry and entry.note.sensitive else len(lines) + 1
    for number in found:
        if entry and number < hidden:
            text = lines[number - 1][:LINE_WIDTH]
            yield {"name": entry.name, "path": shown_path(memory, path), "line": number, "text": text}


def show(memory: Memory, name: str, *, body: bool = False) -> Reply:
    """Returns all of a note (reply of design section 14); a sensitive one's body, and what it mentions, only with `body`."""
    finder = Finder(memory)
    entry = finder.entry(name)
    touches = graded(memory, [entry])[entry.path]
    return shown(finder, entry, notes.raw(memory.store, entry.path), body=body, touches=touches)


def shown(finder: Finder, entry: Entry, data: bytes, *, body: bool, touches: Sequence[Reply]) -> Reply:
    """Returns all of a note that a finder has found, whose file's bytes are `data`, and how its touches were graded."""
    memory, note, own = finder.memory, entry.note, finder.spellings(entry)
    into = sorted(finder.holding("to", own), key=lambda each: (each.name, each.path))
    text = note.body if body or not note.sensitive else None
    mentioned = mentions(text or "")
    ends = finder.meant([*(link.to for link in note.links), *mentioned])
    told_of = succession.told(finder, [entry, *into, *ends.values()])
    return {
        "name": entry.name,
        "path": shown_path(memory, entry.path),
        "type": note.type,
        "title": note.title,
        "summary": summary(note),
        "body": text,
        "fields": frontmatter.parse(data, entry.path).fields,
        "links_out": [_link(link, link.to, ends.get(fold(link.to)), told_of) for link in note.links],
        "links_in": _links_in(into, {fold(word) for word in own}, told_of),
        "mentions": [_end(each, ends.get(fold(each)), told_of) for each in mentioned],
        **told(of_one(finder, entry, drifted=is_drifted(touches))),
        "now": told_of[entry.path]["now"],
        "touches": list(touches),
        "digest": entry.digest,
        "problems": [problem._replace(path=shown_path(memory, entry.path))._asdict() for problem in entry.problems],
    }


def _links_in(sources: Sequence[Entry], keys: Collection[str], told_of: Mapping[str, Reply]) -> list[Reply]:
    return [
        _link(link, each.name, each, told_of) for each in sources for link in each.note.links if fold(link.to) in keys
    ]


def _link(link: Link, name: str, end: Entry | None, told_of: Mapping[str, Reply]) -> Reply:
    return {"verb": link.verb, **_end(name, end, told_of), "note": link.note, "weight": link.weight}


def _end(name: str, end: Entry | None, told_of: Mapping[str, Reply]) -> Reply:
    """Returns what is said of the note at an end of a link or mention, which may not exist."""
    return {"name": name, "title": end.note.title if end else None, **(told_of[end.path] if end else UNKNOWN)}


def show_raw(memory: Memory, name: str, *, body: bool = False) -> bytes:
    """Returns a note's file as it is; raises GitmemError for a sensitive one without `body`."""
    entry = locate(memory, name)
    check_open(entry, name, body=body)
    return notes.raw(memory.store, entry.path)


def check_open(entry: Entry, word: str, *, body: bool) -> None:
    """Refuses to give a sensitive note's file where its body was not asked for."""
    if entry.note.sensitive and not body:
        message = f"{entry.name} is sensitive, and its file holds its body."
        raise GitmemError("sensitive", message, f"gitmem show {word} --raw --body shows it all the same.")


def list_notes(memory: Memory, wanted: Wanted, *, limit: int = 0) -> Reply:
    """Returns every note that passes the filters, newest first, then by name; limit 0 is no limit."""
    wanted = checked(memory, wanted)
    graph = graphs.build(ready(memory).view.everything())
    roles = roles_of(memory.config.vocabulary)
    replaced = graphs.replacements(graph, roles.supersession)
    status = {
        entry.path: "superseded" if entry.path in replaced else status_of(entry.note, roles) for entry in graph.entries
    }
    filters, standings = facet_filters(wanted), of_all(memory, graph, drifted(memory, graph.entries))
    chosen = [entry for entry in graph.entries if _passes(entry.note, status[entry.path], wanted, filters, roles)]
    if wanted.standings:
        chosen = [entry for entry in chosen if standings[entry.path].standing in wanted.standings]
    chosen.sort(key=lambda entry: (entry.name, entry.path))
    chosen.sort(key=lambda entry: entry.note.created or "", reverse=True)
    listed = [_listed(memory, entry, status[entry.path], standings[entry.path]) for entry in chosen[: limit or None]]
    return {"total": len(chosen), "notes": listed}


def _listed(memory: Memory, entry: Entry, status: str | None, standing: Standing) -> Reply:
    return {
        "name": entry.name,
        "path": shown_path(memory, entry.path),
        "type": entry.note.type,
        "title": entry.note.title,
        "summary": summary(entry.note),
        "tags": list(entry.note.tags),
        "created": entry.note.created,
        **told(standing),
        "status": status,
    }


def _passes(note: Note, status: str | None, wanted: Wanted, filters: list[list[str]], roles: Roles) -> bool:
    """Returns whether a note passes the filters, by the same facets that the index filters by."""
    created = note.created or ""
    if (wanted.since and created < wanted.since) or (wanted.until and not "" < created < wanted.until):
        return False
    own = set(facets(note._replace(status=status), roles, inert=False)) if filters else set()
    return all(own.intersection(each) for each in filters)


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
    named = [words.verb_named(memory.config.vocabulary, verb) for verb in verbs]
    finder = Finder(memory)
    start = finder.entry(name)
    graph = around(finder, [start], named or memory.store.verbs, depth)
    steps, edges = graphs.walk(
        graph, start, depth=depth, verbs=named, least=min_weight, direction=direction, most=WALK_LIMIT
    )
    told_of = succession.told(finder, [step.entry for step in steps])
    return {
        "root": start.name,
        "notes": [_stepped(step) | told_of[step.entry.path] for step in steps],
        "edges": [_edge(edge) for edge in edges],
    }


def _stepped(step: Step) -> Reply:
    note = step.entry.note
    return {"name": step.entry.name, "type": note.type, "title": note.title, "depth": step.depth}


def _edge(edge: Edge) -> Reply:
    return {
        "from": edge.source.name,
        "verb": edge.link.verb,
        "to": edge.target.name if edge.target else edge.link.to,
        "weight": edge.link.weight,
        "note": edge.link.note,
    }


def timeline(memory: Memory, name: str) -> Reply:
    """Returns the chain of replacements around a note, oldest first, and the note that holds now."""
    verbs = roles_of(memory.config.vocabulary).supersession
    finder = Finder(memory)
    entry = finder.entry(name)
    graph = around(finder, [entry], verbs, None)
    replaced = graphs.replacements(graph, verbs)
    chain = graphs.history(graph, entry, verbs)
    marks = {path: {"marks": each["marks"]} for path, each in succession.told(finder, chain).items()}
    shown = [_dated(each, replaced.get(each.path)) | marks[each.path] for each in chain]
    return {"head": graphs.head(entry, replaced).name, "notes": shown}


def _dated(entry: Entry, by: Edge | None) -> Reply:
    return {
        "name": entry.name,
        "title": entry.note.title,
        "created": entry.note.created,
        "replaced_by": by.source.name if by else None,
        "note": by.link.note if by else None,
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
    entries = [notes.load(memory.store, path) for path in sorted(paths)[:COMPLETED]]
    return [(entry.name, entry.note.title) for entry in entries]


def complete_words(directory: str, kind: str) -> list[tuple[str, str]]:
    """Returns the declared types, verbs or domains, the statuses, or the tags in use, each with what it stands for."""
    root = find_root(directory)
    if root is None:
        return []
    memory = open_memory(root, environment={}, now=0)
    declared = memory.config.vocabulary
    if kind == "tag":
        entries = [notes.load(memory.store, path) for path in disk.note_paths(memory.store.folder)]
        return [(tag, "") for tag in sorted({tag for entry in entries for tag in entry.note.tags})]
    return {
        "type": [(each.name, each.holds) for each in declared.types.values()],
        "verb": [(each.name, each.reads) for each in declared.verbs.values()],
        "domain": list(declared.domains.items()),
        "status": [(word, "") for word in (*words.WORKLIST_STATUSES, *words.STATUSES)],
    }[kind]

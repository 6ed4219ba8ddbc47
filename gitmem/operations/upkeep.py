"""Upkeep: a memory checked, and mended where that is safe."""

import difflib
import os
from collections.abc import Iterator, Sequence

from gitmem.errors import GitmemError, Problem
from gitmem.knowledge import check as checks
from gitmem.knowledge import graph as graphs
from gitmem.knowledge.check import Text
from gitmem.knowledge.graph import Graph
from gitmem.notes import store as notes
from gitmem.notes.entry import read
from gitmem.notes.name import fold
from gitmem.notes.note import Entry
from gitmem.notes.prose import mentions
from gitmem.notes.source import decode
from gitmem.notes.vocabulary import verbs_with
from gitmem.operations.draft import rewritten
from gitmem.operations.memory import Memory, shown_path
from gitmem.operations.unfinished import guard_tracked
from gitmem.operations.write import RETIRED
from gitmem.storage import disk, git, history
from gitmem.values import Any, NamedTuple

CONTEXT = 2

Reply = dict[str, Any]  # Any: the JSON of design section 14


class Mending(NamedTuple):
    """One thing that check --fix does: a new text for a file, or a new place, and why."""

    path: str
    new_path: str
    data: bytes
    new_data: bytes
    code: str
    message: str


def check(memory: Memory) -> Reply:
    """Returns every problem of the memory, with paths relative to the Git top level, and how many notes were checked."""
    scan = disk.scan(memory.store.folder)
    texts = list(_texts(memory, scan))
    found = [*checks.check(texts, scan.strays, memory.config), *_unread(memory, scan, texts)]
    config = [problem._replace(path=problem.path.partition("/")[2]) for problem in memory.config.problems]
    shown = [problem._replace(path=shown_path(memory, problem.path)) for problem in (*config, *found)]
    return {"problems": [problem._asdict() for problem in shown], "checked": len(texts)}


def _texts(memory: Memory, scan: disk.Scan) -> Iterator[Text]:
    for row in scan.rows:
        path = row.partition("\0")[0]
        try:
            data = notes.raw(memory.store, path)
        except GitmemError:  # told by _unread
            continue
        yield Text(read(path, data, verbs=memory.store.verbs), decode(data, path)[0])


def _unread(memory: Memory, scan: disk.Scan, texts: Sequence[Text]) -> Iterator[Problem]:
    known = {text.entry.path for text in texts}
    unread = [("folder", prefix.rstrip("/")) for prefix in scan.unreadable]
    unread += [("file", path) for path in (row.partition("\0")[0] for row in scan.rows) if path not in known]
    for kind, path in unread:
        right = "u+rwx" if kind == "folder" else "u+rw"
        hint = f"Give yourself the right to read it: chmod {right} {shown_path(memory, path)}"
        yield Problem(path, None, "unreadable", "error", f"The {kind} cannot be read.", hint)


def fix(memory: Memory, *, dry_run: bool = False) -> Reply:
    """Mends what is safe (folder, stamp, alias after a move) and returns what was done, then what check finds.

    With `dry_run` nothing is written; each mending has its difference as a unified diff.
    """
    with notes.lock(memory.store):
        mendings = _mendings(memory)
        if not dry_run:
            guard_tracked(memory, [mending.path for mending in mendings])
            for mending in mendings:
                _mend(memory, mending)
    return check(memory) | {"fixed": [_fixed(memory, mending) for mending in mendings], "dry_run": dry_run}


def _mend(memory: Memory, mending: Mending) -> None:
    if mending.new_data != mending.data:
        notes.save(memory.store, mending.path, mending.new_data)
    if mending.new_path != mending.path:
        notes.move(memory.store, mending.path, mending.new_path)


def _fixed(memory: Memory, mending: Mending) -> Reply:
    return {
        "path": shown_path(memory, mending.path),
        "code": mending.code,
        "message": mending.message,
        "diff": _diff(memory, mending),
    }


def _diff(memory: Memory, mending: Mending) -> str:
    old, new = (shown_path(memory, path) for path in (mending.path, mending.new_path))
    if mending.new_data == mending.data:
        return f"rename from {old}\nrename to {new}\n"
    before, after = (data.decode("utf-8", "replace").splitlines(True) for data in (mending.data, mending.new_data))
    sensitive = read(mending.path, mending.data, verbs=()).note.sensitive
    around = 0 if sensitive else CONTEXT  # the lines around a change may be those of the body
    return "".join(difflib.unified_diff(before, after, fromfile=f"a/{old}", tofile=f"b/{new}", n=around))


def _mendings(memory: Memory) -> list[Mending]:
    """Returns all that is to be done, in order: of one file first its aliases, then its stamp, then its place."""
    entries = [text.entry for text in _texts(memory, disk.scan(memory.store.folder))]
    aliases = _lost_names(memory, graphs.build(entries))
    replaced = _replaced(memory, graphs.build([_named(entry, aliases.get(entry.path, [])) for entry in entries]))
    found: list[Mending] = []
    for entry in entries:
        if entry.is_readable and (entry.path in aliases or entry.path in replaced):
            found += _rewritings(memory, entry, aliases.get(entry.path, []), replaced.get(entry.path))
    mended = {mending.path: mending.new_data for mending in found}
    moves = _misplaced(memory, entries)
    return found + [_moving(memory, entry, path, mended.get(entry.path)) for entry, path in moves]


def _named(entry: Entry, aliases: Sequence[str]) -> Entry:
    """Returns a note as it reads with these aliases besides its own."""
    return entry._replace(note=entry.note._replace(aliases=(*entry.note.aliases, *aliases)))


def _rewritings(memory: Memory, entry: Entry, aliases: list[str], by: str | None) -> Iterator[Mending]:
    """Yields the changes to one file, each starting where the one before ended; one that cannot be made is left out."""
    data = notes.raw(memory.store, entry.path)
    changes = [("alias", f"Took the alias {alias}, the name it had before.", alias) for alias in aliases]
    changes += [("stamp", f"Stamped superseded: {by} replaces it.", "")] if by else []
    for code, message, alias in changes:
        changed = _named(entry, [alias]).note if alias else entry.note._replace(status="superseded")
        try:
            new = rewritten(entry, data, changed, memory.store.verbs)
        except GitmemError:  # a layout that only a hand can edit: the problem stays in what check finds
            continue
        yield Mending(entry.path, entry.path, data, new, code, message)
        entry, data = read(entry.path, new, verbs=memory.store.verbs), new


def _moving(memory: Memory, entry: Entry, path: str, data: bytes | None) -> Mending:
    data = notes.raw(memory.store, entry.path) if data is None else data
    return Mending(
        entry.path, path, data, data, "wrong-folder", f"Moved to {entry.note.type}/, the folder of its type."
    )


def _misplaced(memory: Memory, entries: Sequence[Entry]) -> Iterator[tuple[Entry, str]]:
    """Yields the notes that do not lie in their type's folder, with the place where they can go."""
    taken: set[str] = set()
    for entry in entries:
        folder, _, file = entry.path.rpartition("/")
        path = f"{entry.note.type}/{file}"
        if not entry.is_readable or entry.note.type not in memory.config.vocabulary.types or folder == entry.note.type:
            continue
        if fold(path) not in taken and not os.path.lexists(os.path.join(memory.store.folder, path)):
            taken.add(fold(path))
            yield entry, path


def _replaced(memory: Memory, graph: Graph) -> dict[str, str]:
    """Returns, by path, the name of what replaces each note that is not stamped; rings are left alone."""
    verbs = verbs_with(memory.config.vocabulary, "supersession")
    ringed = {entry.path for ring in graphs.cycles(graph, verbs) for entry in ring}
    edges = graphs.replacements(graph, verbs)
    status = {entry.path: entry.note.status for entry in graph.entries}
    return {
        path: edge.source.name for path, edge in edges.items() if path not in ringed and status[path] not in RETIRED
    }


def _lost_names(memory: Memory, graph: Graph) -> dict[str, list[str]]:
    """Returns, by path, the names that files had before Git saw them move and that no note has now."""
    by_path = {shown_path(memory, entry.path): entry for entry in graph.entries}
    lost: dict[str, list[str]] = {}
    given: set[str] = set()
    for old, new in _moves(memory, graph):
        entry, name = by_path.get(new), notes.stem(old)
        if entry and old.endswith(".md") and fold(name) not in given and graphs.resolve(graph, name) is None:
            given.add(fold(name))
            lost.setdefault(entry.path, []).append(name)
    return lost


def _moves(memory: Memory, graph: Graph) -> Iterator[tuple[str, str]]:
    """Yields (old, now) of the moves that the index holds, and of those of history whose old name is still asked for."""
    if memory.repository is None or git.version(environment=memory.environment) is None:
        return
    repository, folder, environment = memory.repository, shown_path(memory, ""), memory.environment
    staged = dict(history.staged_moves(repository, folder, environment=environment))
    yield from staged.items()
    wanted = _dangling(graph)
    places = dict(staged)
    for old, new in history.past_moves(repository, folder, environment=environment) if wanted else ():
        places[old] = places.get(new, new)
        if fold(notes.stem(old)) in wanted:
            yield old, places[old]


def _dangling(graph: Graph) -> set[str]:
    links = {edge.link.to for edges in graph.out.values() for edge in edges if edge.target is None}
    words = links.union(*(mentions(entry.note.body) for entry in graph.entries))
    return {fold(word) for word in words if graphs.resolve(graph, word) is None}

"""Upkeep: a memory made, checked and mended, its words changed, its state told."""

import difflib
import os
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from gitmem.errors import GitmemError, Problem
from gitmem.knowledge import check as checks
from gitmem.knowledge import graph as graphs
from gitmem.knowledge.check import Text
from gitmem.notes import store as notes
from gitmem.notes.entry import read
from gitmem.notes.name import fold
from gitmem.notes.note import Entry
from gitmem.notes.vocabulary import verbs_with
from gitmem.operations.memory import Memory, shown_path
from gitmem.operations.write import guard_tracked, rewritten
from gitmem.storage import disk, git

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
    found = [*memory.config.problems, *_shown(memory, checks.check(texts, scan.strays, memory.config))]
    found += _shown(memory, _unread(scan, texts))
    return {"problems": [problem._asdict() for problem in found], "checked": len(texts)}


def _texts(memory: Memory, scan: disk.Scan) -> Iterator[Text]:
    for row in scan.rows:
        path = row.partition("\0")[0]
        try:
            data = notes.raw(memory.store, path)
        except GitmemError:
            continue
        yield Text(read(path, data, verbs=memory.store.verbs), data.decode("utf-8", "replace"))


def _unread(scan: disk.Scan, texts: Sequence[Text]) -> Iterator[Problem]:
    for prefix in scan.unreadable:
        yield Problem(prefix or ".", None, "unreadable", "error", "The folder cannot be read.", "Mend its permissions.")
    known = {text.entry.path for text in texts}
    for row in scan.rows:
        path = row.partition("\0")[0]
        if path not in known:
            yield Problem(path, None, "unreadable", "error", "The file cannot be read.", "Mend its permissions.")


def _shown(memory: Memory, problems: Sequence[Problem] | Iterator[Problem]) -> list[Problem]:
    return [problem._replace(path=shown_path(memory, problem.path)) for problem in problems]


def fix(memory: Memory, *, dry_run: bool = False) -> Reply:
    """Mends what is safe (folder, stamp, alias after a move) and returns what was done, then what check finds.

    With `dry_run` nothing is written; each mending has its difference as a unified diff.
    """
    with notes.lock(memory.store):
        mendings = _mendings(memory)
        guard_tracked(memory, [mending.path for mending in mendings] if not dry_run else [])
        for mending in mendings if not dry_run else ():
            _mend(memory, mending)
    fixed = [
        {
            "path": shown_path(memory, mending.path),
            "code": mending.code,
            "message": mending.message,
            "diff": _diff(memory, mending),
        }
        for mending in mendings
    ]
    return check(memory) | {"fixed": fixed, "dry_run": dry_run}


def _mend(memory: Memory, mending: Mending) -> None:
    if mending.new_data != mending.data:
        notes.save(memory.store, mending.path, mending.new_data)
    if mending.new_path != mending.path:
        disk.move(memory.store.folder, mending.path, mending.new_path)


def _mendings(memory: Memory) -> list[Mending]:
    """Returns one mending a file; what concerns a second thing in a file is left to the next run."""
    texts = list(_texts(memory, disk.scan(memory.store.folder)))
    sound = [text.entry for text in texts if not any(each.severity == "error" for each in text.entry.problems)]
    graph = graphs.build([text.entry for text in texts])
    found = [
        *_alias_mendings(memory, sound, graph),
        *_stamp_mendings(memory, sound, graph),
        *_folder_mendings(memory, sound),
    ]
    return list({mending.path: mending for mending in reversed(found)}.values())[::-1]


def _folder_mendings(memory: Memory, entries: Sequence[Entry]) -> Iterator[Mending]:
    for entry in entries:
        folder = entry.path.rpartition("/")[0]
        path = f"{entry.note.type}/{entry.name}.md"
        declared = entry.note.type in memory.config.vocabulary.types
        if declared and folder != entry.note.type and not os.path.lexists(os.path.join(memory.store.folder, path)):
            data = notes.raw(memory.store, entry.path)
            message = f"Moved to {entry.note.type}/, its type's folder."
            yield Mending(entry.path, path, data, data, "wrong-folder", message)


def _stamp_mendings(memory: Memory, entries: Sequence[Entry], graph: graphs.Graph) -> Iterator[Mending]:
    replaced = graphs.replacements(graph, verbs_with(memory.config.vocabulary, "supersession"))
    ringed = {entry.path for ring in graphs.cycles(replaced) for entry in ring}
    for entry in entries:
        if entry.path in replaced and entry.path not in ringed and entry.note.status not in ("superseded", "archived"):
            message = f"Stamped superseded: {replaced[entry.path].source.name} replaces it."
            yield _rewriting(
                memory, entry, entry._replace(note=entry.note._replace(status="superseded")), "stamp", message
            )


def _alias_mendings(memory: Memory, entries: Sequence[Entry], graph: graphs.Graph) -> Iterator[Mending]:
    """Yields the old names of files that Git saw move, as aliases, so that links to them hold."""
    by_path = {shown_path(memory, entry.path): entry for entry in entries}
    for old, new in _moves(memory, graph):
        entry, name = by_path.get(new), notes.stem(old)
        if entry and graphs.resolve(graph, name) is None and old.endswith(".md") and fold(name) != fold(entry.name):
            note = entry.note._replace(aliases=(*entry.note.aliases, name))
            message = f"Took the alias {name}: the file was moved from {old}."
            yield _rewriting(memory, entry, entry._replace(note=note), "alias", message)


def _moves(memory: Memory, graph: graphs.Graph) -> list[tuple[str, str]]:
    """Returns the moves that the index holds, and those of history where a link dangles."""
    if memory.repository is None:
        return []
    top, folder = memory.repository.top, shown_path(memory, "")
    moves = git.renamed(top, folder, environment=memory.environment)
    if any(edge.target is None for edges in graph.out.values() for edge in edges):
        moves += git.past_renames(top, folder, environment=memory.environment)
    return moves


def _rewriting(memory: Memory, old: Entry, new: Entry, code: str, message: str) -> Mending:
    data = notes.raw(memory.store, old.path)
    return Mending(old.path, old.path, data, rewritten(memory, data, old.note, new.note), code, message)


def _diff(memory: Memory, mending: Mending) -> str:
    old, new = (shown_path(memory, path) for path in (mending.path, mending.new_path))
    if mending.new_data == mending.data:
        return f"rename from {old}\nrename to {new}\n"
    before, after = (data.decode("utf-8", "replace").splitlines(True) for data in (mending.data, mending.new_data))
    return "".join(difflib.unified_diff(before, after, fromfile=f"a/{old}", tofile=f"b/{new}", n=2))

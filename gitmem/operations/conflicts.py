"""Conflicts: notes that Git has left in conflict, merged by field, and what of them only a person can settle."""

import os
from collections.abc import Iterator, Sequence

from gitmem.errors import GitmemError, Problem
from gitmem.notes import source
from gitmem.notes import store as notes
from gitmem.notes.entry import read
from gitmem.notes.merge import THEIRS, Merged, merge, split
from gitmem.notes.name import fold, is_note_path, name_for
from gitmem.notes.note import Entry
from gitmem.operations.memory import Finder, Memory, shown_path
from gitmem.operations.unfinished import guard_tracked
from gitmem.storage import disk, unmerged
from gitmem.storage.unmerged import Sides
from gitmem.values import Any, NamedTuple

_SIGNS = (b"<<<<<<< ", b">>>>>>> ", THEIRS.encode())

Reply = dict[str, Any]  # Any: the JSON of design section 14


class _Parted(NamedTuple):
    """Two notes that met under one name: the one that keeps it, and the other at its new path."""

    keeper: Entry
    other: Entry


class _Settled(NamedTuple):
    """What becomes of one path: files to write by path, the parted notes, and what is left to a person."""

    writes: dict[str, bytes]
    parted: _Parted | None
    problems: list[Problem]


def resolve_conflicts(memory: Memory, words: Sequence[str] = ()) -> Reply:
    """Merges by field the notes in conflict, all or those named, and returns what was done and what is left.

    What Git merged by lines is merged again from both sides that the index holds; where somebody has been at the file
    since, from what its markers part, so that their work stays. Two notes of different titles become two files. Only
    the notes' files are written: `add` lists what may be staged now. Raises GitmemError for an unknown name.
    """
    with notes.lock(memory.store):
        found = _open(memory)
        paths = _chosen(memory, words, sorted({*found, *_marked(memory)}))
        settled = {path: _settled(memory, path, found.get(path)) for path in paths}
        guard_tracked(memory, [path for path in paths if path not in found and settled[path].writes])
        for each in settled.values():
            for path, data in each.writes.items():
                notes.save(memory.store, path, data)
    return _reply(memory, found, settled)


# Which notes


def _open(memory: Memory) -> dict[str, Sides]:
    """Returns both sides of each path below .memory that the index holds open."""
    if memory.repository is None:
        return {}
    prefix = shown_path(memory, "")
    found = unmerged.sides(memory.repository.top, prefix, environment=memory.environment)
    return {path.removeprefix(prefix + "/"): sides for path, sides in found.items()}


def _marked(memory: Memory) -> Iterator[str]:
    """Yields the notes whose files hold what a merge leaves, whatever the index says."""
    for path in disk.note_paths(memory.store.folder):
        try:
            data = notes.raw(memory.store, path)
        except GitmemError:  # told by check
            continue
        if any(sign in data for sign in _SIGNS) and _unsettled(memory, path, data):
            yield path


def _unsettled(memory: Memory, path: str, data: bytes) -> list[Problem]:
    problems = read(path, data, verbs=memory.store.verbs).problems
    return [problem for problem in problems if problem.code in source.UNSETTLED]


def _chosen(memory: Memory, words: Sequence[str], paths: Sequence[str]) -> list[str]:
    """Returns those of the paths that words name, all without words; raises GitmemError for one that names no note."""
    if not words:
        return list(paths)
    finder = Finder(memory)
    known = {fold(notes.stem(path)): path for path in paths}  # a note that one side deleted may have no file
    chosen = [known.get(fold(word)) or finder.entry(word).path for word in words]
    return [path for path in dict.fromkeys(chosen) if path in paths]


# What becomes of each


def _settled(memory: Memory, path: str, sides: Sides | None) -> _Settled:
    if _is_link(memory, path):
        return _Settled({}, None, [_linked(path, shown_path(memory, path))])
    data = _data(memory, path)
    if not is_note_path(path):
        return _Settled({}, None, [_problem(path, "conflict", f"{path} is no note.", "Settle it by hand.")])
    if data is None or (sides and (sides.ours is None or sides.theirs is None)):
        return _Settled({}, None, [_one_sided(path, shown_path(memory, path), sides or Sides(None, None, None))])
    merged = _merged(memory, path, data, sides)
    if merged and _is_whole(merged):
        return _parted(memory, path, merged)
    new = merged.data if merged else data
    return _Settled({path: new} if new != data else {}, None, list(_left(memory, path, new)))


def _is_link(memory: Memory, path: str) -> bool:
    """Returns whether a link is the file itself, or a folder on the way to it."""
    parts = path.split("/")
    return any(os.path.islink(os.path.join(memory.store.folder, *parts[: at + 1])) for at in range(len(parts)))


def _data(memory: Memory, path: str) -> bytes | None:
    there = os.path.lexists(os.path.join(memory.store.folder, path))
    return notes.raw(memory.store, path) if there else None


def _merged(memory: Memory, path: str, data: bytes, sides: Sides | None) -> Merged | None:
    """Returns the merge of a file's two sides, or None where the file is to stay as it is."""
    halves = split(data)
    verbs = memory.store.verbs
    if sides is None:
        # Nobody knows the base, and the markers may be the text's own: only what comes out clean is sure.
        alone = merge(b"", *halves, verbs=verbs, path=path) if halves else None
        return alone if alone and (not alone.conflicts or (_is_whole(alone) and _spans_all(data))) else None
    base, ours, theirs = (side or b"" for side in sides)
    merged = merge(base, ours, theirs, verbs=verbs, path=path)
    if merged.data == data or (halves and halves == _by_lines(memory, sides)):
        return merged
    return merge(base, *halves, verbs=verbs, path=path) if halves else None


def _by_lines(memory: Memory, sides: Sides) -> tuple[bytes, bytes] | None:
    assert memory.repository is not None
    return split(unmerged.merged_text(memory.repository.top, sides, environment=memory.environment))


def _is_whole(merged: Merged) -> bool:
    """Returns whether a merge came to two whole notes, one above the other."""
    return merged.conflicts == ("title",) and merged.data.startswith(b"<<<<<<<")


def _spans_all(data: bytes) -> bool:
    """Returns whether one conflict is all that a file holds."""
    lines = data.rstrip().split(b"\n")
    begins = [line for line in lines if line.startswith(b"<<<<<<<")]
    return begins == lines[:1] and lines[-1].startswith(b">>>>>>>")


def _parted(memory: Memory, path: str, merged: Merged) -> _Settled:
    """Returns two files for two notes: the name stays with the older one, whichever side it came from."""
    halves = split(merged.data)
    assert halves is not None
    both = [read(path, data, verbs=memory.store.verbs) for data in halves]
    at = min((0, 1), key=lambda at: (both[at].note.created or "~", fold(both[at].note.title)))
    keeper, other = both[at], both[1 - at]
    name = _free_name(memory, other, keeper)
    new = f"{other.note.type or os.path.dirname(path) or 'note'}/{name}.md"
    moved = read(new, halves[1 - at], verbs=memory.store.verbs)
    writes = {path: halves[at], new: halves[1 - at]}
    problems = [problem for where, data in writes.items() for problem in _left(memory, where, data)]
    return _Settled(writes, _Parted(keeper, moved), problems)


def _free_name(memory: Memory, other: Entry, keeper: Entry) -> str:
    """Returns the name that a note gets beside the one that keeps its name."""
    finder, taken = Finder(memory), {fold(keeper.name): keeper.note.title}
    while True:
        name = name_for(other.note.title, taken=taken, created=other.note.created)
        path = finder.target(name)
        if path is None:
            return name
        taken[fold(name)] = finder.load(path).note.title


# What is left


def _left(memory: Memory, path: str, data: bytes) -> Iterator[Problem]:
    """Yields what a person has to settle in a file: each conflict in its text, each field, or what stops its reading."""
    found = read(path, data, verbs=memory.store.verbs).problems
    text = source.decode(data, path)[0]
    lines = [first for first, _ in source.hunks(text)]
    for problem in found:
        if problem.code == "unsettled":
            yield problem._replace(severity="error")
        elif problem.severity == "error" and not (problem.code == "conflict-markers" and lines):
            yield problem
    for line in lines if any(problem.code == "conflict-markers" for problem in found) else ():
        hint = "Keep what is true of it, and delete the three lines of markers."
        yield _problem(path, "conflict-markers", "Both sides of a merge changed the text here.", hint, line)


def _one_sided(path: str, shown: str, sides: Sides) -> Problem:
    if sides.ours is not None and sides.base is not None:
        message = "Ours changed the note, and theirs deleted or moved it."
    elif sides.theirs is not None and sides.base is not None:
        message = "Theirs changed the note, and ours deleted or moved it."
    else:
        message = "The sides deleted or moved the note, each in its own way."
    place = unmerged.pathspec(shown)
    return _problem(path, "one-sided", message, f"git add {place} keeps it; git rm {place} lets it go.")


def _linked(path: str, shown: str) -> Problem:
    message = "A symbolic link lies here, or on the way here; none is followed."
    return _problem(
        path, "symbolic-link", message, f"Put the note itself in its place, then git add {unmerged.pathspec(shown)}."
    )


def _problem(path: str, code: str, message: str, hint: str, line: int | None = None) -> Problem:
    return Problem(path, line, code, "error", message, hint)


# What is answered


def _reply(memory: Memory, found: dict[str, Sides], settled: dict[str, _Settled]) -> Reply:
    done = list(settled.values())
    problems = [problem for each in done for problem in each.problems]
    left = {problem.path for problem in problems}
    written = [path for each in done for path in each.writes]
    ready = [path for path in settled if path in found and path not in left]
    ready += [each.parted.other.path for each in done if each.parted and each.parted.other.path not in left]
    return {
        "merged": [shown_path(memory, path) for each in done if not each.parted for path in each.writes],
        "parted": [_parting(memory, each.parted) for each in done if each.parted],
        "changed": [shown_path(memory, path) for path in written],
        "problems": [problem._replace(path=shown_path(memory, problem.path))._asdict() for problem in problems],
        "checked": len(settled),
        "add": [shown_path(memory, path) for path in ready] if memory.repository else [],
        "warnings": [warning for each in done if each.parted for warning in _links(memory, each.parted)],
    }


def _parting(memory: Memory, parted: _Parted) -> Reply:
    keeper, other = parted
    return {
        "name": keeper.name,
        "path": shown_path(memory, keeper.path),
        "title": keeper.note.title,
        "other": {"name": other.name, "path": shown_path(memory, other.path), "title": other.note.title},
    }


def _links(memory: Memory, parted: _Parted) -> Iterator[Reply]:
    """Yields a warning where notes link to a name that meant two notes until now."""
    keeper, other = parted
    linking = sorted({entry.name for entry in Finder(memory).holding("to", [keeper.name])})
    if linking:
        message = (
            f"{', '.join(linking)} link to {keeper.name}, which is {keeper.note.title!r} now: link those to"
            f" {other.name} that mean {other.note.title!r}."
        )
        yield {"code": "links", "name": keeper.name, "message": message}

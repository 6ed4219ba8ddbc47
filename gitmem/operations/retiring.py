"""Retiring: what an act takes along that puts notes away: a person's word for them, and the answer to a problem."""

from collections.abc import Collection, Iterator, Sequence
from shlex import quote

from gitmem.notes import vocabulary as words
from gitmem.notes.entry import sound
from gitmem.notes.note import Entry, Note
from gitmem.operations.draft import Author
from gitmem.operations.lapse import is_agent
from gitmem.operations.memory import Finder
from gitmem.operations.standing import Judge
from gitmem.search.document import roles_of
from gitmem.values import Any

Reply = dict[str, Any]  # Any: the JSON of design section 14

# Marks by which a person stands for a note, and those of a note that is put away; a tombstone is put away like any other.
HELD = frozenset(("pinned", "approved", "confirmed"))
RETIRED = frozenset(("superseded", "archived"))


def retired(
    finder: Finder, entries: Sequence[Entry], author: Author | None, successor: Note | None = None
) -> list[Reply]:
    """Returns the warnings that an act owes which puts notes away; asked before anything of it is written.

    One for each note that a person stands for, where an agent acts, and one for each resolved problem that nothing
    answers then. `successor` is the note that takes their place, as it is to be. Without an author, the environment
    tells who acts. Notes that were put away already are owed none.
    """
    if not entries:
        return []
    marks = _marks(finder, entries)
    live = [entry for entry in entries if RETIRED.isdisjoint(marks[entry.path])]
    held = live if is_agent(finder.memory.environment, author) else []
    warnings = [_held(entry, marks[entry.path]) for entry in held if not HELD.isdisjoint(marks[entry.path])]
    return [*warnings, *map(_unanswered, _bereft(finder, live, successor))]


def _marks(finder: Finder, entries: Sequence[Entry]) -> dict[str, tuple[str, ...]]:
    judge = Judge(finder.memory, finder.view, roles_of(finder.memory.config.vocabulary))
    found = judge.of([entry._replace(note=sound(entry.note)) for entry in entries])
    return {path: standing.marks for path, standing in found.items()}


def _held(entry: Entry, marks: Sequence[str]) -> Reply:
    name = quote(entry.name)
    message = (
        f"{entry.name} was {_said(entry.note, marks)} by a person; a person should judge this:"
        f" gitmem show {name}; gitmem undo COMMIT takes the commit back."
    )
    return {"code": "retires-approved", "name": entry.name, "message": message}


def _said(note: Note, marks: Sequence[str]) -> str:
    """Returns what a person did for a note; a note of a person's own counts as approved."""
    best = next(mark for mark in marks if mark in HELD)
    return "written" if best == "approved" and note.approved is None and note.source == "user" else best


def _unanswered(problem: Entry) -> Reply:
    message = (
        f"{problem.name} stays resolved, though nothing that holds answers it any more;"
        f" gitmem revise {quote(problem.name)} --status open reopens it."
    )
    return {"code": "answer-gone", "name": problem.name, "message": message}


def _bereft(finder: Finder, gone: Sequence[Entry], successor: Note | None) -> Iterator[Entry]:
    """Yields the resolved problems that notes answer which go, and that neither others nor their successor answer."""
    kept = _answered(finder, [successor] if successor else [])
    for path in sorted(_answered(finder, [entry.note for entry in gone]) - kept):
        problem = finder.load(path)
        if problem.note.status == "resolved" and not _is_answered(finder, problem, {entry.path for entry in gone}):
            yield problem


def _answered(finder: Finder, notes: Sequence[Note]) -> set[str]:
    """Returns the paths of the notes that some notes answer."""
    verbs = words.verbs_with(finder.memory.config.vocabulary, "answer")
    named = (link.to for note in notes for link in note.links if link.verb in verbs)
    return {path for word in named if (path := finder.target(word))}


def _is_answered(finder: Finder, problem: Entry, without: Collection[str]) -> bool:
    """Returns whether a note answers a problem that is neither put away nor one of those at some paths."""
    sources = [
        entry
        for entry in finder.holding("to", finder.spellings(problem))
        if entry.path not in without and problem.path in _answered(finder, [entry.note])
    ]
    marks = _marks(finder, sources) if sources else {}
    return any(RETIRED.isdisjoint(each) for each in marks.values())

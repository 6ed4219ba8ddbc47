"""Retirement: the notes that a person stood for, and that a branch replaces, buries, archives or deletes."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from shlex import quote

from gitmem.errors import Problem
from gitmem.knowledge import check as checks
from gitmem.knowledge import graph as graphs
from gitmem.knowledge.check import Text, line_of
from gitmem.knowledge.risk import Branch, Side, is_live
from gitmem.notes.name import fold
from gitmem.notes.note import Entry
from gitmem.notes.vocabulary import types_with, verbs_with
from gitmem.values import NamedTuple

# How notes stood where the branch began: by path, the marks by which a person stands for them, none for all others.
Stood = Callable[[Sequence[Entry]], Mapping[str, Sequence[str]]]


class _Ended(NamedTuple):
    """A note as it was, the text that it has now, None where its file is gone, and what became of it, in words."""

    before: Entry
    now: Text | None
    how: str


def retirements(branch: Branch, gone: Collection[str], stood: Stood) -> Iterator[Problem]:
    """Yields the notes that were live, that a person stood for, and that the branch retires; `gone` are lost paths."""
    found = list(_ended(branch, gone))
    marks = stood([each.before for each in found]) if found else {}
    for each in found:
        if marks.get(each.before.path):
            yield _risk(each, marks[each.before.path])


def _risk(ended: _Ended, marks: Sequence[str]) -> Problem:
    name, now = ended.before.name, ended.now
    path, line = (
        (now.entry.path, line_of(now, "status") or line_of(now, "title") or 1) if now else (ended.before.path, 1)
    )
    message = f"{name} stood as {', '.join(marks)} in the base, and {ended.how} now."
    look = f"gitmem {'show' if now else 'history'} {quote(now.entry.name if now else name)}"
    hint = f"A person should judge this: {look}; gitmem undo COMMIT takes the commit back."
    return Problem(path, line, "retires-approved", "warning", message, hint)


def _ended(branch: Branch, gone: Collection[str]) -> Iterator[_Ended]:
    """Yields the notes that were live where the branch began and are not any more."""
    then, now = _retirers(branch.old), _retirers(branch.new)
    for path, text in sorted(branch.new.texts.items()):
        before = _before(branch, path)
        if before and before.path not in then and is_live(before, branch.old.config):
            how = now.get(path) or _put_away(text)
            if how:
                yield _Ended(before, text, how)
    lost = {fold(name): entry for entry in _stones(branch.new) for name in entry.note.buried}
    for path in sorted(gone):
        was = branch.old.texts.get(path)
        if was and path not in then and is_live(was.entry, branch.old.config):
            stone = lost.get(fold(was.entry.name))
            yield _Ended(was.entry, None, f"{stone.name} buries it" if stone else "its file is gone")


def _before(branch: Branch, path: str) -> Entry | None:
    """Returns a note as it was before the branch; one that the branch left alone is what it was."""
    text = branch.before(path) or (branch.new.texts[path] if path not in branch.was else None)
    return text.entry if text else None


def _put_away(text: Text) -> str | None:
    status = text.entry.note.status
    return f"it is {status}" if status in checks.RETIRED else None


def _retirers(side: Side) -> dict[str, str]:
    """Returns, by path, what another note does to each note that it buries or replaces, in words."""
    buried = {
        entry.path: f"{stone.name} buries it"
        for stone in _stones(side)
        for name in stone.note.buried
        if (entry := graphs.resolve(side.graph, name))
    }
    edges = graphs.replacements(side.graph, verbs_with(side.config.vocabulary, "supersession"))
    return buried | {path: f"{edge.source.name} replaces it" for path, edge in edges.items()}


def _stones(side: Side) -> list[Entry]:
    """Returns the live tombstones."""
    types = types_with(side.config.vocabulary, "tombstone")
    return [entry for entry in side.graph.entries if entry.note.type in types and is_live(entry, side.config)]

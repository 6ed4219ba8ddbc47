"""Claims: what a link may point to, and what it changes in the note that it points to."""

from collections.abc import Iterator, Sequence

from gitmem.errors import GitmemError
from gitmem.notes import secrets
from gitmem.notes import store as notes
from gitmem.notes.name import fold
from gitmem.notes.note import Entry, Link, Note
from gitmem.notes.vocabulary import WORKLIST_STATUSES, Vocabulary, note_with, types_with
from gitmem.operations.draft import rewritten
from gitmem.operations.memory import Finder, Memory
from gitmem.values import NamedTuple

STAMPS = {"supersession": "superseded", "answer": "resolved"}


class Save(NamedTuple):
    """One file to be written, and its mode as git's entries say it, None where that stays."""

    path: str
    data: bytes
    mode: str | None = None


def checked_links(finder: Finder, links: Sequence[Link], own: str, path: str | None = None) -> list[Link]:
    """Returns the links with each target's own name; raises GitmemError for a target that is missing or of the wrong kind.

    `own` and `path` are the name and the path of the note that makes the claims; a new one has no path yet.
    """
    found = {}
    for link in links:
        secrets.check(link.note or "", "the link's note")
        target = finder.entry(link.to)
        _check_target(finder, own, path, link, target)
        found[link.verb, fold(target.name)] = link._replace(to=target.name)
    return list(found.values())


def _check_target(finder: Finder, own: str, path: str | None, link: Link, target: Entry) -> None:
    vocabulary = finder.memory.config.vocabulary
    verb = vocabulary.verbs[link.verb]
    if target.path == path or fold(own) == fold(target.name):
        raise GitmemError("self-link", f"{own} cannot point to itself.", "Name another note.")
    if verb.to != "any" and target.note.type not in types_with(vocabulary, verb.to):
        raise _wrong_target(vocabulary, link, target)
    if verb.role == "supersession" and _replaces(finder, target, own, path):
        message = f"{target.name} already replaces {own}; a ring of replacements has no newest note."
        raise GitmemError("cycle", message, f"gitmem show {target.name} lists its links; unlink takes one back.")


def _wrong_target(vocabulary: Vocabulary, link: Link, target: Entry) -> GitmemError:
    role = vocabulary.verbs[link.verb].to
    types = sorted(types_with(vocabulary, role))
    message = f"{link.verb} needs {note_with(vocabulary, role)}; {target.name} is of type {target.note.type!r}."
    if not types:
        return GitmemError(
            "wrong-target", message, f"Declare a type for it: gitmem vocabulary add type WORD --role {role}"
        )
    return GitmemError("wrong-target", message, f"Make one: gitmem remember TITLE --type {types[0]}")


def _replaces(finder: Finder, start: Entry, own: str, path: str | None) -> bool:
    """Returns whether a note replaces another, directly or over others."""
    waiting, seen = [start], {start.path}
    while waiting:
        for link in _superseding(finder, waiting.pop()):
            target = finder.target(link.to)
            if fold(link.to) == fold(own) or (target and target == path):
                return True
            if target and target not in seen:
                seen.add(target)
                waiting.append(finder.load(target))
    return False


def _superseding(finder: Finder, entry: Entry) -> Iterator[Link]:
    return (link for link in entry.note.links if _stamp(finder.memory.config.vocabulary, link) == "superseded")


def _stamp(vocabulary: Vocabulary, link: Link) -> str | None:
    """Returns the status that a link of this verb gives its target, or None."""
    verb = vocabulary.verbs.get(link.verb)
    return STAMPS.get(verb.role or "") if verb else None


def stamps(finder: Finder, path: str | None, new: Sequence[Link], old: Sequence[Link]) -> list[Save]:
    """Returns the saves that links which came or went ask of their targets: a status set, or taken back.

    `path` is that of the note that makes the claims, as it lies now; None for a new one.
    """
    after, before = _given(finder, new), _given(finder, old)
    saves = []
    for target_path in dict.fromkeys((*after, *before)):
        held, had = after.get(target_path, frozenset()), before.get(target_path, frozenset())
        if held != had and target_path != path:
            target = finder.load(target_path)
            saves += _save(finder.memory, target, _status(finder, path, target, held, had))
    return saves


def _given(finder: Finder, links: Sequence[Link]) -> dict[str, frozenset[str]]:
    """Returns, by path, the statuses that links give to the notes that they point to."""
    given: dict[str, frozenset[str]] = {}
    for link in links:
        status = _stamp(finder.memory.config.vocabulary, link)
        path = finder.target(link.to) if status else None
        if path and status:
            given[path] = given.get(path, frozenset()) | {status}
    return given


def _status(finder: Finder, path: str | None, target: Entry, held: frozenset[str], had: frozenset[str]) -> str | None:
    """Returns the status of a note after one other gives it `held` instead of `had`; what a person set otherwise stays."""
    status = target.note.status
    if "superseded" in held - had and status != "archived":
        return "superseded"
    if "resolved" in held - had and status in (None, *WORKLIST_STATUSES):
        return "resolved"
    if status not in had - held:
        return status
    left = held | claimed(finder, target, path)
    first = next((each for each in STAMPS.values() if each in left), None)
    reopened = "open" if target.note.type in types_with(finder.memory.config.vocabulary, "worklist") else None
    return first or reopened


def claimed(finder: Finder, target: Entry, without: str | None = None) -> frozenset[str]:
    """Returns the statuses that links give a note, leaving out those of the note at the path `without`."""
    found: frozenset[str] = frozenset()
    for source in finder.holding("to", finder.spellings(target)):
        if source.path not in (without, target.path):
            found |= _given(finder, source.note.links).get(target.path, frozenset())
    return found


def _save(memory: Memory, target: Entry, status: str | None) -> list[Save]:
    if status == target.note.status:
        return []
    try:
        return [stamped(memory, target, status)]
    except GitmemError:
        if "superseded" in (status, target.note.status):  # the link counts without its stamp
            return []
        raise


def stamped(memory: Memory, target: Entry, status: str | None) -> Save:
    """Returns the save that gives a note a status; raises GitmemError where its file cannot be changed."""
    data = notes.raw(memory.store, target.path)
    return Save(target.path, rewritten(target, data, target.note._replace(status=status), memory.store.verbs))


def with_link(note: Note, link: Link, spellings: Sequence[str]) -> Note:
    """Returns a note that makes a claim, in place of the same claim on any spelling of its target's name."""
    keys = {fold(name) for name in spellings}
    same = [each for each in note.links if each.verb == link.verb and fold(each.to) in keys]
    if not same:
        return note._replace(links=(*note.links, link))
    kept = (link if each == same[0] else each for each in note.links if each == same[0] or each not in same)
    return note._replace(links=tuple(kept))


def without_link(note: Note, verb: str, spellings: Sequence[str]) -> Note:
    """Returns a note without its claims of a verb on any spelling of a target's name."""
    keys = {fold(name) for name in spellings}
    return note._replace(links=tuple(each for each in note.links if each.verb != verb or fold(each.to) not in keys))

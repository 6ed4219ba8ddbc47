"""Claims: what a link may point to, and what it changes in the note that it points to."""

from collections.abc import Sequence
from typing import NamedTuple

from gitmem.errors import GitmemError
from gitmem.notes import store as notes
from gitmem.notes.name import fold
from gitmem.notes.note import Entry, Link, Note
from gitmem.notes.store import Names
from gitmem.notes.vocabulary import Vocabulary, types_with
from gitmem.operations.memory import Memory, locate, ready
from gitmem.search.document import restored


class Save(NamedTuple):
    """One file to be written."""

    path: str
    data: bytes


def checked_links(
    memory: Memory, note_type: str, links: Sequence[Link], known: Names, own: str | None = None
) -> list[Link]:
    """Returns the links with each target's own name; raises GitmemError for a target that is missing or of the wrong kind.

    `own` is the name of the note that makes the claims, None for a new one.
    """
    found = []
    for link in links:
        target = locate(memory, link.to, known)
        _check_target(memory, own, link, target, known)
        found.append(link._replace(to=target.name))
    return list(dict.fromkeys(found))


def _check_target(memory: Memory, own: str | None, link: Link, target: Entry, known: Names) -> None:
    vocabulary = memory.config.vocabulary
    verb = vocabulary.verbs[link.verb]
    if own and fold(own) == fold(target.name):
        raise GitmemError("self-link", f"{own} cannot point to itself.", "Name another note.")
    if verb.to != "any" and target.note.type not in types_with(vocabulary, verb.to):
        kinds = ", ".join(sorted(types_with(vocabulary, verb.to)))
        message = f"{link.verb} points to a {verb.to} note ({kinds}); {target.name} is a {target.note.type}."
        raise GitmemError("wrong-target", message, "gitmem vocabulary shows what each verb is for.")
    if own and verb.role == "supersession" and _replaces(memory, target, own, known):
        message = f"{target.name} already replaces {own}; a ring of replacements has no newest note."
        raise GitmemError("cycle", message, f"gitmem unlink {target.name} {link.verb} {own}")


def _replaces(memory: Memory, start: Entry, own: str, known: Names) -> bool:
    """Returns whether a note replaces another, directly or over others."""
    waiting, seen = [start], set()
    while waiting:
        entry = waiting.pop()
        seen.add(entry.path)
        for link in entry.note.links:
            if memory.config.vocabulary.verbs[link.verb].role == "supersession":
                if fold(link.to) == fold(own):
                    return True
                paths = known.paths(link.to)
                waiting += [notes.load(memory.store, path) for path in paths if path not in seen]
    return False


def stamps(memory: Memory, own: str, new: Sequence[Link], old: Sequence[Link], known: Names) -> list[Save]:
    """Returns the saves that links which came or went ask of their targets: a status set, or taken back."""
    before = {(link.verb, fold(link.to)) for link in old}
    after = {(link.verb, fold(link.to)) for link in new}
    came = [link for link in new if (link.verb, fold(link.to)) not in before]
    went = [link for link in old if (link.verb, fold(link.to)) not in after]
    changes = [_set(memory, link, known) for link in came] + [_taken_back(memory, own, link, known) for link in went]
    return [save for save in changes if save]


def _set(memory: Memory, link: Link, known: Names) -> Save | None:
    target = _target(memory, link, known)
    status = _stamp(memory.config.vocabulary, link)
    if target is None or status is None or target.note.status == status:
        return None
    return stamped(memory, target, status)


def _taken_back(memory: Memory, own: str, link: Link, known: Names) -> Save | None:
    target = _target(memory, link, known)
    status = _stamp(memory.config.vocabulary, link)
    if target is None or status is None or target.note.status != status or _claimed(memory, own, link, target):
        return None
    reopened = "open" if target.note.type in types_with(memory.config.vocabulary, "worklist") else None
    return stamped(memory, target, reopened)


def _stamp(vocabulary: Vocabulary, link: Link) -> str | None:
    """Returns the status that a link of this verb gives its target, or None."""
    verb = vocabulary.verbs.get(link.verb)
    return {"supersession": "superseded", "answer": "resolved"}.get(verb.role or "") if verb else None


def _target(memory: Memory, link: Link, known: Names) -> Entry | None:
    try:
        return locate(memory, link.to, known)
    except GitmemError:
        return None


def _claimed(memory: Memory, own: str, link: Link, target: Entry) -> bool:
    """Returns whether a note other than `own` makes the same claim on a target."""
    keys = [fold(name) for name in (target.name, *target.note.aliases)]
    claimants = [restored(item.note) for item in ready(memory).view.having("to", keys)]
    return any(
        fold(entry.name) != fold(own)
        and any(each.verb == link.verb and fold(each.to) in keys for each in entry.note.links)
        for entry in claimants
    )


def stamped(memory: Memory, target: Entry, status: str | None) -> Save | None:
    """Returns the save that gives a note a status, None where its file cannot be changed: the link counts without it."""
    from gitmem.notes import frontmatter

    data = notes.raw(memory.store, target.path)
    if any(problem.severity == "error" for problem in target.problems):
        return None
    if status is None:
        return Save(target.path, frontmatter.rewrite(data, {}, removed=["status"]))
    return Save(target.path, frontmatter.rewrite(data, {"status": status}))


def with_link(note: Note, link: Link) -> Note:
    """Returns a note that makes a claim, in place of the same claim made before."""
    same = [each for each in note.links if (each.verb, fold(each.to)) == (link.verb, fold(link.to))]
    if not same:
        return note._replace(links=(*note.links, link))
    return note._replace(links=tuple(link if each in same else each for each in note.links))


def without_link(note: Note, verb: str, names: Sequence[str]) -> Note:
    """Returns a note without its claims of a verb on any of these names."""
    keys = {fold(name) for name in names}
    return note._replace(links=tuple(each for each in note.links if each.verb != verb or fold(each.to) not in keys))

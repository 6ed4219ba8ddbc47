"""Linking: claims between notes made and taken back, notes renamed, worklist notes closed."""

import os

from gitmem.errors import GitmemError
from gitmem.notes import store as notes
from gitmem.notes import vocabulary as words
from gitmem.notes.name import check_new_name, fold
from gitmem.notes.note import Entry, Link, Note
from gitmem.operations.claims import Save, checked_links, stamped, stamps, with_link, without_link
from gitmem.operations.coverage import noted
from gitmem.operations.draft import Author, rewritten
from gitmem.operations.lapse import lapsed, owned
from gitmem.operations.memory import Finder, Memory, shown_path
from gitmem.operations.transaction import carry_out
from gitmem.operations.unfinished import guard_tracked, unfinished
from gitmem.operations.write import Reply, check_free, check_place


def link(
    memory: Memory,
    source: str,
    verb: str,
    target: str,
    *,
    note: str | None = None,
    weight: float | None = None,
    author: Author | None = None,
) -> Reply:
    """Makes a claim in the source note, and what it changes in the target; the same claim again changes its note or weight.

    `author` is who makes it; without one the environment tells whether an agent does.
    """
    verb = words.verb_named(memory.config.vocabulary, verb)
    if weight is not None and not 0 <= weight <= 1:
        raise GitmemError("bad-value", f"The weight {weight} is not between 0 and 1.", "Give a number such as 0.7.")
    with notes.lock(memory.store):
        finder = Finder(memory)
        entry = finder.entry(source)
        claim = checked_links(finder, [Link(verb, target, note or None, 1.0)], entry.name, entry.path)[0]
        spellings = finder.spellings(finder.entry(target))
        claim = _kept(entry.note, claim, spellings, note, weight)
        return _claim(finder, entry, with_link(entry.note, claim, spellings), author) | {"verb": verb, "to": claim.to}


def _kept(entry: Note, claim: Link, spellings: list[str], note: str | None, weight: float | None) -> Link:
    """Returns a claim with what is given, and for the rest with what the same claim says already."""
    keys = {fold(name) for name in spellings}
    before = next((each for each in entry.links if each.verb == claim.verb and fold(each.to) in keys), claim)
    return claim._replace(
        note=before.note if note is None else note or None, weight=before.weight if weight is None else weight
    )


def unlink(memory: Memory, source: str, verb: str, target: str, *, author: Author | None = None) -> Reply:
    """Takes a claim back, and the status it gave its target; a target that no longer exists can be unlinked, too.

    `author` is as in link.
    """
    verb = words.verb_named(memory.config.vocabulary, verb)
    with notes.lock(memory.store):
        finder = Finder(memory)
        entry = finder.entry(source)
        note = without_link(entry.note, verb, _spellings(finder, target))
        if note == entry.note:
            message = f"{entry.name} has no link {verb} to {target}."
            raise GitmemError("no-link", message, f"gitmem show {entry.name} lists its links.")
        return _claim(finder, entry, note, author) | {"verb": verb, "to": target}


def _spellings(finder: Finder, word: str) -> list[str]:
    try:
        return [word, *finder.spellings(finder.entry(word))]
    except GitmemError:  # a name that no note has any more
        return [word]


def _claim(finder: Finder, entry: Entry, note: Note, author: Author | None = None) -> Reply:
    note = owned(entry.note, note, finder.memory.environment, author)
    told = noted(finder, {"warnings": []}, entry._replace(note=note), entry, author)
    data = notes.raw(finder.memory.store, entry.path)
    new = rewritten(entry, data, note, finder.memory.store.verbs)
    own = [Save(entry.path, new)] if new != data else []
    reply = _saved(finder.memory, entry, [*own, *stamps(finder, entry.path, note.links, entry.note.links)])
    return lapsed(reply | told, entry.note, note)


def _saved(memory: Memory, entry: Entry, saves: list[Save]) -> Reply:
    return _reply(memory, entry.name, entry.path, carry_out(memory, saves).paths)


def _reply(memory: Memory, name: str, path: str, changed: list[str]) -> Reply:
    return {
        "name": name,
        "path": shown_path(memory, path),
        "changed": [shown_path(memory, each) for each in changed],
        "deferred": unfinished(memory) is not None,
    }


def rename(memory: Memory, name: str, new_name: str) -> Reply:
    """Gives a note another name; the old one becomes an alias, so that links to it hold. The title stays."""
    new_name = check_new_name(new_name)
    with notes.lock(memory.store):
        finder = Finder(memory)
        entry = finder.entry(name)
        check_free(finder, new_name, entry.path)
        path = entry.path.removesuffix(os.path.basename(entry.path)) + f"{new_name}.md"
        if path == entry.path:
            return _reply(memory, entry.name, path, []) | {"alias": None}
        if not _is_same(memory, entry.path, path):
            check_place(memory, path)
        return _renamed(finder, entry, new_name, path)


def _is_same(memory: Memory, old: str, new: str) -> bool:
    """Returns whether the disk takes both names, spellings of one, for the same file."""
    places = [os.path.join(memory.store.folder, path) for path in (old, new)]
    return fold(old) == fold(new) and os.path.lexists(places[1]) and os.path.samestat(*map(os.lstat, places))


def _renamed(finder: Finder, entry: Entry, new_name: str, path: str) -> Reply:
    """Writes the alias first and moves then: killed in between, the note has an alias that says nothing new."""
    guard_tracked(finder.memory, [entry.path, path])
    memory = finder.memory
    alias = entry.name if len(finder.names.paths(entry.name)) == 1 and fold(entry.name) != fold(new_name) else None
    aliases = dict.fromkeys((*entry.note.aliases, *([alias] if alias else [])))
    kept = tuple(each for each in aliases if fold(each) != fold(new_name))
    data = notes.raw(memory.store, entry.path)
    new = rewritten(entry, data, entry.note._replace(aliases=kept), memory.store.verbs)
    if new != data:
        notes.save(memory.store, entry.path, new)
    _move(memory, entry.path, path)
    return _reply(memory, new_name, path, [entry.path, path]) | {"alias": alias}


def _move(memory: Memory, old: str, new: str) -> None:
    """Moves a note's file; where the disk takes both names for one file, over a third."""
    if not os.path.lexists(os.path.join(memory.store.folder, new)):
        notes.move(memory.store, old, new)
        return
    aside = f"{new.removesuffix('.md')}.renaming.md"
    notes.move(memory.store, old, aside)
    try:
        notes.move(memory.store, aside, new)
    except GitmemError:
        notes.move(memory.store, aside, old)
        raise


def resolve(
    memory: Memory, name: str, *, by: str | None = None, status: str = "resolved", author: Author | None = None
) -> Reply:
    """Closes a worklist note; with `by`, through a link from the note that answers it. `author` is as in link.

    Raises GitmemError for another kind of note, and for a status that closes none.
    """
    if status not in words.SETTLED:
        hint = f"Use one of {', '.join(words.SETTLED)}."
        raise GitmemError("unknown-status", f"{status!r} does not close a note.", hint, status=2)
    if by is None:
        return _closed(memory, name, status)
    answered = link(memory, by, words.verb_with(memory.config.vocabulary, "answer"), name, author=author)
    closed = _closed(memory, name, status)
    changed = list(dict.fromkeys([*answered["changed"], *closed["changed"]]))
    return {**closed, "changed": changed, "by": answered["name"], "warnings": answered["warnings"]}


def _closed(memory: Memory, name: str, status: str) -> Reply:
    with notes.lock(memory.store):
        entry = Finder(memory).entry(name)
        worklist = words.types_with(memory.config.vocabulary, "worklist")
        if entry.note.type not in worklist:
            message = f"{entry.name} is of type {entry.note.type!r}; only {', '.join(sorted(worklist))} are resolved."
            hint = f"To retire it: gitmem revise {entry.name} --status archived"
            raise GitmemError("not-worklist", message, hint)
        return _saved(memory, entry, [stamped(memory, entry, status)] if entry.note.status != status else [])

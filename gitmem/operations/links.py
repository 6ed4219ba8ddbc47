"""Linking: claims between notes made and taken back, notes renamed, worklist notes closed."""

from gitmem.errors import GitmemError
from gitmem.notes import store as notes
from gitmem.notes import vocabulary as words
from gitmem.notes.name import check_new_name, fold
from gitmem.notes.note import Entry, Link, Note
from gitmem.notes.store import Names
from gitmem.operations.claims import Save, checked_links, stamped, stamps, with_link, without_link
from gitmem.operations.memory import Memory, locate, shown_path
from gitmem.operations.write import Reply, guard_tracked, rewritten
from gitmem.storage import disk

CLOSED = ("resolved", "obsolete")


def link(
    memory: Memory, source: str, verb: str, target: str, *, note: str | None = None, weight: float | None = None
) -> Reply:
    """Makes a claim in the source note, and what it changes in the target; the same claim again changes its note or weight."""
    verb = words.verb_named(memory.config.vocabulary, verb)
    if weight is not None and not 0 <= weight <= 1:
        raise GitmemError("bad-value", f"The weight {weight} is not between 0 and 1.", "Give a number such as 0.7.")
    with notes.lock(memory.store):
        known = notes.names(memory.store)
        entry = locate(memory, source, known)
        claim = Link(verb, target, note or None, 1.0 if weight is None else weight)
        claim = checked_links(memory, entry.note.type, [claim], known, entry.name)[0]
        return _claim(memory, entry, with_link(entry.note, claim), known) | {"verb": verb, "to": claim.to}


def unlink(memory: Memory, source: str, verb: str, target: str) -> Reply:
    """Takes a claim back, and the status it gave its target; a target that no longer exists can be unlinked, too."""
    verb = words.verb_named(memory.config.vocabulary, verb)
    with notes.lock(memory.store):
        known = notes.names(memory.store)
        entry = locate(memory, source, known)
        note = without_link(entry.note, verb, _spellings(memory, target, known))
        if note == entry.note:
            raise GitmemError(
                "no-link", f"{entry.name} has no link {verb} to {target}.", f"gitmem show {entry.name} lists its links."
            )
        return _claim(memory, entry, note, known) | {"verb": verb, "to": target}


def _spellings(memory: Memory, word: str, known: Names) -> list[str]:
    try:
        target = locate(memory, word, known)
    except GitmemError:
        return [word]
    return [word, target.name, *target.note.aliases]


def _claim(memory: Memory, entry: Entry, note: Note, known: Names) -> Reply:
    data = notes.raw(memory.store, entry.path)
    others = stamps(memory, entry.name, note.links, entry.note.links, known)
    saves = [Save(entry.path, rewritten(memory, data, entry.note, note)), *others]
    return _saved(memory, entry, [save for save in saves if save.data != data or save.path != entry.path])


def _saved(memory: Memory, entry: Entry, saves: list[Save]) -> Reply:
    guard_tracked(memory, [save.path for save in saves])
    for save in saves:
        notes.save(memory.store, save.path, save.data)
    changed = [shown_path(memory, save.path) for save in saves]
    return {"name": entry.name, "path": shown_path(memory, entry.path), "changed": changed}


def rename(memory: Memory, name: str, new_name: str) -> Reply:
    """Gives a note another name; the old one becomes an alias, so that links to it hold. The title stays."""
    new_name = check_new_name(new_name)
    with notes.lock(memory.store):
        known = notes.names(memory.store)
        entry = locate(memory, name, known)
        taken = [path for path in known.paths(new_name) if path != entry.path]
        if taken:
            raise GitmemError("name-taken", f"A note is named {new_name!r} already.", f"gitmem show {new_name}")
        if new_name == entry.name:
            return _saved(memory, entry, [])
        guard_tracked(memory, [entry.path])
        return _renamed(memory, entry, new_name)


def _renamed(memory: Memory, entry: Entry, new_name: str) -> Reply:
    folder = entry.path.rpartition("/")[0]
    path = f"{folder}/{new_name}.md" if folder else f"{new_name}.md"
    aliases = dict.fromkeys((*entry.note.aliases, entry.name))
    kept = tuple(alias for alias in aliases if fold(alias) != fold(new_name))
    data = notes.raw(memory.store, entry.path)
    notes.save(memory.store, entry.path, rewritten(memory, data, entry.note, entry.note._replace(aliases=kept)))
    if fold(new_name) == fold(entry.name):
        disk.move(memory.store.folder, entry.path, path + ".part.md")
        disk.move(memory.store.folder, path + ".part.md", path)
    else:
        disk.move(memory.store.folder, entry.path, path)
    changed = [shown_path(memory, entry.path), shown_path(memory, path)]
    return {"name": new_name, "path": changed[1], "changed": changed, "alias": entry.name}


def resolve(memory: Memory, name: str, *, by: str | None = None, status: str = "resolved") -> Reply:
    """Closes a worklist note; with `by`, through a link from the note that answers it."""
    if status not in CLOSED:
        raise GitmemError(
            "unknown-status", f"{status!r} does not close a note.", f"Use one of {', '.join(CLOSED)}.", status=2
        )
    vocabulary = memory.config.vocabulary
    if by:
        answer = words.verb_with(vocabulary, "answer")
        reply = link(memory, by, answer, name)
        return {
            **reply,
            "name": reply["to"],
            "path": shown_path(memory, locate(memory, name).path),
            "by": reply["name"],
        }
    with notes.lock(memory.store):
        entry = locate(memory, name)
        if entry.note.type not in words.types_with(vocabulary, "worklist"):
            kinds = ", ".join(sorted(words.types_with(vocabulary, "worklist")))
            message = f"{entry.name} is a {entry.note.type}; only worklist notes ({kinds}) are resolved."
            raise GitmemError("not-worklist", message, "To retire any note: gitmem revise NAME --status archived")
        save = stamped(memory, entry, status) if entry.note.status != status else None
        return _saved(memory, entry, [save] if save else [])

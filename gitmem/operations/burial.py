"""Burial: notes put away on purpose, under a tombstone that keeps their subject from coming back."""

from collections.abc import Iterator, Sequence
from shlex import quote

from gitmem.errors import GitmemError
from gitmem.notes import store as notes
from gitmem.notes import vocabulary as words
from gitmem.notes.name import fold, name_for
from gitmem.notes.note import Entry
from gitmem.notes.shown import cut
from gitmem.operations import write
from gitmem.operations.approval import check_unpinned
from gitmem.operations.claims import Save, claimed, stamped, stamps
from gitmem.operations.dangling import dangling, warned
from gitmem.operations.draft import TITLE_LIMIT, Author, Draft, rewritten
from gitmem.operations.lapse import owned
from gitmem.operations.memory import Finder, Memory, shown_path
from gitmem.operations.near import Neighbours
from gitmem.operations.retiring import retired
from gitmem.operations.transaction import carry_out
from gitmem.operations.unfinished import unfinished
from gitmem.operations.verdict import RETIRED
from gitmem.search.query import TOMBSTONES, Wanted
from gitmem.storage.plumbing import tracked
from gitmem.values import Any, NamedTuple

Reply = dict[str, Any]  # Any: the JSON of design section 14

TITLE = "Removed: {name}"  # the subject alone: the note's own title may be the very claim that is removed
NO_REASON = "No reason was given."


class _Stone(NamedTuple):
    """The tombstone of a note, what is saved for it, and whether it was there already and says what it said."""

    entry: Entry
    saves: list[Save]
    known: bool


def bury(memory: Memory, name: str, reason: str, author: Author) -> Reply:
    """Archives a note under a tombstone that gives the reason (reply of design section 14); both, or neither.

    The same again changes nothing. Raises GitmemError for a tombstone, and for a note that is pinned.
    """
    if not reason.strip():
        raise GitmemError("missing-value", "The reason is empty.", "Say why it must not come back.", status=2)
    with notes.lock(memory.store):
        finder = Finder(memory)
        entry = finder.entry(name)
        check_unpinned(entry)
        if _is_tombstone(memory, entry):
            hint = f"To let its subject live: gitmem revise {quote(entry.name)} --status archived"
            raise GitmemError("wrong-target", f"{entry.name} is a tombstone itself.", hint)
        stone = _stone(finder, entry, [entry.name], reason, author)
        saves = [*stone.saves, *([] if entry.note.status == "archived" else [stamped(memory, entry, "archived")])]
        gone = retired(finder, [entry], author)
        changed = carry_out(memory, saves).paths
    return _reply(memory, entry, changed, stone) | {"warnings": [*_known(stone), *gone]}


def forget(memory: Memory, name: str, author: Author, *, reason: str | None = None, trace: bool = True) -> Reply:
    """Deletes a note's file and leaves a tombstone, without `trace` none; names what dangles then. For a person only.

    What the note had replaced stays superseded; a problem that it alone answered is open again. A tombstone leaves no
    tombstone. Raises GitmemError for a note that is pinned.
    """
    if reason and not trace:
        raise GitmemError(
            "usage", "Without a trace there is no place for a reason.", "Leave out one of them.", status=2
        )
    with notes.lock(memory.store):
        finder = Finder(memory)
        entry = finder.entry(name)
        check_unpinned(entry)
        trace = trace and not _is_tombstone(memory, entry) and len(finder.names.paths(entry.name)) == 1
        stone = _stone(finder, entry, _names(finder, entry), reason, author) if trace else None
        left = list(_left_superseded(finder, entry))
        saves = [*(stone.saves if stone else ()), *_stamped(memory, left), *_reopened(finder, entry)]
        dangled = list(dangling(finder, [entry]))
        warnings = [*(_known(stone) if stone else ()), *map(warned, dangled), *map(_orphaned, left)]
        warnings += _unkept(memory, entry)
        changed = carry_out(memory, saves, [entry.path]).paths
    return _reply(memory, entry, changed, stone) | {"dangling": dangled, "warnings": warnings}


def _reply(memory: Memory, entry: Entry, changed: Sequence[str], stone: _Stone | None) -> Reply:
    return {
        "name": entry.name,
        "path": shown_path(memory, entry.path),
        "changed": [shown_path(memory, path) for path in changed],
        "tombstone": stone.entry.name if stone else None,
        "deferred": unfinished(memory) is not None,
    }


def _is_tombstone(memory: Memory, entry: Entry) -> bool:
    return entry.note.type in words.types_with(memory.config.vocabulary, "tombstone")


# The tombstone


def _names(finder: Finder, entry: Entry) -> list[str]:
    """Returns every name by which a note could come back: its own, its aliases, and the one that its title gives."""
    plain = name_for(entry.note.title, taken={}, created=None)
    free = [plain] if finder.target(plain) in (None, entry.path) else []
    found = {fold(name): name for name in (*free, *reversed(finder.spellings(entry)))}
    return list(reversed(found.values()))


def _stone(finder: Finder, entry: Entry, names: Sequence[str], reason: str | None, author: Author) -> _Stone:
    """Returns the tombstone of a note: one that stands already, else a new one, or one of its title made to stand."""
    there = _standing(finder, entry.name)
    if there:
        return _Stone(there, [], known=True)
    kind = words.type_with(finder.memory.config.vocabulary, "tombstone")
    draft = Draft(title=cut(TITLE.format(name=entry.name), TITLE_LIMIT), type=kind, body=reason or NO_REASON)
    stone, saves, _ = write.planned(Neighbours(finder), draft, author, buried=tuple(names))
    return _Stone(stone, saves or _raised(finder, stone, names, draft.body, author), known=False)


def _standing(finder: Finder, name: str) -> Entry | None:
    """Returns the live tombstone that names a note among what it buried."""
    view, kinds = finder.view, words.types_with(finder.memory.config.vocabulary, "tombstone")
    found = map(view.entry, view.passing(Wanted(types=tuple(kinds)), TOMBSTONES) if kinds else ())
    named = (entry for entry in found if fold(name) in map(fold, entry.note.buried))
    return min(named, key=lambda entry: entry.path, default=None)


def _raised(finder: Finder, stone: Entry, names: Sequence[str], reason: str | None, author: Author) -> list[Save]:
    """Returns the save by which a tombstone of this title, put away or naming others, stands for these names, too."""
    store, note = finder.memory.store, stone.note
    status = None if note.status in RETIRED else note.status
    buried = {fold(name): name for name in (*note.buried, *names)}
    new = note._replace(status=status, buried=tuple(buried.values()), body=reason or note.body)
    new = owned(note, new, finder.memory.environment, author)
    return [Save(stone.path, rewritten(stone, notes.raw(store, stone.path), new, store.verbs))]


def _known(stone: _Stone) -> Iterator[Reply]:
    if stone.known:
        name = stone.entry.name
        message = f"{name} says already why; gitmem revise {quote(name)} --body TEXT gives another reason."
        yield {"code": "already-buried", "name": name, "message": message}


# What hung on a note that is gone


def _left_superseded(finder: Finder, entry: Entry) -> Iterator[Entry]:
    """Yields the notes that a note alone replaces."""
    verbs = words.verbs_with(finder.memory.config.vocabulary, "supersession")
    paths = {finder.target(link.to): link for link in entry.note.links if link.verb in verbs}
    for path in paths:
        target = finder.load(path) if path and path != entry.path else None
        if target and "superseded" not in claimed(finder, target, entry.path):
            yield target


def _stamped(memory: Memory, targets: Sequence[Entry]) -> list[Save]:
    """Returns the stamps that keep an old claim from coming back where the link that replaced it goes."""
    return [stamped(memory, each, "superseded") for each in targets if each.note.status not in RETIRED]


def _reopened(finder: Finder, entry: Entry) -> list[Save]:
    """Returns what taking a note's links away changes in their targets, those that it replaces left aside."""
    verbs = words.verbs_with(finder.memory.config.vocabulary, "supersession")
    kept = tuple(link for link in entry.note.links if link.verb in verbs)
    return stamps(finder, entry.path, kept, entry.note.links)


def _orphaned(target: Entry) -> Reply:
    message = (
        f"{target.name} stays superseded, though what replaced it is gone;"
        f" gitmem revise {quote(target.name)} --status '' makes it hold again."
    )
    return {"code": "successor-unknown", "name": target.name, "message": message}


def _unkept(memory: Memory, entry: Entry) -> list[Reply]:
    """Returns a warning where Git has nothing of a note: nobody will get it back."""
    path = shown_path(memory, entry.path)
    if memory.repository and tracked(memory.repository.top, [path], environment=memory.environment):
        return []
    message = f"{entry.name} was never committed: nothing of it is left."
    return [{"code": "no-history", "name": entry.name, "message": message}]

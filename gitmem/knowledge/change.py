"""Change: what one set of notes says otherwise than another, in the words of a memory and not of its files."""

from collections.abc import Callable, Collection, Mapping, Sequence

from gitmem.knowledge import graph as graphs
from gitmem.knowledge.graph import Graph
from gitmem.notes.name import fold
from gitmem.notes.note import Entry, Link, Note
from gitmem.values import NamedTuple

# What is told of a note otherwise than as a revision of a field.
APART = ("links", "aliases", "buried")
STAMPS = ("superseded", "archived")


class Revised(NamedTuple):
    """A note whose text or fields changed, and which of them."""

    entry: Entry
    fields: tuple[str, ...]


class Taken(NamedTuple):
    """A note that another one, by name, has replaced or buried since; None where nothing says which."""

    entry: Entry
    by: str | None


class Renamed(NamedTuple):
    """A note under its new name, and the old one."""

    entry: Entry
    old: str


class Relinked(NamedTuple):
    """A note whose claims about others changed: those that came and those that went."""

    entry: Entry
    came: tuple[Link, ...]
    went: tuple[Link, ...]


class Outdated(NamedTuple):
    """A note that stayed as it was, and those of its touches, without hashes, whose code did not: each with its state."""

    entry: Entry
    touches: tuple[tuple[str, str], ...]


class Difference(NamedTuple):
    """Everything that changed, each list by name; a note stands in every list that tells something of it."""

    added: tuple[Entry, ...]
    revised: tuple[Revised, ...]
    superseded: tuple[Taken, ...]
    buried: tuple[Taken, ...]
    renamed: tuple[Renamed, ...]
    removed: tuple[Entry, ...]
    relinked: tuple[Relinked, ...]
    stale: tuple[Outdated, ...]


class Pair(NamedTuple):
    """One note before and after."""

    before: Entry
    after: Entry


def compare(
    before: Sequence[Entry], after: Sequence[Entry], *, supersession: Collection[str], moved: Mapping[str, str]
) -> Difference:
    """Returns what changed between two sets of notes.

    Notes that are equal in both may be left out of both, but for those that a changed note points to. `supersession`
    are the verbs by which a note replaces another; `moved` gives, by old path, the path where Git sees a file again.
    """
    pairs, removed, added = paired(before, after, moved)
    old, new = graphs.build(before), graphs.build(after)
    superseded = _superseded(old, new, {pair.after.path: pair.before for pair in pairs}, supersession)
    buried = _buried(old, new)
    taken = {each.entry.path for each in (*superseded, *buried)}
    return Difference(
        tuple(added),
        tuple(each for pair in pairs if (each := _revised(pair, taken)).fields),
        tuple(superseded),
        tuple(buried),
        tuple(Renamed(pair.after, pair.before.name) for pair in pairs if _is_renamed(pair)),
        tuple(removed),
        tuple(each for each in map(_relinked, pairs) if each.came or each.went),
        (),
    )


def paired(
    before: Sequence[Entry], after: Sequence[Entry], moved: Mapping[str, str]
) -> tuple[list[Pair], list[Entry], list[Entry]]:
    """Returns the notes that both sets have, then those only the first has, then those only the second has.

    A note is the same at the same path, then under the same name, then where the new one has the old name as an alias,
    then where Git saw the file move, then where the bytes are the same.
    """
    pairs: list[Pair] = []
    left = {entry.path: entry for entry in sorted(before, key=_by_name)}
    came = {entry.path: entry for entry in sorted(after, key=_by_name)}
    for was, names in _likenesses(moved):
        owners = {key: path for path, entry in reversed(came.items()) for key in names(entry)}
        for path, old in list(left.items()):
            new = came.pop(owners.get(was(old), ""), None)
            if new:
                pairs.append(Pair(left.pop(path), new))
    return sorted(pairs, key=lambda pair: _by_name(pair.after)), list(left.values()), list(came.values())


_Likeness = tuple[Callable[[Entry], str], Callable[[Entry], Sequence[str]]]


def _likenesses(moved: Mapping[str, str]) -> tuple[_Likeness, ...]:
    """Returns what makes two notes one, the surest first: the key of an old note, and the keys of a new one."""
    return (
        (lambda old: old.path, lambda new: [new.path]),
        (lambda old: fold(old.name), lambda new: [fold(new.name)]),
        (lambda old: fold(old.name), lambda new: [fold(alias) for alias in new.note.aliases]),
        (lambda old: moved.get(old.path, ""), lambda new: [new.path]),
        (lambda old: old.digest, lambda new: [new.digest]),
    )


def _by_name(entry: Entry) -> tuple[str, str]:
    return entry.name, entry.path


def _is_renamed(pair: Pair) -> bool:
    return fold(pair.before.name) != fold(pair.after.name)


def _superseded(old: Graph, new: Graph, before: Mapping[str, Entry], verbs: Collection[str]) -> list[Taken]:
    """Returns the notes that are superseded now and were not before; `before` gives the old note by new path."""
    then, now = graphs.replacements(old, verbs), graphs.replacements(new, verbs)
    found = []
    for entry in sorted(new.entries, key=_by_name):
        was = before.get(entry.path)
        if entry.path in now or entry.note.status == "superseded":
            known = was and (was.path in then or was.note.status == "superseded")
            if was and not known:
                found.append(Taken(entry, now[entry.path].source.name if entry.path in now else None))
    return found


def _buried(old: Graph, new: Graph) -> list[Taken]:
    """Returns the notes that a tombstone names now and none named before, whether their files are still there or not."""
    known = {fold(name) for entry in old.entries for name in entry.note.buried}
    by = {fold(name): entry.name for entry in reversed(new.entries) for name in entry.note.buried}
    names = sorted(by.keys() - known)  # a tombstone may name a note by its aliases, too
    found = {name: graphs.resolve(new, name) or graphs.resolve(old, name) for name in names}
    taken = {entry.path: Taken(entry, by[name]) for name, entry in found.items() if entry}
    return sorted(taken.values(), key=lambda each: _by_name(each.entry))


def _revised(pair: Pair, taken: Collection[str]) -> Revised:
    """Returns which fields changed, without those that are told elsewhere, and the stamp of what took the note."""
    before, after = pair.before.note, pair.after.note
    fields = [field for field in Note._fields if field not in APART and getattr(before, field) != getattr(after, field)]
    stamped = after.status in STAMPS and pair.after.path in taken
    return Revised(pair.after, tuple(field for field in fields if not (field == "status" and stamped)))


def _relinked(pair: Pair) -> Relinked:
    before, after = pair.before.note.links, pair.after.note.links
    came = tuple(link for link in after if link not in before)
    return Relinked(pair.after, came, tuple(link for link in before if link not in after))

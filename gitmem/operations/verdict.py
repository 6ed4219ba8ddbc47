"""The verdict on a note about to be written: what says the same, seems to disagree, was put away, or is worth a link."""

import re
from collections.abc import Collection, Iterator, Sequence

from gitmem.errors import GitmemError
from gitmem.notes import vocabulary as words
from gitmem.notes.name import fold, name_for, slug
from gitmem.notes.note import Entry, Note
from gitmem.operations.memory import Finder, config_faults
from gitmem.search.query import TOMBSTONES, Wanted
from gitmem.values import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # late at run time: what only links notes compares none
    from gitmem.knowledge.compare import Comparison
    from gitmem.operations.near import Near, Neighbours

Reply = dict[str, Any]  # Any: the JSON of design section 14

RETIRED = ("superseded", "archived")
_GONE = frozenset((*RETIRED, "tombstone"))
# Thresholds, each chosen on half 0 of tests/data/pairs.jsonl and on the pairs beside it (`python -m tests.bench verdicts`
# prints what they find). SUSPECT: of 838 pairs that agree, each judged by weights fitted without its author, 6.6 % have more
# than .68; at .7 a pair in 150 of neighbours in real stores is raised.
# Probability from which a note of the same type says what another says: of 1,184 pairs that do not, each judged by weights
# fitted without its author, none has more than .48; of 99 that do, 44 have more than .6.
DUPLICATE = 0.6
# Probability from which two notes seem to disagree.
SUSPECT = 0.7
# Likeness from which a note is near one that is superseded, contested or buried, and from which one is worth a link.
WARNING = 0.55
RELATED = 0.5
MOST_RELATED = 5
SHOWN = 90  # characters of a clause in a reason


class Verdict(NamedTuple):
    """What is beside a note: the lists of design section 14, and the names that it is to be stamped with as suspects."""

    duplicates: list[Reply]
    suspects: list[Reply]
    warnings: list[Reply]
    related: list[Reply]
    stamps: tuple[str, ...]

    def told(self) -> Reply:
        """Returns what a reply says of it."""
        return {key: value for key, value in self._asdict().items() if key != "stamps"}


NONE = Verdict([], [], [], [], ())


def neighbours(finder: Finder) -> "Neighbours":
    """Returns what finds the notes near to others, for one command."""
    from gitmem.operations.near import Neighbours

    return Neighbours(finder)


def judged(neighbours: "Neighbours", entry: Entry, namesakes: Sequence[Entry] = ()) -> Verdict:
    """Returns the verdict on a note as it is about to be written; `namesakes` are the notes of the same title.

    What either note says is distinct from the other, or links to it, is neither a duplicate nor a suspect.
    """
    finder = neighbours.finder
    policy, vocabulary = finder.memory.config.policy, finder.memory.config.vocabulary
    near = neighbours.of(entry, beside=namesakes)
    marks = _marks(finder, [each.entry for each in near])
    live = [each for each in near if not marks[each.entry.path] & _GONE]
    apart = [each for each in live if not _speaks(entry, each.entry) and not _speaks(each.entry, entry)]
    free = [each for each in apart if not _is_apart(vocabulary, each.entry)]
    suspects = [each for each in free if _disagrees(entry, each, policy.suspect)]
    others = [each for each in free if each not in suspects]
    twins = [each for each in others if _is_twin(entry, each)]
    doubles = [each for each in others if each not in twins and _repeats(entry, each, policy.duplicate)]
    rest = [each for each in apart if each not in twins and each not in doubles and each not in suspects]
    related = [each for each in rest if each.comparison.likeness >= _chosen(policy.related, RELATED)]
    told = list(_warnings(near, marks, _chosen(policy.warning, WARNING)))
    return Verdict(
        [*(_alike(each, 1.0) for each in twins), *(_alike(each, each.comparison.same) for each in doubles)],
        [_suspect(each) for each in suspects],
        [*told, *_buried(neighbours, entry, told), *config_faults(finder.memory)],
        [_related(vocabulary, entry, each) for each in related[:MOST_RELATED]],
        tuple(each.entry.name for each in suspects if _is_newer(entry, each.entry)),
    )


class Dispute(NamedTuple):
    """Two notes that seem to disagree, the reason in a sentence that names both, and its kind."""

    newer: Entry
    older: Entry
    reason: str
    kind: str


def disputes(neighbours: "Neighbours", entry: Entry) -> Iterator[Dispute]:
    """Yields the notes that one that is there seems to disagree with, judged and stamped pairs left out."""
    finder = neighbours.finder
    policy, vocabulary = finder.memory.config.policy, finder.memory.config.vocabulary
    if entry.note.status in (*RETIRED, *words.SETTLED) or _is_apart(vocabulary, entry):
        return
    near = neighbours.of(entry)
    marks = _marks(finder, [entry, *(each.entry for each in near)]) if near else {}
    for each in near if not marks.get(entry.path, frozenset()) & set(RETIRED) else ():
        other = each.entry
        gone = bool(marks[other.path] & set(RETIRED)) or _is_apart(vocabulary, other)
        known = any(_speaks(*pair) or _suspects(*pair) for pair in ((entry, other), (other, entry)))
        if not gone and not known and _disagrees(entry, each, policy.suspect):
            yield _dispute(entry, each)


def _dispute(entry: Entry, near: "Near") -> Dispute:
    if _is_newer(entry, near.entry):
        return Dispute(entry, near.entry, reason(near.comparison, near.entry.name), near.comparison.kind)
    turned = near.comparison._replace(here=near.comparison.there, there=near.comparison.here)
    return Dispute(near.entry, entry, reason(turned, entry.name), turned.kind)


def revised(neighbours: "Neighbours", old: Entry, new: Entry) -> Verdict:
    """Returns the verdict on a note as it is about to be changed; suspects that nothing speaks against stay.

    Where it says what it said, nothing is looked at.
    """
    if _claims(old.note) == _claims(new.note):
        return NONE._replace(stamps=new.note.suspects)
    found = judged(neighbours, new._replace(path=old.path, name=old.name))
    cleared = {fold(each["name"]) for each in (*found.duplicates, *found.related)}
    kept = [name for name in new.note.suspects if fold(name) not in cleared]
    return found._replace(duplicates=[], stamps=tuple(dict.fromkeys([*kept, *found.stamps])))


def _claims(note: Note) -> tuple[object, ...]:
    return note.title, note.summary, note.body, note.type, note.status, note.sensitive


def _chosen(threshold: float | None, usual: float) -> float:
    return usual if threshold is None else threshold


def disagrees(comparison: "Comparison", threshold: float | None = None) -> bool:
    """Returns whether two notes seem to disagree."""
    from gitmem.knowledge.compare import probability

    return bool(comparison.kind) and probability(comparison) >= _chosen(threshold, SUSPECT)


def is_double(comparison: "Comparison", threshold: float | None = None) -> bool:
    """Returns whether two notes say the same, and are not likelier to disagree than not."""
    return comparison.same >= _chosen(threshold, DUPLICATE) and comparison.odds < 0


def reason(comparison: "Comparison", name: str) -> str:
    """Returns in one sentence what either note says."""
    return f'"{_short(comparison.here)}" here, "{_short(comparison.there)}" in {name}.'


def _short(text: str) -> str:
    line = " ".join(text.split()).rstrip(".;:,")
    return line if len(line) <= SHOWN else line[: SHOWN - 1].rstrip() + "…"


def _is_twin(entry: Entry, near: "Near") -> bool:
    """Returns whether a note has the type and the title of another."""
    one, other = entry.note, near.entry.note
    return one.type == other.type and fold(one.title) == fold(other.title)


def _repeats(entry: Entry, near: "Near", threshold: float | None) -> bool:
    return entry.note.type == near.entry.note.type and is_double(near.comparison, threshold)


def _disagrees(entry: Entry, near: "Near", threshold: float | None) -> bool:
    settled = entry.note.status in (*words.SETTLED, *RETIRED) or near.entry.note.status in words.SETTLED
    return not settled and disagrees(near.comparison, threshold)


def _is_newer(entry: Entry, other: Entry) -> bool:
    return (entry.note.created or "") >= (other.note.created or "")


def _is_apart(vocabulary: words.Vocabulary, entry: Entry) -> bool:
    """Returns whether a note claims nothing that another could repeat or deny: a tombstone, an anchor, a checkpoint."""
    declared = vocabulary.types.get(entry.note.type)
    return declared is not None and declared.role in ("tombstone", "anchor", "checkpoint")


def _suspects(one: Entry, other: Entry) -> bool:
    return bool({fold(name) for name in one.note.suspects} & {fold(other.name), *map(fold, other.note.aliases)})


def _speaks(one: Entry, other: Entry) -> bool:
    said = {fold(word) for word in (*(link.to for link in one.note.links), *one.note.distinct)}
    return bool(said & {fold(other.name), *map(fold, other.note.aliases)})


def _marks(finder: Finder, entries: Sequence[Entry]) -> dict[str, frozenset[str]]:
    from gitmem.operations.standing import Judge
    from gitmem.search.document import roles_of

    judge = Judge(finder.memory, finder.view, roles_of(finder.memory.config.vocabulary))
    return {path: frozenset(each.marks) for path, each in judge.of(entries).items()}


# What is told


def _alike(near: "Near", similarity: float) -> Reply:
    return _named(near) | {"similarity": round(min(similarity, 1.0), 3)}


def _suspect(near: "Near") -> Reply:
    return _named(near) | {"reason": reason(near.comparison, near.entry.name)}


def _named(near: "Near") -> Reply:
    return {"name": near.entry.name, "title": near.entry.note.title}


_SAID = {
    "tombstone": "{name} says that this was removed on purpose: {title}",
    "superseded": "{name} is superseded: {title}",
    "contested": "{name} is contested by another note: {title}",
}


def _warnings(near: "Sequence[Near]", marks: dict[str, frozenset[str]], threshold: float) -> Iterator[Reply]:
    for each in near:
        if each.comparison.likeness >= threshold:
            code = next((mark for mark in _SAID if mark in marks[each.entry.path]), None)
            if code:
                message = _SAID[code].format(name=each.entry.name, title=each.entry.note.title)
                shown = "tombstoned" if code == "tombstone" else code
                yield {"code": shown, "name": each.entry.name, "message": f"{message.rstrip('.')}."}


def _buried(neighbours: "Neighbours", entry: Entry, told: Sequence[Reply]) -> Iterator[Reply]:
    """Yields a warning for each subject that the title is about and that was removed on purpose, as recall does."""
    from gitmem.operations.caveats import tombstoned

    kinds = words.types_with(neighbours.finder.memory.config.vocabulary, "tombstone")
    if entry.note.type in kinds:
        return
    maker, title, known = neighbours.comparer.maker, entry.note.title, {each["name"] for each in told}
    found = tombstoned(neighbours.view, maker, title, maker.tokenizer.terms(title), kinds)
    yield from (each for each in found if each["name"] not in known)


def _related(vocabulary: words.Vocabulary, entry: Entry, near: "Near") -> Reply:
    verb = _verb(vocabulary, entry.note.type, near.entry)
    return _alike(near, near.comparison.likeness) | {"type": near.entry.note.type, "verb": verb}


def _verb(vocabulary: words.Vocabulary, kind: str, other: Entry) -> str | None:
    """Returns the verb that a note of a type is likely to point with, by the roles of both types; its like is no reason."""
    one, target = vocabulary.types.get(kind), vocabulary.types.get(other.note.type)
    if one is None or target is None:
        return None
    worklist = one.role == "worklist"
    role: str | None
    if target.role == "anchor":
        role = "subject"
    elif target.role == "worklist":
        role = "dependency" if worklist else "answer" if one.durability == "episodic" else None
    else:
        role = "reason" if one != target and one.durability == target.durability == "stable" else None
    found = sorted(word for word, verb in vocabulary.verbs.items() if verb.role == role)
    plain = sorted(word for word, verb in vocabulary.verbs.items() if verb.role is None)
    return next(iter(found or plain), None)


# The same title, and what was buried


def namesakes(finder: Finder, name: str | None, note: Note) -> Iterator[Entry]:
    """Yields the notes of the same title among those whose names the title can give; `name` is one that was asked for."""
    named = [path for word in _possible_names(finder, name, note) for path in finder.names.paths(word)]
    renamed = [entry.path for entry in finder.holding("alias", [name_for(note.title, taken={}, created=None)])]
    for path in dict.fromkeys([*named, *renamed]):
        entry = finder.load(path)
        if fold(entry.note.title) == fold(note.title):
            yield entry


def _possible_names(finder: Finder, name: str | None, note: Note) -> Iterator[str]:
    """Yields the names that a note of this title may have: asked for, plain, or ending in digits."""
    plain = name_for(note.title, taken={}, created=None)
    stem = name_for(note.title, taken={fold(plain): ""}, created=None).rpartition("-")[0]
    start, digits = fold(stem) + ("-" if stem else ""), re.compile("[0-9a-f]{6,64}")
    yield from (word for word in (name, plain) if word)
    known = (word for word in finder.names if word.startswith(start))
    yield from (word for word in known if digits.fullmatch(word, len(start)))


def check_buried(finder: Finder, name: str | None, note: Note, same: Sequence[Entry]) -> None:
    """Refuses a subject that a tombstone says must not come back: its name or title, or one that it buried.

    `same` are the notes of the same title.
    """
    memory = finder.memory
    kinds = words.types_with(memory.config.vocabulary, "tombstone")
    if note.type in kinds:
        return
    stones = (entry for entry in same if entry.note.type in kinds and entry.note.status not in RETIRED)
    stone = next(stones, None) or _stone(finder, name, note, kinds)
    if stone:
        message = f"{note.title!r} was removed on purpose: {stone.name} says why."
        hint = f"gitmem show {stone.name}; --allow-tombstoned writes all the same."
        raise GitmemError("tombstoned", message, hint)


def _stone(finder: Finder, name: str | None, note: Note, kinds: Collection[str]) -> Entry | None:
    """Returns the tombstone that has the subject of a note among the names that it buried, or as its name."""
    plain = name_for(note.title, taken={}, created=None)
    keys = {fold(word) for word in (name or "", note.title, slug(note.title), plain) if word}
    view = finder.view
    for entry in map(view.entry, view.passing(Wanted(types=tuple(kinds)), TOMBSTONES)):
        said = {fold(word) for word in (*entry.note.buried, entry.name, slug(entry.note.title))}
        if said & keys or _buried_titles(finder, entry) & keys:
            return entry
    return None


def _buried_titles(finder: Finder, stone: Entry) -> set[str]:
    return {fold(title) for title in finder.titles(stone.note.buried).values()} if stone.note.buried else set()

"""Standing: how notes stand in their memory, by what they say, what others say of them, and what Git knows."""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from gitmem.knowledge.trust import Facts, Standing, is_weak, judge
from gitmem.notes import vocabulary as words
from gitmem.notes.instant import seconds
from gitmem.notes.name import fold
from gitmem.notes.note import Entry, confirmed
from gitmem.operations.memory import Finder, Memory, Reading
from gitmem.search.document import Roles, roles_of, status_of, targets
from gitmem.search.query import Wanted
from gitmem.search.rank import owners, superseded_by
from gitmem.search.view import View
from gitmem.values import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:  # late at run time: few notes are judged without a graph
    from gitmem.knowledge.graph import Graph
    from gitmem.operations.reviewed import Branch, Held

Reply = dict[str, Any]  # Any: the JSON of design section 14
Rivals = Mapping[str, Sequence[int | None]]

# Digits of trust that are shown: more would change between two answers that are compared. The fourth stands for an
# hour of an episodic note's 183 days.
DIGITS = 4


class Judge:
    """Judges notes of one view, each once, with a few look-ups and no look at all notes."""

    def __init__(self, memory: Memory, view: View, roles: Roles) -> None:
        self.memory = memory
        self.view = view
        self.roles = roles
        self._review = _review_branch(memory)
        self._facts: dict[str, Facts] = {}

    @classmethod
    def of_view(cls, memory: Memory, reading: Reading) -> Self:
        """Returns a judge of the notes of a view alone: what is known of them is kept with it."""
        made = cls(memory, reading.view, reading.maker.roles)
        if made.keeps:
            made._facts = reading.view.learnt.facts
        return made

    @property
    def keeps(self) -> bool:
        """Whether what is known of notes holds as long as they do: what a review branch approves changes without them."""
        return self._review is None

    def of(self, entries: Sequence[Entry], drifted: Collection[str] = ()) -> dict[str, Standing]:
        """Returns how notes stand, by path; `drifted` are the paths of those whose code has moved on."""
        known, now = self._known(entries), self.memory.now
        return {entry.path: judge(_with(known[entry.path], entry.path in drifted), now) for entry in entries}

    def weak(self, entries: Sequence[Entry]) -> Collection[str]:
        """Returns the paths of those notes that are stale, or the older side of a contradiction."""
        known, now = self._known(entries), self.memory.now
        return {entry.path for entry in entries if is_weak(known[entry.path], now)}

    def _known(self, entries: Sequence[Entry]) -> Mapping[str, Facts]:
        new = [entry for entry in entries if entry.path not in self._facts]
        if new:
            rivals, replaced = _rivals(self.view, new, self.roles), _replaced(self.view, new, self.roles)
            self._facts |= facts(self.memory, new, self.roles, rivals=rivals, replaced=replaced, review=self._review)
        return self._facts


def standing_as(judge: Judge, wanted: Wanted) -> Wanted:
    """Returns the filters with the paths of the notes that have one of the standings asked for, if any is."""
    if not wanted.standings:
        return wanted
    from gitmem.knowledge.graph import build

    entries = judge.view.everything()
    found = of_all(judge.memory, build(entries), drifted(judge.memory, entries))
    return wanted._replace(paths=tuple(path for path, each in found.items() if each.standing in wanted.standings))


def of_one(finder: Finder, entry: Entry, *, drifted: bool = False) -> Standing:
    """Returns how a note stands that a finder has found, read from its file; drifted: its code has moved on."""
    from gitmem.notes.entry import sound  # late, as finding reads no note

    judge = Judge(finder.memory, finder.view, roles_of(finder.memory.config.vocabulary))
    return judge.of([entry._replace(note=sound(entry.note))], [entry.path] if drifted else ())[entry.path]


def drifted(memory: Memory, entries: Iterable[Entry]) -> set[str]:
    """Returns the paths of those notes whose code has moved on."""
    from gitmem.operations.anchors import graded, is_drifted

    touching = [entry for entry in entries if entry.note.touches]
    return {path for path, touches in graded(memory, touching).items() if is_drifted(touches)} if touching else set()


def _with(known: Facts, drifted: bool) -> Facts:
    return known._replace(known=known.known | {"drifted"}) if drifted else known


def of_all(memory: Memory, graph: "Graph", drifted: Collection[str] = ()) -> dict[str, Standing]:
    """Returns how all notes of a graph stand, by path."""
    known = all_facts(memory, graph)
    return {path: judge(_with(each, path in drifted), memory.now) for path, each in known.items()}


def all_facts(memory: Memory, graph: "Graph") -> dict[str, Facts]:
    """Returns what is known of all notes of a graph, by path."""
    from gitmem.knowledge.graph import joined, replacements

    roles = roles_of(memory.config.vocabulary)
    rivals = _dated((edge.source, edge.target) for edge in joined(graph, roles.contradiction) if edge.target)
    replaced = replacements(graph, roles.supersession)
    review = _review_branch(memory)
    return facts(memory, graph.entries, roles, rivals=rivals, replaced=replaced, review=review)


def _dated(found: Iterable[tuple[Entry, Entry]]) -> dict[str, list[int | None]]:
    rivals: dict[str, list[int | None]] = {}
    for source, target in found:
        rivals.setdefault(source.path, []).append(_moment(target.note.created))
        rivals.setdefault(target.path, []).append(_moment(source.note.created))
    return rivals


def _moment(instant: str | None) -> int | None:
    return seconds(instant) if instant else None


def _rivals(view: View, entries: Sequence[Entry], roles: Roles) -> dict[str, list[int | None]]:
    """Returns, by path, when each note was written that contradicts some, or that they contradict."""
    keys = sorted({fold(word) for entry in entries for word in (entry.name, *entry.note.aliases)})
    claims = list(map(view.entry, view.having("contradicts", keys)))
    sources = {entry.path: entry for entry in (*entries, *claims) if targets(entry.note, roles.contradiction)}
    if not sources:
        return {}
    meant = owners(
        view, sorted({word for each in sources.values() for word in targets(each.note, roles.contradiction)})
    )
    ends = {entry.path: entry for entry in map(view.entry, view.having("path", sorted(set(meant.values()))))}
    return _dated(
        (source, ends[meant[word]])
        for source in sources.values()
        for word in targets(source.note, roles.contradiction)
        if word in meant and meant[word] != source.path
    )


def _replaced(view: View, entries: Sequence[Entry], roles: Roles) -> Collection[str]:
    spellings = {fold(word) for entry in entries for word in (entry.name, *entry.note.aliases)}
    if not view.claimed(spellings):
        return ()
    return superseded_by(view, view.having("path", [entry.path for entry in entries]), roles.supersession)


def facts(
    memory: Memory,
    entries: Sequence[Entry],
    roles: Roles,
    *,
    rivals: Rivals,
    replaced: Collection[str],
    review: "Branch | None",
) -> dict[str, Facts]:
    """Returns what is known of notes, by path. Approvals in entries hold: those of a view do, and `sound` sees to others.

    rivals: by path, when each note was written that contradicts one; replaced: the paths of those that a link replaces;
    review: the branch that alone approves.
    """
    if review is None:
        return {entry.path: _facts(memory, entry, roles, rivals, replaced, _claimed(entry)) for entry in entries}
    from gitmem.operations.reviewed import approvals

    merged = approvals(memory, review, entries)
    return {
        entry.path: _merged(
            _facts(memory, entry, roles, rivals, replaced, ()),
            merged.get(entry.path) if entry.is_readable else None,
        )
        for entry in entries
    }


def _merged(claimed: Facts, held: "Held | None") -> Facts:
    """Returns what is known of a note where a branch alone approves: nothing that a file claims lifts it further."""
    if held is None:
        return claimed._replace(confirmed=None, pinned=None)
    return claimed._replace(approvals=(held.since,), confirmed=claimed.confirmed if held.confirmed else None)


def _review_branch(memory: Memory) -> "Branch | None":
    """Returns the review branch; where none can be named, nothing is asked for it."""
    common = memory.repository.common_dir if memory.repository else ""
    places = (f"{common}/refs/remotes/origin/HEAD", f"{common}/reftable")
    if not memory.settings.get("reviewbranch") and not any(map(os.path.lexists, places)):
        return None
    from gitmem.operations.reviewed import branch

    return branch(memory)


def _claimed(entry: Entry) -> tuple[int | None, ...]:
    """Returns when a note says that a person approved it: in writing it, or later; of one with errors nobody did."""
    note = entry.note
    if not entry.is_readable:
        return ()
    own = (_moment(note.created),) if note.source == "user" else ()
    return (*own, seconds(note.approved.at)) if note.approved else own


def _facts(
    memory: Memory,
    entry: Entry,
    roles: Roles,
    rivals: Rivals,
    replaced: Collection[str],
    approvals: tuple[int | None, ...],
) -> Facts:
    note, vocabulary = entry.note, memory.config.vocabulary
    return Facts(
        created=_moment(note.created),
        confirmed=_moment(confirmed(note)) if entry.is_readable else None,
        approvals=approvals,
        pinned=note.pinned if entry.is_readable else None,
        durability=words.durability_of(vocabulary, note.type, note.durability),
        open=note.type in roles.worklist and status_of(note, roles) == "open",
        rivals=tuple(rivals.get(entry.path, ())),
        known=frozenset(_retired(entry, vocabulary, replaced)),
    )


def _retired(entry: Entry, vocabulary: words.Vocabulary, replaced: Collection[str]) -> Iterator[str]:
    declared = vocabulary.types.get(entry.note.type)
    if declared and declared.role == "tombstone":
        yield "tombstone"
    if entry.note.status == "superseded" or entry.path in replaced:
        yield "superseded"
    if entry.note.status == "archived":
        yield "archived"


def shown(standing: Standing) -> Reply:
    """Returns what a reply says of how a note stands."""
    return {"trust": round(standing.trust, DIGITS), "standing": standing.standing, "marks": list(standing.marks)}

"""Trust: how far a note can be relied on, from its dates and links alone, and what stands against it and for it."""

from collections.abc import Iterator
from itertools import compress

from gitmem.notes.instant import DAY
from gitmem.values import NamedTuple

_LINE = 30  # hundredths of trust below which a note is stale
STALE = _LINE / 100
# Marks against a note, worst first, and for it, best first.
AGAINST = ("tombstone", "superseded", "archived", "contested", "stale", "drifted", "unreviewed")
FOR = ("pinned", "approved", "confirmed", "written")
_DAWN = -(2**62)  # stands for the date of a note that has none: older than all


class Facts(NamedTuple):
    """What is known of a note; moments are epoch seconds, None where it is unknown when.

    approvals: when each approval that holds was given; confirmed: when a person last did, None for never; rivals: when
    each note was written that it contradicts, or that contradicts it; open: on the worklist; known: which of
    "tombstone", "superseded", "archived" and "drifted" it is.
    """

    created: int | None
    confirmed: int | None
    approvals: tuple[int | None, ...]
    pinned: float | None
    durability: str
    open: bool
    rivals: tuple[int | None, ...]
    known: frozenset[str]


class Standing(NamedTuple):
    """Trust from 0 to 1; standing, the worst mark against, else the best for; and all marks, in that order."""

    trust: float
    standing: str
    marks: tuple[str, ...]


class _Row(NamedTuple):
    """One row of the table of trust: hundredths at its start and in the end, and the days from one to the other."""

    start: int
    floor: int
    days: int


# The table of design section 6.
_APPROVED = _Row(100, 20, 365)
_CONFIRMED, _CONFIRMED_VOLATILE = _Row(60, 1, 183), _Row(60, 1, 30)
_WRITTEN, _WRITTEN_VOLATILE = _Row(50, 1, 183), _Row(50, 1, 30)


def judge(facts: Facts, now: int) -> Standing:
    """Returns how a note stands at a moment."""
    value = trust(facts, now)
    marks = tuple(compress((*AGAINST, *FOR), _holds(facts, value)))
    return Standing(value, marks[0], marks)


def _holds(facts: Facts, value: float) -> tuple[bool, ...]:
    """Returns which marks a note has, in their order."""
    known, approved, confirmed = facts.known, bool(facts.approvals), facts.confirmed is not None
    retired = ("tombstone" in known, "superseded" in known, "archived" in known)
    against = (bool(facts.rivals), value < STALE, "drifted" in known, not (approved or confirmed))
    return (*retired, *against, facts.pinned is not None, approved, confirmed, True)


def is_weak(facts: Facts, now: int) -> bool:
    """Returns whether a note is stale, or the older side of a contradiction; both are where they are equally old."""
    return trust(facts, now) < STALE or (bool(facts.rivals) and _newer(facts, now) is not None)


def trust(facts: Facts, now: int) -> float:
    """Returns the trust that a note has at a moment, 0 to 1: its pin, else the highest that a row of the table gives.

    A moment yet to come counts as now. Each row is one division of whole numbers, so that every limit is met exactly.
    """
    if facts.pinned is not None:
        return min(max(facts.pinned, 0.0), 1.0)
    return max(_value(row, _begins(facts, since, now), now) for row, since in _rows(facts))


def stale_since(facts: Facts, now: int) -> int | None:
    """Returns the first second at which trust is below the stale line, past or yet to come; None where that never comes."""
    if facts.pinned is not None:
        return None
    ends = [_crosses(row, _begins(facts, since, now)) for row, since in _rows(facts)]
    known = [end for end in ends if end is not None]
    return max(known) if len(known) == len(ends) else None


def _rows(facts: Facts) -> Iterator[tuple[_Row, int | None]]:
    """Yields each row that a note has, and since when."""
    volatile = facts.durability == "volatile"
    yield from ((_APPROVED, since) for since in facts.approvals)
    if facts.confirmed is not None:
        yield _CONFIRMED_VOLATILE if volatile else _CONFIRMED, facts.confirmed
    yield _WRITTEN_VOLATILE if volatile else _WRITTEN, facts.created


def _begins(facts: Facts, since: int | None, now: int) -> int | None:
    """Returns when a row begins to fade, None where it does not."""
    if since is None or facts.open:
        return None
    if facts.durability != "stable":
        return since
    newer = _newer(facts, now)
    return None if newer is None else max(since, newer)


def _newer(facts: Facts, now: int) -> int | None:
    """Returns when the first note was written that contradicts this one and is no older; None without one."""
    own = _written(facts.created, now)
    return min((each for rival in facts.rivals if (each := _written(rival, now)) >= own), default=None)


def _written(created: int | None, now: int) -> int:
    return _DAWN if created is None else min(created, now)


def _value(row: _Row, begins: int | None, now: int) -> float:
    if begins is None:
        return row.start / 100
    window = row.days * DAY
    elapsed = min(max(now - begins, 0), window)
    return (row.start * window - (row.start - row.floor) * elapsed) / (100 * window)


def _crosses(row: _Row, begins: int | None) -> int | None:
    if begins is None:
        return None
    return begins + row.days * DAY * (row.start - _LINE) // (row.start - row.floor) + 1

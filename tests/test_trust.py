"""Trust to the formula: every row, every limit, by table; and laws that hold for any facts."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gitmem.knowledge.trust import AGAINST, DAY, FOR, STALE, Facts, judge, stale_since, trust

NOW = 1_796_000_000
YEAR, HALF, MONTH = 365 * DAY, 183 * DAY, 30 * DAY
BARE = Facts(NOW, None, (), None, "episodic", False, (), frozenset())
# The first second below .30: written .5 − .49 · t / 183 d, confirmed .6 − .59 · t / 183 d, approved 1 − .8 · t / 365 d.
WRITTEN_LINE = HALF * 20 // 49 + 1
CONFIRMED_LINE = HALF * 30 // 59 + 1
APPROVED_LINE = YEAR * 70 // 80 + 1  # exactly .30 one second before

OLD = NOW - 10 * YEAR


def written(ago: int, **more: object) -> Facts:
    return BARE._replace(created=NOW - ago, **more)


TABLE = [
    ("written, day 0", written(0), 0.5),
    ("written, half way", written(HALF // 2), 0.5 - 0.49 / 2),
    ("written, a day before its floor", written(182 * DAY), 0.5 - 0.49 * 182 / 183),
    ("written, at its floor", written(HALF), 0.01),
    ("written, long past its floor", written(10 * HALF), 0.01),
    ("written, volatile, half way", written(15 * DAY, durability="volatile"), 0.5 - 0.49 / 2),
    ("written, volatile, at its floor", written(MONTH, durability="volatile"), 0.01),
    ("written, stable", written(YEAR, durability="stable"), 0.5),
    ("written, volatile and open", written(YEAR, durability="volatile", open=True), 0.5),
    ("written, no date", BARE._replace(created=None), 0.5),
    ("written, a date to come", written(-YEAR), 0.5),
    ("confirmed, day 0", written(YEAR, confirmed=NOW), 0.6),
    ("confirmed, half way", written(YEAR, confirmed=NOW - HALF // 2), 0.6 - 0.59 / 2),
    ("confirmed, at its floor", written(YEAR, confirmed=NOW - HALF), 0.01),
    ("confirmed, volatile, half way", written(YEAR, confirmed=NOW - 15 * DAY, durability="volatile"), 0.6 - 0.59 / 2),
    ("confirmed long ago, written today", written(0, confirmed=NOW - YEAR), 0.5),
    ("confirmed, stable", written(YEAR, confirmed=OLD, durability="stable"), 0.6),
    ("confirmed, open", written(YEAR, confirmed=OLD, open=True), 0.6),
    ("confirmed, a date to come", written(YEAR, confirmed=NOW + YEAR), 0.6),
    ("approved, day 0", written(YEAR, approvals=(NOW,)), 1.0),
    ("approved, half way", written(YEAR, approvals=(NOW - YEAR // 2,)), 0.6),
    ("approved, at its floor", written(YEAR, approvals=(NOW - YEAR,)), 0.2),
    ("approved, long past its floor", written(YEAR, approvals=(OLD,)), 0.2),
    ("approved, volatile", written(YEAR, approvals=(NOW - YEAR // 2,), durability="volatile"), 0.6),
    ("approved at its floor, confirmed today", written(YEAR, approvals=(OLD,), confirmed=NOW), 0.6),
    ("approved at its floor, written today", written(0, approvals=(OLD,)), 0.5),
    ("approved twice", written(YEAR, approvals=(OLD, NOW)), 1.0),
    ("approved, nobody knows when", written(YEAR, approvals=(None,)), 1.0),
    ("approved, a date to come", written(YEAR, approvals=(NOW + YEAR,)), 1.0),
    ("approved, stable", written(OLD, approvals=(OLD,), durability="stable"), 1.0),
    ("approved, open", written(OLD, approvals=(OLD,), open=True), 1.0),
    ("pinned up", written(YEAR, pinned=1.0), 1.0),
    ("pinned down", written(0, approvals=(NOW,), pinned=0.0), 0.0),
    ("pinned past all bounds", written(0, pinned=7.0), 1.0),
    ("older side, episodic: as its date", written(HALF // 2, rivals=(NOW,)), 0.5 - 0.49 / 2),
    ("older side, stable, day 0", written(YEAR, rivals=(NOW,), durability="stable"), 0.5),
    ("older side, stable, half way", written(YEAR, rivals=(NOW - HALF // 2,), durability="stable"), 0.5 - 0.49 / 2),
    ("older side, stable, at its floor", written(YEAR, rivals=(NOW - HALF,), durability="stable"), 0.01),
    ("older side of two: since the first", written(OLD, rivals=(NOW, NOW - HALF), durability="stable"), 0.01),
    ("older side, open", written(YEAR, rivals=(OLD + 1,), durability="stable", open=True), 0.5),
    ("older side, pinned", written(YEAR, rivals=(NOW - HALF,), durability="stable", pinned=0.9), 0.9),
    ("newer side, stable", written(HALF, rivals=(OLD,), durability="stable"), 0.5),
    ("equally old, stable: both", written(HALF, rivals=(NOW - HALF,), durability="stable"), 0.01),
    ("beside an undated one, stable: newer", written(HALF, rivals=(None,), durability="stable"), 0.5),
    ("undated, beside a dated one", BARE._replace(created=None, rivals=(OLD,), durability="stable"), 0.5),
    ("both to come: both, not yet", written(-DAY, rivals=(NOW + YEAR,), durability="stable"), 0.5),
]
APPROVED_OLDER = written(2 * YEAR, approvals=(NOW - YEAR // 2,), durability="stable")
TABLE += [
    ("approved older side: since its approval", APPROVED_OLDER._replace(rivals=(NOW - YEAR,)), 0.6),
    ("approved older side: since the newer", APPROVED_OLDER._replace(rivals=(NOW - YEAR // 4,)), 0.8),
]


@pytest.mark.parametrize(("facts", "expected"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_trust_is_what_the_table_says(facts: Facts, expected: float) -> None:
    assert trust(facts, NOW) == pytest.approx(expected, abs=1e-12)


LINES = [
    ("written", written(0), WRITTEN_LINE),
    ("confirmed", written(YEAR, confirmed=NOW), CONFIRMED_LINE),
    ("approved", written(YEAR, approvals=(NOW,)), APPROVED_LINE),
    ("volatile", written(0, durability="volatile"), MONTH * 20 // 49 + 1),
    ("older side", written(YEAR, rivals=(NOW,), durability="stable"), WRITTEN_LINE),
]


@pytest.mark.parametrize(("facts", "after"), [row[1:] for row in LINES], ids=[row[0] for row in LINES])
def test_the_stale_line_is_met_to_the_second(facts: Facts, after: int) -> None:
    marks = [judge(facts, NOW + after + late).marks for late in (-1, 0)]

    assert ("stale" in marks[0], "stale" in marks[1]) == (False, True)
    assert stale_since(facts, NOW) == NOW + after


def test_exactly_the_stale_line_is_not_stale() -> None:
    approved, pinned = written(YEAR, approvals=(NOW,)), written(0, pinned=STALE)

    assert trust(approved, NOW + APPROVED_LINE - 1) == STALE
    assert "stale" not in judge(approved, NOW + APPROVED_LINE - 1).marks
    assert "stale" not in judge(pinned, NOW).marks and "stale" in judge(written(0, pinned=0.29), NOW).marks


@pytest.mark.parametrize(
    "facts",
    [
        written(0, durability="stable"),
        written(0, open=True),
        written(0, pinned=0.1),
        BARE._replace(created=None),
        written(0, approvals=(None,)),
    ],
)
def test_what_never_fades_is_never_stale_by_time(facts: Facts) -> None:
    assert stale_since(facts, NOW) is None


STANDINGS = [
    (written(0), "unreviewed", ("unreviewed", "written")),
    (written(0, confirmed=NOW), "confirmed", ("confirmed", "written")),
    (written(0, approvals=(NOW,)), "approved", ("approved", "written")),
    (written(0, approvals=(NOW,), confirmed=NOW, pinned=1.0), "pinned", ("pinned", "approved", "confirmed", "written")),
    (written(0, pinned=1.0), "unreviewed", ("unreviewed", "pinned", "written")),
    (written(0, approvals=(NOW,), known=frozenset(["drifted"])), "drifted", ("drifted", "approved", "written")),
    (written(HALF), "stale", ("stale", "unreviewed", "written")),
    (written(HALF, rivals=(NOW,)), "contested", ("contested", "stale", "unreviewed", "written")),
    (written(0, approvals=(NOW,), rivals=(OLD,)), "contested", ("contested", "approved", "written")),
]


@pytest.mark.parametrize(("facts", "standing", "marks"), STANDINGS)
def test_standing_is_the_worst_against_else_the_best_for(facts: Facts, standing: str, marks: tuple[str, ...]) -> None:
    found = judge(facts, NOW)

    assert (found.standing, found.marks) == (standing, marks)


def test_marks_come_worst_first_then_best_first() -> None:
    all_known = frozenset(("tombstone", "superseded", "archived", "drifted"))

    against = judge(written(HALF, rivals=(NOW,), known=all_known), NOW)
    in_favour = judge(written(0, approvals=(NOW,), confirmed=NOW, pinned=0.5), NOW)

    assert against.marks == (*AGAINST, "written") and against.standing == "tombstone"
    assert in_favour.marks == FOR and in_favour.standing == "pinned"


moments = st.none() | st.integers(NOW - 3 * YEAR, NOW + YEAR)
facts = st.builds(
    Facts,
    created=moments,
    confirmed=moments,
    approvals=st.lists(moments, max_size=2).map(tuple),
    pinned=st.none() | st.floats(0, 1),
    durability=st.sampled_from(["stable", "episodic", "volatile"]),
    open=st.booleans(),
    rivals=st.lists(moments, max_size=3).map(tuple),
    known=st.frozensets(st.sampled_from(["tombstone", "superseded", "archived", "drifted"])),
)


@given(facts, st.integers(NOW, NOW + 2 * YEAR), st.integers(0, YEAR))
def test_trust_lies_between_0_and_1_and_never_rises_by_time(known: Facts, now: int, later: int) -> None:
    first, second = trust(known, now), trust(known, now + later)

    assert 0 <= second <= first <= 1
    assert known.pinned is None or first == second == known.pinned


@given(facts, st.integers(NOW, NOW + 2 * YEAR))
def test_a_mark_for_is_a_fact_and_standing_leads_the_marks(known: Facts, now: int) -> None:
    found = judge(known, now)

    assert found.standing == found.marks[0] and "written" in found.marks
    assert ("stale" in found.marks) == (found.trust < STALE)
    assert ("unreviewed" in found.marks) == (not known.approvals and known.confirmed is None)


@given(facts, st.integers(NOW, NOW + 2 * YEAR))
def test_a_note_is_stale_from_the_second_that_is_told(known: Facts, now: int) -> None:
    assume(known.pinned is None and known.durability != "stable")

    since = stale_since(known, now)

    assert ("stale" in judge(known, now).marks) == (since is not None and since <= now)

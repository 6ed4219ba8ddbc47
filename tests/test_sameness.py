"""Whether two notes say the same: what makes one note of two, and the one word that makes two of one."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.knowledge.clauses import said
from gitmem.knowledge.compare import Comparison, compare
from gitmem.notes.note import Note
from gitmem.notes.preset import preset
from gitmem.operations.verdict import disagrees, is_double
from gitmem.search.document import Maker, embedded_text
from tests.bench.verdicts import cosine, note

TITLE = "Thumbnail worker keeps rendered previews in Memcached"
BODY = (
    "The thumbnail worker stores every rendered preview in Memcached for 40 minutes. "
    "Rendering took 900 ms on the old hosts, and gallery pages were slow before it. Ask in #media before a flush."
)
RETOLD = (
    "Every preview that the thumbnail worker has rendered goes to Memcached and stays for 40 minutes. It took 900 ms to "
    "render one on the old hosts, so gallery pages were slow. Before a flush, ask in #media."
)
WORDS = st.sampled_from(f"{TITLE} {BODY} never only except in staging 80 minutes `media_cache` 2.1.4".split())


UNITS = (
    ("The lease is {} long", "30s", "30m"),
    ("The cleanup starts at 02:00 {}", "am", "pm"),
    ("The torque limit is 5 {}", "Nm", "mNm"),
    ("Timestamps are in {}", "seconds", "milliseconds"),
    ("Amounts are stored in {}", "cents", "dollars"),
)


@cache
def maker() -> Maker:
    return Maker(preset("engram"), None)


def made(title: str, body: str) -> Note:
    return note({"title": title, "type": "decision", "summary": None, "body": body, "tags": []})


def compared(one: Note, other: Note) -> Comparison:
    vectors = maker().model.passages([embedded_text(one), embedded_text(other)])
    return compare(said(one, maker().sense), said(other, maker().sense), cosine(*vectors), maker().sense)


@pytest.mark.parametrize(
    ("title", "body"),
    [
        (TITLE, BODY),
        ("The thumbnail worker keeps its rendered previews in Memcached", BODY.replace("slow", "sluggish")),
        ("Rendered previews are kept in Memcached by the thumbnail worker", BODY),
        (TITLE, BODY.replace("40 minutes", "forty minutes")),
        ("Rendered previews of the thumbnail worker are kept in Memcached", RETOLD),
    ],
)
def test_a_claim_put_in_other_words_is_the_same(title: str, body: str) -> None:
    assert is_double(compared(made(title, body), made(TITLE, BODY)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("40 minutes", "80 minutes"),
        ("40 minutes", "40 hours"),
        ("900 ms", "90 ms"),
        ("Memcached", "Redis"),
        ("Thumbnail worker", "Avatar worker"),
        ("keeps", "loses"),
        ("keeps", "never keeps"),
        ("previews in", "previews of logged-in users in"),
        ("in Memcached", "in Memcached on iOS"),
        ("rendered previews", "rendered previews except posters"),
        ("stores every", "does not store every"),
        ("before it", "after it"),
        (
            "Ask in #media before a flush.",
            "Nobody may log customer names, since the auditors of Hargreaves read the trace.",
        ),
    ],
)
def test_one_other_thing_makes_two_notes(old: str, new: str) -> None:
    other = made(TITLE.replace(old, new), BODY.replace(old, new).replace(old.lower(), new.lower()))

    assert not is_double(compared(other, made(TITLE, BODY)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Move the nightly reports from cron to Airflow", "Move the nightly reports from Airflow to cron"),
        ("The mirror is at 10.0.0.1", "The mirror is at 10.0.0.2"),
        ("Pin the parser to 1.2.3", "Pin the parser to 1.2.4"),
        ("Drop the archive of 2024-05-01", "Drop the archive of 2024-06-01"),
        ("Lock table is tf-locks", "Lock table is infra-locks"),
        ("C parser leaks", "C++ parser leaks"),
        ("构建流程", "发版流程"),
        ("Staging builds log everything", "Production builds log everything"),
        ("Staging builds log everything", "Builds log everything"),
    ],
)
def test_titles_that_name_two_things_make_two_notes(one: str, other: str) -> None:
    assert not is_double(compared(made(one, BODY), made(other, BODY)))


def test_a_note_of_a_title_alone_is_nobodys_double() -> None:
    assert not is_double(compared(made("Previews lie in Memcached", ""), made("Previews are in Memcached", "")))


@settings(max_examples=60, deadline=None)
@given(st.lists(WORDS, min_size=3, max_size=30), st.lists(WORDS, min_size=3, max_size=30))
def test_the_order_of_two_notes_does_not_matter(here: list[str], there: list[str]) -> None:
    one, other = (made(" ".join(words[:6]), " ".join(words)) for words in (here, there))

    assert compared(one, other).same == compared(other, one).same


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        *UNITS,
        ("The link carries 100 {}", "Mbps", "MBps"),
        ("The quota is 100 {}", "Mb", "MB"),
        ("Distances are kept in {}", "metres", "kilometres"),
        ("Services {} log as JSON lines", "must", "may"),
        ("A changelog entry is {} for a fix", "required", "optional"),
        ("Agents push to feature branches{}", "", " only after approval"),
        ("The cache is warmed{}", "", " before a deploy"),
    ],
)
def test_another_unit_duty_or_condition_makes_two_notes(text: str, one: str, other: str) -> None:
    notes = [made(text.format(word), f"{text.format(word)}, as the team agreed in spring.") for word in (one, other)]

    assert not is_double(compared(*notes))


@pytest.mark.parametrize(("text", "one", "other"), UNITS)
def test_another_unit_of_one_thing_is_a_disagreement(text: str, one: str, other: str) -> None:
    notes = [made(text.format(word), f"{text.format(word)}, as the team agreed in spring.") for word in (one, other)]

    found = compared(*notes)

    assert disagrees(found) and found.kind == "unit"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ticket 124 was about the login page", "Ticket 1138 was about the login page"),
        ("Migration 12 adds a table", "Migration 13 adds a table"),
        ("Sprint 14 ended with a goal missed", "Sprint 15 ended with a goal missed"),
        ("Release 2.4 drops Python 3.8", "Release 2.6 drops Python 3.9"),
    ],
)
def test_two_of_a_numbered_row_are_two_things(one: str, other: str) -> None:
    found = compared(made(one, f"{one}, as the log says."), made(other, f"{other}, as the log says."))

    assert not is_double(found) and not disagrees(found)

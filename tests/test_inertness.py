"""Checkpoints and archived notes move no other note: every answer, its verdict and its scores stay the same to the byte."""

import json

import pytest
from conftest import Project, uncached

from gitmem.operations import memory as memories
from gitmem.operations.memory import Memory
from gitmem.operations.recall import recall
from gitmem.search.query import Wanted

SUBJECTS = (
    "index",
    "cache write",
    "token",
    "merge driver",
    "folder lock",
    "plain files",
    "session state",
    "http response",
)
REASONS = ("survives a kill", "must not be believed", "is read once", "waits for nobody", "was slow on Mondays")
QUESTIONS = (
    "index",
    "why does the index survive a kill",
    "cache write",
    "what must not be believed",
    "token",
    "merge driver waits",
    "folder lock",
    "who holds the folder lock",
    "how many times is the session state read",
    "plain files that were slow",
    "http response",
    "parse_http_response",
    "slow on Mondays",
    "nobody waits for the token",
    "which cache survives",
    "inert",
    "checkpoint of the merge",
    "archived session",
    "kubernetes ingress rotation",
    "zzyzx",
    "合約",
    "the",
)
WANTED = (Wanted(), Wanted(types=("decision",)), Wanted(tags=("kept",)), Wanted(include=("superseded",)))


@pytest.fixture
def live(project: Project) -> Project:
    """Forty notes that link to one another and replace one another."""
    for number in range(40):
        body = f"The {SUBJECTS[number % 8]} {REASONS[number % 5]}; this is note {number} of many."
        links = {"about": f"[note-{number - 1}]"} if number % 3 == 1 else {}
        replaces = {"replaces": f"[note-{number - 2}]"} if number % 10 == 9 else {}
        tags = "[kept]" if number % 2 else "[other]"
        type = ("decision", "caution", "insight")[number % 3]
        touches = {"touches": "[src/lock.py]"} if number % 4 == 0 else {}
        project.note(f"note-{number}", body, type=type, tags=tags, **links, **replaces, **touches)
    return project


def recalls(memory: Memory) -> dict[str, str]:
    """Returns, as JSON texts, the whole answers with all their reasons, from one view."""
    view = memories.ready(memory).view
    return {
        f"{question} {wanted}": json.dumps(recall(memory, question, wanted, explain=True, detail="full", held=view))
        for question in QUESTIONS
        for wanted in WANTED
    }


def add_inert(project: Project, count: int) -> None:
    """Adds as many checkpoints and as many archived notes, on the same subjects and new ones; half link to a note and a file."""
    for number in range(count):
        body = f"The {SUBJECTS[number % 8]} {REASONS[number % 5]}. Mondays, kubernetes ingress rotation, zzyzx. " * 3
        ties = {"about": f"[note-{number % 40}]", "touches": "[src/lock.py]"} if number % 2 else {}
        project.note(f"point-{number}", body, type="checkpoint", tags="[kept]", **ties)
        project.note(f"past-{number}", body, status="archived", tags="[kept]", **ties)


def test_two_hundred_checkpoints_and_archived_notes_leave_every_answer_as_it_was(live: Project) -> None:
    before = recalls(live.open())

    add_inert(live, 200)

    assert recalls(live.open()) == before
    assert recalls(uncached(live.open())) == before
    assert {json.loads(answer)["verdict"] for answer in before.values()} == {"strong", "weak", "none"}


def test_a_note_that_is_archived_leaves_answers_as_if_it_had_never_been(live: Project) -> None:
    before = recalls(live.open())
    live.note("extra", "The folder lock survives a kill and waits for nobody on Mondays.", tags="[kept]")
    during = recalls(live.open())

    live.note(
        "extra", "The folder lock survives a kill and waits for nobody on Mondays.", tags="[kept]", status="archived"
    )

    assert during != before
    assert recalls(live.open()) == before


def test_inert_notes_answer_where_they_are_asked_for(live: Project) -> None:
    add_inert(live, 1)

    asked = {word: live.names("zzyzx", Wanted(include=(word,))) for word in ("checkpoint", "archived")}

    assert asked == {"checkpoint": ["point-0"], "archived": ["past-0"]}

"""Notes that a person stands for are not put away in silence, nor is the only answer to a problem."""

from collections.abc import Callable
from typing import Any

import pytest
from conftest import Project, environment, run, told
from projects import AGENT, problems, refusal, text

from gitmem.faces import standing
from gitmem.faces.mcp_service import Service
from gitmem.faces.render import View
from gitmem.operations import approval, burial, judging
from gitmem.operations.checkpoint import Said, checkpoint
from gitmem.operations.draft import Author, Draft
from gitmem.operations.links import link, resolve
from gitmem.operations.merging import merge
from gitmem.operations.review import review
from gitmem.operations.waiting import decay, waiting
from gitmem.operations.write import remember, revise

PERSON = Author("user", None)
Act = Callable[[Project, Author], dict[str, Any]]
ACTS: dict[str, Act] = {
    "bury": lambda it, who: burial.bury(it.open(), "journal", "It was slow.", who),
    "remember": lambda it, who: remember(it.open(), Draft("Log ahead", "decision", links=("replaces=journal",)), who),
    "revise-link": lambda it, who: revise(it.open(), "wal", Draft(links=("replaces=journal",)), author=who),
    "revise-status": lambda it, who: revise(it.open(), "journal", Draft(status="archived"), author=who),
    "link": lambda it, who: link(it.open(), "wal", "replaces", "journal", author=who),
    "merge": lambda it, who: merge(it.open(), ["journal"], "wal", author=who),
    "judge": lambda it, who: judging.judge(it.open(), "wal", "journal", "replaces", author=who),
}


def codes(reply: dict[str, Any], *wanted: str) -> list[tuple[str, str]]:
    """Returns code and name of the warnings of a reply that are about what is put away."""
    kinds = wanted or ("retires-approved", "answer-gone")
    return [(each["code"], each["name"]) for each in reply["warnings"] if each["code"] in kinds]


def commit(project: Project) -> None:
    project.git("add", "--all")
    project.git("commit", "--quiet", "--allow-empty", "--message", "notes")


@pytest.fixture
def approved(project: Project) -> Project:
    """A project with a note that a person approved, and one that nobody did."""
    project.git("config", "user.name", "Jane Doe")
    project.git("config", "user.email", "jane@example.org")
    project.note("journal", "Write through a journal.", source="agent")
    project.note("wal", "Zip the assets before they are sent.", source="agent")
    approval.approve(project.open(), ["journal"])
    return project


# What the verb says


@pytest.mark.parametrize("act", ACTS)
def test_an_agent_that_puts_away_what_was_approved_is_told_so(act: str, approved: Project) -> None:
    reply = ACTS[act](approved, AGENT)

    (warning,) = [each for each in reply["warnings"] if each["code"] == "retires-approved"]
    assert warning["name"] == "journal" and warning["message"] == (
        "journal was approved by a person; a person should judge this:"
        " gitmem show journal; gitmem undo COMMIT takes the commit back."
    )


@pytest.mark.parametrize("act", ACTS)
def test_a_person_who_does_it_is_told_nothing(act: str, approved: Project) -> None:
    assert codes(ACTS[act](approved, PERSON)) == []


@pytest.mark.parametrize("act", ACTS)
def test_what_nobody_stands_for_is_put_away_without_a_word(act: str, approved: Project) -> None:
    approval.unapprove(approved.open(), ["journal"])

    assert codes(ACTS[act](approved, AGENT)) == []


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"source": "user"}, "written"),
        ({"confirmed": "2026-11-01T10:00:00Z"}, "confirmed"),
        ({"pinned": "0.9"}, "pinned"),
    ],
)
def test_the_warning_says_how_a_person_stood_for_it(project: Project, fields: dict[str, str], word: str) -> None:
    project.note("old", **fields)
    project.note("new", replaces="[other]")

    reply = link(project.open(), "new", "replaces", "old", author=AGENT)

    assert reply["warnings"][-1]["message"].startswith(f"old was {word} by a person;")


def test_an_agents_own_confirmation_and_a_void_approval_are_no_persons_word(project: Project) -> None:
    project.note("agents")
    project.note("void", approved="{by: J, at: 2026-05-02, of: 1234567}")
    project.note("new")
    approval.confirm(project.open(), ["agents"], by="agent")

    replies = [link(project.open(), "new", "replaces", name, author=AGENT) for name in ("agents", "void")]

    assert [codes(reply) for reply in replies] == [[], []]


def test_what_was_put_away_before_is_not_told_again(approved: Project) -> None:
    ACTS["link"](approved, AGENT)
    approved.note("third", source="agent")

    again = [ACTS["link"](approved, AGENT), link(approved.open(), "third", "replaces", "journal", author=AGENT)]

    assert [codes(reply) for reply in again] == [[], []]


def test_a_pinned_note_is_still_refused_where_it_was(approved: Project) -> None:
    approval.pin(approved.open(), "journal")

    assert refusal(lambda: ACTS["bury"](approved, AGENT)).code == "pinned"
    assert refusal(lambda: ACTS["merge"](approved, AGENT)).code == "pinned"


def test_an_approved_tombstone_is_lifted_with_a_warning(approved: Project) -> None:
    burial.bury(approved.open(), "wal", "It was slow.", AGENT)
    approval.approve(approved.open(), ["removed-wal"])

    reply = revise(approved.open(), "removed-wal", Draft(status="archived"), author=AGENT)

    assert codes(reply) == [("retires-approved", "removed-wal")]


def test_the_commands_and_the_server_tell_an_agent(approved: Project) -> None:
    approved.note("second", source="user")
    agent = {"CLAUDECODE": "1"}

    linked = run(approved.root, "link", "wal", "replaces", "journal", "--json", extra=agent)
    shown = run(approved.root, "bury", "second", "--reason", "It was slow.", extra=agent)
    approved.note("third", source="user")
    answer = Service(None, str(approved.root), environment()).answer(
        "link", {"from": "wal", "verb": "replaces", "to": "third"}, None
    )

    assert codes(told(linked)) == [("retires-approved", "journal")]
    assert "second was written by a person; a person should judge this: gitmem show second" in shown.stdout
    assert "retires-approved" in answer.text


def test_events_of_a_checkpoint_put_nothing_away_in_silence(approved: Project) -> None:
    approved.note("second", source="user")
    commit(approved)
    events = ("superseded=journal: Write ahead of the data", "rejected=second: It was slow")

    reply = checkpoint(approved.open(), Said("Log is in", events=events), AGENT)

    assert codes(reply) == [("retires-approved", "journal"), ("retires-approved", "second")]


def test_trust_is_what_it_was(approved: Project) -> None:
    ACTS["link"](approved, AGENT)

    notes = waiting(approved.open())

    assert [note["name"] for note in notes["unreviewed"]] == ["wal"]


# What review says


def test_review_lists_what_was_put_away_until_its_successor_is_approved(approved: Project) -> None:
    approved.note("second", source="user")
    ACTS["link"](approved, AGENT)
    burial.bury(approved.open(), "second", "It was slow.", AGENT)
    found = waiting(approved.open())
    approval.approve(approved.open(), ["wal", "removed-second"])

    assert [(note["name"], note["by"], "approved" in note["marks"]) for note in found["retired"]] == [
        ("journal", "wal", True),
        ("second", "removed-second", True),
    ]
    assert "now removed-second" in standing.waiting(found, View())
    assert waiting(approved.open())["retired"] == []


def test_review_names_what_holds_at_the_end_of_a_chain(approved: Project) -> None:
    ACTS["link"](approved, AGENT)
    approved.note("third", replaces="[wal]", source="agent")

    assert [note["by"] for note in waiting(approved.open())["retired"]] == ["third"]


def _removed(project: Project, who: Author) -> dict[str, Any]:
    (project.notes / "decision" / "journal.md").unlink()
    return {}


def _forgotten(project: Project, who: Author) -> dict[str, Any]:
    return burial.forget(project.open(), "journal", who)


def _by_hand(project: Project, who: Author) -> dict[str, Any]:
    project.note("wal", "Zip the assets before they are sent.", source="agent", replaces="[journal]")
    return {}


ENDS: dict[str, tuple[Act, str, int]] = {
    "bury": (ACTS["bury"], "removed-journal buries it", 4),
    "link": (ACTS["link"], "wal replaces it", 4),
    "merge": (ACTS["merge"], "wal replaces it", 4),
    "revise-status": (ACTS["revise-status"], "it is archived", 4),
    "link-by-hand": (_by_hand, "wal replaces it", 2),
    "removed": (_removed, "its file is gone", 1),
    "forgotten": (_forgotten, "removed-journal buries it", 1),
}


@pytest.mark.parametrize("end", ENDS)
def test_review_of_a_branch_names_what_it_puts_away(end: str, approved: Project) -> None:
    act, how, line = ENDS[end]
    commit(approved)
    approved.git("switch", "--quiet", "--create", "feature")
    act(approved, AGENT)
    commit(approved)

    reply = review(approved.open(), "main")

    (risk,) = [each for each in reply["risks"] if each["code"] == "retires-approved"]
    assert (risk["severity"], risk["path"], risk["line"]) == ("warning", ".memory/decision/journal.md", line)
    assert risk["message"] == f"journal stood as approved in the base, and {how} now." and reply["passes"]
    assert "A person should judge this" in risk["hint"]
    if line > 1:
        field = text(approved, "decision/journal.md").split("\n")[line - 1]
        assert field.startswith("title:" if end == "link-by-hand" else "status:")


def test_review_of_a_branch_leaves_out_what_nobody_stood_for_and_what_was_away_before(approved: Project) -> None:
    approved.note("away", source="user", status="archived")
    approved.note("unread", source="agent")
    approved.note("stood", type="checkpoint", source="user")
    commit(approved)
    approved.git("switch", "--quiet", "--create", "feature")
    (approved.notes / "checkpoint" / "stood.md").unlink()
    (approved.notes / "decision" / "away.md").unlink()
    link(approved.open(), "wal", "replaces", "unread", author=AGENT)
    approved.git("mv", ".memory/decision/journal.md", ".memory/decision/log.md")
    commit(approved)

    assert "retires-approved" not in {risk["code"] for risk in review(approved.open(), "main")["risks"]}


def test_where_a_branch_approves_what_it_holds_stood_as_approved(approved: Project) -> None:
    commit(approved)
    approved.git("config", "gitmem.reviewBranch", "main")
    approved.git("switch", "--quiet", "--create", "feature")

    reply = link(approved.open(), "journal", "replaces", "wal", author=AGENT)
    commit(approved)

    assert codes(reply) == [("retires-approved", "wal")]
    assert ("retires-approved", ".memory/decision/wal.md") in {
        (risk["code"], risk["path"]) for risk in review(approved.open(), "main")["risks"]
    }


# The answer to a problem


@pytest.fixture
def answered(project: Project) -> Project:
    """A project with a problem that one note answers, and one that does not."""
    project.note("slow", "Writing is slow.", type="problem", source="agent")
    project.note("journal", "Write through a journal.", source="agent")
    project.note("wal", "Zip the assets before they are sent.", source="agent")
    resolve(project.open(), "slow", by="journal")
    return project


@pytest.mark.parametrize("act", sorted(ACTS.keys() - {"merge"}))
@pytest.mark.parametrize("who", [AGENT, PERSON])
def test_the_only_answer_put_away_is_told_with_the_problem(act: str, who: Author, answered: Project) -> None:
    reply = ACTS[act](answered, who)

    (warning,) = [each for each in reply["warnings"] if each["code"] == "answer-gone"]
    assert warning["name"] == "slow" and "gitmem revise slow --status open" in warning["message"]
    assert "answer-gone" in problems(answered)["problem/slow.md"]


def test_an_answer_that_is_merged_away_answers_on(answered: Project) -> None:
    assert codes(ACTS["merge"](answered, AGENT)) == []
    assert "problem/slow.md" not in problems(answered)


def test_an_answer_goes_without_a_word_where_its_successor_or_another_note_answers(answered: Project) -> None:
    draft = Draft("Log ahead", "decision", links=("replaces=journal", "answers=slow"))
    replaced = remember(answered.open(), draft, AGENT)
    link(answered.open(), "wal", "answers", "slow")
    buried = burial.bury(answered.open(), "log-ahead", "It was slow.", AGENT)
    last = burial.bury(answered.open(), "wal", "It was slow.", AGENT)

    assert codes(replaced) == [] and codes(buried) == [] and codes(last) == [("answer-gone", "slow")]


def test_a_problem_that_is_open_or_obsolete_needs_no_answer(answered: Project) -> None:
    revise(answered.open(), "slow", Draft(status="open"))

    assert codes(ACTS["bury"](answered, AGENT)) == [] and "problem/slow.md" not in problems(answered)


def test_check_believes_a_link_without_a_stamp_and_no_tombstone_that_is_away(answered: Project) -> None:
    answered.note("gone", type="tombstone", buried="[journal]", status="archived")
    before = problems(answered)
    answered.note("third", replaces="[journal]")

    assert "problem/slow.md" not in before and problems(answered)["problem/slow.md"] == ["answer-gone"]


def test_decay_tells_whose_answer_it_puts_away(answered: Project) -> None:
    answered.note("measured", type="insight", source="agent")
    resolve(answered.open(), "slow", by="measured")
    burial.bury(answered.open(), "journal", "It was slow.", AGENT)

    reply = decay(answered.open(400 * 86_400), apply=True)

    assert codes(reply) == [("answer-gone", "slow")]


def test_a_problem_resolved_without_an_answer_is_sound(project: Project) -> None:
    project.note("slow", type="problem", status="resolved")

    assert "problem/slow.md" not in problems(project)

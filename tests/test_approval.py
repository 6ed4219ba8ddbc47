"""What a person says of notes, and an agent may not: approve, pin, confirm, put away, judge, trust."""

import os
import pty
import resource
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import Project, command, environment, run, told
from hypothesis import given
from hypothesis import strategies as st
from projects import bytes_of, refusal, stopped, text

from gitmem.faces.agents import AGENTS
from gitmem.faces.cli import main
from gitmem.notes.entry import edit_digest, render
from gitmem.notes.entry import read as parsed
from gitmem.notes.instant import instant_of
from gitmem.operations import approval, judging, read
from gitmem.operations.draft import Author, Draft
from gitmem.operations.links import link, rename, resolve, unlink
from gitmem.operations.memory import locate
from gitmem.operations.merging import merge
from gitmem.operations.review import review
from gitmem.operations.waiting import decay
from gitmem.operations.write import edit_save, revise

DAY = 86_400
ACTS = (
    ("approve", "plain"),
    ("unapprove", "plain"),
    ("pin", "plain", "0.7"),
    ("unpin", "plain"),
    ("decay", "--apply"),
    ("trust",),
)
JANE = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_COMMITTER_NAME": "Jane Doe", "GIT_COMMITTER_EMAIL": "jane@example.org"}


@pytest.fixture
def plain(project: Project) -> Project:
    project.git("config", "user.name", "Jane Doe")
    project.git("config", "user.email", "jane@example.org")
    project.note("plain", "Plain files.", source="agent")
    return project


def stands(project: Project, name: str = "plain", later: float = 0) -> tuple[float, str]:
    shown = read.show(project.open(later), name)
    return shown["trust"], shown["standing"]


# Approve


def test_approve_stamps_who_when_and_of_what_and_nothing_else(plain: Project) -> None:
    before = text(plain, "decision/plain.md")

    reply = approval.approve(plain.open(), ["plain"])

    today = instant_of(plain.open().now)[:10]
    of = edit_digest(locate(plain.open(), "plain").note)
    stamp = f"approved: {{by: Jane Doe <jane@example.org>, at: {today}, of: {of}}}\n"
    assert text(plain, "decision/plain.md").replace(stamp, "") == before
    assert (reply["name"], reply["path"], reply["changed"]) == ("plain", ".memory/decision/plain.md", [reply["path"]])
    assert reply["notes"][0]["standing"] == "approved" and stands(plain) == (1.0, "approved")


@pytest.mark.parametrize(
    "edit", [Draft(title="Other"), Draft(summary="Short."), Draft(body="Other."), Draft(summary="")]
)
def test_an_edit_after_approval_voids_it(plain: Project, edit: Draft) -> None:
    revise(plain.open(), "plain", Draft(summary="Long."))
    approval.approve(plain.open(), ["plain"])

    revise(plain.open(), "plain", edit)

    assert stands(plain) == (0.5, "unreviewed")


def test_a_link_voids_an_approval_and_its_end_restores_it(plain: Project) -> None:
    plain.note("reason")
    approval.approve(plain.open(), ["plain"])

    link(plain.open(), "plain", "because", "reason")
    linked = stands(plain)
    plain.write("decision/plain.md", text(plain, "decision/plain.md").replace("because:\n  - reason\n", ""))

    assert (linked[1], stands(plain)[1]) == ("unreviewed", "approved")


def test_an_edit_that_voids_an_approval_says_so_once(plain: Project) -> None:
    plain.note("reason")
    plain.note("other")
    approval.approve(plain.open(), ["plain"])

    tagged = revise(plain.open(), "plain", Draft(tags=("git",)))
    linked = link(plain.open(), "plain", "because", "reason")
    again = revise(plain.open(), "plain", Draft(body="Another text."))
    approval.approve(plain.open(), ["plain"])
    judged = judging.judge(plain.open(), "plain", "other", "conflict")

    found = [[each["code"] for each in reply["warnings"]] for reply in (tagged, linked, again, judged)]
    assert found == [[], ["approval-void"], [], ["approval-void"]]


def test_tags_a_name_and_line_ends_void_nothing(plain: Project) -> None:
    approval.approve(plain.open(), ["plain"])

    revise(plain.open(), "plain", Draft(tags=("git",), confidence=0.3))
    rename(plain.open(), "plain", "simple")
    file = plain.notes / "decision/simple.md"
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))

    assert stands(plain, "simple")[1] == "approved"


def test_many_are_approved_at_once_or_none(plain: Project) -> None:
    plain.note("other")
    before = bytes_of(plain)

    refused = refusal(lambda: approval.approve(plain.open(), ["plain", "othr"]))
    untouched = bytes_of(plain)
    reply = approval.approve(plain.open(), ["plain", "other", "plain"])

    assert refused.code == "unknown-name" and untouched == before
    assert [note["name"] for note in reply["notes"]] == ["plain", "other"] and len(reply["changed"]) == 2


def test_approving_again_the_same_day_changes_nothing(plain: Project) -> None:
    approval.approve(plain.open(), ["plain"])

    assert approval.approve(plain.open(), ["plain"])["changed"] == []


def test_unapprove_takes_the_stamp_and_nothing_else(plain: Project) -> None:
    before = text(plain, "decision/plain.md")
    approval.approve(plain.open(), ["plain"])

    reply = approval.unapprove(plain.open(), ["plain"])

    assert text(plain, "decision/plain.md") == before and reply["notes"][0]["standing"] == "unreviewed"
    assert approval.unapprove(plain.open(), ["plain"])["changed"] == []


def test_a_persons_own_note_stays_approved_and_that_is_said(plain: Project) -> None:
    plain.note("own", source="user")

    reply = approval.unapprove(plain.open(), ["own", "plain"])

    assert [(each["code"], each["name"]) for each in reply["warnings"]] == [("still-approved", "own")]


def test_a_void_stamp_can_be_taken_away_and_given_anew(plain: Project) -> None:
    approval.approve(plain.open(), ["plain"])
    revise(plain.open(), "plain", Draft(body="Other."))

    approval.approve(plain.open(), ["plain"])
    again = stands(plain)
    revise(plain.open(), "plain", Draft(body="More."))
    approval.unapprove(plain.open(), ["plain"])

    assert again[1] == "approved" and "approved" not in text(plain, "decision/plain.md")


def test_nobody_approves_without_an_identity(project: Project, tmp_path: Path) -> None:
    project.note("plain")
    nobody = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "GIT_CONFIG_COUNT": "1"}
    nobody |= {"GIT_CONFIG_KEY_0": "user.useConfigOnly", "GIT_CONFIG_VALUE_0": "true"}

    refused = refusal(lambda: approval.approve(project.open(environment=nobody), ["plain"]))

    assert refused.code == "no-identity"


def test_a_stopped_rebase_keeps_tracked_notes_as_they_are(plain: Project) -> None:
    stopped(plain, "rebase")

    refused = refusal(lambda: approval.approve(plain.open(), ["plain"]))

    assert refused.code == "unfinished-operation"


# Pin


@given(st.floats(0, 1))
def test_a_pin_is_the_trust_up_or_down(value: float) -> None:
    note = parsed("decision/x.md", b"---\ntitle: X\ntype: decision\n---\n", verbs=()).note._replace(pinned=value)

    assert parsed("decision/x.md", render(note, verbs=()), verbs=()).note.pinned == value


def test_pin_and_unpin(plain: Project) -> None:
    before = text(plain, "decision/plain.md")

    pinned = approval.pin(plain.open(), "plain")["notes"][0]
    lowered = approval.pin(plain.open(), "plain", 0.25)["notes"][0]
    unpinned = approval.unpin(plain.open(), "plain")["notes"][0]

    assert [each["trust"] for each in (pinned, lowered, unpinned)] == [1.0, 0.25, 0.5]
    assert pinned["marks"] == ["unreviewed", "pinned", "written"] and lowered["standing"] == "stale"
    assert text(plain, "decision/plain.md") == before
    assert refusal(lambda: approval.pin(plain.open(), "plain", 1.1)).status == 2
    assert str(approval.pin(plain.open(), "plain", -0.0)["notes"][0]["trust"]) == "0.0"


# Confirm


def test_a_persons_confirmation_confirms_and_an_agents_lifts_no_standing(plain: Project) -> None:
    (plain.root / "code.py").write_text("def f():\n    return 1\n")
    plain.note("plain", source="agent", touches="[code.py::f@0000000]")
    before = read.show(plain.open(), "plain")

    approval.confirm(plain.open(), ["plain"], by="agent")
    by_agent = read.show(plain.open(), "plain")
    approval.confirm(plain.open(), ["plain"], by="user")
    by_person = read.show(plain.open(), "plain")

    assert before["standing"] == "drifted" and by_agent["touches"][0]["state"] == "valid"
    assert (by_agent["trust"], by_agent["standing"], by_agent["fields"]["confirmed_by"]) == (0.5, "unreviewed", "agent")
    assert (by_person["trust"], by_person["standing"]) == (0.6, "confirmed")
    assert by_person["fields"]["confirmed_by"] == "user"


def test_revise_never_confirms(plain: Project) -> None:
    revise(plain.open(), "plain", Draft(body="Other."))

    assert "confirmed" not in text(plain, "decision/plain.md")


# Decay


def old(project: Project, days: float) -> str:
    return instant_of(int(project.open().now - days * DAY))


LINE = 183 * 20 / 49  # days until a written note is stale


def test_decay_is_about_what_agents_wrote_and_nobody_vouched_for(plain: Project) -> None:
    faded = {"type": "insight", "created": old(plain, LINE + 15)}
    plain.note("gone-by", source="agent", **faded)
    plain.note("by-hand", **faded)
    plain.note("young", source="agent", type="insight", created=old(plain, LINE + 13))
    plain.note("a-persons", source="user", **faded)
    plain.note("pinned", source="agent", pinned="0.1", **faded)
    plain.note("lasting", source="agent", **faded | {"durability": "stable"})
    plain.note("open", source="agent", **faded | {"type": "intent"})
    plain.note("confirmed", source="agent", confirmed=old(plain, 100), **faded)
    plain.note("put-away", source="agent", status="archived", **faded)
    plain.note("checkpoint", source="agent", **faded | {"type": "checkpoint"})
    plain.note("approved", source="agent", **faded)
    approval.approve(plain.open(), ["approved"])
    before = bytes_of(plain)

    shown = decay(plain.open())
    untouched = bytes_of(plain)
    applied = decay(plain.open(), apply=True)

    assert sorted(note["name"] for note in shown["notes"]) == ["by-hand", "gone-by"] and not shown["applied"]
    assert shown["changed"] == [] and untouched == before
    assert applied["applied"] and applied["changed"] == [".memory/insight/by-hand.md", ".memory/insight/gone-by.md"]
    assert "status: archived\n" in text(plain, "insight/gone-by.md") and decay(plain.open())["notes"] == []


@pytest.mark.parametrize(("late", "fades"), [(-1, False), (0, True)])
def test_decay_waits_fourteen_days_to_the_second(project: Project, late: int, fades: bool) -> None:
    now = project.open().now
    project.note("gone-by", type="insight", source="agent", created=instant_of(now))
    after = 183 * DAY * 20 // 49 + 1 + 14 * DAY + late

    found = decay(project.open()._replace(now=now + after))["notes"]

    assert [note["name"] for note in found] == ["gone-by"] * fades


# Who is a person


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment in which no agent is about."""
    for variable, _ in AGENTS:
        monkeypatch.delenv(variable, raising=False)
    return monkeypatch


def statuses(project: Project) -> dict[str, int]:
    return {act[0]: main(["-C", str(project.root), *act]) for act in ACTS}


@pytest.mark.parametrize("variable", [variable for variable, _ in AGENTS])
def test_an_agent_is_refused_what_only_a_person_does(
    plain: Project, variable: str, nobody: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plain.git("config", "gitmem.source", "user")
    before = bytes_of(plain), plain.git("config", "--local", "--list")
    nobody.setenv(variable, "1")

    found = statuses(plain)

    errors = capsys.readouterr().err.splitlines()
    assert set(found.values()) == {3}
    assert [variable in line for line in errors] == [True, False] * len(ACTS)
    assert (bytes_of(plain), plain.git("config", "--local", "--list")) == before


@pytest.mark.parametrize("variable", ["GEMINI_API_KEY", "CODEX_HOME", "COPILOT_GITHUB_TOKEN", "GOOSE_PROVIDER"])
def test_people_who_hold_an_agents_settings_are_people(
    plain: Project, variable: str, nobody: pytest.MonkeyPatch
) -> None:
    nobody.setenv(variable, "x")

    found = statuses(plain)

    assert set(found.values()) == {0} and plain.git("config", "gitmem.trusted") == "true\n"


@pytest.mark.parametrize("word", ["agent", "AGENT", " Agent "])
def test_a_clone_that_is_an_agents_is_no_persons(plain: Project, word: str, nobody: pytest.MonkeyPatch) -> None:
    plain.git("config", "gitmem.source", word)

    assert set(statuses(plain).values()) == {3}


def test_who_confirms_is_told_as_who_writes_is(plain: Project, nobody: pytest.MonkeyPatch) -> None:
    def confirmed() -> tuple[float, str]:
        main(["-C", str(plain.root), "confirm", "plain"])
        return stands(plain)

    nowhere = confirmed()
    plain.git("config", "gitmem.source", "user")
    by_person = confirmed()
    nobody.setenv("CLAUDECODE", "1")

    assert by_person == (0.6, "confirmed") and nowhere == confirmed() == (0.5, "unreviewed")


@pytest.mark.parametrize(("answer", "status"), [("yes\n", 0), ("no\n", 3), ("\n", 3)])
def test_at_a_terminal_a_person_may_answer(plain: Project, answer: str, status: int) -> None:
    ours, theirs = pty.openpty()
    extra = {"CLAUDECODE": "1", "TERM": "dumb"}
    with subprocess.Popen(
        command("approve", "plain"),
        cwd=plain.root,
        env=environment(**extra),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    ) as process:
        os.write(ours, answer.encode())
        process.wait(60)
    os.close(theirs)
    os.close(ours)

    assert process.returncode == status
    assert stands(plain)[1] == ("unreviewed" if status else "approved")


def test_an_agent_may_look_at_what_decays_and_judge_a_pair(plain: Project, nobody: pytest.MonkeyPatch) -> None:
    plain.note("other")
    nobody.setenv("CLAUDECODE", "1")

    found = [
        main(["-C", str(plain.root), *words.split()]) for words in ("decay", "conflicts judge plain other distinct")
    ]

    assert found == [0, 0]


# Judgements


@pytest.fixture
def pair(plain: Project) -> Project:
    plain.note("older", created="2026-01-01", suspects="[newer]")
    plain.note("newer", created="2026-02-01", suspects="[older]")
    return plain


@pytest.mark.parametrize(
    ("kind", "newer", "older"),
    [
        ("conflict", "conflicts-with:\n  - older\n", ""),
        ("replaces", "replaces:\n  - older\n", "status: superseded\n"),
        ("distinct", "distinct:\n  - older\n", ""),
    ],
)
def test_a_judgement_settles_a_suspicion_and_again_changes_nothing(
    pair: Project, kind: str, newer: str, older: str
) -> None:
    plainly = {name: text(pair, f"decision/{name}.md") for name in ("newer", "older")}

    reply = judging.judge(pair.open(), "newer", "older", kind)
    after = bytes_of(pair)
    again = judging.judge(pair.open(), "newer", "older", kind)

    assert reply["changed"] == [".memory/decision/newer.md", ".memory/decision/older.md"]
    assert again["changed"] == [] and bytes_of(pair) == after
    assert sorted(text(pair, "decision/newer.md").splitlines()) == sorted(
        [*plainly["newer"].replace("suspects: [older]\n", "").splitlines(), *newer.splitlines()]
    )
    assert sorted(text(pair, "decision/older.md").splitlines()) == sorted(
        [*plainly["older"].replace("suspects: [newer]\n", "").splitlines(), *older.splitlines()]
    )
    assert judging.suspects(pair.open())["pairs"] == []


@pytest.mark.parametrize("kind", ["replaces", "distinct"])
def test_a_conflict_ends_when_it_is_judged_otherwise(pair: Project, kind: str) -> None:
    link(pair.open(), "older", "conflicts-with", "newer")
    judging.judge(pair.open(), "newer", "older", "conflict")
    listed = judging.conflicts(pair.open())["pairs"]

    judging.judge(pair.open(), "newer", "older", kind)

    assert [(each["newer"], each["older"]) for each in listed] == [("newer", "older")]
    assert judging.conflicts(pair.open())["pairs"] == []


def test_judging_distinct_notes_a_conflict_after_all(pair: Project) -> None:
    judging.judge(pair.open(), "newer", "older", "distinct")

    judging.judge(pair.open(), "newer", "older", "conflict")

    assert "distinct" not in text(pair, "decision/newer.md") and len(judging.conflicts(pair.open())["pairs"]) == 1


def test_a_judgement_keeps_what_a_link_says_already(pair: Project) -> None:
    link(pair.open(), "newer", "conflicts-with", "older", note="measured", weight=0.7)

    judging.judge(pair.open(), "newer", "older", "conflict")

    assert judging.conflicts(pair.open())["pairs"][0]["reason"] == "measured"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("newer", "newer", "conflict"), "self-link"),
        (("newer", "oldr", "conflict"), "unknown-name"),
        (("newer", "older", "twins"), "unknown-kind"),
    ],
)
def test_a_judgement_that_makes_no_sense_is_refused(pair: Project, words: tuple[str, str, str], code: str) -> None:
    before = bytes_of(pair)

    assert refusal(lambda: judging.judge(pair.open(), *words)).code == code and bytes_of(pair) == before


# As a command


def test_replies_are_those_of_the_contract(plain: Project) -> None:
    plain.note("another", suspects="[plain]")
    words = (["approve", "plain"], ["pin", "plain", "0.5"], ["confirm", "plain", "another"], ["unpin", "plain"])

    replies = [told(run(plain.root, *each, "--json", extra=JANE)) for each in words]
    listed = [told(run(plain.root, word, "--json")) for word in ("review", "conflicts", "suspects", "decay")]

    assert all({"name", "path", "changed", "notes", "warnings", "deferred"} == reply.keys() for reply in replies)
    assert [list(each) for each in listed[:3]] == [
        ["unreviewed", "stale", "drifted", "conflicts", "suspects", "retired"],
        ["pairs"],
        ["pairs"],
    ]
    assert {"newer", "older", "reason", "kind"} <= listed[2]["pairs"][0].keys() and listed[3]["notes"] == []


@pytest.mark.parametrize(
    "words",
    [
        ["pin", "plain", "much"],
        ["pin", "plain", "2"],
        ["conflicts", "judge", "plain"],
        ["approve"],
        ["review", "--format", "markdown"],
    ],
    ids=" ".join,
)
def test_a_command_line_that_makes_no_sense_is_told(
    plain: Project, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-C", str(plain.root), *words]) == 2 and "hint: " in capsys.readouterr().err


# Notes that a merge left half-way

HALF = "<<<<<<< ours\nWe keep one file a note.\n=======\nWe keep one file a year.\n>>>>>>> theirs"


@pytest.mark.parametrize("act", [("approve",), ("pin",), ("confirm",)])
@pytest.mark.parametrize("left", ["body", "field"])
def test_nobody_vouches_for_two_sides_at_once(plain: Project, act: tuple[str], left: str) -> None:
    path = plain.note("half", HALF if left == "body" else "Text.")
    if left == "field":
        path.write_text(path.read_text().replace("type:", "# theirs: type: insight\ntype:"))
    before = path.read_bytes()
    does = {
        "approve": lambda: approval.approve(plain.open(), ["plain", "half"]),
        "pin": lambda: approval.pin(plain.open(), "half"),
        "confirm": lambda: approval.confirm(plain.open(), ["plain", "half"], by="user"),
    }

    refused = refusal(does[act[0]])

    assert refused.code == "unsettled" and refused.hint == "gitmem resolve-conflicts half" and refused.status == 3
    assert path.read_bytes() == before and "approved" not in text(plain, "decision/plain.md")


def test_what_was_said_of_a_note_that_is_now_half_merged_can_be_taken_back(plain: Project) -> None:
    path = plain.note("half", HALF, pinned="0.7")

    approval.unpin(plain.open(), "half")

    assert "pinned" not in path.read_text() and HALF in path.read_text()


def test_what_one_disk_refuses_of_several_notes_changes_none(plain: Project) -> None:
    plain.note("large", "Text. " * 1_000)
    before = bytes_of(plain)

    done = subprocess.run(
        command("confirm", "plain", "large", "--json"),
        check=False,
        cwd=plain.root,
        capture_output=True,
        text=True,
        env=environment(),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4_000, 4_000)),
    )

    assert (done.returncode, told(done)["error"]["code"]) == (3, "disk") and bytes_of(plain) == before


# An agent changes what a person wrote

PERSON = Author("user", None)
BOT = Author("agent", "bot")


@pytest.fixture
def persons(project: Project) -> Project:
    for name in ("mine", "older"):
        project.note(name, f"A person wrote {name}.", source="user", type="principle")
    return project


def _merged(project: Project, author: Author) -> dict[str, Any]:
    project.note("victim", "The same.", type="principle", source="agent")
    return merge(project.open(), ["victim"], "mine", author=author)


EDITS = {
    "revise": lambda project, author: revise(project.open(), "mine", Draft(title="Not mine"), author=author),
    "link": lambda project, author: link(project.open(), "mine", "because", "older", author=author),
    "judge": lambda project, author: judging.judge(project.open(), "mine", "older", "conflict", author=author),
    "merge": _merged,
    "edit": lambda project, author: edit_save(
        project.open(),
        "mine",
        text(project, "principle/mine.md").replace("wrote", "hardly wrote").encode(),
        expect=locate(project.open(), "mine").digest,
        author=author,
    ),
}


@pytest.mark.parametrize("edit", EDITS)
def test_what_an_agent_makes_of_a_persons_note_is_unreviewed_and_told(persons: Project, edit: str) -> None:
    assert stands(persons, "mine")[1] == "approved"

    reply = EDITS[edit](persons, BOT)

    note = locate(persons.open(), "mine").note
    assert (note.source, note.agent) == ("agent", "bot")
    assert [each["name"] for each in reply["warnings"] if each["code"] == "approval-void"] == ["mine"]
    assert "unreviewed" in read.show(persons.open(), "mine")["marks"]


@pytest.mark.parametrize("edit", EDITS)
def test_what_a_person_makes_of_it_stays_a_persons(persons: Project, edit: str) -> None:
    reply = EDITS[edit](persons, PERSON)

    assert locate(persons.open(), "mine").note.source == "user"
    assert [each for each in reply["warnings"] if each["code"] == "approval-void"] == []


def test_tags_and_touches_by_an_agent_leave_a_note_a_persons(persons: Project) -> None:
    (persons.root / "a.py").write_text("x = 1\n")

    revise(persons.open(), "mine", Draft(add_tags=("new",), add_touches=("a.py",)), author=BOT)

    assert locate(persons.open(), "mine").note.source == "user" and stands(persons, "mine")[1] == "approved"


def test_the_variable_of_an_agent_tells_where_no_author_is_given(persons: Project) -> None:
    memory = persons.open(environment={**os.environ, "CLAUDECODE": "1"})

    unlink(memory, "mine", link(memory, "mine", "because", "older")["verb"], "older")

    assert locate(persons.open(), "mine").note.agent == "claude-code"


def test_review_names_what_an_agent_made_of_a_persons_note(persons: Project) -> None:
    persons.git("add", "-A")
    persons.git("commit", "-qm", "Begin")
    persons.git("switch", "-qc", "branch")
    EDITS["revise"](persons, BOT)
    persons.git("commit", "-qam", "More")

    found = review(persons.open(), "main")["risks"]

    assert [each["path"] for each in found if each["code"] == "unreviewed-canon"] == [".memory/principle/mine.md"]


@pytest.mark.parametrize("harm", [HALF, None])
def test_nobody_stands_for_a_note_that_cannot_be_read(persons: Project, harm: str | None) -> None:
    path = persons.notes / "principle" / "mine.md"
    told = path.read_text()
    path.write_text(told + HALF + "\n" if harm else told.replace("title:", "title: x\ntitle:", 1))

    assert stands(persons, "mine")[1] == "unreviewed"


def test_confirm_names_what_a_note_is_not_tied_to(plain: Project) -> None:
    plain.note("lost", touches="[src/gone.py, .]")

    reply = approval.confirm(plain.open(), ["lost"], by="user")

    (warning,) = (each for each in reply["warnings"] if each["code"] == "unresolved" and "gone" in each["message"])
    assert "gitmem revise lost --remove-touches src/gone.py" in warning["message"]


def test_a_person_who_edits_what_was_approved_is_told(persons: Project) -> None:
    persons.git("config", "user.name", "Jane Doe")
    persons.git("config", "user.email", "jane@example.org")
    approval.approve(persons.open(), ["mine"])

    reply = revise(persons.open(), "mine", Draft(body="Other words."), author=PERSON)

    assert [each["code"] for each in reply["warnings"]] == ["approval-void"]


def test_every_note_whose_words_an_agent_changes_is_the_agents(persons: Project) -> None:
    persons.note("third", because="[victim]", source="user")
    persons.note("newest", "It is not so.", type="principle", contradicts="[mine]", source="agent")
    persons.note("oldest", type="principle", conflicts_with="[older]", source="user", created="2020-01-01")

    _merged(persons, BOT)
    judging.judge(persons.open(), "older", "oldest", "distinct", author=BOT)

    assert [locate(persons.open(), name).note.source for name in ("third", "oldest", "older")] == ["agent"] * 2 + [
        "user"
    ]


def test_what_an_agent_resolves_by_a_persons_note_makes_it_the_agents(persons: Project) -> None:
    persons.note("broken", type="problem", source="user")
    persons.note("mended", type="resolution", source="user")

    reply = resolve(persons.open(), "broken", by="mended", author=BOT)

    assert locate(persons.open(), "mended").note.source == "agent"
    assert [each["name"] for each in reply["warnings"]] == ["mended"]


@pytest.mark.parametrize("edit", [Draft(created="2026-11-01"), Draft(durability="volatile"), Draft(type="insight")])
def test_what_trust_goes_by_is_no_agents_to_change_in_a_persons_name(persons: Project, edit: Draft) -> None:
    revise(persons.open(), "mine", edit, author=BOT)

    assert locate(persons.open(), "mine").note.source == "agent"


def test_confirm_says_nothing_of_code_that_it_cannot_read(plain: Project) -> None:
    (plain.root / "x.zig").write_text("fn main() void {}\n")
    plain.note("zig", touches="[x.zig::main]")

    assert approval.confirm(plain.open(), ["zig"], by="user")["warnings"] == []


def test_a_review_branch_holds_without_git(plain: Project, tmp_path: Path) -> None:
    plain.note("forged", source="user", pinned="1.0")
    plain.git("config", "gitmem.reviewBranch", "main")

    shown = told(run(plain.root, "show", "forged", "--json", extra={"PATH": str(tmp_path)}))

    assert shown["standing"] == "unreviewed" and "pinned" not in shown["marks"]

"""What a checkpoint says has happened becomes notes where it should last: all of them with its commit, or none."""

import os
import signal
import subprocess
import sys
from typing import Any

import pytest
from conftest import Project, run, told
from projects import AGENT, SECRET, bytes_of, kept, problems, refusal, status_of, stopped

from gitmem.errors import GitmemError
from gitmem.operations.brief import brief
from gitmem.operations.checkpoint import Said, checkpoint
from gitmem.operations.read import show


@pytest.fixture
def begun(project: Project) -> Project:
    project.git("config", "gitmem.trusted", "true")
    project.git("config", "user.name", "T")
    project.git("config", "user.email", "t@example.org")
    (project.root / "code.py").write_text("def fly():\n    pass\n")
    project.git("add", ".")
    project.git("commit", "-qm", "Begin")
    return project


def said(project: Project, *events: str, title: str = "Half done", later: float = 0, **more: Any) -> dict[str, Any]:
    """Returns what a checkpoint with these events comes to."""
    return checkpoint(project.open(later), Said(title, events=events, **more), AGENT)


def committed(project: Project) -> list[str]:
    """Returns the files of the last commit."""
    return project.git("show", "--format=", "--name-only", "HEAD").split()


def fields(project: Project, name: str) -> dict[str, Any]:
    return show(project.open(), name)


@pytest.mark.parametrize(
    ("event", "type", "title"),
    [
        ("decision=Keep one file a note", "decision", "Keep one file a note"),
        ("accepted=Keep one file a note", "decision", "Keep one file a note"),
        ("rejected=A database", "decision", "Rejected: A database"),
        ("constraint=No network in tests", "caution", "No network in tests"),
        ("blocker=The runner has no disk", "problem", "The runner has no disk"),
        ("verification=pytest -q -> 812 passed", "insight", "pytest -q: 812 passed"),
    ],
)
def test_an_event_that_should_last_is_a_note_of_its_type(begun: Project, event: str, type: str, title: str) -> None:
    reply = said(begun, event, session="s1", touches=("code.py::fly",))

    name = reply["made"][0]["name"]
    note = fields(begun, name)
    assert (note["type"], note["title"], note["problems"]) == (type, title, [])
    assert (note["fields"]["source"], note["fields"]["session"]) == ("agent", "s1")
    touched = [] if event.startswith("verification") else [{"ref": "code.py::fly", "state": "valid"}]
    assert note["touches"] == touched
    assert reply["notes"] == [name] and reply["commit"] == begun.git("rev-parse", "HEAD").strip()
    assert sorted(committed(begun)) == sorted([reply["path"], note["path"]])


def test_the_checkpoint_links_what_it_made(begun: Project) -> None:
    reply = said(begun, "decision=One file", "blocker=No disk", "milestone=Half way", body="It stands.")

    note = fields(begun, reply["name"])
    assert [each["name"] for each in note["mentions"]] == ["one-file", "no-disk"]
    assert note["body"].strip().endswith("- decision: [[one-file]]\n- blocker: [[no-disk]]")
    assert begun.git("log", "-1", "--format=%b").startswith("It stands.\n\nMemory-Checkpoint: ")
    assert problems(begun) == {}


def test_milestones_and_handoffs_stay_in_the_checkpoint(begun: Project) -> None:
    reply = said(begun, "milestone=Half way", "handoff=Read the log first")

    assert (reply["made"], reply["notes"], reply["warnings"]) == ([], [], [])
    assert brief(begun.open())["checkpoint"]["events"] == ["milestone=Half way", "handoff=Read the log first"]


def test_a_verification_keeps_its_command_and_its_result(begun: Project) -> None:
    name = said(begun, "verification=make bench: recall at 5.4 x")["made"][0]["name"]

    assert fields(begun, name)["body"].strip() == "Command: `make bench`\n\nResult: recall at 5.4 x"


def test_a_long_event_keeps_all_of_its_text(begun: Project) -> None:
    text = "Keep one file a note since merges stay small " * 9

    name = said(begun, f"decision={text}")["made"][0]["name"]

    note = fields(begun, name)
    assert len(note["title"]) <= 200 and note["title"].endswith("…")
    assert note["body"].strip() == text.strip()


def test_what_is_superseded_is_replaced(begun: Project) -> None:
    kept(begun, "Use a journal")

    reply = said(begun, "superseded=use-a-journal: Use a write-ahead log")

    new = fields(begun, "use-a-write-ahead-log")
    assert [(link["verb"], link["name"]) for link in new["links_out"]] == [("replaces", "use-a-journal")]
    assert status_of(begun, "use-a-journal") == "superseded"
    assert len(committed(begun)) == 3 and reply["left"] == []


def test_a_note_that_was_there_is_made_to_replace(begun: Project) -> None:
    kept(begun, "Use a journal")
    kept(begun, "Use a write-ahead log")

    reply = said(begun, "superseded=use-a-journal -> Use a write-ahead log")

    assert reply["made"] == [{"event": "superseded", "name": "use-a-write-ahead-log", "created": False}]
    assert status_of(begun, "use-a-journal") == "superseded"


def test_what_is_rejected_and_there_is_buried(begun: Project) -> None:
    kept(begun, "SQLite store", body="We use it.")

    reply = said(begun, "rejected=[[sqlite-store]]: It cannot be reviewed")

    stone = fields(begun, reply["made"][0]["name"])
    assert (stone["type"], stone["title"], stone["body"].strip()) == (
        "tombstone",
        "SQLite store",
        "It cannot be reviewed",
    )
    assert stone["fields"]["buried"] == ["sqlite-store"] and status_of(begun, "sqlite-store") == "archived"
    assert refusal(lambda: kept(begun, "SQLite store")).code == "tombstoned"
    assert problems(begun) == {}


def test_what_supersedes_nothing_that_is_there_stays_and_says_so(begun: Project) -> None:
    reply = said(begun, "superseded=the old parser plan: parse once")

    assert reply["made"] == [] and [each["code"] for each in reply["warnings"]] == ["event-stays"]
    assert "names no note" in reply["warnings"][0]["message"]


def test_a_vocabulary_without_the_type_leaves_the_event_in_the_checkpoint(begun: Project) -> None:
    begun.write("config.toml", '[types.rule]\n[types.chore]\nrole = "worklist"\n')

    reply = said(begun, "decision=One file", "blocker=No disk")

    assert [each["event"] for each in reply["made"]] == ["blocker"]
    assert fields(begun, "no-disk")["type"] == "chore" and fields(begun, "no-disk")["fields"]["status"] == "open"
    assert "no type decision" in reply["warnings"][0]["message"]


# Said twice


def test_what_is_there_already_is_linked_and_not_written_again(begun: Project) -> None:
    kept(begun, "One file")

    reply = said(begun, "decision=One file", "accepted=One file")

    assert reply["made"] == [
        {"event": "decision", "name": "one-file", "created": False},
        {"event": "accepted", "name": "one-file", "created": False},
    ]
    assert "- decision: [[one-file]]" in fields(begun, reply["name"])["body"]


def test_the_same_checkpoint_again_is_nothing_new(begun: Project) -> None:
    kept(begun, "Use a journal")
    kept(begun, "SQLite store")
    events = ("decision=One file", "superseded=use-a-journal: Use a log", "rejected=sqlite-store: No")
    first = said(begun, *events)
    before = bytes_of(begun)

    again = said(begun, *events, later=60)

    assert again["commit"] is None and again["name"] == first["name"] and bytes_of(begun) == before


# All or nothing


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (f"decision=The key is {SECRET}", "secret"),
        ("superseded=first: Second", "bad-event"),
        ("decision=Buried thing", "tombstoned"),
        ("decision=Bell\x07", "bad-title"),
    ],
)
def test_a_refused_event_leaves_nothing_behind(begun: Project, event: str, code: str) -> None:
    kept(begun, "First")
    kept(begun, "Buried thing")
    said(begun, "rejected=buried-thing: No", title="Bury it")
    before, head = bytes_of(begun), begun.git("rev-parse", "HEAD")

    found = refusal(lambda: said(begun, "decision=Fine", "rejected=first: Never", event, title="Too much"))

    assert found.code == code
    assert (bytes_of(begun), begun.git("rev-parse", "HEAD")) == (before, head)


def test_a_refusing_hook_leaves_every_file_no_commit_and_the_index_as_it_was(begun: Project) -> None:
    hook = begun.root / ".git" / "hooks" / "pre-commit"
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    index, head = begun.git("ls-files", "-s"), begun.git("rev-parse", "HEAD")

    with pytest.raises(GitmemError, match="pre-commit"):
        said(begun, "decision=One file", "blocker=No disk")

    assert {path.partition("/")[0] for path in bytes_of(begun)} == {"decision", "problem", "checkpoint"}
    assert (begun.git("ls-files", "-s"), begun.git("rev-parse", "HEAD")) == (index, head)
    hook.unlink()
    assert len(said(begun, "decision=One file", "blocker=No disk", later=60)["notes"]) >= 2


def test_a_disk_that_refuses_one_file_gets_none(begun: Project) -> None:
    (begun.notes / "problem").write_text("in the way")
    before = bytes_of(begun)

    with pytest.raises(GitmemError, match="problem"):
        said(begun, "decision=One file", "blocker=No disk")

    assert bytes_of(begun) == before


def test_in_a_merge_they_are_written_and_deferred(begun: Project) -> None:
    stopped(begun, "merge")

    reply = said(begun, "decision=One file")

    assert reply["deferred"] and fields(begun, "one-file")["title"] == "One file"
    begun.git("merge", "--abort")
    assert said(begun, "decision=One file", later=60)["notes"] == ["one-file"]


def test_in_a_rebase_no_tracked_note_is_changed(begun: Project) -> None:
    kept(begun, "Use a journal")
    said(begun, title="Commit it")
    stopped(begun, "rebase")
    before = bytes_of(begun)

    found = refusal(lambda: said(begun, "superseded=use-a-journal: Use a log", title="In between"))

    assert found.code == "unfinished-operation" and bytes_of(begun) == before


def test_the_command_says_what_it_made(begun: Project) -> None:
    done = run(begun.root, "checkpoint", "Half done", "--event", "decision=One file", "--event", "decision=One file")
    reply = told(run(begun.root, "checkpoint", "More done", "--event", "blocker=No disk", "--json"))

    assert "  decision   one-file\n  decision   one-file, which was there\n" in done.stdout
    assert reply["made"] == [{"event": "blocker", "name": "no-disk", "created": True}]
    assert begun.git("status", "--porcelain") == ""


KILLED = """
import os, signal, sys

left, real = int(sys.argv.pop(1)), os.replace
def replace(*places, **more):
    global left
    real(*places, **more)
    left -= not str(places[1]).count("/.cache/")
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
os.replace = replace

from gitmem.faces.start import main
main()
"""


@pytest.mark.parametrize("files", [1, 2, 3])
def test_what_a_killed_checkpoint_left_is_committed_whole_by_the_same_checkpoint(begun: Project, files: int) -> None:
    words = ["checkpoint", "Half done", "--event", "decision=Keep one file a note", "--event", "constraint=No network"]
    agent = {**os.environ, "CLAUDECODE": "1"}

    killed = subprocess.run([sys.executable, "-c", KILLED, str(files), *words], cwd=begun.root, env=agent, check=False)
    again = subprocess.run([sys.executable, "-m", "gitmem", *words], cwd=begun.root, env=agent, check=False)

    assert (killed.returncode, again.returncode) == (-signal.SIGKILL, 0)
    assert begun.git("status", "--porcelain", "-uall", ".memory") == ""
    assert {path.split("/")[1] for path in committed(begun)} == {"checkpoint", "decision", "caution"}


def test_a_replacement_that_is_there_keeps_its_note_and_weight_however_it_is_spelt(begun: Project) -> None:
    begun.note("old-way", "The old way.")
    begun.note("new-way", "The new way.", replaces="{to: Old-Way, note: because, weight: 0.5}")

    said(begun, "superseded=old-way: New way")

    assert "Old-Way" in (begun.notes / "decision" / "new-way.md").read_text()

"""Undo: a new commit that takes back what older ones did, leaves what changed since, and touches nothing else."""

import json
import signal
import subprocess
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from conftest import Project, command, environment, run, told
from hypothesis import given
from hypothesis import strategies as st
from projects import kept

from gitmem.errors import GitmemError
from gitmem.operations.undo import ABSENT, DONE, PENDING, SINCE, TAKEN, Step, _Now, planned, undo
from gitmem.storage.trees import Leaf


@pytest.fixture(autouse=True)
def identity(project: Project) -> None:
    project.git("config", "user.name", "Jane Doe")
    project.git("config", "user.email", "jane@example.org")


def commit(project: Project, message: str = "told") -> str:
    project.git("add", "--all")
    project.git("commit", "--quiet", "--allow-empty", "--message", message)
    return project.git("rev-parse", "HEAD").strip()


def tree(project: Project, revision: str = "HEAD") -> str:
    return project.git("rev-parse", f"{revision}:.memory").strip()


def skipped(reply: dict[str, Any]) -> dict[str, str]:
    return {each["name"]: each["reason"] for each in reply["skipped"]}


def test_what_a_commit_did_is_taken_back(project: Project) -> None:
    project.note("kept", "Before.")
    gone = project.note("gone")
    commit(project)
    before = tree(project)
    project.note("kept", "After.")
    project.note("added")
    gone.unlink()
    undone = commit(project, 'Say "more"')

    reply = undo(project.open(), "HEAD")

    assert reply["reversed"] == ["added", "gone", "kept"] and reply["skipped"] == []
    assert tree(project) == before and reply["commit"] == project.git("rev-parse", "HEAD").strip()
    assert project.git("status", "--porcelain") == ""
    message = project.git("log", "-1", "--format=%B")
    assert message.startswith('Undo "Say "more""\n\nTakes back') and f"Memory-Undo: {undone}" in message


def test_undo_can_be_undone(project: Project) -> None:
    project.note("kept", "Before.")
    commit(project)
    project.note("kept", "After.")
    commit(project)
    after = tree(project)

    undo(project.open(), "HEAD")
    undo(project.open(), "HEAD")

    assert tree(project) == after


def test_the_first_commit_can_be_taken_back(project: Project) -> None:
    project.note("first")
    (project.root / "code.py").write_text("x = 1\n")
    commit(project)

    reply = undo(project.open(), "HEAD")

    assert reply["reversed"] == ["first"] and project.git("ls-files").split() == ["code.py"]


def test_what_changed_since_is_left_and_named(project: Project) -> None:
    project.note("one", "Before.")
    project.note("two", "Before.")
    project.note("three", "Before.")
    commit(project)
    for name in ("one", "two", "three"):
        project.note(name, "After.")
    undone = commit(project)
    project.note("one", "Since.")
    commit(project)
    project.note("two", "Edited and not committed.")

    reply = undo(project.open(), undone)

    assert reply["reversed"] == ["three"] and skipped(reply) == {"one": SINCE, "two": PENDING}
    assert "not committed" in (project.notes / "decision" / "two.md").read_text()


def test_twice_is_once(project: Project) -> None:
    project.note("one", "Before.")
    commit(project)
    project.note("one", "After.")
    undone = commit(project)
    undo(project.open(), undone)
    head = project.git("rev-parse", "HEAD")

    reply = undo(project.open(), undone)

    assert (reply["commit"], reply["reversed"], skipped(reply)) == (None, [], {"one": DONE})
    assert project.git("rev-parse", "HEAD") == head


def test_rename_is_taken_back_as_a_whole(project: Project) -> None:
    project.note("old", "A body of some length, so that it is known again.")
    commit(project)
    run(project.root, "rename", "old", "new")
    undone = commit(project)
    dry = undo(project.open(), undone, dry_run=True)
    path = project.notes / "decision" / "new.md"
    path.write_text(path.read_text() + "Since.\n")
    commit(project)

    reply = undo(project.open(), undone)

    assert dry["reversed"] == ["new", "old"]
    assert reply["reversed"] == [] and skipped(reply) == {"new": SINCE, "old": SINCE}


def test_a_renamed_note_that_moved_on_since_does_not_come_back_beside_itself(project: Project) -> None:
    project.note("old", "Short.")
    commit(project)
    run(project.root, "revise", "old", "--title", "All anew", "--body", "Not a word of the old text is left.")
    run(project.root, "rename", "old", "new")
    undone = commit(project)
    run(project.root, "rename", "new", "newest")
    commit(project)

    reply = undo(project.open(), undone)

    assert reply["reversed"] == [] and skipped(reply) == {"new": SINCE, "old": SINCE}


def test_note_does_not_come_back_beside_another_of_its_name(project: Project) -> None:
    path = project.note("one", "Of old.")
    commit(project)
    path.unlink()
    undone = commit(project)
    project.note("One", "A new one.", type="caution")

    reply = undo(project.open(), undone)

    assert reply["reversed"] == [] and skipped(reply) == {"one": TAKEN}


def test_preview_writes_nothing(project: Project) -> None:
    project.note("one", "Before.")
    commit(project)
    project.note("one", "After.")
    head = commit(project)

    reply = undo(project.open(), "HEAD", dry_run=True)

    assert (reply["commit"], reply["reversed"]) == (None, ["one"])
    assert project.git("rev-parse", "HEAD").strip() == head and project.git("status", "--porcelain") == ""


def test_users_own_work_is_left_as_it_is(project: Project) -> None:
    project.note("one", "Before.")
    (project.root / "code.py").write_text("x = 1\n")
    (project.root / "other.py").write_text("y = 1\n")
    commit(project)
    project.note("one", "After.")
    (project.root / "code.py").write_text("x = 2\n")
    commit(project)
    (project.root / "code.py").write_text("x = 3\n")
    project.git("add", "code.py")
    (project.root / "code.py").write_text("x = 4\n")
    (project.root / "other.py").write_text("y = 2\n")
    (project.root / "new.py").write_text("z\n")
    before = project.git("status", "--porcelain=v2"), project.git("diff"), project.git("diff", "--cached")

    reply = undo(project.open(), "HEAD")

    assert reply["reversed"] == ["one"]
    assert (project.git("status", "--porcelain=v2"), project.git("diff"), project.git("diff", "--cached")) == before
    assert project.git("show", "--format=", "--name-only", "HEAD").split() == [".memory/decision/one.md"]
    assert project.git("show", "HEAD:code.py") == "x = 2\n" and project.git("fsck") == ""


def session(project: Project, name: str, id: str, body: str) -> str:
    project.note(name, body)
    return commit(project, f"{name} {body}\n\nMemory-Session: {id}\n")


def test_session_is_taken_back_whole(project: Project) -> None:
    session(project, "kept", "s1", "One.")
    before = tree(project)
    session(project, "mine", "s2", "Two.")
    session(project, "kept", "s2", "Three.")
    session(project, "other", "s3", "Four.")
    session(project, "mine", "s2", "Five.")

    reply = undo(project.open(), session="s2")

    assert reply["reversed"] == ["kept", "mine"] and reply["skipped"] == []
    assert project.git("diff", "--name-only", before, tree(project)).split() == ["decision/other.md"]
    assert project.git("log", "-1", "--format=%s").strip() == "Undo session s2"


def test_session_in_whose_midst_another_wrote_is_left(project: Project) -> None:
    session(project, "mine", "s2", "Two.")
    session(project, "mine", "s3", "Four.")
    session(project, "mine", "s2", "Five.")

    reply = undo(project.open(), session="s2")

    assert (reply["reversed"], skipped(reply)) == ([], {"mine": SINCE})


def test_session_that_nobody_named_is_refused(project: Project) -> None:
    session(project, "mine", "s2", "Two.")

    with pytest.raises(GitmemError) as refused:
        undo(project.open(), session="s")

    assert refused.value.code == "unknown-session"


def test_commit_beside_the_memory_has_nothing_to_undo(project: Project) -> None:
    project.note("one")
    commit(project)
    (project.root / "code.py").write_text("x = 1\n")
    commit(project)

    with pytest.raises(GitmemError) as refused:
        undo(project.open(), "HEAD")

    assert refused.value.code == "nothing-to-undo"


def test_merge_is_refused(project: Project) -> None:
    project.note("one")
    commit(project)
    project.git("checkout", "--quiet", "-b", "side")
    project.note("two")
    commit(project)
    project.git("checkout", "--quiet", "main")
    project.note("three")
    commit(project)
    project.git("merge", "--quiet", "--message", "merge", "side")

    with pytest.raises(GitmemError) as refused:
        undo(project.open(), "HEAD")

    assert refused.value.code == "merge"


def test_unfinished_operation_is_refused(project: Project) -> None:
    project.note("one")
    head = commit(project)
    (project.root / ".git" / "MERGE_HEAD").write_text(head + "\n")

    done = run(project.root, "undo", "HEAD", "--json")

    assert done.returncode == 3 and told(done)["error"]["code"] == "unfinished-operation"


def test_case_79_boundary_of_a_shallow_clone_is_refused(project: Project, tmp_path: Path) -> None:
    for body in ("One.", "Two."):
        project.note("one", body)
        commit(project)
    project.git("clone", "--quiet", "--depth=1", f"file://{project.root}", str(tmp_path / "clone"))

    with pytest.raises(GitmemError) as refused:
        undo(Project(tmp_path / "clone").open(), "HEAD")

    assert "--unshallow" in (refused.value.hint or "")


def test_hook_that_refuses_leaves_everything_as_it_was(project: Project) -> None:
    project.note("one", "Before.")
    commit(project)
    project.note("one", "After.")
    project.note("two")
    head = commit(project)
    hook = project.root / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho no memory today; exit 1\n")
    hook.chmod(0o755)

    with pytest.raises(GitmemError) as refused:
        undo(project.open(), "HEAD")

    assert refused.value.code == "hook-refused" and "no memory today" in refused.value.message
    assert project.git("status", "--porcelain") == "" and project.git("rev-parse", "HEAD").strip() == head


@pytest.mark.parametrize("words", [(), ("HEAD", "--session", "s1")])
def test_one_commit_or_one_session(project: Project, words: tuple[str, ...]) -> None:
    project.note("one")
    commit(project)

    done = run(project.root, "undo", *words)

    assert done.returncode == 2 and "--session" in done.stderr


def test_reply_is_that_of_the_contract(project: Project) -> None:
    project.note("one")
    commit(project)

    done = run(project.root, "undo", "HEAD", "--dry-run", "--json")

    assert json.loads(done.stdout) == {"commit": None, "reversed": ["one"], "skipped": [], "warnings": []}


leaves = st.sampled_from([None, Leaf("100644", "a"), Leaf("100644", "b"), Leaf("100644", "c")])


@given(st.lists(leaves, min_size=1, max_size=6))
def test_steps_in_a_row_are_taken_back_to_their_beginning(states: list[Leaf | None]) -> None:
    steps = [Step({"x.toml": before}, {"x.toml": after}, {}) for before, after in pairwise(states)]
    files = {"x.toml": states[-1]} if states[-1] else {}

    wanted, skipped = planned(steps[::-1], _Now(files, {}, ()))

    assert skipped == {}
    assert wanted == ({} if states[0] == states[-1] else {"x.toml": states[0]} if steps else {})


def test_a_date_that_git_cannot_read_is_not_taken_for_a_missing_identity(project: Project) -> None:
    project.note("one")
    commit(project)

    done = run(project.root, "undo", "HEAD", "--json", extra={"GIT_COMMITTER_DATE": "bad"})

    assert told(done)["error"]["code"] == "bad-date"
    assert "GIT_COMMITTER_DATE" in told(done)["error"]["hint"]


# What others do meanwhile, and what git does not show


def hook(project: Project, words: str) -> None:
    path = project.root / ".git" / "hooks" / "pre-commit"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{words}\n")
    path.chmod(0o755)


def changed(project: Project) -> str:
    """Commits a note and then another text of it; returns the last commit."""
    project.note("one", "Before.")
    project.note("gone", "Before.")
    commit(project)
    project.note("one", "After.")
    (project.notes / "decision" / "gone.md").unlink()
    project.note("two", "After.")
    return commit(project)


def test_a_refusal_puts_back_no_file_that_was_changed_meanwhile(project: Project) -> None:
    changed(project)
    edits = "echo edit >> decision/one.md; echo mine > decision/two.md; rm decision/gone.md"
    hook(project, f"cd .memory && {edits}; exit 1")

    with pytest.raises(GitmemError):
        undo(project.open(), "HEAD")

    assert (project.notes / "decision" / "one.md").read_text().endswith("Before.\nedit\n")
    assert (project.notes / "decision" / "two.md").read_text() == "mine\n"


def test_an_operation_that_begins_meanwhile_stops_an_undo(project: Project) -> None:
    changed(project)
    project.git("branch", "other", "HEAD~1")
    before, head = tree(project), project.git("rev-parse", "HEAD")
    hook(project, "touch .git/MERGE_HEAD")

    with pytest.raises(GitmemError) as refused:
        undo(project.open(), "HEAD")

    (project.root / ".git" / "MERGE_HEAD").unlink()
    assert refused.value.code == "unfinished-operation"
    assert (tree(project), project.git("rev-parse", "HEAD"), project.git("status", "--porcelain")) == (before, head, "")


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_an_edit_that_git_is_told_not_to_see_is_left(project: Project, flag: str) -> None:
    changed(project)
    path = project.notes / "decision" / "one.md"
    project.git("update-index", flag, ".memory/decision/one.md")
    path.write_text("mine\n")

    reply = undo(project.open(), "HEAD")

    assert skipped(reply) == {"one": PENDING} and path.read_text() == "mine\n"
    assert reply["reversed"] == ["gone", "two"]


def test_an_ignored_file_where_a_note_was_is_left(project: Project) -> None:
    changed(project)
    (project.root / ".git" / "info" / "exclude").write_text("decision/\n")
    (project.notes / "decision" / "gone.md").write_text("mine\n")

    reply = undo(project.open(), "HEAD")

    assert skipped(reply) == {"gone": PENDING}
    assert (project.notes / "decision" / "gone.md").read_text() == "mine\n"


def test_line_ends_that_git_converts_are_no_edit(project: Project) -> None:
    (project.root / ".gitattributes").write_text("*.md text eol=crlf\n")
    changed(project)
    for name in ("one", "two"):
        (project.notes / "decision" / f"{name}.md").unlink()
    project.git("checkout", "--", ".memory")
    assert b"\r\n" in (project.notes / "decision" / "one.md").read_bytes()

    reply = undo(project.open(), "HEAD")

    assert skipped(reply) == {} and reply["reversed"] == ["gone", "one", "two"]


def test_an_ignored_folder_where_a_note_was_is_left(project: Project) -> None:
    path = project.note("gone", type="lesson")
    commit(project)
    path.unlink()
    commit(project)
    (project.root / ".git" / "info" / "exclude").write_text("lesson/\n")
    path.parent.mkdir(exist_ok=True)
    path.write_text("mine\n")

    reply = undo(project.open(), "HEAD")

    assert skipped(reply) == {"gone": PENDING} and path.read_text() == "mine\n"


def test_notes_come_back_through_the_filters_of_their_path(project: Project) -> None:
    (project.root / ".gitattributes").write_text("*.md filter=x\n")
    project.git("config", "filter.x.clean", "tr a-y b-z")
    project.git("config", "filter.x.smudge", "tr b-z a-y")
    path = project.note("one", "Before.")
    held = path.read_bytes()
    commit(project)
    before = tree(project)
    project.note("one", "After.")
    commit(project)

    undo(project.open(), "HEAD")

    assert tree(project) == before and path.read_bytes() == held


# Modes, and what lies nowhere


def chmod(project: Project, name: str, mode: int) -> None:
    (project.notes / "decision" / f"{name}.md").chmod(mode)


def modes(project: Project) -> dict[str, str]:
    rows = project.git("ls-tree", "-r", "HEAD", "--", ".memory").splitlines()
    return {Path(row.split("\t")[1]).stem: row[:6] for row in rows}


@pytest.mark.parametrize("counts", ["true", "false"])
def test_a_mode_is_taken_back_too(project: Project, counts: str) -> None:
    project.note("one")
    project.note("two")
    project.note("gone").chmod(0o755)
    project.note("same").chmod(0o755)
    commit(project)
    before = tree(project)
    chmod(project, "one", 0o755)
    project.note("two", "After.").chmod(0o755)
    chmod(project, "same", 0o644)
    (project.notes / "decision" / "gone.md").unlink()
    commit(project)
    project.git("config", "core.fileMode", counts)

    reply = undo(project.open(), "HEAD")

    assert reply["reversed"] == ["gone", "one", "same", "two"] and tree(project) == before
    assert project.git("status", "--porcelain") == ""
    assert {name: (project.notes / f"decision/{name}.md").stat().st_mode & 0o111 != 0 for name in modes(project)} == {
        "gone": True, "one": False, "same": True, "two": False,
    }  # fmt: skip


def test_a_refusal_puts_modes_back(project: Project) -> None:
    project.note("one")
    commit(project)
    chmod(project, "one", 0o755)
    commit(project)
    hook(project, "exit 1")

    with pytest.raises(GitmemError):
        undo(project.open(), "HEAD")

    assert project.git("status", "--porcelain") == "" and modes(project) == {"one": "100755"}


def test_a_mode_that_changed_since_is_left(project: Project) -> None:
    project.note("one", "Before.")
    commit(project)
    project.note("one", "After.")
    undone = commit(project)
    chmod(project, "one", 0o755)
    commit(project)

    reply = undo(project.open(), undone)

    assert skipped(reply) == {"one": SINCE} and modes(project) == {"one": "100755"}


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_a_deletion_that_git_is_told_not_to_see_is_left(project: Project, flag: str) -> None:
    changed(project)
    path = project.notes / "decision" / "one.md"
    project.git("update-index", flag, ".memory/decision/one.md")
    path.unlink()
    entry = project.git("ls-files", "-v", "-s", ".memory/decision/one.md")

    reply = undo(project.open(), "HEAD")

    assert skipped(reply) == {"one": ABSENT} and not path.exists()
    assert reply["reversed"] == ["gone", "two"]
    assert project.git("ls-files", "-v", "-s", ".memory/decision/one.md") == entry


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_a_new_note_of_which_git_is_told_not_to_look_is_left_where_it_is_gone(project: Project, flag: str) -> None:
    changed(project)
    project.git("update-index", flag, ".memory/decision/two.md")
    (project.notes / "decision" / "two.md").unlink()

    reply = undo(project.open(), "HEAD")

    assert skipped(reply) == {"two": ABSENT}


def test_notes_that_are_not_checked_out_are_left(project: Project) -> None:
    changed(project)
    (project.root / "src").mkdir()
    (project.root / "src" / "a.py").write_text("a = 1\n")
    project.git("add", "src")
    project.git("commit", "-qm", "code")
    project.git("sparse-checkout", "set", "--cone", "src")
    project.notes.mkdir(exist_ok=True)

    reply = undo(project.open(), "HEAD~1")

    assert skipped(reply) == {"one": ABSENT, "two": ABSENT} and reply["reversed"] == ["gone"]
    assert [path.stem for path in project.notes.rglob("*.md")] == ["gone"]
    assert project.git("status", "--porcelain") == "" and set(modes(project)) == {"one", "two", "gone"}


@pytest.mark.parametrize("name", ['"one', '"one"', "it's", "ünï", "-x"])
def test_odd_names_are_taken_back_and_their_edits_left(project: Project, name: str) -> None:
    path = project.note(name, "Before.")
    commit(project)
    before = tree(project)
    project.note(name, "After.")
    commit(project)

    reply = undo(project.open(), "HEAD")

    assert reply["reversed"] == [name] and tree(project) == before and project.git("status", "--porcelain") == ""
    project.git("update-index", "--assume-unchanged", str(path))
    path.write_text("mine\n")
    assert skipped(undo(project.open(), "HEAD")) == {name: PENDING} and path.read_text() == "mine\n"


@pytest.mark.parametrize("folder", ['"pkg', '"pkg"', "two\nlines"])
def test_a_memory_in_an_oddly_named_folder(project: Project, folder: str) -> None:
    inner = Project(project.root / folder)
    path = inner.note("one", "Before.")
    commit(project)
    before = inner.git("rev-parse", "HEAD:./.memory")
    inner.note("one", "After.")
    commit(project)

    reply = undo(inner.open(), "HEAD")

    assert reply["reversed"] == ["one"] and inner.git("rev-parse", "HEAD:./.memory") == before
    inner.git("update-index", "--assume-unchanged", str(path))
    path.write_text("mine\n")
    assert skipped(undo(inner.open(), "HEAD")) == {"one": PENDING} and path.read_text() == "mine\n"


def refused_undo(project: Project) -> dict[str, Any]:
    """Returns what an undo says that the repository's own hook refuses."""
    hook = project.root / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    said = told(run(project.root, "undo", "HEAD", "--json"))
    hook.unlink()
    return said


def test_a_refused_undo_leaves_files_modes_and_whose_they_are(project: Project) -> None:
    kept(project, "One")
    path = project.notes / "decision" / "one.md"
    commit(project)
    path.chmod(0o640)

    said = refused_undo(project)

    assert path.stat().st_mode & 0o777 == 0o640
    assert "nothing was changed" in said["error"]["message"] and "--no-verify" not in said["error"]["hint"]
    path.unlink()  # a person's deletion, which no agent's checkpoint takes along
    done = told(run(project.root, "checkpoint", "Later", "--json", extra={"CLAUDECODE": "1"}))
    assert done["left"] == [".memory/decision/one.md"]


def test_an_undo_tells_of_notes_of_others_and_of_links_that_dangle(project: Project) -> None:
    kept(project, "Base", session="s1")
    kept(project, "Of another")
    run(project.root, "checkpoint", "All", "--session", "s1", extra={"CLAUDECODE": "1"})
    kept(project, "Built", links=("because=base",))
    commit(project)

    reply = undo(project.open(), session="s1", dry_run=True)

    assert {(each["code"], each["name"]) for each in reply["warnings"]} >= {
        ("other-session", "of-another"),
        ("dangling-link", "built"),
    }


def test_the_memory_itself_is_no_part_of_what_is_undone(project: Project) -> None:
    run(project.root, "init")
    project.note("one")
    commit(project)

    reply = undo(project.open(), "HEAD")

    assert reply["reversed"] == ["one"] and (project.notes / ".gitattributes").exists()


@pytest.mark.parametrize("verb", ["checkpoint", "undo"])
def test_an_interrupt_while_head_moves_leaves_index_files_and_head_agreed(project: Project, verb: str) -> None:
    kept(project, "One")
    commit(project)
    hook = project.root / ".git" / "hooks" / "reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text('#!/bin/sh\n[ "$1" = committed ] && grep -q refs/heads && touch moved && sleep 2\nexit 0\n')
    hook.chmod(0o755)
    words = ["undo", "HEAD"] if verb == "undo" else ["checkpoint", "Point"]
    going = subprocess.Popen(command(*words), cwd=project.root, env=environment(), stderr=subprocess.PIPE)
    end = time.monotonic() + 60
    while not (project.root / "moved").exists() and time.monotonic() < end:
        time.sleep(0.02)

    going.send_signal(signal.SIGINT)
    going.communicate(timeout=60)

    assert project.git("status", "--porcelain", ".memory") == ""

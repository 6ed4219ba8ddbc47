"""A handle holds while its ground does: the project, the branch, the commit, and the time without a write."""

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Project, environment, new_project, run, told
from hypothesis import given
from hypothesis import strategies as st

from gitmem.operations.guard import check, issue
from gitmem.operations.memory import Memory

HOUR = 3600


@pytest.fixture
def begun(project: Project) -> Project:
    project.git("commit", "-qm", "Begin", "--allow-empty")
    return project


def later(memory: Memory, seconds: int) -> Memory:
    return memory._replace(now=memory.now + seconds)


def test_a_handle_holds_where_and_when_it_was_issued(begun: Project) -> None:
    memory = begun.open()

    handle = issue(memory)

    assert check(memory, handle) == (True, None)
    assert check(memory, f" {handle}\n").valid


def test_it_holds_on_a_commit_that_descends_from_its_own(begun: Project) -> None:
    handle = issue(begun.open())

    begun.git("commit", "-qm", "Go on", "--allow-empty")

    assert check(begun.open(), handle).valid


def test_it_ends_on_another_branch(begun: Project) -> None:
    handle = issue(begun.open())

    begun.git("switch", "-qc", "other")
    moved = check(begun.open(), handle)
    begun.git("switch", "-q", "main")

    assert not moved.valid and "this is other" in str(moved.reason)
    assert check(begun.open(), handle).valid


def test_it_ends_when_a_reset_takes_its_commit_away(begun: Project) -> None:
    begun.git("commit", "-qm", "Go on", "--allow-empty")
    handle = issue(begun.open())

    begun.git("commit", "-qm", "Go on otherwise", "--amend", "--allow-empty")
    gone = check(begun.open(), handle)

    assert not gone.valid and "no longer descends" in str(gone.reason)


def test_it_ends_after_the_idle_time_of_the_policy(begun: Project) -> None:
    handle = issue(begun.open())
    usual = [check(later(begun.open(), seconds), handle).valid for seconds in (2 * HOUR - 60, 2 * HOUR + 60)]

    begun.write("config.toml", '[guard]\nidle = "90m"\n')
    short = check(later(begun.open(), 2 * HOUR - 60), handle)

    assert usual == [True, False]
    assert short.reason == "The handle is older than the 90 minutes for which it holds. gitmem brief issues a new one."


def test_a_clock_that_was_set_back_does_not_give_it_more_time(begun: Project) -> None:
    handle = issue(later(begun.open(), 10 * HOUR))

    assert "yet to come" in str(check(begun.open(), handle).reason)


def test_it_is_of_one_project(begun: Project, tmp_path: Path) -> None:
    other = new_project(tmp_path / "other")
    other.git("commit", "-qm", "Begin", "--allow-empty")

    assert "another project" in str(check(other.open(), issue(begun.open())).reason)


def test_an_unborn_branch_becomes_a_born_one(project: Project) -> None:
    handle = issue(project.open())
    unborn = check(project.open(), handle)

    project.git("commit", "-qm", "Begin", "--allow-empty")

    assert unborn.valid and check(project.open(), handle).valid


def test_a_detached_head_has_handles_of_its_own(begun: Project) -> None:
    on_branch = issue(begun.open())
    begun.git("switch", "-q", "--detach")

    assert check(begun.open(), issue(begun.open())).valid
    assert "a detached HEAD" in str(check(begun.open(), on_branch).reason)


def test_without_git_a_handle_holds_by_time_alone(tmp_path: Path) -> None:
    (tmp_path / "plain" / ".memory").mkdir(parents=True)
    memory = Project(tmp_path / "plain").open()

    assert check(memory, issue(memory)).valid
    assert not check(later(memory, 3 * HOUR), issue(memory)).valid


@given(st.text(max_size=90))
def test_whatever_is_no_handle_is_told_apart(word: str) -> None:
    memory = Memory(*[None] * 8)  # type: ignore[arg-type]  # what is no handle is asked nothing more

    assert check(memory, word).valid is False


@given(st.data())
def test_a_mistyped_handle_is_no_handle(data: st.DataObject) -> None:
    memory = Project(Path(__file__).parent.parent).open()
    handle = issue(memory)
    at = data.draw(st.integers(0, len(handle) - 1))
    letter = data.draw(st.sampled_from("0123456789abcdefg-"))

    assert check(memory, handle[:at] + letter + handle[at + 1 :]).valid == (handle[at] == letter)


def test_the_command_answers_by_its_exit_status(begun: Project) -> None:
    begun.git("config", "gitmem.trusted", "true")
    handle = told(run(begun.root, "brief", "--json"))["handle"]

    held, text = run(begun.root, "guard", handle, "--json"), run(begun.root, "guard", handle)
    begun.git("switch", "-qc", "other")
    ended = run(begun.root, "guard", handle, "--json")

    assert (held.returncode, told(held)) == (0, {"valid": True, "reason": None})
    assert (text.returncode, text.stdout) == (0, "The handle holds.\n")
    assert ended.returncode == 1 and "another branch" in told(ended)["reason"]


def test_guard_loads_next_to_nothing(begun: Project) -> None:
    handle = issue(begun.open())
    begun.git("commit", "-qm", "Go on", "--allow-empty")
    script = "import sys; from gitmem.faces.cli import main; main(['guard', sys.argv[1]]); print(*sys.modules)"

    command = [sys.executable, "-S", "-c", script, handle]
    done = subprocess.run(command, cwd=begun.root, env=environment(), capture_output=True, text=True, check=True)

    loaded = set(done.stdout.split())
    unwanted = {"click", "tantivy", "dulwich", "numpy", "yaml", "subprocess", "mcp", "dataclasses", "typing", "pathlib"}
    assert "The handle holds." in done.stdout and not loaded & unwanted

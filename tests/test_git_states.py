"""Every verb in every state of a repository: the user's work stays, a commit holds memory only, no note is lost."""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import git_states as states
import pytest
from git_states import Builder, git, seen

from gitmem.errors import GitmemError
from gitmem.operations.checkpoint import Said, checkpoint
from gitmem.operations.draft import Author, Draft
from gitmem.operations.links import link
from gitmem.operations.memory import Memory, open_memory
from gitmem.operations.write import remember, revise

PERSON = Author("user", None)
Verb = Callable[[Memory], Mapping[str, Any]]


@pytest.fixture(autouse=True)
def home(tmp_path: Path) -> Iterator[None]:
    with states.home(tmp_path / "home"):
        yield


def opened(root: Path) -> Memory:
    return open_memory(str(root), environment=os.environ, now=int(time.time()))


def remembers(memory: Memory) -> Mapping[str, Any]:
    return remember(memory, Draft(title="New way", type="decision", body="It was found."), PERSON)


def revises(memory: Memory) -> Mapping[str, Any]:
    return revise(memory, "old-way", Draft(body="It was found wanting."))


def links(memory: Memory) -> Mapping[str, Any]:
    return link(memory, "old-way", "builds-on", "other-way")


def checkpoints(memory: Memory) -> Mapping[str, Any]:
    remembers(memory)
    return checkpoint(memory, Said("Where it stands", body="Half done."), PERSON)


# Verb, whether it changes a note that is tracked, whether it commits. A new verb is a new row.
VERBS: tuple[tuple[Verb, bool, bool], ...] = (
    (remembers, False, False),
    (revises, True, False),
    (links, True, False),
    (checkpoints, False, True),
)
# The rest runs with `-m full`: what commits meets every state, what writes meets those in which a write is special.
BRIEF: tuple[Builder, ...] = (states.plain, states.unborn, *states.UNFINISHED)


def expected(build: Builder, tracked: bool, commits: bool) -> str:
    """Returns how a verb ends in a state: "done", "deferred", or the code of the refusal."""
    if build in states.EXCLUDED and tracked:
        return "unknown-name"
    if build in states.REWINDING and tracked:
        return "unfinished-operation"
    if build in states.REFUSING and commits:
        return "ignored"
    return "deferred" if build in states.UNFINISHED and commits else "done"


def outcome(verb: Verb, memory: Memory, commits: bool) -> str:
    try:
        reply = verb(memory)
    except GitmemError as error:
        return error.code
    return "deferred" if commits and reply["deferred"] else "done"


def cases() -> Iterator[Any]:
    for build in (*states.COMMITTING, *states.REFUSING, *states.UNFINISHED):
        for verb, tracked, commits in VERBS:
            marks = [] if commits or build in BRIEF else [pytest.mark.full]
            yield pytest.param(build, verb, tracked, commits, marks=marks, id=f"{build.__name__}-{verb.__name__}")


@pytest.mark.parametrize(("build", "verb", "tracked", "commits"), list(cases()))
def test_the_users_work_stays_and_a_commit_holds_memory_only(
    tmp_path: Path, build: Builder, verb: Verb, tracked: bool, commits: bool
) -> None:
    state = build(tmp_path)
    states.dirty(state.root)
    before, tip = seen(state.root), head(state.root)

    ended = outcome(verb, opened(state.root), commits)

    assert ended == expected(build, tracked, commits)
    assert seen(state.root) == before
    assert recorded(state.root, tip) == (commits and ended == "done")
    assert sound(state.root)


def head(root: Path) -> str | None:
    return git(root, "for-each-ref", "--format=%(objectname)") and git(root, "rev-parse", "HEAD").strip()


def recorded(root: Path, tip: str | None) -> bool:
    """Returns whether a commit was made, once it is seen to hold nothing but memory, and all of it."""
    if head(root) == tip:
        return False
    against = [f"{tip}", "HEAD"] if tip else ["--root", "HEAD"]
    rows = git(root, "diff-tree", "-r", "--name-status", "--no-commit-id", *against).splitlines()
    assert rows and all(row.split("\t")[1].startswith(".memory/") for row in rows)
    assert not [row for row in rows if row[0] == "D"]
    assert not git(root, "status", "--porcelain", "-uall", "--", ".memory")
    return True


def sound(root: Path) -> bool:
    """Returns whether git finds nothing wrong and no lock or private index was left."""
    git_dir = Path(git(root, "rev-parse", "--absolute-git-dir").strip())
    left = [path for path in git_dir.rglob("*") if path.suffix == ".lock" or path.name.startswith("index.")]
    fsck = git(root, "fsck", "--no-dangling", "--connectivity-only")
    return not fsck.strip() and not [path for path in left if path.parent.name != "objects"]


def abort_cases() -> Iterator[Any]:
    for build in states.UNFINISHED:
        for verb, tracked, commits in VERBS:
            yield pytest.param(build, verb, tracked, commits, id=f"{build.__name__}-{verb.__name__}")


@pytest.mark.parametrize(("build", "verb", "tracked", "commits"), list(abort_cases()))
def test_case_56_aborting_an_operation_loses_no_note(
    tmp_path: Path, build: Builder, verb: Verb, tracked: bool, commits: bool
) -> None:
    state = build(tmp_path)
    assert state.abort
    outcome(verb, opened(state.root), commits)
    before = notes(state.root)

    git(state.root, *state.abort)

    assert notes(state.root) == before
    assert checkpoint(opened(state.root), Said("After it"), PERSON)["commit"]
    assert not git(state.root, "status", "--porcelain", "-uall", "--", ".memory")


def notes(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (root / ".memory").rglob("*.md")}

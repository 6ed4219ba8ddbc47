"""Every verb in every state of a repository: the user's work stays, a commit holds memory only, no note is lost.

`python -m pytest -m '' tests/test_git_states.py` fills the whole table; without `-m` it is the part that is special.
"""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import git_states as states
import pytest
from git_states import Builder, git, seen
from hooked import state as held

from gitmem.errors import GitmemError
from gitmem.operations import hooks
from gitmem.operations.checkpoint import Said, checkpoint
from gitmem.operations.draft import Author, Draft
from gitmem.operations.links import link
from gitmem.operations.memory import Memory, open_memory
from gitmem.operations.undo import undo
from gitmem.operations.write import remember, revise
from gitmem.storage import hooks as kept

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


def undoes(memory: Memory) -> Mapping[str, Any]:
    checkpoints(memory)
    return undone(memory)


def undoes_a_revision(memory: Memory) -> Mapping[str, Any]:
    revises(memory)
    checkpoints(memory)
    return undone(memory)


def undone(memory: Memory) -> Mapping[str, Any]:
    reply = undo(memory, "HEAD")
    assert not reply["skipped"]
    return {"deferred": False, **reply}


def installs(memory: Memory) -> Mapping[str, Any]:
    return hooks.install(memory.root, environment=os.environ)


class Column(NamedTuple):
    """A verb, whether it changes a note that is tracked, its commits, and how it ends in an unfinished operation."""

    verb: Verb
    tracked: bool
    commits: int
    unfinished: str


REFUSED = "unfinished-operation"
# A new verb is a new row.
VERBS = (
    Column(remembers, False, 0, "done"),
    Column(revises, True, 0, "done"),
    Column(links, True, 0, "done"),
    Column(checkpoints, False, 1, "deferred"),
    Column(undoes, False, 2, REFUSED),
    Column(undoes_a_revision, True, 2, REFUSED),
)
HOOKS = Column(installs, False, 0, "done")  # its files may be the user's, too: it has a law of its own
# The rest runs with `-m full`: a checkpoint meets every state, all else those in which it is special.
BRIEF: tuple[Builder, ...] = (states.plain, states.unborn, *states.UNFINISHED)
BUILDERS: tuple[Builder, ...] = (*states.COMMITTING, *states.REFUSING, *states.UNFINISHED)
HOOKED: tuple[Builder, ...] = (states.plain, states.linked, states.submodule, states.hooks_path, states.merging)


def expected(build: Builder, column: Column) -> str:
    """Returns how a verb ends in a state: "done", "deferred", or the code of the refusal."""
    if build in states.EXCLUDED and column.tracked:
        return "unknown-name"
    if build in states.REWINDING and column.tracked:
        return REFUSED
    if build in states.REFUSING and column.commits:
        return "ignored"
    return column.unfinished if build in states.UNFINISHED else "done"


def outcome(column: Column, memory: Memory) -> str:
    try:
        reply = column.verb(memory)
    except GitmemError as error:
        return error.code
    return "deferred" if column.commits and reply["deferred"] else "done"


def cases() -> Iterator[Any]:
    for build in BUILDERS:
        for column in VERBS:
            marks = [] if column.verb is checkpoints or build in BRIEF else [pytest.mark.full]
            yield pytest.param(build, column, marks=marks, id=f"{build.__name__}-{column.verb.__name__}")


@pytest.mark.parametrize(("build", "column"), list(cases()))
def test_the_users_work_stays_and_a_commit_holds_memory_only(tmp_path: Path, build: Builder, column: Column) -> None:
    state = build(tmp_path)
    states.dirty(state.root)
    before, tip = seen(state.root), head(state.root)

    ended = outcome(column, opened(state.root))

    assert ended == expected(build, column)
    assert seen(state.root) == before
    assert recorded(state.root, tip) == (column.commits if ended == "done" else 0)
    assert sound(state.root)


def head(root: Path) -> str | None:
    return git(root, "for-each-ref", "--format=%(objectname)") and git(root, "rev-parse", "HEAD").strip()


def recorded(root: Path, tip: str | None) -> int:
    """Returns how many commits were made, once they are seen to hold nothing but memory, and all of it."""
    if head(root) == tip:
        return 0
    made = git(root, "rev-list", f"{tip}..HEAD" if tip else "HEAD").split()
    for commit in made:
        rows = git(root, "diff-tree", "-r", "--root", "--name-status", "--no-commit-id", commit).splitlines()
        assert rows and all(row.split("\t")[1].startswith(".memory/") for row in rows)
    if tip:
        assert not git(root, "diff-tree", "-r", "--diff-filter=D", "--name-only", tip, "HEAD")
    assert not git(root, "status", "--porcelain", "-uall", "--", ".memory")
    return len(made)


def sound(root: Path) -> bool:
    """Returns whether git finds nothing wrong and no lock or private index was left."""
    git_dir = Path(git(root, "rev-parse", "--absolute-git-dir").strip())
    left = [path for path in git_dir.rglob("*") if path.suffix == ".lock" or path.name.startswith("index.")]
    fsck = git(root, "fsck", "--no-dangling", "--connectivity-only")
    return not fsck.strip() and not [path for path in left if path.parent.name != "objects"]


def abort_cases() -> Iterator[Any]:
    for build in states.UNFINISHED:
        for column in (*VERBS, HOOKS):
            yield pytest.param(build, column, id=f"{build.__name__}-{column.verb.__name__}")


@pytest.mark.parametrize(("build", "column"), list(abort_cases()))
def test_case_56_aborting_an_operation_loses_no_note(tmp_path: Path, build: Builder, column: Column) -> None:
    state = build(tmp_path)
    assert state.abort
    outcome(column, opened(state.root))
    before = notes(state.root)

    git(state.root, *state.abort)

    assert notes(state.root) == before
    assert checkpoint(opened(state.root), Said("After it"), PERSON)["commit"]
    assert not git(state.root, "status", "--porcelain", "-uall", "--", ".memory")


def notes(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (root / ".memory").rglob("*.md")}


# Hooks: what they are put into may be the user's, so the law is that nothing else changes, and that all of it goes again.


def hook_cases() -> Iterator[Any]:
    for build in BUILDERS:
        yield pytest.param(build, marks=[] if build in HOOKED else [pytest.mark.full], id=build.__name__)


@pytest.mark.parametrize("build", list(hook_cases()))
def test_hooks_change_nothing_but_themselves_and_leave_without_a_trace(tmp_path: Path, build: Builder) -> None:
    state = build(tmp_path)
    states.dirty(state.root)
    work, before, tip = seen(state.root), everything(tmp_path), head(state.root)

    hooks.install(str(state.root), environment=os.environ)
    there, during = seen(state.root), everything(tmp_path)
    hooks.uninstall(str(state.root), environment=os.environ)

    assert head(state.root) == tip and len(during) >= len(before) + len(kept.NAMES) - 1
    assert (there.index, there.flags) == (work.index, work.flags)
    changed = {path for path in before.keys() | during.keys() if before.get(path) != during.get(path)}
    assert {Path(path).name for path in changed} <= {"config", "hooks", *kept.NAMES}
    assert seen(state.root) == work and sound(state.root)
    assert everything(tmp_path) == before


def everything(folder: Path) -> dict[str, Any]:
    """Returns all there is, Git's own files with it; of its configuration what is not the trust, which stays.

    Objects are left out: to look at a sparse index, git writes a tree.
    """
    trust = b"[gitmem]\n\ttrusted = true\n"
    return {
        path: (mode, data.removesuffix(trust) if isinstance(data, bytes) and path.endswith("/config") else data)
        for path, (mode, data) in held(folder).items()
        if "objects" not in path.split("/")
    }

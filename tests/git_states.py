"""Repositories in every state that git can be in, each with a user's half-done work in it."""

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

GITCONFIG = """[user]
\tname = Jane Doe
\temail = jane@example.org
[init]
\tdefaultBranch = main
[protocol "file"]
\tallow = always
[advice]
\tdetachedHead = false
[gc]
\tauto = 0
"""
NOTE = """---
title: {title}
type: decision
created: 2026-05-01T00:00:00Z
---

{title}, because it was so.
"""


class State(NamedTuple):
    """A work tree in some state; `abort` gives up the Git operation that is unfinished in it, if one is."""

    root: Path
    abort: tuple[str, ...] | None = None


class Seen(NamedTuple):
    """All that is the user's: index entries with their flags, what status says, and the bytes and modes of files."""

    index: list[str]
    flags: list[str]
    status: list[str]
    files: dict[str, tuple[int, bytes]]


def git(root: Path, *arguments: str, fails: bool = False, given: str | None = None) -> str:
    """Returns what git said; raises where it failed, or did not where it should."""
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, input=given, check=False)
    assert (done.returncode != 0) == fails, f"git {' '.join(arguments)}: {done.stdout}{done.stderr}"
    return done.stdout


@contextmanager
def home(folder: Path) -> Iterator[None]:
    """Gives git, here and in every process started, a home of its own and no system configuration."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".gitconfig").write_text(GITCONFIG)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        for variable in ("XDG_CONFIG_HOME", "GIT_DIR", "GIT_INDEX_FILE", "GIT_CONFIG_GLOBAL"):
            patch.delenv(variable, raising=False)
        yield


def seen(root: Path) -> Seen:
    """Returns what must be the same afterwards."""
    status = git(root, "--no-optional-locks", "status", "--porcelain=v2", "-z", "-uall", "--ignored", "--no-renames")
    rows = [row for row in status.split("\0") if row and ".memory" not in row]
    return Seen(_listed(root, "-s"), _listed(root, "-v", "--full-name"), rows, _files(root))


def _listed(root: Path, *options: str) -> list[str]:
    rows = git(root, "ls-files", "-z", *options).split("\0")
    return [row for row in rows if row and ".memory/" not in row]


def _files(root: Path) -> dict[str, tuple[int, bytes]]:
    found = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in (".git", ".memory")]
        for name in names:
            path = Path(folder, name)
            if name != ".git" and not path.is_symlink():
                found[str(path.relative_to(root))] = (path.stat().st_mode, path.read_bytes())
    return found


def write(root: Path, path: str, text: str) -> None:
    """Writes a file of a work tree."""
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(text.encode())


def note(root: Path, name: str, folder: str = ".memory") -> None:
    """Writes a decision by hand."""
    write(root, f"{folder}/decision/{name}.md", NOTE.format(title=name.replace("-", " ").capitalize()))


def commit(root: Path, message: str) -> None:
    """Commits everything that is there."""
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)


def project(root: Path, *options: str, commits: bool = True) -> Path:
    """Returns a new repository with code and two notes, committed unless asked otherwise."""
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "-q", *options)
    for path in ("a.py", "b.py", "d.py", "e.py", "lib/one.py", "lib/two.py", "src/main.py"):
        write(root, path, f"# {path}\nvalue = 1\n")
    write(root, ".gitignore", "build/\n")
    write(root, ".memory/.gitignore", ".cache/\n")
    note(root, "old-way")
    note(root, "other-way")
    if commits:
        commit(root, "Begin")
    return root


def dirty(root: Path) -> None:
    """Leaves a user's work of every kind: staged and edited further, unstaged, new, removed, untracked, ignored."""
    write(root, "a.py", "# a.py\nvalue = 2\n")
    write(root, "c.py", "# new\n")
    git(root, "add", "a.py", "c.py")
    write(root, "a.py", "# a.py\nvalue = 3\n")
    write(root, "b.py", "# b.py\nvalue = 4\n")
    if git(root, "ls-files", "d.py"):
        git(root, "rm", "-q", "--cached", "d.py")
        (root / "d.py").unlink()
    (root / "e.py").unlink(missing_ok=True)
    write(root, ".env", "TOKEN=do-not-touch\n")
    write(root, "build/out.o", "object\n")


def diverged(root: Path) -> Path:
    """Returns a project whose branches main and other change one line of code.py in two ways."""
    project(root)
    write(root, "code.py", "value = 0\n")
    commit(root, "Code")
    git(root, "checkout", "-q", "-b", "other")
    write(root, "code.py", "value = 'other'\n")
    commit(root, "Other")
    git(root, "checkout", "-q", "main")
    write(root, "code.py", "value = 'main'\n")
    commit(root, "Main")
    return root


# The states


def plain(folder: Path) -> State:
    return State(project(folder / "project"))


def unborn(folder: Path) -> State:
    return State(project(folder / "project", commits=False))


def detached(folder: Path) -> State:
    root = project(folder / "project")
    git(root, "checkout", "-q", "--detach")
    return State(root)


def linked(folder: Path) -> State:
    root = project(folder / "main")
    git(root, "worktree", "add", "-q", "-b", "side", str(folder / "tree"))
    return State(folder / "tree")


def submodule(folder: Path) -> State:
    return State(_super(folder) / "sub")


def superproject(folder: Path) -> State:
    return State(_super(folder))


def _super(folder: Path) -> Path:
    inner, outer = project(folder / "inner"), project(folder / "outer")
    git(outer, "submodule", "--quiet", "add", str(inner), "sub")
    git(outer, "commit", "-q", "-m", "Submodule")
    git(outer / "sub", "checkout", "-q", "-B", "main")
    return outer


def sparse(folder: Path) -> State:
    root = project(folder / "project")
    git(root, "sparse-checkout", "set", "--cone", "src", ".memory")
    return State(root)


def sparse_excluded(folder: Path) -> State:
    root = project(folder / "project")
    git(root, "sparse-checkout", "set", "--cone", "src")
    (root / ".memory").mkdir(exist_ok=True)
    return State(root)


def sparse_index(folder: Path) -> State:
    root = project(folder / "project")
    git(root, "sparse-checkout", "set", "--cone", "--sparse-index", "src", ".memory")
    return State(root)


def sparse_index_excluded(folder: Path) -> State:
    root = project(folder / "project")
    git(root, "sparse-checkout", "set", "--cone", "--sparse-index", "src")
    (root / ".memory").mkdir(exist_ok=True)
    return State(root)


def split_index(folder: Path) -> State:
    root = project(folder / "project")
    git(root, "config", "core.splitIndex", "true")
    git(root, "update-index", "--split-index")
    return State(root)


def fsmonitor(folder: Path) -> State:
    root = project(folder / "project")
    hook = folder / "monitor"
    hook.write_text("#!/bin/sh\nprintf 'token\\0/\\0'\n")
    hook.chmod(0o755)
    git(root, "config", "core.fsmonitor", str(hook))
    git(root, "config", "core.untrackedCache", "true")
    git(root, "update-index", "--fsmonitor")
    git(root, "update-index", "--force-untracked-cache")
    git(root, "status")
    return State(root)


def index_v4(folder: Path) -> State:
    root = project(folder / "project")
    git(root, "config", "feature.manyFiles", "true")
    git(root, "update-index", "--index-version", "4")
    return State(root)


def reftable(folder: Path) -> State:
    if "--ref-format" not in subprocess.run(["git", "init", "-h"], capture_output=True, text=True, check=False).stdout:
        pytest.skip(f"{git(folder, 'version').strip()} knows no reftable")
    return State(project(folder / "project", "--ref-format=reftable"))


def reftable_linked(folder: Path) -> State:
    root = reftable(folder).root
    git(root, "worktree", "add", "-q", "-b", "side", str(folder / "tree"))
    return State(folder / "tree")


def sha256(folder: Path) -> State:
    return State(project(folder / "project", "--object-format=sha256"))


def packed_refs(folder: Path) -> State:
    root = project(folder / "project")
    git(root, "pack-refs", "--all")
    git(root, "gc", "-q")
    return State(root)


def alternates(folder: Path) -> State:
    project(folder / "origin")
    git(folder, "clone", "-q", "--shared", "origin", "project")
    return State(folder / "project")


def shallow(folder: Path) -> State:
    origin = project(folder / "origin")
    write(origin, "a.py", "# a.py\nvalue = 9\n")
    commit(origin, "More")
    git(folder, "clone", "-q", "--depth", "1", f"file://{origin}", "project")
    return State(folder / "project")


def partial(folder: Path) -> State:
    """A blobless clone whose server is gone: what it lacks beside our paths can never be had."""
    origin = project(folder / "origin")
    git(origin, "config", "uploadpack.allowFilter", "true")
    git(folder, "clone", "-q", "--filter=blob:none", "--sparse", f"file://{origin}", "project")
    git(folder / "project", "sparse-checkout", "set", "--cone", "src", ".memory")
    origin.rename(folder / "gone")
    return State(folder / "project")


def separate_git_dir(folder: Path) -> State:
    return State(project(folder / "project", f"--separate-git-dir={folder / 'elsewhere.git'}"))


def hooks_path(folder: Path) -> State:
    """The hook fails when it sees anything but memory staged, or anything at all unstaged."""
    root = project(folder / "project")
    write(root, ".husky/pre-commit", STRICT_HOOK)
    (root / ".husky/pre-commit").chmod(0o755)
    commit(root, "Hook")
    git(root, "config", "core.hooksPath", ".husky")
    return State(root)


STRICT_HOOK = """#!/bin/sh
test -z "$(git diff --cached --name-only | grep -v '^.memory/')" || { echo staged; exit 1; }
test -n "$(git diff --cached --name-only)" || { echo nothing staged; exit 1; }
test -z "$(git diff --name-only)" || { echo unstaged; exit 1; }
git diff-index --quiet "$(git write-tree)" -- || { echo differs; exit 1; }
"""


def ignored(folder: Path) -> State:
    root = project(folder / "project", commits=False)
    write(root, ".gitignore", "build/\n.memory/\n")
    commit(root, "Begin")
    return State(root)


def autocrlf(folder: Path) -> State:
    origin = project(folder / "origin")
    git(folder, "clone", "-q", "-c", "core.autocrlf=true", str(origin), "project")
    return State(folder / "project")


def nested(folder: Path) -> State:
    """Two memories, one of them in a folder of the repository; the work is done in the other."""
    root = project(folder / "project")
    note(root, "inner-way", "pkg/a/.memory")
    commit(root, "Inner")
    return State(root)


def merging(folder: Path) -> State:
    root = diverged(folder / "project")
    git(root, "merge", "other", fails=True)
    return State(root, ("merge", "--abort"))


def rebasing(folder: Path) -> State:
    root = diverged(folder / "project")
    git(root, "rebase", "other", fails=True)
    return State(root, ("rebase", "--abort"))


def applying(folder: Path) -> State:
    root = diverged(folder / "project")
    patch = git(root, "format-patch", "--stdout", "main..other")
    git(root, "am", fails=True, given=patch)
    return State(root, ("am", "--abort"))


def picking(folder: Path) -> State:
    root = diverged(folder / "project")
    git(root, "cherry-pick", "other", fails=True)
    return State(root, ("cherry-pick", "--abort"))


def reverting(folder: Path) -> State:
    root = diverged(folder / "project")
    git(root, "revert", "--no-edit", "HEAD~1", fails=True)
    return State(root, ("revert", "--abort"))


def bisecting(folder: Path) -> State:
    root = project(folder / "project")
    for number in range(4):
        write(root, "code.py", f"value = {number}\n")
        commit(root, f"Step {number}")
    git(root, "bisect", "start", "HEAD", "HEAD~4")
    return State(root, ("bisect", "reset"))


Builder = Callable[[Path], State]
COMMITTING: tuple[Builder, ...] = (
    plain, unborn, detached, linked, submodule, superproject, sparse, sparse_excluded, sparse_index,
    sparse_index_excluded, split_index, fsmonitor, index_v4, reftable, reftable_linked, sha256, packed_refs, alternates,
    shallow, partial, separate_git_dir, hooks_path, autocrlf, nested,
)  # fmt: skip
REFUSING: tuple[Builder, ...] = (ignored,)
UNFINISHED: tuple[Builder, ...] = (merging, rebasing, applying, picking, reverting, bisecting)
EXCLUDED: tuple[Builder, ...] = (sparse_excluded, sparse_index_excluded)
REWINDING: tuple[Builder, ...] = (rebasing, applying)

"""Objects of every kind of repository, read in process or by git, are the ones that git itself shows."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import Project, new_project

from gitmem.errors import GitmemError
from gitmem.storage import git, objects
from gitmem.storage.git import Repository
from gitmem.storage.objects import Objects


def opened(root: Path) -> Repository:
    found = git.find(str(root))
    assert found is not None
    return found


@pytest.fixture
def told(project: Project) -> Project:
    """A project with two commits: a folder in a folder, a link, a script, and a file beside the memory."""
    project.note("plain-files", "Markdown in Git.")
    project.note("构建流程", "Ninja.", type="caution/deep")
    (project.notes / "tool.sh").write_text("true\n")
    (project.notes / "tool.sh").chmod(0o755)
    (project.notes / "away.md").symlink_to("/etc/passwd")
    (project.root / "code.py").write_text("x = 1\n")
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message", "one")
    project.note("plain-files", "Markdown in Git, reviewed.")
    project.git("commit", "--quiet", "--all", "--message", "two")
    return project


def expected(project: Project, revision: str) -> dict[str, str]:
    rows = project.git("ls-tree", "-r", "-z", revision, "--", ".memory").split("\0")[:-1]
    found = (row.partition("\t") for row in rows if not row.startswith("120000"))
    return {path.removeprefix(".memory/"): head.split(" ")[2] for head, _, path in found}


def read(repository: Repository, commit: str) -> dict[str, str]:
    with Objects(repository, environment=os.environ) as held:
        return {path: leaf.id for path, leaf in held.files(commit, ".memory").items()}


def gc(project: Project) -> None:
    project.git("gc", "--quiet")


def deltas(project: Project) -> None:
    project.git("repack", "-adfq", "--depth=50", "--write-midx")


def unknown_extension(project: Project) -> None:
    project.git("config", "core.repositoryFormatVersion", "1")
    project.git("config", "extensions.preciousObjects", "true")


def packed_refs(project: Project) -> None:
    project.git("pack-refs", "--all")


LAYOUTS: tuple[Callable[[Project], None], ...] = (lambda project: None, gc, deltas, unknown_extension, packed_refs)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_files_of_a_commit_are_those_that_git_lists(told: Project, layout: Callable[[Project], None]) -> None:
    layout(told)
    commits = told.git("rev-list", "HEAD").split()

    found = [read(opened(told.root), commit) for commit in commits]

    assert found == [expected(told, commit) for commit in commits]
    assert "away.md" not in found[0] and "tool.sh" in found[0]


def test_sha256_is_read_in_process(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", "--object-format=sha256", tmp_path / "p"], check=True)
    project = Project(tmp_path / "p")
    project.note("plain-files")
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message", "one")
    head = project.git("rev-parse", "HEAD").strip()

    with Objects(opened(project.root), environment={"PATH": "/nowhere"}) as held:
        files = held.files(head, ".memory")

    assert {path: leaf.id for path, leaf in files.items()} == expected(project, "HEAD")


def test_linked_worktree_shares_the_objects(told: Project, tmp_path: Path) -> None:
    told.git("worktree", "add", "--quiet", str(tmp_path / "linked"), "HEAD~1")
    first = told.git("rev-parse", "HEAD~1").strip()

    found = read(opened(tmp_path / "linked"), first)

    assert found == expected(told, "HEAD~1")


def test_alternates_are_followed(told: Project, tmp_path: Path) -> None:
    subprocess.run(["git", "clone", "-q", "--shared", told.root, tmp_path / "clone"], check=True)
    head = told.git("rev-parse", "HEAD").strip()

    found = read(opened(tmp_path / "clone"), head)

    assert found == expected(told, "HEAD")


def test_promised_object_is_fetched_by_git(told: Project, tmp_path: Path) -> None:
    told.git("config", "uploadpack.allowFilter", "true")
    told.git("config", "uploadpack.allowAnySHA1InWant", "true")
    source = f"file://{told.root}"
    subprocess.run(["git", "clone", "-q", "--filter=blob:none", source, tmp_path / "partial"], check=True)
    old = told.git("rev-parse", "HEAD~1:.memory/decision/plain-files.md").strip()

    with Objects(opened(tmp_path / "partial"), environment=os.environ) as held:
        data = held.read(old)

    assert data == told.git("cat-file", "blob", old).encode()


def test_extension_that_is_unknown_leaves_everything_to_git(told: Project) -> None:
    told.git("config", "core.repositoryFormatVersion", "1")
    told.git("config", "extensions.compatObjectFormat", "sha256")

    form = objects._format(opened(told.root))

    assert form is None


def test_replaced_object_is_the_one_that_git_shows(told: Project) -> None:
    old, new = (told.git("rev-parse", f"{rev}:.memory/decision/plain-files.md").strip() for rev in ("HEAD~1", "HEAD"))
    told.git("replace", old, new)

    with Objects(opened(told.root), environment=os.environ) as held:
        data = held.read(old)

    assert data == told.git("cat-file", "blob", old).encode()


def test_object_that_is_not_there_is_named(told: Project) -> None:
    with Objects(opened(told.root), environment=os.environ) as held, pytest.raises(GitmemError) as refused:
        held.read("1" * 40)

    assert refused.value.code == "missing-object" and "1" * 40 in refused.value.message


def test_damaged_pack_is_a_missing_object_and_no_traceback(told: Project) -> None:
    told.git("gc", "--quiet")
    head = told.git("rev-parse", "HEAD").strip()
    for pack in (told.root / ".git" / "objects" / "pack").glob("*.pack"):
        pack.chmod(0o644)
        data = bytearray(pack.read_bytes())
        data[12:-20] = bytes(len(data) - 32)
        pack.write_bytes(data)

    with Objects(opened(told.root), environment=os.environ) as held, pytest.raises(GitmemError) as refused:
        held.files(head, ".memory")

    assert refused.value.code == "missing-object"


def test_commit_without_the_folder_has_no_files(tmp_path: Path) -> None:
    project = new_project(tmp_path / "p")
    (project.root / ".memory").rmdir()
    (project.root / ".memory").write_text("a file of that name")
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message", "one")
    head = project.git("rev-parse", "HEAD").strip()

    assert read(opened(project.root), head) == {}


@pytest.fixture
def watched(told: Project) -> Iterator[Project]:
    before = {path: path.stat().st_mtime_ns for path in (told.root / ".git").rglob("*")}
    yield told
    assert {path: path.stat().st_mtime_ns for path in (told.root / ".git").rglob("*")} == before


def test_reading_writes_nothing(watched: Project) -> None:
    head = watched.git("rev-parse", "HEAD").strip()

    found = read(opened(watched.root), head)

    assert found

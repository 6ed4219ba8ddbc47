"""Setting up: a memory's folder made, in every kind of place, and a clone's memory made one's own."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import Project, new_project, run, told
from projects import bytes_of, kept, refusal

from gitmem.errors import GitmemError
from gitmem.operations.memory import find_root, open_memory, ready
from gitmem.operations.setup import init
from gitmem.operations.words import vocabulary

FILES = [".memory/README.md", ".memory/.gitattributes", ".memory/.gitignore"]


@pytest.fixture
def bare_project(tmp_path: Path) -> Project:
    """A repository without a memory."""
    made = new_project(tmp_path / "project")
    made.notes.rmdir()
    return made


def made(directory: Path, preset: str | None = None) -> dict[str, Any]:
    reply = init(str(directory), preset=preset, environment=os.environ, hooks=False)
    return {key: reply[key] for key in ("root", "created", "existing")}


def test_init_makes_the_folder_and_trusts_the_clone(bare_project: Project) -> None:
    reply = made(bare_project.root)

    assert reply == {"root": str(bare_project.root), "created": FILES, "existing": []}
    assert (
        bare_project.notes / ".gitattributes"
    ).read_text() == "*.md merge=gitmem text eol=lf\nREADME.md merge=text\n"
    assert (bare_project.notes / ".gitignore").read_text() == ".cache/\n"
    assert bare_project.git("config", "--local", "gitmem.trusted") == "true\n"
    assert bare_project.open().trusted
    assert os.listdir(bare_project.root) == [".git", ".memory"] or len(os.listdir(bare_project.root)) == 2


def test_init_twice_is_once(bare_project: Project) -> None:
    made(bare_project.root)
    (bare_project.notes / "README.md").write_text("# Ours\n")
    before = bytes_of(bare_project)

    again = made(bare_project.root)

    assert (again["created"], again["existing"]) == ([], FILES)
    assert bytes_of(bare_project) == before


def test_init_writes_what_is_missing(bare_project: Project) -> None:
    made(bare_project.root)
    (bare_project.notes / ".gitignore").unlink()

    assert made(bare_project.root)["created"] == [".memory/.gitignore"]


@pytest.mark.parametrize("preset", ["engram", "minimal", "research"])
def test_a_preset_is_written_once(bare_project: Project, preset: str) -> None:
    created = made(bare_project.root, preset)["created"]
    existing = made(bare_project.root, preset)["existing"]

    assert ".memory/config.toml" in created
    assert ".memory/config.toml" in existing
    assert bare_project.open().config.problems == ()
    assert vocabulary(bare_project.open())["types"]


def test_another_preset_does_not_overwrite(bare_project: Project) -> None:
    made(bare_project.root, "minimal")
    before = bytes_of(bare_project)

    error = refusal(lambda: made(bare_project.root, "research"))

    assert error.code == "config-exists"
    assert bytes_of(bare_project) == before
    assert refusal(lambda: made(bare_project.root, "nonsense")).code == "unknown-preset"


def test_a_config_that_is_a_link_is_not_followed(bare_project: Project) -> None:
    made(bare_project.root)
    os.symlink("/etc/hostname", bare_project.notes / "config.toml")

    assert refusal(lambda: made(bare_project.root, "minimal")).code == "config-exists"
    assert refusal(lambda: bare_project.open()).code == "unreadable"


def test_case_37_a_subfolder_finds_the_memory_above(bare_project: Project) -> None:
    made(bare_project.root)
    deep = bare_project.root / "src/deep"
    deep.mkdir(parents=True)

    assert open_memory(str(deep), environment=os.environ, now=0).root == str(bare_project.root)
    assert find_root(str(bare_project.notes)) == str(bare_project.root)


def test_case_93_init_in_an_untrusted_clone_means_the_memory_that_is_there(bare_project: Project) -> None:
    made(bare_project.root)
    kept(bare_project, "Plain files")
    bare_project.git("add", ".")
    bare_project.git("commit", "-qm", "memory")
    clone = Project(bare_project.root.parent / "clone")
    bare_project.git("clone", "-q", str(bare_project.root), str(clone.root))
    (clone.root / "src").mkdir()
    before = clone.open().trusted

    reply = made(clone.root / "src")

    assert not before
    assert (reply["root"], reply["created"]) == (str(clone.root), [])
    assert clone.open().trusted


def test_case_70_a_monorepo_has_several_memories(bare_project: Project) -> None:
    made(bare_project.root)
    inner = Project(bare_project.root / "pkg/a")
    inner.root.mkdir(parents=True)

    reply = made(inner.root)

    assert reply["root"] == str(inner.root)
    assert reply["created"] == [f"pkg/a/{path}" for path in FILES]
    assert kept(inner, "Inner")["path"] == "pkg/a/.memory/decision/inner.md"
    assert kept(bare_project, "Outer")["path"] == ".memory/decision/outer.md"
    assert find_root(str(inner.root)) == str(inner.root)


def test_case_69_a_submodule_has_its_own_memory_and_the_superproject_does_not_change(
    bare_project: Project, tmp_path: Path
) -> None:
    library = new_project(tmp_path / "library")
    (library.root / "code.py").write_text("one\n")
    library.git("add", ".")
    library.git("commit", "-qm", "one")
    made(bare_project.root)
    bare_project.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library.root), "library")
    inner = Project(bare_project.root / "library")
    config = (bare_project.root / ".git/config").read_bytes()

    reply = made(inner.root)

    assert reply["root"] == str(inner.root)
    assert reply["created"] == FILES
    assert kept(inner, "Inner")["path"] == ".memory/decision/inner.md"
    assert (bare_project.root / ".git/config").read_bytes() == config
    assert inner.open().trusted


def test_case_68_a_linked_worktree_has_its_own_notes_and_the_clones_trust(bare_project: Project) -> None:
    made(bare_project.root)
    bare_project.git("add", ".")
    bare_project.git("commit", "-qm", "memory")
    tree = Project(bare_project.root.parent / "tree")
    bare_project.git("worktree", "add", "-q", str(tree.root))

    kept(tree, "In the tree")

    assert tree.open().trusted
    assert not (bare_project.notes / "decision").exists()


def test_a_folder_without_git_can_have_a_memory(tmp_path: Path) -> None:
    lone = Project(tmp_path / "lone")
    lone.root.mkdir()

    reply = made(lone.root)

    assert reply == {"root": str(lone.root), "created": FILES, "existing": []}
    assert lone.open().trusted


def test_where_git_is_missing_nothing_is_made(bare_project: Project, tmp_path: Path) -> None:
    done = run(bare_project.root, "init", "--json", extra={"PATH": str(tmp_path)})

    assert (done.returncode, told(done)["error"]["code"]) == (3, "no-git")
    assert not bare_project.notes.exists()


def test_a_bare_repository_and_gits_own_folder_are_refused(bare_project: Project, tmp_path: Path) -> None:
    bare_project.git("init", "-q", "--bare", str(tmp_path / "bare.git"))

    codes = {refusal(lambda: made(tmp_path / "bare.git")).code, refusal(lambda: made(bare_project.root / ".git")).code}

    assert codes == {"bare"}
    assert not (tmp_path / "bare.git/.memory").exists()


@pytest.mark.parametrize(("kind", "code"), [("link", "symbolic-link"), ("file", "not-a-folder")])
def test_what_stands_in_the_folders_place_is_refused(bare_project: Project, kind: str, code: str) -> None:
    elsewhere = bare_project.root / "elsewhere"
    elsewhere.mkdir()
    if kind == "link":
        os.symlink(elsewhere, bare_project.notes)
    else:
        bare_project.notes.write_text("a file")

    assert refusal(lambda: made(bare_project.root)).code == code
    assert os.listdir(elsewhere) == []


def test_no_memory_and_no_folder_are_said(bare_project: Project, tmp_path: Path) -> None:
    error = refusal(lambda: bare_project.open())
    missing = refusal(lambda: open_memory(str(tmp_path / "gone"), environment={}, now=0))

    assert (error.code, error.hint) == ("no-memory", "gitmem init makes one.")
    assert (missing.code, missing.status) == ("no-folder", 2)


def test_the_search_for_a_memory_ends_at_the_git_top_level(project: Project) -> None:
    inner = new_project(project.root / "inner")
    shutil.rmtree(inner.notes)

    assert find_root(str(inner.root)) is None


def test_variables_of_another_repository_do_not_mislead_init(bare_project: Project, tmp_path: Path) -> None:
    other = new_project(tmp_path / "other")
    lying = {**os.environ, "GIT_DIR": str(other.root / ".git"), "GIT_WORK_TREE": str(other.root)}

    init(str(bare_project.root), preset=None, environment=lying, hooks=False)

    assert bare_project.open().trusted
    assert not other.open().trusted


def test_the_kept_form_of_the_configuration_follows_the_file(project: Project) -> None:
    project.write("config.toml", '[domains]\ncore = "the core"\n')
    first = project.open().config
    project.write("config.toml", '[domains]\nedge = "the edge"\n')

    second = project.open().config

    assert list(first.vocabulary.domains) == ["core"]
    assert list(second.vocabulary.domains) == ["edge"]
    assert project.open().config == second


@pytest.fixture
def origin(project: Project) -> Project:
    """A repository that others clone, with code and a note."""
    project.note("plain-files")
    project.note("no-server", type="caution")
    (project.root / "pkg").mkdir()
    (project.root / "pkg" / "code.py").write_text("x = 1\n")
    project.git("add", ".")
    project.git("commit", "-qm", "one")
    return project


@pytest.mark.parametrize("option", ["--sparse", "--no-checkout"])
@pytest.mark.parametrize("inside", ["", "pkg"])
def test_a_memory_that_is_not_checked_out_is_no_place_for_another(
    option: str, inside: str, origin: Project, tmp_path: Path
) -> None:
    clone = Project(tmp_path / "a clone")
    origin.git("clone", "-q", option, str(origin.root), str(clone.root))
    here = clone.root / inside
    here.mkdir(exist_ok=True)
    (here / "own.txt").write_text("untracked\n")

    refused = refusal(lambda: made(here))
    subprocess.run(refused.hint.partition(" brings it")[0], shell=True, cwd=here, check=True, capture_output=True)

    assert refused.code == "not-checked-out" and ".memory/ is part of this repository" in refused.message
    assert not (clone.root / "pkg" / ".memory").exists()
    assert made(here)["root"] == str(clone.root)
    assert (clone.notes / "decision" / "plain-files.md").exists()


def test_a_memory_that_is_checked_out_in_part_says_so(origin: Project, tmp_path: Path) -> None:
    clone = Project(tmp_path / "clone")
    origin.git("clone", "-q", "--sparse", str(origin.root), str(clone.root))
    clone.git("sparse-checkout", "set", ".memory/decision")

    reply = init(str(clone.root), preset=None, environment=os.environ, hooks=False)

    assert [warning["code"] for warning in reply["warnings"]] == ["not-checked-out"]
    assert "1 of the files in .memory/" in reply["warnings"][0]["message"]


def test_a_memory_that_somebody_deleted_is_made_anew(origin: Project) -> None:
    shutil.rmtree(origin.notes)

    assert made(origin.root)["created"] == FILES


def test_init_outside_a_repository_says_so(tmp_path: Path) -> None:
    reply = init(str(tmp_path), preset=None, environment=os.environ, hooks=True)

    assert [each["code"] for each in reply["warnings"]] == ["no-repository"]


def test_a_model_below_home_is_that_of_the_caller(project: Project, tmp_path: Path) -> None:
    project.git("config", "gitmem.model", "~/m")
    memory = project.open(environment={**os.environ, "HOME": str(tmp_path)})

    with pytest.raises(GitmemError, match=str(tmp_path / "m")):
        ready(memory)

"""The workflow for pull requests: sound for GitHub, safe with other people's branches, and gone without a trace."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import Project, environment, new_project, run, told
from projects import refusal

from gitmem.operations import workflow
from gitmem.operations.workflow import PATH, is_ours, remove_github, setup_github, text


def set_up(project: Project, **options: bool) -> dict[str, Any]:
    return setup_github(str(project.root), environment=environment(), **options)


def removed(project: Project, **options: bool) -> dict[str, Any]:
    return remove_github(str(project.root), environment=environment(), **options)


def files(root: Path) -> dict[str, bytes | None]:
    """Returns every file and folder of a work tree, Git's own aside."""
    found = (path for path in root.rglob("*") if ".git" not in path.relative_to(root).parts)
    return {str(path.relative_to(root)): path.read_bytes() if path.is_file() else None for path in found}


def steps(root: str = ".") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = yaml.safe_load(text(root))["jobs"]["review"]["steps"]
    return found


# What GitHub reads


@pytest.mark.parametrize("root", [".", "apps/one", 'odd "name": {x}', "*.ünï"])
def test_workflow_is_valid_by_the_published_schema(root: str, tmp_path: Path) -> None:
    path = tmp_path / "gitmem.yml"
    path.write_text(text(root), encoding="utf-8")

    checker = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"]
    done = subprocess.run([*checker, str(path)], capture_output=True, text=True, check=False)
    broken = tmp_path / "broken.yml"
    broken.write_text(text(root).replace("runs-on:", "runs-at:"), encoding="utf-8")
    refused = subprocess.run([*checker, str(broken)], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
    assert refused.returncode == 1


def test_workflow_runs_on_pull_requests_with_a_token_that_reads() -> None:
    whole = yaml.load(text("."), Loader=yaml.BaseLoader)

    assert whole["on"] == {"pull_request": ""} and "pull_request_target" not in text(".")
    assert whole["permissions"] == {"contents": "read"}
    assert all("permissions" not in job for job in whole["jobs"].values())
    assert "secrets." not in text(".") and "github.token" not in text(".") and ": write" not in text(".")


def test_no_expression_stands_in_a_shell_line() -> None:
    lines = [step["run"] for step in steps() if "run" in step]

    assert lines and not any("${{" in line for line in lines)
    assert steps()[-1]["env"] == {"BASE": "${{ github.base_ref }}"} and '"origin/$BASE"' in steps()[-1]["run"]


def test_actions_are_githubs_own_at_a_major_and_fetch_what_a_review_needs() -> None:
    used = [step["uses"] for step in steps() if "uses" in step]

    assert [action.partition("@v")[0] for action in used] == ["actions/checkout", "actions/setup-python"]
    assert all(action.partition("@v")[2].isdigit() for action in used)
    assert steps()[0]["with"] == {"fetch-depth": 0, "persist-credentials": False}


def test_workflow_of_a_memory_in_a_folder_works_there() -> None:
    whole = yaml.safe_load(text("apps/one"))

    assert whole["jobs"]["review"]["defaults"] == {"run": {"working-directory": "apps/one"}}
    assert "defaults" not in yaml.safe_load(text("."))["jobs"]["review"]


@pytest.mark.parametrize("name", ["feature/x", "-x", "a;touch pwned", "$(touch pwned)", "`touch pwned`", "a b"])
def test_steps_run_as_a_runner_does_and_no_branch_name_runs_anything(name: str, project: Project, bin: Path) -> None:
    project.note("first", source="user")
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message", "first")
    project.git("update-ref", f"refs/remotes/origin/{name.replace(' ', '_')}", "HEAD")
    project.note("second", source="user")
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message", "second")
    summary = project.root.parent / "summary.md"

    path = f"{bin}:{os.environ['PATH']}"
    for step in steps()[3:]:
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", step["run"]],
            cwd=project.root,
            env=environment(PATH=path, BASE=name, GITHUB_STEP_SUMMARY=str(summary)),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == (3 if " " in name and "BASE" in step["run"] else 0), done.stdout + done.stderr

    assert not list(project.root.rglob("pwned")) and (" " in name or "Second" in summary.read_text())


# Put there and taken away


def test_setup_writes_one_file_twice_is_once_and_trusts(project: Project) -> None:
    before = files(project.root)

    first, second = set_up(project), set_up(project)

    made = files(project.root)
    assert {*made} - {*before} == {".github", ".github/workflows", PATH}
    assert (made[PATH] or b"").decode() == text(".") and project.git("status", "--porcelain").startswith("??")
    assert first["changed"] == [PATH] and second["changed"] == [] and second["diff"] == ""
    assert project.git("config", "gitmem.trusted") == "true\n"


def test_remove_restores_byte_for_byte_also_without_the_cache(project: Project) -> None:
    before = files(project.root)
    set_up(project)

    reply = removed(project)

    assert files(project.root) == before and reply["changed"] == [PATH]
    assert removed(project)["changed"] == []


def test_remove_leaves_what_lay_beside(project: Project) -> None:
    other = project.root / ".github" / "workflows" / "ci.yml"
    other.parent.mkdir(parents=True)
    other.write_text("on: push\n")
    before = files(project.root)
    set_up(project)

    removed(project)

    assert files(project.root) == before


def test_another_clone_takes_it_away_too(project: Project, tmp_path: Path) -> None:
    project.note("first")
    set_up(project)
    project.git("add", "--all")
    project.git("commit", "--quiet", "--message", "all")
    subprocess.run(["git", "clone", "-q", "-c", "core.autocrlf=true", project.root, tmp_path / "clone"], check=True)
    clone = Project(tmp_path / "clone")
    assert b"\r\n" in (clone.root / PATH).read_bytes()

    assert set_up(clone)["changed"] == [] and removed(clone)["changed"] == [PATH]
    assert not (clone.root / ".github").exists()


@pytest.mark.parametrize("remove", [False, True])
def test_dry_run_shows_the_difference_and_changes_nothing(project: Project, remove: bool) -> None:
    if remove:
        set_up(project)
    before = files(project.root)
    words = ["--remove"] if remove else []

    done = run(project.root, "setup", "github", "--dry-run", *words)
    reply = told(run(project.root, "setup", "github", "--dry-run", "--json", *words))

    assert files(project.root) == before and done.returncode == 0
    sign = "-" if remove else "+"
    assert f"\n{sign}  pull_request:" in done.stdout and reply["dry_run"] and reply["changed"] == [PATH]
    assert f"\n{sign}  pull_request:" in reply["diff"]
    assert project.root.joinpath(".git/config").read_text().count("trusted") == int(remove)


def test_older_workflow_of_ours_is_brought_up_to_date(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workflow, "STEPS", workflow.STEPS.replace("checkout@v6", "checkout@v5"))
    set_up(project)
    monkeypatch.undo()

    reply = set_up(project)

    assert "-      - uses: actions/checkout@v5" in reply["diff"] and is_ours((project.root / PATH).read_bytes())
    assert (project.root / PATH).read_text() == text(".")


@pytest.mark.parametrize(("theirs", "code"), [(True, "workflow-exists"), (False, "workflow-changed")])
def test_what_somebody_wrote_stays(project: Project, theirs: bool, code: str) -> None:
    path = project.root / PATH
    if theirs:
        path.parent.mkdir(parents=True)
        path.write_text("on: push\n")
    else:
        set_up(project)
        path.write_text(path.read_text().replace("ubuntu-latest", "self-hosted"))
    before = files(project.root)

    errors = [refusal(lambda act=act: act(project)) for act in (set_up, removed)]  # type: ignore[misc]

    assert {error.code for error in errors} == {code} and files(project.root) == before
    assert all(PATH in error.message for error in errors)


def test_workflow_behind_a_symbolic_link_is_refused(project: Project, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (project.root / ".github").symlink_to(tmp_path / "elsewhere")

    assert refusal(lambda: set_up(project)).code == "symbolic-link"
    assert not list((tmp_path / "elsewhere").iterdir())


def test_no_memory_and_no_repository_are_refused(tmp_path: Path) -> None:
    bare = new_project(tmp_path / "bare")
    bare.notes.rmdir()
    (tmp_path / "none" / ".memory").mkdir(parents=True)

    assert refusal(lambda: set_up(bare)).code == "no-memory"
    done = run(tmp_path / "none", "setup", "github", extra={"GIT_CEILING_DIRECTORIES": str(tmp_path)})
    assert done.returncode == 3 and not (tmp_path / "none" / ".github").exists()


def test_setup_from_a_folder_below_and_for_a_memory_below(tmp_path: Path) -> None:
    above = new_project(tmp_path / "top")
    below = Project(above.root / "apps" / "one")
    (below.root / ".memory").mkdir(parents=True)
    (below.root / "src").mkdir()

    done = run(below.root / "src", "setup", "github")

    assert done.returncode == 0 and "commit it to have pull requests reviewed" in done.stdout
    assert (above.root / PATH).read_text() == text("apps/one")


def test_only_what_can_be_set_up_is_listed(project: Project) -> None:
    done = run(project.root, "setup", "gitlab")

    assert done.returncode == 2 and "github" in done.stderr
    assert run(project.root, "setup").returncode == 2

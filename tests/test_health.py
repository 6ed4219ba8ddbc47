"""Health: what the memory holds, and whether everything around it works."""

import os
from pathlib import Path
from typing import Any

import pytest
from conftest import Project, run, told
from projects import UNREADABLE, kept

from gitmem.operations.health import doctor, status
from gitmem.operations.recall import recall
from gitmem.operations.setup import init
from gitmem.search.query import Wanted

HOOKS = ("hooks", "merge")


def checks(directory: Path) -> dict[str, str]:
    """Returns the state of each check but those of hooks, which have tests of their own."""
    found = [
        line for line in doctor(str(directory), environment=os.environ, now=0)["checks"] if line["name"] not in HOOKS
    ]
    assert all(set(line) == {"name", "state", "message", "hint"} for line in found)
    assert all(line["message"].endswith(".") and (line["hint"] or line["state"] == "ok") for line in found)
    return {line["name"]: line["state"] for line in found}


def made(project: Project) -> None:
    init(str(project.root), preset=None, environment=os.environ, hooks=False)


def test_status_has_the_documented_shape(project: Project) -> None:
    made(project)
    kept(project, "One")
    kept(project, "Two", links=("conflicts-with=one",))
    kept(project, "Broken", "problem")
    project.note("stop", type="checkpoint", created="2026-05-05")
    project.write("decision/unread.md", UNREADABLE.decode())
    project.git("add", ".")
    project.git("commit", "-qm", "memory")
    kept(project, "Three")
    memory = project.open()
    recall(memory, "zebra quagga", Wanted())

    result = status(memory)

    assert result == {
        "root": str(project.root),
        "branch": "main",
        "head": project.git("rev-parse", "HEAD").strip(),
        "trusted": True,
        "notes": {"decision": 4, "checkpoint": 1, "problem": 1},
        "unreviewed": None,
        "stale": None,
        "drifted": None,
        "conflicts": 1,
        "suspects": None,
        "problems": 1,
        "index": {"fresh": result["index"]["fresh"], "notes": 6, "bytes": result["index"]["bytes"]},
        "memory": {
            "checkpoint_count": 1,
            "recall_count": 1,
            "recall_zero_hits": result["memory"]["recall_zero_hits"],
            "last_recall_at": result["memory"]["last_recall_at"],
            "last_checkpoint_at": "2026-05-05T00:00:00Z",
        },
        "pending": [".memory/decision/three.md"],
    }
    assert result["index"]["bytes"] > 0
    assert result["memory"]["last_recall_at"].endswith("Z")


def test_status_of_an_unborn_untrusted_repository(project: Project) -> None:
    result = status(project.open())

    assert (result["branch"], result["head"], result["trusted"]) == ("main", None, False)
    assert (result["notes"], result["pending"]) == ({}, [])
    assert result["memory"]["last_recall_at"] is None


def test_status_on_a_detached_head(project: Project) -> None:
    project.note("one")
    project.git("add", ".")
    project.git("commit", "-qm", "one")
    project.git("checkout", "-q", "--detach")

    assert status(project.open())["branch"] is None
    assert status(project.open())["head"]


def test_case_70_pending_files_are_named_from_the_git_top_level(project: Project) -> None:
    inner = Project(project.root / "pkg/a")
    inner.note("one")
    (project.root / "code.py").write_text("one\n")

    assert status(inner.open())["pending"] == ["pkg/a/.memory/decision/one.md"]


def test_case_79_status_without_git_or_a_repository(project: Project, tmp_path: Path) -> None:
    project.note("one")
    lone = Project(tmp_path / "lone")
    lone.note("one")

    without_git = told(run(project.root, "status", "--json", extra={"PATH": str(tmp_path)}))
    without_repository = status(lone.open())

    assert (without_git["notes"], without_git["branch"], without_git["pending"]) == ({"decision": 1}, None, [])
    assert (without_repository["notes"], without_repository["trusted"]) == ({"decision": 1}, True)


def test_doctor_finds_a_new_memory_sound(project: Project) -> None:
    made(project)
    kept(project, "One")

    assert checks(project.root) == dict.fromkeys(
        ("git", "memory", "repository", "trust", "config", "files", "cache", "model", "notes"), "ok"
    )


def test_doctor_names_what_is_missing(project: Project) -> None:
    project.write("config.toml", "[policy]\nnonsense = 1\n")
    project.write("decision/unread.md", UNREADABLE.decode())
    (project.root / ".gitignore").write_text(".memory/\n")

    found = checks(project.root)

    assert {name for name, state in found.items() if state == "warning"} == {
        "repository",
        "trust",
        "config",
        "files",
        "notes",
    }


@pytest.mark.parametrize("rule", [".memory", ".memory/", "*.md", ".memory/*"])
def test_doctor_names_the_rule_by_which_git_ignores_the_notes(project: Project, rule: str) -> None:
    (project.root / ".gitignore").write_text(f"# ours\n{rule}\n")

    lines = doctor(str(project.root), environment=os.environ, now=0)["checks"]

    assert (
        next(line["message"] for line in lines if line["name"] == "repository")
        .split(" rule ")[1]
        .startswith(f".gitignore:2:{rule}")
    )


def test_doctor_without_a_memory_reports_a_fault(tmp_path: Path) -> None:
    found = checks(tmp_path)

    assert found["memory"] == "fault"


def test_case_79_doctor_without_git_still_looks_at_the_rest(project: Project, tmp_path: Path) -> None:
    made(project)

    done = run(project.root, "doctor", "--json", extra={"PATH": str(tmp_path)})

    found = {line["name"]: line["state"] for line in told(done)["checks"]}
    assert (done.returncode, found["git"], found["notes"]) == (0, "warning", "ok")


def test_doctor_names_a_model_that_cannot_be_read(project: Project) -> None:
    made(project)
    project.git("config", "gitmem.model", "nowhere")

    assert checks(project.root)["model"] == "fault"


def test_doctor_names_a_cache_that_cannot_be_kept(project: Project) -> None:
    made(project)
    (project.notes / ".cache").write_text("in the way")

    assert checks(project.root)["cache"] == "warning"


def test_case_91_looking_at_a_folder_without_a_memory_leaves_nothing_behind(tmp_path: Path) -> None:
    commands: list[list[str]] = [
        ["--help"],
        ["status", "--json"],
        ["doctor", "--json"],
        ["list", "--json"],
        ["show", "x"],
    ]

    done: list[Any] = [run(tmp_path, *words) for words in commands]

    assert [each.returncode for each in done] == [0, 3, 1, 3, 3]
    assert told(done[1])["error"]["code"] == "no-memory"
    assert os.listdir(tmp_path) == []


def test_case_91_looking_leaves_no_trace_but_the_cache(project: Project) -> None:
    project.note("one")
    project.git("add", ".")
    project.git("commit", "-qm", "one")
    index = (project.root / ".git/index").read_bytes()

    status(project.open())
    checks(project.root)

    assert sorted(os.listdir(project.notes)) == [".cache", "decision"]
    assert project.git("status", "--porcelain") == ""
    assert (project.root / ".git/index").read_bytes() == index


def test_case_79_a_clone_of_another_owner_is_told_the_same_everywhere(project: Project) -> None:
    made(project)
    kept(project, "Plain files")
    project.git("add", ".memory")
    project.git("commit", "--quiet", "--message=notes")
    foreign = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}

    said = told(run(project.root, "doctor", "--json", extra=foreign))
    refused = [
        told(run(project.root, *words, "--json", extra=foreign))["error"]
        for words in (["log"], ["history", "plain-files"], ["undo", "HEAD"], ["init"])
    ]

    line = next(each for each in said["checks"] if each["name"] == "repository")
    assert line["state"] == "fault" and "safe.directory" in line["hint"]
    assert {each["code"] for each in refused} == {"foreign-owner"}
    assert all("safe.directory" in each["hint"] for each in refused)

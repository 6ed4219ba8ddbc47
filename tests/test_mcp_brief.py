"""A brief over MCP keeps to its budget, and what is cut of it is never the page's end."""

import json
from typing import Any

import pytest
from conftest import Project
from projects import AGENT

from gitmem.faces.mcp_service import Service
from gitmem.operations.checkpoint import Said, checkpoint
from gitmem.operations.page import RULE

LONG = "Every word of it was worth saying. " * 400
# Below some 1,400 characters the handle, the keys and the shortest page are what is left, and more than that.
BUDGETS = (16_000, 6_000, 3_000, 2_000)


@pytest.fixture
def busy(project: Project) -> Project:
    """Returns a project in which hundreds of files have changed since a checkpoint of many words."""
    for key, value in (("gitmem.trusted", "true"), ("user.name", "T"), ("user.email", "t@example.org")):
        project.git("config", key, value)
    files = [project.root / f"module_with_a_long_name_{number}.py" for number in range(500)]
    written(files, "old\n")
    project.git("add", ".")
    project.git("commit", "-qm", "Begin")
    checkpoint(project.open(), Said("Half done", LONG, ("Go on",)), AGENT)
    for number in range(12):
        project.note(f"principle-{number}", f"Hold to number {number}.", type="principle")
    written(files, "new\n")
    return project


def written(files: list[Any], text: str) -> None:
    for file in files:
        file.write_text(text)


def answered(project: Project, budget: int) -> tuple[str, dict[str, Any]]:
    """Returns a brief as it goes over the wire, and as the JSON that it is."""
    answer = Service(str(project.root), str(project.root), {}).answer("brief", {"budget": budget}, "claude-code")
    assert not answer.refused, answer.text
    return answer.text, json.loads(answer.text)


@pytest.mark.parametrize("budget", BUDGETS)
def test_hundreds_of_changed_files_and_a_long_checkpoint_leave_the_page_whole(busy: Project, budget: int) -> None:
    text, brief = answered(busy, budget)

    assert len(text) <= budget
    assert brief["text"].startswith("The memory of this project") and "> 500 changed · module_" in brief["text"]
    assert brief["text"].endswith(f"\n{RULE}\nhandle: {brief['handle']}\n")
    assert set(brief["cut"]) >= {"repository", "checkpoint"} and "text" not in brief["cut"]
    assert brief["cut"]["repository"] == 2 * 500 - len(
        brief["repository"]["changed"] + brief["repository"]["drifted"]["files"]
    )


def test_a_brief_that_has_room_is_told_as_it_is(busy: Project) -> None:
    _, brief = answered(busy, 200_000)

    assert "cut" not in brief
    assert len(brief["repository"]["changed"]) == 500 and brief["checkpoint"]["text"].count("worth") == 400


def test_a_checkpoint_that_is_sensitive_has_no_text_to_cut(busy: Project) -> None:
    (path,) = busy.notes.glob("checkpoint/*.md")
    path.write_text(path.read_text().replace("type: checkpoint\n", "type: checkpoint\nsensitive: true\n"))

    _, brief = answered(busy, 3_000)

    assert brief["checkpoint"]["text"] is None and "checkpoint" not in brief["cut"]

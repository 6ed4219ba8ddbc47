"""Short ways to write notes and to read what a command said, for the tests of the verbs."""

import subprocess
from collections.abc import Callable
from typing import Any

import pytest
from conftest import Project

from gitmem.errors import GitmemError
from gitmem.operations.read import list_notes
from gitmem.operations.upkeep import check
from gitmem.operations.write import Author, Draft, remember
from gitmem.search.query import Wanted

AGENT = Author("agent", "claude-code")
SECRET = "AKIA" + "QQ7WZ3XN5VPL2MRT"  # in two parts, so that this file passes a search for secrets
UNREADABLE = b"---\ntitle: [never closed\ntype: decision\n---\n\nText.\n"


def kept(project: Project, title: str, type: str = "decision", *, allow: bool = False, **draft: Any) -> dict[str, Any]:
    """Remembers a note and returns the reply."""
    return remember(project.open(), Draft(title=title, type=type, **draft), AGENT, allow_duplicate=allow)


def text(project: Project, path: str) -> str:
    """Returns the text of a file below .memory."""
    return (project.notes / path).read_text(encoding="utf-8")


def stopped(project: Project, *command: str) -> None:
    """Commits what is there, then leaves a Git operation (a merge or rebase of `other`) stopped at a conflict in code.py."""
    _committed(project, "none")
    project.git("switch", "-qc", "other")
    _committed(project, "one")
    project.git("switch", "-q", "main")
    _committed(project, "two")
    with pytest.raises(subprocess.CalledProcessError):
        project.git(*command, "other")


def _committed(project: Project, words: str) -> None:
    (project.root / "code.py").write_text(f"{words}\n")
    project.git("add", ".")
    project.git("commit", "-qm", words)


def status_of(project: Project, name: str) -> str | None:
    """Returns the status that `list` shows of a note."""
    notes = list_notes(project.open(), Wanted())["notes"]
    return {note["name"]: note["status"] for note in notes}[name]


def refusal(call: Callable[[], object]) -> GitmemError:
    """Returns the refusal that a call ends with; it says a sentence and what to do next."""
    with pytest.raises(GitmemError) as caught:
        call()
    assert caught.value.message.endswith((".", "?"))
    assert caught.value.hint
    return caught.value


def problems(project: Project) -> dict[str, list[str]]:
    """Returns what check finds now: codes by the path below .memory."""
    found: dict[str, list[str]] = {}
    for problem in check(project.open())["problems"]:
        assert problem["message"].endswith((".", "?"))
        assert problem["hint"]
        found.setdefault(problem["path"].removeprefix(".memory/"), []).append(problem["code"])
    return found


def bytes_of(project: Project) -> dict[str, bytes]:
    """Returns every file of the memory but the cache."""
    files = [path for path in project.notes.rglob("*") if path.is_file() and ".cache" not in path.parts]
    return {path.relative_to(project.notes).as_posix(): path.read_bytes() for path in files}

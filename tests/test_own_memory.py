"""The project's own memory and README: checked like anybody's, and true of the code."""

import os
import re
import time
from pathlib import Path

import pytest

from gitmem.faces.commands import COMMANDS
from gitmem.notes.note import Entry
from gitmem.notes.touch import unhashed
from gitmem.operations.memory import Memory, open_memory, ready
from gitmem.operations.upkeep import check

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def memory() -> Memory:
    return open_memory(str(ROOT), environment=os.environ, now=int(time.time()))


@pytest.fixture(scope="module")
def entries(memory: Memory) -> list[Entry]:
    return ready(memory).view.everything()


def test_check_finds_nothing(memory: Memory) -> None:
    found = check(memory)

    assert found["problems"] == []
    assert found["checked"] >= 25


def test_the_notes_are_linked(entries: list[Entry]) -> None:
    linked = {entry.path for entry in entries if entry.note.links}

    assert len(linked) >= len(entries) / 2


def test_what_the_notes_touch_is_there(entries: list[Entry]) -> None:
    touched = {unhashed(touch) for entry in entries for touch in entry.note.touches}

    missing = [touch for touch in touched if not _stands(touch)]

    assert not missing


def _stands(touch: str) -> bool:
    """Returns whether a path, and the last part of a symbol in it, are in the tree."""
    path, _, symbol = touch.partition("::")
    file = ROOT / path
    return file.exists() and (not symbol or symbol.split(".")[-1] in file.read_text(encoding="utf-8"))


def test_the_readme_names_only_commands_that_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")

    named = set(re.findall(r"(?:^\$ |`|/)gitmem ([a-z][a-z-]+)", text, re.MULTILINE))

    assert named
    assert named <= {command.name for command in COMMANDS}

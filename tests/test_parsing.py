"""Parsing: a text that ends a parser, or that it never comes to the end of, takes no command along."""

import os
import signal
import subprocess
import sys
import time

import pytest
from conftest import Project
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.knowledge import anchors
from gitmem.knowledge.definitions import GRAMMARS, grammar_of
from gitmem.operations.anchors import graded
from gitmem.operations.memory import Memory, ready
from gitmem.search import findings, parsing
from gitmem.search.parsing import Parser

ENDLESS = '(F&{*/<!--/[[)x"0f"f'  # for the parser of TSX
SAMPLES = {
    "a.py": "class A:\n    def f(self):\n        return 1\n",
    "a.tsx": "export const f = () => <p>hi</p>\n",
    "a.sh": "f() {\n  :\n}\n",
    "a.go": "",
}


@pytest.fixture
def parser() -> Parser:
    """A parser with a process of its own."""
    return Parser()


@pytest.mark.parametrize("path", SAMPLES)
def test_a_process_of_its_own_finds_the_same(parser: Parser, path: str) -> None:
    grammar = grammar_of(path)
    assert grammar

    assert parser.definitions(SAMPLES[path], grammar) == anchors.definitions(SAMPLES[path], grammar)
    parser.end()


@settings(max_examples=25, deadline=None)
@given(st.text())
def test_no_text_ends_a_command(source: str) -> None:
    for grammar in GRAMMARS:
        parsing.parser().definitions(source, grammar)


def test_a_text_without_end_is_given_up_and_the_next_one_is_parsed(parser: Parser) -> None:
    tsx, python = grammar_of("a.tsx"), grammar_of("a.py")
    assert tsx and python
    began = time.monotonic()

    assert parser.definitions(ENDLESS, tsx, limit=0.3) is None
    assert parser.definitions(SAMPLES["a.py"], python) == anchors.definitions(SAMPLES["a.py"], python)
    assert time.monotonic() - began < 5
    parser.end()


def test_a_process_that_was_killed_is_followed_by_another(parser: Parser) -> None:
    python = grammar_of("a.py")
    assert python and parser.definitions("x = 1\n", python)
    assert parser._process
    os.kill(parser._process.process, signal.SIGKILL)

    assert [each.name for each in parser.definitions("x = 1\n", python) or ()] == ["x"]
    parser.end()


def test_without_a_python_to_start_texts_are_parsed_here(parser: Parser, monkeypatch: pytest.MonkeyPatch) -> None:
    python = grammar_of("a.py")
    assert python
    monkeypatch.setattr(sys, "executable", "/nowhere/python")

    assert [each.name for each in parser.definitions("x = 1\n", python) or ()] == ["x"]


def test_no_process_outlives_its_command() -> None:
    code = (
        "from gitmem.search.parsing import parser; from gitmem.knowledge.definitions import GRAMMARS;"
        "parser().definitions('x = 1', GRAMMARS[0]); print(parser()._process.process)"
    )
    pid = int(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)

    for _ in range(100):
        if not _lives(pid):
            return
        time.sleep(0.05)
    raise AssertionError("the process still lives")


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        return file.read().rpartition(")")[2].split()[0] != "Z"


def test_a_note_on_a_file_without_end_says_that_it_cannot_be_told_and_asks_once(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project.root / "a.tsx").write_text(ENDLESS)
    project.note("view", "The view is drawn once.", touches="[a.tsx::View@0123456]")
    monkeypatch.setattr(parsing, "parser", lambda: _Impatient())

    def state(memory: Memory) -> str:
        (entry,) = ready(memory).view.everything()
        return str(graded(memory, [entry])[entry.path][0]["state"])

    assert state(project.open()) == "unanchored"
    monkeypatch.setattr(findings, "_parsed", None)  # whoever asks again fails
    assert state(project.open(10)) == "unanchored"


class _Impatient(Parser):
    def definitions(self, text: str, grammar: object, *, limit: float = 0.3) -> list[anchors.Definition] | None:
        return super().definitions(text, grammar, limit=limit)  # type: ignore[arg-type]

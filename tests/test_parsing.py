"""Parsing: a text that ends a parser, or that it never comes to the end of, takes no command along."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from conftest import Project
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from projects import kept

from gitmem.knowledge import anchors
from gitmem.knowledge.definitions import GRAMMARS, grammar_of
from gitmem.operations import touches
from gitmem.operations.anchors import drift, graded
from gitmem.operations.draft import Draft
from gitmem.operations.memory import Memory, ready
from gitmem.operations.write import revise
from gitmem.search import parsing
from gitmem.search.findings import Findings
from gitmem.search.parsing import Parser

ENDLESS = '(F&{*/<!--/[[)x"0f"f'  # for the parser of TSX
SAMPLES = {
    "a.py": "class A:\n    def f(self):\n        return 1\n",
    "a.tsx": "export const f = () => <p>hi</p>\n",
    "a.sh": "f() {\n  :\n}\n",
    "a.go": "",
}


@pytest.fixture
def parser() -> Iterator[Parser]:
    """A parser with a process of its own."""
    made = Parser()
    yield made
    made.end()


@pytest.mark.parametrize("path", SAMPLES)
def test_a_process_of_its_own_finds_the_same(parser: Parser, path: str) -> None:
    grammar = grammar_of(path)
    assert grammar

    assert parser.definitions(SAMPLES[path], grammar) == anchors.definitions(SAMPLES[path], grammar)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(source=st.text(st.characters(max_codepoint=0x10FFFF, exclude_categories=["Cs"]), max_size=8))
def test_no_short_text_breaks_a_parser(parser: Parser, source: str) -> None:
    for grammar in GRAMMARS:
        assert parser.definitions(source, grammar) == anchors.definitions(source, grammar)


def test_a_text_without_end_is_given_up_and_the_next_one_is_parsed(parser: Parser) -> None:
    tsx, python = grammar_of("a.tsx"), grammar_of("a.py")
    assert tsx and python
    began = time.monotonic()

    assert parser.definitions(ENDLESS, tsx) is None
    assert parser.definitions(SAMPLES["a.py"], python) == anchors.definitions(SAMPLES["a.py"], python)
    assert time.monotonic() - began < 5


def test_a_process_that_was_killed_is_followed_by_another(parser: Parser) -> None:
    python = grammar_of("a.py")
    assert python and parser.definitions("x = 1\n", python)
    assert parser._process
    os.kill(parser._process.process, signal.SIGKILL)

    assert [each.name for each in parser.definitions("x = 1\n", python) or ()] == ["x"]


def test_without_a_python_to_start_texts_are_parsed_here(parser: Parser, monkeypatch: pytest.MonkeyPatch) -> None:
    python = grammar_of("a.py")
    assert python
    monkeypatch.setattr(sys, "executable", "/nowhere/python")

    assert [each.name for each in parser.definitions("x = 1\n", python) or ()] == ["x"]


@pytest.mark.parametrize(("code", "answers"), [(11, None), (1, ["x"])])
def test_a_text_that_ends_every_process_is_beyond_and_a_fault_of_ours_is_not(
    parser: Parser, monkeypatch: pytest.MonkeyPatch, code: int, answers: list[str] | None
) -> None:
    python = grammar_of("a.py")
    assert python
    end = "sys.exit(1)" if code == 1 else f"os.kill(os.getpid(), {code})"
    monkeypatch.setattr(parsing, "_SERVE", f"import os, sys; print('ready', flush=True); input(); {end}")

    found = parser.definitions("x = 1\n", python)

    assert (found and [each.name for each in found]) == answers


def test_what_others_end_says_nothing_of_a_text(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    (project.root / "a.py").write_text("def f():\n    return 1\n")
    kept(project, "f returns one", touches=("a.py::f",))
    (project.root / "a.py").write_text("def f():\n    return 2\n")
    with monkeypatch.context() as killed:
        killed.setattr(parsing, "_SERVE", "import os; print('ready', flush=True); input(); os.kill(os.getpid(), 9)")
        assert states(project.open()) == ["unanchored"]

    assert states(project.open(10)) == ["changed"]


@pytest.mark.parametrize("serve", ["pass", "print('no')", "import time; time.sleep(60)"])
def test_a_process_that_is_never_ready_is_not_waited_for(
    parser: Parser, monkeypatch: pytest.MonkeyPatch, serve: str
) -> None:
    python = grammar_of("a.py")
    assert python
    monkeypatch.setattr(parsing, "_SERVE", serve)
    monkeypatch.setattr(parsing, "START", 0.5)

    assert [each.name for each in parser.definitions("x = 1\n", python) or ()] == ["x"]


def test_the_limit_holds_whatever_the_caller_does_with_its_signal(parser: Parser) -> None:
    tsx = grammar_of("a.tsx")
    assert tsx
    before = signal.signal(signal.SIGPROF, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGPROF])
    try:
        assert parser.definitions(ENDLESS, tsx) is None
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGPROF])
        signal.signal(signal.SIGPROF, before)


def test_a_process_ends_with_its_parser() -> None:
    python, parser = grammar_of("a.py"), Parser()
    assert python and parser.definitions("x = 1\n", python) and parser._process
    pid = parser._process.process

    del parser

    with pytest.raises(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


def test_a_note_on_a_file_without_end_says_that_it_cannot_be_told_and_asks_once(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project.root / "a.tsx").write_text(ENDLESS)
    project.note("view", "The view is drawn once.", touches="[a.tsx::View@0123456]")

    assert set(states(project.open())) == {"unanchored"}
    monkeypatch.setattr(parsing, "Parser", None)  # whoever asks again fails
    assert set(states(project.open(10))) == {"unanchored"}
    assert touches.resolved(project.open(10), ["a.tsx::View"]).unresolved == ("a.tsx::View",)
    revise(project.open(10), "view", Draft(touches=("a.tsx::View",)))


def test_files_without_end_take_a_command_no_longer_than_a_few_seconds_and_are_told_from_then_on(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parsing, "LEAST", 0.2)
    monkeypatch.setattr(parsing, "BUDGET", 0.1)
    paths = [f"{letter}.tsx" for letter in "abcd"]
    for number, path in enumerate(paths):
        (project.root / path).write_text(f"{ENDLESS}{number}")
        project.note(path[0], f"The view {path} is drawn once.", touches=f"[{path}::View@0123456]")
    asked = list[str]()
    definitions = Parser.definitions
    monkeypatch.setattr(Parser, "definitions", lambda *words: asked.append(words[1]) or definitions(*words))

    for command, known in enumerate((1, 2, 3, 4, 4)):
        assert states(project.open(10 * command)) == ["unanchored"] * 4 and len(asked) == known
    (project.root / "a.tsx").write_text("export const View = () => 1\n")
    assert sorted(states(project.open(90))) == ["changed", "unanchored", "unanchored", "unanchored"]


def test_what_was_given_up_is_known_though_the_command_was_broken_off(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parsing, "LEAST", 0.2)
    (project.root / "a.tsx").write_text(ENDLESS)
    project.note("view", "The view is drawn once.", touches="[a.tsx::View@0123456]")
    with monkeypatch.context() as broken:
        broken.setattr(Findings, "symbol", _interrupted(Findings.symbol))
        with pytest.raises(KeyboardInterrupt):
            states(project.open())

    monkeypatch.setattr(parsing, "Parser", None)
    assert states(project.open(10)) == ["unanchored"]


def _interrupted(work: Callable[..., Any]) -> Callable[..., Any]:
    def interrupted(*words: Any) -> Any:
        work(*words)
        raise KeyboardInterrupt

    return interrupted


def states(memory: Memory) -> list[str]:
    """Returns the state of the first touch of each note, by path."""
    found = graded(memory, ready(memory).view.everything())
    return [str(each[0]["state"]) for each in found.values()]


def test_drift_names_what_it_could_not_look_at(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "LEAST", 0.2)
    (project.root / "a.tsx").write_text(ENDLESS)
    project.note("view", "The view is drawn once.", touches="[a.tsx::View@0123456, b.zig::main]")

    reply = drift(project.open())

    assert reply["drifted"] == []
    assert [(each["code"], each["name"]) for each in reply["warnings"]] == [("untold", "view")]

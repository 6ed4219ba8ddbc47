"""Bad input: every word, value and name that a verb refuses, with its code, and nothing written."""

import contextlib
import os
from functools import partial
from typing import Any

import pytest
from conftest import Project, run, told
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from projects import SECRET, bytes_of, kept, refusal

from gitmem.errors import GitmemError
from gitmem.operations import links, read
from gitmem.operations.read import show
from gitmem.operations.write import Draft, revise

VALUES: list[tuple[dict[str, Any], str, int]] = [
    ({"type": "descision"}, "unknown-type", 3),
    ({"type": ""}, "unknown-type", 3),
    ({"domain": "nowhere"}, "unknown-domain", 3),
    ({"status": "open"}, "unknown-status", 3),
    ({"status": "done"}, "unknown-status", 3),
    ({"durability": "forever"}, "unknown-durability", 3),
    ({"title": "x" * 201}, "long-title", 3),
    ({"title": "two\nlines"}, "bad-title", 3),
    ({"title": "bell\x07"}, "bad-title", 3),
    ({"summary": "x" * 301}, "long-summary", 3),
    ({"body": "x" * 16_385}, "long-body", 3),
    ({"body": "é" * 8_193}, "long-body", 3),
    ({"body": "a\0b"}, "nul", 3),
    ({"tags": ("a\0b",)}, "nul", 3),
    ({"body": "half \ud800"}, "invalid-utf8", 3),
    ({"body": "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs"}, "conflict-markers", 3),
    ({"confidence": 1.5}, "bad-value", 3),
    ({"confidence": float("nan")}, "bad-value", 3),
    ({"created": "yesterday"}, "bad-date", 3),
    ({"created": "2026-02-30"}, "bad-date", 3),
    ({"links": ("because",)}, "bad-link", 2),
    ({"links": ("because=",)}, "bad-link", 2),
    ({"links": ("becuase=one",)}, "unknown-verb", 3),
    ({"links": ("because=nobody",)}, "unknown-name", 3),
    ({"links": ("because=../one",)}, "path-escapes", 3),
    ({"links": ("about=other",)}, "wrong-target", 3),
]


@pytest.mark.parametrize(("draft", "code", "status"), VALUES)
def test_a_value_that_cannot_be_is_refused(project: Project, draft: dict[str, Any], code: str, status: int) -> None:
    project.note("one")
    project.note("other")
    before = bytes_of(project)
    whole = {"title": "Two", "type": "decision"} | draft

    remembering = refusal(lambda: kept(project, **whole))
    revising = refusal(lambda: revise(project.open(), "one", Draft(**draft)))

    assert (remembering.code, remembering.status) == (code, status)
    assert (revising.code, revising.status) == (code, status)
    assert bytes_of(project) == before


@pytest.mark.parametrize(
    "draft",
    [
        {"title": "x" * 200},
        {"summary": "x" * 300},
        {"body": "é" * 8_192},
        {"confidence": 0.0},
        {"confidence": 1.0},
        {"created": "2024-02-29T23:59:60Z"[:10]},
        {"tags": ("a:b", "#c", "[d]", "-e", "合約")},
        {"summary": "no"},
        {"session": "0123456"},
        {"body": "---\ntitle: not a field\n---"},
        {"title": "Split: core # 'x' \"y\""},
    ],
)
def test_case_1_8_values_at_the_edge_are_written_as_they_are(project: Project, draft: dict[str, Any]) -> None:
    name = kept(project, **({"title": "Two"} | draft))["name"]

    shown = show(project.open(), name)

    assert shown["problems"] == []
    for field, value in draft.items():
        said = shown["body"] if field == "body" else shown["fields"][field]
        assert said in (value, str(value), list(value) if isinstance(value, tuple) else said[:10] + "T00:00:00Z"), field


SECRETS: list[dict[str, Any]] = [
    {"title": f"Key {SECRET}"},
    {"summary": SECRET},
    {"body": f"one\ntwo {SECRET}"},
    {"tags": ("a", SECRET)},
    {"aliases": (SECRET,)},
    {"touches": (f"src/{SECRET}",)},
    {"session": SECRET},
    {"links": (f"because={SECRET}",)},
    {"add_tags": (SECRET,)},
    {"domain": SECRET},
    {"name": SECRET},
]


@pytest.mark.parametrize("draft", SECRETS)
def test_case_96_a_secret_in_any_field_is_refused_and_not_repeated(project: Project, draft: dict[str, Any]) -> None:
    error = refusal(lambda: kept(project, **({"title": "Two"} | draft)))

    assert error.code == "secret"
    assert SECRET not in error.message + (error.hint or "")
    assert next(iter(draft)) in error.message
    assert bytes_of(project) == {}


def test_case_96_a_secret_is_named_by_its_line(project: Project) -> None:
    error = refusal(lambda: kept(project, "Two", body=f"one\ntwo\nthree {SECRET}"))

    assert error.message.startswith("Line 3 of the body")


def test_case_96_a_line_can_be_allowed(project: Project) -> None:
    assert kept(project, "Two", body=f"{SECRET} gitmem: allow-secret")["created"]


ESCAPES = (
    "/etc/passwd", "../up", "a/../../up", "..", ".", "C:\\x", "a\\..\\x", "%2e%2e%2fx", "nul\0byte", "", "   ", ".hidden",
    ".cache/x", ".git/config", "../.memory/decision/one.md", "decision/../../code.md", "con", "README", "README.md",
    "decision/link.md", "linked/x.md", "x" * 300, "\udcff", "decision/",
)  # fmt: skip


@pytest.mark.parametrize("word", ESCAPES)
def test_case_21_no_name_leads_out_of_the_folder(project: Project, word: str) -> None:
    project.note("one")
    outside = project.root / "outside"
    outside.mkdir()
    (outside / "x.md").write_text("# Outside\n")
    (project.root / "code.md").write_text("# Code\n")
    (project.notes / "README.md").write_text("# Read me\n")
    os.symlink(outside / "x.md", project.notes / "decision/link.md")
    os.symlink(outside, project.notes / "linked")
    before = bytes_of(project)

    calls = [
        partial(show, project.open(), word),
        partial(read.show_raw, project.open(), word),
        partial(revise, project.open(), word, Draft(body="New.")),
        partial(links.link, project.open(), "one", "because", word),
        partial(links.rename, project.open(), word, "other"),
        partial(links.rename, project.open(), "one", word),
        partial(kept, project, "Two", name=word or "-"),
    ]
    codes = {refusal(call).code for call in calls}

    assert codes <= {"bad-name", "nul", "path-escapes", "unknown-name", "symbolic-link"}
    assert bytes_of(project) == before
    assert (outside / "x.md").read_text() == "# Outside\n"


def test_a_missing_title_or_type_is_a_wrong_usage(project: Project) -> None:
    from gitmem.operations.write import Author, remember

    error = refusal(lambda: remember(project.open(), Draft(title="One"), Author("agent", None)))

    assert (error.code, error.status) == ("missing-value", 2)


words = st.text(max_size=12) | st.sampled_from(ESCAPES) | st.sampled_from(["one", "ONE", "decision/one", "uno"])


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(source=words, verb=words | st.just("because"), target=words)
def test_any_words_are_answered_or_refused(project: Project, source: str, verb: str, target: str) -> None:
    project.note("one", aliases="[uno]")

    for call in (partial(links.link, project.open(), source, verb, target), partial(show, project.open(), source)):
        with contextlib.suppress(GitmemError):
            call()

    assert {path.split("/")[0] for path in bytes_of(project)} == {"decision"}


def test_case_9_a_refusal_is_one_json_document_and_a_status(project: Project) -> None:
    project.note("one")
    refused = run(project.root, "show", "oen", "--json")
    usage = run(project.root, "show", "--json", "--nonsense")

    assert (refused.returncode, refused.stderr) == (3, "")
    assert told(refused) == {
        "error": {"code": "unknown-name", "message": "No note is named 'oen'.", "hint": "Did you mean one?"}
    }
    assert usage.returncode == 2
    assert "Traceback" not in usage.stdout + usage.stderr


def test_case_89_a_closed_pipe_is_no_traceback(project: Project) -> None:
    for number in range(40):
        project.note(f"note-{number}", tags="[x]")

    done = run(project.root, "list", "--json")
    piped = os.popen(f"cd {project.root} && {_gitmem()} list 2>&1 | head -1").read()

    assert done.returncode == 0
    assert "Traceback" not in piped


def _gitmem() -> str:
    import sys

    from conftest import SOURCE

    return f"PYTHONPATH={SOURCE} {sys.executable} -m gitmem"

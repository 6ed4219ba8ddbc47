"""Reading: one note, the list, lines of text, walks, timelines, tags."""

import os
from pathlib import Path
from typing import Any

import pytest
from conftest import Project
from projects import UNREADABLE, bytes_of, kept, refusal

from gitmem.operations import read
from gitmem.operations.links import link
from gitmem.operations.read import show
from gitmem.operations.words import vocabulary_add
from gitmem.search.query import Wanted
from gitmem.storage.disk import digest


def listed(project: Project, **wanted: Any) -> list[str]:
    return [note["name"] for note in read.list_notes(project.open(), Wanted(**wanted))["notes"]]


def found(project: Project, text: str, *, regex: bool = False) -> list[tuple[str, int, str]]:
    result = read.search(project.open(), text, regex=regex)
    assert result["total"] == len(result["matches"])
    return [(match["path"], match["line"], match["text"]) for match in result["matches"]]


# show


PLAIN = {"marks": [], "now": None}


def test_show_tells_all_of_a_note(project: Project) -> None:
    project.note("other", aliases="[second]", needs="[{to: plain-files, note: why, weight: 0.5}]")
    path = project.note(
        "plain-files", "They merge. See [[second]] and [[nobody]].", tags="[git]", because="[second, gone]", x="1.10",
        touches="[src/a.py::f@1234567]",
    )  # fmt: skip

    shown = show(project.open(), "plain-files")

    assert shown == {
        "name": "plain-files",
        "path": ".memory/decision/plain-files.md",
        "type": "decision",
        "title": "Plain files",
        "summary": "They merge.",
        "body": "They merge. See [[second]] and [[nobody]].",
        "fields": {
            "title": "Plain files",
            "type": "decision",
            "created": "2026-05-01T00:00:00Z",
            "tags": ["git"],
            "because": ["second", "gone"],
            "x": "1.10",
            "touches": ["src/a.py::f@1234567"],
        },
        "links_out": [
            {"verb": "because", "name": "second", "title": "Other", **PLAIN, "note": None, "weight": 1.0},
            {"verb": "because", "name": "gone", "title": None, **PLAIN, "note": None, "weight": 1.0},
        ],
        "links_in": [{"verb": "needs", "name": "other", "title": "Other", **PLAIN, "note": "why", "weight": 0.5}],
        "mentions": [{"name": "second", "title": "Other", **PLAIN}, {"name": "nobody", "title": None, **PLAIN}],
        "now": None,
        "trust": 0.5,
        "standing": "drifted",
        "marks": ["drifted", "unreviewed", "written"],
        "touches": [{"ref": "src/a.py::f", "state": "gone"}],
        "digest": digest(path.read_bytes()),
        "problems": [],
    }


def test_an_alias_that_is_another_notes_name_brings_no_links(project: Project) -> None:
    project.note("one", aliases="[two]")
    project.note("two")
    project.note("three", because="[two]")

    assert show(project.open(), "one")["links_in"] == []
    assert [each["name"] for each in show(project.open(), "two")["links_in"]] == ["three"]


def test_case_2_an_unparsable_note_is_shown_with_its_problem(project: Project) -> None:
    project.write("decision/broken.md", UNREADABLE.decode())

    shown = show(project.open(), "broken")

    assert (shown["title"], shown["type"], shown["fields"]) == ("broken", "decision", {})
    assert "never closed" in shown["body"]
    assert [(each["path"], each["line"], each["code"]) for each in shown["problems"]] == [
        (".memory/decision/broken.md", 2, "unparsable")
    ]


def test_show_raw_gives_the_bytes(project: Project) -> None:
    project.write("decision/broken.md", UNREADABLE.decode())

    assert read.show_raw(project.open(), "broken") == UNREADABLE


@pytest.mark.parametrize(
    "word",
    ["plain-files", "PLAIN-Files", "adr-1", "decision/plain-files", "decision/plain-files.md", ".memory/decision/plain-files.md",
     "./.memory/decision/plain-files.md"],
)  # fmt: skip
def test_a_note_is_found_by_name_alias_and_path(project: Project, word: str) -> None:
    project.note("plain-files", aliases="[ADR-1]")

    assert show(project.open(), word)["name"] == "plain-files"


def test_a_note_is_found_by_its_absolute_path(project: Project) -> None:
    path = project.note("plain-files")

    assert show(project.open(), str(path))["name"] == "plain-files"


def test_a_name_is_equal_in_every_unicode_form(project: Project) -> None:
    project.write("decision/cafe\u0301.md", "# Café\n")

    assert show(project.open(), "CAFÉ")["title"] == "Café"


def test_case_70_a_path_of_another_memory_is_refused(project: Project) -> None:
    inner = Project(project.root / "pkg/a")
    inner.note("same", "Inner.")
    path = project.note("same", "Outer.")

    errors = [
        refusal(lambda: show(project.open(), "pkg/a/.memory/decision/same.md")),
        refusal(lambda: show(inner.open(), str(path))),
    ]

    assert [error.code for error in errors] == ["path-escapes"] * 2
    assert show(inner.open(), "pkg/a/.memory/decision/same.md")["body"] == "Inner."
    assert show(inner.open(), ".memory/decision/same.md")["path"] == "pkg/a/.memory/decision/same.md"


# sensitive notes


def test_a_sensitive_note_keeps_its_text_to_itself(project: Project) -> None:
    project.note("quiet", "The hidden word is [[marmalade]].", sensitive="true", tags="[marmalade-tag]")
    project.note("plain", "Nothing.")

    shown = show(project.open(), "quiet")

    assert (shown["body"], shown["summary"], shown["mentions"]) == (None, None, [])
    assert "hidden" not in str(shown)
    assert show(project.open(), "quiet", body=True)["body"] == "The hidden word is [[marmalade]]."
    assert [note["summary"] for note in read.list_notes(project.open(), Wanted())["notes"]] == ["Nothing.", None]
    assert found(project, "hidden") == []
    assert [line for _, line, _ in found(project, "marmalade")] == [6]


def test_a_sensitive_note_that_cannot_be_parsed_is_not_searched_at_all(project: Project) -> None:
    project.write("decision/quiet.md", "---\ntitle: [open\nsensitive: true\n---\n\nThe hidden word.\n")

    assert found(project, "hidden") == []
    assert show(project.open(), "quiet")["body"] is None


def test_a_sensitive_note_shows_its_file_only_with_its_body(project: Project) -> None:
    path = project.note("quiet", "The hidden word.", sensitive="true")

    error = refusal(lambda: read.show_raw(project.open(), "quiet"))

    assert error.code == "sensitive"
    assert "--raw --body" in (error.hint or "")
    assert read.show_raw(project.open(), "quiet", body=True) == path.read_bytes()


def test_the_heading_of_a_sensitive_note_is_part_of_its_body(project: Project) -> None:
    project.write("decision/quiet.md", "---\nsensitive: true\n---\n\n# The hidden heading\n")

    told = str([read.list_notes(project.open(), Wanted()), show(project.open(), "quiet")])

    assert read.list_notes(project.open(), Wanted())["notes"][0]["title"] == "quiet"
    assert "hidden" not in told


# search


def test_search_finds_lines_in_any_case_by_real_line_numbers(project: Project) -> None:
    project.write("decision/one.md", "").write_bytes(
        b"---\r\ntitle: One\r\n---\r\n\r\na\x0cb\xe2\x80\xa8c NEEDLE\r\nneedle two\r\n"
    )

    assert [(line, text[-6:]) for _, line, text in found(project, "needle")] == [(5, "NEEDLE"), (6, "le two")]


def test_search_takes_text_as_text_and_expressions_on_request(project: Project) -> None:
    project.note("one", "a.c (x\nabc")

    assert [line for _, line, _ in found(project, "a.c")] == [7]
    assert [line for _, line, _ in found(project, "a.c", regex=True)] == [7, 8]
    assert [line for _, line, _ in found(project, "(x")] == [7]


@pytest.mark.parametrize("text", ["(x", "a{9999999999999}", "*"])
def test_a_bad_expression_is_refused(project: Project, text: str) -> None:
    error = refusal(lambda: read.search(project.open(), text, regex=True))

    assert (error.code, error.status) == ("bad-regex", 2)


def test_search_shows_long_lines_in_part(project: Project) -> None:
    project.note("one", "x" * 5_000)

    assert len(found(project, "xxx")[0][2]) == read.LINE_WIDTH


# list


def test_list_is_newest_first_then_by_name(project: Project) -> None:
    for name, created in (("b", "2026-01-01"), ("a", "2026-01-01"), ("c", "2026-02-01")):
        project.note(name, created=created)
    project.write("decision/undated.md", "# Undated\n")

    result = read.list_notes(project.open(), Wanted(), limit=2)

    assert listed(project) == ["c", "a", "b", "undated"]
    assert (result["total"], [note["name"] for note in result["notes"]]) == (4, ["c", "a"])
    assert result["notes"][0] == {
        "name": "c",
        "path": ".memory/decision/c.md",
        "type": "decision",
        "title": "C",
        "summary": "Nothing to add.",
        "tags": [],
        "created": "2026-02-01T00:00:00Z",
        "trust": 0.5,
        "standing": "unreviewed",
        "marks": ["unreviewed", "written"],
        "status": None,
    }


def test_list_shows_every_status_and_filters_by_what_holds(project: Project) -> None:
    project.note("linked")
    project.note("stamped", status="superseded")
    project.note("newer", replaces="[linked]")
    project.note("stored", status="archived")
    project.note("bug", type="problem")

    assert listed(project, statuses=("superseded",)) == ["linked", "stamped"]
    assert listed(project, statuses=("archived",)) == ["stored"]
    assert listed(project, statuses=("open",)) == ["bug"]
    assert len(listed(project)) == 5


def test_list_filters_by_every_field(project: Project) -> None:
    project.note("a", tags="[git, x]", domain="core", source="agent", agent="codex", touches="[src/a.py::f]", x="1")
    project.note("b", tags="[git]", created="2026-06-01")
    vocabulary_add(project.open(), "domain", ("core",))

    assert listed(project, tags=("git",)) == ["b", "a"]
    assert listed(project, tags=("x",)) == ["a"]
    assert listed(project, types=("caution",)) == []
    assert listed(project, domains=("core",)) == ["a"]
    assert listed(project, sources=("agent",), agents=("codex",)) == ["a"]
    assert listed(project, touches=("src/",)) == ["a"]
    assert listed(project, where=("x=1",)) == ["a"]
    assert listed(project, since="2026-06-01T00:00:00Z") == ["b"]
    assert listed(project, until="2026-06-01T00:00:00Z") == ["a"]


def test_two_files_of_one_name_are_both_listed(project: Project) -> None:
    project.note("same")
    project.note("Same", type="caution")

    paths = [note["path"] for note in read.list_notes(project.open(), Wanted())["notes"]]

    assert sorted(paths) == [".memory/caution/Same.md", ".memory/decision/same.md"]


def test_case_51_an_empty_memory_answers(project: Project) -> None:
    memory = project.open()

    assert read.list_notes(memory, Wanted()) == {"total": 0, "notes": []}
    assert read.search(memory, "x") == {"total": 0, "matches": []}
    assert read.tags(memory) == {"tags": []}
    assert read.complete(str(project.root), "") == []


# walk and timeline


def test_walk_tells_notes_and_edges(project: Project) -> None:
    project.note("a", because="[{to: bee, note: why, weight: 0.4}]")
    project.note("b", aliases="[bee]", replaces="[c]")
    project.note("c")
    project.note("far", because="[c]")

    result = read.walk(project.open(), "a")

    assert result == {
        "root": "a",
        "notes": [
            {"name": "a", "type": "decision", "title": "A", "depth": 0, **PLAIN},
            {"name": "b", "type": "decision", "title": "B", "depth": 1, **PLAIN},
            {"name": "c", "type": "decision", "title": "C", "depth": 2, "marks": ["superseded"], "now": "b"},
        ],
        "edges": [
            {"from": "a", "verb": "because", "to": "b", "weight": 0.4, "note": "why"},
            {"from": "b", "verb": "replaces", "to": "c", "weight": 1.0, "note": None},
        ],
    }
    assert [note["name"] for note in read.walk(project.open(), "bee", depth=3)["notes"]] == ["b", "c", "a", "far"]
    assert [note["name"] for note in read.walk(project.open(), "a", verbs=("Replaces",))["notes"]] == ["a"]
    assert [note["name"] for note in read.walk(project.open(), "a", min_weight=0.5)["notes"]] == ["a"]
    assert [note["name"] for note in read.walk(project.open(), "c", direction="in")["notes"]] == ["c", "b", "far", "a"]


def test_a_walk_reads_names_as_all_notes_do(project: Project) -> None:
    project.note("a", because="[b, c]")
    project.note("b", aliases="[x]")
    project.note("c", because="[x]")
    project.note("x")

    edges = read.walk(project.open(), "a", depth=1)["edges"]

    assert [(edge["from"], edge["to"]) for edge in edges] == [("a", "b"), ("a", "c")]


def test_walk_refuses_an_unknown_verb(project: Project) -> None:
    project.note("a")

    assert refusal(lambda: read.walk(project.open(), "a", verbs=("becuase",))).hint == "Did you mean because?"


def test_timeline_tells_the_chain_and_its_head(project: Project) -> None:
    project.note("one", created="2026-01-01")
    project.note("two", created="2026-02-01", replaces="[{to: one, note: too slow}]")
    project.note("three", created="2026-03-01", replaces="[zwei]")
    project.note("two", created="2026-02-01", replaces="[{to: one, note: too slow}]", aliases="[zwei]")
    project.note("aside", because="[two]")

    chain = {name: read.timeline(project.open(), name) for name in ("one", "two", "three", "aside")}

    assert chain["one"] == chain["two"] == chain["three"]
    assert chain["two"] == {
        "head": "three",
        "notes": [
            {
                "name": "one",
                "title": "One",
                "created": "2026-01-01T00:00:00Z",
                "replaced_by": "two",
                "note": "too slow",
                "marks": ["superseded"],
            },
            {"name": "two", "title": "Two", "created": "2026-02-01T00:00:00Z", "replaced_by": "three", "note": None}
            | {"marks": ["superseded"]},
            {"name": "three", "title": "Three", "created": "2026-03-01T00:00:00Z", "replaced_by": None, "note": None}
            | {"marks": []},
        ],
    }
    assert [note["name"] for note in chain["aside"]["notes"]] == ["aside"]


def test_tags_are_counted(project: Project) -> None:
    project.note("a", tags="[git, x]")
    project.note("b", tags="[Git, a]")

    assert read.tags(project.open()) == {
        "tags": [{"tag": "git", "count": 2}, {"tag": "a", "count": 1}, {"tag": "x", "count": 1}]
    }


def test_completion_offers_names_with_titles(project: Project, tmp_path: Path) -> None:
    project.note("plain-files")
    project.note("other")

    assert read.complete(str(project.root), "PL") == [("plain-files", "Plain files")]
    assert read.complete(str(tmp_path), "") == []


# what reading leaves behind


def test_reading_changes_no_file(project: Project) -> None:
    project.note("a", because="[b]", tags="[Upper Case]")
    project.write("decision/broken.md", UNREADABLE.decode())
    before = bytes_of(project)

    show(project.open(), "a")
    listed(project)
    found(project, "x")
    read.walk(project.open(), "a")
    read.timeline(project.open(), "a")

    assert bytes_of(project) == before
    assert os.listdir(project.root) == sorted([".git", ".memory"]) or set(os.listdir(project.root)) == {
        ".git",
        ".memory",
    }


def test_uncommitted_edits_are_read_at_once(project: Project) -> None:
    kept(project, "One", body="First.")
    kept(project, "Two")
    link(project.open(), "two", "because", "one")
    project.note("one", "Second.", title="Changed")

    shown = show(project.open(), "two")

    assert shown["links_out"][0]["title"] == "Changed"
    assert show(project.open(), "one")["body"] == "Second."

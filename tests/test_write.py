"""Writing: a note remembered, revised, edited, each by one small change to one file."""

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from conftest import Project, new_project
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from projects import AGENT, UNREADABLE, bytes_of, kept, refusal, status_of, stopped, text

from gitmem.operations.read import show
from gitmem.operations.write import Author, Draft, edit_save, edit_start, remember, remember_batch, revise
from gitmem.storage.disk import digest

REPLY = {
    "name": "plain-files",
    "path": ".memory/decision/plain-files.md",
    "type": "decision",
    "created": True,
    "duplicates": [],
    "suspects": [],
    "warnings": [],
    "related": [],
    "unresolved": [],
    "deferred": False,
}


def test_remember_replies_in_the_documented_shape(project: Project) -> None:
    reply = kept(project, "Plain files", body="They merge.")

    assert reply == REPLY | {"digest": digest((project.notes / "decision/plain-files.md").read_bytes())}


def test_a_new_note_has_its_fields_in_the_usual_order(project: Project) -> None:
    kept(project, "Anchor", "anchor", name="storage")

    kept(
        project,
        "Plain Files",
        "Decision",
        body="They merge.",
        summary="Files.",
        tags=("Git", "two words", "git"),
        aliases=("ADR-1",),
        durability="episodic",
        confidence=0.5,
        created="2026-11-30",
        session="s1",
        sensitive=True,
        touches=("src/a.py",),
        links=("about=storage",),
    )

    assert text(project, "decision/plain-files.md") == (
        "---\ntitle: Plain Files\ntype: decision\nsummary: Files.\ntags: [git, two-words]\naliases: [ADR-1]\n"
        "durability: episodic\nsource: agent\nagent: claude-code\nsession: s1\nconfidence: 0.5\n"
        "created: 2026-11-30T00:00:00Z\nsensitive: true\nabout:\n  - storage\ntouches:\n  - src/a.py\n---\n\nThey merge.\n"
    )


def test_a_durability_that_is_the_types_own_is_not_written(project: Project) -> None:
    kept(project, "Plain files", durability="Stable")

    assert "durability" not in text(project, "decision/plain-files.md")


def test_worklist_notes_are_born_open(project: Project) -> None:
    kept(project, "It breaks", "problem")

    assert "status: open\n" in text(project, "problem/it-breaks.md")


def test_a_person_is_written_as_the_source(project: Project) -> None:
    remember(project.open(), Draft(title="Plain files", type="decision"), Author("user", None))

    assert "source: user\n" in text(project, "decision/plain-files.md")
    assert "agent" not in text(project, "decision/plain-files.md")


def test_dry_run_writes_nothing_and_says_the_same(project: Project) -> None:
    draft = Draft(title="Plain files", type="decision", created="2026-11-30")
    planned = remember(project.open(), draft, AGENT, dry_run=True)
    before = bytes_of(project)

    done = remember(project.open(), draft, AGENT)

    assert before == {}
    assert planned == done | {"created": False}


# Names


def test_the_same_title_again_is_returned_instead(project: Project) -> None:
    first = kept(project, "Plain files", body="One.")

    again = kept(project, "plain FILES", body="Two.")

    assert again == first | {
        "created": False,
        "duplicates": [{"name": "plain-files", "title": "Plain files", "similarity": 1.0}],
    }
    assert "One." in text(project, "decision/plain-files.md")


def test_the_same_title_under_a_name_of_its_own_is_a_duplicate_too(project: Project) -> None:
    kept(project, "Plain files")

    again = kept(project, "Plain files", name="other")

    assert again["name"] == "plain-files"
    assert not again["created"]


def test_the_same_title_again_is_found_behind_the_digits_of_its_name(project: Project) -> None:
    kept(project, "Split core")
    second = kept(project, "Split: core!")

    again = kept(project, "Split: core!")

    assert second["name"] != "split-core"
    assert (again["created"], again["name"]) == (False, second["name"])


def test_the_same_title_again_is_found_after_a_rename(project: Project) -> None:
    from gitmem.operations.links import rename

    kept(project, "Plain files")
    rename(project.open(), "plain-files", "no-database")

    again = kept(project, "Plain files")

    assert (again["created"], again["name"]) == (False, "no-database")


@pytest.mark.parametrize("status", ["superseded", "archived"])
def test_a_retired_note_is_no_duplicate(project: Project, status: str) -> None:
    kept(project, "Plain files", status=status)

    again = kept(project, "Plain files")
    third = kept(project, "Plain files")

    assert again["created"]
    assert again["name"] != "plain-files"
    assert (third["created"], third["name"]) == (False, again["name"])


def test_a_note_that_a_link_alone_supersedes_is_no_duplicate(project: Project) -> None:
    project.note("plain-files")
    project.note("database", replaces="[plain-files]")

    assert kept(project, "Plain files")["created"]


def test_another_type_of_the_same_title_is_another_note(project: Project) -> None:
    kept(project, "Plain files")

    other = kept(project, "Plain files", "caution")

    assert other["created"]
    assert other["name"].startswith("plain-files-")


def test_allowed_duplicates_get_names_of_their_own(project: Project) -> None:
    names = [kept(project, "Plain files", allow=True, created="2026-11-30")["name"] for _ in range(4)]

    assert len(set(names)) == 4


def test_case_17_titles_equal_at_the_start_are_two_notes(project: Project) -> None:
    start = "one two three four five six seven eight nine ten eleven twelve thirteen "

    names = {kept(project, start + end)["name"] for end in ("fourteen fifteen", "sixteen seventeen")}

    assert len(names) == 2


@pytest.mark.parametrize("titles", [("构建流程", "发版流程"), ("🚀", "🎯"), ("C", "C#", "C++")])
def test_case_15_16_every_title_has_a_file_of_its_own(project: Project, titles: tuple[str, ...]) -> None:
    names = [kept(project, title)["name"] for title in titles]

    assert len(set(names)) == len(titles)
    assert [show(project.open(), name)["title"] for name in names] == list(titles)


@pytest.mark.parametrize("title", ["", "   ", "\t"])
def test_case_16_a_blank_title_is_refused(project: Project, title: str) -> None:
    error = refusal(lambda: kept(project, title))

    assert error.code == "empty-title"
    assert bytes_of(project) == {}


def test_a_name_that_is_an_alias_is_taken(project: Project) -> None:
    kept(project, "No database", aliases=("plain-files",))

    asked = refusal(lambda: kept(project, "Something else", name="plain-files"))
    given_name = kept(project, "Plain files")["name"]

    assert asked.code == "name-taken"
    assert given_name.startswith("plain-files-")


def test_an_alias_that_means_another_note_is_refused(project: Project) -> None:
    kept(project, "Plain files", aliases=("ADR-1",))

    errors = [
        refusal(partial(kept, project, "Other", aliases=(alias,))) for alias in ("plain-files", "adr-1", "a/b", "..")
    ]

    assert [error.code for error in errors] == ["name-taken", "name-taken", "bad-name", "bad-name"]


# Batches


def batch(project: Project, *items: Any) -> list[dict[str, Any]]:
    lines = "\n".join(item if isinstance(item, str) else json.dumps(item, ensure_ascii=False) for item in items)
    results: list[dict[str, Any]] = remember_batch(project.open(), lines, AGENT)["results"]
    return results


def test_a_batch_is_answered_by_position_and_one_bad_item_blocks_no_other(project: Project) -> None:
    results = batch(
        project,
        {"title": "One", "type": "decision", "tag": ["a"], "alias": ["uno"], "touches": ["src/"]},
        {"title": "Two", "type": "descision"},
        "not json",
        "[1]",
        {"title": "Three", "type": "decision", "link": ["because=one"], "sensitive": True, "confidence": 1},
    )

    assert [item.get("name") for item in results] == ["one", None, None, None, "three"]
    assert [item["error"]["code"] for item in results[1:4]] == ["unknown-type", "bad-json", "bad-json"]
    assert all(set(item["error"]) == {"code", "message", "hint"} for item in results[1:4])
    assert show(project.open(), "one")["links_in"][0]["name"] == "three"


def test_a_batch_names_an_unknown_key_and_the_near_one(project: Project) -> None:
    results = batch(
        project,
        {"title": "One", "type": "decision", "tags": ["a"]},
        {"title": "One", "type": "decision", "sumary": None},
        {"title": "One", "type": "decision", "zzzzzz": 1},
    )

    errors = [item["error"] for item in results]
    assert [error["code"] for error in errors] == ["unknown-key"] * 3
    assert "'tags'" in errors[0]["message"]
    assert [error["hint"] for error in errors[:2]] == ["Did you mean tag?", "Did you mean summary?"]


def test_a_batch_ignores_where_a_note_was_found(project: Project) -> None:
    found = {"title": "One", "type": "decision", "file": "src/a.py", "line": 3, "marker": "DECISION", "summary": None}

    assert batch(project, found)[0]["created"]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("tag", "a"),
        ("title", 3),
        ("confidence", "0.5"),
        ("confidence", 10**400),
        ("confidence", True),
        ("sensitive", 1),
    ],
)
def test_a_batch_refuses_a_value_of_the_wrong_kind(project: Project, key: str, value: object) -> None:
    error = batch(project, {"title": "One", "type": "decision"} | {key: value})[0]["error"]

    assert error["code"] == "bad-value"
    assert key in error["hint"]


def test_a_batch_line_may_hold_what_other_readers_take_for_a_line_end(project: Project) -> None:
    results = batch(project, {"title": "One", "type": "decision", "body": "a\u2028b\x85c"})

    assert results[0]["created"]
    assert show(project.open(), "one")["body"] == "a\u2028b\x85c"


def test_a_batch_sees_what_it_wrote_itself(project: Project) -> None:
    results = batch(
        project,
        {"title": "One", "type": "decision", "alias": ["uno"]},
        {"title": "One", "type": "decision"},
        {"title": "One", "type": "decision", "allow_duplicate": True},
        {"title": "Two", "type": "decision", "name": "uno"},
        {"title": "Three", "type": "decision", "link": ["replaces=uno"]},
        {"title": "One", "type": "decision"},
    )

    assert [item.get("created") for item in results] == [True, False, True, None, True, False]
    assert results[1]["duplicates"][0]["name"] == "one"
    assert results[3]["error"]["code"] == "name-taken"
    assert results[5]["duplicates"][0]["name"] == results[2]["name"]
    assert status_of(project, "one") == "superseded"


def test_a_batch_of_more_than_a_hundred_is_refused_whole(project: Project) -> None:
    lines = [{"title": f"Note {number}", "type": "decision"} for number in range(101)]

    error = refusal(lambda: batch(project, *lines))

    assert (error.code, error.status) == ("long-batch", 2)
    assert bytes_of(project) == {}


def test_a_batch_of_a_hundred_is_written(project: Project) -> None:
    results = batch(project, *({"title": f"Note {number}", "type": "decision"} for number in range(100)))

    assert all(item["created"] for item in results)


# Revising


def test_revise_changes_the_asked_bytes_alone(project: Project) -> None:
    before = (
        "\ufeff---\r\n# about us\r\ntitle:   'Plain files'  # quoted\r\nx-odd: [1,  2]\r\ntype: decision\r\n"
        "tags:\r\n  - git   # the tool\r\nversion: 1.10\r\n---\r\n\r\nBody  \r\nline\n"
    ).encode()
    path = project.write("decision/plain-files.md", "")
    path.write_bytes(before)

    revise(project.open(), "plain-files", Draft(summary="Short.", add_tags=("New Tag",)))

    assert path.read_bytes() == before.replace(b"type: decision\r\n", b"type: decision\r\nsummary: Short.\r\n").replace(
        b"# the tool\r\n", b"# the tool\r\n  - new-tag\r\n"
    )


def test_revise_replaces_lists_and_takes_fields_away(project: Project) -> None:
    kept(project, "Plain files", tags=("a", "b"), summary="Short.", session="s", touches=("src/",), confidence=0.2)

    revise(project.open(), "plain-files", Draft(tags=("c",), summary="", session="", touches=(), confidence=0.9))

    fields = show(project.open(), "plain-files")["fields"]
    assert fields["tags"] == ["c"]
    assert fields["confidence"] == "0.9"
    assert not {"summary", "session", "touches"} & fields.keys()


def test_revise_adds_and_removes_tags(project: Project) -> None:
    kept(project, "Plain files", tags=("a", "b"))

    revise(project.open(), "plain-files", Draft(add_tags=("C",), remove_tags=("A", "none")))

    assert show(project.open(), "plain-files")["fields"]["tags"] == ["b", "c"]


def test_revise_replies_as_remember_does_and_dry_run_writes_nothing(project: Project) -> None:
    kept(project, "Plain files")
    before = bytes_of(project)

    planned = revise(project.open(), "plain-files", Draft(body="New."), dry_run=True)
    between = bytes_of(project)
    done = revise(project.open(), "plain-files", Draft(body="New."))

    assert between == before
    assert planned == done
    assert done.pop("changed") == [".memory/decision/plain-files.md"]
    assert done == REPLY | {"created": False, "digest": digest(bytes_of(project)["decision/plain-files.md"])}


def test_revise_of_nothing_leaves_the_file_alone(project: Project) -> None:
    path = project.note("plain-files")
    before = path.stat().st_mtime_ns

    revise(project.open(), "plain-files", Draft(title="Plain files"))

    assert path.stat().st_mtime_ns == before


def test_revise_type_moves_the_file_and_its_links_hold(project: Project) -> None:
    kept(project, "Broken", "problem")
    kept(project, "Why", links=("because=broken",))

    reply = revise(project.open(), "broken", Draft(type="insight"))

    assert reply["path"] == ".memory/insight/broken.md"
    assert not (project.notes / "problem/broken.md").exists()
    assert "status" not in text(project, "insight/broken.md")
    assert show(project.open(), "broken")["links_in"][0]["name"] == "why"


def test_revise_to_a_worklist_type_opens_the_note(project: Project) -> None:
    kept(project, "Broken", "insight")

    revise(project.open(), "broken", Draft(type="problem"))

    assert "status: open" in text(project, "problem/broken.md")


def test_revise_replaces_the_links_of_each_verb_that_is_given(project: Project) -> None:
    for title in ("One", "Two", "Three"):
        kept(project, title)
    project.note("four", because="[{to: one, note: why}, two]", needs="[three]")

    revise(project.open(), "four", Draft(links=("because=one", "because=three")))
    first = show(project.open(), "four")["links_out"]
    revise(project.open(), "four", Draft(links=()))

    assert [(link["verb"], link["name"], link["note"]) for link in first] == [
        ("because", "one", "why"),
        ("because", "three", None),
        ("needs", "three", None),
    ]
    assert show(project.open(), "four")["links_out"] == []


def test_revise_refuses_a_name_and_says_what_gives_one(project: Project) -> None:
    kept(project, "Plain files")

    error = refusal(lambda: revise(project.open(), "plain-files", Draft(name="new")))

    assert error.hint == "gitmem rename plain-files new"


def test_revise_keeps_a_list_whose_parts_it_cannot_read(project: Project) -> None:
    path = project.note("plain-files", because="[one, {odd: thing}]")
    kept(project, "Two")
    before = path.read_bytes()

    error = refusal(lambda: revise(project.open(), "plain-files", Draft(links=("because=two",))))

    assert error.code == "bad-value"
    assert error.message == "decision/plain-files.md: the field because on line 5 holds what would be lost."
    assert error.hint == "Mend it first: gitmem edit plain-files"
    assert path.read_bytes() == before


def test_a_scalar_that_cannot_be_read_can_be_replaced(project: Project) -> None:
    project.note("plain-files", created="yesterday")

    revise(project.open(), "plain-files", Draft(created="2026-11-30"))

    assert "created: 2026-11-30T00:00:00Z" in text(project, "decision/plain-files.md")


@pytest.mark.parametrize("body", ["One.", "One.\n", "One.\r\n"])
def test_the_last_line_end_of_a_body_is_the_files_own(project: Project, body: str) -> None:
    kept(project, "Plain files", body=body)
    written = text(project, "decision/plain-files.md")

    revise(project.open(), "plain-files", Draft(body=body))

    assert written.endswith("---\n\nOne.\n")
    assert text(project, "decision/plain-files.md") == written


def test_case_3_an_unparsable_note_is_left_as_it_is(project: Project) -> None:
    path = project.write("decision/broken.md", UNREADABLE.decode())

    error = refusal(lambda: revise(project.open(), "broken", Draft(summary="New.")))

    assert error.code == "unparsable"
    assert "decision/broken.md" in error.message
    assert path.read_bytes() == UNREADABLE


def test_a_note_without_front_matter_gains_one_with_what_was_asked(project: Project) -> None:
    path = project.write("decision/bare.md", "# Bare words\n\nText.\n")

    revise(project.open(), "bare", Draft(tags=("git",)))

    assert path.read_text() == "---\ntags: [git]\n---\n\n# Bare words\n\nText.\n"


# Lost updates


def test_case_86_a_lost_update_is_refused(project: Project) -> None:
    seen = kept(project, "Plain files")["digest"]
    revise(project.open(), "plain-files", Draft(body="Theirs."), expect=seen)

    error = refusal(lambda: revise(project.open(), "plain-files", Draft(body="Ours."), expect=seen))

    assert error.code == "lost-update"
    assert "Theirs." in text(project, "decision/plain-files.md")


def test_twelve_digits_in_any_case_are_enough(project: Project) -> None:
    seen = kept(project, "Plain files")["digest"]

    assert revise(project.open(), "plain-files", Draft(body="New."), expect=seen[:12].upper())["digest"] != seen


@pytest.mark.parametrize("expect", ["", "abc", "0123456789a", "not-hexadecimal"])
def test_what_is_no_digest_is_refused_as_such(project: Project, expect: str) -> None:
    kept(project, "Plain files")

    error = refusal(lambda: revise(project.open(), "plain-files", Draft(body="New."), expect=expect))

    assert (error.code, error.status) == ("bad-digest", 2)


# Editing


def edited(project: Project, name: str, old: str, new: str) -> dict[str, Any]:
    _, _, data = edit_start(project.open(), name)
    changed = data.decode().replace(old, new)
    assert changed != data.decode()
    reply: dict[str, Any] = edit_save(project.open(), name, changed.encode(), expect=digest(data))
    return reply


def test_edit_gives_the_file_and_saves_what_became_of_it(project: Project) -> None:
    kept(project, "Plain files", body="One.")

    shown, path, data = edit_start(project.open(), "plain-files")
    reply = edited(project, "plain-files", "One.", "Two.")

    assert (shown, path) == (".memory/decision/plain-files.md", str(project.notes / "decision/plain-files.md"))
    assert text(project, "decision/plain-files.md") == data.decode().replace("One.", "Two.")
    assert reply.pop("changed") == [shown]
    assert reply == REPLY | {"created": False, "digest": digest(data.replace(b"One.", b"Two."))}


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("title: Plain files", "title: [open", "unparsable"),
        ("title: Plain files", "title: a\ntitle: b", "duplicate-key"),
        ("One.", "<<<<<<< ours\nOne.\n=======\nTwo.\n>>>>>>> theirs", "conflict-markers"),
        ("One.", "password: hunter2hunter2", "secret"),
        ("type: decision", "type: descision", "unknown-type"),
        ("type: decision", "type: decision\ndomain: nowhere", "unknown-domain"),
        ("type: decision", "type: decision\nstatus: open", "unknown-status"),
        ("type: decision", "type: decision\nbecause: [nobody]", "unknown-name"),
        ("type: decision", "type: decision\nneeds: [plain-files]", "self-link"),
        ("type: decision", "type: decision\naliases: [other]", "name-taken"),
        ("title: Plain files", f"title: {'x' * 201}", "long-title"),
        ("One.", "x" * 16_385, "long-body"),
    ],
)
def test_edit_refuses_what_revise_would_refuse(project: Project, old: str, new: str, code: str) -> None:
    kept(project, "Other")
    kept(project, "Plain files", body="One.")
    before = bytes_of(project)

    error = refusal(lambda: edited(project, "plain-files", old, new))

    assert error.code == code
    assert bytes_of(project) == before


def test_edit_of_an_old_note_is_not_held_to_what_it_said_before(project: Project) -> None:
    project.note("old", "x" * 20_000, domain="nowhere", because="[gone]", type="oddity")

    edited(project, "old", "title: Old", "title: Older")

    assert "title: Older" in text(project, "oddity/old.md")


def test_edit_moves_and_stamps_as_revise_does(project: Project) -> None:
    kept(project, "Old way")
    kept(project, "New way")

    reply = edited(project, "new-way", "type: decision", "type: principle\nreplaces: [old-way]")

    assert reply["path"] == ".memory/principle/new-way.md"
    assert "status: superseded" in text(project, "decision/old-way.md")


def test_edit_refuses_what_changed_meanwhile(project: Project) -> None:
    kept(project, "Plain files", body="One.")
    _, _, data = edit_start(project.open(), "plain-files")
    revise(project.open(), "plain-files", Draft(body="Theirs."))

    error = refusal(lambda: edit_save(project.open(), "plain-files", data + b"mine\n", expect=digest(data)))

    assert error.code == "lost-update"


def test_edit_mends_a_note_that_did_not_read(project: Project) -> None:
    project.write("decision/broken.md", UNREADABLE.decode())

    edited(project, "broken", "[never closed", "Now closed")

    assert show(project.open(), "broken")["title"] == "Now closed"


# Git around it


def test_case_55_during_a_merge_notes_are_written_and_said_to_be_deferred(project: Project) -> None:
    kept(project, "Plain files")
    stopped(project, "merge")

    new = kept(project, "New note")
    old = revise(project.open(), "plain-files", Draft(body="New."))

    assert (new["deferred"], old["deferred"]) == (True, True)
    assert "?? .memory/decision/new-note.md" in project.git("status", "--porcelain", "-uall")


def test_case_56_a_stopped_rebase_lets_new_notes_in_and_tracked_ones_alone(project: Project) -> None:
    kept(project, "Plain files")
    stopped(project, "rebase")
    before = bytes_of(project)["decision/plain-files.md"]

    calls = (
        lambda: revise(project.open(), "plain-files", Draft(body="New.")),
        lambda: edited(project, "plain-files", "title: Plain files", "title: Other"),
        lambda: kept(project, "Newer", links=("replaces=plain-files",)),
    )
    errors = [refusal(call) for call in calls]
    new = kept(project, "New note", links=("because=plain-files",))

    assert {error.code for error in errors} == {"unfinished-operation"}
    assert "rebase" in errors[0].message
    assert "decision/plain-files.md" in errors[0].message
    assert bytes_of(project).keys() - {"decision/plain-files.md"} == {"decision/new-note.md"}
    assert bytes_of(project)["decision/plain-files.md"] == before
    assert new["deferred"]


def test_a_stopped_rebase_lets_untracked_notes_be_revised(project: Project) -> None:
    kept(project, "Plain files")
    stopped(project, "rebase")
    kept(project, "New note")

    assert revise(project.open(), "new-note", Draft(body="New."))["deferred"]


def test_variables_that_locate_another_repository_do_not_mislead(project: Project, tmp_path: Path) -> None:
    other = new_project(tmp_path / "other")
    kept(project, "Plain files")
    stopped(project, "rebase")
    lying = {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "GIT_DIR": str(other.root / ".git"),
        "GIT_WORK_TREE": str(other.root),
        "GIT_INDEX_FILE": str(other.root / ".git/index"),
    }
    memory = project.open(environment=lying)

    error = refusal(lambda: revise(memory, "plain-files", Draft(body="New.")))

    assert error.code == "unfinished-operation"


def test_notes_are_written_where_there_is_no_repository(tmp_path: Path) -> None:
    lone = Project(tmp_path / "lone")
    lone.notes.mkdir(parents=True)

    reply = kept(lone, "Plain files")

    assert reply == REPLY | {"digest": reply["digest"]}


def test_paths_are_relative_to_the_git_top_level(project: Project) -> None:
    inner = Project(project.root / "pkg/a")
    inner.notes.mkdir(parents=True)

    assert kept(inner, "Plain files")["path"] == "pkg/a/.memory/decision/plain-files.md"
    assert bytes_of(project) == {}


# A law

lines = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=30)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(summary=lines, tags=st.lists(lines, max_size=3), body=lines, session=lines)
def test_what_is_written_reads_back(project: Project, summary: str, tags: list[str], body: str, session: str) -> None:
    project.note("law")

    revise(project.open(), "law", Draft(summary=summary, tags=tuple(tags), body=body, session=session))

    shown = show(project.open(), "law")
    assert (shown["fields"].get("summary") or "") == summary.strip()
    assert shown["body"].strip("\n") == body.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    assert (shown["fields"].get("session") or "") == session


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo, lambda path: os.symlink("/etc/hostname", path)])
def test_a_new_note_takes_the_place_of_nothing_that_lies_there(project: Project, make: Callable[[str], None]) -> None:
    place = project.notes / "decision" / "plain-files.md"
    place.parent.mkdir()
    make(str(place))
    before = os.lstat(place)

    error = refusal(lambda: kept(project, "Plain files"))

    assert error.code == "name-taken"
    assert os.path.samestat(os.lstat(place), before)


@pytest.mark.parametrize("touch", ["../x", "/etc/passwd", "~/x.py::main", "src/../../x", "C:\\x"])
def test_a_touch_that_leads_out_of_the_repository_is_refused(project: Project, touch: str) -> None:
    assert refusal(lambda: kept(project, "Plain files", touches=(touch,))).code == "outside"
    assert kept(project, "Other", touches=("src/../y.py::f", "save"))["created"]


def test_a_name_that_a_sparse_checkout_hides_is_taken(project: Project) -> None:
    remember(project.open(), Draft(title="Kept apart", type="decision"), Author("user", None))
    remember(project.open(), Draft(title="Shown", type="insight"), Author("user", None))
    project.git("add", ".")
    project.git("commit", "-qm", "Notes")
    project.git("sparse-checkout", "set", "--no-cone", "/*", "!/.memory/decision/")

    error = refusal(lambda: remember(project.open(), Draft(title="Kept apart", type="decision"), Author("user", None)))
    elsewhere = refusal(
        lambda: remember(project.open(), Draft(title="Kept apart", type="insight"), Author("user", None))
    )

    assert (error.code, elsewhere.code) == ("not-checked-out", "not-checked-out")
    assert "sparse-checkout add" in (error.hint or "")

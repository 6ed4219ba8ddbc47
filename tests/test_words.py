"""The vocabulary: shown, added to, and renamed in every note."""

from contextlib import suppress
from typing import Any

import pytest
from conftest import Project
from projects import SECRET, UNREADABLE, bytes_of, kept, refusal, stopped, text

from gitmem.operations import words
from gitmem.operations.read import show
from gitmem.operations.upkeep import check
from gitmem.storage import disk


def add(project: Project, kind: str, *new: str, **options: str | int) -> dict[str, Any]:
    return words.vocabulary_add(project.open(), kind, new, **options)


def rename(project: Project, old: str, new: str) -> dict[str, Any]:
    return words.vocabulary_rename(project.open(), old, new)


def names(project: Project, kind: str) -> list[str]:
    return [each["name"] for each in words.vocabulary(project.open())[kind]]


def test_the_vocabulary_is_shown_with_what_each_word_is_for(project: Project) -> None:
    shown = words.vocabulary(project.open())

    assert shown["types"][0] == {
        "name": "principle",
        "holds": "a stable preference or convention",
        "durability": "stable",
        "role": None,
        "brief": 8,
    }
    assert shown["verbs"][1] == {
        "name": "answers",
        "reads": "a resolution answers a problem, and closes it",
        "role": "answer",
        "to": "worklist",
    }
    assert shown["domains"] == []
    assert shown["statuses"] == [
        {"name": "open", "of": "worklist"},
        {"name": "resolved", "of": "worklist"},
        {"name": "obsolete", "of": "worklist"},
        {"name": "superseded", "of": "any"},
        {"name": "archived", "of": "any"},
    ]


def test_added_words_can_be_used_and_comments_stay(project: Project) -> None:
    project.write("config.toml", "# ours\n[policy]\nbody_limit = 9 # small\n")

    reply = add(project, "domain", "search", "Git", holds="finding")
    add(project, "type", "recipe", durability="episodic", brief=3)
    add(project, "verb", "cites", to="anchor")

    assert reply == {"path": ".memory/config.toml", "added": ["search", "git"], "created": False}
    assert text(project, "config.toml").startswith("# ours\n[policy]\nbody_limit = 9 # small\n")
    assert names(project, "domains") == ["search", "git"]
    assert names(project, "types")[-1] == "recipe"
    assert kept(project, "Bread", "Recipe", domain="SEARCH", body="Flour.")["path"] == ".memory/recipe/bread.md"


@pytest.mark.parametrize(
    ("kind", "word", "code"),
    [
        ("type", "Decision", "already-declared"),
        ("verb", "title", "bad-declaration"),
        ("type", "../up", "bad-declaration"),
        ("tpye", "x", "unknown-kind"),
    ],
)
def test_a_word_that_cannot_be_added_is_refused(project: Project, kind: str, word: str, code: str) -> None:
    error = refusal(lambda: add(project, kind, "fine", word))

    assert error.code == code
    assert bytes_of(project) == {}


def test_a_renamed_type_takes_its_notes_along(project: Project) -> None:
    path = project.write("decision/hand.md", "")
    path.write_bytes(b"---\r\n# why\r\ntype: Decision # old word\r\ntitle: Hand\r\n---\r\nBody\r\n")
    project.write("decision/bare.md", "# Bare\n")
    project.write("caution/elsewhere.md", "---\ntype: decision\ntitle: Elsewhere\n---\n")
    kept(project, "Other", "caution", links=("because=hand",))

    reply = rename(project, "Decision", "choice")

    assert reply == {
        "path": ".memory/config.toml",
        "changed": [".memory/caution/elsewhere.md", ".memory/choice/bare.md", ".memory/choice/hand.md"],
    }
    files = bytes_of(project)
    assert files["choice/hand.md"] == b"---\r\n# why\r\ntype: choice # old word\r\ntitle: Hand\r\n---\r\nBody\r\n"
    assert files["choice/bare.md"] == b"# Bare\n"
    assert show(project.open(), "elsewhere")["type"] == "choice"
    assert "decision" not in names(project, "types")
    assert [each["name"] for each in show(project.open(), "hand")["links_in"]] == ["other"]


def test_a_renamed_verb_keeps_claims_and_comments(project: Project) -> None:
    project.note("two")
    path = project.write("decision/one.md", "")
    path.write_bytes(
        b"\xef\xbb\xbf---\r\n'because': # the reason\r\n  - {to: two, note: why}   # first\r\ntitle: One\r\n---\r\n"
    )

    reply = rename(project, "because", "since")

    assert reply["changed"] == [".memory/decision/one.md"]
    assert path.read_bytes() == (
        b"\xef\xbb\xbf---\r\n'since': # the reason\r\n  - {to: two, note: why}   # first\r\ntitle: One\r\n---\r\n"
    )
    assert show(project.open(), "two")["links_in"][0]["verb"] == "since"


def test_a_renamed_verb_joins_what_the_new_name_held(project: Project) -> None:
    project.note("one", because="[two]", since="[three, two]")

    rename(project, "because", "since")

    fields = show(project.open(), "one")["fields"]
    assert sorted(fields["since"]) == ["three", "two"]
    assert "because" not in fields


def test_a_renamed_role_keeps_working(project: Project) -> None:
    kept(project, "Old")
    kept(project, "New", links=("replaces=old",))

    rename(project, "replaces", "supersedes")
    kept(project, "Newest", links=("supersedes=new",))

    assert "status: superseded" in text(project, "decision/new.md")
    assert check(project.open())["problems"] == []


def test_a_renamed_domain_is_renamed_in_notes(project: Project) -> None:
    add(project, "domain", "core")
    kept(project, "One", domain="core")

    reply = rename(project, "core", "kernel")

    assert reply["changed"] == [".memory/decision/one.md"]
    assert "domain: kernel" in text(project, "decision/one.md")
    assert names(project, "domains") == ["kernel"]


@pytest.mark.parametrize("kind", ["type", "verb"])
def test_a_rename_that_was_killed_half_way_ends_when_it_is_run_again(
    project: Project, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    old, new = {"type": ("decision", "choice"), "verb": ("because", "since")}[kind]
    for name in "abc":
        project.note(name, because="[c]" if name != "c" else "[a]")
    whole = Project(project.root.parent / "whole")
    for path, data in bytes_of(project).items():
        whole.write(path, data.decode())
    rename(whole, old, new)

    runs = ended_after(monkeypatch, project, old, new)

    assert runs > 3
    assert bytes_of(project) == bytes_of(whole)


def ended_after(monkeypatch: pytest.MonkeyPatch, project: Project, old: str, new: str) -> int:
    """Returns how many runs a rename took that is interrupted each time after one write or move."""
    left = [1]

    def counted(real: Any) -> Any:
        def write(*arguments: Any) -> None:
            if left[0] == 0:
                raise KeyboardInterrupt
            left[0] -= 1
            real(*arguments)

        return write

    monkeypatch.setattr(disk, "save", counted(disk.save))
    monkeypatch.setattr(disk, "move", counted(disk.move))
    for run in range(1, 30):
        left[0] = 1
        with suppress(KeyboardInterrupt):
            rename(project, old, new)
            return run
    raise AssertionError("the rename never came to its end")


def test_a_note_that_cannot_be_changed_stops_a_rename_before_it_begins(project: Project) -> None:
    project.note("a")
    project.write("decision/broken.md", UNREADABLE.decode())
    before = bytes_of(project)

    error = refusal(lambda: rename(project, "decision", "choice"))

    assert error.code == "unparsable"
    assert ".memory/decision/broken.md" in error.message
    assert bytes_of(project) == before


def test_a_renamed_type_leaves_no_empty_folder(project: Project) -> None:
    project.note("a")
    project.write("decision/deep/b.md", "---\ntype: decision\ntitle: B\n---\n")
    project.note("c", type="caution")
    project.write("caution/kept.txt", "Not a note.")

    rename(project, "decision", "choice")
    rename(project, "caution", "gotcha")

    assert not (project.notes / "decision").exists()
    assert (project.notes / "caution" / "kept.txt").exists()


def test_a_file_in_the_way_stops_a_rename_before_it_begins(project: Project) -> None:
    project.note("a")
    project.note("b")
    project.write("choice/b.md", "---\ntype: caution\ntitle: B\n---\n")
    before = bytes_of(project)

    error = refusal(lambda: rename(project, "decision", "choice"))

    assert error.code == "name-taken"
    assert bytes_of(project) == before


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("nothing", "x", "unknown-word"),
        ("decision", "caution", "already-declared"),
        ("decision", "a/b", "bad-declaration"),
    ],
)
def test_a_rename_that_makes_no_sense_is_refused(project: Project, old: str, new: str, code: str) -> None:
    project.note("a")
    before = bytes_of(project)

    assert refusal(lambda: rename(project, old, new)).code == code
    assert bytes_of(project) == before


def test_a_stopped_rebase_keeps_the_vocabulary_as_it_is(project: Project) -> None:
    project.write("config.toml", "# ours\n")
    project.note("a")
    stopped(project, "rebase")
    before = bytes_of(project)

    codes = {
        refusal(lambda: rename(project, "decision", "choice")).code,
        refusal(lambda: add(project, "domain", "x")).code,
    }

    assert codes == {"unfinished-operation"}
    assert bytes_of(project) == before


def test_a_secret_gets_into_the_vocabulary_in_no_way(project: Project) -> None:
    project.note("a")
    before = bytes_of(project)

    errors = [
        refusal(lambda: add(project, "domain", "x", holds=f"what {SECRET} opens")),
        refusal(lambda: add(project, "type", SECRET)),
        refusal(lambda: rename(project, "decision", SECRET)),
    ]

    assert {error.code for error in errors} == {"secret"}
    assert not any(SECRET in f"{error.message}{error.hint}" for error in errors)
    assert bytes_of(project) == before


def test_nobody_is_asked_whether_a_replacement_was_meant(project: Project) -> None:
    project.note("old")

    refused = refusal(lambda: kept(project, "New", links=("relates-to=old",)))

    assert refused.code == "unknown-verb" and "replaces?" not in (refused.hint or "")

"""Notes that git stores otherwise than it writes them: every look back reads what a checkout would give."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import Project, run, told
from hooked import committed, gitted

from gitmem.operations import past
from gitmem.operations.history import diff, history, show_at, show_raw_at
from gitmem.operations.recall import recall
from gitmem.operations.review import review
from gitmem.operations.staged import check_revision, check_staged
from gitmem.search.query import Wanted
from gitmem.storage import git
from gitmem.storage.checkout import Checkout

NOTE = "decision/plain-files.md"
PATH = f".memory/{NOTE}"
SECOND = "Markdown in Git, never a database."


def encrypted(project: Project) -> None:
    """Stores every letter as the next one, as an encrypting filter would; cleaning twice is not cleaning once."""
    project.git("config", "filter.shift.clean", "tr a-y b-z")
    project.git("config", "filter.shift.smudge", "tr b-z a-y")
    project.git("config", "filter.shift.required", "true")
    (project.root / ".gitattributes").write_text("*.md filter=shift\n")


def by_attributes(project: Project) -> None:
    (project.root / ".gitattributes").write_text("*.md text eol=crlf ident\n")


def by_settings(project: Project) -> None:
    project.git("config", "core.autocrlf", "true")


def untouched(project: Project) -> None:
    (project.root / ".gitattributes").write_text("*.md text eol=lf\n")


WAYS = (encrypted, by_attributes, by_settings, untouched)
Way = Callable[[Project], None]


@pytest.fixture(params=WAYS)
def kept(request: pytest.FixtureRequest, project: Project) -> Project:
    """A project with two commits, a branch and one note, stored in one of the ways."""
    request.param(project)
    project.note("plain-files", "Markdown in Git.", tags="[storage]")
    committed(project)
    gitted(project.root, "branch", "base")
    project.note("plain-files", SECOND, tags="[storage]")
    project.note("no-server", "One process.", aliases="[daemonless]")
    committed(project)
    (project.notes / NOTE).unlink()
    gitted(project.root, "checkout", "--", PATH)
    return project


def test_a_note_of_a_revision_has_the_bytes_of_a_checkout(kept: Project) -> None:
    memory = kept.open()
    now = (kept.notes / NOTE).read_bytes()

    raw, shown = show_raw_at(memory, "plain-files", "HEAD"), show_at(memory, "plain-files", "HEAD~1")
    gitted(kept.root, "checkout", "-q", "HEAD~1", "--", PATH)

    assert raw == now and shown["body"] == "Markdown in Git." and shown["title"] == "Plain files"
    assert show_raw_at(memory, "plain-files", "HEAD~1") == (kept.notes / NOTE).read_bytes()


def test_what_changed_is_told_of_the_notes_as_they_are_read(kept: Project) -> None:
    memory = kept.open()

    found, seen = diff(memory, "HEAD~1..HEAD"), review(memory, "base")

    assert [(each["name"], each["fields"]) for each in found["revised"]] == [("plain-files", ["body"])]
    assert [each["title"] for each in found["added"]] == ["No server"]
    assert [each["body"] for each in seen["added"]] == ["One process."]
    assert {each["code"] for each in seen["risks"]} == {"unreviewed-canon"}


def test_moments_and_branches_are_found_by_their_words(kept: Project) -> None:
    memory = kept.open()

    then = recall(memory, "database", Wanted(), held=None)
    before = past.at(memory, "HEAD~1")
    both = past.with_refs(past.present(memory), "base")

    assert [hit["name"] for hit in then["hits"]][:1] == ["plain-files"]
    assert [before.reading.view.entry(item).note.title for item in before.reading.view.having("path", [NOTE])] == [
        "Plain files"
    ]
    assert [label.path for label in both.labels.values()] == [NOTE]
    assert {entry.note.title for entry in both.reading.view.everything()} == {"Plain files", "No server"}


def test_a_revision_and_the_index_are_proofread_as_they_are_read(kept: Project) -> None:
    kept.note("plain-files", "Staged.")
    gitted(kept.root, "add", ".")

    assert check_revision(kept.open(), "HEAD") == {"problems": [], "checked": 2}
    assert check_staged(str(kept.root), environment=os.environ) == {"problems": [], "checked": 1}


def test_a_note_that_was_renamed_by_an_alias_is_known_again(kept: Project) -> None:
    (kept.notes / "decision/no-server.md").unlink()
    kept.note("one-process", "Quite another text of many words, so that git finds no likeness.", aliases="[no-server]")
    committed(kept)

    changes = [each["notes"] for each in history(kept.open(), "one-process")["commits"]]

    assert changes[0] == [{"name": "one-process", "change": "renamed"}]


@pytest.fixture
def checkout(project: Project) -> Iterator[Checkout]:
    with Checkout(str(project.root), environment=os.environ) as found:
        yield found


def stored(project: Project, data: str) -> str:
    (project.root / "blob").write_text(data)
    return project.git("hash-object", "-w", "--no-filters", "blob").strip()


def test_many_files_come_through_one_git_whole(project: Project, checkout: Checkout) -> None:
    encrypted(project)
    texts = ["ifmmp\n", "ifmmp", "", "\n\n", "b" * 200_000, "x missing\n"]
    ids = [stored(project, text) for text in texts]

    found = [checkout.read(f"n {at}.md", id) for at, id in enumerate(ids)]
    odd = checkout.read(" a\nb.md", ids[0])

    assert found == [b"hello\n", b"hello", b"", b"\n\n", b"a" * 200_000, b"w lhrrhmf\n"] and odd == b"hello\n"


def test_an_encoding_of_the_work_tree_is_the_one_that_is_read(project: Project, checkout: Checkout) -> None:
    (project.root / ".gitattributes").write_text("*.md working-tree-encoding=ISO-8859-1\n")

    assert checkout.read("a.md", stored(project, "Grüße\n")) == "Grüße\n".encode("latin-1")
    assert checkout.read("a.txt", stored(project, "Grüße\n")) is None


def test_a_filter_that_fails_is_named_and_one_that_nobody_configured_does_nothing(
    project: Project, checkout: Checkout
) -> None:
    (project.root / ".gitattributes").write_text("a.md filter=gone\nb.md filter=fails\n")
    project.git("config", "filter.fails.smudge", "false")
    project.git("config", "filter.fails.required", "true")
    id = stored(project, "hello\n")

    assert checkout.read("a.md", id) == b"hello\n"
    with pytest.raises(git.GitmemError) as refused:
        checkout.read("b.md", id)
    assert refused.value.code == "filter" and "b.md" in refused.value.message


def test_an_object_that_is_not_there_is_named(project: Project, checkout: Checkout) -> None:
    encrypted(project)

    with pytest.raises(git.GitmemError) as refused:
        checkout.read("a.md", "1" * 40)

    assert refused.value.code == "missing-object"


def test_nothing_that_a_repository_holds_is_run(project: Project, checkout: Checkout, tmp_path: Path) -> None:
    (project.root / ".gitattributes").write_text("*.md filter=evil\n")
    (project.root / ".gitconfig").write_text(f'[filter "evil"]\n\tsmudge = touch {tmp_path}/run\n')
    (project.root / "config").write_text(f'[filter "evil"]\n\tsmudge = touch {tmp_path}/run\n')

    assert checkout.read("a.md", stored(project, "hello\n")) == b"hello\n"
    assert not (tmp_path / "run").exists()


def test_a_plain_repository_asks_once_for_all_its_paths(kept: Project, tmp_path: Path) -> None:
    trace = tmp_path / "trace"

    told(run(kept.root, "show", "plain-files@HEAD~1", "--json", extra={"GIT_TRACE": str(trace)}))

    assert sum("built-in: git check-attr" in line for line in trace.read_text().splitlines()) == 2

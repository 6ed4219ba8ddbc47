"""Views are four plain files, made of the notes, and never in the way of a file that is somebody's own."""

import json
from functools import partial
from pathlib import Path

import pytest
from conftest import Project, run, told
from projects import AGENT, bytes_of, refusal

from gitmem.operations.checkpoint import Said, checkpoint
from gitmem.operations.views import views

FILES = ["SNAPSHOT.json", "HANDOFF.md", "DECISIONS.md", "SESSION_CHECKPOINT.md"]


@pytest.fixture
def rich(project: Project) -> Project:
    for words in (("gitmem.trusted", "true"), ("user.name", "T"), ("user.email", "t@example.org")):
        project.git("config", *words)
    project.note("plain-files", "Reviewed like code.")
    project.note("journal", status="superseded")
    project.note("no-network", type="caution", sensitive="true", summary="The word is xyzzy.")
    project.note("sqlite", "No.", type="tombstone", buried="[store]")
    project.note("it-leaks", "Oil.", type="problem", tags="[handoff]")
    project.note("it-creaks", "Wood.", type="problem")
    checkpoint(project.open(), Said("Half done", "# It stands\n\nSo far.", ("Go on",), ("milestone=Half",)), AGENT)
    return project


def texts(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}


def test_four_files_say_what_the_notes_say(rich: Project, tmp_path: Path) -> None:
    reply = views(rich.open(), str(tmp_path / "out"))

    found = texts(tmp_path / "out")
    assert sorted(found) == sorted(FILES) and [Path(path).name for path in reply["files"]] == FILES
    snapshot = json.loads(found["SNAPSHOT.json"])
    assert snapshot["checkpoint"]["title"] == "Half done" and "handle" not in snapshot
    assert "**Plain files** (`plain-files`, unreviewed): Reviewed like code." in found["DECISIONS.md"]
    assert "## Tombstone" in found["DECISIONS.md"] and "journal" not in found["DECISIONS.md"]
    handoff = [found["HANDOFF.md"].index(word) for word in ("## Handed over", "It leaks", "- Go on", "It creaks")]
    assert handoff == sorted(handoff)
    assert "\n> # It stands\n>\n> So far.\n" in found["SESSION_CHECKPOINT.md"]


def test_a_sensitive_note_shows_its_title_alone(rich: Project, tmp_path: Path) -> None:
    views(rich.open(), str(tmp_path / "out"))

    found = texts(tmp_path / "out")
    assert "xyzzy" not in "".join(found.values()) and "**No network**" in found["DECISIONS.md"]


def test_they_are_written_anew_and_never_read(rich: Project, tmp_path: Path) -> None:
    out = tmp_path / "out"
    views(rich.open(), str(out))
    rich.note("new-one")
    (out / "DECISIONS.md").write_text((out / "DECISIONS.md").read_text() + "\n- **Mine**\n")

    views(rich.open(), str(out))

    assert "New one" in texts(out)["DECISIONS.md"] and "Mine" not in texts(out)["DECISIONS.md"]


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_not_ours_is_left_and_nothing_is_written(rich: Project, tmp_path: Path, name: str) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / name).write_text("{}")

    found = refusal(lambda: views(rich.open(), str(out)))

    assert found.code == "not-ours" and name in found.message
    assert texts(out) == {name: "{}"}


def test_a_link_is_never_written_through(rich: Project, tmp_path: Path) -> None:
    views(rich.open(), str(tmp_path / "out"))
    kept = (tmp_path / "out" / "HANDOFF.md").rename(tmp_path / "elsewhere")
    (tmp_path / "out" / "HANDOFF.md").symlink_to(kept)

    assert refusal(lambda: views(rich.open(), str(tmp_path / "out"))).code == "not-ours"


def test_no_view_lies_among_the_notes(rich: Project, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(rich.notes)
    before = bytes_of(rich)

    for folder in (rich.notes, rich.notes / "deep" / "er", tmp_path / "link" / "x"):
        assert refusal(partial(views, rich.open(), str(folder))).code == "inside-memory"

    assert bytes_of(rich) == before


def test_an_empty_memory_has_views_too(project: Project, tmp_path: Path) -> None:
    views(project.open(), str(tmp_path / "out"))

    assert "# No checkpoint yet" in texts(tmp_path / "out")["SESSION_CHECKPOINT.md"]


def test_the_command_names_the_files(rich: Project) -> None:
    done, reply = run(rich.root, "views", "--out", "build"), told(run(rich.root, "views", "--out", "build", "--json"))
    without = run(rich.root, "views")

    assert done.stdout.count("wrote") == 4 and reply["files"] == [f"build/{name}" for name in FILES]
    assert without.returncode == 2 and "gitmem views --out DIR" in without.stderr


def test_no_view_lies_in_gits_own_folder(rich: Project, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(rich.root / ".git")
    before = sorted((rich.root / ".git").rglob("*"))

    for folder in (rich.root / ".git", rich.root / ".git" / "hooks", tmp_path / "link" / "x"):
        assert refusal(partial(views, rich.open(), str(folder))).code == "inside-git"

    assert sorted((rich.root / ".git").rglob("*")) == before

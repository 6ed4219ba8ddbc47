"""Conflicts that Git has left, settled as far as no person is needed, and told as far as one is."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Project, note_text, run, told
from hooked import committed, gitted, install
from projects import bytes_of, problems, refusal

from gitmem.errors import GitmemError
from gitmem.notes.frontmatter import parse
from gitmem.operations.conflicts import resolve_conflicts
from gitmem.operations.setup import FILES
from gitmem.storage import git as repositories
from gitmem.storage import ledger
from gitmem.storage.disk import digest

NOTE = "decision/plain-files.md"
PATH = f".memory/{NOTE}"
BODY = "First paragraph.\n\nSecond paragraph.\n\nThird paragraph."
STYLES = ("merge", "diff3", "zdiff3")


@pytest.fixture
def merging(project: Project) -> Project:
    """Returns a project in whose clone no driver is registered, with one note in its first commit."""
    for name, text in FILES.items():
        project.write(name, text)
    project.note("plain-files", BODY, tags="[storage]", summary="Files.")
    committed(project)
    return project


def conflicted(
    project: Project, ours: Callable[[Path], object], theirs: Callable[[Path], object], bin: Path | None = None
) -> "subprocess.CompletedProcess[str]":
    """Leaves a merge of two branches, each with what it did to the note's file."""
    path = project.notes / NOTE
    gitted(project.root, "switch", "-qc", "theirs")
    theirs(path)
    committed(project, message="theirs")
    gitted(project.root, "switch", "-q", "main")
    ours(path)
    committed(project, message="ours")
    done = gitted(project.root, "merge", "-q", "theirs", "-m", "merged", bin=bin, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    return done


def edit(*pairs: tuple[str, str]) -> Callable[[Path], object]:
    def replace(path: Path) -> None:
        text = path.read_text()
        for old, new in pairs:
            assert old in text
            text = text.replace(old, new)
        path.write_text(text)

    return replace


OURS = edit(("[storage]", "[storage, git]"), ("First paragraph.", "First, ours."))
THEIRS = edit(("[storage]", "[storage, speed]"), ("Third paragraph.", "Third, theirs."))


def resolved(project: Project, *words: str) -> dict[str, Any]:
    return resolve_conflicts(project.open(), words)


def index(project: Project) -> str:
    return gitted(project.root, "ls-files", "--stage").stdout


def lines(reply: dict[str, Any]) -> list[tuple[str, int | None, str]]:
    return [(problem["path"], problem["line"], problem["code"]) for problem in reply["problems"]]


@pytest.mark.parametrize("style", STYLES)
def test_what_git_merged_by_lines_is_merged_by_field(style: str, merging: Project) -> None:
    gitted(merging.root, "config", "merge.conflictStyle", style)
    conflicted(merging, OURS, THEIRS)
    before = index(merging)

    reply = resolved(merging)

    document = parse((merging.notes / NOTE).read_bytes(), NOTE)
    assert document.fields["tags"] == ["storage", "git", "speed"]
    assert document.body == "First, ours.\n\nSecond paragraph.\n\nThird, theirs."
    assert (reply["merged"], reply["problems"], reply["add"]) == ([PATH], [], [PATH])
    assert index(merging) == before
    assert problems(merging) == {}


def test_settled_notes_are_staged_and_committed_by_their_owner(merging: Project) -> None:
    conflicted(merging, OURS, THEIRS)

    done = run(merging.root, "resolve-conflicts")
    command = next(line.split(None, 1)[1] for line in done.stdout.splitlines() if line.startswith("  next"))
    gitted(merging.root, *command.removeprefix("git ").split())
    gitted(merging.root, "commit", "-qm", "merged")
    again = run(merging.root, "resolve-conflicts")

    assert done.returncode == 0 and command == f"git add :/{PATH}"
    assert gitted(merging.root, "status", "--porcelain").stdout == ""
    assert (again.returncode, again.stdout) == (0, "No note is in conflict.\n")


def test_what_only_a_person_can_settle_is_named_with_field_and_line(merging: Project) -> None:
    conflicted(
        merging,
        edit(("Files.", "Ours."), ("Second paragraph.", "Our second.")),
        edit(("Files.", "Theirs."), ("Second paragraph.", "Their second.")),
    )

    reply = resolved(merging)
    done = run(merging.root, "resolve-conflicts")

    rows = (merging.notes / NOTE).read_text().split("\n")
    assert lines(reply) == [
        (PATH, rows.index("# theirs: summary: Theirs.") + 1, "unsettled"),
        (PATH, rows.index("<<<<<<< ours") + 1, "conflict-markers"),
    ]
    assert "changed summary" in reply["problems"][0]["message"]
    assert reply["merged"] == [PATH] and reply["add"] == []
    assert done.returncode == 1 and f"{PATH}:" in done.stdout and "git add" not in done.stdout


def test_twice_is_once(merging: Project) -> None:
    conflicted(merging, edit(("Files.", "Ours.")), edit(("Files.", "Theirs.")))
    first = resolved(merging)
    before = bytes_of(merging)

    second = resolved(merging)

    assert bytes_of(merging) == before
    assert second == first | {"merged": [], "changed": []}


def test_what_somebody_has_settled_by_hand_stays(merging: Project) -> None:
    conflicted(merging, edit(("Second paragraph.", "Ours.")), edit(("Second paragraph.", "Theirs.")))
    (merging.notes / NOTE).write_text(note_text("plain-files", "Settled by hand."))
    before = bytes_of(merging)

    reply = resolved(merging)

    assert bytes_of(merging) == before
    assert (reply["merged"], reply["problems"], reply["add"]) == ([], [], [PATH])


def test_half_of_it_settled_by_hand_stays_while_the_rest_is_merged(merging: Project) -> None:
    second = ("Second paragraph.", "Second paragraph, {}.")
    conflicted(
        merging,
        edit(("[storage]", "[storage, git]"), (second[0], second[1].format("ours"))),
        edit(("[storage]", "[storage, speed]"), (second[0], second[1].format("theirs"))),
    )
    path = merging.notes / NOTE
    front = path.read_text().rpartition("<<<<<<<")[0]
    path.write_text(front + "Second paragraph, as both want it.\n\nThird paragraph.\n")

    reply = resolved(merging)

    document = parse(path.read_bytes(), NOTE)
    assert "<<<<<<<" in front and reply["problems"] == []
    assert document.fields["tags"] == ["storage", "git", "speed"]
    assert document.body == "First paragraph.\n\nSecond paragraph, as both want it.\n\nThird paragraph."


@pytest.mark.parametrize("older", ["ours", "theirs"])
@pytest.mark.parametrize("driver", [True, False])
def test_two_notes_that_met_under_one_name_become_two_files(
    driver: bool, older: str, merging: Project, bin: Path
) -> None:
    dates = {side: f"2026-0{1 if side == older else 2}-01T00:00:00Z" for side in ("ours", "theirs")}
    titles = {"ours": "Wal: on", "theirs": "Wal on"}
    texts = {
        side: note_text("wal-on", f"The text of {side}.", title=f'"{titles[side]}"', created=dates[side])
        for side in dates
    }
    files = {side: (lambda path, side=side: path.with_name("wal-on.md").write_text(texts[side])) for side in dates}
    merging.note("reader", because="[wal-on]")
    if driver:
        install(merging.root)
    conflicted(merging, files["ours"], files["theirs"], bin=bin if driver else None)

    reply = resolved(merging)

    other = {"ours": "theirs", "theirs": "ours"}[older]
    parting = reply["parted"][0]
    kept, moved = ((merging.root / path).read_text() for path in (parting["path"], parting["other"]["path"]))
    assert (kept, moved) == (texts[older], texts[other])
    assert parting["name"] == "wal-on" and parting["other"]["name"].startswith("wal-on-")
    assert reply["add"] == [".memory/decision/wal-on.md", parting["other"]["path"]] and reply["problems"] == []
    assert "reader link to wal-on" in reply["warnings"][0]["message"]
    assert problems(merging) == {}


def test_what_was_written_is_known_to_a_later_checkpoint_of_an_agent(merging: Project) -> None:
    conflicted(merging, OURS, THEIRS)

    resolved(merging)

    repository = repositories.find(str(merging.root))
    assert repository is not None
    assert ledger.read(repository).holds(PATH, digest((merging.notes / NOTE).read_bytes()))


def test_a_note_changed_here_and_deleted_there_is_a_persons(merging: Project) -> None:
    conflicted(merging, OURS, Path.unlink)

    reply = resolved(merging)
    by_name = resolved(merging, "plain-files")

    assert lines(reply) == lines(by_name) == [(PATH, None, "one-sided")]
    assert f"git rm :/{PATH}" in reply["problems"][0]["hint"] and reply["add"] == []


def test_a_note_deleted_here_and_changed_there_is_a_persons(merging: Project) -> None:
    conflicted(merging, Path.unlink, THEIRS)

    reply = resolved(merging)

    assert lines(reply) == [(PATH, None, "one-sided")]
    assert "Theirs changed the note" in reply["problems"][0]["message"]


def test_only_the_notes_that_are_named_are_touched(merging: Project) -> None:
    other = merging.note("other", BODY, tags="[storage]")
    committed(merging)
    both = {
        side: lambda path, change=change: (change(path), change(other))
        for side, change in (("ours", OURS), ("theirs", THEIRS))
    }
    conflicted(merging, both["ours"], both["theirs"])

    reply = resolved(merging, "plain-files")

    assert reply["merged"] == [PATH] and b"<<<<<<<" in other.read_bytes()
    assert refusal(lambda: resolved(merging, "plain-fils")).code == "unknown-name"
    assert run(merging.notes / "decision", "resolve-conflicts", "other.md").returncode == 0
    assert b"<<<<<<<" not in other.read_bytes()


def test_a_file_committed_with_its_markers_is_mended_where_that_is_sure(merging: Project) -> None:
    conflicted(merging, edit(("[storage]", "[git]")), edit(("[storage]", "[speed]")))
    gitted(merging.root, "add", ".")
    gitted(merging.root, "commit", "-qm", "merged with its markers")

    reply = resolved(merging)

    assert reply["merged"] == [PATH] and reply["problems"] == []
    assert parse((merging.notes / NOTE).read_bytes(), NOTE).fields["tags"] == ["git", "speed"]


def test_without_a_base_the_text_of_a_note_is_not_guessed_at(merging: Project) -> None:
    text = note_text("plain-files", "<<<<<<< a\nOne.\n=======\nTwo.\n>>>>>>> b")
    merging.write(NOTE, text)
    committed(merging)

    reply = resolved(merging)

    assert (merging.notes / NOTE).read_text() == text
    assert lines(reply) == [(PATH, 7, "conflict-markers")]


def test_conflicts_are_mended_without_git(tmp_path: Path) -> None:
    folder = tmp_path / ".memory" / "decision"
    folder.mkdir(parents=True)
    (folder / "x.md").write_text("---\ntitle: X\n<<<<<<< a\ntags: [a]\n=======\ntags: [b]\n>>>>>>> b\n---\n")

    reply = resolved(Project(tmp_path))

    assert (reply["merged"], reply["add"]) == ([".memory/decision/x.md"], [])
    assert (folder / "x.md").read_text() == "---\ntitle: X\ntags: [a, b]\n---\n"


def test_in_a_stopped_rebase_only_what_is_in_conflict_is_written(merging: Project) -> None:
    broken = merging.write(
        "decision/broken.md", "---\ntitle: X\n<<<<<<< a\ntags: [a]\n=======\ntags: [b]\n>>>>>>> b\n---\n"
    )
    committed(merging)
    gitted(merging.root, "switch", "-qc", "theirs")
    THEIRS(merging.notes / NOTE)
    committed(merging)
    gitted(merging.root, "switch", "-q", "main")
    OURS(merging.notes / NOTE)
    committed(merging)
    gitted(merging.root, "rebase", "-q", "theirs", check=False)

    caught = refusal(lambda: resolved(merging, "broken"))
    reply = resolved(merging, "plain-files")

    assert isinstance(caught, GitmemError) and caught.code == "unfinished-operation" and b"<<<" in broken.read_bytes()
    assert reply["merged"] == [PATH] and reply["problems"] == []
    gitted(merging.root, "add", PATH)
    gitted(merging.root, "-c", "core.editor=true", "rebase", "--continue")
    assert parse((merging.notes / NOTE).read_bytes(), NOTE).fields["tags"] == ["storage", "speed", "git"]


def test_json_has_every_key_and_quiet_only_what_is_left(merging: Project) -> None:
    conflicted(merging, edit(("Files.", "Ours.")), edit(("Files.", "Theirs.")))

    reply = told(run(merging.root, "resolve-conflicts", "--json"))
    quiet = run(merging.root, "resolve-conflicts", "--quiet")

    assert list(reply) == ["merged", "parted", "changed", "problems", "checked", "add", "warnings"]
    assert quiet.returncode == 1 and quiet.stdout.count("\n") == 1


# What check says of it


def test_check_warns_of_theirs_left_in_front_matter(project: Project) -> None:
    project.write(
        NOTE,
        "---\ntitle: X\n# theirs: title: Y\ntype: decision\n# theirs: because:\n# theirs:   - a\n"
        "# theirs: (no status)\n# a comment\n---\n\n# theirs: title: no, a heading\n",
    )

    found = told(run(project.root, "check", "--json"))["problems"]

    assert [(problem["line"], problem["code"], problem["severity"]) for problem in found] == [
        (line, "unsettled", "warning") for line in (3, 5, 7)
    ]
    assert [problem["message"].split(":")[0].rpartition(" ")[2] for problem in found] == ["title", "because", "status"]


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("```\n<<<<<<< HEAD\nours\n=======\n>>>>>>> theirs\n```\n", 7),
        ("```py\nx\n<<<<<<< a\n||||||| b\n=======\ntheirs\n>>>>>>> c\n```\n", 8),
        ("~~~\n<<<<<<< a\n=======\n<<<<<<< a\nb\n=======\nc\n>>>>>>> d\n~~~\n", 9),
        ("```\n<<<<<<< only the head\n```\n", None),
        ("```\n<<<<<<< ours\n=======\n>>>>>>> theirs\n```\n", None),
        ("```\n <<<<<<< HEAD\n ours\n =======\n >>>>>>> theirs\n```\n", None),
        ("```\n<<<<<<< a\n>>>>>>> b\n=======\n```\n", None),
        ("```\n<<<<<<<< a\nx\n========\ny\n>>>>>>>> b\n```\n", None),
    ],
)
def test_case_75_a_whole_conflict_counts_in_fenced_code_too(body: str, line: int | None, project: Project) -> None:
    project.write(NOTE, f"---\ntitle: X\ntype: decision\n---\n\n{body}")

    found = told(run(project.root, "check", "--json"))["problems"]

    assert [(each["line"], each["code"]) for each in found] == ([(line, "conflict-markers")] if line else [])


def test_a_link_among_the_conflicts_is_named_and_the_others_are_settled(merging: Project) -> None:
    def link(path: Path) -> None:
        (path.parent / "away.md").symlink_to("/etc/passwd")
        THEIRS(path)

    def note(path: Path) -> None:
        merging.note("away")
        OURS(path)

    conflicted(merging, note, link)

    reply = resolved(merging)

    found = {problem["code"]: problem for problem in reply["problems"]}
    assert reply["merged"] == reply["add"] == [PATH]
    assert found.keys() == {"symbolic-link", "conflict"}
    assert found["symbolic-link"]["path"] == ".memory/decision/away.md"
    assert "git add :/.memory/decision/away.md" in found["symbolic-link"]["hint"]


@pytest.mark.parametrize("name", ["plain-files", "two words", "a*b[c]", "it's $(touch run)"])
def test_what_is_to_be_typed_works_in_any_folder(name: str, merging: Project) -> None:
    folder = merging.root / "pkg"
    folder.mkdir()
    (folder / "code.py").write_text("x = 1\n")
    (merging.notes / NOTE).rename(merging.notes / f"decision/{name}.md")
    committed(merging)
    file = merging.notes / f"decision/{name}.md"
    conflicted(merging, lambda path: edit(("Files.", "Ours."))(file), lambda path: file.unlink())

    hint = resolved(merging)["problems"][0]["hint"]
    command = hint.partition(" keeps it")[0]
    subprocess.run(command, shell=True, cwd=folder, check=True)

    assert gitted(merging.root, "ls-files", "--unmerged").stdout == "" and not (folder / "run").exists()


def test_notes_that_git_stores_shifted_are_merged_as_they_are_written(merging: Project) -> None:
    merging.git("config", "filter.shift.clean", "tr a-y b-z")
    merging.git("config", "filter.shift.smudge", "tr b-z a-y")
    (merging.root / ".gitattributes").write_text("*.md filter=shift\n")
    gitted(merging.root, "add", "--renormalize", ".")
    committed(merging)
    conflicted(merging, OURS, THEIRS)

    resolved(merging)

    document = parse((merging.notes / NOTE).read_bytes(), NOTE)
    assert document.fields["tags"] == ["storage", "git", "speed"]
    assert document.body == "First, ours.\n\nSecond paragraph.\n\nThird, theirs."

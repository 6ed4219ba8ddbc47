"""A digest: what a project says of itself, nominated as notes, and what becomes of it when it is remembered."""

import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import Project, run, told
from hypothesis import given
from hypothesis import strategies as st
from projects import SECRET, kept, status_of

from gitmem.notes.preset import PRESETS
from gitmem.operations import adr, markers
from gitmem.operations.digest import AUTHOR, MOST, digest
from gitmem.operations.read import list_notes, show, timeline
from gitmem.operations.setup import init
from gitmem.operations.upkeep import check
from gitmem.operations.write import remember_batch
from gitmem.search.query import Wanted

DATA = Path(__file__).parent / "data" / "digest"
DAY = {"GIT_COMMITTER_DATE": "2019-05-05T00:00:00Z", "GIT_AUTHOR_DATE": "2019-05-05T00:00:00Z"}


def laid(project: Project, name: str) -> Project:
    """Returns the project with the files of a data folder in it, committed."""
    shutil.copytree(DATA / name, project.root, dirs_exist_ok=True)
    return committed(project, "Begin")


def committed(project: Project, message: str, author: str = "Jane <jane@example.org>") -> Project:
    project.git("add", "--all")
    command = ["git", "-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "--allow-empty"]
    subprocess.run([*command, f"--author={author}", "-m", message], cwd=project.root, check=True, env=os.environ | DAY)
    return project


def put(project: Project, path: str, text: str | bytes) -> None:
    target = project.root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(text.encode() if isinstance(text, str) else text)


def rows(project: Project, limit: int = MOST) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = digest(project.open(), limit=limit)["candidates"]
    return found


def titles(project: Project) -> list[str]:
    return [row["title"] for row in rows(project)]


def remembered(project: Project) -> list[dict[str, Any]]:
    """Returns what a batch of every candidate comes to; all of them are written."""
    lines = "\n".join(json.dumps(row) for row in rows(project))
    done = remember_batch(project.open(), lines, AUTHOR)["results"]
    assert all(each.get("created") for each in done), done
    return [show(project.open(), each["name"]) for each in done]


def linked(notes: list[dict[str, Any]]) -> dict[str, list[tuple[str, str]]]:
    return {note["title"]: [(link["verb"], link["title"]) for link in note["links_out"]] for note in notes}


# Decision records


def test_madr_records_become_decisions_with_what_they_replace(project: Project) -> None:
    laid(project, "madr")

    notes = remembered(project)

    assert [note["title"] for note in notes] == [
        "Use Markdown Architectural Decision Records",
        "Keep sessions in memory",
        "Write our own queue",
        "Keep sessions in Redis",
        "Answer in JSON",
    ]
    assert {note["type"] for note in notes} == {"decision"}
    assert linked(notes)["Keep sessions in Redis"] == [("replaces", "Keep sessions in memory")]
    assert linked(notes)["Answer in JSON"] == [("builds-on", "Keep sessions in Redis")]
    assert [note["fields"].get("status") for note in notes] == [None, "superseded", "archived", None, None]
    assert [note["fields"]["created"] for note in notes] == [
        "2019-05-05T00:00:00Z",  # when Git first had it: the record says no day
        "2024-02-10T00:00:00Z",
        "2024-03-01T00:00:00Z",
        "2025-01-20T00:00:00Z",
        "2025-04-02T00:00:00Z",
    ]
    touches = [touch["ref"].partition("@")[0] for touch in notes[3]["touches"]]
    assert touches == ["docs/decisions/0003-keep-sessions-in-redis.md", "src/session.py"]
    assert notes[2]["summary"].startswith("Rejected: ") and notes[4]["summary"].startswith("Proposed, not decided: ")


def test_adr_tools_chains_of_records_read_from_the_first_to_the_one_that_holds(project: Project) -> None:
    laid(project, "adr-tools")

    notes = remembered(project)

    chain = timeline(project.open(), "store-orders-in-mysql")
    assert [note["title"] for note in chain["notes"]] == [
        "Store orders in MySQL",
        "Store orders in PostgreSQL",
        "Store orders in SQLite",
    ]
    assert chain["head"] == "store-orders-in-sqlite"
    assert linked(notes)["Keep order history for ten years"] == [("builds-on", "Store orders in PostgreSQL")]
    assert [note["fields"]["created"][:10] for note in notes[:2]] == ["2016-02-12", "2016-02-13"]
    assert status_of(project, "sign-requests") == "archived"
    assert "## Status" not in notes[0]["body"] and "## Consequences" in notes[0]["body"]


def test_log4brains_records_take_their_day_from_the_name_where_they_say_none(project: Project) -> None:
    laid(project, "log4brains")

    notes = remembered(project)

    assert linked(notes)["Use the slug as the id"] == [("replaces", "Use the number as the id")]
    assert [note["fields"]["created"][:10] for note in notes] == ["2020-09-26", "2020-10-16", "2021-01-13"]
    assert notes[0]["fields"]["tags"] == ["adr", "core", "ids"]
    assert "Deciders: Ann" in notes[1]["body"]


def test_a_record_that_is_replaced_comes_before_what_replaces_it_wherever_its_file_sorts(project: Project) -> None:
    put(project, "adr/0001-new.md", "# New way\n\n## Status\n\nAccepted\n")
    put(project, "adr/0002-old.md", "# Old way\n\n## Status\n\nSuperseded by ADR-0001\n")

    notes = remembered(project)

    assert [note["title"] for note in notes] == ["Old way", "New way"]
    assert linked(notes)["New way"] == [("replaces", "Old way")]


def test_records_that_replace_each_other_in_a_ring_are_all_written(project: Project) -> None:
    for number, other in ((1, 2), (2, 3), (3, 1)):
        put(project, f"adr/000{number}-x.md", f"# Way {number}\n\n## Status\n\nSupersedes ADR-{other}\n")

    notes = remembered(project)

    assert len(notes) == 3
    assert sum(map(len, linked(notes).values())) == 2


@pytest.mark.parametrize(
    ("said", "status", "meant"),
    [
        ("Superseded by ADR 2", "superseded", True),
        ("superseded by [ADR-0002](0002-b.md)", "superseded", True),
        ("Superceded by [2. B](0002-b.md#decision)", "superseded", True),
        ("Superseded by 0002-b", "superseded", True),
        ("Superseded by #2", "superseded", True),
        ("~~Accepted~~ Replaced by https://example.org/docs/adr/0002-b.md", "superseded", True),
        ("Superseded by a better idea", "superseded", False),
        ("Superseded by ADR-99", "superseded", False),
        ("**Accepted**", None, False),
        ("Rejected (2024-01-01)", "archived", False),
        ("deprecated", "archived", False),
    ],
)
def test_a_status_is_read_as_projects_write_it(project: Project, said: str, status: str | None, meant: bool) -> None:
    put(project, "docs/adr/0001-a.md", f"# 1. A\n\n## Status\n\n{said}\n\n## Context\n\nText.\n")
    put(project, "docs/adr/0002-b.md", "# 2. B\n\n## Status\n\nAccepted\n")

    found = {row["title"]: row for row in rows(project)}

    assert found["A"].get("status") == status
    assert found["B"].get("link") == (["replaces=a"] if meant else None)


def test_a_long_record_is_cut_at_a_section_and_says_where_the_rest_is(project: Project) -> None:
    sections = "".join(f"## Part {number}\n\n{'word ' * 900}\n\n" for number in range(5))
    put(project, "adr/0001-long.md", f"# Long\n\n## Status\n\nAccepted\n\n{sections}")

    note = remembered(project)[0]

    assert len(note["body"].encode()) <= 16_384
    assert note["body"].endswith("word\n\nThe rest is in adr/0001-long.md.")
    assert "## Part 2" in note["body"] and "## Part 4" not in note["body"]


def test_a_folder_that_adr_tools_was_told_of_is_one_of_records(project: Project) -> None:
    put(project, ".adr-dir", "documents/choices\n")
    put(project, "documents/choices/0001-a.md", "# 1. Keep it\n\nDate: 2020-01-01\n\n## Status\n\nAccepted\n")
    put(project, "src/decisions/tree.md", "# Decision trees\n\nThey split.\n")

    assert titles(project) == ["Keep it"]


def test_two_records_of_one_title_are_both_written(project: Project) -> None:
    put(project, "adr/0001-a.md", "# Use Flask\n\n## Status\n\nSuperseded by ADR-2\n")
    put(project, "adr/0002-b.md", "# Use Flask\n\n## Status\n\nAccepted\n")

    notes = remembered(project)

    assert [note["title"] for note in notes] == ["Use Flask", "Use Flask (0002-b)"]
    assert titles(project) == []


# What else speaks


def test_a_changelog_tells_what_was_deprecated_removed_secured_or_broken(project: Project) -> None:
    laid(project, "changelog")

    found = rows(project)

    assert [(row["type"], row["title"], row.get("created", "")[:10], row["line"]) for row in found] == [
        ("caution", "Deprecated: `src/old.py`: use `src/new.py`, which needs no server", "", 13),
        ("caution", "Breaking: the reader takes bytes, no text", "2025-03-01", 20),
        ("decision", "Removed: Support for Python 3.9", "2025-03-01", 25),
        ("decision", "Removed: The `--fast` flag", "2025-03-01", 26),
        ("caution", "Security: Links that leave the folder are refused", "2025-03-01", 30),
    ]
    assert found[0]["touches"] == ["src/old.py", "src/new.py"]
    assert len(remembered(project)) == 5


def test_headings_of_documents_are_chosen_with_care(project: Project) -> None:
    laid(project, "docs")

    assert [(row["type"], row["title"], row["file"], row["line"]) for row in rows(project)] == [
        ("decision", "Why no database?", "README.md", 9),
        ("principle", "Design principles (Kettle)", "README.md", 13),
        ("caution", "Limitations (Kettle)", "README.md", 18),
        ("decision", "Decision to heat from below", "docs/internals.md", 7),
    ]


def test_markers_count_in_capitals_as_words_in_comments_alone(project: Project) -> None:
    laid(project, "markers")

    assert [(row["marker"], row["type"], row["title"], row["file"], row["line"]) for row in rows(project)] == [
        ("FIXME", "problem", "name it after the host", "conf.yaml", 2),
        ("TODO", "intent", "say how to install it", "notes.md", 4),
        ("TODO", "intent", "split the reader from the writer", "src/a.py", 3),
        ("TODO", "intent", "drop this import when 3.10 goes", "src/a.py", 5),
        ("FIXME", "problem", "a lock is lost when the process is killed between the two writes", "src/a.py", 7),
        ("TODO", "intent", "TODO in src/a.py", "src/a.py", 13),
        ("FIXME", "problem", "sync before the rename", "src/a.py", 15),
        ("TODO", "intent", "free the buffer on every way out", "src/b.c", 2),
        ("FIXME", "problem", "returns 0 whatever happens", "src/b.c", 5),
        ("TODO", "intent", "an index on created", "src/c.sql", 1),
    ]
    assert {tuple(row["touches"]) == (row["file"],) for row in rows(project)} == {True}


def test_the_same_words_in_two_places_are_two_candidates(project: Project) -> None:
    put(project, "a.py", "# TODO: close the socket after use\n")
    put(project, "b.py", "# TODO: close the socket after use\n# TODO: close the socket after use\n")

    assert titles(project) == [
        "close the socket after use",
        "close the socket after use (b.py)",
        "close the socket after use (b.py, 2)",
    ]


def test_commits_that_give_a_reason_are_decisions_and_what_was_taken_back_is_a_caution(project: Project) -> None:
    put(project, "src/lock.py", "x = 1\n")
    why = "A lock file outlives a crash, so we ask the kernel instead of looking at a file."
    committed(project, f"feat(lock): Lock with flock (#12)\n\n{why}\n\nSigned-off-by: J <j@example.org>\nRefs: #12")
    put(project, "src/cache.py", "x = 1\n")
    committed(project, "Keep answers for a day\n\nA cache in order to answer faster than the disk can.")
    cached = project.git("rev-parse", "HEAD").strip()
    committed(project, f'Revert "Keep answers for a day"\n\nThis reverts commit {cached}.\n\nIt served stale prices.')
    committed(project, "Tidy\n\nNothing of note was done in this commit at all.")
    committed(project, "Bump it\n\nBumps it because it is old, and nobody asked.", "dependabot[bot] <d@example.org>")

    found = rows(project)

    assert [(row["marker"], row["type"], row["title"]) for row in found] == [
        ("REVERT", "caution", "Taken back: Keep answers for a day"),
        ("COMMIT", "decision", "Lock with flock"),
    ]
    assert found[0]["body"].startswith("It served stale prices.") and cached[:12] in found[0]["body"]
    assert found[1]["body"].startswith(why) and "Signed-off-by" not in found[1]["body"]
    assert found[1]["touches"] == ["src/lock.py"]
    assert found[1]["created"] == "2019-05-05T00:00:00Z"
    assert len(remembered(project)) == 2


def test_what_was_taken_back_and_brought_back_is_neither(project: Project) -> None:
    committed(project, "Keep answers\n\nA cache in order to answer faster than the disk can.")
    first = project.git("rev-parse", "HEAD").strip()
    committed(project, f'Revert "Keep answers"\n\nThis reverts commit {first}.')
    second = project.git("rev-parse", "HEAD").strip()
    committed(project, f'Reapply "Keep answers"\n\nThis reverts commit {second}.')

    assert [row["marker"] for row in rows(project)] == []


def test_a_shallow_clone_tells_what_it_knows(project: Project, tmp_path: Path) -> None:
    committed(project, "Keep answers for a day")
    cached = project.git("rev-parse", "HEAD").strip()
    put(project, "adr/0001-a.md", "# Keep it\n\n## Status\n\nAccepted\n")
    committed(project, f'Revert "Keep answers for a day"\n\nThis reverts commit {cached}.\n\nIt served stale prices.')
    project.git("clone", "-q", "--depth=1", f"file://{project.root}", str(tmp_path / "clone"))
    clone = Project(tmp_path / "clone")
    clone.notes.mkdir(exist_ok=True)

    assert titles(clone) == ["Keep it", "Taken back: Keep answers for a day"]


# What is left alone


def test_ignored_foreign_generated_binary_large_and_linked_files_are_not_read(project: Project, tmp_path: Path) -> None:
    put(project, ".gitignore", "ignored.py\nbuild/\n")
    line = "# TODO: {} must not be read\n"
    for path in (
        "ignored.py",
        "build/out.py",
        "node_modules/x/index.js",
        "a/vendor/x.py",
        "third_party/x.py",
        "poetry.lock",
        "web/app.min.js",
        ".memory/decision/note.md",
    ):
        put(project, path, line.format(path))
    put(project, "binary.py", line.format("binary").encode() + b"\0")
    put(project, "large.py", line.format("large") + "#\n" * 500_000)
    put(project, "wide.js", "// TODO: wide must not be read\n" + "x" * 9_000)
    put(project, "made.py", "# @generated by a tool\n" + line.format("made"))
    (tmp_path / "outside.py").write_text(line.format("outside"))
    (project.root / "link.py").symlink_to(tmp_path / "outside.py")
    (project.root / "folder").symlink_to(tmp_path)
    put(project, "untracked.py", "# TODO: an untracked file is the project's own\n")

    assert titles(project) == ["an untracked file is the project's own"]


def test_what_a_note_says_already_is_left_out(project: Project) -> None:
    put(project, "a.py", "# TODO: close the socket after use\n# TODO: name the thread for its work\n")
    kept(project, "Close the socket after use", "intent", status="resolved")

    found = digest(project.open())

    assert [row["title"] for row in found["candidates"]] == ["name the thread for its work"]
    assert found["known"] == 1


def test_a_replaced_record_that_is_remembered_already_is_linked_to(project: Project) -> None:
    laid(project, "log4brains")
    kept(project, "Use the number as the id", name="numbers")

    notes = remembered(project)

    assert linked(notes)["Use the slug as the id"] == [("replaces", "Use the number as the id")]
    assert status_of(project, "numbers") == "superseded"


def test_a_candidate_that_holds_a_secret_is_counted_and_not_told(project: Project) -> None:
    put(project, "a.py", f"# TODO: stop using {SECRET} here\n# TODO: name the thread for its work\n")

    done = run(project.root, "digest")

    assert [json.loads(line)["title"] for line in done.stdout.splitlines()] == ["name the thread for its work"]
    assert done.stderr == "1 candidate left out: what looks like a secret is in them.\n"
    assert SECRET not in done.stdout


def test_no_more_than_500_are_told(project: Project) -> None:
    put(project, "a.py", "".join(f"# TODO: thing number {number} has to be done\n" for number in range(600)))

    found = digest(project.open(), limit=10_000)
    few = run(project.root, "digest", "--limit", "3")
    most = run(project.root, "digest", "--limit", "500")

    assert (len(found["candidates"]), found["more"]) == (500, 100)
    assert len(few.stdout.splitlines()) == 3
    assert few.stderr.startswith("597 candidates past the limit: gitmem digest --limit 500 shows more;")
    assert most.stderr == "100 candidates past the limit: those that are remembered make room for them.\n"


def test_a_batch_takes_what_a_large_project_nominates(project: Project) -> None:
    put(project, "a.py", "".join(f"# TODO: thing number {number} has to be done\n" for number in range(120)))

    found = run(project.root, "digest")
    done = run(project.root, "remember", "--batch", "-", "--json", given=found.stdout)

    assert len(told(done)["results"]) == len(found.stdout.splitlines()) == 100
    assert found.stderr.startswith("20 candidates past the limit: gitmem digest --limit 120 shows more;")


def test_the_order_is_the_same_every_time(project: Project) -> None:
    for name in ("madr", "changelog", "docs", "markers"):
        laid(project, name)

    first, second = run(project.root, "digest").stdout, run(project.root, "digest", "--json").stdout

    assert first == second
    kinds = [json.loads(line)["marker"] for line in first.splitlines()]
    assert list(dict.fromkeys(kinds)) == ["ADR", "CHANGELOG", "HEADING", "FIXME", "TODO"]


# Where it runs


def test_a_memory_below_the_top_reads_its_own_folder_alone(project: Project) -> None:
    inner = Project(project.root / "pkg/a")
    inner.notes.mkdir(parents=True)
    put(project, "top.py", "# TODO: belongs to the whole repository\n")
    put(inner, "code.py", "# TODO: belongs to this package alone\n")

    found = rows(inner)

    assert [(row["title"], row["touches"]) for row in found] == [
        ("belongs to this package alone", ["pkg/a/code.py"]),
    ]


def test_without_git_or_a_repository_files_speak(project: Project, tmp_path: Path) -> None:
    lone = Project(tmp_path / "lone")
    lone.notes.mkdir(parents=True)
    for each in (project, lone):
        shutil.copytree(DATA / "madr", each.root, dirs_exist_ok=True)

    without_git = run(project.root, "digest", extra={"PATH": str(tmp_path)})

    assert without_git.returncode == 0
    assert len(without_git.stdout.splitlines()) == len(rows(lone)) == 5


@pytest.mark.parametrize("preset", PRESETS)
def test_every_shipped_vocabulary_takes_every_candidate(project: Project, preset: str) -> None:
    init(str(project.root), preset=preset, environment=os.environ, hooks=False)
    for name in ("adr-tools", "changelog", "docs", "markers"):
        laid(project, name)

    text = "\n".join(json.dumps(row) for row in rows(project))
    done = remember_batch(project.open(), text, AUTHOR)["results"]

    assert [each for each in done if "error" in each] == []
    assert check(project.open())["problems"] == []


def test_a_type_that_was_renamed_is_known_by_what_it_holds(project: Project) -> None:
    init(str(project.root), preset="engram", environment=os.environ, hooks=False)
    run(project.root, "vocabulary", "rename", "decision", "choice")
    laid(project, "adr-tools")

    assert {row["type"] for row in rows(project)} == {"choice"}


# Writing


def test_writing_all_of_them_is_for_a_person_and_says_so_to_an_agent(project: Project) -> None:
    laid(project, "madr")

    refused = run(project.root, "digest", "--write", "--json", extra={"CLAUDECODE": "1"})

    assert refused.returncode == 3
    assert told(refused)["error"]["code"] == "person-only"
    assert list_notes(project.open(), Wanted())["total"] == 0


def test_a_person_writes_all_of_them_and_they_wait_for_review(project: Project) -> None:
    laid(project, "adr-tools")
    put(project, "a.py", "".join(f"# TODO: {number} has to be done\n" for number in range(1000, 1100)))

    done = run(project.root, "digest", "--write", "--json")
    again = run(project.root, "digest", "--write", "--quiet")

    assert (again.returncode, again.stderr) == (0, "")
    results = told(done)["results"]
    assert len(results) == 106 and not [each for each in results if "error" in each]
    notes = list_notes(project.open(), Wanted())["notes"]
    assert {note["name"] for note in notes} == {each["name"] for each in results if each["created"]}
    assert "unreviewed" in {mark for note in notes for mark in note["marks"]}
    assert "replaces" in {link["verb"] for link in show(project.open(), "store-orders-in-sqlite")["links_out"]}


def test_nominating_writes_nothing_but_the_cache(project: Project) -> None:
    laid(project, "madr")
    project.note("one")
    committed(project, "A note")

    run(project.root, "digest")

    assert project.git("status", "--porcelain") == ""
    assert sorted(os.listdir(project.notes)) == [".cache", "decision"]


def test_nothing_to_nominate_is_done_well(project: Project) -> None:
    done = run(project.root, "digest", "--json")

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "Nothing to nominate.\n")
    assert told(run(project.root, "remember", "--batch", "-", "--json", given=done.stdout)) == {"results": []}


def test_a_batch_that_is_given_twice_writes_nothing_twice(project: Project) -> None:
    laid(project, "madr")
    text = run(project.root, "digest").stdout
    first = told(run(project.root, "remember", "--batch", "-", "--json", given=text))["results"]

    again = told(run(project.root, "remember", "--batch", "-", "--json", given=text))["results"]

    assert all(each["created"] for each in first)
    assert {each["error"]["code"] for each in again} == {"name-taken"}
    assert list_notes(project.open(), Wanted())["total"] == 5


# Hostile


@pytest.mark.parametrize(
    "name",
    ["two\nlines.py", "tab\there.py", "quote'\"`.py", "-rf.py", "a::b.py", "x@1234567", "\u202egnp.py", "[[x]].py"],
)
def test_no_name_of_a_file_breaks_a_line(project: Project, name: str) -> None:
    put(project, name, "# TODO: look at this file again\n")
    put(project, f"adr/0001-{name}.md", "# Keep it\n\n## Status\n\nAccepted\n")

    lines = "\n".join(json.dumps(row) for row in rows(project))
    done = remember_batch(project.open(), lines, AUTHOR)["results"]

    assert all(each.get("created") for each in done), done


def test_a_name_that_is_no_text_is_passed_over(project: Project) -> None:
    put(project, "a.py", "# TODO: look at this file again\n")
    (project.root / os.fsdecode(b"b\xff.py")).write_text("# TODO: this file has no name\n")

    assert titles(project) == ["look at this file again"]


def test_a_message_that_looks_like_the_next_commit_is_a_message(project: Project) -> None:
    fake = "\x01" + "a" * 40
    committed(project, f"One\n\n{fake} because of a reason that is long enough to be one.\n\n{fake}")
    committed(project, "Two\n\nThis reverts commit " + "0" * 40 + ".\n\x1b[31mbecause\x1b[0m of colours in it")

    done = run(project.root, "digest")

    assert [json.loads(line)["title"] for line in done.stdout.splitlines()] == ["Taken back: Two", "One"]
    assert "\x1b" not in done.stdout


def test_a_subject_of_any_length_is_read_in_time(project: Project) -> None:
    committed(project, f"Choose{' ' * 60_000}it\n\nThis is so because of a reason that is long enough.")
    committed(project, f"Revert{' (' * 60_000}\n\nThis reverts commit {'0' * 40}, which gave no reason.")

    began = time.process_time()
    found = titles(project)

    assert len(found) == 2 and time.process_time() - began < 3


@given(st.text(max_size=300), st.sampled_from(["0001-a.md", "20240101-b.md", "c.md"]))
def test_no_text_is_too_strange_for_a_record(text: str, name: str) -> None:
    for whole in (text, f"---\n{text}\n---\n# T\n## Status\n{text}", f"# {text}\n## Status\nSuperseded by {text}\n"):
        record = adr.parsed(f"adr/{name}", whole)

        assert record is None or (record.title and "\n" not in record.title and len(record.title) <= 200)


@given(st.text(max_size=200), st.sampled_from(["a.py", "b.md", "c.yaml", "d.c", "noending"]))
def test_no_text_is_too_strange_for_a_marker(text: str, path: str) -> None:
    for whole in (f"# TODO: {text}", f"/* FIXME {text}\n * {text} */", f"{text}TODO{text}"):
        for each in markers.found(path, whole):
            assert each.title.strip() and "\n" not in each.title and len(each.title) <= 200


def test_what_is_written_is_told_how_to_be_committed_and_taken_back(project: Project) -> None:
    (project.root / "a.py").write_text("x = 1  # FIXME: the lock is never freed\n")

    done = run(project.root, "digest", "--write")

    assert (
        "gitmem checkpoint Digest --session digest-" in done.stderr and "gitmem undo --session digest-" in done.stderr
    )

"""The merge driver, as real Git calls it: notes merge by field, and what goes wrong leaves Git's own markers."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import SOURCE, Project, command, environment, note_text, run, told
from hooked import committed, gitted, install, script

from gitmem.notes.frontmatter import parse
from gitmem.operations.setup import FILES
from gitmem.storage import failures
from gitmem.storage import git as repositories

NOTE = "decision/plain-files.md"
BODY = "First paragraph.\n\nSecond paragraph.\n\nThird paragraph."
GITS_OWN = "<<<<<<< ours\n"


@pytest.fixture
def merging(project: Project) -> Project:
    """Returns a project whose memory git merges by field, with one note in its first commit."""
    for name, text in FILES.items():
        project.write(name, text)
    project.note("plain-files", BODY, tags="[storage]", summary="Files.")
    install(project.root)
    committed(project)
    return project


def apart(project: Project, ours: Callable[[str], str], theirs: Callable[[str], str]) -> None:
    """Leaves main with our version of the note and the branch `theirs` with the other, one commit each."""
    path = project.notes / NOTE
    begun = path.read_text()
    gitted(project.root, "switch", "-qc", "theirs")
    path.write_text(theirs(begun))
    committed(project, message="theirs")
    gitted(project.root, "switch", "-q", "main")
    path.write_text(ours(begun))
    committed(project, message="ours")


def replaced(*pairs: tuple[str, str]) -> Callable[[str], str]:
    def replace(text: str) -> str:
        for old, new in pairs:
            assert old in text
            text = text.replace(old, new)
        return text

    return replace


TAGGED_HERE = replaced(("[storage]", "[storage, git]"), ("First paragraph.", "First paragraph, ours."))
TAGGED_THERE = replaced(("[storage]", "[storage, speed]"), ("Third paragraph.", "Third paragraph, theirs."))
BOTH = "First paragraph, ours.\n\nSecond paragraph.\n\nThird paragraph, theirs."


def by_merge(project: Project, bin: Path) -> "subprocess.CompletedProcess[str]":
    return gitted(project.root, "merge", "-q", "theirs", "-m", "merged", bin=bin, check=False)


def by_rebase(project: Project, bin: Path) -> "subprocess.CompletedProcess[str]":
    return gitted(project.root, "rebase", "-q", "theirs", bin=bin, check=False)


def by_cherry_pick(project: Project, bin: Path) -> "subprocess.CompletedProcess[str]":
    return gitted(project.root, "cherry-pick", "theirs", bin=bin, check=False)


def by_stash_pop(project: Project, bin: Path) -> "subprocess.CompletedProcess[str]":
    """Makes theirs a change of the working tree that is stashed, then applied on ours."""
    gitted(project.root, "switch", "-q", "--detach", "main~")
    gitted(project.root, "checkout", "theirs", "--", ".memory")
    gitted(project.root, "stash", "-q")
    gitted(project.root, "switch", "-q", "main")
    return gitted(project.root, "stash", "pop", bin=bin, check=False)


WAYS = (by_merge, by_rebase, by_cherry_pick, by_stash_pop)
Way = Callable[[Project, Path], "subprocess.CompletedProcess[str]"]


@pytest.mark.parametrize("way", WAYS)
def test_both_sides_change_fields_and_body_and_all_of_it_is_kept(way: Way, merging: Project, bin: Path) -> None:
    apart(merging, TAGGED_HERE, TAGGED_THERE)

    done = way(merging, bin)

    document = parse((merging.notes / NOTE).read_bytes(), NOTE)
    assert done.returncode == 0, done.stdout + done.stderr
    assert set(document.fields["tags"]) == {"storage", "git", "speed"} and document.body == BOTH
    assert gitted(merging.root, "ls-files", "--unmerged").stdout == ""


@pytest.mark.parametrize("way", WAYS)
def test_a_true_conflict_stops_git_and_the_file_still_parses(way: Way, merging: Project, bin: Path) -> None:
    apart(
        merging,
        replaced(("Files.", "Ours."), ("Second paragraph.", "Our second.")),
        replaced(("Files.", "Theirs."), ("Second paragraph.", "Their second.")),
    )

    done = way(merging, bin)

    document = parse((merging.notes / NOTE).read_bytes(), NOTE)
    text = (merging.notes / NOTE).read_text()
    said = f"gitmem: .memory/{NOTE}: both sides changed summary and body; gitmem resolve-conflicts says where.\n"
    assert done.returncode != 0 and said in done.stderr, done.stderr
    assert {document.fields["summary"]} < {"Ours.", "Theirs."}
    assert "\n# theirs: summary: " in text and "<<<<<<< ours\n" in text and ">>>>>>> theirs\n" in text
    assert NOTE in gitted(merging.root, "diff", "--name-only", "--diff-filter=U").stdout


def test_case_72_two_branches_that_add_notes_merge_clean(merging: Project, bin: Path) -> None:
    gitted(merging.root, "switch", "-qc", "theirs")
    committed(merging, "theirs-one", "theirs-two")
    gitted(merging.root, "switch", "-q", "main")
    committed(merging, "ours-one", "ours-two")

    done = by_merge(merging, bin)

    names = {path.stem for path in (merging.notes / "decision").iterdir()}
    assert done.returncode == 0
    assert names == {"plain-files", "ours-one", "ours-two", "theirs-one", "theirs-two"}


def test_case_74_tags_are_a_set_and_never_a_second_key(merging: Project, bin: Path) -> None:
    apart(merging, TAGGED_HERE, TAGGED_THERE)

    by_merge(merging, bin)

    text = (merging.notes / NOTE).read_text()
    assert text.count("tags:") == 1
    assert told(run(merging.root, "check", "--json"))["problems"] == []


def test_case_74_what_union_doubles_is_named_by_check(merging: Project, bin: Path) -> None:
    merging.write(".gitattributes", "*.md merge=union\n")
    committed(merging)
    apart(merging, TAGGED_HERE, TAGGED_THERE)

    by_merge(merging, bin)

    problems = told(run(merging.root, "check", "--json"))["problems"]
    assert [problem["code"] for problem in problems if problem["severity"] == "error"] == ["duplicate-key"]


def test_links_merge_by_the_verbs_of_the_projects_own_vocabulary(merging: Project, bin: Path) -> None:
    declare(merging.root)
    (merging.notes / NOTE).write_text(note_text("plain-files", BODY, cites="[one]"))
    committed(merging, "one", "two", "three")
    apart(merging, replaced(("[one]", "[one, two]")), replaced(("[one]", "[one, three]")))

    done = by_merge(merging, bin)

    assert done.returncode == 0
    assert parse((merging.notes / NOTE).read_bytes(), NOTE).fields["cites"] == ["one", "two", "three"]


def declare(root: Path) -> None:
    """Declares a verb that no shipped vocabulary has."""
    assert run(root, "vocabulary", "add", "verb", "cites").returncode == 0


def test_a_vocabulary_in_conflict_leaves_the_default_one(merging: Project, bin: Path) -> None:
    merging.write("config.toml", "<<<<<<< ours\n[policy]\n=======\n>>>>>>> theirs\n")
    (merging.notes / NOTE).write_text(note_text("plain-files", BODY, because="[one]"))
    committed(merging, "one", "two", "three")
    apart(merging, replaced(("[one]", "[one, two]")), replaced(("[one]", "[one, three]")))

    done = by_merge(merging, bin)

    assert done.returncode == 0
    assert parse((merging.notes / NOTE).read_bytes(), NOTE).fields["because"] == ["one", "two", "three"]


def test_a_memory_below_the_top_level_has_its_own_vocabulary(merging: Project, bin: Path) -> None:
    inner = merging.root / "pkg" / "a b" / ".memory"
    (inner / "decision").mkdir(parents=True)
    (inner / ".gitattributes").write_text(FILES[".gitattributes"])
    declare(inner.parent)
    path = inner / "decision" / "x.md"
    path.write_text(note_text("x", cites="[one]"))
    committed(merging)
    gitted(merging.root, "switch", "-qc", "theirs")
    path.write_text(note_text("x", cites="[one, three]"))
    committed(merging)
    gitted(merging.root, "switch", "-q", "main")
    path.write_text(note_text("x", cites="[one, two]"))
    committed(merging)

    done = by_merge(merging, bin)

    assert done.returncode == 0, done.stderr
    assert parse(path.read_bytes(), "x.md").fields["cites"] == ["one", "two", "three"]


def test_merge_bases_that_conflict_do_not_nest_their_markers(merging: Project, bin: Path) -> None:
    apart(merging, replaced(("Second paragraph.", "Ours.")), replaced(("Second paragraph.", "Theirs.")))
    path = merging.notes / NOTE
    text = path.read_text()
    for side, other in (("main", "theirs"), ("theirs", "main~0")):
        gitted(merging.root, "switch", "-q", side)
        tip = gitted(merging.root, "rev-parse", other if side == "main" else "main^1").stdout.strip()
        gitted(merging.root, "merge", "-q", "-s", "ours", tip, "-m", "crossed")
        path.write_text(text.replace("Ours.", f"Settled on {side}."))
        gitted(merging.root, "commit", "-qa", "--amend", "-m", "crossed")
    gitted(merging.root, "switch", "-q", "main")

    done = by_merge(merging, bin)

    merged = path.read_text()
    assert done.returncode == 1
    assert merged.count("<<<<<<<") == merged.count(">>>>>>>") == 1
    assert "Settled on main." in merged and "Settled on theirs." in merged


# What goes wrong

NO_PYTHON_PATH = f'#!/bin/sh\nexec "{sys.executable}" -I -S -m gitmem "$@"\n'
DIES = f"#!/bin/sh\nkill -9 $$\nPYTHONPATH='{SOURCE}'\n"
BROKEN: dict[str, str | None] = {
    "missing": None,
    "cannot be imported": NO_PYTHON_PATH,
    "crashes": "#!/bin/sh\nexit 3\n",
    "knows no such command": "#!/bin/sh\nexit 2\n",
    "killed": DIES,
    "not to be run": "#!/nowhere/python\n",
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_driver_leaves_gits_own_markers(how: str, way: Way, merging: Project, bin: Path) -> None:
    (bin / "gitmem").unlink()
    if BROKEN[how]:
        script(bin / "gitmem", str(BROKEN[how]))
    apart(merging, replaced(("Second paragraph.", "Ours.")), replaced(("Second paragraph.", "Theirs.")))

    done = way(merging, bin)

    text = (merging.notes / NOTE).read_text()
    assert done.returncode != 0
    assert text.count(GITS_OWN) == text.count(">>>>>>> theirs\n") == 1 and "Ours.\n" in text and "Theirs.\n" in text
    assert NOTE in gitted(merging.root, "diff", "--name-only", "--diff-filter=U").stdout


def test_a_broken_driver_still_merges_what_lines_can(merging: Project, bin: Path) -> None:
    script(bin / "gitmem", NO_PYTHON_PATH)
    apart(
        merging,
        replaced(("First paragraph.", "First, ours.")),
        replaced(("Third paragraph.", "Third, theirs.")),
    )

    done = by_merge(merging, bin)

    body = parse((merging.notes / NOTE).read_bytes(), NOTE).body
    assert done.returncode == 0
    assert body == "First, ours.\n\nSecond paragraph.\n\nThird, theirs."


def test_a_bug_in_the_driver_is_a_status_of_its_own_and_doctor_tells(merging: Project, bin: Path) -> None:
    broken = "import gitmem.notes.merge as m; m._merged_note = None; import gitmem.faces.cli as c; c.main()"
    script(bin / "gitmem", f'#!/bin/sh\nPYTHONPATH="{SOURCE}" exec "{sys.executable}" -c "{broken}" "$@"\n')
    apart(merging, replaced(("Second paragraph.", "Ours.")), replaced(("Second paragraph.", "Theirs.")))

    done = by_merge(merging, bin)

    repository = repositories.find(str(merging.root))
    line = next(row for row in told(run(merging.root, "doctor", "--json"))["checks"] if row["name"] == "hooks")
    assert repository is not None and len(failures.read(repository)) == 1
    assert GITS_OWN in (merging.notes / NOTE).read_text()
    assert "Traceback" not in done.stderr and "hint: Git merges its lines instead.\n" in done.stderr
    assert line["state"] == "warning" and f"merge-driver .memory/{NOTE} was not merged by field" in line["message"]


def driven(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command("merge-driver", "--", *words),
        cwd=folder,
        env=environment(),
        check=False,
        capture_output=True,
        text=True,
    )


def three(folder: Path, base: str, ours: str, theirs: str) -> list[str]:
    for name, text in (("base", base), ("ours", ours), ("theirs", theirs)):
        (folder / name).write_text(text)
    return ["base", "ours", "theirs"]


def test_the_status_says_what_became_of_the_files(tmp_path: Path) -> None:
    base, ours, theirs = (note_text("x", BODY.replace("Second", word)) for word in ("Second", "Ours", "Theirs"))
    path = ".memory/decision/x.md"

    clean = driven(tmp_path, *three(tmp_path, base, ours, base), "7", path)
    conflict = driven(tmp_path, *three(tmp_path, base, ours, theirs), "8", path)
    marked = (tmp_path / "ours").read_text()
    gone = driven(tmp_path, "base", "ours", "nowhere", "7", path)
    bad = driven(tmp_path, *three(tmp_path, base, ours, theirs), "seven", path)

    assert [done.returncode for done in (clean, conflict, gone, bad)] == [0, 10, 3, 3]
    assert clean.stdout == clean.stderr == conflict.stdout == ""
    assert "\n<<<<<<<< ours\n" in marked and "\n========\n" in marked and "\n>>>>>>>> theirs\n" in marked
    assert (tmp_path / "ours").read_text() == ours and sorted(os.listdir(tmp_path)) == ["base", "ours", "theirs"]


def test_the_driver_loads_nothing_that_it_does_not_need(tmp_path: Path) -> None:
    base, theirs = note_text("x", tags="[a]"), note_text("x", tags="[a, b]")
    files = three(tmp_path, base, note_text("x", tags="[a, c]"), theirs)
    loads = "import sys; from gitmem.faces.cli import main; main(sys.argv[1:]); print(*sorted(sys.modules))"

    done = subprocess.run(
        [sys.executable, "-c", loads, "merge-driver", "--", *files, "7", ".memory/decision/x.md"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )

    heavy = {
        "click",
        "yaml",
        "frontmatter",
        "msgspec",
        "tantivy",
        "numpy",
        "subprocess",
        "dulwich",
        "tomllib",
        "pathlib",
    }
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert "tags: [a, c, b]" in (tmp_path / "ours").read_text()
    assert not heavy & loaded


def test_case_73_a_clone_without_the_driver_is_warned_of_and_what_it_conflicts_is_flagged(
    merging: Project, tmp_path: Path, bin: Path
) -> None:
    apart(merging, TAGGED_HERE, TAGGED_THERE)
    gitted(tmp_path, "clone", "-q", str(merging.root), "clone")
    clone = tmp_path / "clone"

    doctor = told(run(clone, "doctor", "--json"))["checks"]
    done = gitted(clone, "merge", "-q", "origin/theirs", bin=bin, check=False)
    checked = told(run(clone, "check", "--json"))["problems"]

    assert next(row for row in doctor if row["name"] == "merge")["state"] == "warning"
    assert done.returncode == 1 and "<<<<<<< HEAD\n" in (clone / ".memory" / NOTE).read_text()
    assert [problem["code"] for problem in checked] == ["conflict-markers"]
    assert "Run gitmem resolve-conflicts" in checked[0]["hint"]


def crossed(
    project: Project, bin: Path, change: Callable[[str, str], str], settle: Callable[[str, str], str]
) -> "subprocess.CompletedProcess[str]":
    """Merges two branches that merged each other's first commit before and settled each conflict then."""
    path = project.notes / NOTE
    begun = path.read_text()
    for branch, word in (("theirs", "Theirs"), ("main", "Ours")):
        gitted(project.root, "switch", "-q", *(["-c"] if branch != "main" else []), branch)
        path.write_text(change(begun, word))
        committed(project, message=word)
    firsts = [gitted(project.root, "rev-parse", name).stdout.strip() for name in ("main", "theirs")]
    for branch, other, word in (("theirs", firsts[0], "Theirs"), ("main", firsts[1], "Ours")):
        gitted(project.root, "switch", "-q", branch)
        gitted(project.root, "merge", "-q", other, check=False, bin=bin)
        path.write_text(settle(begun, word))
        committed(project, message="settled")
    return gitted(project.root, "merge", "theirs", "-m", "merged", bin=bin, check=False)


@pytest.mark.parametrize("place", [".gitattributes", ".memory/.gitattributes"])
@pytest.mark.parametrize("length", [7, 12])
def test_branches_that_cross_conflict_where_each_settled_a_field_its_own_way(
    place: str, length: int, merging: Project, bin: Path
) -> None:
    with open(merging.root / place, "a") as file:
        file.write(f"*.md conflict-marker-size={length}\n")
    committed(merging)

    def change(text: str, word: str) -> str:
        return text.replace("Files.", word).replace("Second", word)

    done = crossed(merging, bin, change, change)

    text = (merging.notes / NOTE).read_text()
    said = f"gitmem: .memory/{NOTE}: both sides changed summary and body; gitmem resolve-conflicts says where.\n"
    assert done.returncode == 1 and done.stderr == said
    assert "summary: Ours\n# theirs: summary: Theirs\n" in text and "<" * length + " ours\nOurs paragraph." in text
    assert gitted(merging.root, "log", "-1", "--format=%s").stdout == "settled\n"


def test_branches_that_cross_and_agree_merge_clean(merging: Project, bin: Path) -> None:
    def change(text: str, word: str) -> str:
        return text.replace("Files.", word)

    done = crossed(merging, bin, change, lambda text, word: change(text, "Both"))

    assert done.returncode == 0 and done.stderr == ""
    assert parse((merging.notes / NOTE).read_bytes(), NOTE).fields["summary"] == "Both"

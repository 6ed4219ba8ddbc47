"""Files on a disk that refuses: written whole or not at all, read where they can be, never outside the folder."""

import os
import random
import resource
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

import pytest
from conftest import SOURCE, Project, answers, environment, new_project, note_text, run, spawned, told, uncached

import gitmem
from gitmem.errors import GitmemError
from gitmem.operations.read import list_notes
from gitmem.operations.recall import recall
from gitmem.search.query import Wanted
from gitmem.storage import disk

NOBODY = 65534


def code(act: Callable[[], object]) -> str | None:
    """Returns the code with which an act was refused, None where it was not."""
    try:
        act()
    except GitmemError as error:
        return error.code
    return None


def rows(folder: Path) -> list[str]:
    return [row.partition("\0")[0] for row in disk.scan(str(folder)).rows]


AS_NOBODY = """
import contextlib, io, os, select, sys, tempfile
from gitmem.faces.cli import main

# All that is imported late is imported before the way to it may close.
with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())):
    os.mkdir(folder + "/.memory")
    for words in (["remember", "a", "--type", "insight"], ["revise", "a", "--summary", "b"], ["recall", "a"], ["list"]):
        main(["-C", folder, *words, "--json"])
    main(["-C", folder, "show", "missing", "--json"])
if os.geteuid() == 0:
    os.setegid(65534)
    os.seteuid(65534)
sys.exit(main(sys.argv[1:]))
"""


def as_nobody(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Returns what a gitmem command came to for a user whom permissions bind, also where the tests run as root."""
    call = [sys.executable, "-c", AS_NOBODY, "-C", str(folder), *words]
    open_to_all = environment(HOME=str(folder), PYTHONPATH=str(folder.parent / "package"))
    return subprocess.run(call, check=False, cwd="/", capture_output=True, text=True, env=open_to_all, timeout=60)


@pytest.fixture
def open_project() -> Iterator[Project]:
    """A project that belongs to the user that as_nobody acts as, and gitmem where that user can read it."""
    with TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        copytree(Path(gitmem.__file__).parent, Path(folder) / "package" / "gitmem")
        project = new_project(Path(folder) / "project")
        project.note("animals", "The quokka digs.")
        project.note("burrow", "Rain fell on the tent.", type="caution")
        for path in [project.root, *project.root.rglob("*")]:
            os.chown(path, NOBODY if os.geteuid() == 0 else -1, -1)
        yield project
        for path in [project.notes, *project.notes.rglob("*")]:
            path.chmod(0o755)


# Scanning


def test_a_scan_tells_notes_from_what_is_none(tmp_path: Path) -> None:
    for name in (
        "a.md",
        "b/c.md",
        "b/README.md",
        "readme.md",
        "note.txt",
        ".hidden.md",
        ".cache/d.md",
        "B.MD",
        "folder.md/e.md",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "link.md").symlink_to(tmp_path / "a.md")
    (tmp_path / "linked").symlink_to(tmp_path / "b")
    os.mkfifo(tmp_path / "pipe.md")

    scan = disk.scan(str(tmp_path))

    assert rows(tmp_path) == ["a.md", "b/c.md", "folder.md/e.md"]
    assert set(scan.strays) == {
        ("B.MD", "other"),
        ("link.md", "link"),
        ("linked", "link"),
        ("note.txt", "other"),
        ("pipe.md", "other"),
    }
    assert scan.unreadable == []


def test_a_scan_and_a_listing_agree_on_odd_names(tmp_path: Path) -> None:
    odd = (b"line\nfeed.md", b"line\nfolder/b.md", b"latin-\xe9.md", b"\x1b[31m.md", b"x\\y.md", b"x\\z/y.md")
    for name in (b"a.md", "é.md".encode(), *odd):
        path = os.path.join(os.fsencode(tmp_path), name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        open(path, "wb").close()

    listed = disk.note_paths(str(tmp_path))

    assert listed == rows(tmp_path) == ["a.md", "é.md"]


@pytest.mark.parametrize("seed", range(5))
def test_a_scan_that_remembers_sees_what_one_does_that_was_never_made_before(tmp_path: Path, seed: int) -> None:
    dice, known = random.Random(seed), disk.Remembered()
    names = [f"{folder}{letter}.md" for folder in ("", "x/", "x/y/") for letter in "abc"]
    (tmp_path / "x/y").mkdir(parents=True)
    for _ in range(60):
        path, act = tmp_path / dice.choice(names), dice.randrange(6)
        there = path.is_symlink() or path.exists()
        if act == 0 and there:
            path.unlink()
        elif act == 1 and there:
            os.replace(path, tmp_path / dice.choice(names))
        elif act == 2 and not there:
            path.symlink_to("a.md")
        elif act == 3 and path.is_file():
            os.truncate(path, disk.LARGEST + dice.randrange(2))
        elif not path.is_symlink():
            path.write_text("ab"[dice.randrange(2)])

        assert disk.scan(str(tmp_path), known) == disk.scan(str(tmp_path))


def test_a_file_over_the_limit_is_named_and_not_a_row(tmp_path: Path) -> None:
    with open(tmp_path / "big.md", "wb") as file:
        file.truncate(disk.LARGEST + 1)

    scan = disk.scan(str(tmp_path))

    assert (scan.rows, scan.strays) == ([], [("big.md", "large")])


# Writing


def test_a_saved_file_is_whole_and_leaves_no_temporary_one(tmp_path: Path) -> None:
    disk.save(str(tmp_path), "a/b.md", b"one")
    disk.save(str(tmp_path), "a/b.md", b"two")

    assert (tmp_path / "a/b.md").read_bytes() == b"two"
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b.md"]


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o444, 0o755])
def test_saving_keeps_the_mode(tmp_path: Path, mode: int) -> None:
    (tmp_path / "a.md").touch()
    (tmp_path / "a.md").chmod(mode)

    disk.save(str(tmp_path), "a.md", b"two")

    assert stat.S_IMODE((tmp_path / "a.md").stat().st_mode) == mode


def test_what_a_killed_writer_left_is_cleaned_by_the_next_write(tmp_path: Path) -> None:
    (tmp_path / disk.TEMPORARY).write_bytes(b"half of a no")
    (tmp_path / disk.TEMPORARY).chmod(0o444)

    disk.save(str(tmp_path), "a.md", b"whole")

    assert [path.name for path in tmp_path.iterdir()] == ["a.md"]


def test_case_23_a_link_in_the_temporary_files_place_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / disk.TEMPORARY).symlink_to(victim)

    disk.save(str(folder), "a.md", b"text")

    assert (folder / "a.md").read_bytes() == b"text"
    assert victim.read_text() == "precious"


@pytest.mark.parametrize("path", ["../a.md", "/etc/a.md", "b/../../a.md", "b\\a.md", "a\0.md", "..", "b/.."])
def test_case_21_no_path_leaves_the_folder(tmp_path: Path, path: str) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()

    codes = [
        code(lambda: disk.inside(str(folder), path)),
        code(lambda: disk.save(str(folder), path, b"")),
        code(lambda: disk.remove(str(folder), path)),
        code(lambda: disk.move(str(folder), "a.md", path)),
    ]

    assert codes == ["path-escapes"] * 4
    assert [entry.name for entry in tmp_path.iterdir()] == ["notes"]


def test_case_23_no_write_goes_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "folder").symlink_to(tmp_path / "outside")
    (tmp_path / "notes" / "a.md").symlink_to(tmp_path / "outside" / "a.md")

    codes = [
        code(lambda path=path: disk.save(str(tmp_path / "notes"), path, b"text")) for path in ("folder/a.md", "a.md")
    ]

    assert codes == ["symbolic-link"] * 2
    assert list((tmp_path / "outside").iterdir()) == []


def test_a_move_never_replaces(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("a")
    (tmp_path / "b.md").write_text("b")

    refused = code(lambda: disk.move(str(tmp_path), "a.md", "b.md"))

    assert refused == "name-taken"
    assert (tmp_path / "b.md").read_text() == "b"


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    with disk.Lock(str(tmp_path)):
        refused = code(lambda: disk.Lock(str(tmp_path), wait=0.05).__enter__())

    assert refused == "busy"
    assert code(lambda: disk.Lock(str(tmp_path), wait=0).__enter__()) is None
    assert list(tmp_path.iterdir()) == []


# A full disk


def limited() -> None:
    """Lets files grow no further than a hundred bytes: a write beyond fails as on a full disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def test_case_34_a_write_that_does_not_fit_leaves_the_old_note(project: Project) -> None:
    path = project.note("animals", "The quokka digs.")
    old = path.read_bytes()
    words = [sys.executable, "-m", "gitmem", "revise", "animals", "--body", "The quokka digs. " * 40, "--json"]

    done = subprocess.run(
        words, check=False, cwd=project.root, capture_output=True, text=True, env=environment(), preexec_fn=limited
    )

    assert (done.returncode, told(done)["error"]["code"]) == (3, "disk")
    assert path.read_bytes() == old
    assert [entry.name for entry in path.parent.iterdir()] == ["animals.md"]


FULL = """
import os, subprocess, sys
folder, python = sys.argv[1], sys.argv[2]
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder], check=True)
os.makedirs(folder + "/.memory/decision")
for number in range(80):
    with open(f"{folder}/.memory/decision/note-{number}.md", "w") as file:
        file.write(f"The quokka {number} digs.")
def fill():
    with open(folder + "/filler", "wb", buffering=0) as file:
        try:
            while file.write(b"x" * 4096): pass
        except OSError:
            pass
def gitmem(*words):
    done = subprocess.run([python, "-m", "gitmem", *words], cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr
fill()
cold = gitmem("recall", "quokka", "--json")
tries = [gitmem("recall", "quokka", "--json") for _ in range(3)]
written = gitmem("remember", "Wombats dig", "--type", "insight", "--body", "dig " * 4000, "--json")
left = [name for _, _, names in os.walk(folder + "/.memory") for name in names if not name.endswith(".md")]
os.unlink(folder + "/filler")
later = gitmem("recall", "quokka", "--json")
import json
print(json.dumps([cold, tries, written, left, later]))
"""


def test_case_34_a_full_disk_reads_all_and_says_what_it_cannot_write(tmp_path: Path) -> None:
    import json

    command = ["unshare", "--mount", "--map-root-user", sys.executable, "-c", FULL, str(tmp_path), sys.executable]
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment(), timeout=120)
    if "unshare" in done.stderr and done.returncode:
        pytest.skip(f"no mount of one's own here: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr

    cold, tries, written, left, later = json.loads(done.stdout)

    assert cold[0] == 0 and json.loads(cold[1])["verdict"] == "strong"
    assert [attempt[:2] for attempt in [*tries, later]] == [cold[:2]] * 4
    assert (written[0], json.loads(written[1])["error"]["code"]) == (3, "disk")
    assert not [name for name in left if name == disk.TEMPORARY or name.rpartition(".")[2].isdigit()]


# Permissions


def test_case_34_a_cache_that_cannot_be_written_is_read_and_laid_over(open_project: Project) -> None:
    before = told(as_nobody(open_project.root, "recall", "quokka", "--json"))
    for path in [open_project.cache, *open_project.cache.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    stamp = (open_project.cache / "current").stat()

    after = as_nobody(open_project.root, "recall", "quokka", "--json")
    open_project.note("more", "A second quokka digs.")
    more = as_nobody(open_project.root, "recall", "second quokka", "--json")

    assert told(after) == before
    assert told(more)["hits"][0]["name"] == "more"
    assert (open_project.cache / "current").stat().st_mtime_ns == stamp.st_mtime_ns


@pytest.mark.parametrize("mode", [0o000, 0o200, 0o300, 0o444])
def test_case_34_a_cache_that_cannot_be_opened_is_no_cache(open_project: Project, mode: int) -> None:
    before = told(as_nobody(open_project.root, "recall", "quokka", "--json"))
    open_project.cache.chmod(mode)

    after = as_nobody(open_project.root, "recall", "quokka", "--json")

    assert told(after) == before
    open_project.cache.chmod(0o755)


def test_a_read_only_folder_is_read_and_refuses_a_write(open_project: Project) -> None:
    for path in [open_project.notes, *open_project.notes.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)

    found = as_nobody(open_project.root, "recall", "quokka", "--json")
    written = as_nobody(open_project.root, "revise", "animals", "--summary", "They dig.", "--json")

    assert told(found)["hits"][0]["name"] == "animals"
    assert (written.returncode, told(written)["error"]["code"]) == (3, "disk")
    assert sorted(path.name for path in open_project.notes.iterdir()) == ["caution", "decision"]


def test_a_folder_that_cannot_be_read_keeps_its_last_known_notes(open_project: Project) -> None:
    as_nobody(open_project.root, "recall", "quokka")
    (open_project.notes / "decision").chmod(0o000)

    found = told(as_nobody(open_project.root, "recall", "quokka", "--json"))
    (open_project.notes / "decision").chmod(0o755)
    again = told(as_nobody(open_project.root, "recall", "quokka", "--json"))

    assert found["hits"][0]["name"] == "animals"
    assert found["fresh"] is False
    assert [(warning["code"], warning["name"]) for warning in found["warnings"]] == [("unreadable-folder", "decision/")]
    assert (again["fresh"], again["warnings"]) == (True, [])


def test_a_file_that_cannot_be_read_keeps_its_last_known_note(open_project: Project) -> None:
    as_nobody(open_project.root, "recall", "quokka")
    (open_project.notes / "decision" / "animals.md").chmod(0o000)

    found = told(as_nobody(open_project.root, "recall", "quokka", "--json"))
    listed = told(as_nobody(open_project.root, "list", "--json"))
    (open_project.notes / "decision" / "animals.md").unlink()
    gone = told(as_nobody(open_project.root, "recall", "quokka", "--json"))

    assert found["hits"][0]["name"] == "animals"
    assert (found["fresh"], [warning["code"] for warning in found["warnings"]]) == (False, ["unreadable"])
    assert listed["total"] == 2
    assert (gone["hits"], gone["fresh"]) == ([], True)


def test_a_folder_of_somebody_else_gets_no_cache(project: Project) -> None:
    project.note("animals", "The quokka digs.")
    script = """
import os, sys
if os.geteuid() == 0:
    os.chown(sys.argv[1] + "/.memory", 65534, 65534)
from gitmem.search.cache import place
print(place(sys.argv[1] + "/.memory", uid=os.geteuid() if os.geteuid() == 0 else os.geteuid() + 1).cache)
"""

    process = spawned(script, str(project.root))

    assert process.communicate()[0] == "None\n"
    assert not project.cache.exists()


# Something else in its place


@pytest.mark.parametrize("what", ["file", "link", "loop", "pipe"])
def test_case_34_whatever_stands_in_the_caches_place_changes_no_answer(
    project: Project, tmp_path: Path, what: str
) -> None:
    project.note("animals", "The quokka digs.")
    (tmp_path / "elsewhere").mkdir()
    make = {
        "file": project.cache.touch,
        "link": lambda: project.cache.symlink_to(tmp_path / "elsewhere"),
        "loop": lambda: project.cache.symlink_to(project.cache),
        "pipe": lambda: os.mkfifo(project.cache),
    }
    make[what]()

    assert project.names("quokka") == ["animals"]
    assert answers(project.open()) == answers(uncached(project.open()))
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_memory_folder_that_is_a_file_is_no_memory(project: Project) -> None:
    project.notes.rmdir()
    project.notes.write_text("not a folder")

    assert code(lambda: project.open()) == "no-memory"


def test_a_nul_in_a_note_hides_neither_it_nor_others(project: Project) -> None:
    project.note("animals", "The quokka digs.")
    (project.notes / "decision" / "broken.md").write_bytes(note_text("broken", "The wom\0bat sleeps.").encode())

    listed = {note["name"] for note in list_notes(project.open(), Wanted())["notes"]}

    assert listed == {"animals", "broken"}
    assert recall(project.open(), "sleeps", Wanted())["hits"][0]["name"] == "broken"


def test_a_command_in_a_folder_that_is_gone_says_so(project: Project) -> None:
    script = "import os, sys; os.rmdir(os.getcwd()); sys.path.insert(0, sys.argv[1]); from gitmem.faces.cli import main; sys.exit(main(['list']))"
    (project.root / "gone").mkdir()

    done = subprocess.run(
        [sys.executable, "-c", script, SOURCE], check=False, cwd=project.root / "gone", capture_output=True, text=True
    )

    assert done.returncode == 2
    assert "gone" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_reply_names_the_file_that_cannot_be_written(project: Project) -> None:
    (project.notes / "insight").write_text("a file where a folder should be")

    done = run(project.root, "remember", "Wombats dig", "--type", "insight")

    assert done.returncode == 3
    assert "insight/wombats-dig.md" in done.stderr

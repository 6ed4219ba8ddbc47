"""Many processes at once, and processes killed in the middle: nothing is lost, nothing is half, no reader fails."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Project, answers, command, environment, finished, note_text, spawned, uncached

from gitmem.operations import memory as memories
from gitmem.operations.read import list_notes, show
from gitmem.search.query import Wanted
from gitmem.search.refresh import OVERLAID
from gitmem.storage import disk

WRITE = """
import os, sys, time
from gitmem.operations.memory import open_memory
from gitmem.operations.write import Author, Draft, remember
root, who, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
for number in range(count):
    memory = open_memory(root, environment=os.environ, now=int(time.time()))
    draft = Draft(title=f"Quokka {who} of litter {number}", type="insight", body=f"The quokka {number} digs.")
    print(remember(memory, draft, Author("agent", who))["name"])
"""

READ = """
import os, sys, time
from gitmem.operations.memory import open_memory
from gitmem.operations.read import list_notes
from gitmem.operations.recall import recall
from gitmem.search.query import Wanted
seen = 0
while True:
    memory = open_memory(sys.argv[1], environment=os.environ, now=int(time.time()))
    total = list_notes(memory, Wanted())["total"]
    found = recall(memory, "quokka digs", Wanted(), limit=0)
    assert seen <= total <= len(found["hits"]) and found["fresh"], (seen, total, len(found["hits"]))
    seen = total
    if total >= int(sys.argv[2]):
        break
"""

REVISE = """
import os, sys, time
from gitmem.errors import GitmemError
from gitmem.operations.memory import open_memory
from gitmem.operations.read import show
from gitmem.operations.write import Draft, revise
root, who, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
done = 0
while done < count:
    memory = open_memory(root, environment=os.environ, now=int(time.time()))
    old = show(memory, "counter")
    try:
        revise(memory, "counter", Draft(body=old["body"] + f"\\n{who} {done}"), expect=old["digest"])
        done += 1
    except GitmemError as error:
        assert error.code == "lost-update", error
"""

# Saves one long text, then another, over and over, as fast as it can.
REWRITE = """
import sys
from gitmem.storage import disk
number = 0
while True:
    with disk.Lock(sys.argv[1]):
        disk.save(sys.argv[1], "decision/long.md", f"{number}\\n".encode() * 200_000)
    number += 1
"""

INDEX = """
import os, sys, time
from gitmem.operations.memory import open_memory, ready
ready(open_memory(sys.argv[1], environment=os.environ, now=int(time.time())))
"""


def written(root: Path, processes: int, each: int) -> list[str]:
    """Returns the names that so many processes wrote at once."""
    writers = [spawned(WRITE, str(root), f"w{number}", str(each)) for number in range(processes)]
    return [name for out in finished(writers) for name in out.split()]


def all_there(project: Project, names: list[str]) -> bool:
    listed = {note["name"] for note in list_notes(project.open(), Wanted())["notes"]}
    return listed == set(names) == set(project.names("quokka digs", limit=0))


def test_case_31_eight_writers_at_once_lose_nothing(project: Project) -> None:
    names = written(project.root, 8, 25)

    assert len(set(names)) == 200
    assert all_there(project, names)
    assert answers(project.open()) == answers(uncached(project.open()))
    assert not list(project.notes.rglob(disk.TEMPORARY))


def test_case_31_eight_commands_at_once_lose_nothing(project: Project) -> None:
    commands = [command("remember", f"Quokka digs {number}", "--type", "insight") for number in range(8)]

    started = [
        subprocess.Popen(words, cwd=project.root, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for words in commands
    ]
    said = [process.communicate(timeout=60) for process in started]

    assert [process.returncode for process in started] == [0] * 8, said
    assert len(project.names("quokka digs", limit=0)) == 8


def test_case_31_the_same_title_at_once_is_one_note(project: Project) -> None:
    script = WRITE.replace("{who} of litter", "of litter")

    writers = [spawned(script, str(project.root), f"w{number}", "3") for number in range(6)]
    names = {name for out in finished(writers) for name in out.split()}

    assert len(names) == len(list(project.notes.glob("*/*.md"))) == 3


def test_case_86_readers_during_writes_never_fail_and_never_miss(project: Project) -> None:
    readers = [spawned(READ, str(project.root), "60") for _ in range(6)]

    names = written(project.root, 4, 15)

    assert list(finished(readers)) == [""] * 6
    assert all_there(project, names)


@pytest.mark.full
def test_case_86_fifty_readers_and_fifty_writers(project: Project) -> None:
    readers = [spawned(READ, str(project.root), "250") for _ in range(50)]

    names = written(project.root, 50, 5)

    assert list(finished(readers)) == [""] * 50
    assert all_there(project, names)


def test_case_86_a_note_is_never_read_half_written(project: Project) -> None:
    project.notes.joinpath("decision").mkdir()
    writer = spawned(REWRITE, str(project.notes))
    path = project.notes / "decision" / "long.md"

    while not path.exists():
        assert writer.poll() is None
    texts = [disk.read(str(path)) for _ in range(300)]
    killed(writer)

    assert all(len(set(text.split())) == 1 for text in texts)


def test_case_86_no_update_is_lost(project: Project) -> None:
    project.note("counter", "Begin.", type="insight")

    list(finished([spawned(REVISE, str(project.root), f"w{number}", "8") for number in range(5)]))

    lines = show(project.open(), "counter")["body"].split("\n")
    assert sorted(line for line in lines if line.startswith("w")) == [
        f"w{who} {turn}" for who in range(5) for turn in range(8)
    ]


# Killed in the middle


def killed(process: "subprocess.Popen[str]") -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate()


def kill_while_writing(notes: Path) -> bool:
    """Kills a writer once its own temporary file is there; returns whether one was there at its death."""
    temporary = notes / "decision" / disk.TEMPORARY
    left = made(temporary)
    writer = spawned(REWRITE, str(notes))
    while made(temporary) in (None, left):
        assert writer.poll() is None
    killed(writer)
    return made(temporary) not in (None, left)


def made(path: Path) -> tuple[int, int] | None:
    """Returns what tells one temporary file from the next, None where there is none."""
    try:
        seen = path.stat()
    except FileNotFoundError:
        return None
    return seen.st_ino, seen.st_ctime_ns


def kills_inside_a_write(project: Project, wanted: int) -> Iterator[bytes]:
    """Yields what the note holds after each of so many kills that fell inside a write."""
    path = project.notes / "decision" / "long.md"
    for _ in range(wanted * 6):
        if kill_while_writing(project.notes):
            wanted -= 1
            yield path.read_bytes() if path.exists() else b"0\n"
        if not wanted:
            return
    raise AssertionError(f"{wanted} kills never fell inside a write")


def check_kills_inside_a_write(project: Project, wanted: int) -> None:
    project.note("long", "Nothing yet.")
    project.note("animals", "The quokka digs.")

    texts = list(kills_inside_a_write(project, wanted))

    assert len(texts) == wanted
    assert all(len(set(text.split())) == 1 or text.startswith(b"---") for text in texts)
    assert project.names("quokka")[0] == "animals"
    assert list_notes(project.open(), Wanted())["total"] == 2
    with disk.Lock(str(project.notes), wait=0):
        disk.save(str(project.notes), "decision/animals.md", note_text("animals", "The wombat digs.").encode())
    assert not list(project.notes.rglob(disk.TEMPORARY))
    assert project.names("wombat")[0] == "animals"
    assert answers(project.open()) == answers(uncached(project.open()))


def test_thirty_kills_inside_a_write_leave_the_old_note_or_the_new(project: Project) -> None:
    check_kills_inside_a_write(project, 30)


@pytest.mark.full
def test_three_hundred_kills_inside_a_write_leave_the_old_note_or_the_new(project: Project) -> None:
    check_kills_inside_a_write(project, 300)


def kill_while_indexing(project: Project, delay: int) -> bool:
    """Kills a reader after it began to build or extend an index, `delay` looks later; returns whether it was at it."""
    before = set(os.listdir(project.cache)) if project.cache.exists() else set()
    current = project.cache / "current"
    stamp = current.stat().st_mtime_ns if current.exists() else 0
    reader = spawned(INDEX, str(project.root))
    while reader.poll() is None:
        now = set(os.listdir(project.cache)) if project.cache.exists() else set()
        if any(name.startswith("index-") for name in now - before):
            delay -= 1
        if delay < 0:
            break
    killed(reader)
    return (current.stat().st_mtime_ns if current.exists() else 0) == stamp


def check_kills_while_indexing(project: Project, wanted: int) -> None:
    done = 0
    for turn in range(wanted * 6):
        for number in range(OVERLAID + 6):
            project.note(f"quokka-{number}", f"The quokka digs in turn {turn}.")
        if turn % 4 == 3:
            (project.cache / "current").unlink(missing_ok=True)
        done += kill_while_indexing(project, delay=(turn * 7) % 60)
        assert len(project.names("quokka", limit=0)) == OVERLAID + 6
        if turn % 5 == 0:
            assert answers(project.open()) == answers(uncached(project.open()))
        if done == wanted:
            break
    assert done == wanted
    project.note("last", "The wombat digs.")
    memories.ready(project.open())
    assert len(list(project.cache.glob("index-*"))) <= 3
    assert len(list(project.cache.iterdir())) < 12


def test_case_35_twenty_kills_while_indexing_change_no_answer(project: Project) -> None:
    check_kills_while_indexing(project, 20)


@pytest.mark.full
def test_case_35_two_hundred_kills_while_indexing_change_no_answer(project: Project) -> None:
    check_kills_while_indexing(project, 200)


def test_a_cache_taken_away_again_and_again_fails_no_reader(project: Project) -> None:
    import shutil

    for number in range(30):
        project.note(f"quokka-{number}", "The quokka digs.")
    script = READ.replace("    if total >= int(sys.argv[2]):\n        break\n", "    print(total, flush=True)\n")
    script = script.replace("while True:", "for _ in range(12):")

    readers = [spawned(script, str(project.root), "0") for _ in range(4)]
    while any(reader.poll() is None for reader in readers):
        shutil.rmtree(project.cache, ignore_errors=True)
    said = list(finished(readers))

    assert said == ["30\n" * 12] * 4

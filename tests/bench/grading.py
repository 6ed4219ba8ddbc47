"""What it costs to grade the anchors of notes: a large repository of code, and notes that speak of it."""

import os
import random
import tempfile
import time
from collections.abc import Iterator
from typing import NamedTuple

from gitmem.notes.entry import read, render
from gitmem.notes.preset import preset_text
from gitmem.operations.anchors import drift
from gitmem.operations.draft import Draft
from gitmem.operations.memory import Memory, open_memory, ready
from gitmem.operations.touches import anchored
from gitmem.search.findings import KEPT
from gitmem.storage import disk
from tests.bench import generate

FILES, NOTES, EACH = 10_000, 1_000, 3
FUNCTIONS = 18  # in a file, which has 4 kB then
TARGETS = {"from nothing": 4.0, "nothing changed": 1.0, "100 files changed": 4.0}
SHAPES = {
    ".py": '# {words}\ndef {name}({words_}):\n    """{words}"""\n    total = 0\n    for each in {name}_items:\n'
    "        total += each.{word} * {number}\n    return total\n",
    ".ts": "/** {words} */\nexport function {name}(a: number): number {{\n  const total = a * {number};\n"
    "  if (total > {number}) {{\n    return other.{word}(total);\n  }}\n  return total;\n}}\n",
    ".go": "// {name} {words}\nfunc {name}(a int) int {{\n\ttotal := a * {number}\n\tif total > {number} {{\n"
    "\t\treturn other.{word}(total)\n\t}}\n\treturn total\n}}\n",
}


class Taken(NamedTuple):
    """What one grading of all notes took: the better of CPU and wall, in seconds."""

    what: str
    seconds: float


def main() -> None:
    """Prints what grading costs, beside its target."""
    print(f"{NOTES:,} notes with {EACH} anchors each, {FILES:,} files, drift in process; better of CPU and wall\n")
    with tempfile.TemporaryDirectory() as folder:
        for what, seconds in measured(os.path.join(folder, "project")):
            target = TARGETS[what]
            verdict = "ok" if seconds <= target else "OVER"
            print(f"{what:<20}<= {target:g} s{seconds:>9.2f} s  {verdict}", flush=True)


def measured(root: str) -> Iterator[Taken]:
    """Yields what grading takes with nothing remembered, with all of it, and after a change of some files."""
    places = list(_code(root, random.Random(1)))
    memory = _remembered(root, places, random.Random(2))
    disk.forget(os.path.join(root, ".memory", ".cache", KEPT))
    yield Taken("from nothing", _graded(memory))
    yield Taken("nothing changed", min(_graded(memory) for _ in range(3)))
    for path, _ in places[:100]:
        with open(os.path.join(root, path), "a", encoding="utf-8") as file:
            file.write("\n")
    yield Taken("100 files changed", _graded(memory))


def _graded(memory: Memory) -> float:
    wall, cpu = time.perf_counter(), _processor_time()
    found = drift(memory)
    took = min(time.perf_counter() - wall, _processor_time() - cpu)
    assert not found["drifted"], "nothing of it has drifted"
    return took


def _processor_time() -> float:
    """Returns what this process and those that it has waited for took of a processor, in seconds."""
    return sum(os.times()[:4])


def _code(root: str, dice: random.Random) -> Iterator[tuple[str, list[str]]]:
    """Writes the files, and yields the path of each with the names that it defines."""
    words = generate.THINGS.split()
    for number in range(FILES):
        suffix = dice.choice(list(SHAPES))
        path = f"src/{dice.choice(words)}/{dice.choice(words)}/part{number}{suffix}"
        names = [f"{dice.choice(words)}_{number}_{each}" for each in range(FUNCTIONS)]
        head = "package store\n\n" if suffix == ".go" else ""
        parts = [_function(SHAPES[suffix], name, words, dice) for name in names]
        generate.write(os.path.join(root, path), (head + "\n".join(parts)).encode())
        yield path, names


def _function(shape: str, name: str, words: list[str], dice: random.Random) -> str:
    said = " ".join(dice.choice(words) for _ in range(8))
    named = ", ".join(dict.fromkeys(dice.choice(words) for _ in range(3)))
    return shape.format(name=name, words=said, words_=named, word=dice.choice(words), number=dice.randrange(1000))


def _remembered(root: str, places: list[tuple[str, list[str]]], dice: random.Random) -> Memory:
    """Writes the notes, their anchors with the hashes of the code; returns the memory once its files have settled."""
    memory_folder = os.path.join(root, ".memory")
    generate.write(os.path.join(memory_folder, "config.toml"), preset_text("engram").encode())
    generate.commit_all(root)
    memory = open_memory(root, environment=os.environ, now=int(time.time()) + 10)
    blank = read("note.md", b"", verbs=()).note
    for number in range(NOTES):
        chosen = [dice.choice(places) for _ in range(EACH)]
        refs = tuple(f"{path}::{dice.choice(names)}" for path, names in chosen)
        touches = anchored(memory, Draft(touches=refs))[0].touches or ()
        note = blank._replace(title=f"Note {number}", type="decision", created=generate.NEWEST, touches=touches)
        path = os.path.join(memory_folder, "decision", f"note-{number}.md")
        generate.write(path, render(note, verbs=tuple(memory.config.vocabulary.verbs)))
    ready(memory)
    return memory

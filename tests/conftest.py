"""What several test files need: a real project, notes written by hand, commands as processes, and answers to compare."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from gitmem.knowledge import graph as graphs
from gitmem.notes.note import Link
from gitmem.operations import memory as memories
from gitmem.operations.memory import Memory, open_memory
from gitmem.operations.read import list_notes
from gitmem.operations.recall import recall
from gitmem.search.cache import Place
from gitmem.search.query import Wanted
from gitmem.search.view import View

SOURCE = str(Path(__file__).parent.parent)
# Seconds after the last write at which a file's times are believed (cache.DOUBT is less).
SETTLED = 10

Question = tuple[str, Wanted]
QUERIES: tuple[Question, ...] = (
    ("index", Wanted()),
    ("cache write", Wanted()),
    ("why plain files", Wanted()),
    ("atoms merge", Wanted()),
    ("write lock", Wanted(types=("decision",))),
    ("token write", Wanted(types=("caution", "principle"))),
    ("git branch", Wanted(tags=("git",))),
    ("parse_http_response", Wanted()),
    ("http response", Wanted()),
    ("合約", Wanted()),
    ("cafe", Wanted()),
    ("vouch index", Wanted(include=("superseded",))),
    ("vouch index", Wanted(include=("superseded", "archived", "checkpoint"))),
    ("kill safe", Wanted(include=("checkpoint",))),
    ("merge", Wanted(statuses=("open",))),
    ("token", Wanted(since="2026-06-01T00:00:00Z")),
    ("token", Wanted(until="2026-06-01T00:00:00Z")),
    ("zebra unheard of", Wanted()),
    ("index cache write token atoms merge vouch", Wanted()),
    ("", Wanted()),
)


class Project:
    """A folder with a real Git repository and a .memory folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.notes = root / ".memory"
        self.cache = self.notes / ".cache"

    def git(self, *arguments: str) -> str:
        """Returns what git said; raises where it failed."""
        command = ["git", "-c", "user.name=T", "-c", "user.email=t@example.org", *arguments]
        done = subprocess.run(command, cwd=self.root, check=True, capture_output=True, text=True, timeout=120)
        return done.stdout

    def open(self, later: float = 0, environment: Mapping[str, str] = os.environ) -> Memory:
        """Returns the memory as a command sees it that starts `later` seconds from now."""
        return open_memory(str(self.root), environment=environment, now=int(time.time() + later))

    def write(self, path: str, text: str) -> Path:
        """Writes a file below .memory and returns where it is."""
        target = self.notes / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        return target

    def note(self, name: str, body: str = "", *, type: str = "decision", **fields: str) -> Path:
        """Writes a note by hand, fields as YAML texts, and returns its file."""
        return self.write(f"{type}/{name}.md", note_text(name, body, type=type, **fields))

    def names(self, query: str, wanted: Wanted = Wanted(), *, limit: int = 8) -> list[str]:  # noqa: B008
        """Returns the names that a recall finds now."""
        return [hit["name"] for hit in recall(self.open(), query, wanted, limit=limit)["hits"]]


def note_text(name: str, body: str = "", *, type: str = "decision", **fields: str) -> str:
    """Returns a note as a person might write it."""
    values = {"title": name.replace("-", " ").capitalize(), "type": type, "created": "2026-05-01T00:00:00Z"} | fields
    head = "".join(f"{key.replace('_', '-')}: {value}\n" for key, value in values.items())
    return f"---\n{head}---\n\n{body or 'Nothing to add.'}\n"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return new_project(tmp_path / "project")


@pytest.fixture
def bin(tmp_path: Path) -> Path:
    """Returns a folder with a gitmem of this checkout, and nothing else, to be put on PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "gitmem").write_text(f'#!/bin/sh\nPYTHONPATH="{SOURCE}" exec "{sys.executable}" -m gitmem "$@"\n')
    (folder / "gitmem").chmod(0o755)
    return folder


@pytest.fixture
def on_path(bin: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Puts that gitmem before whatever PATH has, and returns its folder."""
    monkeypatch.setenv("PATH", f"{bin}{os.pathsep}{os.environ['PATH']}")
    return bin


def new_project(root: Path) -> Project:
    """Returns a fresh project in a folder that does not exist yet."""
    root.mkdir(parents=True)
    made = Project(root)
    made.notes.mkdir()
    made.git("init", "--quiet", "--initial-branch=main")
    return made


def uncached(memory: Memory) -> Memory:
    """Returns a memory that knows nothing from before: its every answer is a rebuild."""
    return memory._replace(where=Place(memory.where.folder, None))


def answers(memory: Memory, queries: Sequence[Question] = QUERIES, held: View | None = None) -> dict[str, str]:
    """Returns, as JSON texts, what `list` says, the whole graph, and recalls of a view brought up to date."""
    listed = list_notes(memory, Wanted())
    view = memories.ready(memory, held).view
    recalls = {f"{query} {wanted}": asked(memory, query, wanted, view) for query, wanted in queries}
    return {"list": json.dumps(listed), "graph": json.dumps(edges(view)), **recalls}


def asked(memory: Memory, query: str, wanted: Wanted, view: View) -> str:
    """Returns one recall with all its reasons as JSON."""
    return json.dumps(recall(memory, query, wanted, explain=True, detail="full", held=view))


def edges(view: View) -> list[tuple[str, Link, str | None]]:
    """Returns every link of the graph with the paths at both ends."""
    graph = graphs.build(view.everything())
    return [
        (edge.source.path, edge.link, edge.target and edge.target.path)
        for links in graph.out.values()
        for edge in links
    ]


def changed_in_place(path: Path, data: bytes) -> None:
    """Writes a file in place until its change time has moved, so that a look between two kernel ticks is no excuse."""
    before, end = path.stat().st_ctime_ns, time.monotonic() + 10
    while path.stat().st_ctime_ns == before:
        assert time.monotonic() < end, f"the change time of {path} stands still"
        with open(path, "r+b") as file:
            file.write(data)
            file.truncate()


def command(*words: str) -> list[str]:
    """Returns the argument list of a gitmem command."""
    return [sys.executable, "-m", "gitmem", *words]


def environment(**more: str) -> dict[str, str]:
    """Returns an environment for processes: gitmem from this checkout, and no agent about."""
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "TMPDIR") if key in os.environ}
    return kept | {"PYTHONPATH": SOURCE, "PYTHONDONTWRITEBYTECODE": "1"} | more


def run(
    root: Path, *words: str, given: str = "", extra: Mapping[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    """Returns what a gitmem command came to, run as a process in a folder."""
    return subprocess.run(
        command(*words),
        check=False,
        cwd=root,
        input=given,
        capture_output=True,
        text=True,
        env=environment(**(extra or {})),
        timeout=120,
    )


def told(done: "subprocess.CompletedProcess[str]") -> dict[str, Any]:
    """Returns the one JSON document that a command printed."""
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def spawned(script: str, *arguments: str) -> "subprocess.Popen[str]":
    """Returns a Python process that runs a script with gitmem importable."""
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )


def finished(processes: Sequence["subprocess.Popen[str]"]) -> Iterator[str]:
    """Yields what each process printed; raises where one failed."""
    for process in processes:
        out, err = process.communicate(timeout=300)
        assert process.returncode == 0, err
        yield out


def rotten(cache: Path) -> None:
    """Overwrites the records of an index as a failing disk does: no time and no size tells of it."""
    for path in cache.glob("index-*/records"):
        seen = path.stat()
        with open(path, "r+b") as file:
            file.write(b"\xff" * seen.st_size)
        os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))

"""A view that a process holds and has worked out ahead answers as one that was never asked before, whatever changes."""

import json
import os
import random
from pathlib import Path

import pytest
from conftest import Project, new_project, rotten, uncached

from gitmem.errors import GitmemError
from gitmem.faces.mcp_service import Service
from gitmem.operations import recall as recalls
from gitmem.operations.draft import Author, Draft
from gitmem.operations.memory import Finder, Memory, Reading, ready
from gitmem.operations.recall import recall
from gitmem.operations.standing import Judge
from gitmem.operations.write import remember
from gitmem.search.query import Wanted
from gitmem.search.view import View
from gitmem.storage import disk, failures, git

AGENT = Author("agent", "x")
WORDS = [
    "index",
    "cache",
    "write",
    "token",
    "atoms",
    "merge",
    "vouch",
    "lock",
    "git",
    "branch",
    "session",
    "vault",
    "pods",
    "deploy",
    "retry",
    "queue",
    "schema",
    "parser",
    "quick",
    "fast",
    "rapid",
    "error",
    "failure",
    "bug",
    "remove",
    "delete",
]
TYPES = ("decision", "caution", "principle", "question", "checkpoint", "tombstone", "observation")
VERBS = ("supersedes", "contradicts", "relates_to", "resolves")
FILTERS = (
    *(Wanted() for _ in range(4)),
    Wanted(include=("superseded",)),
    Wanted(include=("archived", "checkpoint")),
    Wanted(types=("decision", "caution")),
    Wanted(since="2025-01-01T00:00:00Z"),
)


def ahead(memory: Memory, held: View | None = None) -> Reading:
    """Returns a memory made ready and worked out ahead, as an idle server leaves it."""
    reading = ready(memory, held)
    recalls.settle(Judge.of_view(memory, reading), reading)
    return reading


class Changes:
    """Changes of a project by a seed: notes that come, go and move, words, commits, and what the clone decides."""

    def __init__(self, project: Project, seed: int) -> None:
        self.project, self.dice = project, random.Random(seed)
        self.names = [f"{self.dice.choice(WORDS)}-{self.dice.choice(WORDS)}-{at}" for at in range(30)]
        for _ in range(25):
            self.note()
        (project.root / "code.py").write_text("x = 1\n")
        project.git("add", ".")
        project.git("commit", "-qm", "Begin")

    def words(self, count: int) -> str:
        return " ".join(self.dice.choice(WORDS) for _ in range(count))

    def note(self) -> None:
        fields = {
            "title": self.words(3),
            "created": f"202{self.dice.randrange(4, 7)}-0{self.dice.randrange(1, 9)}-01T00:00:00Z",
        }
        if self.dice.random() < 0.2:
            fields["status"] = self.dice.choice(["open", "superseded", "archived"])
        if self.dice.random() < 0.3:
            fields["aliases"] = f"[{self.dice.choice(WORDS)}]"
        fields |= {verb: f"[{self.dice.choice(self.names)}]" for verb in VERBS if self.dice.random() < 0.2}
        fields |= {"touches": "[code.py]"} if self.dice.random() < 0.2 else {}
        fields |= {"buried": f"[{self.dice.choice(self.names)}]"} if self.dice.random() < 0.15 else {}
        body = ". ".join(self.words(self.dice.randrange(3, 9)) for _ in range(self.dice.randrange(1, 6)))
        self.project.note(self.dice.choice(self.names), body, type=self.dice.choice(TYPES), **fields)

    def step(self) -> None:
        files = sorted(path for path in self.project.notes.rglob("*.md") if ".cache" not in path.parts)
        act = self.dice.randrange(8)
        if act < 3:
            self.note()
        elif act == 3 and len(files) > 5:
            self.dice.choice(files).unlink()
        elif act == 4:
            path = self.dice.choice(files)
            os.replace(path, path.with_name(f"{self.dice.choice(self.names)}.md"))
        elif act == 5:
            self.project.write("config.toml", self.config())
        elif act == 6:
            self.project.git("add", ".")
            self.project.git("commit", "-qm", "More", "--allow-empty")
        else:
            self.project.git("config", "gitmem.reviewBranch", self.dice.choice(["refs/heads/main", "refs/heads/none"]))

    def config(self) -> str:
        roles = {
            "checkpoint": "checkpoint",
            "tombstone": self.dice.choice(["tombstone", "", ""]),
            "question": "worklist",
        }
        lines = []
        for kind in TYPES:
            role = roles.get(kind, "")
            durability = self.dice.choice(["stable", "episodic", "volatile"])
            lines += [
                f"[types.{kind}]",
                'holds = "x"',
                f'durability = "{durability}"',
                *([f'role = "{role}"'] if role else []),
            ]
        given = {"supersedes": "supersession", "contradicts": "contradiction", "resolves": "answer", "relates-to": ""}
        for verb, role in given.items():
            lines += [f"[verbs.{verb}]", 'reads = "x"', *([f'role = "{role}"'] if role else [])]
        return "\n".join(lines) + "\n" if self.dice.random() < 0.7 else ""


@pytest.mark.parametrize(
    "seed", [1, 2, pytest.param(3, marks=pytest.mark.full), pytest.param(4, marks=pytest.mark.full)]
)
def test_a_held_view_answers_as_a_fresh_one(tmp_path: Path, seed: int) -> None:
    project = new_project(tmp_path / "project")
    changes = Changes(project, seed)
    asked = [changes.words(count) for count in (1, 2, 3, 5)] + [name.replace("-", " ") for name in changes.names[:4]]
    held: View | None = None
    for _ in range(25):
        changes.step()
        for later in (0, 10):
            memory = project.open(later)
            question, wanted = changes.dice.choice(asked), changes.dice.choice(FILTERS)
            try:
                fresh = json.dumps(recall(uncached(memory), question, wanted, explain=True))
            except GitmemError:  # a filter that the words of the moment do not have
                continue
            assert json.dumps(recall(memory, question, wanted, explain=True, held=held)) == fresh
            held = ahead(memory, held).view


def test_a_server_answers_what_lies_there_now(project: Project) -> None:
    project.git("config", "gitmem.trusted", "true")
    project.note("first", "The lock is taken first.")
    service = Service(str(project.root), str(project.root), os.environ)
    service.catch_up()

    for number in range(3):
        project.note("first", f"The lock is taken {number} times.", title=f"Lock {number}")
        assert f"Lock {number}" in service.answer("recall", {"query": "lock"}, "x").text
        service.catch_up()
        assert f"Lock {number}" in service.answer("recall", {"query": "lock"}, "x").text


def test_an_older_view_goes_on_saying_what_it_saw(project: Project) -> None:
    project.note("one", "First words.", summary="old")
    old = ready(project.open()).view
    entry = old.everything()[0]

    project.note("one", "Second.", summary="new")
    ready(project.open(), old).view.everything()

    assert old.summary(entry) == "old"


def test_a_large_memory_is_not_worked_out_ahead(project: Project) -> None:
    for number in range(3):
        project.note(f"note-{number}", "word " * 700_000)

    assert not ahead(project.open()).view.learnt.ahead


def test_a_name_of_a_note_that_is_too_large_is_taken(project: Project) -> None:
    project.note("first")
    held = ready(project.open()).view
    project.note("big", "x" * (disk.LARGEST + 10))

    fresh, kept = Finder(project.open()), Finder(project.open(), ready(project.open(), held).view)

    assert sorted(fresh.names.all()) == sorted(kept.names.all())
    assert not remember(project.open(), Draft(title="Big", type="decision", body="x"), AGENT, held=held)["created"]


def test_what_drafts_say_is_not_kept(project: Project) -> None:
    project.note("one", "The lock is taken first.")
    held = ready(project.open(10)).view

    for number in range(20):
        draft = Draft(title="One", type="decision", body=f"The lock is taken first. {number}")
        remember(project.open(10), draft, AGENT, dry_run=True, held=held)

    assert len(held.learnt.cut) <= 1


def test_nothing_is_judged_ahead_where_a_branch_approves(project: Project) -> None:
    project.note("one", "lock")
    project.git("add", ".")
    project.git("commit", "-qm", "Begin")
    project.git("config", "gitmem.reviewBranch", "refs/heads/main")

    view = ahead(project.open()).view

    assert view.learnt.ahead and not view.learnt.facts


def test_an_empty_memory_is_worked_out_too(project: Project) -> None:
    held = ahead(project.open()).view
    project.note("one", "lock")

    hits = recall(project.open(), "lock", Wanted(), held=held)["hits"]

    assert held.learnt.ahead and [hit["name"] for hit in hits] == ["one"]


@pytest.mark.parametrize("kind", ["*.idx", "*.term", "*.store", "vectors", "records", "meta.json"])
def test_case_34_a_held_view_whose_files_are_cut_short_is_made_anew(project: Project, kind: str) -> None:
    for number in range(5):
        project.note(f"quokka-{number}", "The quokka digs.")
    held = ahead(project.open(5)).view
    cut = [path for path in project.cache.glob("index-*") for path in path.rglob(kind)]
    for path in cut:
        os.truncate(path, 0)  # what is mapped into memory is gone, and who reads it is ended by a signal

    reading = ahead(project.open(6), held)

    assert cut and reading.view is not held
    assert len(recall(project.open(6), "quokka", Wanted(), held=reading.view)["hits"]) == 5


def test_case_34_a_server_says_that_its_index_was_damaged_and_answers_the_next_time(project: Project) -> None:
    project.note("quokka", "The quokka digs.")
    service = Service(str(project.root), str(project.root), os.environ)
    assert not service.answer("recall", {"query": "quokka"}, None).refused
    rotten(project.cache)

    first = service.answer("recall", {"query": "quokka"}, None)
    second = service.answer("recall", {"query": "quokka"}, None)

    assert first.refused and "damaged-cache" in first.text
    assert not second.refused and "quokka" in second.text


def test_what_fails_while_nobody_asks_is_told_when_somebody_does(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.note("quokka", "The quokka digs.")
    service = Service(str(project.root), str(project.root), os.environ)
    with monkeypatch.context() as failing:
        failing.setattr(recalls, "settle", lambda *_: 1 / 0)
        service.catch_up()

    repository = git.find(str(project.root))
    assert repository and "ZeroDivisionError" in failures.read(repository)[-1]
    assert not service.answer("recall", {"query": "quokka"}, None).refused


def test_pages_and_prompts_tell_of_a_damaged_index_too(project: Project) -> None:
    project.git("config", "gitmem.trusted", "true")
    project.note("quokka", "The quokka digs.")
    project.names("quokka")
    rotten(project.cache)
    service = Service(str(project.root), str(project.root), os.environ)

    with pytest.raises(GitmemError, match="damaged"):
        service.pages()

    assert [page["name"] for page in service.pages()] == ["quokka"]

"""The law of the index: refresh from any state equals rebuild, byte for byte, whatever was done to notes and cache."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from tempfile import mkdtemp

import pytest
from conftest import QUERIES, SETTLED, Question, answers, changed_in_place, new_project, note_text, uncached
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from gitmem.operations import memory as memories
from gitmem.search.document import Maker
from gitmem.search.refresh import OVERLAID, refresh
from gitmem.search.view import View

# All of five letters, so that one takes another's place without the file changing its size.
WORDS = ("index", "cache", "write", "token", "atoms", "merge", "vouch", "zebra", "合約轉換中", "cafés")
TYPES = ("decision", "caution", "problem", "checkpoint", "principle")
STEMS = ("plain-files", "write-lock", "kill-safe", "Café", "构建流程", "git-branch", "a", "zebra-herd")
HEADS: tuple[dict[str, str], ...] = (
    {},
    {"tags": "[git, safety]", "created": "2026-09-09"},
    {"status": "archived"},
    {"status": "superseded"},
    {"sensitive": "true"},
    {"summary": "parse_http_response and the disk is full"},
    {"touches": "[src/a.py::parse@1234567, src/]"},
)

# Questions after each step; after the last one all twenty are put.
ASKED = 4

words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8)
places = st.integers(0, 30)


class Notes(RuleBasedStateMachine):
    """A project that people, agents and accidents work on; after every step it is asked, and so is one without a past."""

    def __init__(self) -> None:
        super().__init__()
        self.project = new_project(Path(mkdtemp()) / "project")
        self.held: View | None = None
        self.steps = 0

    def teardown(self) -> None:
        try:
            self.check(QUERIES)
        finally:
            shutil.rmtree(self.project.root.parent)

    def note(self, place: int) -> Path:
        """Returns one of the notes that are there."""
        files = self.files()
        return files[place % len(files)]

    def files(self) -> list[Path]:
        return sorted(path for path in self.project.notes.glob("*/*.md") if ".cache" not in path.parts)

    def cached(self) -> list[Path]:
        if self.project.cache.is_symlink():
            return []
        return sorted(path for path in self.project.cache.rglob("*") if path.is_file())

    def put(self, path: Path, text: str) -> None:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")

    @initialize()
    def begin(self) -> None:
        for stem, words in zip(STEMS[:4], (WORDS[:3], WORDS[2:6], WORDS[5:9], WORDS[8:]), strict=True):
            self.project.note(stem, " ".join(words))
        self.project.git("add", "--all")
        self.project.git("commit", "--quiet", "--message", "begin")
        self.project.git("branch", "other")

    @rule(type=st.sampled_from(TYPES), stem=st.sampled_from(STEMS), words=words, head=st.sampled_from(HEADS))
    def create(self, type: str, stem: str, words: list[str], head: dict[str, str]) -> None:
        self.project.note(stem, " ".join(words), type=type, **{"title": f"{stem} {words[-1]}", "because": "[a]"} | head)

    @precondition(lambda self: self.files())
    @rule(place=places, words=words)
    def edit(self, place: int, words: list[str]) -> None:
        path = self.note(place)
        path.write_bytes(path.read_bytes() + f"\n{' '.join(words)}.\n".encode())

    @precondition(lambda self: self.files())
    @rule(place=places, by_rename=st.booleans())
    def edit_unseen(self, place: int, by_rename: bool) -> None:
        """Changes words for others of their length and sets size and modification time as they were."""
        path, text = self.note(place), self.note(place).read_bytes()
        before = path.stat()
        for old, new in zip(WORDS[:7], (*WORDS[1:7], WORDS[0]), strict=True):
            if old.encode() in text:
                text = text.replace(old.encode(), new.encode(), 1)
                break
        if by_rename:
            (path.parent / ".aside").write_bytes(text)
            (path.parent / ".aside").rename(path)
        else:
            changed_in_place(path, text)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    @precondition(lambda self: self.files())
    @rule(place=places, type=st.sampled_from(TYPES))
    def move(self, place: int, type: str) -> None:
        path = self.note(place)
        self.moved(path, self.project.notes / type / path.name)

    @precondition(lambda self: self.files())
    @rule(place=places, stem=st.sampled_from(STEMS))
    def rename(self, place: int, stem: str) -> None:
        path = self.note(place)
        self.moved(path, path.with_name(f"{stem}.md"))

    def moved(self, path: Path, target: Path) -> None:
        target.parent.mkdir(exist_ok=True)
        path.rename(target)

    @precondition(lambda self: self.files())
    @rule(place=places)
    def delete(self, place: int) -> None:
        self.note(place).unlink()

    @precondition(lambda self: self.files())
    @rule(
        place=places,
        field=st.sampled_from(["replaces", "replaces", "because", "conflicts-with", "aliases"]),
        names=st.lists(st.sampled_from(STEMS), max_size=2),
    )
    def claim(self, place: int, field: str, names: list[str]) -> None:
        """Gives a note links or aliases in place of those that it had; no names takes them away."""
        path = self.note(place)
        lines = [line for line in path.read_text().split("\n") if not line.startswith(f"{field}:")]
        path.write_text("\n".join([lines[0], f"{field}: [{', '.join(names)}]", *lines[1:]]))

    @rule(branch=st.sampled_from(["main", "other"]))
    def switch(self, branch: str) -> None:
        self.project.git("add", "--all")
        self.project.git("commit", "--quiet", "--allow-empty", "--message", "step")
        self.project.git("checkout", "--quiet", branch)

    @rule(words=words, type=st.sampled_from(TYPES))
    def flood(self, words: list[str], type: str) -> None:
        """Writes more notes than are laid over an index, or takes them away again."""
        paths = [self.project.notes / type / f"flood-{number}.md" for number in range(OVERLAID + 6)]
        if paths[0].exists():
            for path in paths:
                path.unlink(missing_ok=True)
            return
        for number, path in enumerate(paths):
            self.put(path, note_text(path.stem, " ".join(words[: 1 + number % 8]), type=type))

    @rule(place=places, harm=st.sampled_from(["truncate", "delete", "garbage", "folder", "older"]))
    def damage(self, place: int, harm: str) -> None:
        files = self.cached()
        if not files:
            return
        path, self.held = files[place % len(files)], None
        data = path.read_bytes()
        path.unlink()
        if harm == "folder":
            path.mkdir()
        elif harm != "delete":
            path.write_bytes({"truncate": data[: len(data) // 2], "garbage": data[::-1]}.get(harm, data))

    @rule(how=st.sampled_from(["remove", "file", "link", "lock"]))
    def displace(self, how: str) -> None:
        """Takes the whole cache away, puts something in its place, or leaves what a killed process leaves."""
        cache = self.project.cache
        if how == "lock":
            for folder in [cache, *cache.glob("index-*/index")]:
                if folder.is_dir():
                    (folder / ".tantivy-writer.lock").touch()
                    (folder / "current.4711").touch()
            return
        self.gone(cache)
        if how == "file":
            cache.touch()
        if how == "link":
            cache.symlink_to(self.project.root)

    def gone(self, cache: Path) -> None:
        if cache.is_symlink() or cache.is_file():
            cache.unlink()
        elif cache.is_dir():
            shutil.rmtree(cache)

    @rule(other=st.booleans())
    def other_maker(self, other: bool) -> None:
        """Lets a gitmem with another schema or model use the cache in between."""
        memory = self.project.open()
        maker = Maker(memory.config.vocabulary, None)
        maker.fingerprint = "0" * 32 if other else maker.fingerprint
        refresh(memory.where, maker, now=memory.now)

    @rule()
    def serve(self) -> None:
        """Keeps a view, as a long-lived process does."""
        self.held = memories.ready(self.project.open(), self.held).view

    @invariant()
    def equals_rebuild(self) -> None:
        first = self.steps * ASKED % len(QUERIES)
        self.steps += 1
        self.check(QUERIES[first : first + ASKED])

    def check(self, queries: Sequence[Question]) -> None:
        memory = self.project.open(SETTLED)
        assert answers(memory, queries, self.held) == answers(uncached(memory), queries)


def lawful(examples: int, steps: int) -> None:
    options = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        print_blob=True,
    )
    run_state_machine_as_test(Notes, settings=options)


def test_refresh_from_any_state_equals_rebuild() -> None:
    lawful(examples=12, steps=14)


@pytest.mark.full
def test_refresh_from_any_state_equals_rebuild_at_length() -> None:
    lawful(examples=250, steps=40)

"""Notes in memory answer as an index of them does."""

from collections.abc import Callable, Iterable

import pytest

from gitmem.notes import config
from gitmem.search.document import Document, Maker
from gitmem.search.index import Index, Stored, in_memory
from gitmem.search.overlay import Overlay
from gitmem.search.query import Wanted
from gitmem.search.records import stored

TEXTS = {
    "decision/plain-files.md": "---\ntype: decision\ntags: [git, safety]\ncreated: 2026-09-09\nsource: user\n"
    'aliases: [Plain Files, files]\nreplaces: ["[[old-store]]"]\ntouches: [src/a.py::parse@1234567]\n---\nWe write plain files.\n',
    "decision/old-store.md": "---\ntype: decision\nstatus: superseded\ncreated: 2025-01-01\n---\nWe write one store.\n",
    "caution/lock.md": '---\ntype: caution\ndomain: storage\nowner: jane\nconflicts-with: ["[[plain-files]]"]\n---\nThe lock is slow.\n',
    "checkpoint/run.md": "---\ntype: checkpoint\ncreated: 2026-09-10T10:00:00Z\n---\nWhere the files stand.\n",
    "problem/café.md": '---\ntype: problem\nstatus: archived\nabout: ["[[lock]]"]\n---\nNo words of it.\n',
}
EVERYTHING = ("superseded", "archived", "checkpoint")
FILTERS = [
    Wanted(),
    Wanted(include=EVERYTHING),
    Wanted(include=("archived",)),
    Wanted(types=("Decision", "caution")),
    Wanted(tags=("safety",)),
    Wanted(domains=("storage",), types=("caution",)),
    Wanted(sources=("user",)),
    Wanted(statuses=("archived",), include=EVERYTHING),
    Wanted(touches=("src/",)),
    Wanted(where=("owner=jane",)),
    Wanted(paths=("caution/lock.md", "decision/old-store.md")),
    Wanted(paths=()),
    Wanted(since="2026-09-09T00:00:00Z", include=EVERYTHING),
    Wanted(until="2026-09-09T00:00:00Z", include=EVERYTHING),
    Wanted(since="2025-01-01T00:00:00Z", until="2026-09-10T10:00:00Z", include=EVERYTHING),
]
FIELDS = {
    "path": ["caution/lock.md", "nowhere.md"],
    "key": ["lock", "café", "nothing"],
    "alias": ["files", "plain files"],
    "to": ["plain-files", "old-store"],
    "supersedes": ["old-store", "lock"],
    "contradicts": ["plain-files"],
}
Notes = Overlay | Index


@pytest.fixture(scope="module")
def both() -> tuple[Overlay, Index]:
    maker = Maker(config.parse(None).vocabulary, None)
    documents: list[Document] = maker.documents([(path, text.encode()) for path, text in TEXTS.items()])
    records = [document.record for document in documents]
    known = {record.path: stored(record) for record in records}
    return Overlay(records), in_memory(records, known.__getitem__)


def asked(both: tuple[Overlay, Index], question: Callable[[Notes], Iterable[Stored]]) -> list[list[Stored]]:
    return [sorted(question(notes)) for notes in both]


@pytest.mark.parametrize("wanted", FILTERS)
def test_the_same_notes_pass(both: tuple[Overlay, Index], wanted: Wanted) -> None:
    here, there = asked(both, lambda notes: notes.passing(wanted, 10))

    assert here == there
    assert both[0].count_passing(wanted) == both[1].count_passing(wanted)


@pytest.mark.parametrize("wanted", FILTERS)
@pytest.mark.parametrize("terms", [["file"], ["write", "lock"], ["nothing-of-it"], []])
def test_the_same_notes_match(both: tuple[Overlay, Index], terms: list[str], wanted: Wanted) -> None:
    here, there = asked(both, lambda notes: notes.matching(terms, wanted, 10))

    assert here == there


@pytest.mark.parametrize("field", FIELDS)
def test_the_same_notes_have_a_word(both: tuple[Overlay, Index], field: str) -> None:
    here, there = asked(both, lambda notes: notes.having(field, FIELDS[field]))
    passing, also = asked(both, lambda notes: notes.having(field, FIELDS[field], Wanted()))

    assert here and (here, passing) == (there, also)


@pytest.mark.parametrize("term", ["file", "lock", "nothing"])
@pytest.mark.parametrize("without", [[], ["decision/plain-files.md"]])
def test_a_term_stands_in_as_many_notes(both: tuple[Overlay, Index], term: str, without: list[str]) -> None:
    here, there = (notes.frequency(term, without) for notes in both)

    assert here == there


def test_all_notes_are_there(both: tuple[Overlay, Index]) -> None:
    here, there = asked(both, lambda notes: notes.everything())

    assert here == there and len(here) == len(TEXTS)

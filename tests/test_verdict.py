"""How sure an answer is: the shares that questions with and without an answer must reach, and the rule by itself.

tests/data/verdict holds a copy of this project's notes and an invented store of twenty, and 176 questions written before the
rule: answerable in words unlike the notes' own, on an aspect of a known subject that no note tells, and on foreign subjects.
Half 0 chose the constants; half 1 reports.
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Project, new_project
from hypothesis import given
from hypothesis import strategies as st

from gitmem.notes.preset import preset
from gitmem.operations.memory import ready
from gitmem.operations.recall import recall
from gitmem.search.document import Maker
from gitmem.search.index import Stored
from gitmem.search.query import Wanted
from gitmem.search.rank import STRONG, WEAK, WORDLESS, Candidate, judge, telling

DATA = Path(__file__).parent / "data" / "verdict"
STORES = ("project", "sensors")
Row = dict[str, Any]  # Any: a row of JSON


def rows(name: str) -> list[Row]:
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    """Returns every question with its verdict and whether the note that answers is among the first five hits."""
    stores = {store: filled(new_project(tmp_path_factory.mktemp(store) / "root"), store) for store in STORES}
    memories = {store: project.open() for store, project in stores.items()}
    views = {store: ready(memory).view for store, memory in memories.items()}
    return [
        row | told(recall(memories[row["store"]], row["question"], Wanted(), held=views[row["store"]]), row["answer"])
        for row in rows("questions")
    ]


def filled(project: Project, store: str) -> Project:
    for note in rows("notes"):
        if note["store"] == store:
            fields = {"title": json.dumps(note["title"]), "summary": json.dumps(note["summary"])}
            project.note(note["name"], note["body"], type=note["type"], tags=json.dumps(note["tags"]), **fields)
    return project


def told(reply: Row, answer: str | None) -> Row:
    return {"verdict": reply["verdict"], "found": answer in [hit["name"] for hit in reply["hits"][:5]]}


def share(asked: list[Row], half: int, kinds: tuple[str, ...], verdict: str) -> float:
    counts = Counter(row["verdict"] for row in asked if row["half"] == half and row["kind"] in kinds)
    return counts[verdict] / counts.total()


# Shares


@pytest.mark.parametrize("half", [0, 1])
def test_hedging_and_false_confidence_stay_where_they_were_measured(asked: list[Row], half: int) -> None:
    hedging = 1 - share(asked, half, ("answerable",), "strong")
    confidence = share(asked, half, ("aspect", "foreign"), "strong")

    assert (hedging <= 0.55, confidence <= 0.12) == (True, True), (hedging, confidence)


@pytest.mark.parametrize("half", [0, 1])
def test_a_foreign_subject_is_never_strong_and_mostly_none(asked: list[Row], half: int) -> None:
    assert share(asked, half, ("foreign",), "strong") == 0
    assert share(asked, half, ("foreign",), "none") >= 0.5


@pytest.mark.parametrize("half", [0, 1])
def test_what_is_known_is_found_and_hardly_ever_none(asked: list[Row], half: int) -> None:
    found = [row["found"] for row in asked if row["half"] == half and row["kind"] == "answerable"]

    assert sum(found) / len(found) >= 0.85
    assert share(asked, half, ("answerable",), "none") <= 0.05


def test_an_ordinary_word_that_no_note_holds_does_not_weaken_an_answer(project: Project) -> None:
    body = "Session state lives in Redis for 30 minutes, renewed by each request, so that any worker may answer."
    project.note("sessions", body, title="Sessions are kept out of the process")

    answer = recall(project.open(), "where does the session state happen to live", Wanted())

    assert answer["verdict"] == "strong"


# The rule


def candidate(*words: str, cosine: float = 0.0) -> Candidate:
    return Candidate(Stored("decision/a.md", "a", (), b"0\n", b""), dict.fromkeys(words, 1.0), cosine)


WEIGHTS = {"session": 1.0, "redis": 1.0, "kept": 0.5}


@pytest.mark.parametrize(
    ("best", "notes", "verdict"),
    [
        ([], 10, "none"),
        ([candidate(cosine=0.01)], 10, "none"),
        ([candidate("kept", cosine=0.2)], 10, "weak"),
        ([candidate("session", "redis", cosine=0.3)], 10, "strong"),
        ([candidate("session", "redis", cosine=0.3)], 10_000, "weak"),
        ([candidate("kept", cosine=0.01)], 10_000, "none"),
        ([candidate(cosine=0.05), candidate("session", "redis", "kept", cosine=0.4)], 10_000, "strong"),
        ([candidate("session", cosine=-0.3)], 10, "none"),
        ([candidate(cosine=0.15)], 1, "none"),
        ([candidate("session", "redis", cosine=0.15)], 1, "strong"),
        ([candidate("session", "redis", "kept")], 1_000, "strong"),
        ([candidate("session", "redis")], 1_000, "weak"),
    ],
)
def test_the_verdict_weighs_what_the_best_note_holds_against_the_size_of_the_store(
    best: list[Candidate], notes: int, verdict: str
) -> None:
    assert judge(best, WEIGHTS, notes) == verdict


def test_without_terms_nearness_alone_decides() -> None:
    least = [bound[0] + bound[1] for bound in (WEAK, STRONG)]

    verdicts = [judge([candidate(cosine=cosine)], {}, 10) for cosine in (least[0] - 0.01, *least)]

    assert verdicts == ["none", "weak", "strong"]


def test_words_alone_are_strong_evidence_only_where_hardly_one_is_missing() -> None:
    assert 1 + WORDLESS >= STRONG[0] + 3 * STRONG[1] > 0.9 * (1 + WORDLESS)


@given(st.floats(-1, 1), st.floats(0, 1), st.integers(0, 100_000), st.integers(0, 100_000))
def test_more_notes_never_make_a_verdict_surer(cosine: float, kept: float, some: int, more: int) -> None:
    order, weights = ("none", "weak", "strong"), {"session": 1.0, "kept": kept}
    fewer, most = sorted((some, more))

    verdicts = [order.index(judge([candidate("session", cosine=cosine)], weights, notes)) for notes in (fewer, most)]

    assert verdicts[1] <= verdicts[0]


# How telling a word is


@pytest.fixture(scope="module")
def maker() -> Iterator[Maker]:
    yield Maker(preset("engram"), None)


def test_general_frequency_weighs_a_word_whatever_the_store_holds(maker: Maker) -> None:
    weights = telling(
        maker, "where is session state kept, what happens, which kubernetes", ["session", "kept", "kubernet"]
    )

    assert weights["session"] == weights["kubernet"] == 1
    assert maker.model.weight("use") < weights["kept"] < maker.model.weight("state") < 1  # type: ignore[union-attr]


def test_a_maker_without_vectors_takes_all_words_alike(maker: Maker) -> None:
    assert telling(maker.lexical(), "use kubernetes", ["use", "kubernet"]) == {"use": 1.0, "kubernet": 1.0}


@given(st.text() | st.sampled_from(["parse_http_response C++", "合約 の", "don't\x1fstop", "a\u2028b", "v1.2.3 .net"]))
def test_every_term_of_a_question_has_a_weight(maker: Maker, query: str) -> None:
    terms = maker.tokenizer.query_terms(query)

    weights = telling(maker, query, terms)

    assert list(weights) == terms
    assert all(0 < weight <= 1 for weight in weights.values())

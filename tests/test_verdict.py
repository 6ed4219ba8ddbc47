"""How sure an answer is: the shares that questions with and without an answer must reach, and the rule by itself.

tests/data/verdict holds two copies of this project's notes, of different age, and three invented stores, 298 notes in all, and
925 questions written before the rule: answerable in words unlike the notes' own, on an aspect of a known subject that no note
tells, and on foreign subjects. Half 0 chose the constants; half 1 reports.
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
from gitmem.search.query import Wanted
from gitmem.search.question import asks_for_a_fact
from gitmem.search.rank import Asked, Evidence, judge, telling
from gitmem.search.tokens import STOP_WORDS

DATA = Path(__file__).parent / "data" / "verdict"
STORES = ("project", "sensors", "payments", "engine", "own")
Row = dict[str, Any]  # Any: a row of JSON


def rows(name: str) -> list[Row]:
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


class Store:
    """Some notes in a project of their own, opened once."""

    def __init__(self, root: Path, notes: list[Row]) -> None:
        self.notes = notes
        self._memory = filled(new_project(root), notes).open()
        self._view = ready(self._memory).view

    def ask(self, question: str, answer: str | None) -> Row:
        """Returns the verdict, how many hits there are, and whether the note that answers is the first or among five."""
        reply = recall(self._memory, question, Wanted(), held=self._view)
        names = [hit["name"] for hit in reply["hits"]]
        places = {"first": answer in names[:1], "found": answer in names[:5], "shown": len(names)}
        return {"verdict": reply["verdict"], **places}


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Store]:
    known = list(rows("notes"))
    chosen = {store: [note for note in known if note["store"] == store] for store in STORES}
    return {store: Store(tmp_path_factory.mktemp(store) / "root", notes) for store, notes in chosen.items()}


@pytest.fixture(scope="module")
def asked(stores: dict[str, Store]) -> list[Row]:
    """Returns every question with what came of it."""
    return [row | stores[row["store"]].ask(row["question"], row["answer"]) for row in rows("questions")]


def filled(project: Project, notes: list[Row]) -> Project:
    for note in notes:
        fields = {"title": json.dumps(note["title"]), "summary": json.dumps(note["summary"])}
        project.note(note["name"], note["body"], type=note["type"], tags=json.dumps(note["tags"]), **fields)
    return project


def share(asked: list[Row], half: int, kinds: tuple[str, ...], verdict: str) -> float:
    counts = Counter(row["verdict"] for row in asked if row["half"] == half and row["kind"] in kinds)
    return counts[verdict] / counts.total()


# Shares


@pytest.mark.parametrize("half", [0, 1])
def test_hedging_and_false_confidence_stay_where_they_were_measured(asked: list[Row], half: int) -> None:
    hedging = 1 - share(asked, half, ("answerable",), "strong")
    confidence = share(asked, half, ("aspect", "foreign"), "strong")

    assert (hedging <= 0.93, confidence <= 0.04) == (True, True), (hedging, confidence)


@pytest.mark.parametrize("half", [0, 1])
def test_a_foreign_subject_is_never_strong(asked: list[Row], half: int) -> None:
    assert share(asked, half, ("foreign",), "strong") == 0
    assert share(asked, half, ("foreign",), "none") >= 0.2


@pytest.mark.parametrize("half", [0, 1])
def test_what_is_known_is_mostly_found_and_hardly_ever_none(asked: list[Row], half: int) -> None:
    found = [row["found"] for row in asked if row["half"] == half and row["kind"] == "answerable"]

    assert sum(found) / len(found) >= 0.78
    assert share(asked, half, ("answerable",), "none") <= 0.06


@pytest.mark.parametrize("half", [0, 1])
def test_where_the_answer_is_plain_few_hits_are_shown_and_more_where_it_is_not(asked: list[Row], half: int) -> None:
    shown = [(row["verdict"], row["shown"]) for row in asked if row["half"] == half and row["verdict"] != "none"]

    plain, other = ([count for verdict, count in shown if verdict == kind] for kind in ("strong", "weak"))

    assert 1 in plain
    assert sum(plain) / len(plain) <= 3
    assert sum(other) / len(other) >= 4


def share_of(found: list[Row], **wanted: object) -> float:
    """Returns the share of some answers of which each of these is so."""
    return sum(all(row[key] == value for key, value in wanted.items()) for row in found) / len(found)


def in_words_of_the_title(title: str, keep: int) -> str:
    """Returns a question of the first telling words of a title, in reverse order, so that no phrase of it is left."""
    words = [word for word in title.split() if word.lower().strip(",.:") not in STOP_WORDS]
    return " ".join(reversed(words[:keep]))


@pytest.mark.parametrize("store", STORES)
def test_a_title_as_a_question_is_strong_and_finds_its_note_first(stores: dict[str, Store], store: str) -> None:
    titles = [stores[store].ask(note["title"], note["name"]) for note in stores[store].notes]
    reasons = [stores[store].ask(f"why {note['title']}?", note["name"]) for note in stores[store].notes]

    assert min(share_of(found, verdict="strong", first=True) for found in (titles, reasons)) >= 0.95


@pytest.mark.parametrize("store", STORES)
def test_four_words_of_a_title_are_strong_and_find_its_note_first(stores: dict[str, Store], store: str) -> None:
    found = [stores[store].ask(in_words_of_the_title(note["title"], 4), note["name"]) for note in stores[store].notes]

    assert share_of(found, verdict="strong") >= 0.95
    assert share_of(found, first=True) >= 0.95


@pytest.mark.parametrize("size", [1, 2, 5, 250])
def test_a_title_is_strong_whatever_the_number_of_notes(tmp_path: Path, size: int) -> None:
    notes = {note["name"]: note for note in reversed(rows("notes"))}
    chosen = list(notes.values())[:size]
    store = Store(tmp_path / "root", chosen)

    found = [store.ask(note["title"], note["name"]) for note in chosen]

    assert share_of(found, verdict="strong", first=True) >= 0.95


def test_the_question_of_the_readme_is_strong_on_this_projects_notes(stores: dict[str, Store]) -> None:
    answers = [stores[store].ask("why not a database", "plain-files-over-a-database") for store in ("project", "own")]

    assert all(answer["verdict"] == "strong" for answer in answers)


def test_an_ordinary_word_that_no_note_holds_does_not_weaken_an_answer(project: Project) -> None:
    body = "Session state lives in Redis for 30 minutes, renewed by each request, so that any worker may answer."
    project.note("sessions", body, title="Sessions are kept out of the process")

    answer = recall(project.open(), "where does the session state happen to live", Wanted())

    assert answer["verdict"] == "strong"


# The rule


def evidence(*words: str, cosine: float = 0.0) -> Evidence:
    return Evidence(words, (), cosine)


WEIGHTS = {"session": 1.0, "redis": 1.0, "kept": 0.5}


@pytest.mark.parametrize(
    ("best", "notes", "verdict"),
    [
        ([], 10, "none"),
        ([evidence(cosine=0.01)], 10, "none"),
        ([evidence("kept", cosine=0.2)], 10, "weak"),
        ([evidence("session", "redis", cosine=0.5)], 10, "strong"),
        ([evidence("session", "redis", cosine=0.5)], 10_000, "strong"),
        ([evidence("session", "redis", cosine=0.3)], 10, "weak"),
        ([evidence("kept", cosine=0.2)], 10_000, "none"),
        ([evidence(cosine=0.05), evidence("session", "redis", "kept", cosine=0.4)], 10_000, "strong"),
        ([evidence("session", cosine=-0.6)], 10, "none"),
        ([evidence(cosine=0.15)], 1, "none"),
        ([evidence("session", "redis", "kept")], 1_000, "strong"),
        ([evidence("session", "redis")], 1_000, "weak"),
    ],
)
def test_the_verdict_weighs_what_the_best_note_holds_and_none_the_size_of_the_store(
    best: list[Evidence], notes: int, verdict: str
) -> None:
    assert judge(best, Asked(WEIGHTS, False, notes)) == verdict


def test_a_question_for_one_fact_needs_more_evidence() -> None:
    best = [evidence("session", "redis", cosine=0.5)]

    assert judge(best, Asked(WEIGHTS, True, 10)) == "weak"
    assert judge([evidence("session", "redis", "kept", cosine=0.7)], Asked(WEIGHTS, True, 10)) == "strong"


def test_the_same_share_of_more_words_is_more_evidence() -> None:
    few, many = ({f"word{number}": 1.0 for number in range(count)} for count in (2, 8))

    verdicts = [judge([evidence(*words, cosine=0.1)], Asked(words, False, 10)) for words in (few, many)]

    assert verdicts == ["weak", "strong"]


def test_bounds_of_the_policy_take_the_place_of_what_was_measured() -> None:
    best, asked = [evidence("session", cosine=0.3)], Asked(WEIGHTS, False, 10)

    verdicts = [judge(best, asked, bounds) for bounds in ((None, None), (0.3, None), (None, 0.5))]

    assert verdicts == ["weak", "strong", "none"]
    assert judge([], asked, (0.0, 0.0)) == "none"


def test_a_recall_keeps_to_the_bounds_of_the_policy(project: Project) -> None:
    project.note("sessions", "Session state lives in Redis.")
    project.write("config.toml", "[thresholds]\nstrong = 1.0\nweak = 0.9\n")

    answer = recall(project.open(), "session state in Kafka", Wanted())

    assert (answer["verdict"], answer["hits"]) == ("none", [])


def test_words_alone_are_strong_evidence_only_where_hardly_one_is_missing() -> None:
    words = {f"word{number}": 1.0 for number in range(10)}

    verdicts = [judge([evidence(*list(words)[:held])], Asked(words, False, 1_000)) for held in (10, 9, 8)]

    assert verdicts == ["strong", "strong", "weak"]


@given(st.floats(-1, 1), st.floats(0, 1), st.integers(0, 100_000), st.integers(0, 100_000))
def test_more_notes_never_make_a_verdict_surer(cosine: float, kept: float, some: int, more: int) -> None:
    order, weights = ("none", "weak", "strong"), {"session": 1.0, "kept": kept}
    fewer, most = sorted((some, more))

    verdicts = [
        order.index(judge([evidence("session", cosine=cosine)], Asked(weights, False, notes)))
        for notes in (fewer, most)
    ]

    assert verdicts[1] <= verdicts[0]


# What a question asks for


@pytest.mark.parametrize(
    "query",
    [
        "Who wrote the scheduler?",
        "which release of Go do we build with",
        "In which repository does it live?",
        "How many pods does the vault run?",
        "for how many days are events kept",
        "what is the name of the bank",
        "size of the database",
        "maximum size of a payload",
    ],
)
def test_a_question_may_open_by_asking_for_one_fact(query: str) -> None:
    assert asks_for_a_fact(query)


@pytest.mark.parametrize(
    "query",
    [
        "",
        "?",
        "how",
        "Why do we retry?",
        "how do we know which node leads",
        "what happens to those who wait",
        "a number of services time out",
        "where is session state kept",
        "write lock",
    ],
)
def test_other_questions_ask_for_what_notes_tell(query: str) -> None:
    assert not asks_for_a_fact(query)


@given(st.text())
def test_any_text_is_a_question_of_one_kind(query: str) -> None:
    assert asks_for_a_fact(query) in (True, False)


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

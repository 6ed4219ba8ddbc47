"""Synonyms: what a question says in other words than a note is found, and counts for less than the note's own words."""

import pytest
from conftest import Project
from hypothesis import given
from hypothesis import strategies as st

from gitmem.knowledge import thesaurus
from gitmem.operations.recall import recall
from gitmem.search import bm25
from gitmem.search.query import Wanted
from gitmem.search.rank import SHORT
from gitmem.search.related import RELATED
from gitmem.search.tokens import Tokenizer

TOKENIZER = Tokenizer()
SIDES = f"{thesaurus.OPPOSITES}\n{thesaurus.ALIKE}\n{RELATED}".replace("/", "\n").split("\n")


def test_a_term_has_the_synonyms_of_all_its_ideas_and_no_opposite() -> None:
    found = TOKENIZER.synonyms["quick"]

    assert {"fast", "rapid"} <= set(found)
    assert not {"slow", "sluggish", "quick"} & set(found)


@pytest.mark.parametrize("side", [side for side in SIDES if side.strip()])
def test_every_word_of_an_idea_finds_the_others(side: str) -> None:
    stems = {TOKENIZER.stem(word) for word in side.split() if word.isalpha()}

    assert all(stems - {stem} <= set(TOKENIZER.synonyms[stem]) for stem in stems)


@given(st.text())
def test_any_term_has_synonyms_or_none_and_never_itself(term: str) -> None:
    assert term not in TOKENIZER.synonyms[term]


def test_a_synonym_stands_in_for_a_word_that_a_note_lacks_and_for_no_other() -> None:
    weights = bm25.Weights({"quick": 2.0, "cach": 2.0}, {"quick": ("fast", "rapid")}, 10)
    own, other = (bm25.Bag({word: 3, "fast": 3}, 10) for word in ("quick", "slow"))

    held, lacking = (bm25.shares(weights, note) for note in (own, other))

    assert held[0].keys() == {"quick"} and held[1] == {}
    assert lacking == ({}, {"quick": pytest.approx(bm25.SYNONYM * held[0]["quick"])})


@pytest.fixture
def cache(project: Project) -> Project:
    """A note on how rapid a cache is among notes on other things of it."""
    project.note("rapid", "The cache is rapid.")
    for number in range(8):
        project.note(f"other-{number}", f"The cache is painted in colour {number}.")
    return project


def test_a_note_is_found_first_by_a_synonym_and_says_so(cache: Project) -> None:
    first = recall(cache.open(), "quick cache", Wanted(), explain=True)["hits"][0]

    assert first["name"] == "rapid"
    assert {"term cach", "synonym of quick"} <= first["why"].keys()


def test_the_word_itself_counts_for_more(cache: Project) -> None:
    cache.note("quick", "The cache is quick.")

    names = [hit["name"] for hit in recall(cache.open(), "quick cache", Wanted())["hits"]]

    assert names[:2] == ["quick", "rapid"]


def test_a_long_question_is_taken_at_its_word(cache: Project) -> None:
    question = "quick cache " + " ".join(f"word{number}" for number in range(SHORT))

    hits = recall(cache.open(), question, Wanted(), explain=True)["hits"]

    assert all("synonym of quick" not in hit["why"] for hit in hits)


def test_all_synonyms_at_once_are_those_of_each_term() -> None:
    apart, together = Tokenizer().synonyms, Tokenizer().synonyms
    together.load()

    assert {term: apart[term] for term in together} == dict(together)
    assert together["zebra"] == apart["zebra"] == ()

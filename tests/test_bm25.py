"""Scores: the formula, its statistics, and how words and meaning are put together."""

from math import isclose, log
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.search import bm25
from gitmem.search.bm25 import Bag, Statistics, Weights, bag, best, fused, rarity, score, shares
from gitmem.search.postings import Postings

STATISTICS = Statistics(notes=10, average_length=20.0, holding={"lock": 2, "the": 10})


def weighing(*terms: str, **alike: list[str]) -> Weights:
    return Weights({term: rarity(term, STATISTICS) for term in terms}, alike, STATISTICS.average_length)


def test_a_bag_counts_each_field_by_its_weight() -> None:
    note = bag({"title": ["lock"], "tags": ["lock"], "body": ["the", "lock", "the"]})

    title, tags, body = (bm25.WEIGHTS[field] for field in ("title", "tags", "body"))
    assert note == Bag({"lock": title + tags + body, "the": 2 * body}, title + tags + 3 * body)


def test_an_unknown_field_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(KeyError):
        bag({"colour": ["red"]})


def test_a_score_is_the_formula() -> None:
    note = Bag({"lock": 3, "the": 1}, 40)

    found, instead = shares(weighing("lock", "the", "absent"), note)

    damping = bm25.K1 * (1 - bm25.B + bm25.B * 2)
    expected = log(1 + 8.5 / 2.5) * 3 * (bm25.K1 + 1) / (3 + damping)
    assert isclose(found["lock"], expected)
    assert list(found) == ["lock", "the"]
    assert instead == {}
    assert isclose(score(weighing("lock", "the", "absent"), note), sum(found.values()))


def test_rare_words_weigh_more_and_every_held_word_weighs_something() -> None:
    weights = [rarity(term, STATISTICS) for term in ("unseen", "lock", "the")]

    assert weights == sorted(weights, reverse=True)
    assert weights[-1] > 0


def test_case_51_an_empty_memory_scores_nothing() -> None:
    empty = Statistics(0, 0.0, {})

    assert score(Weights({"lock": rarity("lock", empty)}, {}, empty.average_length), Bag({}, 0)) == 0
    assert best([]) == 1


def test_fusing_takes_words_over_their_best_and_meaning_as_it_is() -> None:
    top, share = best([4.0, 1.0]), bm25.SHARE

    found = [fused(*each) for each in ((4.0, top, 0.0), (1.0, top, 0.5), (0.0, top, -0.2))]

    assert found == [share, share / 4 + (1 - share) * 0.5, 0.0]


@given(st.lists(st.tuples(st.floats(0, 50), st.floats(-1, 1)), min_size=1))
def test_fused_scores_lie_between_nothing_and_one(notes: list[tuple[float, float]]) -> None:
    top = best(score for score, _ in notes)

    assert all(0 <= fused(score, top, cosine) <= 1 for score, cosine in notes)


def test_where_no_note_holds_much_of_a_question_words_count_for_little() -> None:
    little, much = (fused(score, best([score, score / 2], 10.0), 0.0) for score in (1.0, 8.0))

    assert little == pytest.approx(bm25.SHARE / (10 * bm25.FLOOR))
    assert much == pytest.approx(bm25.SHARE)


@given(st.lists(st.sampled_from(["lock", "the", "unseen"]), unique=True), st.integers(1, 500), st.integers(1, 500))
def test_no_score_exceeds_the_most_there_can_be(terms: list[str], count: int, length: int) -> None:
    weights = weighing(*terms)

    found = score(weights, Bag(dict.fromkeys(terms, count), max(length, count)))

    assert found <= bm25.most(weights.rarity)


BAGS = st.dictionaries(st.sampled_from(["lock", "the", "mutex", "latch", "other"]), st.integers(1, 50))


@given(st.lists(BAGS, min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_many_notes_scored_at_once_have_the_scores_of_each_alone(counts: list[dict[str, int]], dice: Random) -> None:
    notes = {f"{number}.md": Bag(each, sum(each.values())) for number, each in enumerate(counts)}
    weights = weighing("the", "absent", "lock", lock=["latch", "mutex", "unseen"], absent=["unseen"])
    chosen = dice.sample(sorted(notes), dice.randint(0, len(notes)))

    assert Postings(notes).scores(chosen, weights) == [score(weights, notes[path]) for path in chosen]


@given(BAGS)
def test_what_makes_a_score_is_all_of_it(counts: dict[str, int]) -> None:
    weights, note = weighing("the", "lock", lock=["latch", "mutex"]), Bag(counts, sum(counts.values()))

    words, instead = shares(weights, note)

    assert isclose(score(weights, note), sum(words.values()) + sum(instead.values()))

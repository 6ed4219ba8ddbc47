"""How well a note answers a query: BM25 over weighted fields, fused with the cosine of two vectors."""

# Statistics are exact, and arguments: tantivy counts deleted notes, so its scores depend on how the index came to be.

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from math import log

from gitmem.values import Any, NamedTuple

# Chosen on half 0 of four public retrieval sets (issues, design documents; title = first 100 characters), one setting for
# all. Figures are their mean nDCG@10 on half 1, where differences under .005 mean nothing; chosen: .840.
# K1 1.2: .839, 2: .838; B .6 and .85: .840.
K1 = 1.5
B = 0.75
# How often a term of a field counts. Title once: .837, twice: .839, four times: .840.
WEIGHTS = {"title": 3, "summary": 2, "tags": 2, "name": 1, "identifiers": 1, "body": 1, "touches": 1}
# Words count by the best note's BM25, or by this share of what no note can exceed, whichever is more: else the best of notes
# that hold hardly a word of a question gets as much for it as one that holds them all. Recall at 1 and 5 on half 0 of the
# questions in words unlike the notes' own 0: .438 and .680, .4: .477 and .725, .5: .477 and .739; recall@5 on the sets, their
# mean: .912, .913, .913, but where questions are whole summaries .869, .869, .864.
FLOOR = 0.4
# Share of BM25 (over its best) in the fused score; the rest is the cosine as it is. .4: .838, .45: .839, .55: .838,
# .6: .838; BM25 alone: .823, vectors alone: .688. Pools of 50 + 50 to 400 + 200 notes: the same.
SHARE = 0.5
# Share of a term's weight that a synonym has in its place. Half 0 of the questions in words unlike the notes' own, recall at 1
# and 5, none: .545 and .778, .3: .576 and .813, .4: .586 and .823, .5: .591 and .828; half 1, none: .550 and .805, .4: .576
# and .863. Largest fall of recall@5 on one of the sets, either half: .4: .002, .5: .004.
SYNONYM = 0.4


class Bag(NamedTuple):
    """A note as it is scored: how often each term counts in it, and how much they count together."""

    counts: dict[str, int]
    length: int


class Statistics(NamedTuple):
    """What is known about all notes: how many, their mean bag length, and in how many each query term stands."""

    notes: int
    average_length: float
    holding: Mapping[str, int]


class Weights(NamedTuple):
    """How a question weighs notes: the rarity of its terms, the synonyms of some, and the mean bag length of all notes."""

    rarity: Mapping[str, float]
    alike: Mapping[str, Sequence[str]]
    average_length: float

    def words(self) -> set[str]:
        """Returns all terms that count in a note."""
        return {*self.rarity, *chain(*self.alike.values())}


NO_WEIGHTS = Weights({}, {}, 0.0)


def bag(fields: Mapping[str, Sequence[str]]) -> Bag:
    """Returns the bag of a note from the terms of its fields (names as in WEIGHTS)."""
    counts: dict[str, int] = {}
    for field, terms in fields.items():
        weight = WEIGHTS[field]
        for term in terms:
            counts[term] = counts.get(term, 0) + weight
    return Bag(counts, sum(counts.values()))


def rarity(term: str, statistics: Statistics) -> float:
    """Returns a term's inverse document frequency, ln(1 + (N - n + .5) / (n + .5)) as in Lucene."""
    holding = statistics.holding.get(term, 0)
    return log(1 + (statistics.notes - holding + 0.5) / (holding + 0.5))


def share(weight: float, count: Any, damping: Any) -> Any:
    """Returns what a term adds to BM25 scores (Robertson and Zaragoza 2009): of one note, or by numpy of many, to the last bit."""
    return weight * count * (K1 + 1) / (count + damping)


def damping(length: Any, average_length: float) -> Any:
    """Returns how much the length of a note, or by numpy the lengths of many, takes from what its terms add."""
    return K1 * (1 - B + B * length / (average_length or 1))


def score(weights: Weights, note: Bag) -> float:
    """Returns the BM25 score of a note, where it lacks a term with the most frequent of the term's synonyms in place of it."""
    counts, slowed = note.counts, damping(note.length, weights.average_length)
    words = instead = 0.0  # two plain sums: `sum` adds up otherwise since Python 3.12, and numpy could not follow
    for term, weight in weights.rarity.items():
        count = counts.get(term)
        if count:
            words += share(weight, count, slowed)
        elif term in weights.alike:
            count = frequent(weights.alike[term], counts)
            instead += SYNONYM * share(weight, count, slowed) if count else 0.0
    return words + instead


def frequent(group: Iterable[str], counts: Mapping[str, int]) -> int:
    """Returns how often the most frequent of some terms counts."""
    return max([counts[term] for term in group if term in counts], default=0)


def shares(weights: Weights, note: Bag) -> tuple[dict[str, float], dict[str, float]]:
    """Returns what makes a note's score: what each term adds that it holds, and each that it lacks, by its synonyms."""
    counts, slowed = note.counts, damping(note.length, weights.average_length)
    rarity = weights.rarity
    lacking = {term: frequent(group, counts) for term, group in weights.alike.items() if term not in counts}
    words = {term: share(weight, counts[term], slowed) for term, weight in rarity.items() if counts.get(term)}
    instead = {term: SYNONYM * share(rarity[term], count, slowed) for term, count in lacking.items() if count}
    return words, instead


def most(rarities: Mapping[str, float]) -> float:
    """Returns what no note's BM25 score for these terms can exceed."""
    return (K1 + 1) * sum(rarities.values())


def best(scores: Iterable[float], most: float = 0.0) -> float:
    """Returns what BM25 scores are measured by: the best, or FLOOR of what none can exceed, whichever is more."""
    return max(FLOOR * most, max(scores, default=0.0)) or 1.0


def fused(score: float, top: float, cosine: float) -> float:
    """Returns one score from 0 to 1 for a note: SHARE x BM25 over the top, which `best` gives, + the rest x cosine, which below zero is nothing.

    The cosine is not stretched over the pool, so a note's score does not depend on which others were looked at.
    """
    return SHARE * score / top + (1 - SHARE) * max(0.0, cosine)

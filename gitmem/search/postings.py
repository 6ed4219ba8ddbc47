"""Postings: in which notes each term stands, and how often it counts there, so that many notes are scored at once."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

import numpy

from gitmem.search import bm25
from gitmem.values import Any


class Postings:
    """The bags of some notes by term; scores are those of `bm25.score`, to the last bit."""

    def __init__(self, bags: Mapping[str, bm25.Bag]) -> None:
        """`bags` are by path. Takes 30 us a note."""
        counts = [bag.counts for bag in bags.values()]
        self._rows = {path: row for row, path in enumerate(bags)}
        self._lengths = numpy.array([bag.length for bag in bags.values()], float)
        self._terms: dict[str, int] = {}
        terms = numpy.array([self._terms.setdefault(term, len(self._terms)) for each in counts for term in each], int)
        order = numpy.argsort(terms, kind="stable")
        self._starts = [0, *numpy.cumsum(numpy.bincount(terms, minlength=len(self._terms))).tolist()]
        self._holding = numpy.repeat(numpy.arange(len(counts)), list(map(len, counts)))[order]
        self._counts = numpy.array(list(chain.from_iterable(map(dict.values, counts))), float)[order]

    def scores(self, paths: Iterable[str], weights: bm25.Weights) -> list[float]:
        """Returns the scores of the notes at some paths."""
        rows = numpy.array([self._rows[path] for path in paths], int)
        damping = bm25.damping(self._lengths[rows], weights.average_length)
        words, instead = numpy.zeros(len(rows)), numpy.zeros(len(rows))
        for term, weight in weights.rarity.items():
            counts = self._most([term])[rows]
            words += bm25.share(weight, counts, damping)
            if term in weights.alike:
                others = self._most(weights.alike[term])[rows]
                instead += bm25.SYNONYM * bm25.share(weight, numpy.where(counts, 0.0, others), damping)
        scores: list[float] = (words + instead).tolist()
        return scores

    def _most(self, terms: Sequence[str]) -> Any:  # Any: numpy's
        """Returns how often the most frequent of some terms counts in each note."""
        most = numpy.zeros(len(self._rows))
        for number in (self._terms[term] for term in terms if term in self._terms):
            postings = slice(self._starts[number], self._starts[number + 1])
            rows = self._holding[postings]
            most[rows] = numpy.maximum(most[rows], self._counts[postings])
        return most

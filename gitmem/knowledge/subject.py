"""Subject: whether two titles speak of one thing, or of two things in the same words."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from math import sqrt

from gitmem.knowledge import lexicon
from gitmem.knowledge.clauses import Said, Word
from gitmem.knowledge.matching import Answers
from gitmem.values import NamedTuple

# What a word found somewhere in the other note still counts as one that parts the titles.
_ELSEWHERE = 0.35
_EDGE = ""
_HALF = 0.5  # of a title: what stands further on is said of the thing


class Contrast(NamedTuple):
    """What parts two titles, each 0 to 1: another thing that they speak of (`orders timeout`, `payments timeout`), and
    another end of the same words."""

    thing: float
    end: float


class _Run(NamedTuple):
    """Words in a row that the other title does not answer, and their neighbours' stems, empty at an edge; its place, 0 to 1."""

    left: str
    words: Sequence[Word]
    right: str
    place: float


@cache
def _numbered() -> re.Pattern[str]:
    """Returns what finds a thing that is one of a numbered row, at the beginning of a title."""
    return re.compile(rf"(?:the\s)?({'|'.join(lexicon.NUMBERED)})\s#?(\d+(?:\.\d+)*)\b", re.IGNORECASE)


def are_numbered_apart(one: Said, other: Said) -> bool:
    """Returns whether two titles begin with two things of one row: ticket 124, ticket 1138."""
    found = [_numbered().match(said.clauses[0].text) if said.clauses else None for said in (one, other)]
    rows = [(match[1].lower(), match[2]) for match in found if match]
    return len(rows) == 2 and rows[0][0] == rows[1][0] and rows[0] != rows[1]


def contrast(one: Said, other: Said, titles: tuple[Answers, Answers], notes: tuple[Answers, Answers]) -> Contrast:
    """Returns what parts two notes by their titles; `titles` and `notes` are the answers either way."""
    first, second = one.title(), other.title()
    runs = list(_runs(first, titles[0])), list(_runs(second, titles[1]))
    thing = end = 0.0
    orders = any(clause.order for said in (one, other) for clause in said.clauses[:1])
    for here in runs[0]:
        for there in runs[1]:
            weight = _weight(here, there, notes)
            left, right = _meet(here.left, there.left, titles[0]), _meet(here.right, there.right, titles[0])
            inner = right and here.right != _EDGE and _parts_things(here, there, orders=orders)
            if left and (inner or _are_named(here, there, first, second)):
                thing = max(thing, weight)
            elif left and right:
                end = max(end, weight * (0.5 if here.left == _EDGE else 1.0))
    parallel = sqrt(_answered(first, runs[0]) * _answered(second, runs[1]))
    return Contrast(thing * min(1.0, 2.2 * parallel), end * min(1.0, 2 * parallel))


def _runs(words: Sequence[Word], found: Answers) -> Iterator[_Run]:
    start = 0
    while start < len(words):
        end = start
        while end < len(words) and words[end].stem not in found:
            end += 1
        if end > start:
            left = words[start - 1].stem if start else _EDGE
            yield _Run(left, words[start:end], words[end].stem if end < len(words) else _EDGE, start / len(words))
        start = end + 1


def _meet(one: str, other: str, found: Answers) -> bool:
    return one == other == _EDGE or other in found.get(one, ())


def _weight(here: _Run, there: _Run, notes: tuple[Answers, Answers]) -> float:
    """Returns how much two runs tell apart: less where the other note has the heaviest word of one, nothing for both."""
    heavy = [max(run.words, key=lambda word: word.weight) for run in (here, there)]
    known = [word.stem in found for word, found in zip(heavy, notes, strict=True)]
    if all(known):
        return 0.0
    return min(word.weight for word in heavy) * (_ELSEWHERE if any(known) else 1.0)


def _parts_things(here: _Run, there: _Run, *, orders: bool) -> bool:
    if here.left == there.left == _EDGE:
        return not orders
    things = (run.words[0].name or run.words[0].before in lexicon.BEFORE_THINGS for run in (here, there))
    return max(here.place, there.place) < _HALF and all(things)


def _are_named(here: _Run, there: _Run, first: Sequence[Word], second: Sequence[Word]) -> bool:
    """Returns whether both name one of the kind that both titles begin with: `Topic clicks`, `Topic audit`."""
    begin = here.left == first[0].stem and there.left == second[0].stem
    return begin and here.words[0].name and there.words[0].name


def _answered(words: Sequence[Word], runs: Sequence[_Run]) -> float:
    whole = sum(word.weight for word in words)
    return max(0.0, 1 - sum(word.weight for run in runs for word in run.words) / whole) if whole else 0.0

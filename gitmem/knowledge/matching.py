"""Matching: which words of one note answer which of another, and how much two clauses have in common."""

import re
from collections.abc import Collection, Mapping
from functools import cache
from math import sqrt

from gitmem.knowledge.clauses import Clause, Said, Word
from gitmem.knowledge.sense import SAME, Sense
from gitmem.values import NamedTuple

_CODE = frozenset("_.:/ ")


class Kin(NamedTuple):
    """How much a word answers another, and -1 where it says the opposite."""

    score: float
    sign: int


Answers = Mapping[str, Mapping[str, Kin]]


class Pair(NamedTuple):
    """Two clauses side by side: the weight that they share, the share of both that it is (0 to 1), how many of them are
    of a title or a summary, how many words are opposites, and what words of each nothing in the other answers."""

    one: Clause
    other: Clause
    shared: float
    overlap: float
    heads: int
    opposites: int
    alone: tuple[list[Word], list[Word]]


def answers(one: Said, other: Said, sense: Sense) -> Answers:
    """Returns, for each stem of one note, the stems of the other that answer it; names answer equal names alone."""
    kin = _Kin(other, {**one.names, **other.names}, sense)
    return {stem: found for stem in one.weights if (found := kin.of(stem))}


# Words less telling than this stand in for no other; how much one counts that does: its cosine times so much, at most; and
# how many words of a note are looked at (16 find as much in 2 ms more a write of 1,000 notes).
_TELLING, _STANDS, _MOST, _MANY = 0.5, 1.6, 0.9, 10


def wide_answers(one: Said, other: Said, found: Answers, sense: Sense) -> Answers:
    """Returns the answers with, for each telling word that has none, the words of the other note near to it in meaning.

    Two names are never near: that they differ is what notes disagree about.
    """
    alone = [stem for stem in _telling(one) if stem not in found]
    telling = _telling(other) if alone else []
    forms = [other.forms[stem] for stem in telling]
    signs = [sense.sign(form) for form in forms]
    wide = dict(found)
    for stem in alone:
        places = sense.near(one.forms[stem], forms, signs)
        near = {telling[at]: Kin(min(_MOST, cosine * _STANDS), 1) for at, cosine in places}
        if stem in one.names:
            near = {each: kin for each, kin in near.items() if each not in other.names}
        if near:
            wide[stem] = near
    return wide


def _telling(said: Said) -> list[str]:
    """Returns the words of a note that tell most, at most so many: each costs a vector."""
    stems = [stem for stem, weight in said.weights.items() if weight >= _TELLING]
    return sorted(stems, key=lambda stem: -said.weights[stem])[:_MANY]


def title_answers(one: Said, other: Said, found: Answers) -> Answers:
    """Returns what of the answers holds between the titles alone."""
    titled = {word.stem for word in other.title()}
    met = {word.stem: found.get(word.stem, {}) for word in one.title()}
    kept = {stem: {word: kin for word, kin in each.items() if word in titled} for stem, each in met.items()}
    return {stem: each for stem, each in kept.items() if each}


class _Kin:
    """The stems of one note, so that what answers a word is found without looking at each."""

    def __init__(self, said: Said, names: Mapping[str, str], sense: Sense) -> None:
        self.stems, self.kindred, self.names, self.sense = said.weights, said.kindred, names, sense

    def of(self, stem: str) -> dict[str, Kin]:
        found = {stem: Kin(SAME, 1)} if stem in self.stems else {}
        by_idea, by_start, whole = self.kindred
        near = [other for idea, _ in self.sense.ideas(stem) for other in by_idea.get(idea, ())]
        if len(stem) >= 5:
            near += by_start.get(stem[:5], ())
            near += [other for other in whole if stem in other or other in stem]
        for other in near:
            kin = self._kin(stem, other) if other not in found else None
            if kin:
                found[other] = kin
        return found

    def _kin(self, stem: str, other: str) -> Kin | None:
        names = self.names
        if stem in names or other in names:
            if stem in names and other in names:
                return Kin(SAME, 1) if _is_one_name(names[stem], names[other]) else None
            coded = not _CODE.isdisjoint(names.get(stem, "") + names.get(other, ""))
            if coded or not (self.sense.ideas(stem) and self.sense.ideas(other)):
                return None
        kin = self.sense.kinship(stem, other)
        return Kin(*kin) if kin else None


@cache
def _parts() -> re.Pattern[str]:
    return re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{3,}")


def parts(name: str) -> frozenset[str]:
    """Returns the words that an identifier is made of."""
    return frozenset(part.lower() for part in _parts().findall(name))


def _is_one_name(one: str, other: str) -> bool:
    bare = [name.lower().replace("-", "").replace("_", "") for name in (one, other)]
    short, long = sorted(bare, key=len)
    if long.startswith(short) and len(short) >= 4 and short.isalpha() and long.isalpha():
        return True  # infra, infrastructure
    return bare[0] == bare[1] or (parts(one) == parts(other) != frozenset())


def pair(one: Clause, other: Clause, found: Answers, wide: Answers) -> Pair:
    """Returns two clauses side by side; what only `wide` answers is shared, and yet each has it alone."""
    shared, opposites = 0.0, 0
    alone: list[Word] = []
    used: set[str] = set()
    for word in one.words:
        best = _best(word, other.stems, found)
        if best is None:
            alone.append(word)
            near = _best(word, other.stems, wide) if word.stem not in found else None
            shared += near[1].score * min(word.weight, other.stems[near[0]]) if near else 0.0
            continue
        stem, kin = best
        shared += kin.score * min(word.weight, other.stems[stem])
        opposites += kin.sign < 0 and stem not in one.stems and not _say_two(word, stem, one, other, found)
        used.add(stem)
    rest = [word for word in other.words if word.stem not in used]
    overlap = shared / sqrt(one.weight * other.weight) if shared else 0.0
    return Pair(one, other, shared, overlap, one.is_head + other.is_head, opposites, (alone, rest))


def _say_two(word: Word, stem: str, one: Clause, other: Clause, found: Answers) -> bool:
    """Returns whether opposites stand right before two things: `large uploads`, `small chunks`."""
    against = next(each for each in other.words if each.stem == stem)
    here = next((each.stem for each in one.words if each.place == word.place + 1), None)
    there = next((each.stem for each in other.words if each.place == against.place + 1), None)
    return here is not None and there is not None and there not in found.get(here, ())


def _best(word: Word, stems: Mapping[str, float], found: Answers) -> tuple[str, Kin] | None:
    kin = found.get(word.stem)
    if kin is None:
        return None
    if word.stem in stems and word.stem in kin:
        return word.stem, kin[word.stem]
    near = [(stem, each) for stem, each in kin.items() if stem in stems]
    return max(near, key=lambda item: (item[1].score, item[0])) if near else None


def coverage(said: Said, found: Answers, *, level: int) -> float:
    """Returns the share of a note's words, down to a level, that the other note answers."""
    stems = said.weights if level == 2 else _down_to(said, level)
    held = sum(stems[stem] * max(kins.values()).score for stem, kins in found.items() if stem in stems)
    return held / sum(stems.values()) if stems else 0.0


def _down_to(said: Said, level: int) -> Mapping[str, float]:
    return {word.stem: word.weight for clause in said.clauses if clause.level <= level for word in clause.words}


def missing(words: Collection[Word], found: Answers) -> float:
    """Returns the weight of those words that the other note does not answer."""
    return sum(word.weight for word in words if word.stem not in found)

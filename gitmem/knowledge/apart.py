"""Evidence of whole notes: what two notes on one subject disagree about where no two of their clauses are put alike."""

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from math import sqrt

from gitmem.knowledge import evidence as signs
from gitmem.knowledge import quantities as numbers
from gitmem.knowledge import rivals
from gitmem.knowledge.clauses import Clause, Said, Word
from gitmem.knowledge.evidence import Evidence
from gitmem.knowledge.matching import Answers, Pair
from gitmem.knowledge.quantities import Quantity
from gitmem.values import NamedTuple

# Numbers of one dimension, the only such on either side, tell this much whatever stands around them.
_NUMBERS = 0.6
# What of two bare counts' nouns must answer each other.
_NOUN = 0.3
# Two products of one job tell this much, whatever stands around them.
_PRODUCTS = 0.3
# A title or a summary is answered by so much more than a body; a kind of reach that the other note has in clauses answered
# this much is not its own.
_HEAD, _OWN = 1.25, 0.2
_AGAINST = ({"permit", "forbid"}, {"require", "waive"})
# How far titles go, and what in the other note is against it.
_REACHES = (("all", "only"), ("only", "also"), ("all", "some"), ("all", "except"), ("one", "many"))

Reaches = Mapping[str, tuple[float, Clause]]


class Notes(NamedTuple):
    """Two notes side by side: what answers what either way, near words included, the clauses that share a word, and what
    share of each clause the other note answers."""

    one: Said
    other: Said
    wide: tuple[Answers, Answers]
    pairs: dict[tuple[int, int], Pair]
    shares: tuple[Sequence[float], Sequence[float]]


def notes(one: Said, other: Said, wide: tuple[Answers, Answers], pairs: dict[tuple[int, int], Pair]) -> Notes:
    """Returns two notes side by side."""
    best = [{stem: max(found.values()).score for stem, found in each.items()} for each in wide]
    shares = (
        [answered(clause, best[0]) for clause in one.clauses],
        [answered(clause, best[1]) for clause in other.clauses],
    )
    return Notes(one, other, wide, pairs, shares)


def answered(clause: Clause, best: Mapping[str, float]) -> float:
    """Returns the share of a clause's words that the other note answers, given how much each stem is answered."""
    if not clause.weight:
        return 0.0
    return sum(word.weight * best[word.stem] for word in clause.words if word.stem in best) / clause.weight


# Numbers


def values(both: Notes, tallied: "signs.Tally") -> Evidence | None:
    """Returns the strongest of the numbers of one dimension that either note has alone."""
    found = list(_values(both, tallied))
    return max(found, key=_strength, default=None)


def _strength(each: Evidence) -> float:
    return each.strength


def _values(both: Notes, tallied: "signs.Tally") -> Iterator[Evidence]:
    left, right = tallied.left, tallied.right
    for at, clause, quantity in left:
        for place, beside, against in right:
            if quantity.dimension != against.dimension or quantity.dimension == "version":
                continue
            if not numbers.compatible(quantity, against):
                sure = _nouns(clause, quantity, beside, against, both.wide)
                sure *= _lonely(quantity.dimension, left) * _lonely(quantity.dimension, right)
                sure *= 0.5 if quantity.dimension in tallied.agreed - {"count"} else 1.0
                around = sqrt(both.shares[0][at] * both.shares[1][place])
                strength = sure * min(1.0, _NUMBERS + around)
                kind = "unit" if numbers.is_other_unit(quantity, against) else "value"
                yield Evidence(kind, strength, numbers.shown(quantity), numbers.shown(against))


def _lonely(dimension: str, found: list[signs.Current]) -> float:
    return 1 / sqrt(len({each.values for _, _, each in found if each.dimension == dimension}))


def _nouns(
    clause: Clause, quantity: Quantity, beside: Clause, against: Quantity, wide: tuple[Answers, Answers]
) -> float:
    """Returns how surely two numbers count one thing; a unit tells it, and of bare counts the nouns behind them."""
    if quantity.dimension != "count":
        return 1.0
    one, other = _counted(clause, quantity), _counted(beside, against)
    if not (one and other):
        return 0.0
    met = max(_covered(one, other, wide[0]), _covered(other, one, wide[1]))
    return met if met >= _NOUN else 0.0


def _counted(clause: Clause, quantity: Quantity) -> list[Word]:
    behind = [form.lower() for form in _letters().findall(clause.text[quantity.end :])[:2]]
    return [word for word in clause.words if word.form.lower() in behind]


@cache
def _letters() -> re.Pattern[str]:
    return re.compile(r"[A-Za-z][\w'-]*")


def _covered(words: Sequence[Word], others: Sequence[Word], found: Answers) -> float:
    stems = {word.stem for word in others}
    met = (
        word.weight * max((kin.score for stem, kin in found.get(word.stem, {}).items() if stem in stems), default=0.0)
        for word in words
    )
    return sum(met) / sum(word.weight for word in words)


# Leave and ban


def leave(both: Notes) -> Evidence | None:
    """Returns what a title or a summary of one note allows, asks for or bans, beside what the other says against it."""
    for turned, (said, beside) in enumerate((_own(both), _own(both)[::-1])):
        for clause in said:
            if clause.duty and clause.is_head:
                against = [each for each in beside if {clause.duty, each.duty} in _AGAINST and not each.past]
                if against:
                    return _sided("permission", 1.0, clause, against[0], turned=bool(turned))
    return None


def _own(both: Notes) -> tuple[list[Clause], list[Clause]]:
    """Returns the clauses of either note that do not stand in the other, too: what both say is no disagreement."""
    texts = [{clause.text for clause in said.clauses} for said in (both.one, both.other)]
    return (
        [clause for clause in both.one.clauses if clause.text not in texts[1]],
        [clause for clause in both.other.clauses if clause.text not in texts[0]],
    )


def _sided(kind: str, strength: float, here: Clause, there: Clause, *, turned: bool) -> Evidence:
    return (
        Evidence(kind, strength, there.text, here.text) if turned else Evidence(kind, strength, here.text, there.text)
    )


# Reach


def reach(both: Notes) -> Evidence | None:
    """Returns the strongest sign that a title or a summary goes further than the other note."""
    heads, wholes = [_reaches(both, side, 1) for side in (0, 1)], [_reaches(both, side, 2) for side in (0, 1)]
    found = [
        _sided(_kind(that), sqrt(share * other), head, body, turned=side == 1)
        for side in (0, 1)
        for (share, head), (other, body), that in _against(heads[side], wholes[1 - side])
        if not signs.is_exception(head, body) and head.text != body.text
    ]
    return max(found, key=_strength, default=None)


def _against(heads: Reaches, wholes: Reaches) -> Iterator[tuple[tuple[float, Clause], tuple[float, Clause], str]]:
    for this, that in _REACHES:
        if this in heads and that in wholes and (this not in wholes or wholes[this][0] < _OWN):
            yield heads[this], wholes[that], that


def _kind(that: str) -> str:
    return "quantifier" if that in ("some", "many") else "scope"


def _reaches(both: Notes, side: int, level: int) -> Reaches:
    """Returns, for each kind of reach in a note, down to a level, the clause that the other note answers most, and how much."""
    found: dict[str, tuple[float, Clause]] = {}
    for share, clause in zip(both.shares[side], (both.one, both.other)[side].clauses, strict=True):
        if clause.reach and clause.level <= level and not clause.past:
            for kind in clause.reach:
                if kind not in found or share > found[kind][0]:
                    found[kind] = share, clause
    return found


def both_have(both: Notes, has: Callable[[Clause], bool]) -> float:
    """Returns how much of what both notes say is of a kind: the share of a clause that is answered, the lesser side."""
    sides = zip((both.one, both.other), both.shares, strict=True)
    return min(
        max(
            (share for share, clause in zip(shares, said.clauses, strict=True) if not clause.past and has(clause)),
            default=0.0,
        )
        for said, shares in sides
    )


# Names


def jobs(both: Notes) -> Evidence | None:
    """Returns the two products, one of each note and not of the other, that do one job where most else is alike."""
    known = rivals.jobs()
    sides = [_placed(both, side, known) for side in (0, 1)]
    alone = [{word: at for word, at in sides[side].items() if word not in sides[1 - side]} for side in (0, 1)]
    spoken = [each.title()[0].form.lower() if each.title() else "" for each in (both.one, both.other)]
    found = [
        Evidence("name", _PRODUCTS + (1 - _PRODUCTS) * sqrt(share * other), word, name)
        for word, share in alone[0].items()
        for name, other in alone[1].items()
        if not known[word].isdisjoint(known[name]) and [word, name] != spoken
    ]
    return max(found, key=_strength, default=None)


def _placed(both: Notes, side: int, known: Mapping[str, frozenset[int]]) -> dict[str, float]:
    """Returns the known words of a note with the share of their clause that the other note answers, at most."""
    found: dict[str, float] = {}
    for share, clause in zip(both.shares[side], (both.one, both.other)[side].clauses, strict=True):
        for word in clause.marks if not clause.past else ():
            if word in known:
                found[word] = max(found.get(word, 0.0), min(1.0, share * _HEAD) if clause.is_head else share)
    return found


def other_sort(both: Notes, level: int) -> bool:
    """Returns whether the notes, down to a level, name two things of one sort: staging and production, iOS and Android."""
    known = rivals.sorts()
    sides = []
    for said in (both.one, both.other):
        words = {word for clause in said.clauses if clause.level <= level and not clause.past for word in clause.marks}
        sorts: dict[int, set[str]] = {}
        for word in words & known.keys():
            for sort in known[word]:
                sorts.setdefault(sort, set()).add(word)
        sides.append(sorts)
    return any(sides[0][sort].isdisjoint(sides[1][sort]) for sort in sides[0].keys() & sides[1].keys())


def other_mark(both: Notes, found: tuple[Answers, Answers]) -> float:
    """Returns how much parts the titles that put another word before the same one: `edge collector`, `billing exporter`."""
    before = [_before(said.title()) for said in (both.one, both.other)]
    return max(
        (
            min(one.weight, other.weight)
            for stem in before[0].keys() & before[1].keys()
            for one in before[0][stem]
            for other in before[1][stem]
            if one.stem != other.stem and one.stem not in found[0] and other.stem not in found[1]
        ),
        default=0.0,
    )


def _before(words: Sequence[Word]) -> dict[str, list[Word]]:
    found: dict[str, list[Word]] = {}
    for word, following in itertools.pairwise(words):
        if following.place - word.place == 1:
            found.setdefault(following.stem, []).append(word)
    return found


def names_alone(said: Said, other: Said, wide: Answers) -> int:
    """Returns how many names one note has that the other has not."""
    text = " ".join(clause.text for clause in other.clauses).lower()
    return len(
        {
            word.stem
            for clause in said.clauses
            for word in (() if clause.past else clause.words)
            if word.name and word.stem not in wide and word.weight > signs.TELLING and word.form.lower() not in text
        }
    )

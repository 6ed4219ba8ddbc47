"""Evidence of whole notes: what two notes on one subject disagree about where no two of their clauses are put alike."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from math import sqrt

from gitmem.knowledge import evidence as signs
from gitmem.knowledge import quantities as numbers
from gitmem.knowledge.clauses import Clause, Said, Word
from gitmem.knowledge.evidence import Evidence
from gitmem.knowledge.matching import Answers, Pair
from gitmem.knowledge.quantities import Quantity
from gitmem.knowledge.units import UNITS
from gitmem.values import NamedTuple

# Numbers of one dimension, the only such on either side, tell this much whatever stands around them.
_NUMBERS = 0.6
# What of two bare counts' nouns must answer each other.
_NOUN = 0.3
# Shares of two clauses that the other note answers from which leave against ban, two names, two reaches count in full.
_LEAVE, _NAMES, _REACH = 0.4, 0.5, 0.5
# How much two clauses have in common from which leave against ban is surely of one thing.
_CLOSE = 0.2
# What is left where a note also says the contrary, or has more than one name that the other has not.
_MIXED, _MANY = 0.6, 0.6
_AGAINST = ({"permit", "forbid"}, {"require", "waive"})
_WORDS = ("feet", "percent", "celsius", "fahrenheit")


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
    shares = (
        [answered(clause, wide[0]) for clause in one.clauses],
        [answered(clause, wide[1]) for clause in other.clauses],
    )
    return Notes(one, other, wide, pairs, shares)


def answered(clause: Clause, found: Answers) -> float:
    """Returns the share of a clause's words that the other note answers."""
    return sum(word.weight * _best(word.stem, found) for word in clause.words) / clause.weight if clause.weight else 0.0


def _best(stem: str, found: Answers) -> float:
    return max((kin.score for kin in found.get(stem, {}).values()), default=0.0)


def strongest(both: Notes) -> Evidence | None:
    """Returns the strongest sign that two notes, taken whole, give two values, two names, or leave and ban."""
    found = (*_values(both), *_units(both), *_leave(both), *_names(both))
    return max(found, key=lambda each: each.strength, default=None)


# Numbers


def _values(both: Notes) -> Iterator[Evidence]:
    here, there = list(signs.current(both.one)), list(signs.current(both.other))
    left = [each for each in here if not signs.is_met(each[2], there)]
    right = [each for each in there if not signs.is_met(each[2], here)] if left else []
    agreed = {quantity.dimension for _, _, quantity in here if signs.is_met(quantity, there)}
    for at, clause, quantity in left:
        for place, beside, against in right:
            if quantity.dimension != against.dimension or quantity.dimension == "version":
                continue
            if not numbers.compatible(quantity, against):
                sure = _nouns(clause, quantity, beside, against, both.wide)
                sure *= _lonely(quantity.dimension, left) * _lonely(quantity.dimension, right)
                sure *= 0.5 if quantity.dimension in agreed - {"count"} else 1.0
                around = sqrt(both.shares[0][at] * both.shares[1][place])
                kind = "unit" if numbers.is_other_unit(quantity, against) else "value"
                strength = sure * min(1.0, _NUMBERS + around)
                yield Evidence(kind, strength, numbers.shown(quantity), numbers.shown(against))


def _lonely(dimension: str, found: list[tuple[int, Clause, Quantity]]) -> float:
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


def _units(both: Notes) -> Iterator[Evidence]:
    """Yields the units that both notes name without a number, and that are two: one in seconds, one in milliseconds."""
    one, other = _bare_units(both.one), _bare_units(both.other)
    if not (one.keys() & other.keys()):
        return
    here, there = list(signs.current(both.one)), list(signs.current(both.other))
    agreed = {quantity.dimension for _, _, quantity in here if signs.is_met(quantity, there)}
    for dimension in (one.keys() & other.keys()) - agreed:
        named = [_unit_names(said, dimension) for said in (both.one, both.other)]
        if not named[0] & named[1]:
            yield Evidence("unit", 1.0, one[dimension], other[dimension])


def _bare_units(said: Said) -> dict[str, str]:
    """Returns, by its dimension, a unit that stands without a number, in the words of the note."""
    found: dict[str, str] = {}
    for clause in said.clauses:
        for unit, (dimension, _) in _spelled(clause):
            if not any(unit in quantity.shown for quantity in clause.quantities):
                found.setdefault(dimension, unit)
    return found


def _unit_names(said: Said, dimension: str) -> set[float]:
    return {factors[0] for clause in said.clauses for _, (kind, factors) in _spelled(clause) if kind == dimension}


def _spelled(clause: Clause) -> Iterator[tuple[str, tuple[str, tuple[float, ...]]]]:
    """Yields the units that a clause spells out in the plural."""
    for word in _letters().findall(clause.text) if not clause.past else ():
        low = word.lower()
        if low in UNITS and ((len(low) > 3 and low.endswith("s")) or low in _WORDS):
            yield word, UNITS[low]


# Leave and ban


def _leave(both: Notes) -> Iterator[Evidence]:
    duties = [{clause.duty for clause in said.clauses if not clause.past} for said in (both.one, both.other)]
    for at, clause in enumerate(both.one.clauses):
        for place, beside in enumerate(both.other.clauses) if clause.duty and not clause.past else ():
            if {clause.duty, beside.duty} in _AGAINST and not beside.past:
                around = min(1.0, sqrt(both.shares[0][at] * both.shares[1][place]) / _LEAVE)
                pair = both.pairs.get((at, place))
                close = 0.5 + 0.5 * min(1.0, pair.overlap / _CLOSE) if pair else 0.5
                mixed = beside.duty in duties[0] or clause.duty in duties[1]
                strength = around * close * (_MIXED if mixed else 1.0)
                yield Evidence("permission", strength, clause.text, beside.text)


# Names


def _names(both: Notes) -> Iterator[Evidence]:
    here, there = _lone(both, 0), _lone(both, 1)
    many = sqrt(len({word.stem for *_, word in here}) * len({word.stem for *_, word in there}))
    for at, clause, word in here:
        for place, beside, name in there:
            rest = (clause.weight - word.weight) * (beside.weight - name.weight)
            if rest > 0 and signs.make(word.form) == signs.make(name.form):
                weights = both.shares[0][at] * clause.weight * both.shares[1][place] * beside.weight
                around = min(1.0, sqrt(weights / rest) / many / _NAMES)
                yield Evidence("name", around * (1.0 if many == 1 else _MANY), word.form, name.form)


def _lone(both: Notes, side: int) -> list[tuple[int, Clause, Word]]:
    """Returns the names that one of the notes has alone, each with its clause and the clause's place."""
    said, wide = (both.one, both.other)[side], both.wide[side]
    text = " ".join(clause.text for clause in (both.other, both.one)[side].clauses).lower()
    return [
        (at, clause, word)
        for at, clause in enumerate(said.clauses)
        for word in (() if clause.past else clause.words)
        if word.name and word.stem not in wide and word.weight > signs.TELLING and word.form.lower() not in text
    ]


# Reach


def reach(both: Notes) -> float:
    """Returns how strongly a clause of one note goes further than one of the other, wherever either stands."""
    found = (
        sqrt(both.shares[0][at] * both.shares[1][place])
        for at, clause in enumerate(both.one.clauses)
        for place, beside in enumerate(both.other.clauses if clause.reach and not clause.past else ())
        if beside.reach and not beside.past and signs.reaches_apart(clause, beside)
    )
    return min(1.0, max(found, default=0.0) / _REACH)

"""Sameness: whether two notes that are much alike can be one, or only sound like it."""

from collections.abc import Mapping

from gitmem.knowledge import quantities as numbers
from gitmem.knowledge.clauses import Said, Word
from gitmem.knowledge.evidence import ALL_ELSE, TELLING, WAYS, Evidence, current, is_met, is_turned
from gitmem.knowledge.matching import Answers, Pair, coverage
from gitmem.knowledge.sense import Sense
from gitmem.values import NamedTuple

# Less likeness than this is none that could make one note of two.
LEAST = 0.7
# How surely titles name two things, and the weight of telling words that each has for itself, from which they are two.
THINGS, OWN = 0.3, 0.5
# A sign of disagreement this strong makes two notes, whatever the odds.
_PARTING = {"polarity": 0.7, "reach": 0.5, "value": 0.3, "name": 0.5, "outcome": 0.9}
# Share of its words that the other note answers from which a note can be its double, and the weight of a word that each
# has for itself, from which they are two: of 28 pairs of half 0 and the examples that are as alike as doubles and are none
# all but 1 are parted, of 21 doubles 3.
_EQUAL, _HEAVY = 0.7, 0.7
_LIMITS = frozenset(("all", "only", "some", "except"))
# Weight beside the title below which only an equal title makes one note the double of another.
_BARE = 2.0
# What a clause has in common with the one that says the same.
_LIKE = 0.6
_FAR = frozenset(("all", "some", "only", "except", "many", "one"))


class Both(NamedTuple):
    """Two notes side by side: their clauses in pairs, and what answers what, in the titles and in all, either way."""

    one: Said
    other: Said
    pairs: Mapping[tuple[int, int], Pair]
    titles: tuple[Answers, Answers]
    found: tuple[Answers, Answers]


def are_two(both: Both, best: Mapping[str, Evidence], sense: Sense) -> bool:
    """Returns whether something keeps two notes from being one; `best` is the strongest sign of each group."""
    bare = _is_bare(both.one) or _is_bare(both.other)
    signs = any(each.strength >= _PARTING[group] for group, each in best.items())
    said = _names_else(both) or _go_apart(both.one, both.other) or _leave_out(both)
    return bare or signs or said or _differ(both, sense)


def _leave_out(both: Both) -> bool:
    """Returns whether one note says much that the other does not, or each tells something of its own: a word, a name, a
    number, how far it goes, leave or ban."""
    sides = tuple(zip((both.one, both.other), both.found, strict=True))
    few = any(coverage(said, found, level=2) < _EQUAL for said, found in sides)
    own = all(any(_is_own(word, found) for clause in said.clauses for word in clause.words) for said, found in sides)
    here, there = list(current(both.one)), list(current(both.other))
    counted = any(not is_met(q, others) for mine, others in ((here, there), (there, here)) for _, _, q in mine)
    duties = [{clause.duty for clause in said.clauses} for said in (both.one, both.other)]
    banned = any("permit" in a - b and "forbid" in b - a for a, b in (duties, duties[::-1]))
    reaches = [{kind for clause in said.clauses for kind in clause.reach} & _LIMITS for said in (both.one, both.other)]
    return few or own or counted or banned or reaches[0] != reaches[1]


def _is_own(word: Word, found: Answers) -> bool:
    return word.stem not in found and word.weight > (TELLING if word.name else _HEAVY)


def _is_bare(said: Said) -> bool:
    """Returns whether a note says next to nothing beside its title, so that only an equal title makes another its double."""
    return sum(clause.weight for clause in said.clauses if clause.level) < _BARE


def _names_else(both: Both) -> bool:
    """Returns whether each title has a name that the other has not."""
    return all(
        any(word.name and word.stem not in found for word in said.title())
        for said, found in zip((both.one, both.other), both.titles, strict=True)
    )


def _differ(both: Both, sense: Sense) -> bool:
    """Returns whether one says something else beside the likest clause of the other, or denies it, or counts otherwise."""
    likest: dict[int, Pair] = {}
    for (at, _), pair in both.pairs.items():
        if pair.overlap >= _LIKE and (at not in likest or pair.overlap > likest[at].overlap):
            likest[at] = pair
    return any(_says_else(pair, both.found, sense) for pair in likest.values()) or _counts_else(both.one, both.other)


def _says_else(pair: Pair, found: tuple[Answers, Answers], sense: Sense) -> bool:
    alone = [
        any(word.stem not in known and word.weight > TELLING for word in words)
        for words, known in zip(pair.alone, found, strict=True)
    ]
    return all(alone) or (is_turned(pair, sense) and pair.overlap >= ALL_ELSE)


def _counts_else(one: Said, other: Said) -> bool:
    here, there = list(current(one)), list(current(other))
    only = [
        {q.dimension for _, _, q in mine if not is_met(q, theirs)} for mine, theirs in ((here, there), (there, here))
    ]
    return bool(only[0] & only[1])


def _go_apart(one: Said, other: Said) -> bool:
    """Returns whether the titles put their claims otherwise: denied here and not there, of all here and of some there, up
    here and down there, in another unit. Such notes may say the same, and are two claims all the same."""
    both = [[clause for clause in said.clauses if clause.level == 0] for said in (one, other)]
    denials = [sum(clause.negations for clause in clauses) % 2 for clauses in both]
    reaches = [{kind for clause in clauses for kind in clause.reach} for clauses in both]
    ways = any((a in reaches[0]) != (a in reaches[1]) and (b in reaches[0]) != (b in reaches[1]) for a, b in WAYS)
    kinds = [reach & _FAR for reach in reaches]
    return denials[0] != denials[1] or kinds[0] != kinds[1] or ways or _other_units(one, other)


def _other_units(one: Said, other: Said) -> bool:
    here, there = list(current(one)), list(current(other))
    return any(
        q.dimension == each.dimension
        and q.dimension != "count"
        and numbers.same(q, each)
        and numbers.are_other_units(q, each)
        for _, _, q in here
        for _, _, each in there
    ) and not any(numbers.shown(q) == numbers.shown(each) for _, _, q in here for _, _, each in there)

"""Evidence: what in two notes, clause beside clause, speaks for a disagreement, and of which kind."""

from collections.abc import Iterator
from math import sqrt

from gitmem.knowledge import lexicon
from gitmem.knowledge import quantities as numbers
from gitmem.knowledge.clauses import Clause, Said, Word
from gitmem.knowledge.matching import Answers, Pair
from gitmem.knowledge.quantities import Quantity
from gitmem.knowledge.sense import Sense
from gitmem.values import NamedTuple

# How sure each way is in which one clause turns the other round. Told by the words that a negation falls on, by
# opposites, by a word that denies on its own, by leave against ban, or by a count of negations alone.
_HEADS, _BODIES, _OPPOSITES, _DENIES, _LEAVE, _COUNT = 1.0, 0.95, 1.0, 0.8, 0.9, 0.55
# What softens it: an order beside a statement, a condition, `only` on one side, other beginnings, other tenses.
_ORDER, _CONDITION, _ONLY, _BEGINNINGS, _TENSES = 0.45, 0.6, 0.6, 0.75, 0.65
# A name beside a word that is none, and beside a name of another make.
_UNNAMED, _OTHER_CASE, _OTHER_MAKE = 0.6, 0.85, 0.5
# Names that both clauses begin with, and such where all else is the same; how much of it has to be.
_SPOKEN_OF, _JOB, ALL_ELSE = 0.3, 0.8, 0.75
TELLING = 0.6
# How sure numbers are of one thing where one name stands beside both, and how close, in characters, it has to stand.
_NAMED, _REACH = 0.6, 16
# What two clauses must have in common for their numbers to be of one thing.
_COMMON = 0.3
# Endings of words that deny and may stand before a thing as its mark: failing, failed, invalid, unavailable.
_MODIFIERS = ("ing", "ed", "id", "able", "ete", "oken", "ent")


class Evidence(NamedTuple):
    """One sign of disagreement: its kind, how strong it is (0 to 1), and what either note says."""

    kind: str
    strength: float
    here: str
    there: str


def polarity(pair: Pair, found: tuple[Answers, Answers], sense: Sense) -> Evidence | None:
    """Returns what says that one clause denies the other, or forbids what it allows."""
    one, other = pair.one, pair.other
    if is_exception(one, other):
        return None
    duties = {one.duty, other.duty}
    kind = "permission" if duties & {"permit", "forbid"} or duties in _AGAINST else "polarity"
    strength = _turned(pair, found, sense) * _closeness(pair) * _softened(pair)
    if duties in _AGAINST:
        strength = max(strength, _LEAVE * leave(pair))
    return Evidence(kind, strength, one.text, other.text) if strength else None


_AGAINST = ({"permit", "forbid"}, {"require", "waive"})


def leave(pair: Pair) -> float:
    """Returns how strongly one clause allows what the other forbids."""
    if {pair.one.duty, pair.other.duty} not in _AGAINST:
        return 0.0
    return _tensed(pair) * min(1.0, pair.shared / 1.2)


def is_turned(pair: Pair, sense: Sense) -> bool:
    """Returns whether an odd number of negations and opposites parts two clauses."""
    denying = [_denying(words, clause, sense) for words, clause in zip(pair.alone, (pair.one, pair.other), strict=True)]
    return (pair.one.negations + pair.other.negations + sum(denying) + pair.opposites) % 2 == 1


def _denying(words: list[Word], clause: Clause, sense: Sense) -> int:
    """Returns how many of these words deny what their clause says; `a failing command` only says which command."""
    negative = [word for word in words if sense.is_negative(word.stem)]
    places = {word.place for word in clause.words} if negative else set()
    return sum(
        not (word.form.endswith(_MODIFIERS) and word.place + 1 in places)
        and (word.form != "off" or word.before in lexicon.BEING)
        for word in negative
    )


def _turned(pair: Pair, found: tuple[Answers, Answers], sense: Sense) -> float:
    if not is_turned(pair, sense):
        return 0.0
    one, other = pair.one, pair.other
    denied = {stem for each in one.denied for stem in found[0].get(each, ())} - other.denied
    denies = {stem for each in other.denied for stem in found[1].get(each, ())} - one.denied
    if denied & other.stems.keys() or denies & one.stems.keys():
        return _HEADS if pair.heads == 2 else _BODIES
    if pair.opposites % 2:
        return _OPPOSITES
    return _COUNT if (one.negations + other.negations) % 2 else _DENIES


def _tensed(pair: Pair) -> float:
    return pair.overlap * (_TENSES if pair.one.told != pair.other.told else 1.0)


def closeness(pair: Pair) -> float:
    """Returns how close two clauses are: what they share, more in titles and summaries, 0 to 1."""
    return _tensed(pair) * min(1.0, pair.shared / 1.5) * (0.75 + 0.125 * pair.heads)


def _closeness(pair: Pair) -> float:
    alone, other = pair.alone
    apart = bool(alone and other) and alone[0] == pair.one.words[0] and other[0] == pair.other.words[0]
    return closeness(pair) * (_BEGINNINGS if apart and pair.heads < 2 else 1.0)


def _softened(pair: Pair) -> float:
    one, other = pair.one, pair.other
    order = one.order != other.order and not {one.duty, other.duty} & {"permit", "forbid"}
    only = ("only" in one.reach) != ("only" in other.reach)
    return (
        (_ORDER if order else 1.0)
        * (_CONDITION if one.condition != other.condition else 1.0)
        * (_ONLY if only else 1.0)
    )


# `All but billing` and `only billing does not` are one claim.
_EXCEPTION = frozenset(("except", "only"))
_SCOPES = (("all", "except"), ("all", "only"), ("only", "also"))
WAYS = (("before", "after"), ("up", "down"), ("inside", "outside"), ("left", "right"))
_QUANTIFIERS = (("all", "some"), ("one", "many"), ("only", "many"))


def is_exception(one: Clause, other: Clause) -> bool:
    """Returns whether one clause leaves out what the other speaks of alone."""
    return one.reach ^ other.reach >= _EXCEPTION


def reach(pair: Pair) -> Evidence | None:
    """Returns what says that one clause goes further than the other: all against only, except or some."""
    if not (pair.one.reach and pair.other.reach):
        return None
    for kind, conflicts in (("scope", _SCOPES), ("quantifier", _QUANTIFIERS), ("polarity", WAYS)):
        if any(_against(pair.one, pair.other, *each) for each in conflicts):
            return Evidence(kind, _closeness(pair), pair.one.text, pair.other.text)
    return None


def _against(clause: Clause, beside: Clause, this: str, that: str) -> bool:
    if is_exception(clause, beside):
        return False
    one, other = clause.reach, beside.reach
    if (this, that) in _SCOPES:
        return ((this in one and that in other) != (that in one and this in other)) and not {this, that} <= one & other
    return any(this in a - b and that in b - a for a, b in ((one, other), (other, one)))


def name(pair: Pair, found: tuple[Answers, Answers], sense: Sense) -> Evidence | None:
    """Returns what says that both clauses say the same of two names, or of two things where all else is the same."""
    if not all(pair.alone):
        return None
    alone = [
        [word for word in words if word.stem not in known and word.weight > TELLING]
        for words, known in zip(pair.alone, found, strict=True)
    ]
    named = [[word for word in words if word.name] for words in alone]
    if not all(alone):
        return None
    one, other = (max(some or words, key=lambda word: word.weight) for some, words in zip(named, alone, strict=True))
    rest = (pair.one.weight - one.weight) * (pair.other.weight - other.weight)
    if rest <= 0:
        return None
    same = min(1.0, pair.shared / sqrt(rest))
    if not any(named) and (max(map(len, alone)) > 1 or same < ALL_ELSE or sense.are_akin(one.form, other.form)):
        return None
    strength = same * min(1.0, pair.shared / 1.2) * _alike(one, other)
    strength *= (_TENSES if pair.one.told != pair.other.told else 1.0) * (0.8 + 0.1 * pair.heads)
    strength /= 1 + 0.15 * (min(map(len, alone)) - 1)
    if one == pair.one.words[0] and other == pair.other.words[0]:
        # Both begin with it: it is what they speak of, unless two products are said to do one job.
        strength *= _JOB if all(named) and same >= ALL_ELSE else _SPOKEN_OF
    return Evidence("name", strength if all(named) else strength * _UNNAMED, one.form, other.form)


def _alike(one: Word, other: Word) -> float:
    kinds = make(one.form), make(other.form)
    return 1.0 if kinds[0] == kinds[1] else _OTHER_MAKE if "code" in kinds else _OTHER_CASE


def make(form: str) -> str:
    """Returns of what make a name is: code, small letters, or a capital."""
    camel = form[:1].islower() and not form.islower()
    if any(sign in form for sign in "_.(/:=") or form[:1] == "-" or camel:
        return "code"
    return "small" if form.islower() else "capital"


Current = tuple[int, Clause, Quantity]


class Tally(NamedTuple):
    """The numbers of two notes: those that only one of them has, how many both have, and the dimensions of these."""

    left: list[Current]
    right: list[Current]
    met: int
    agreed: set[str]


def tally(one: Said, other: Said) -> Tally:
    """Returns the numbers of two notes, told apart by whether both have them."""
    here, there = list(current(one)), list(current(other))
    left, met = _parted(here, there)
    right, _ = _parted(there, here)
    return Tally(left, right, len(met), {quantity.dimension for _, _, quantity in met})


def _parted(mine: list[Current], theirs: list[Current]) -> tuple[list[Current], list[Current]]:
    alone: list[Current] = []
    met: list[Current] = []
    for each in mine:
        (met if is_met(each[2], theirs) else alone).append(each)
    return alone, met


def values(tallied: Tally, pairs: dict[tuple[int, int], Pair]) -> Iterator[Evidence]:
    """Yields the numbers of one dimension that only one note has, beside those that only the other has.

    Where both also share a number of that dimension, another thing may be meant.
    """
    for at, clause, quantity in tallied.left:
        for place, beside, against in tallied.right:
            pair = pairs.get((at, place)) if quantity.dimension == against.dimension else None
            if pair:
                common = pair.overlap * min(1.0, pair.shared)
                strength = (0.7 * common + 0.15 * pair.heads) * min(1.0, common / _COMMON)
                if _subject_of(clause, quantity) & _subject_of(beside, against):
                    strength = max(strength, _NAMED)
                strength *= _TENSES if clause.told != beside.told else 1.0
                if numbers.compatible(quantity, against):
                    strength *= 0.5
                elif quantity.dimension in tallied.agreed - {"count", "version"}:
                    strength *= 0.6
                kind = "unit" if numbers.is_other_unit(quantity, against) else "value"
                yield Evidence(kind, strength, numbers.shown(quantity), numbers.shown(against))


def _subject_of(clause: Clause, quantity: Quantity) -> set[str]:
    """Returns the stems of the names close before or behind a number: `work_mem is 64 MB`."""
    near = clause.text[max(0, quantity.start - _REACH) : quantity.end + _REACH]
    return {word.stem for word in clause.words if word.name and word.form in near}


def current(said: Said) -> Iterator[Current]:
    """Yields the numbers that a note says hold now, each with its clause and the clause's place."""
    for at, clause in enumerate(said.clauses):
        for quantity in () if clause.past else clause.quantities:
            yield at, clause, quantity


def is_met(quantity: Quantity, others: list[Current]) -> bool:
    """Returns whether others hold the same number of the same dimension."""
    return any(each.dimension == quantity.dimension and numbers.same(each, quantity) for _, _, each in others)

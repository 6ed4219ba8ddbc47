"""Sameness: how surely two notes say the same, so that one of them can stand for both."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import exp, log

from gitmem.knowledge import lexicon
from gitmem.knowledge.clauses import Clause, Said, Word
from gitmem.knowledge.evidence import WAYS, is_turned
from gitmem.knowledge.matching import Answers, Pair, coverage, missing, title_answers
from gitmem.knowledge.quantities import Quantity
from gitmem.knowledge.sense import Sense
from gitmem.values import NamedTuple

# What each sign weighs in the odds that two notes say the same, where nothing makes them two: ridge logistic
# regression on half 0 of tests/data/pairs.jsonl, on more_pairs.jsonl and examples.jsonl beside it, on 960 pairs of
# four more authors, and on the nearest notes of other pairs and of two public collections (a weight of .1 each). Each
# author judged by weights fitted without it, 24 of the 64 doubles of those four are found (8 of 12 close, 15 of 26 in
# the same terms, 1 of 26 put freely) and 18 of the 21 of half 0, and none of 1,184 pairs that say something else: the
# highest of them has odds of -.08.
WEIGHTS = {"shared": 0.41, "title": 3.86, "covered": 3.18, "longer": -2.4, "named": -0.78, "denied": -0.95}
BIAS = -5.2
# Weight from which a word that both have is counted, the most of it, and the most of names that only one has.
_TELLING, _MANY, _NAMES = 0.7, 8.0, 2.0
# The rest was chosen on the same pairs, and on 700 of their notes beside each of which one thing was changed. Called
# doubles all the same are 39 of 700 with `in staging` or the like behind the title, 6 with `only`, none with
# `except`; none of 238 with a `not` in the title, 15 of 441 with one in the body; none of 106 with another number in
# the title, 6 of 285 with one in the body; 8 of 205 with another name. Of 11,756 pairs of neighbours in four
# collections none is called so. Share of its words that the other note answers below which a note is nobody's double.
_LEAST = 0.45
# Weights in titles that make two notes: of words that each has and the other note has nowhere, of a word in whose place
# stands another, of what one says more behind a preposition or at its beginning.
_OWN, _SWAPPED, _NARROWED = 0.65, 0.4, 0.5
# How much two titles have in common where one denies, two clauses where one counts otherwise, or turns the other
# round, and two notes where one denies what the other says: then they are two.
_TITLES, _COUNTED, _TURNED, _DENIED = 0.5, 0.5, 0.75, 0.9
# How much two clauses have in common that bind otherwise, one that requires beside one that allows: then they are two.
_BOUND = 0.4
# Weight of what only one note says, in clauses of which the other answers less than this share.
_ADDED, _ANSWERED = 3.0, 0.34
# Weight beside the title below which only an equal title makes one note the double of another.
_BARE = 2.0
# What stands before a condition under which a title holds.
_CONDITIONS = frozenset(
    [
        "after",
        "before",
        "during",
        "until",
        "under",
        "without",
        "behind",
        "via",
        "through",
        "within",
        "per",
        "against",
        "once",
        "unless",
        "if",
        "when",
        "while",
    ]
)
_LIMITS = frozenset(("all", "only", "some", "except"))
# Dimensions whose unit is put in several ways, or not at all.
_UNITLESS = frozenset(("count", "percent", "version", "money"))
# What joins the parts of a word, as in names of tables, flags and files; a digit makes a name, too.
_JOINTS, _DIGITS = "-_./:@`", "0123456789"
_PARTS = frozenset(_JOINTS + _DIGITS)


class Both(NamedTuple):
    """Two notes side by side: what answers what either way, in all, in the titles, and with near words; the clauses
    that share a word, and what share of each clause the other note answers."""

    one: Said
    other: Said
    found: tuple[Answers, Answers]
    titles: tuple[Answers, Answers]
    wide: tuple[Answers, Answers]
    pairs: Mapping[tuple[int, int], Pair]
    shares: tuple[Sequence[float], Sequence[float]]


class _Side(NamedTuple):
    """One of two notes as seen beside the other: what of it the other answers, in all, and in the titles without and
    with near words; and the share of each clause that it answers."""

    said: Said
    beside: Said
    found: Answers
    title: Answers
    wide: Answers
    shares: Sequence[float]

    @property
    def words(self) -> list[Word]:
        """The telling words of the title."""
        return self.said.title()


_Sides = tuple[_Side, _Side]


def sameness(both: Both, sense: Sense) -> float:
    """Returns how surely two notes say the same, 0 to 1; 0 where something makes them two."""
    sides = _sides(both)
    if min(_covered(side) for side in sides) < _LEAST or _are_two(both, sides, sense):
        return 0.0
    signs = _features(sides)
    return 1 / (1 + exp(-BIAS - sum(weight * signs[name] for name, weight in WEIGHTS.items())))


def _sides(both: Both) -> _Sides:
    return _side(both, 0, both.one, both.other), _side(both, 1, both.other, both.one)


def _side(both: Both, at: int, said: Said, beside: Said) -> _Side:
    near = title_answers(said, beside, both.wide[at])
    return _Side(said, beside, both.found[at], both.titles[at], near, both.shares[at])


def _features(sides: _Sides) -> dict[str, float]:
    weights = [sum(side.said.weights.values()) for side in sides]
    return {
        "shared": min(_MANY, *map(_shared, sides)),
        "title": min(map(_title, sides)),
        "covered": min(map(_covered, sides)),
        "longer": abs(log(weights[0] / weights[1])),
        "named": min(_NAMES, max(map(_named, sides))),
        "denied": float(len({any(clause.negations for clause in side.said.clauses) for side in sides}) > 1),
    }


def _shared(side: _Side) -> float:
    weights = side.said.weights
    return sum(weights[stem] for stem in side.found if weights[stem] > _TELLING)


def _title(side: _Side) -> float:
    return _answered(side.words, side.wide)


def _answered(words: Collection[Word], found: Answers) -> float:
    whole = sum(word.weight for word in words)
    met = (word.weight * max(kin.score for kin in found[word.stem].values()) for word in words if word.stem in found)
    return sum(met) / whole if whole else 0.0


def _covered(side: _Side) -> float:
    return coverage(side.said, side.found, level=2)


def _named(side: _Side) -> float:
    return sum(side.said.weights[stem] for stem in side.said.names if stem not in side.found)


# What makes two notes, however much they sound alike


def _are_two(both: Both, sides: _Sides, sense: Sense) -> bool:
    titles = _says_more(sides) or _swapped(sides) >= _SWAPPED or _turns_round(sides, sense)
    numbers_of = _counts_else(both) or _cites_else(sides)
    claims = _goes_apart(both) or _denies(both, sides, sense) or _binds_else(both) or max(map(_added, sides)) >= _ADDED
    return titles or numbers_of or _names_else(sides) or claims or any(map(_is_bare, sides))


def _is_bare(side: _Side) -> bool:
    """Returns whether a note says next to nothing in its title, or beside it."""
    return not side.words or sum(clause.weight for clause in side.said.clauses if clause.level) < _BARE


def _says_more(sides: _Sides) -> bool:
    """Returns whether a title names what the other note does not, or goes less far, or each has words of its own."""
    named = any(word.name and word.stem not in side.found for side in sides for word in side.words)
    own = min(missing(side.words, side.found) for side in sides)
    odd = _odd(sides[0].said) != _odd(sides[1].said)
    return named or odd or own >= _OWN or max(map(_narrowed, sides)) >= _NARROWED


def _odd(said: Said) -> list[str]:
    """Returns what of a title is no word that is compared: 构建流程, the ++ of C++."""
    return sorted(re.findall(r"[^\W\d_\u0000-\u024f]+|(?<=\w)[+#]+", _text(said, 0)))


def _narrowed(side: _Side) -> float:
    """Returns the weight of the most telling word that a title has more, behind a preposition or before what the other
    begins with: builds in staging, staging builds."""
    most, inside = 0.0, _begins_before(side)
    for word in side.words:
        narrows = word.before in lexicon.BEFORE_THINGS or word.before in _CONDITIONS
        inside = word.stem not in side.found and (inside or narrows)
        most = max(most, word.weight if inside else 0.0)
    return most


def _begins_before(side: _Side) -> bool:
    met = next((word.stem for word in side.words if word.stem in side.found), "")
    return any(word.stem in side.title.get(met, ()) for word in side.beside.title()[:1])


class _Run(NamedTuple):
    """The words of a title that the other does not answer, in a row, and the stems around them, empty at an edge."""

    left: str
    words: Sequence[Word]
    right: str


def _swapped(sides: _Sides) -> float:
    """Returns how telling the words are that alone part two titles, each in the other's place; 0 where more does."""
    one, other = map(_run, sides)
    if one is None or other is None or _is_within(one, sides[0]) or _is_within(other, sides[1]):
        return 0.0
    met = sides[0].title
    beside = all(a == b == "" or b in met.get(a, ()) for a, b in ((one.left, other.left), (one.right, other.right)))
    return min(max(word.weight for word in run.words) for run in (one, other)) if beside else 0.0


def _run(side: _Side) -> _Run | None:
    """Returns the words that only this title has, where they stand in one row."""
    words = side.words
    own = [at for at, word in enumerate(words) if word.stem not in side.title]
    if not own or own[-1] - own[0] >= len(own):
        return None
    first, after = own[0], own[-1] + 1
    left, right = words[first - 1].stem if first else "", words[after].stem if after < len(words) else ""
    return _Run(left, words[first:after], right)


def _is_within(run: _Run, side: _Side) -> bool:
    """Returns whether the other title has these words as parts of others: per iteration, per-iteration."""
    title = _squashed(clause for clause in side.beside.clauses if clause.level == 0)
    return all(_plain(word.form) in title for word in run.words)


@cache
def _turns() -> re.Pattern[str]:
    return re.compile(
        r"\b(before|after|from|over|than|of)\s+(?:(?:an?|the|our|its|your|every|each)\s+)?([\w./-]+)", re.IGNORECASE
    )


def _turns_round(sides: _Sides, sense: Sense) -> bool:
    """Returns whether the titles put two things in two orders: from cron to Airflow, from Airflow to cron."""
    found = [
        {turn.lower(): sense.stem(word.lower()) for turn, word in _turns().findall(_text(side.said, 0))}
        for side in sides
    ]
    stems = [{word.stem for word in side.words} for side in sides]
    return any(
        found[0][turn] != found[1][turn] and found[0][turn] in stems[1] and found[1][turn] in stems[0]
        for turn in found[0].keys() & found[1].keys()
    )


def _text(said: Said, level: int) -> str:
    return " ".join(clause.text for clause in said.clauses if clause.level <= level)


def _counts_else(both: Both) -> bool:
    """Returns whether two notes, or two like clauses, have other numbers of one dimension, or a title has one more."""
    here, there = both.one.clauses, both.other.clauses
    heads = [[clause for clause in clauses if clause.level == 0] for clauses in (here, there)]
    more = any(any(_left(*pair)) for pair in ((heads[0], there), (heads[1], here)))
    near = (pair for pair in _likest(both) if pair.overlap >= _COUNTED)
    return more or _differ(here, there) or any(_differ([pair.one], [pair.other]) for pair in near)


def _differ(one: Sequence[Clause], other: Sequence[Clause]) -> bool:
    left = [{quantity.dimension for quantity in _left(*pair)} for pair in ((one, other), (other, one))]
    return bool(left[0] & left[1])


def _left(clauses: Sequence[Clause], others: Sequence[Clause]) -> Iterator[Quantity]:
    known = [quantity for clause in others for quantity in clause.quantities]
    for clause in clauses:
        yield from (each for each in clause.quantities if not any(_are_same(each, other) for other in known))


def _are_same(one: Quantity, other: Quantity) -> bool:
    """Returns whether two quantities are one number of one unit: 24 hours and a day are put by two people, or twice."""
    close = one.dimension == other.dimension and abs(one.values[0] - other.values[0]) <= 1e-6 * abs(one.values[0])
    return close and (one.dimension in _UNITLESS or _unit(one) == _unit(other))


def _unit(quantity: Quantity) -> str:
    words = re.findall(r"[^\W\d_]+", quantity.shown.lower())
    return words[-1][0] if words else ""


def _likest(both: Both) -> list[Pair]:
    """Returns each clause of either note beside the one of the other that it has most in common with."""
    likest: dict[tuple[int, int], Pair] = {}
    for places, pair in both.pairs.items():
        for key in enumerate(places):
            if key not in likest or pair.overlap > likest[key].overlap:
                likest[key] = pair
    return list(likest.values())


def _cites_else(sides: _Sides) -> bool:
    """Returns whether each note has a figure that is no number (a date, an address), or a title has one more."""
    own = [[level for level, figure in _figures(side.said) if figure not in _text(side.beside, 2)] for side in sides]
    return all(own) or 0 in own[0] + own[1] or _units(sides[0].said) != _units(sides[1].said)


def _units(said: Said) -> set[str]:
    """Returns what stands right behind a number and differs from another unit by its case alone: Mb is no MB."""
    return set(re.findall(r"\d ?([kKMGT]i?[bB])\b", " ".join(clause.text for clause in said.clauses)))


def _figures(said: Said) -> Iterator[tuple[int, str]]:
    """Yields the figures that are no numbers, each with the level it stands at."""
    for clause in said.clauses:
        text = clause.text
        for quantity in reversed(clause.quantities):
            if quantity.dimension != "version":
                text = text[: quantity.start] + " " + text[quantity.end :]
        for figure in re.findall(r"(?<![\w.])v?\d[\w.:/,-]*", text):
            yield clause.level, figure.rstrip(".,:;-/")


def _names_else(sides: _Sides) -> bool:
    """Returns whether each note names something that the other does not, or has a word of parts that it has not."""
    joined = [list(_joined(side)) for side in sides]
    named = [
        any(stem not in side.found for stem in side.said.names) or any(_is_strange(word, side) for word in words)
        for side, words in zip(sides, joined, strict=True)
    ]
    return all(named) or all(joined)


def _joined(side: _Side) -> Iterator[Word]:
    """Yields the words of parts or with digits that the other note has nowhere."""
    text = _squashed(side.beside.clauses)
    for clause in side.said.clauses:
        for word in clause.words:
            if not (_PARTS.isdisjoint(word.form.strip(_JOINTS)) or _plain(word.form) in text):
                yield word


def _is_strange(word: Word, side: _Side) -> bool:
    text = _squashed(side.beside.clauses)
    return any(part not in text for part in re.split(f"[{_JOINTS}]+", word.form.lower()) if part)


def _squashed(clauses: Iterable[Clause]) -> str:
    return re.sub(r"[-_\s`]", "", " ".join(clause.text for clause in clauses).lower())


def _plain(form: str) -> str:
    return re.sub(r"[-_\s`]", "", form.lower()).strip("./:@")


def _goes_apart(both: Both) -> bool:
    """Returns whether one goes another way than the other, leaves something out, or goes less far."""
    here, there = (
        frozenset[str]().union(*(clause.reach for clause in said.clauses)) for said in (both.one, both.other)
    )
    near = [(pair.one.reach, pair.other.reach) for pair in _likest(both) if pair.overlap >= _TURNED]
    ways = any({a, b} <= x ^ y and (a in x) != (b in x) for x, y in ((here, there), *near) for a, b in WAYS)
    limits = (here ^ there) & _LIMITS
    return ways or "except" in limits or len(limits) > 1 or _is_only(both.one, there) or _is_only(both.other, here)


def _is_only(said: Said, beside: frozenset[str]) -> bool:
    """Returns whether a title says `only` where the other note, which reaches so far, says so nowhere."""
    return "only" not in beside and any("only" in clause.reach for clause in said.clauses if clause.level == 0)


def _binds_else(both: Both) -> bool:
    """Returns whether one note requires what the other allows, forbids or leaves open."""
    return any(
        pair.overlap >= _BOUND and pair.one.duty and pair.other.duty and pair.one.duty != pair.other.duty
        for pair in both.pairs.values()
    )


def _denies(both: Both, sides: _Sides, sense: Sense) -> bool:
    """Returns whether one note denies what the other says: in the title, in the likest clause, or anywhere if all
    else is the same."""
    turned = [sum(clause.negations for clause in side.said.clauses if clause.level == 0) % 2 for side in sides]
    titles = turned[0] != turned[1] and min(_answered(side.words, side.title) for side in sides) >= _TITLES
    clauses = any(pair.overlap >= _TURNED and _is_turned(pair, sense) for pair in _likest(both))
    return titles or clauses or (min(map(_covered, sides)) >= _DENIED and any(map(_denies_one, sides)))


def _is_turned(pair: Pair, sense: Sense) -> bool:
    """Returns whether one clause turns the other round; `only these` and `these and nothing else` are one claim."""
    return is_turned(pair, sense) and ("only" in pair.one.reach) == ("only" in pair.other.reach)


def _denies_one(side: _Side) -> bool:
    denied, known = (
        frozenset[str]().union(*(clause.denied for clause in said.clauses)) for said in (side.said, side.beside)
    )
    return any(stem in side.beside.weights and stem not in known for stem in denied)


def _added(side: _Side) -> float:
    """Returns the weight of what only this note says, in clauses that the other hardly answers."""
    clauses = zip(side.said.clauses, side.shares, strict=True)
    return sum(clause.weight * (1 - share) for clause, share in clauses if clause.level == 2 and share < _ANSWERED)

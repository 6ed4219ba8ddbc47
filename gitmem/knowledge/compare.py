"""Comparing two notes: how alike they are, and whether they disagree, told clause by clause without any model of language."""

from collections.abc import Iterator
from math import exp

from gitmem.knowledge import apart, matching
from gitmem.knowledge import evidence as signs
from gitmem.knowledge.clauses import Said
from gitmem.knowledge.evidence import Evidence
from gitmem.knowledge.matching import Answers, Pair
from gitmem.knowledge.sameness import Both, sameness
from gitmem.knowledge.sense import Sense
from gitmem.knowledge.subject import Contrast, contrast
from gitmem.values import NamedTuple

# What each sign weighs in the odds that two notes disagree: ridge logistic regression on half 0 of tests/data/pairs.jsonl,
# on tests/data/examples.jsonl, on tests/data/more_pairs.jsonl, and on the nearest notes of other pairs of each (a weight of
# .15). Fitted without them and at 8 % false alarms, it finds 31 % of more_pairs, 69 % of half 0 and 77 % of the examples.
# `python -m tests.bench verdicts` prints what it finds by author.
# The constant is .5 below the fitted one: so no author's agreeing pairs, left out of the fit, raise more than 8 %.
WEIGHTS = {
    "permission": 2.5, "reach": 0.6, "value": 1.6, "name": 2.1, "strongest": 2.6, "outcome": 1.6, "reaches": 1.0,
    "agree": -1.3, "past": -1.4, "thing": -1.1, "shared": -2.0, "cosine": 3.3,
}  # fmt: skip
BIAS = -2.84
# Exponents that part strong evidence from weak, and how much of it is left where titles name two things, and where a
# title or a summary says that its claim is of the past.
_SHARPENED: dict[str, float] = {"polarity": 1.5, "permission": 1.3, "reach": 1.2, "value": 1.0, "name": 1.5}
_OTHER_THING = {"polarity": 0.85, "permission": 0.85, "reach": 0.3, "value": 0.85, "name": 0.9}
_OTHER_END = 0.5
_PAST = 0.3
# Shares of two notes' words that answer each other from which a sign begins to count and counts in full: of 1,705 pairs
# of neighbours in four stores without a contradiction 2 are raised, without this 18.
_COVERED = (0.1, 0.4)
# Shares of words that answer each other, near ones included, with this much of the cosine, from which two notes can be and
# surely are of one subject.
_SUBJECT, _BY_VECTOR = (0.34, 0.5), 0.27
# Below this near words make no two notes of one subject: of 654 pairs that are of one, 8 are lost.
_FAR = 0.24
# Above this a cosine tells no more: what disagrees is as near as what says the same.
_NEAR = 0.55
# Strength up to which a sign of the notes as wholes tells nothing, and what it counts beside one of clauses put alike.
_VAGUE, _LAST = 0.5, 0.9
_KINDS = {"unit": "value", "scope": "reach", "quantifier": "reach"}
# Clauses that have less than this in common are of two things.
_FAINT = 0.15


class Comparison(NamedTuple):
    """How two notes stand to each other.

    likeness is 0 to 1; odds is the log of the odds that they disagree; kind (value, unit, polarity, permission, scope,
    quantifier, name) and what either says belong to the strongest sign, empty without one; same is how surely they
    say the same, 0 to 1.
    """

    likeness: float
    odds: float
    kind: str
    here: str
    there: str
    same: float


def compare(one: Said, other: Said, cosine: float, sense: Sense) -> Comparison:
    """Returns how two notes stand to each other; `cosine` is that of their vectors, 0 where there are none.

    Either order gives the same, the sides apart.
    """
    if _text(one) > _text(other):
        found = _compare(other, one, cosine, sense)
        return found._replace(here=found.there, there=found.here)
    return _compare(one, other, cosine, sense)


def _text(said: Said) -> list[str]:
    return [clause.text for clause in said.clauses]


def _compare(one: Said, other: Said, cosine: float, sense: Sense) -> Comparison:
    found = matching.answers(one, other, sense), matching.answers(other, one, sense)
    covered = _answered(one, other, found)
    likeness = (max(0.0, cosine) + covered) / 2
    if covered + _BY_VECTOR * cosine < _FAR:
        return _unlike(likeness)
    wide = matching.wide_answers(one, other, found[0], sense), matching.wide_answers(other, one, found[1], sense)
    subject = _subject(_answered(one, other, wide), cosine)
    if not subject:
        return _unlike(likeness)
    notes = apart.notes(one, other, wide, _pairs(one, other, found[0], wide[0]))
    titles = matching.title_answers(one, other, found[0]), matching.title_answers(other, one, found[1])
    parts, whole = contrast(one, other, titles, found), apart.strongest(notes)
    both = _Sides(notes, titles, found, parts, whole, subject, covered, cosine, sense)
    return _weighed(both, likeness)


def _weighed(both: "_Sides", likeness: float) -> Comparison:
    best = _strongest(both)
    features = _features(both, best)
    odds = BIAS + sum(weight * features[name] for name, weight in WEIGHTS.items())
    sign = _chief(both, best, features)
    return Comparison(likeness, odds, sign.kind, sign.here, sign.there, _same(both))


def _unlike(likeness: float) -> Comparison:
    return Comparison(likeness, BIAS, "", "", "", 0.0)


def _answered(one: Said, other: Said, found: tuple[Answers, Answers]) -> float:
    """Returns the share of two notes' words that answer each other."""
    return (matching.coverage(one, found[0], level=2) + matching.coverage(other, found[1], level=2)) / 2


def _subject(shares: float, cosine: float) -> float:
    """Returns how surely two notes are of one subject, 0 to 1, by the share of their words that answer each other."""
    least, most = _SUBJECT
    return min(1.0, max(0.0, (shares + _BY_VECTOR * cosine - least) / (most - least)))


def _same(both: "_Sides") -> float:
    notes = both.notes
    sides = Both(notes.one, notes.other, both.found, both.titles, notes.wide, notes.pairs, notes.shares)
    return sameness(sides, both.sense)


class _Sides(NamedTuple):
    """Two notes as they are weighed: side by side, with what answers what in the titles and in all, what parts their
    titles, the strongest sign of the notes as wholes, how surely they are of one subject, the share of words that answer
    each other, and the cosine."""

    notes: apart.Notes
    titles: tuple[Answers, Answers]
    found: tuple[Answers, Answers]
    parts: Contrast
    whole: Evidence | None
    subject: float
    covered: float
    cosine: float
    sense: Sense


def probability(comparison: Comparison) -> float:
    """Returns how likely two notes disagree, 0 to 1."""
    return 1 / (1 + exp(-comparison.odds))


def _pairs(one: Said, other: Said, found: Answers, wide: Answers) -> dict[tuple[int, int], Pair]:
    """Returns the clauses of one note beside those of the other that share a word, by their places.

    What is past stands beside nothing.
    """
    pairs = {}
    for at, clause in enumerate(one.clauses):
        met = {word for stem in clause.stems for word in wide.get(stem, ())} if not clause.past else set()
        for place, beside in enumerate(other.clauses if met else ()):
            if not beside.past and not met.isdisjoint(beside.stems):
                pair = matching.pair(clause, beside, found, wide)
                if pair.overlap >= _FAINT:
                    pairs[at, place] = pair
    return pairs


def _strongest(both: _Sides) -> dict[str, Evidence]:
    """Returns the strongest sign of each group: polarity, reach, value, name."""
    best: dict[str, Evidence] = {}
    one, other, pairs = both.notes.one, both.notes.other, both.notes.pairs
    told = signs.outcomes(one, other)
    if told:
        best["outcome"] = told
    for each in (*_of_clauses(both), *signs.values(one, other, pairs)):
        group = "polarity" if each.kind == "permission" else _KINDS.get(each.kind, each.kind)
        if group not in best or each.strength > best[group].strength:
            best[group] = each
    return best


def _of_clauses(both: _Sides) -> Iterator[Evidence]:
    for pair in both.notes.pairs.values():
        if pair.one.text == pair.other.text:
            continue
        signs_of = (
            signs.polarity(pair, both.notes.wide, both.sense),
            signs.reach(pair),
            signs.name(pair, both.found, both.sense),
        )
        yield from (each for each in signs_of if each)


def _features(both: _Sides, best: dict[str, Evidence]) -> dict[str, float]:
    """Returns what WEIGHTS weighs, and the strength of what denies."""
    one, other, pairs = both.notes.one, both.notes.other, both.notes.pairs
    past = sum(clause.past and clause.is_head for said in (one, other) for clause in said.clauses)
    strengths = {group: each.strength for group, each in best.items()}
    strengths["permission"] = max((signs.leave(pair) for pair in pairs.values()), default=0.0)
    parts = both.parts._replace(thing=both.parts.thing * _apart(strengths))
    least, most = _COVERED
    now = _PAST if past else 1.0
    whole = min(1.0, max(0.0, (both.covered - least) / (most - least))) * now
    features = {group: _sharpened(group, strengths.get(group, 0.0), parts) * whole for group in _SHARPENED}
    heads = (pair for pair in pairs.values() if pair.heads == 2 and not signs.is_turned(pair, both.sense))
    thing = parts.thing * (1 - strengths.get("reach", 0.0))
    shared = float(signs.shares_headline(one, other)) * (1 - strengths.get("polarity", 0.0))
    notes = _whole(both, shared) * both.subject * now * (1 - _OTHER_THING["value"] * thing)
    features["strongest"] = max(*features.values(), notes)
    features["outcome"] = strengths.get("outcome", 0.0) * whole * (1 - _OTHER_THING["value"] * parts.thing)
    return features | {
        "agree": max(map(signs.closeness, heads), default=0.0),
        "reaches": apart.reach(both.notes) * both.subject * now,
        "cosine": min(_NEAR, both.cosine),
        "past": float(past),
        "thing": thing,
        "shared": shared,
    }


def _whole(both: _Sides, shared: float) -> float:
    """Returns how strongly the notes as wholes disagree; a number that both have speaks against other numbers."""
    if both.whole is None:
        return 0.0
    strength = both.whole.strength * (1 - 0.5 * shared if both.whole.kind in ("value", "unit") else 1.0)
    return max(0.0, strength - _VAGUE) / (1 - _VAGUE)


def _apart(strengths: dict[str, float]) -> float:
    """Returns how far titles that name two things part two notes: not, where that is what the two disagree about."""
    others = max(strengths.get(group, 0.0) for group in ("polarity", "value"))
    led = strengths.get("name", 0.0) if others < _FAINT else 0.0
    return 1 - max(strengths.get("reach", 0.0), led)


def _sharpened(group: str, strength: float, parts: Contrast) -> float:
    turned = group in ("polarity", "permission")
    other = max(_OTHER_THING[group] * parts.thing, _OTHER_END * parts.end if turned else 0.0)
    return float(strength ** _SHARPENED[group]) * (1 - other)


def _chief(both: _Sides, best: dict[str, Evidence], features: dict[str, float]) -> Evidence:
    """Returns the sign that weighs most; what clauses put alike say goes before what the notes say as wholes."""
    shares = [(_share(group, features), each) for group, each in best.items()]
    if both.whole:
        shares.append((WEIGHTS["strongest"] * _whole(both, features["shared"]) * both.subject * _LAST, both.whole))
    return max(shares, key=_weight, default=(0.0, Evidence("", 0.0, "", "")))[1]


def _weight(pair: tuple[float, Evidence]) -> float:
    return pair[0]


def _share(group: str, features: dict[str, float]) -> float:
    """Returns what a group of signs adds to the odds; a ban is a denial, too."""
    if group == "outcome":
        return WEIGHTS[group] * features[group]
    share = features["polarity"] if group == "polarity" else features[group]
    total = WEIGHTS["strongest"] * share + WEIGHTS.get(group, 0.0) * share
    return total + (WEIGHTS["permission"] * features["permission"] if group == "polarity" else 0.0)

"""Comparing two notes: how alike they are, and whether they disagree, told clause by clause without any model of language."""

from collections.abc import Iterator
from math import exp

from gitmem.knowledge import evidence as signs
from gitmem.knowledge import matching
from gitmem.knowledge.clauses import Said
from gitmem.knowledge.evidence import Evidence
from gitmem.knowledge.matching import Answers, Pair
from gitmem.knowledge.sameness import LEAST, OWN, THINGS, Both, are_two
from gitmem.knowledge.sense import Sense
from gitmem.knowledge.subject import Contrast, contrast
from gitmem.values import NamedTuple

# What each sign weighs in the odds that two notes disagree: logistic regression on the pairs of half 0 of
# tests/data/pairs.jsonl, on the examples of tests/data/examples.jsonl (counted twice where the words differ most), and on
# neighbours in stores without a contradiction. `python -m tests.bench verdicts` prints what it finds on either half.
WEIGHTS = {
    "polarity": -2.8, "permission": 3.3, "reach": 3.7, "value": 2.4, "name": 1.8, "strongest": 6.1, "outcome": 2.6,
    "cosine": 3.4, "agree": -1.9, "past": -2.7, "thing": -1.9, "shared": -1.7,
}  # fmt: skip
BIAS = -3.3
# Exponents that part strong evidence from weak, and how much of it is left where titles name two things, and where a
# title or a summary says that its claim is of the past.
_SHARPENED: dict[str, float] = {"polarity": 1.5, "permission": 1.3, "reach": 1.2, "value": 1.0, "name": 1.5}
_OTHER_THING = {"polarity": 0.85, "permission": 0.85, "reach": 0.3, "value": 0.85, "name": 0.9}
_OTHER_END = 0.5
_PAST = 0.3
# Shares of two notes' words that answer each other from which a sign begins to count and counts in full: of 1,705 pairs
# of neighbours in four stores without a contradiction 2 are raised, without this 18.
_COVERED = (0.1, 0.4)
# Above this a cosine tells no more: what disagrees is as near as what says the same.
_NEAR = 0.75
_KINDS = {"unit": "value", "scope": "reach", "quantifier": "reach"}
# Clauses that have less than this in common are of two things.
_FAINT = 0.15


class Comparison(NamedTuple):
    """How two notes stand to each other.

    likeness is 0 to 1; odds is the log of the odds that they disagree; kind (value, unit, polarity, permission, scope,
    quantifier, name) and what either says belong to the strongest sign, empty without one; parted tells that their
    titles name two things or that something keeps them from being one note.
    """

    likeness: float
    odds: float
    kind: str
    here: str
    there: str
    parted: bool


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
    titles = matching.title_answers(one, other, found[0]), matching.title_answers(other, one, found[1])
    parts = contrast(one, other, titles, found)
    pairs = _pairs(one, other, found[0])
    best = _strongest(one, other, pairs, found, sense)
    covered = sum(matching.coverage(said, each, level=2) for said, each in zip((one, other), found, strict=True)) / 2
    features = _features(one, other, pairs, best, parts, cosine, covered, sense)
    odds = BIAS + sum(WEIGHTS[name] * value for name, value in features.items())
    likeness = (max(0.0, cosine) + covered) / 2
    sign = _chief(best, features)
    both = Both(one, other, pairs, titles, found)
    parted = likeness < LEAST or parts.thing >= THINGS or parts.alone >= OWN or are_two(both, best, sense)
    return Comparison(likeness, odds, sign.kind, sign.here, sign.there, parted)


def probability(comparison: Comparison) -> float:
    """Returns how likely two notes disagree, 0 to 1."""
    return 1 / (1 + exp(-comparison.odds))


def _pairs(one: Said, other: Said, found: Answers) -> dict[tuple[int, int], Pair]:
    """Returns the clauses of one note beside those of the other that share a word, by their places.

    What is past stands beside nothing.
    """
    pairs = {}
    for at, clause in enumerate(one.clauses):
        met = {word for stem in clause.stems for word in found.get(stem, ())} if not clause.past else set()
        for place, beside in enumerate(other.clauses if met else ()):
            if not beside.past and not met.isdisjoint(beside.stems):
                pair = matching.pair(clause, beside, found)
                if pair.overlap >= _FAINT:
                    pairs[at, place] = pair
    return pairs


def _strongest(
    one: Said, other: Said, pairs: dict[tuple[int, int], Pair], found: tuple[Answers, Answers], sense: Sense
) -> dict[str, Evidence]:
    """Returns the strongest sign of each group: polarity, reach, value, name."""
    best: dict[str, Evidence] = {}
    told = signs.outcomes(one, other)
    if told:
        best["outcome"] = told
    for each in (*_of_clauses(pairs, found, sense), *signs.values(one, other, pairs)):
        group = "polarity" if each.kind == "permission" else _KINDS.get(each.kind, each.kind)
        if group not in best or each.strength > best[group].strength:
            best[group] = each
    return best


def _of_clauses(pairs: dict[tuple[int, int], Pair], found: tuple[Answers, Answers], sense: Sense) -> Iterator[Evidence]:
    for pair in pairs.values():
        if pair.one.text == pair.other.text:
            continue
        signs_of = signs.polarity(pair, found, sense), signs.reach(pair), signs.name(pair, found, sense)
        yield from (each for each in signs_of if each)


def _features(
    one: Said,
    other: Said,
    pairs: dict[tuple[int, int], Pair],
    best: dict[str, Evidence],
    parts: Contrast,
    cosine: float,
    covered: float,
    sense: Sense,
) -> dict[str, float]:
    """Returns what WEIGHTS weighs."""
    past = sum(clause.past and clause.is_head for said in (one, other) for clause in said.clauses)
    strengths = {group: each.strength for group, each in best.items()}
    strengths["permission"] = max((signs.leave(pair) for pair in pairs.values()), default=0.0)
    parts = parts._replace(thing=parts.thing * _apart(strengths))
    least, most = _COVERED
    whole = min(1.0, max(0.0, (covered - least) / (most - least))) * (_PAST if past else 1.0)
    features = {group: _sharpened(group, strengths.get(group, 0.0), parts) * whole for group in _SHARPENED}
    heads = (pair for pair in pairs.values() if pair.heads == 2 and not signs.is_turned(pair, sense))
    features["agree"] = max(map(signs.closeness, heads), default=0.0)
    features["outcome"] = strengths.get("outcome", 0.0) * whole * (1 - _OTHER_THING["value"] * parts.thing)
    features["strongest"] = max(features[group] for group in _SHARPENED)
    features |= {
        "cosine": min(_NEAR, cosine),
        "past": float(past),
        "thing": parts.thing * (1 - strengths.get("reach", 0.0)),
    }
    features["shared"] = float(signs.shares_headline(one, other)) * (1 - strengths.get("polarity", 0.0))
    return features


def _apart(strengths: dict[str, float]) -> float:
    """Returns how far titles that name two things part two notes: not, where that is what the two disagree about."""
    others = max(strengths.get(group, 0.0) for group in ("polarity", "value"))
    led = strengths.get("name", 0.0) if others < _FAINT else 0.0
    return 1 - max(strengths.get("reach", 0.0), led)


def _sharpened(group: str, strength: float, parts: Contrast) -> float:
    turned = group in ("polarity", "permission")
    apart = max(_OTHER_THING[group] * parts.thing, _OTHER_END * parts.end if turned else 0.0)
    return float(strength ** _SHARPENED[group]) * (1 - apart)


def _chief(best: dict[str, Evidence], features: dict[str, float]) -> Evidence:
    """Returns the sign that weighs most."""
    group = max(best, key=lambda group: _share(group, features), default="")
    return best[group] if group else Evidence("", 0.0, "", "")


def _share(group: str, features: dict[str, float]) -> float:
    """Returns what a group of signs adds to the odds; a ban is a denial, too."""
    share = WEIGHTS[group] * features[group]
    if group == "polarity":
        share += WEIGHTS["permission"] * features["permission"]
    if features.get(group) == features["strongest"]:
        share += WEIGHTS["strongest"] * features["strongest"]
    return share

"""Comparing two notes: how alike they are, and whether they disagree, told clause by clause without any model of language."""

from collections.abc import Iterator
from math import exp

from gitmem.knowledge import apart, matching
from gitmem.knowledge import evidence as signs
from gitmem.knowledge.clauses import Said
from gitmem.knowledge.evidence import Evidence, Tally
from gitmem.knowledge.matching import Answers, Pair
from gitmem.knowledge.sameness import Both, sameness
from gitmem.knowledge.sense import Sense
from gitmem.knowledge.subject import Contrast, are_numbered_apart, contrast
from gitmem.values import NamedTuple

# What each sign weighs in the odds that two notes disagree: ridge logistic regression on the pairs of seven authors
# (half 0 of tests/data/pairs.jsonl, more_pairs.jsonl, examples.jsonl, the four of pairs_by_others.jsonl), on the nearest
# notes of other pairs (a weight of .15) and on those of stores without a contradiction (.5). Each author judged by weights
# fitted without it, 59 % of 776 disagreements are found at 6.6 % false alarms of 838: 94 % of those of the four that are
# put closely, 63 % in the same terms, 39 % freely; of 901 neighbours in the stores 6 are raised, each fitted without its
# store. As the signs are chosen of 250 on the same pairs, that is a little high. The signs before, fitted so, find 34 % of
# the four's at 7 %; boosted trees, a support vector machine, squares, and one regression a kind find no more than these.
# The constant puts 6.5 % of false alarms at the threshold of gitmem.operations.verdict.
WEIGHTS = {
    "subject": 1.78, "title": 1.57, "titles": -1.03, "heads": -0.84, "same": -2.91,  # how alike the notes are
    "strongest": 4.22, "name": 0.87, "job": 4.14, "number": 3.19, "leave": 2.97, "reach": 2.99,  # what is against it
    "number of another": -5.11, "sort": -1.38, "names": -0.83, "over": -0.33, "past": -1.0,  # another thing, another time
    "met": -0.72, "unmet": -0.46, "denied": -1.43, "some": -1.82, "permitted": -1.22,  # what both say
}  # fmt: skip
BIAS = -2.18
# Exponents that part strong evidence from weak, and how much of it is left where titles name two things, and where a
# title or a summary says that its claim is of the past.
_SHARPENED: dict[str, float] = {"polarity": 1.5, "permission": 1.3, "reach": 1.2, "value": 1.0, "name": 1.5}
_OTHER_THING = {"polarity": 0.85, "permission": 0.85, "reach": 0.3, "value": 0.85, "name": 0.9}
_OTHER_END = 0.5
_PAST = 0.3
# Shares of two notes' words that answer each other from which a sign of clauses begins to count and counts in full.
_COVERED = (0.1, 0.4)
# Shares of words that answer each other, near ones included, with this much of the cosine, from which two notes can be and
# surely are of one subject.
_SUBJECT, _BY_VECTOR = (0.34, 0.5), 0.27
# Below this near words make no two notes of one subject: of 776 pairs that disagree 39 are lost, none of which their signs
# would raise.
_FAR = 0.24
# Numbers are counted up to this many, and words of what has changed.
_MOST, _MOST_OVER = 3, 4
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


def probability(comparison: Comparison) -> float:
    """Returns how likely two notes disagree, 0 to 1."""
    return 1 / (1 + exp(-comparison.odds))


def _text(said: Said) -> list[str]:
    return [clause.text for clause in said.clauses]


def _compare(one: Said, other: Said, cosine: float, sense: Sense) -> Comparison:
    sides = _sides(one, other, cosine, sense)
    if isinstance(sides, float):
        return Comparison(sides, BIAS, "", "", "", 0.0)
    best, notable = _strongest(sides), _notable(sides)
    shares = _sharpened(sides, best)
    found = features(sides, shares, notable)
    odds = BIAS + sum(weight * found[name] for name, weight in WEIGHTS.items())
    sign = _chief(best, notable, shares, found)
    return Comparison(sides.likeness, odds, sign.kind, sign.here, sign.there, found["same"])


class Sides(NamedTuple):
    """Two notes as they are weighed: side by side, with what answers what in the titles and in all, what parts their
    titles, their numbers, how alike they are, how surely of one subject, the share of words that answer each other, and
    the cosine."""

    notes: apart.Notes
    titles: tuple[Answers, Answers]
    found: tuple[Answers, Answers]
    parts: Contrast
    tallied: Tally
    likeness: float
    subject: float
    covered: float
    cosine: float
    sense: Sense


def _sides(one: Said, other: Said, cosine: float, sense: Sense) -> Sides | float:
    """Returns two notes as they are weighed, or only how alike they are where they are not of one subject."""
    found = matching.answers(one, other, sense), matching.answers(other, one, sense)
    covered = _answered(one, other, found)
    likeness = (max(0.0, cosine) + covered) / 2
    if covered + _BY_VECTOR * cosine < _FAR or are_numbered_apart(one, other):
        return likeness
    wide = matching.wide_answers(one, other, found[0], sense), matching.wide_answers(other, one, found[1], sense)
    subject = _subject(_answered(one, other, wide), cosine)
    if not subject:
        return likeness
    notes = apart.notes(one, other, wide, _pairs(one, other, found[0], wide[0]))
    titles = matching.title_answers(one, other, found[0]), matching.title_answers(other, one, found[1])
    parts = contrast(one, other, titles, found)
    return Sides(
        notes, titles, found, parts, signs.tally(one, other), likeness, subject, covered, max(0.0, cosine), sense
    )


def _answered(one: Said, other: Said, found: tuple[Answers, Answers]) -> float:
    """Returns the share of two notes' words that answer each other."""
    return (matching.coverage(one, found[0], level=2) + matching.coverage(other, found[1], level=2)) / 2


def _subject(shares: float, cosine: float) -> float:
    """Returns how surely two notes are of one subject, 0 to 1, by the share of their words that answer each other."""
    least, most = _SUBJECT
    return min(1.0, max(0.0, (shares + _BY_VECTOR * cosine - least) / (most - least)))


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


def _strongest(sides: Sides) -> dict[str, Evidence]:
    """Returns the strongest sign of each group that clauses put alike give: polarity, reach, value, name."""
    best: dict[str, Evidence] = {}
    for each in (*_of_clauses(sides), *signs.values(sides.tallied, sides.notes.pairs)):
        group = "polarity" if each.kind == "permission" else _KINDS.get(each.kind, each.kind)
        if group not in best or each.strength > best[group].strength:
            best[group] = each
    return best


def _of_clauses(sides: Sides) -> Iterator[Evidence]:
    notes = sides.notes
    both = {clause.text for clause in notes.one.clauses} & {clause.text for clause in notes.other.clauses}
    for pair in notes.pairs.values():
        if pair.one.text in both or pair.other.text in both:
            continue  # what both notes say is no disagreement
        signs_of = (
            signs.polarity(pair, notes.wide, sides.sense),
            signs.reach(pair),
            signs.name(pair, sides.found, sides.sense),
        )
        yield from (each for each in signs_of if each)


def _notable(sides: Sides) -> dict[str, Evidence]:
    """Returns the strongest sign of each group that the notes give as wholes: number, job, leave, reach."""
    notes = sides.notes
    found = {
        "number": apart.values(notes, sides.tallied),
        "job": apart.jobs(notes),
        "leave": apart.leave(notes),
        "reach": apart.reach(notes),
    }
    return {group: each for group, each in found.items() if each}


def _same(sides: Sides) -> float:
    notes = sides.notes
    both = Both(notes.one, notes.other, sides.found, sides.titles, notes.wide, notes.pairs, notes.shares)
    return sameness(both, sides.sense)


# What is weighed


def features(sides: Sides, shares: dict[str, float], notable: dict[str, Evidence]) -> dict[str, float]:
    """Returns what WEIGHTS weighs; `shares` are the signs of clauses by their groups, `notable` those of whole notes."""
    told = {group: each.strength for group, each in notable.items()}
    titles, number = _titles(sides), told.get("number", 0.0)
    most = titles["title"]
    return {
        **titles,
        **_common(sides),
        "subject": sides.subject,
        "same": _same(sides),
        "strongest": max(shares.values()) * most,
        "name": shares["name"] * most,
        "reach": told.get("reach", 0.0) * most,
        "leave": told.get("leave", 0.0) * most,
        "job": told.get("job", 0.0) * sides.cosine,
        "number": max(number, shares["value"]) * sides.cosine,
        "number of another": number * max(apart.other_sort(sides.notes, 0), apart.other_mark(sides.notes, sides.found)),
        "met": float(min(_MOST, sides.tallied.met)),
        "unmet": float(min(_MOST, len(sides.tallied.left), len(sides.tallied.right))),
    }


def _titles(sides: Sides) -> dict[str, float]:
    """Returns how much of a title the other note, and the other title, answers, and how alike titles and summaries are."""
    notes = sides.notes
    said = notes.one, notes.other
    return {
        "title": max(matching.coverage(*pair, level=0) for pair in zip(said, notes.wide, strict=True)),
        "titles": max(matching.coverage(*pair, level=0) for pair in zip(said, sides.titles, strict=True)),
        "heads": max((pair.overlap for pair in notes.pairs.values() if pair.heads == 2), default=0.0),
    }


def _common(sides: Sides) -> dict[str, float]:
    """Returns what both notes say in one way, and what speaks of two things, or of what is over."""
    notes = sides.notes
    said = notes.one, notes.other
    duties = [{clause.duty for clause in each.clauses if not clause.past} for each in said]
    names = apart.names_alone(*said, notes.wide[0]), apart.names_alone(*said[::-1], notes.wide[1])
    return {
        "denied": apart.both_have(notes, lambda clause: clause.denies),
        "some": apart.both_have(notes, lambda clause: "some" in clause.reach),
        "permitted": float(any("permit" in a and "forbid" in b for a, b in (duties, duties[::-1]))),
        "names": float(min(names) > 1),
        "over": float(min(_MOST_OVER, max(sum(clause.over for clause in each.clauses) for each in said))),
        "past": float(sum(clause.past and clause.is_head for each in said for clause in each.clauses)),
        "sort": float(apart.other_sort(notes, 2)),
    }


def _sharpened(sides: Sides, best: dict[str, Evidence]) -> dict[str, float]:
    """Returns how strong the signs of clauses are, by their groups, where nothing speaks of two things or of the past."""
    strengths = {group: each.strength for group, each in best.items()}
    strengths["permission"] = max(map(signs.leave, sides.notes.pairs.values()), default=0.0)
    thing = sides.parts.thing * _apart(strengths)
    least, most = _COVERED
    whole = min(1.0, max(0.0, (sides.covered - least) / (most - least)))
    if any(clause.past and clause.is_head for said in (sides.notes.one, sides.notes.other) for clause in said.clauses):
        whole *= _PAST
    found = {}
    for group, exponent in _SHARPENED.items():
        end = _OTHER_END * sides.parts.end if group in ("polarity", "permission") else 0.0
        found[group] = strengths.get(group, 0.0) ** exponent * (1 - max(_OTHER_THING[group] * thing, end)) * whole
    return found


def _apart(strengths: dict[str, float]) -> float:
    """Returns how far titles that name two things part two notes: not, where that is what the two disagree about."""
    others = max(strengths.get(group, 0.0) for group in ("polarity", "value"))
    led = strengths.get("name", 0.0) if others < _FAINT else 0.0
    return 1 - max(strengths.get("reach", 0.0), led)


def _chief(
    best: dict[str, Evidence], notable: dict[str, Evidence], shares: dict[str, float], found: dict[str, float]
) -> Evidence:
    """Returns the sign that weighs most; what clauses put alike say goes before what the notes say as wholes."""
    weighed = [(WEIGHTS["strongest"] * shares[group] * found["title"], each) for group, each in best.items()]
    weighed += [(WEIGHTS[group] * found[group], each) for group, each in notable.items()]
    return max(weighed, key=_weight, default=(0.0, Evidence("", 0.0, "", "")))[1]


def _weight(pair: tuple[float, Evidence]) -> float:
    return pair[0]

"""What the comparison of two notes finds on the labelled pairs, by kind, with Wilson intervals; three sets chose the rules, half 1 reports."""

import json
import os
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Any, NamedTuple

from gitmem.knowledge.clauses import said
from gitmem.knowledge.compare import Comparison, compare
from gitmem.notes.entry import read
from gitmem.notes.note import Note
from gitmem.notes.preset import preset
from gitmem.operations.verdict import disagrees, is_double
from gitmem.search.document import Maker, embedded_text
from gitmem.search.embed import SCALE

_DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data")
PAIRS = os.path.join(_DATA, "pairs.jsonl")
# Pairs of another author, each note put as by another person.
MORE = os.path.join(_DATA, "more_pairs.jsonl")
# Pairs of four authors more, 240 each, put closely, in the same terms, or freely.
OTHERS = os.path.join(_DATA, "pairs_by_others.jsonl")
Z = 1.96  # two-sided 95 %


class Judged(NamedTuple):
    """A labelled pair, and what was made of it: "duplicate", "disagree" or "neither", and the kind of disagreement.

    author and distance are empty where a file does not tell them.
    """

    half: int
    author: str
    distance: str
    kind: str
    expect: str
    verdict: str
    found: str


class Share(NamedTuple):
    """How many of how many, with the ends of the Wilson interval."""

    hits: int
    of: int
    low: float
    high: float

    @property
    def value(self) -> float:
        """The share itself, 0 of none."""
        return self.hits / self.of if self.of else 0.0

    def __str__(self) -> str:
        return f"{self.hits:3d} of {self.of:3d}  {100 * self.value:5.1f} %  ({100 * self.low:3.0f} to {100 * self.high:3.0f})"


def share(hits: int, of: int) -> Share:
    """Returns a share with its Wilson interval (Wilson 1927)."""
    if not of:
        return Share(0, 0, 0.0, 1.0)
    rate, square = hits / of, Z * Z
    middle = (rate + square / (2 * of)) / (1 + square / of)
    reach = Z * sqrt(rate * (1 - rate) / of + square / (4 * of * of)) / (1 + square / of)
    return Share(hits, of, max(0.0, middle - reach), min(1.0, middle + reach))


def judged(half: int, path: str = PAIRS) -> list[Judged]:
    """Returns what is made of each pair of a half of a file; the newer note is the second."""
    maker = Maker(preset("engram"), None)
    sense = maker.sense
    with open(path, encoding="utf-8") as file:
        pairs = [pair for pair in map(json.loads, file) if pair["half"] == half]
    notes = [(note(pair["b"]), note(pair["a"])) for pair in pairs]
    vectors = [maker.model.passages([embedded_text(one), embedded_text(other)]) for one, other in notes]
    found = [
        compare(said(one, sense), said(other, sense), cosine(*both), sense)
        for (one, other), both in zip(notes, vectors, strict=True)
    ]
    return [_judged(pair, each) for pair, each in zip(pairs, found, strict=True)]


def note(fields: dict[str, Any]) -> Note:
    """Returns the note of one side of a pair."""
    empty = read("x/y.md", b"", verbs=()).note
    texts = {key: fields[key] for key in ("title", "type", "summary", "body")}
    return empty._replace(**texts, tags=tuple(fields["tags"] or ()))


def cosine(one: bytes, other: bytes) -> float:
    """Returns the cosine of two vectors."""
    signed = [memoryview(each).cast("b") for each in (one, other)]
    return sum(a * b for a, b in zip(*signed, strict=True)) / SCALE**2


def _judged(pair: dict[str, Any], comparison: Comparison) -> Judged:
    same_type = pair["a"]["type"] == pair["b"]["type"]
    verdict = "disagree" if disagrees(comparison) else "neither"
    if verdict == "neither" and same_type and is_double(comparison):
        verdict = "duplicate"
    author, distance = pair.get("author", ""), pair.get("distance", "")
    return Judged(pair["half"], author, distance, pair["kind"], pair["expect"], verdict, comparison.kind)


def raised(pairs: Sequence[Judged], verdict: str, *expected: str) -> Share:
    """Returns how many of the pairs that are labelled so were given a verdict."""
    chosen = [each for each in pairs if each.expect in expected]
    return share(sum(each.verdict == verdict for each in chosen), len(chosen))


def absorbed(pairs: Sequence[Judged]) -> int:
    """Returns how many pairs of two distinct notes were called duplicates; one that restates another is none of them."""
    return sum(each.verdict == "duplicate" and each.kind not in ("duplicate", "restated") for each in pairs)


def main() -> None:
    """Prints the tables of each author's pairs."""
    sets = (
        ("Half 0, which chose the rules", 0, PAIRS),
        ("More pairs, which did, too", 0, MORE),
        ("Pairs of four others, which did, too", 0, OTHERS),
        ("Half 1, which reports", 1, PAIRS),
    )
    for title, half, path in sets:
        print(f"\n{title}")
        print("\n".join(_tables(judged(half, path))))


def _tables(pairs: Sequence[Judged]) -> Iterator[str]:
    yield f"  disagreements found          {raised(pairs, 'disagree', 'disagree')}"
    yield f"  false alarms, agreeing       {raised(pairs, 'disagree', 'agree', 'neither')}"
    yield f"  false alarms, of two things  {raised(pairs, 'disagree', 'unrelated')}"
    yield f"  duplicates found             {raised(pairs, 'duplicate', 'duplicate')}"
    yield f"  distinct notes absorbed      {absorbed(pairs):3d}"
    for title, parts in (("author", _parts(pairs, 1)), ("distance", _parts(pairs, 2))):
        for name, chosen in parts.items():
            yield f"  {title:8s} {name:8s}  found    {raised(chosen, 'disagree', 'disagree')}"
            yield f"  {'':17s}  raised   {raised(chosen, 'disagree', 'agree', 'neither', 'duplicate', 'unrelated')}"
    yield "  raised as disagreeing, by the kind that the label says"
    for kind, expect in sorted({(each.kind, each.expect) for each in pairs}):
        chosen = [each for each in pairs if (each.kind, each.expect) == (kind, expect)]
        yield f"    {kind:14s} {expect:10s} {raised(chosen, 'disagree', expect)}"
    yield "  right, of what was raised, by the kind that was said"
    for kind in sorted({each.found for each in pairs if each.verdict == "disagree"}):
        chosen = [each for each in pairs if each.verdict == "disagree" and each.found == kind]
        yield f"    {kind:25s} {share(sum(each.expect == 'disagree' for each in chosen), len(chosen))}"


def _parts(pairs: Sequence[Judged], field: int) -> dict[str, list[Judged]]:
    """Returns the pairs by their author or their distance, by its place among the fields; none where no file tells it."""
    names = sorted({str(each[field]) for each in pairs if each[field]})
    return {name: [each for each in pairs if each[field] == name] for name in names}

"""How well questions find their note on the retrieval sets, beside BM25 alone, vectors alone and the reference figures."""

import json
import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from math import log2
from typing import Any, NamedTuple

from gitmem.notes.entry import read, render
from gitmem.notes.preset import preset, preset_text
from gitmem.operations.memory import open_memory, ready
from gitmem.search import bm25, rank
from gitmem.search.query import Wanted
from gitmem.search.question import asks_for_a_fact

LIMIT = 10
TITLES = "no title (a bare name such as n00017 stands in), no summary, no tags, no dates, no links, in every arm"
# Reference nDCG@10 and recall@5 on half 1 (README of the sets); "found" is the fused column.
REFERENCES = {
    "beads_title": {"words": (0.841, 0.917), "vectors": (0.799, None), "found": (0.885, 0.951)},
    "beads_close": {"words": (0.811, 0.886), "vectors": (0.683, None), "found": (0.824, 0.899)},
    "design_title": {"words": (0.813, 0.881), "vectors": (0.661, None), "found": (0.836, 0.910)},
    "design_summary": {"words": (0.778, 0.852), "vectors": (0.577, None), "found": (0.782, 0.852)},
}
# Questions that a set cannot answer: those of another one, of other documents.
FOREIGN = {
    "beads_title": "design_title",
    "beads_close": "design_summary",
    "design_title": "beads_title",
    "design_summary": "beads_close",
}
ARMS = ("found", "words", "vectors")
VERDICTS = ("strong", "weak", "none")


class Question(NamedTuple):
    """A question of a set; half 0 chooses constants, half 1 reports."""

    id: str
    text: str
    half: int


class Set(NamedTuple):
    """A retrieval set: documents by id, questions, and the ids that answer each question."""

    name: str
    documents: dict[str, str]
    questions: list[Question]
    answers: dict[str, set[str]]


class Asked(NamedTuple):
    """What one question found: a verdict, and for each arm the ids, best first, whatever the verdict."""

    verdict: str
    found: list[str]
    words: list[str]
    vectors: list[str]


class Store:
    """The notes of one set in a real project, opened once."""

    def __init__(self, documents: dict[str, str], folder: str) -> None:
        self.ids = _write(documents, folder)
        self._now = int(time.time())
        memory = open_memory(folder, environment=os.environ, now=self._now)
        self._view, self._maker = ready(memory)

    def ask(self, text: str) -> Asked:
        """Returns what the product's own ranking finds; as `rank.find`, but without its cut where the verdict is none."""
        view, maker = self._view, self._maker
        terms, vector = maker.tokenizer.query_terms(text), maker.model.vector(text)
        weights = rank.telling(maker, text, terms)
        statistics = view.statistics(terms)
        rarity = {term: bm25.rarity(term, statistics) for term in terms}
        said = bm25.Weights(rarity, rank.synonyms(maker, terms), statistics.average_length)
        candidates = rank._candidates(view, rank._pool(view, maker, terms, vector, Wanted(), LIMIT), said, vector)
        ranked = rank._ranked(candidates, rarity)
        hits = rank._adjusted(view, ranked, now=self._now, limit=LIMIT, lowered=None)[:LIMIT]
        best = [rank.evidence(view, candidate, said) for _, candidate in ranked[: rank.CONSIDERED]]
        plain = rank._candidates(view, [each.item for each in candidates], said._replace(alike={}), vector)
        words = sorted((-each.score, each.item.path) for each in plain if each.score)
        near = view.nearest(vector, LIMIT, inert=False)
        return Asked(
            rank.judge(best, rank.Asked(weights, asks_for_a_fact(text), statistics.notes)),
            [self.ids[hit.entry.path] for hit in hits],
            [self.ids[path] for _, path in words[:LIMIT]],
            [self.ids[path] for path, _ in near[:LIMIT]],
        )

    def check(self, text: str, asked: Asked) -> None:
        """Raises AssertionError where the product itself finds something else."""
        answer = rank.find(self._view, self._maker, text, Wanted(), limit=LIMIT, now=self._now)
        hits = [self.ids[hit.entry.path] for hit in answer.hits]
        assert answer.verdict == asked.verdict, text
        assert hits == asked.found[: len(hits)], text
        assert bool(hits) == (asked.verdict != "none"), text


def main(folder: str) -> None:
    """Prints the figures of every set in a folder, and the verdicts on questions that it can and cannot answer."""
    sets = {name: _read(os.path.join(folder, name)) for name in sorted(os.listdir(folder)) if _is_set(folder, name)}
    if not sets:
        raise SystemExit(f"{folder} holds no retrieval sets.")
    print(f"{TITLES}; half 0 chooses constants, half 1 reports; a reference is nDCG@10 (R@5)\n")
    print(_figures_line("set", "half", "arm", "questions", ["R@1", "R@5", "R@10", "MRR@10", "nDCG@10"], "reference"))
    verdicts: list[str] = []
    for name, each in sets.items():
        with tempfile.TemporaryDirectory() as root:
            store = Store(each.documents, root)
            own = _asked(store, each.questions)
            print("\n".join(_figures(each, own)), flush=True)
            verdicts += _shares(name, "its own", each.questions, own)
            foreign = sets.get(FOREIGN.get(name, ""))
            if foreign:
                verdicts += _shares(name, foreign.name, foreign.questions, _asked(store, foreign.questions))
    print(f"\n{'set':<16}{'questions of':<16}{'half':>4}{'asked':>7}" + "".join(f"{word:>9}" for word in VERDICTS))
    print("\n".join(verdicts))


def _is_set(folder: str, name: str) -> bool:
    return os.path.isfile(os.path.join(folder, name, "qrels.tsv"))


def _read(folder: str) -> Set:
    documents = {row["id"]: row["text"] for row in _rows(folder, "docs.jsonl")}
    questions = [Question(row["id"], row["text"], row["half"]) for row in _rows(folder, "queries.jsonl")]
    answers: dict[str, set[str]] = {}
    with open(os.path.join(folder, "qrels.tsv"), encoding="utf-8") as file:
        for question, document, _ in (line.split("\t") for line in file):
            answers.setdefault(question, set()).add(document)
    return Set(os.path.basename(folder), documents, questions, answers)


def _rows(folder: str, name: str) -> Iterator[dict[str, Any]]:  # Any: of text, half is a number
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        yield from map(json.loads, file)


def _write(documents: dict[str, str], folder: str) -> dict[str, str]:
    """Writes each document as a note whose name says nothing, and returns the ids by path."""
    notes = os.path.join(folder, ".memory")
    os.makedirs(os.path.join(notes, "insight"))
    with open(os.path.join(notes, "config.toml"), "w", encoding="utf-8") as file:
        file.write(preset_text("engram"))
    verbs = tuple(preset("engram").verbs)
    ids = {}
    for number, (key, text) in enumerate(documents.items()):
        path = f"insight/n{number:05}.md"
        note = read(path, b"", verbs=()).note._replace(body=text)
        with open(os.path.join(notes, path), "wb") as file:
            file.write(render(note, verbs=verbs))
        ids[path] = key
    return ids


def _asked(store: Store, questions: Sequence[Question]) -> list[Asked]:
    """Returns what each question finds; every twentieth is put to the product's own function as well."""
    found = []
    for number, question in enumerate(questions):
        found.append(store.ask(question.text))
        if number % 20 == 0:
            store.check(question.text, found[-1])
    return found


def _figures(each: Set, asked: Sequence[Asked]) -> Iterator[str]:
    """Yields a line for each half and arm: recall at 1, 5 and 10, mean reciprocal rank and nDCG at 10."""
    for half in (0, 1):
        chosen = [
            (each.answers[question.id], row)
            for question, row in zip(each.questions, asked, strict=True)
            if question.half == half
        ]
        for arm in ARMS:
            rows = [_measures(answers, getattr(row, arm)) for answers, row in chosen]
            means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
            figures = [f"{mean:.3f}" for mean in means]
            yield _figures_line(each.name, str(half), arm, str(len(rows)), figures, _reference(each.name, arm, half))


def _measures(answers: set[str], found: Sequence[str]) -> tuple[float, ...]:
    """Returns recall at 1, 5 and 10, the reciprocal rank and nDCG at 10 of one question, all relevance being one."""
    ranks = [place for place, key in enumerate(found, 1) if key in answers]
    recalls = [sum(place <= depth for place in ranks) / len(answers) for depth in (1, 5, 10)]
    ideal = sum(1 / log2(place + 1) for place in range(1, min(len(answers), LIMIT) + 1))
    return *recalls, 1 / ranks[0] if ranks else 0.0, sum(1 / log2(place + 1) for place in ranks) / ideal


def _reference(name: str, arm: str, half: int) -> str:
    gain, recall = REFERENCES.get(name, {}).get(arm, (None, None)) if half == 1 else (None, None)
    return "" if gain is None else f"{gain:.3f}" + ("" if recall is None else f" ({recall:.3f})")


def _figures_line(name: str, half: str, arm: str, count: str, figures: Sequence[str], reference: str) -> str:
    columns = "".join(f"{figure:>9}" for figure in figures)
    return f"{name:<16}{half:>4}  {arm:<8}{count:>10}{columns}   {reference}".rstrip()


def _shares(name: str, of: str, questions: Sequence[Question], asked: Sequence[Asked]) -> Iterator[str]:
    """Yields a line for each half: the share of every verdict."""
    for half in (0, 1):
        counts = Counter(row.verdict for question, row in zip(questions, asked, strict=True) if question.half == half)
        total = counts.total()
        shares = "".join(f"{counts[word] / total:>9.1%}" for word in VERDICTS)
        yield f"{name:<16}{of:<16}{half:>4}{total:>7}{shares}"

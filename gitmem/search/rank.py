"""Ranking: from a question to the notes that answer it, and how sure that is."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from math import log10
from operator import itemgetter

from gitmem.notes.instant import DAY, seconds
from gitmem.notes.name import fold
from gitmem.notes.note import Entry
from gitmem.search import bm25
from gitmem.search.document import Maker, NoModel, targets
from gitmem.search.embed import SCALE
from gitmem.search.index import Stored, bag_keys, bag_read
from gitmem.search.query import Wanted, is_filtered
from gitmem.search.question import asks_for_a_fact
from gitmem.search.tokens import STOP_WORDS
from gitmem.search.view import View
from gitmem.values import NamedTuple

# Candidates by words and by vector; of nDCG@10 on the sets, above these nothing moves by more than .0005.
BY_WORDS = 60
BY_VECTOR = 30
# Filters that let through no more notes than this are answered from all of those notes.
FEW = 400
# Terms of a question up to which synonyms are looked for. A longer one says what it means in more than one way: recall@5 where
# questions are whole summaries, half 0, synonyms at .4 of a term's weight, 8: .877, 10 and any: .875; none: .877.
SHORT = 8
# What standing, links and age may add or take, as a share of the score.
FRESH = 0.03
FRESH_DAYS = 90
LINKED = 0.01
MOST_LINKS = 3
LOWERED = 0.03
# Hits below this share of the best one's score are noise: where one note plainly answers, one is shown. Recall@5 on the
# sets (whole / .5 / .6): .958 / .957 / .952, .921 / .920 / .919, .913 / .913 / .906, .873 / .873 / .872.
TAIL = 0.5
# But where the verdict is weak, so many are shown at least, for the right one is first in half of the cases only: of questions in
# words unlike the notes' own 1 % more find it, with 6.2 hits for 5.0.
LOOKED_THROUGH = 5
# Least evidence of one of the best notes, from 0 to 1 as in `_strength`, for a strong answer. Chosen on half 0 of 925 questions to
# five stores of 20 to 110 notes, in words unlike theirs. Half 1: hedging .91, false confidence .03 (.05 where a known subject is
# asked for what no note tells, 0 where the subject is foreign); half 0: .91 and .03, at .54 .88 and .04. More is not told apart:
# questions that no note on their subject answers show more evidence than those that one does (area under the curve .3), and
# for those the right note is first in .56 of the cases. Fits of 30 signals (likeness word by word, by sentence, of the words that
# a note lacks or says otherwise, the worst of them; gaps; rarity; whether a number, a date, a name, a reason stands there) have
# hedging .84 to .92 at 4 %, and .74 if "why" and length may count for more than the notes; so has a thesaurus of 4,000 lines
# whose words count in full, with which false confidence on large stores is three times as much. Questions in the words of a note's
# title are strong: of 298 whole titles, "why" before them, and four words of them all, of two words 99 %.
# Titles of 1,077 and 2,566 notes, half 1: hedging .13 and .08, false confidence .04.
STRONG = 0.61
# For an answer at all, and what each tenfold of notes adds to it, for the more notes, the more is covered by chance. Half 1: of
# questions on a foreign subject 23 % get none on small stores and 38 to 77 % on the large sets, of answerable ones 4 and .2 %.
WEAK = (-0.1, 0.14)
# What a question for one fact must show beyond that: a note that holds all words of "how many pods does the vault run" but
# one may well be on the vault and tell no number.
FACT = 0.15
# Shares of the evidence: the cosine; how much is asked at all, in telling words, of which most is enough.
NEARNESS = 0.8
AMPLE = (0.2, 6)
# Fewer notes are judged as so many: a cosine of .15 to the only note is no evidence.
FEWEST = 20
CONSIDERED = 3
# Stands for the cosine, times the coverage, where the model knows no word: strong is then what holds nearly every word.
WORDLESS = 0.25


class Candidate(NamedTuple):
    """A note in the pool with what speaks for it: its BM25 score, and the cosine to the question."""

    item: Stored
    score: float
    cosine: float


class Hit(NamedTuple):
    """A note that answers, its score from 0 to about 1, and what made it: fused evidence, shares for age, links, standing."""

    entry: Entry
    score: float
    candidate: Candidate | None = None
    fused: float = 0.0
    fresh: float = 0.0
    linked: float = 0.0
    standing: float = 0.0


# Of some notes, the paths of those that stand so badly that they rank a little lower.
Lowered = Callable[[Sequence[Entry]], Collection[str]]


# Least evidence for strong and for weak, whatever the number of notes, in place of what was measured where there is one.
Bounds = tuple[float | None, float | None]


class Asked(NamedTuple):
    """What a verdict must know of a question: how telling its terms are, whether it asks for one fact, of how many notes."""

    weights: dict[str, float]
    fact: bool
    notes: int


class Evidence(NamedTuple):
    """What a verdict weighs of a note: the terms of a question that it holds, those it holds synonyms of, and the cosine."""

    held: Collection[str]
    alike: Collection[str]
    cosine: float


class Answer(NamedTuple):
    """Hits, best first, and the verdict on them: strong, weak or none; and how the question weighed notes."""

    verdict: str
    hits: list[Hit]
    weights: bm25.Weights = bm25.NO_WEIGHTS


def find(
    view: View,
    maker: Maker,
    query: str,
    wanted: Wanted,
    *,
    limit: int,
    now: int,
    lowered: Lowered | None = None,
    bounds: Bounds = (None, None),
) -> Answer:
    """Returns at most `limit` notes (0: all) that answer a question, with a verdict on the evidence."""
    limit = min(limit or view.size, view.size)
    terms, vector = maker.tokenizer.query_terms(query), maker.model.vector(query)
    statistics = view.statistics(terms)
    rarity = {term: bm25.rarity(term, statistics) for term in terms}
    weights = bm25.Weights(rarity, synonyms(maker, terms), statistics.average_length)
    ranked = _ranked(_candidates(view, _pool(view, maker, terms, vector, wanted, limit), weights, vector), rarity)
    asked = Asked(telling(maker, query, terms), fact=asks_for_a_fact(query), notes=statistics.notes)
    verdict = judge([evidence(view, each, weights) for _, each in ranked[:CONSIDERED]], asked, bounds)
    hits = _adjusted(view, ranked, now=now, limit=limit, lowered=lowered) if verdict != "none" else []
    least = LOOKED_THROUGH if verdict == "weak" else 0
    kept = [hit for place, hit in enumerate(hits) if place < least or hit.score >= TAIL * hits[0].score]
    return Answer(verdict, _newer_first(kept)[:limit], weights)


def _pool(view: View, maker: Maker, terms: Sequence[str], vector: bytes, wanted: Wanted, limit: int) -> list[Stored]:
    """Returns the candidates that pass the filters, enough of them where there are enough."""
    words, near = max(BY_WORDS, 4 * limit), max(BY_VECTOR, 2 * limit)
    while True:
        found = {item.path: item for item in view.matching(terms, wanted, words)}
        exhausted = len(found) < words
        found |= {item.path: item for item in _near(view, vector, wanted, near, found.keys())}
        live = unsuperseded(view, list(found.values()), maker.roles.supersession, wanted)
        if exhausted or len(live) >= min(BY_WORDS, words):
            return live
        words, near = words * 4, near * 4


def _near(view: View, vector: bytes, wanted: Wanted, count: int, found: Collection[str]) -> list[Stored]:
    """Returns the notes nearest to the question that pass the filters and were not found by words already."""
    inert = "archived" in wanted.include or "checkpoint" in wanted.include
    if is_filtered(wanted) and view.count_passing(wanted) <= FEW:
        return view.passing(wanted, FEW)
    while True:
        near = [path for path, _ in view.nearest(vector, count, inert=inert, beside=found)]
        new = view.at([path for path in near if path not in found], wanted)
        passing = len(new) + sum(path in found for path in near)
        if len(near) < count or passing >= BY_VECTOR or not is_filtered(wanted):
            return new
        count *= 4


def unsuperseded(view: View, items: list[Stored], supersession: frozenset[str], wanted: Wanted) -> list[Stored]:
    """Returns the notes that no other note replaces, or all where superseded ones are asked for."""
    if "superseded" in wanted.include or not items:
        return items
    old = superseded_by(view, items, supersession)
    return [item for item in items if item.path not in old]


def superseded_by(view: View, items: Sequence[Stored], supersession: frozenset[str]) -> dict[str, str]:
    """Returns, for each of these notes that another replaces, its path and the newer note's name; a view asks once a note."""
    known = view.learnt.replaced
    new = [item for item in items if item.path not in known]
    if new:
        known |= dict.fromkeys((item.path for item in new), "") | _superseded_by(view, new, supersession)
    return {item.path: newer for item in items if (newer := known[item.path])}


def _superseded_by(view: View, items: Sequence[Stored], supersession: frozenset[str]) -> dict[str, str]:
    paths = {item.path for item in items}
    words = {word for item in items for word in (item.key, *item.aliases)}
    claims = sorted(map(view.entry, view.having("supersedes", view.claimed(words))), key=_by_path)
    pairs = [(target, entry) for entry in claims for target in targets(entry.note, supersession) if target in words]
    meant = owners(view, sorted({target for target, _ in pairs}))
    return {
        meant[target]: entry.name for target, entry in pairs if meant[target] in paths and meant[target] != entry.path
    }


def _by_path(entry: Entry) -> str:
    return entry.path


def owners(view: View, words: Sequence[str]) -> dict[str, str]:
    """Returns the path that each folded word means, as in the graph: a name beats an alias, then the first by path."""
    found = {alias: item.path for item in sorted(view.having("alias", words), reverse=True) for alias in item.aliases}
    return found | {item.key: item.path for item in sorted(view.having("key", words), reverse=True)}


def synonyms(maker: Maker, terms: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Returns the synonyms of those terms of a short question that have some."""
    found = {term: maker.tokenizer.synonyms[term] for term in terms} if len(terms) <= SHORT else {}
    return {term: group for term, group in found.items() if group}


def _candidates(view: View, pool: list[Stored], weights: bm25.Weights, vector: bytes) -> list[Candidate]:
    """Returns the pool with its scores, by path."""
    pool.sort()
    paths = [item.path for item in pool]
    if view.learnt.postings:
        scores = view.learnt.postings.scores(paths, weights)
    else:
        scores = [bm25.score(weights, bag) for bag in _bags(view, pool, weights.words())]
    cosines = [dot / (SCALE * SCALE) for dot in view.dots(vector, paths)]
    return list(map(Candidate, pool, scores, cosines))


def _bags(view: View, pool: Sequence[Stored], terms: Collection[str]) -> Iterator[bm25.Bag]:
    """Yields the bags of items, with those terms at least."""
    known = [view.learnt.decoded.bag(item) for item in pool]
    keys = bag_keys(view.held(terms)) if None in known else []
    return (bag or bm25.Bag(*bag_read(item.bag, keys)) for item, bag in zip(pool, known, strict=True))


def _shares(view: View, item: Stored, weights: bm25.Weights) -> tuple[dict[str, float], dict[str, float]]:
    return bm25.shares(weights, next(_bags(view, [item], weights.words())))


def evidence(view: View, candidate: Candidate, weights: bm25.Weights) -> Evidence:
    """Returns what a verdict weighs of a candidate."""
    words, instead = _shares(view, candidate.item, weights)
    return Evidence(words, instead, candidate.cosine)


def _ranked(candidates: Sequence[Candidate], rarity: Mapping[str, float]) -> list[tuple[float, Candidate]]:
    """Returns the candidates, which are by path, with their fused scores, best first."""
    best = bm25.best([each.score for each in candidates], bm25.most(rarity))
    pairs = [(bm25.fused(each.score, best, each.cosine), each) for each in candidates]
    pairs.sort(key=itemgetter(0), reverse=True)  # stable, so that ties stay by path
    return pairs


def _adjusted(
    view: View, ranked: Sequence[tuple[float, Candidate]], *, now: int, limit: int, lowered: Lowered | None = None
) -> list[Hit]:
    """Returns the best candidates with their scores adjusted, slightly, by age, by links among them, and by standing."""
    best = [(fused, each, view.entry(each.item)) for fused, each in _contenders(ranked, limit)]
    linked = _linked([entry for _, _, entry in best])
    low = lowered([entry for _, _, entry in best]) if lowered else ()
    hits = [
        _hit(each, entry, fused, linked.get(fold(entry.name), 0), now, low=entry.path in low)
        for fused, each, entry in best
    ]
    hits.sort(key=lambda hit: (-hit.score, hit.entry.name, hit.entry.path))
    return hits


def _contenders(ranked: Sequence[tuple[float, Candidate]], limit: int) -> Sequence[tuple[float, Candidate]]:
    """Returns the candidates that age, links and standing could still lift among the first `limit`."""
    if len(ranked) <= limit:
        return ranked
    least = ranked[limit - 1][0] * (1 - LOWERED) / (1 + FRESH + MOST_LINKS * LINKED)
    return [pair for pair in ranked if pair[0] >= least]


def _linked(entries: Sequence[Entry]) -> dict[str, int]:
    """Returns how many of these notes link to each name."""
    counts: dict[str, int] = {}
    for entry in entries:
        for key in targets(entry.note, None):
            counts[key] = counts.get(key, 0) + 1
    return counts


def _newer_first(hits: list[Hit]) -> list[Hit]:
    """Returns hits with each note before those that it seems to disagree with, and no lower: it is the newer one."""
    newer: dict[str, list[Hit]] = {}
    for hit in hits:
        for name in hit.entry.note.suspects:
            newer.setdefault(fold(name), []).append(hit)
    if not newer:
        return hits
    ordered: dict[str, Hit] = {}
    for hit in hits:
        for each in reversed(_upward(hit, newer)):
            ordered.setdefault(each.entry.path, each._replace(score=max(each.score, hit.score)))
    return list(ordered.values())


def _upward(hit: Hit, newer: dict[str, list[Hit]]) -> list[Hit]:
    """Returns a hit, then those that seem to disagree with it, then those that do with them, each once."""
    line = [hit]
    for each in line:
        found = (above for name in (each.entry.name, *each.entry.note.aliases) for above in newer.get(fold(name), ()))
        line += [above for above in found if all(above is not other for other in line)]
    return line


def _hit(candidate: Candidate, entry: Entry, fused: float, linked: int, now: int, *, low: bool) -> Hit:
    age = now // DAY - seconds(entry.note.created) // DAY if entry.note.created else None
    fresh = FRESH * 0.5 ** (max(0, age) / FRESH_DAYS) if age is not None else 0.0
    links = LINKED * min(MOST_LINKS, linked)
    standing = -LOWERED if low else 0.0
    score = round(fused * (1 + fresh + links + standing), 6)
    return Hit(entry, score, candidate, fused, fresh, links, standing)


def explain(view: View, hit: Hit, weights: bm25.Weights) -> dict[str, float]:
    """Returns what made a hit's score: BM25 in all, by term, and by synonyms of a term; the cosine; all fused; the shares added."""
    if hit.candidate is None:
        return {}
    words, instead = _shares(view, hit.candidate.item, weights)
    parts = {"words": hit.candidate.score, "cosine": hit.candidate.cosine, "fused": hit.fused}
    parts |= {"age": hit.fresh, "links": hit.linked, "standing": hit.standing}
    parts |= {f"term {term}": share for term, share in words.items()}
    parts |= {f"synonym of {term}": share for term, share in instead.items()}
    return {name: round(share, 4) for name, share in parts.items()}


def telling(maker: Maker, query: str, terms: Sequence[str]) -> dict[str, float]:
    """Returns how telling each term of a question is: as the most telling word that it is cut from."""
    weights = dict.fromkeys(terms, 0.0)
    for word in dict.fromkeys(query.split()):
        cut = [term for term in maker.tokenizer.terms(word) if term in weights]
        if cut:
            weight = 1.0 if isinstance(maker.model, NoModel) else maker.model.weight(word)
            weights |= {term: max(weight, weights[term]) for term in cut}
    return weights


def judge(best: Sequence[Evidence], asked: Asked, bounds: Bounds = (None, None)) -> str:
    """Returns the verdict on what speaks for the best notes: strong, weak or none.

    Decided on the note for which most speaks: the share of the question's telling words that it holds, and its cosine.
    """
    most = max((_strength(each, asked.weights) for each in best), default=-1.0)
    strong, weak = bounds
    if most >= (STRONG if strong is None else strong) + FACT * asked.fact:
        only_stops = asked.weights and STOP_WORDS.issuperset(asked.weights)
        return "weak" if only_stops else "strong"  # stop words alone tell nothing
    least = WEAK[0] + WEAK[1] * log10(max(FEWEST, asked.notes)) if weak is None else weak
    return "weak" if most >= least else "none"


def _strength(found: Evidence, weights: dict[str, float]) -> float:
    """Returns what speaks for a note, from 0 to 1: coverage, more of it where much was asked, and nearness."""
    total = sum(weights.values())
    held, alike = (sum(weights[term] for term in terms) for terms in (found.held, found.alike))
    coverage = (held + bm25.SYNONYM * alike) / total if total else 0.0
    share, ample = AMPLE
    words = coverage * (1 + share * min(1.0, total / ample))
    return (words + NEARNESS * (found.cosine or WORDLESS * coverage)) / (1 + share + NEARNESS)

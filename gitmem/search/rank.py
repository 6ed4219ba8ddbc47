"""Ranking: from a question to the notes that answer it, and how sure that is."""

from collections.abc import Collection, Sequence
from math import log10

from gitmem.notes.instant import seconds
from gitmem.notes.name import fold
from gitmem.notes.note import Entry
from gitmem.search import bm25
from gitmem.search.document import Maker, NoModel, targets
from gitmem.search.embed import SCALE
from gitmem.search.index import Stored, bag_keys, bag_read
from gitmem.search.query import Wanted, is_filtered
from gitmem.search.tokens import STOP_WORDS
from gitmem.search.view import View
from gitmem.values import NamedTuple

# Candidates by words and by vector; the sets' figures do not move above these.
BY_WORDS = 80
BY_VECTOR = 40
# Filters that let through no more notes than this are answered from all of those notes.
FEW = 400
DAY = 86_400
# What standing, links and age may add or take, as a share of the score.
FRESH = 0.03
FRESH_DAYS = 90
LINKED = 0.01
MOST_LINKS = 3
# Hits below this share of the best one's score are noise: where one note plainly answers, one is shown. Recall@5 on the
# sets (whole / .5 / .6): .958 / .957 / .952, .921 / .920 / .919, .913 / .913 / .906, .873 / .873 / .872.
TAIL = 0.5
# Verdict: least evidence (coverage + cosine of one of the best notes), and what each tenfold of notes
# adds to it, for the more notes, the more is covered by chance. Chosen on half 0, at most 4 % false confidence on titles
# and none from a foreign subject on small stores; half 1: hedging .09 and false confidence .03 on titles of 1,077 and
# 2,566 notes, .43 and .10 on four stores of 1 to 31 notes (.20 where the subject is known but not what is asked of it).
# A learned combination of 13 signals (fields, gap to the next, missing words, rarity ...) does no better on held-out questions.
STRONG = (0.83, 0.12)
# Half 1: 54 % of foreign questions get none on large stores, 57 % on small ones, and .2 and 3 % of answerable ones.
WEAK = (0.1, 0.18)
# Fewer notes are judged as so many: a cosine of .15 to the only note is no evidence.
FEWEST = 4
CONSIDERED = 3
# Stands for the cosine, times the coverage, where the model knows no word: strong is then what holds nearly every word.
WORDLESS = 0.25


class Candidate(NamedTuple):
    """A note in the pool with what speaks for it: BM25 by term, and the cosine to the question."""

    item: Stored
    words: dict[str, float]
    cosine: float


class Hit(NamedTuple):
    """A note that answers, its score from 0 to about 1, and what made it: fused evidence and shares for age and links."""

    entry: Entry
    score: float
    candidate: Candidate | None = None
    fused: float = 0.0
    fresh: float = 0.0
    linked: float = 0.0


class Answer(NamedTuple):
    """Hits, best first, and the verdict on them: strong, weak or none; terms with their rarity."""

    verdict: str
    hits: list[Hit]
    rarity: dict[str, float]


def find(view: View, maker: Maker, query: str, wanted: Wanted, *, limit: int, now: int) -> Answer:
    """Returns at most `limit` notes (0: all) that answer a question, with a verdict on the evidence."""
    limit = min(limit or view.size, view.size)
    terms, vector = maker.tokenizer.query_terms(query), maker.model.vector(query)
    statistics = view.statistics(terms)
    rarity = {term: bm25.rarity(term, statistics) for term in terms}
    pool = _pool(view, maker, terms, vector, wanted, limit)
    ranked = _ranked(_weighed(view, pool, rarity, statistics.average_length, vector))
    verdict = judge([each for _, each in ranked[:CONSIDERED]], telling(maker, query, terms), statistics.notes)
    hits = _adjusted(view, ranked, now=now, limit=limit)[:limit] if verdict != "none" else []
    return Answer(verdict, [hit for hit in hits if hit.score >= TAIL * hits[0].score], rarity)


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
        near = [path for path, _ in view.nearest(vector, count, inert=inert)]
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
    """Returns, for each of these notes that another replaces, its path and the newer note's name."""
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


def _weighed(
    view: View, pool: list[Stored], rarity: dict[str, float], average_length: float, vector: bytes
) -> list[Candidate]:
    """Returns the pool with its evidence, by path."""
    pool.sort()
    dots = view.dots(vector, [item.path for item in pool])
    scale, keys = SCALE * SCALE, bag_keys(rarity)
    bags = (bm25.Bag(*bag_read(item.bag, keys)) for item in pool)
    words = (bm25.contributions(rarity, bag, average_length) for bag in bags)
    return [Candidate(item, shares, dot / scale) for item, shares, dot in zip(pool, words, dots, strict=True)]


def _ranked(candidates: Sequence[Candidate]) -> list[tuple[float, Candidate]]:
    """Returns the candidates with their fused scores, best first."""
    fused = bm25.fuse(
        {each.item.path: sum(each.words.values()) for each in candidates},
        {each.item.path: each.cosine for each in candidates},
    )
    return sorted(
        ((fused[each.item.path], each) for each in candidates), key=lambda pair: (-pair[0], pair[1].item.path)
    )


def _adjusted(view: View, ranked: Sequence[tuple[float, Candidate]], *, now: int, limit: int) -> list[Hit]:
    """Returns the best candidates with their scores adjusted, slightly, by age and by links among them."""
    best = [(fused, each, view.entry(each.item)) for fused, each in _contenders(ranked, limit)]
    linked = _linked([entry for _, _, entry in best])
    hits = [_hit(each, entry, fused, linked.get(fold(entry.name), 0), now) for fused, each, entry in best]
    hits.sort(key=lambda hit: (-hit.score, hit.entry.name, hit.entry.path))
    return hits


def _contenders(ranked: Sequence[tuple[float, Candidate]], limit: int) -> Sequence[tuple[float, Candidate]]:
    """Returns the candidates that age and links could still lift among the first `limit`."""
    if len(ranked) <= limit:
        return ranked
    least = ranked[limit - 1][0] / (1 + FRESH + MOST_LINKS * LINKED)
    return [pair for pair in ranked if pair[0] >= least]


def _linked(entries: Sequence[Entry]) -> dict[str, int]:
    """Returns how many of these notes link to each name."""
    counts: dict[str, int] = {}
    for entry in entries:
        for key in targets(entry.note, None):
            counts[key] = counts.get(key, 0) + 1
    return counts


def _hit(candidate: Candidate, entry: Entry, fused: float, linked: int, now: int) -> Hit:
    age = now // DAY - seconds(entry.note.created) // DAY if entry.note.created else None
    fresh = FRESH * 0.5 ** (max(0, age) / FRESH_DAYS) if age is not None else 0.0
    links = LINKED * min(MOST_LINKS, linked)
    return Hit(entry, round(fused * (1 + fresh + links), 6), candidate, fused, fresh, links)


def explain(hit: Hit) -> dict[str, float]:
    """Returns what made a hit's score: BM25 in all and by term, the cosine, both fused, and the shares added."""
    if hit.candidate is None:
        return {}
    words = hit.candidate.words
    shares = {"words": sum(words.values()), "cosine": hit.candidate.cosine, "fused": hit.fused}
    shares |= {"age": hit.fresh, "links": hit.linked}
    shares |= {f"term {term}": share for term, share in words.items()}
    return {name: round(share, 4) for name, share in shares.items()}


def telling(maker: Maker, query: str, terms: Sequence[str]) -> dict[str, float]:
    """Returns how telling each term of a question is: as the most telling word that it is cut from."""
    weights = dict.fromkeys(terms, 0.0)
    for word in dict.fromkeys(query.split()):
        cut = [term for term in maker.tokenizer.terms(word) if term in weights]
        if cut:
            weight = 1.0 if isinstance(maker.model, NoModel) else maker.model.weight(word)
            weights |= {term: max(weight, weights[term]) for term in cut}
    return weights


def judge(best: Sequence[Candidate], weights: dict[str, float], notes: int) -> str:
    """Returns the verdict on the best candidates of a store of so many notes: strong, weak or none.

    Decided on the note for which most speaks: the share of the question's telling words that it holds, and its cosine.
    """
    evidence = max((_evidence(each, weights) for each in best), default=0.0)
    tenfolds = log10(max(FEWEST, notes))
    if evidence >= STRONG[0] + STRONG[1] * tenfolds:
        return "weak" if weights and STOP_WORDS.issuperset(weights) else "strong"  # stop words alone tell nothing
    return "weak" if evidence >= WEAK[0] + WEAK[1] * tenfolds else "none"


def _evidence(candidate: Candidate, weights: dict[str, float]) -> float:
    total = sum(weights.values())
    coverage = sum(weights[term] for term in candidate.words) / total if total else 0.0
    return coverage + (candidate.cosine or WORDLESS * coverage)

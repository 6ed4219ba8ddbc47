"""Caveats: what a recall says beside its hits: who contests them, who seems to, and which subjects were buried."""

import re
from collections.abc import Collection, Mapping, Sequence

from gitmem.errors import Problem
from gitmem.knowledge.trust import Standing
from gitmem.notes.name import fold
from gitmem.notes.note import Entry
from gitmem.search import rank
from gitmem.search.document import Maker
from gitmem.search.index import Stored
from gitmem.search.query import TOMBSTONES, Wanted
from gitmem.search.tokens import STOP_WORDS
from gitmem.search.view import View
from gitmem.values import Any, NamedTuple

Reply = dict[str, Any]  # Any: the JSON of design section 14

# Share of the telling words of a buried subject, or of the question, from which they are about one thing: of a subject
# of two words both, or of three two; a word that the two share by chance is less.
SAME = 0.6
SHOWN = 3


class _Word(NamedTuple):
    """A word: its terms with the parts of an identifier, those of its small letters, and how telling it is."""

    text: str
    parts: list[str]
    whole: list[str]
    weight: float


class _Said(NamedTuple):
    """What a question or a subject says: its words, and all their terms."""

    text: str
    words: Sequence[_Word]
    terms: frozenset[str]


def contested(
    entries: Sequence[Entry],
    standings: Mapping[str, Standing],
    links: Mapping[str, Sequence[Reply]],
    verbs: Collection[str],
) -> list[Reply]:
    """Returns a warning for each of these notes that is contested, which names the other sides; all by path.

    `links` are those one hop away, `verbs` those of contradiction.
    """
    found = [entry for entry in entries if "contested" in standings[entry.path].marks]
    return [_contested(entry, _rivals(entry, links[entry.path], verbs)) for entry in found]


def _rivals(entry: Entry, links: Sequence[Reply], verbs: Collection[str]) -> list[str]:
    said = [link["name"] for link in links if link["verb"] in verbs and link["title"] is not None]
    return list(dict.fromkeys(name for name in said if fold(name) != fold(entry.name)))


def _contested(entry: Entry, rivals: Sequence[str]) -> Reply:
    message = f"{entry.name} is contested by {', '.join(rivals)}: weigh both before you rely on one."
    return {"code": "contested", "name": entry.name, "message": message}


def suspected(entries: Sequence[Entry]) -> list[Reply]:
    """Returns a warning for each two of these notes that seem to disagree, and that nobody has judged; once a pair."""
    named = {fold(name): entry for entry in entries for name in (entry.name, *entry.note.aliases)}
    found: dict[frozenset[str], Reply] = {}
    for entry in entries:
        for other in (named.get(fold(name)) for name in entry.note.suspects):
            if other is not None and other.path != entry.path:
                found.setdefault(frozenset((entry.path, other.path)), _suspected(entry, other))
    return list(found.values())


def _suspected(newer: Entry, older: Entry) -> Reply:
    message = f"{newer.name} seems to disagree with {older.name}, and nobody has judged it: weigh both."
    return {"code": "suspect", "name": newer.name, "message": message}


def broken(entries: Sequence[Entry]) -> list[Reply]:
    """Returns a warning for each of these notes whose file has an error: what is shown of it may not be what it says."""
    found = ((entry, next((each for each in entry.problems if each.severity == "error"), None)) for entry in entries)
    return [_broken(entry, problem) for entry, problem in found if problem]


def _broken(entry: Entry, problem: Problem) -> Reply:
    place = f"line {problem.line}: " if problem.line else ""
    message = f"{entry.name} cannot be relied on until its file is mended: {place}{problem.message}"
    return {"code": "broken", "name": entry.name, "message": message}


def tombstoned(view: View, maker: Maker, query: str, terms: Collection[str], types: Collection[str]) -> list[Reply]:
    """Returns a warning for each tombstone whose subject a question is about, the likeliest first, at most three.

    `terms` are those of the question, `types` those of tombstones. What was buried is named, never what it said.
    """
    telling = [term for term in terms if term not in STOP_WORDS]
    items = _stones(view, maker, telling, _among(types)) if telling and types else []
    if not items:
        return []
    asked = _said(query, [word._replace(weight=_telling(maker, word)) for word in _words(maker, query)])
    stones = map(view.entry, items)
    best = [(share, subject, stone) for stone in stones for share, subject in _closest(view, maker, asked, stone)]
    best.sort(key=lambda each: (-each[0], each[2].name, each[2].path))
    return [_tombstoned(stone, subject) for _, subject, stone in best[:SHOWN]]


def _stones(view: View, maker: Maker, terms: Sequence[str], wanted: Wanted) -> Sequence[Stored]:
    """Returns the tombstones that hold one of the terms, from those that are known where somebody asked for all."""
    known = view.learnt.stones.get(wanted)
    if known is None:
        found = view.matching(terms, wanted, TOMBSTONES)
        return rank.unsuperseded(view, found, maker.roles.supersession, wanted)
    return list({stone.path: stone for term in terms for stone in known.get(term, ())}.values())


def know_stones(view: View, maker: Maker, types: Collection[str]) -> None:
    """Takes in all tombstones ahead of the questions; they are few."""
    wanted = _among(types)
    by_term: dict[str, list[Stored]] = {}
    for stone in rank.unsuperseded(view, view.passing(wanted, TOMBSTONES), maker.roles.supersession, wanted):
        for term in view.learnt.decoded.unpack(stone).counts:
            by_term.setdefault(term, []).append(stone)
    view.learnt.stones[wanted] = by_term


def _among(types: Collection[str]) -> Wanted:
    return Wanted(types=tuple(sorted(types)))


def _closest(view: View, maker: Maker, asked: _Said, stone: Entry) -> list[tuple[float, str]]:
    """Returns the subject of a tombstone that a question is about most, with how far it is; none where it is of another."""
    subjects = view.learnt.subjects.get(stone.path)
    if subjects is None:
        named = stone.note.buried or (stone.note.title,)
        subjects = [_said(subject, _words(maker, _plain(subject))) for subject in named]
        view.learnt.subjects[stone.path] = subjects
    best = max(((_share(subject, asked), subject.text) for subject in subjects), key=lambda pair: pair[0])
    return [best] if best[0] >= SAME else []


def _said(text: str, words: Sequence[_Word]) -> _Said:
    return _Said(text, words, frozenset(term for word in words for term in (*word.parts, *word.whole)))


def _plain(name: str) -> str:
    """Returns the words of a name, without the digits that make it unlike others."""
    return re.sub("-[0-9a-f]{6}$", "", name).replace("-", " ")


def _words(maker: Maker, text: str) -> list[_Word]:
    """Returns the words of a text but the stop words, each as telling as the others: a name has few that tell nothing."""
    terms = maker.tokenizer.terms
    words = [_Word(word, terms(word), terms(word.casefold()), 1.0) for word in dict.fromkeys(text.split())]
    return [word for word in words if not STOP_WORDS.issuperset(word.parts)]


def _telling(maker: Maker, word: _Word) -> float:
    return max(rank.telling(maker, word.text, word.parts).values(), default=0.0)


def _share(one: _Said, other: _Said) -> float:
    """Returns how far two texts are about one thing: the larger share of either's words that the other has."""
    if one.terms.isdisjoint(other.terms):
        return 0.0
    return max(_covered(one.words, other.terms), _covered(other.words, one.terms))


def _covered(words: Sequence[_Word], known: frozenset[str]) -> float:
    total = sum(word.weight for word in words)
    found = sum(word.weight for word in words if known.issuperset(word.whole) or _meets(word.parts, known))
    return found / total if total else 0.0


def _meets(parts: Sequence[str], known: Collection[str]) -> bool:
    """Returns whether most parts of an identifier are known: `parseHttpResponse` has four, one of them all in one."""
    return 2 * sum(part in known for part in parts) > len(parts)


def _tombstoned(stone: Entry, subject: str) -> Reply:
    message = f"{subject} was removed on purpose: gitmem show {stone.name} says why."
    return {"code": "tombstoned", "name": stone.name, "message": message}

"""Clauses: what a note says, cut where one claim ends, each with its words, its negations and how far it goes."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice

from gitmem.knowledge import lexicon, rivals, tense
from gitmem.knowledge.quantities import Quantity, quantities
from gitmem.knowledge.sense import Sense
from gitmem.notes.note import Note
from gitmem.values import NamedTuple

# What of a body is compared, in characters, and clauses of a note: what stands further down is detail.
READ = 500
MOST = 10
# A name tells at least this much, however common a word it is: Sunday, Go.
NAMED = 0.8
_SHORTEST = 8  # characters of a part that a conjunction may begin or end
_NO = frozenset(("no", "without", "zero"))
_AUXILIARY = frozenset(("always", "never", "please", "do", "not", "don't", "just", "then", "and", "so", "but", "only"))


class Word(NamedTuple):
    """A telling word: stem, form in the text, weight, whether it names something, its place, and the word before it."""

    stem: str
    form: str
    weight: float
    name: bool
    place: int
    before: str


class Clause(NamedTuple):
    """One claim: level 0 is the title, 1 the summary, 2 the body.

    negations counts what turns the claim round, denied are the stems that it falls on; duty is permit, forbid, require,
    waive or empty; reach holds the kinds of lexicon.REACH; past says that it is so no more, told that it was so; condition
    that it says when, order that it tells somebody what to do; denies that it denies in whatever way; over counts words
    of what has changed; marks are its words that gitmem.knowledge.rivals knows.
    """

    text: str
    level: int
    words: tuple[Word, ...]
    stems: Mapping[str, float]
    weight: float
    negations: int
    denied: frozenset[str]
    duty: str
    reach: frozenset[str]
    quantities: tuple[Quantity, ...]
    past: bool
    told: bool
    condition: bool
    order: bool
    denies: bool
    over: int
    marks: frozenset[str]

    @property
    def is_head(self) -> bool:
        """Whether the clause is of the title or the summary."""
        return self.level < 2


class Kindred(NamedTuple):
    """The stems of a note by what else may answer them: by idea, by their first five letters, and those of five and more."""

    by_idea: Mapping[int, Sequence[str]]
    by_start: Mapping[str, Sequence[str]]
    whole: Sequence[str]


class Said(NamedTuple):
    """A note as it is compared: its clauses, the weight of every stem in them, the stems that name something, a word in
    small letters for every stem, and the stems by what may answer them."""

    type: str
    clauses: tuple[Clause, ...]
    weights: Mapping[str, float]
    names: Mapping[str, str]
    forms: Mapping[str, str]
    kindred: Kindred

    def title(self) -> list[Word]:
        """Returns the telling words of the title."""
        return [word for clause in self.clauses if clause.level == 0 for word in clause.words]


def said(note: Note, sense: Sense) -> Said:
    """Returns what a note says, clause by clause; a sensitive note says its title alone."""
    parts = ((note.title, 0), (note.summary or "", 1), ("" if note.sensitive else note.body[:READ], 2))
    clauses = list(islice((clause for text, level in parts for clause in _clauses(text, level, sense)), MOST))
    forms = {word.form for clause in clauses for word in clause.words if word.name} | set(_leading(clauses))
    clauses = [_named(clause, forms) for clause in clauses]
    weights: dict[str, float] = {}
    for clause in clauses:
        for stem, weight in clause.stems.items():
            weights[stem] = max(weight, weights.get(stem, 0.0))
    names = {word.stem: word.form for clause in clauses for word in clause.words if word.name}
    forms_of = {word.stem: word.form.lower() for clause in reversed(clauses) for word in clause.words}
    return Said(note.type, tuple(clauses), weights, names, forms_of, _kindred(weights, sense))


def _kindred(stems: Mapping[str, float], sense: Sense) -> Kindred:
    by_idea: dict[int, list[str]] = {}
    by_start: dict[str, list[str]] = {}
    for stem in stems:
        by_start.setdefault(stem[:5], []).append(stem)
        for idea, _ in sense.ideas(stem):
            by_idea.setdefault(idea, []).append(stem)
    return Kindred(by_idea, by_start, [stem for stem in stems if len(stem) >= 5])


def _leading(clauses: Sequence[Clause]) -> Iterator[str]:
    """Yields words that begin more than one claim with a capital and stand nowhere without: `Prometheus scrapes …`."""
    words = [word for clause in clauses for word in clause.words]
    small = {word.form for word in words if word.form.islower()}
    first = Counter(word.form for word in words if word.place == 0 and word.form[:1].isupper())
    for form, count in first.items():
        low = form.lower()
        plain = low in small or low in lexicon.ORDERS or low in lexicon.JARGON or low.endswith(lexicon.ENDINGS[:3])
        if count > 1 and not plain:
            yield form


def _named(clause: Clause, forms: set[str]) -> Clause:
    """Returns a clause in which a word that names something anywhere in the note does so here."""
    if all(word.name or word.form not in forms for word in clause.words):
        return clause
    words = [
        word._replace(name=True, weight=max(word.weight, NAMED)) if word.form in forms else word
        for word in clause.words
    ]
    stems = {word.stem: word.weight for word in words}
    return clause._replace(words=tuple(words), stems=stems, weight=sum(word.weight for word in words))


@cache
def _token() -> re.Pattern[str]:
    return re.compile(
        r"`[^`]+`|--?[A-Za-z][\w-]*|[A-Za-z_]\w*(?:(?:::|\.|/|-|')\w+)*(?:\(\))?|@\w+|\d+(?:\.\d+)*[A-Za-z]*"
    )


@cache
def _phrases() -> dict[str, list[tuple[list[str], list[str]]]]:
    """Returns, by the first word, the words of each phrase and what it is read as, the longest first."""
    found: dict[str, list[tuple[list[str], list[str]]]] = {}
    for phrase in sorted(lexicon.PHRASES, key=len, reverse=True):
        parts = phrase.split()
        found.setdefault(parts[0], []).append((parts, lexicon.PHRASES[phrase].split()))
    return found


def _read_as_one(tokens: list[str]) -> list[str]:
    """Returns tokens with each phrase as the word that it is read as."""
    known, merged, at = _phrases(), [], 0
    lowered = [token.lower() for token in tokens]
    if known.keys().isdisjoint(lowered):
        return tokens
    while at < len(tokens):
        phrases = known.get(lowered[at], ())
        found = next((pair for pair in phrases if lowered[at : at + len(pair[0])] == pair[0]), None)
        merged += found[1] if found else [tokens[at]]
        at += len(found[0]) if found else 1
    return merged


@cache
def _limits() -> re.Pattern[str]:
    """Returns what finds a negation that only says where a number ends: `must not exceed 5`, `no pod may use more than 2`."""
    words = "one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|fifty|hundred|half"
    number = rf"(?=\s+(?:[\w-]+\s+){{0,2}}?(?:\d|(?:{words})\b))"
    than = "more|larger|longer|greater|higher|bigger|fewer|less|smaller|shorter|lower|older|later"
    more = rf"(?:exceed(?:s|ing)?|(?:{than}) than|above|over|beyond|below|under|past)"
    denied = (
        "must not|may not|can ?not|can't|should not|shall not|does not|do not|don't|doesn't|never|not|no|none|nothing"
    )
    return re.compile(rf"\b(?:{denied})\b(?:\s+[\w-]+){{0,4}}?\s+{more}{number}", re.IGNORECASE)


@cache
def _ends() -> re.Pattern[str]:
    """Returns where a claim ends: at a sentence's end, a bracket, a dash, a comma before what can stand alone."""
    alone = "and|but|so|yet|not|while|which|where|who|because|since|as|if|unless|until|then|hence|though|although"
    more = "whereas|instead|never|without|with|otherwise"
    return re.compile(rf"(?<=[.!?;:])\s+|[\n()—–]+|\s-\s|,\s+(?=(?:{alone}|{more})\b)", re.IGNORECASE)


@cache
def _joints() -> re.Pattern[str]:
    words = "but|because|since|so|while|whereas|although|though|unless|if|when|whenever|until|till|hence|unlike"
    return re.compile(rf"\s(?=(?:{words}|instead of|rather than|in place of|as opposed to)\b)")


def _clauses(text: str, level: int, sense: Sense) -> Iterator[Clause]:
    for part in _ends().split(text) if text else ():
        for piece in _pieces(part.strip()) if part and part.strip() else ():
            clause = _clause(piece, level, sense)
            if clause.words or clause.quantities:
                yield clause


def _pieces(text: str) -> Iterator[str]:
    """Yields a sentence in the parts that conjunctions begin, where both can stand alone."""
    start = 0
    for match in _joints().finditer(text):
        if match.start() - start >= _SHORTEST and len(text) - match.end() >= _SHORTEST:
            yield text[start : match.start()]
            start = match.end()
    yield text[start:]


def _clause(text: str, level: int, sense: Sense) -> Clause:
    found = tuple(quantities(text))
    plain = tense.without_contrast(text.replace("’", "'"))
    raw = _token().findall(_limits().sub(" bounded ", plain) if found else plain)
    tokens = _read_as_one(raw)
    lowered = [token.lower() for token in tokens]
    units = frozenset(word for each in found for word in re.findall(r"[^\W\d]+", each.shown.lower()))
    words = tuple(_words(tokens, lowered, units, sense))
    negated = any(map(is_negator, lowered))
    forbidden = not lexicon.FORBID.isdisjoint(lowered)
    negations = sum(is_negator(word) or word in lexicon.FORBID for word in lowered) if negated or forbidden else 0
    return Clause(
        text=text,
        level=level,
        words=words,
        stems={word.stem: word.weight for word in words},
        weight=sum(word.weight for word in words),
        negations=negations,
        denied=frozenset(_denied(lowered, words)),
        duty=_duty(lowered, negated=negated),
        reach=frozenset(kind for kind, table in lexicon.REACH.items() if not table.isdisjoint(lowered)),
        quantities=found,
        past=tense.is_past(text, raw),
        told=tense.is_told(lowered),
        condition=bool(lowered) and lowered[0] in lexicon.CONDITIONS,
        order=_is_order(lowered),
        denies=negations > 0 or any(sense.is_negative(word.stem) for word in words),
        over=sum(word in lexicon.OVER for word in lowered),
        marks=_marks().intersection(word.strip("`") for word in lowered),
    )


@cache
def _marks() -> frozenset[str]:
    return frozenset((*rivals.jobs(), *rivals.sorts()))


@cache
def _empty() -> frozenset[str]:
    """Returns the words that tell of no subject."""
    kinds = (lexicon.REACH[kind] for kind in ("all", "only", "except", "also"))
    duties = lexicon.FORBID | lexicon.PERMIT | (lexicon.REQUIRE - {"enforce", "enforced"})
    some = frozenset(("instead", "some", "several", "most", "bounded"))
    return (lexicon.COMMON | lexicon.NEGATORS | lexicon.SURELY_PAST | duties | some).union(*kinds)


def _words(tokens: Sequence[str], lowered: Sequence[str], units: frozenset[str], sense: Sense) -> Iterator[Word]:
    empty = _empty()
    for place, (token, low) in enumerate(zip(tokens, lowered, strict=True)):
        if low in empty or low.endswith("n't") or token[0].isdigit() or low in units:
            continue
        before = lowered[place - 1] if place else ""
        bare = token.strip("`")
        named = token[0] == "`" or _is_name(bare, place) or before in lexicon.COMMANDS or sense.is_coined(bare)
        form = bare.removesuffix("'s").removesuffix("()")
        weight = sense.weight(form.lower())
        yield Word(sense.stem(form.lower()), form, max(weight, NAMED) if named else weight, named, place, before)


def _is_name(token: str, place: int) -> bool:
    """Returns whether a token names something: code, or a word with a capital that no sentence gives it."""
    if token.isalpha() and token.islower():
        return False
    if any(sign in token for sign in ("_", "::", "(", "/", ".", "--")) or token[:1] in "-@":
        return True
    if token in lexicon.ACRONYMS:
        return False
    if token.count("-") > 1 and lexicon.COMMON.isdisjoint(token.lower().split("-")):
        return True  # infra-state-lock, and not end-to-end
    if any(letter.isupper() for letter in token[1:]) or any(letter.isdigit() for letter in token):
        return True
    return place > 0 and token[:1].isupper()


def is_negator(word: str) -> bool:
    """Returns whether a word in small letters turns a claim round."""
    return word in lexicon.NEGATORS or word.endswith("n't")


def _denied(lowered: Sequence[str], words: Sequence[Word]) -> Iterator[str]:
    """Yields the stems that negations fall on: the telling word after each, the first and the last before `is forbidden`."""
    for at, word in enumerate(lowered):
        if is_negator(word) or word in lexicon.DENIERS:
            after = [each for each in words if each.place > at]
            further = 3 if word in _NO else 2 if after and after[0].weight < 0.5 else 1
            yield from (each.stem for each in after[:further])
        elif word in lexicon.FORBID and words:
            before = [each for each in words if each.place < at]
            yield from {words[0].stem, *(each.stem for each in before[-1:])}


def _duty(words: Sequence[str], *, negated: bool) -> str:
    """Returns whether a clause permits, forbids, requires or waives; empty where it does none of them."""
    held = frozenset(words)
    ban = next((at for at, word in enumerate(words) if word in lexicon.FORBID), None)
    if ban is not None:
        return "permit" if any(map(is_negator, words[max(0, ban - 3) : ban])) else "forbid"
    if held & lexicon.REFUSED and held & lexicon.BEING:
        return "permit" if negated else "forbid"
    able = next((at for at, word in enumerate(words) if word in lexicon.PERMIT or word in lexicon.ABLE), None)
    if able is not None:
        near = words[max(0, able - 3) : able + 2]
        none = words[0] in ("no", "none", "nothing", "nobody", "never") or words[able + 1 : able + 2] in (
            ["no"],
            ["nothing"],
        )
        return "forbid" if none or any(word in ("not", "never") or word.endswith("n't") for word in near) else "permit"
    if words[:1] == ["no"] or held & {"cannot", "can't"}:
        return "forbid"
    if negated and (words[0] in ("never", "do", "don't") or held & lexicon.WANTING):
        return "forbid"
    if held & lexicon.WAIVE:
        return "waive"
    return "require" if held & lexicon.WANTED else ""


def _is_order(words: Sequence[str]) -> bool:
    """Returns whether a clause tells somebody to do, or not to do, something."""
    rest = [word for word in words[:3] if word not in _AUXILIARY]
    if not rest or rest[0] not in lexicon.ORDERS:
        return False
    return rest[0] in lexicon.SURELY_ORDERS or (len(rest) > 1 and rest[1] in lexicon.AFTER_ORDERS)

"""Quantities: the numbers in a text, in base units, with whether they bound from above or below."""

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from gitmem.knowledge.numerals import is_odd, odd
from gitmem.knowledge.numerals import value as value_of
from gitmem.knowledge.units import BOUNDS_LEAST, BOUNDS_MOST, EVERY, UNITS, WORDS
from gitmem.values import NamedTuple

# Two quantities within this share of each other are the same: 2.8 ms of 2,816 us, half a gigabyte of 512 MB.
CLOSE = 0.015
# A month has no fixed number of days, nor a year: what differs by less than this is the same number of them.
CALENDAR = 0.04
_MONTH = 28 * 86_400


class Quantity(NamedTuple):
    """A number of a dimension: its values in base units (a GB may be two), its bound, and the words that show it.

    dimension is a unit's (`time`, `bytes`, `percent` …) or `count`; bound is "most", "least" or "exact"; start and end
    are places in the text.
    """

    values: tuple[float, ...]
    dimension: str
    bound: str
    start: int
    end: int
    shown: str


def same(one: Quantity, other: Quantity) -> bool:
    """Returns whether two quantities of one dimension are the same number of the same thing."""
    if one.dimension == "version":
        return all(a == b for a, b in zip(_numbers(one), _numbers(other), strict=False))
    return any(_near(a, b, one.dimension) for a in one.values for b in other.values)


def _numbers(version: Quantity) -> list[str]:
    """Returns the numbers of a version; `3.10` is the beginning of `3.10.4`, so that either is meant."""
    return re.findall(r"\d+", version.shown)


def compatible(one: Quantity, other: Quantity) -> bool:
    """Returns whether two quantities can both be so: the same, or an exact one inside the bound of the other."""
    if same(one, other):
        return True
    a, b = one.values[0], other.values[0]
    if one.dimension == "percent" and abs(a + b - 100) < 1e-9:
        return True
    if one.bound == other.bound == "exact":
        return False
    if one.bound == "exact":
        return a <= b if other.bound == "most" else a >= b
    if other.bound == "exact":
        return b <= a if one.bound == "most" else b >= a
    return False


def _near(a: float, b: float, dimension: str) -> bool:
    share = (
        CALENDAR
        if dimension == "time" and min(a, b) >= _MONTH or dimension.endswith("a second")
        else CLOSE
        if dimension != "count"
        else 1e-9
    )
    whole = max(abs(a), abs(b))
    if dimension == "percent" and 50 < whole < 100:
        whole = 100 - whole  # 99.5 % is not 99.2 %
    return abs(a - b) <= share * whole


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    """Returns what finds a number and the word behind it; compiled when first asked for."""
    words = "|".join(sorted(WORDS, key=len, reverse=True))
    digits = r"(?:\d{1,3}(?:[, _']\d{3})+|\d+)(?:\.\d+)?"
    scale = r"(?:\s?(?:thousand|million|billion|hundred|dozen)\b|(?-i:[kKM])(?![A-Za-z])|\s(?-i:M)(?=\s[a-z]))?"
    number = (
        rf"(?P<number>(?<![\w.\-@#/:])(?:v(?=\d))?{digits}{scale}|(?<![\w\-])(?:{words})(?:[- ](?:{words}))*(?![\w\-]))"
    )
    unit = r"(?:[\s\-]?(?P<unit>%|per cent\b|°C|°F|µs|μs|€|[A-Za-z]+(?:/[a-z]+)?))?"
    return re.compile(number + unit, re.IGNORECASE)


# Number words that are mostly no number where no unit follows.
_KEY = 48  # characters before a number in which its key may stand
_PLAIN = (
    "a", "an", "one", "once", "once a", "once an", "twice", "half", "half a", "half an", "a half", "zero", "each", "every",
)  # fmt: skip


def quantities(text: str) -> list[Quantity]:
    """Returns the quantities of a text in order; versions, dates, names and what is no number are left out."""
    words = set(text.lower().replace("-", " ").replace(".", " ").replace(",", " ").split())
    counted = any(map(str.isdigit, text)) or not WORDS.keys().isdisjoint(words) or is_odd(words)
    found = [*_special(text, words), *_joined(text, _single(text))] if counted else []
    found += [] if _BARE.isdisjoint(words) else _bare(text)
    found.sort(key=_place)
    kept: list[Quantity] = []
    for each in found:
        if not kept or each.start >= kept[-1].end:
            kept.append(_inverted(text, each))
    return kept


def _place(quantity: Quantity) -> tuple[int, int]:
    return quantity.start, -quantity.end


def _special(text: str, words: Collection[str]) -> Iterator[Quantity]:
    for value, dimension, start, end in odd(text, words):
        yield Quantity((value,), dimension, _bound(text, start, end), start, end, text[start:end])


def _bare(text: str) -> Iterator[Quantity]:
    """Yields the units that something is said to be in, without a number: timestamps are in seconds."""
    for match in _bare_pattern().finditer(text):
        known = _unit(match[1])
        if known:
            values, dimension = known[1], f"unit of {known[0]}"
            yield Quantity(values, dimension, "exact", match.start(1), match.end(1), match[1])


@lru_cache(maxsize=1)
def _bare_pattern() -> re.Pattern[str]:
    units = "|".join(sorted((name for name in UNITS if name.lower() in _BARE), key=len, reverse=True))
    return re.compile(rf"\b(?:in|as|into|to|are|of)\s+(?:whole\s|integer\s)?({units})\b")


_SHORT = ("ms", "us", "ns", "kb", "mb", "gb", "kib", "mib", "gib", "px", "hz", "khz", "mhz")
_BARE = frozenset(name for name in UNITS if len(name) > 3 and name.endswith("s")).union(_SHORT)


def _single(text: str) -> Iterator[Quantity]:
    for match in _pattern().finditer(text):
        quantity = _quantity(text, match)
        if quantity:
            yield quantity


def _quantity(text: str, match: re.Match[str]) -> Quantity | None:
    word, unit = match["number"].lower(), match["unit"] or ""
    if text[match.end("number") : match.end("number") + 1] in (".", "-", "_", ":", "/") and _goes_on(
        text, match.end("number")
    ):
        return None
    value = value_of(word)
    if value is None:
        return None
    known = _unit(unit) if match.end("number") != match.start("unit") else _attached(unit)
    if known and known[0] == "time" and re.match(r"(?:once|twice|thrice) an?$", word):
        value = 1 / value  # so many times in it
    written = known is not None
    if known is None and word[0].isdigit():
        known = _unit_of_key(text[max(0, match.start() - _KEY) : match.start()])
    after = text[match.end("number") :]
    half = re.match(r"\s+(?:and a half|and one half)\b", after)
    if known is None and word in _PLAIN and not (word == "one" and _bounded(text, match.start())):
        return None
    if known is None and not word[0].isalpha() and (_names(text, match) or "." in word):
        return Quantity((value,), "version", "exact", match.start(), match.end("number"), word)
    dimension, factors = known or ("count", (1.0,))
    end = match.end("unit") if written else match.end("number")
    tail = re.match(r"\s+and a half\b", text[end:]) if written else half
    value += 0.5 if tail else 0
    bound = _bound(text, match.start(), end)
    values = tuple(value * factor for factor in factors)
    return Quantity(
        values, dimension, bound, match.start(), end + (tail.end() if tail else 0), text[match.start() : end].strip()
    )


@lru_cache(maxsize=1)
def _keys() -> re.Pattern[str]:
    """Returns what finds a key that ends in a unit, and at most two words between it and what follows."""
    units = (
        "ms|us|ns|seconds|second|secs|sec|s|minutes|mins|min|hours|hour|days|bytes|kb|mb|gb|kib|mib|gib|percent|pct|hz"
    )
    camel = "Ms|Millis|Seconds|Secs|Sec|Minutes|Mins|Hours|Days|Bytes|KB|MB|GB|Percent|Hz"
    key = rf"(?:[A-Za-z][\w.\-]*[_.\-](?P<snake>{units})|[A-Za-z]\w*(?P<camel>{camel})|(?P<age>max-age))"
    return re.compile(rf"(?<![\w.\-]){key}`?[\"']?\s*(?:[:=]|\s)\s*(?:(?!and\b|or\b)[a-z`]+\s+){{0,3}}[\"']?$")


def _unit_of_key(before: str) -> tuple[str, tuple[float, ...]] | None:
    """Returns the unit that the key of a number has in its name: `timeout_ms: 3000`, `log.retention.hours is 168`."""
    match = _keys().search(before)
    if match is None:
        return None
    return _unit("s" if match["age"] else (match["snake"] or match["camel"] or "").lower().replace("millis", "ms"))


def _names(text: str, match: re.Match[str]) -> bool:
    """Returns whether a number is part of a name: `version 4`, `iOS 16`, `release 5`."""
    before = text[max(0, match.start() - 24) : match.start()]
    word = re.search(r"([\w+#.]+) $", before)
    if word is None:
        return False
    named = word[1].lower() in ("version", "versions", "release", "releases", "v", "edition")
    starts = match.start() - len(word[0]) == 0 or text[: match.start() - len(word[0])].rstrip()[-1:] in (
        ".",
        "!",
        "?",
        ":",
        "",
    )
    return named or (any(letter.isupper() for letter in word[1]) and not starts and not word[1].isupper())


def _goes_on(text: str, at: int) -> bool:
    """Returns whether a number is the beginning of something longer: a version, a date, an address, a clock."""
    return at + 1 < len(text) and text[at + 1].isdigit()


def _unit(word: str) -> tuple[str, tuple[float, ...]] | None:
    """Returns the dimension of a unit and its factors to the base one; letters' case tells Mb from MB."""
    exact = UNITS.get(word)
    return exact or (
        UNITS.get(word.lower())
        if len(word) > 2 or word.lower() in ("s", "h", "kb", "mb", "gb", "tb", "ms", "hz")
        else None
    )


def _attached(word: str) -> tuple[str, tuple[float, ...]] | None:
    """Returns the same of a unit right behind its number, where `m` and `w` are of time: 30m, 2w."""
    return ("time", (_ATTACHED[word],)) if word in _ATTACHED else _unit(word)


_ATTACHED = {"m": 60.0, "w": 604_800.0}


def _bounded(text: str, start: int) -> bool:
    return _bound(text, start, start) != "exact"


def _bound(text: str, start: int, end: int) -> str:
    before, after = text[max(0, start - 28) : start].lower(), text[end : end + 16].lower()
    if before.rstrip().endswith(BOUNDS_MOST) or re.match(r"\s*(?:or (?:less|fewer|below|under)|at most|max)", after):
        return "most"
    if before.rstrip().endswith(BOUNDS_LEAST) or re.match(r"\s*(?:\+|or (?:more|above|later|higher)|at least)", after):
        return "least"
    return "exact"


def _joined(text: str, found: Iterator[Quantity]) -> Iterator[Quantity]:
    """Yields quantities with those that follow each other directly as one: `1min 30s`, `1 h 30 min`."""
    last: Quantity | None = None
    for each in found:
        if last and _continues(text, last, each):
            values = tuple(a + b for a, b in zip(last.values, each.values, strict=False))
            last = last._replace(values=values, end=each.end, shown=text[last.start : each.end])
            continue
        if last:
            yield last
        last = each
    if last:
        yield last


def _continues(text: str, one: Quantity, other: Quantity) -> bool:
    between = text[one.end : other.start]
    return (
        one.dimension == other.dimension == "time" and between in ("", " ", " and ") and other.values[0] < one.values[0]
    )


def _inverted(text: str, quantity: Quantity) -> Quantity:
    """Returns how often as how long it takes: `four times a minute` and `50 Hz` are times, so that they meet `every 15 s`."""
    if quantity.dimension == "fahrenheit":
        return quantity._replace(dimension="temperature", values=tuple((value - 32) / 1.8 for value in quantity.values))
    if quantity.dimension == "frequency":
        return quantity._replace(dimension="time", values=tuple(1 / value for value in quantity.values if value))
    if quantity.dimension in _GROWING:
        match = re.match(
            r"(?:\s+of(?:\s+\w+){1,2}|\s+more)?\s+(?:a|an|per|each|every)\s+(\w+)",
            text[quantity.end : quantity.end + 30],
        )
        unit = EVERY.get(match[1].lower()) if match else None
        if unit:
            values = tuple(value / unit for value in quantity.values)
            return quantity._replace(dimension=f"{quantity.dimension} a second", values=values)
    if quantity.dimension == "count":
        match = re.match(
            r"\s*(?:[a-z]+\s+)?(?:a|an|per|each|every)\s+(\w+)|\s*(?:[a-z]+)?/(\w+)",
            text[quantity.end : quantity.end + 30],
        )
        unit = EVERY.get((match[1] or match[2]).lower()) if match else None
        if match and unit and quantity.values[0]:
            times = "times" in match[0] or quantity.shown.lower() in ("once", "once a", "once an", "twice", "thrice")
            if times:
                return quantity._replace(
                    dimension="time", values=(unit / quantity.values[0],), end=quantity.end + match.end()
                )
            return quantity._replace(
                dimension="rate", values=(quantity.values[0] / unit,), end=quantity.end + match.end()
            )
    return quantity


def is_other_unit(one: Quantity, other: Quantity) -> bool:
    """Returns whether two quantities are the same number of different units: 50 ms, 50 s."""
    if one.dimension.startswith("unit of"):
        return True
    numbers = [re.match(r"[\d.,]+", each.shown) for each in (one, other)]
    return bool(numbers[0] and numbers[1] and numbers[0][0] == numbers[1][0] and one.dimension != "count")


def shown(quantity: Quantity) -> str:
    """Returns a quantity as its text has it, on one line."""
    return " ".join(quantity.shown.split())


# What is also said of a time: 1.5 TB a year.
_GROWING = ("bytes", "money", "energy", "volume", "length", "mass")

"""Numerals: what number words say, and the quantities that are no number before a unit: a clock, a share, `weekly`."""

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from gitmem.knowledge.units import ADVERBS, EVERY, UNITS, WORDS

_PARTS = {"half": 2, "halves": 2, "third": 3, "quarter": 4, "fifth": 5, "tenth": 10}
_ORDINALS = {
    word: float(count)
    for count, word in enumerate(
        ["second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"],
        start=2,
    )
}
_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
_WEEK = 604_800.0
_SIGNS = frozenset(
    (
        *ADVERBS, *_ORDINALS, *_DAYS, *(f"{day}s" for day in _DAYS), *_PARTS, *(f"{part}s" for part in _PARTS), "noon",
        "midnight", "every", "each", "one", "two", "three",
    )
)  # fmt: skip


def is_odd(words: Collection[str]) -> bool:
    """Returns whether words in small letters may hold a quantity that has no digit and no number word."""
    return not _SIGNS.isdisjoint(words)


@lru_cache(maxsize=1)
def _in_digits() -> re.Pattern[str]:
    day = r"\d{1,2}(?:st|nd|rd|th)?"
    return re.compile(
        r"(?P<clock>(?<![\d:])(?:[01]?\d|2[0-3]):[0-5]\d(?![\d:])(?: ?[ap]\.?m\b)?|\b(?:1[0-2]|\d) ?[ap]\.?m\b)"
        r"|(?P<price>[$€£]\s?\d[\d,]*(?:\.\d+)?(?:\s?[kKM]\b)?)"
        r"|(?P<version>(?<![\w.\-@#/:])v?\d+\.\d+\.\d+(?![\w.]))|(?P<port>(?<=[a-z]):\d{4,5}\b(?![.:]))"
        rf"|(?P<date>\b{day}\s(?:of\s)?(?:{_MONTH})\b|\b(?:{_MONTH})\s{day}\b(?!:))"
        r"|(?P<ratio>\b(?:[\d,]+|one|two|three) (?:in|of|out of) (?:the |every |all |our |last )?[\d,]*\d\b(?! ?(?:%|per ?cent)))"
        r"|(?P<mixed>\b\d+\sand\s(?:a|one|three)\s(?:half|quarters?)\s(?:minute|hour|day|week|month|year)s?\b)",
        re.IGNORECASE,
    )


@lru_cache(maxsize=1)
def _in_words() -> re.Pattern[str]:
    adverbs, days, ordinals = "|".join(ADVERBS), "|".join(_DAYS), "|".join(_ORDINALS)
    count = r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)"
    span = r"(?:second|minute|hour|day|week|month|year)"
    parts = r"(?:half|thirds?|quarters?|fifths?|tenths?)"
    return re.compile(
        rf"(?P<clock>\bnoon\b|\bmidnight\b)|(?P<piece>\b(?:(?:an?|one|two|three)\s)?{parts}\s(?:of\s)?an?\s{span}\b)"
        rf"|(?P<and_part>\b{count}\s{span}s?\sand\s(?:an?|one|two|three)\s{parts}\b)"
        rf"|(?P<mixed>\b{count}\sand\s(?:a|one|three)\s{parts}\s{span}s?\b)"
        rf"|(?P<share>\b(?:a|one|two|three|four)\s{parts}(?=\s+of\b)|\bhalf(?=\s(?:of\s)?the\b|\sof\b))"
        r"|(?P<ratio>\b(?:one|two|three) (?:in|of|out of) (?:the |every |all |our |last )?(?:two|three|four|five|ten|twenty)\b)"
        rf"|(?P<every>\b(?:every|each)\s(?:(?:{ordinals}|other)\s)?(?:{days}|{span})\b|\b(?:on\s)?(?:{days})s\b)"
        rf"|(?P<nth>\b(?:{ordinals})\s(?:try|attempt|retry|failure|time|fail|request|error|copy|replica|reviewer)\b)"
        rf"|(?P<adverb>\b(?:{adverbs})\b(?=\s*(?:$|[.,;:)]|(?:and|but|at|in|on|by|to|for|with|from|until|since)\b)))",
        re.IGNORECASE,
    )


def odd(text: str, words: Collection[str]) -> Iterator[tuple[float, str, int, int]]:
    """Yields value, dimension, start and end of each quantity in a text, given with its words in small letters, that is no
    number before a unit."""
    patterns = (_in_digits() if any(map(str.isdigit, text)) else None, _in_words() if is_odd(words) else None)
    for match in (match for pattern in patterns if pattern for match in pattern.finditer(text)):
        held, dimension = _READ[match.lastgroup or ""](match[0].lower())
        if held is not None:
            yield held, dimension, match.start(), match.end()


def _clock(said: str) -> tuple[float | None, str]:
    if said in ("noon", "midnight"):
        return (720.0 if said == "noon" else 0.0), "clock"
    if ":" not in said:
        hour = int(re.findall(r"\d+", said)[0]) % 12
        return 60.0 * (hour + 12 * ("p" in said)), "clock"
    hours, minutes = said.split(":")
    later = 12 if "p" in minutes and int(hours) < 12 else 0
    return (int(hours) + later) * 60.0 + int(minutes[:2]), "clock"


def _price(said: str) -> tuple[float | None, str]:
    unit, held = UNITS[said[0]], value(said[1:].strip())
    return (None if held is None else held * unit[1][0]), unit[0]


def _version(said: str) -> tuple[float | None, str]:
    return 0.0, "version"


def _port(said: str) -> tuple[float | None, str]:
    return float(said[1:]), "count"


def _date(said: str) -> tuple[float | None, str]:
    month = next(at for at, name in enumerate(_MONTHS) if re.search(rf"\b{name}", said))
    return 31.0 * month + int(re.findall(r"\d+", said)[0]), "date"


def _share(said: str) -> tuple[float | None, str]:
    return 100 * _part(said.split()), "percent"


def _part(words: list[str]) -> float:
    """Returns what a part is of one: `three quarters`, `half`."""
    parts = [_PARTS[word.rstrip("s")] for word in words if word.rstrip("s") in _PARTS]
    count = WORDS.get(words[0], 1.0) if words[0] not in _PARTS else 1.0
    return count / parts[0]


def _piece(said: str) -> tuple[float | None, str]:
    words = said.split()
    return _part(words) * EVERY[words[-1]], "time"


def _and_part(said: str) -> tuple[float | None, str]:
    whole, _, part = said.partition(" and ")
    count, unit = whole.split()
    held = value(count)
    return (None if held is None else (held + _part(part.split())) * EVERY[unit.rstrip("s")]), "time"


def _mixed(said: str) -> tuple[float | None, str]:
    whole, _, part = said.partition(" and ")
    held = value(whole)
    return (None if held is None else (held + _part(part.split())) * EVERY[part.split()[-1].rstrip("s")]), "time"


def _ratio(said: str) -> tuple[float | None, str]:
    one, other = (value(each.split()[-1]) for each in re.split(r" in | out of | of ", said, maxsplit=1))
    return (100 * one / other if one is not None and other and one < other else None), "percent"


def _every(said: str) -> tuple[float | None, str]:
    words = said.split()
    if words[0] == "on" or len(words) == 1:
        return _WEEK, "time"
    count = _ORDINALS.get(words[1], 2.0) if len(words) == 3 else 1.0
    return count * (EVERY.get(words[-1]) or _WEEK), "time"


def _nth(said: str) -> tuple[float | None, str]:
    return _ORDINALS[said.split()[0]], "count"


def _adverb(said: str) -> tuple[float | None, str]:
    return ADVERBS[said], "time"


_READ = {
    "clock": _clock, "price": _price, "version": _version, "port": _port, "date": _date, "piece": _piece, "and_part": _and_part, "mixed": _mixed, "share": _share,
    "ratio": _ratio, "every": _every, "nth": _nth, "adverb": _adverb,
}  # fmt: skip


def value(word: str) -> float | None:
    """Returns the number that digits or number words say, None where they say none."""
    if word[0].isdigit():
        match = re.match(r"[\d,_' ]*\d(?:\.\d+)?", word)
        if match is None:
            return None
        rest = word[match.end() :].strip()
        number = float(re.sub(r"[,_' ]", "", match[0]))
        return number * {
            "": 1,
            "k": 1e3,
            "m": 1e6,
            "thousand": 1e3,
            "million": 1e6,
            "billion": 1e9,
            "hundred": 100,
            "dozen": 12,
        }.get(rest, 1)
    if word[0] == "v" and word[1:2].isdigit():
        return None
    return _spelled(word)


def _spelled(word: str) -> float | None:
    """Returns what number words say: `twenty-five`, `two hundred`, `half a`."""
    total = last = 0.0
    known = False
    for part in re.split(r"[- ]+", word):
        held = WORDS.get(part)
        if held is None:
            return None
        if part in ("a", "an", "each", "every") and (known or word != part):
            continue
        if known and (held >= 100 or part in ("dozen", "couple")):
            last *= held
        elif part == "half" and known:
            last += 0.5
        else:
            total, last = total + last, held
        known = True
    return total + last

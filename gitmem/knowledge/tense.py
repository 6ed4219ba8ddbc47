"""Tense: whether a clause says what is so, what was so, or what is so no more."""

import re
from collections.abc import Sequence
from functools import cache

from gitmem.knowledge import lexicon

_GONE = (
    r"formerly|previously|originally|historically|in the past|at (?:one|first|the time)|back then|no longer|not any ?more"
    r"|(?<!is )(?<!are )(?<!be )used to (?!\w+ing\b)(?=\w)|took over|deprecated|ago\b|as of last|years back"
    r"|(?:was|were|been|got|has been|have been) (?:replaced|superseded|retired|dropped|removed|deprecated|abandoned"
    r"|migrated|switched off|phased out|renamed)|replaced (?:it|them|by|the|our)"
    r"|(?:moved|migrated|switched|changed|went) (?:away |over |off )?(?:from|off|to)\b"
    r"|once (?:was|were|had|lived|used|ran|required|lasted|held|stored|\w+ed)\b|(?:was|were|had) once"
    r"|(?:was|were) (?:the )?(?:\w+ )?(?:default|standard|norm|rule)|the (?:old|former|previous|legacy|original|earlier)"
    r"|(?:in|on) (?:earlier|older|previous|former) (?:versions?|releases?|days|times)|(?:earlier|older) (?:versions?|releases?)"
    r"|(?:up to and including|and earlier|and older|or older|or earlier)\b"
)
_TIMES = (
    r"january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall"
    r"|winter|year|month|week|quarter|20\d\d|q[1-4]"
)
_BEFORE = (
    r"(?:before|prior to|until|till|up to|up until|through|older than|earlier than) "
    r"(?:v(?:ersion)? ?\d|\d+\.\d+(?:\.\d+)*(?!\.?\d|\s*[%°A-Za-z])|release \d|the (?:switch|move|migration|rewrite|upgrade|change)|(?-i:[A-Z][\w.+-]*) \d"
    rf"|(?:last |early |late |mid[- ])?(?:{_TIMES})|(?:app|go|python|kafka|java|node) \d)"
)


@cache
def _past() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{_GONE}|{_BEFORE})", re.IGNORECASE)


def without_contrast(text: str) -> str:
    """Returns a clause without what it only sets itself apart from: `Unlike memory, …`."""
    head, comma, rest = text.partition(", ")
    return rest if comma and head[:7].lower() == "unlike " else text


def is_past(text: str, words: Sequence[str]) -> bool:
    """Returns whether a clause, given with its words, says that something is so no more: `until March`, `no longer`."""
    return not lexicon.PAST_SIGNS.isdisjoint(map(str.lower, words)) and _past().search(text) is not None


def is_told(words: Sequence[str]) -> bool:
    """Returns whether a clause, in words of small letters, tells what was and not what is."""
    for at, word in enumerate(words):
        if word in lexicon.IS:
            return False
        if word in lexicon.WAS and not (at and words[at - 1] in lexicon.BEING):
            return True
    return False

"""What text beyond ASCII is made of: accents, emoji, scripts without spaces."""

# A module of its own, loaded when such text is met: its patterns take 6 ms to compile.

import re
import unicodedata
from collections.abc import Iterator

_HAN = "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
# Scripts written without spaces, with words of many endings (Hangul), or with vowel signs that Python's \w leaves out
# (Indic): cut into overlapping pairs of characters.
_PAIRED = _HAN + _HANGUL + "\u3040-\u30ff\u3100-\u312f\u31f0-\u31ff\u0900-\u109f\u1780-\u17ff"
_PICTURE = "\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff"
_FLAG = "[\U0001f1e6-\U0001f1ff]{2}"
_RUN = re.compile(f"({_FLAG}|[{_PICTURE}](?:\u200d[{_PICTURE}])*)|([{_PAIRED}]+)")
# Marks that readers of the script leave out: accents, Hebrew points, Arabic vowels. Not vowel signs, not kana marks.
_MARKS = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670\u0640]")
_DROPPED = re.compile("[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff\u20e3\u00ad\u200b\u200c\u2060\ufeff]")
_LETTERS = {"ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ł": "l", "Ł": "L", "ı": "i", "ς": "σ", "’": "'", "ʼ": "'"}
_LIGATURES = {"æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ß": "ss"}
_SPELLINGS = str.maketrans(_LETTERS | _LIGATURES)


def fold(text: str) -> str:
    """Returns `text` without accents, ligatures, full-width forms and invisible characters; case stays."""
    plain = unicodedata.normalize("NFKC", _DROPPED.sub("", text)).translate(_SPELLINGS)
    return unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", plain)))


def runs(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yields (words to cut further, terms that follow them), in order."""
    start = 0
    for match in _RUN.finditer(text):
        emoji, paired = match.groups()
        yield text[start : match.start()], _emoji(emoji) if emoji else _pairs(paired.lower())
        start = match.end()
    yield text[start:], []


def _pairs(run: str) -> list[str]:
    """Returns the overlapping pairs of characters, and each ideograph or syllable, which can be a word."""
    if len(run) == 1:
        return [run]
    pairs = [run[place : place + 2] for place in range(len(run) - 1)]
    return pairs + [char for char in run if _can_be_word(char)]


def _can_be_word(char: str) -> bool:
    return not "\u0900" <= char <= "\u1fff" and not "\u3040" <= char <= "\u31ff"


def _emoji(sequence: str) -> list[str]:
    """Returns the sequence that joiners make, and then each picture of it."""
    return list(dict.fromkeys([sequence, *sequence.split("\u200d")]))

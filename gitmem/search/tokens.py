"""Index terms of a text: one way of cutting for notes and queries, so that both meet."""

import re
import unicodedata
from collections.abc import Callable

# Scripts written without spaces, with words of many endings (Hangul), or with vowel signs that Python's \w leaves out
# (Indic): cut into overlapping pairs of characters.
_HAN = "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
_UNSPACED = _HAN + _HANGUL + "\u3040-\u30ff\u3100-\u312f\u31f0-\u31ff\u0900-\u109f\u1780-\u17ff"
_PICTURE = "\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff"
_FLAG = "[\U0001f1e6-\U0001f1ff]"

# What text is cut into first and remembered by: everything up to a space or a character that joins no identifier.
_UNIT = re.compile(r"""[^\s,;()\[\]{}"!?<>|`*=&$%^~]+""")
_ASCII_WORD = re.compile(r"[a-z]+|[A-Z][a-z]+")
_HEX = re.compile(r"(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}")
_PIECE = re.compile(
    rf"(?P<emoji>{_FLAG}{{2}}|[{_PICTURE}]+(?:\u200d[{_PICTURE}]+)*)"
    rf"|(?P<unspaced>[{_UNSPACED}]+)"
    r"|(?P<symbol>(?<![\w+#])(?:[A-Za-z]\#|\w+\+\+)(?![^\W\d]|[+#])|(?<!\w)\.net\b|\.NET\b)"
    r"|(?P<dunder>(?<![\w.])__[^\W_]\w*?__(?!\w))"
    r"|(?P<version>(?<![\w.])[vV]?\d+(?:\.\d+)+(?![\w]))"
    rf"|(?P<compound>[^\W{_UNSPACED}_]+(?:[-_.']+[^\W{_UNSPACED}_]+)*)"
)
_PART = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
_SPLIT = re.compile(r"[-_.']+")
_ENDING = re.compile(r"'(?:s|re|ve|ll|d|m)?(?![^\W_])|(?<=n)'(?=t(?![^\W_]))")
_STANDS_ALONE = re.compile(f"[{_HAN}\uac00-\ud7af]")
# Marks that readers of the script leave out: accents, Hebrew points, Arabic vowels. Not vowel signs, not kana marks.
_MARKS = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670\u0640]")
_DROPPED = re.compile("[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff\u20e3\u00ad\u200b\u200c\u2060\ufeff]")
_LETTERS = {"ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ł": "l", "Ł": "L", "ı": "i", "ς": "σ", "’": "'", "ʼ": "'"}
_LIGATURES = {"æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ß": "ss"}
_SPELLINGS = str.maketrans(_LETTERS | _LIGATURES)
# Longer than any identifier: what follows is data, and tantivy refuses terms of 65,530 bytes.
_LONGEST = 64
# Units remembered by one tokenizer; a long-lived server starts over rather than growing.
_MEMO_LIMIT = 200_000

# Stems of words that tell nothing.
STOP_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "but",
        "by",
        "can",
        "do",
        "doe",
        "for",
        "from",
        "had",
        "has",
        "have",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "me",
        "my",
        "no",
        "not",
        "of",
        "on",
        "or",
        "our",
        "should",
        "so",
        "such",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "to",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "while",
        "who",
        "whi",
        "will",
        "with",
        "would",
        "you",
        "your",
    ]
)


class Tokenizer:
    """Cuts texts into terms and remembers the units it has seen; one serves a whole rebuild."""

    def __init__(self) -> None:
        import Stemmer

        self._stem: Callable[[str], str] = Stemmer.Stemmer("english").stemWord
        self._memo: dict[str, tuple[str, ...]] = {}

    def terms(self, text: str) -> list[str]:
        """Returns the terms of `text` in order, with repeats; none holds white space."""
        memo = self._memo
        found: list[str] = []
        for unit in _UNIT.findall(text):
            known = memo.get(unit)
            found += self._remember(unit) if known is None else known
        return found

    def query_terms(self, text: str) -> list[str]:
        """Returns the terms to look for when someone asks `text`: a part of `terms(text)`, each once, in order.

        Stop words go unless nothing else is left; a single ideograph goes where a pair holds it.
        """
        terms = list(dict.fromkeys(self.terms(text)))
        pairs = "".join(term for term in terms if len(term) == 2 and not term.isascii())
        kept = [term for term in terms if len(term) > 1 or term.isascii() or term not in pairs]
        return [term for term in kept if term not in STOP_WORDS] or kept

    def _remember(self, unit: str) -> tuple[str, ...]:
        if len(self._memo) >= _MEMO_LIMIT:
            self._memo.clear()
        if _ASCII_WORD.fullmatch(unit) and len(unit) <= _LONGEST:
            terms = [self._stem(unit.lower())]
        else:
            terms = [term for match in _PIECE.finditer(_fold(unit)) for term in self._cut(match)]
        self._memo[unit] = tuple(term[:_LONGEST] for term in terms)
        return self._memo[unit]

    def _cut(self, match: re.Match[str]) -> list[str]:
        kind, text = match.lastgroup, match.group()
        if kind == "compound":
            return self._compound(text)
        if kind == "unspaced":
            return _pairs(text)
        if kind == "emoji":
            return _emoji(text)
        if kind == "version":
            return _version(text)
        if kind == "dunder":
            return [text.lower(), *self._compound(text.strip("_"))]
        return self._symbol(text.lower())

    def _compound(self, text: str) -> list[str]:
        """Returns the stems of an identifier's parts, and the whole of it without its separators."""
        lowered = text.lower()
        if _HEX.fullmatch(lowered):
            return list(dict.fromkeys([lowered, lowered[:7]]))
        parts = [part.lower() for word in _SPLIT.split(text) for part in _PART.findall(word)]
        if len(parts) == 1:
            return [self._stem(parts[0])]
        whole = _SPLIT.sub("", lowered)
        if whole == lowered and max(map(len, parts)) == 1:
            return [self._stem(whole)]
        telling = [self._stem(part) for part in parts if len(part) > 1]
        return [*(telling or parts), self._stem(whole)]

    def _symbol(self, text: str) -> list[str]:
        """Returns a name with signs in it (c++, c#, .net) whole; a longer name also without its signs."""
        name = text.rstrip("+#").lstrip(".")
        return [text, self._stem(name)] if text.endswith("++") and len(name) > 1 else [text]


def _fold(unit: str) -> str:
    """Returns `unit` without accents, ligatures, full-width forms and invisible characters; case stays."""
    if not unit.isascii():
        unit = unicodedata.normalize("NFKC", _DROPPED.sub("", unit)).translate(_SPELLINGS)
        unit = unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", unit)))
    return _ENDING.sub("", unit) if "'" in unit else unit


def _pairs(text: str) -> list[str]:
    """Returns the overlapping pairs of characters, and each ideograph or syllable that can stand for a word."""
    text = text.lower()
    singles = [char for char in text if _STANDS_ALONE.match(char)]
    if len(text) == 1:
        return [text]
    return [text[place : place + 2] for place in range(len(text) - 1)] + singles


def _emoji(text: str) -> list[str]:
    """Returns each picture, and before them the sequence that joiners make of them."""
    sequences = re.findall(f"{_FLAG}{{2}}|.(?:\u200d.)*", text)
    return [term for whole in sequences for term in dict.fromkeys([whole, *_pictures(whole)])]


def _pictures(sequence: str) -> list[str]:
    return sequence.split("\u200d")


def _version(text: str) -> list[str]:
    """Returns a dotted number without its v, and what it begins with: 1.4.25 and 1.4."""
    numbers = text.lstrip("vV").split(".")
    return [".".join(numbers[:length]) for length in range(len(numbers), 1, -1)]

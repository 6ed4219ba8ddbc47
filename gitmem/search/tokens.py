"""Index terms of a text: one way of cutting for notes and queries, so that both meet."""

import re
from collections.abc import Callable
from itertools import chain

from gitmem.search.synonyms import Synonyms

# Digest of tests/data/tokens/terms.txt, so that no change of terms goes without a change of version.
VERSION = "16ae9bc198fd"
# What text is cut into first and remembered by: everything up to a space or a character that joins no identifier.
_UNIT = re.compile(r"""[^\s,;()\[\]{}"!?<>|`*=&$%^~]+""")
_ASCII_WORD = re.compile(r"[a-z]+|[A-Z][a-z]+")
_HEX = re.compile(r"(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}")
_PIECE = re.compile(
    r"(?P<symbol>(?<![\w+#])(?:[A-Za-z]\#|\w+\+\+)(?![^\W\d]|[+#])|(?<!\w)\.net\b|\.NET\b)"
    r"|(?P<dunder>(?<![\w.])__[^\W_]\w*?__(?!\w))"
    r"|(?P<version>(?<![\w.])[vV]?\d+(?:\.\d+)+(?!\w))"
    r"|(?P<compound>[^\W_]+(?:[-_.']+[^\W_]+)*)"
)
_PART = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+")
_SPLIT = re.compile(r"[-_.']+")
_ENDING = re.compile(r"'(?:s|re|ve|ll|d|m)?(?![^\W_])|(?<=n)'(?=t(?![^\W_]))")
# Longer than any identifier: what follows is data, and tantivy refuses terms of 65,530 bytes.
_LONGEST = 64
# Units remembered by one tokenizer; a long-lived server starts over rather than growing.
_MEMO_LIMIT = 200_000

# Stems of words that tell nothing.
STOP_WORDS = frozenset([
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "can", "do", "doe", "for", "from", "had", "has", "have",
    "how", "i", "if", "in", "into", "is", "it", "its", "me", "my", "no", "not", "of", "on", "or", "our", "should",
    "so", "such", "that", "the", "their", "them", "then", "there", "these", "they", "this", "to", "was", "we",
    "were", "what", "when", "where", "which", "while", "who", "whi", "will", "with", "would", "you", "your",
])  # fmt: skip


class _Units(dict[str, tuple[str, ...]]):
    """The terms of every unit met."""

    def __init__(self, stem: Callable[[str], str]) -> None:
        super().__init__()
        self._stem = stem

    def __missing__(self, unit: str) -> tuple[str, ...]:
        if _ASCII_WORD.fullmatch(unit) and len(unit) <= _LONGEST:
            terms = [self._stem(unit.lower())]
        elif unit.isascii():
            terms = self._words(unit)
        else:
            terms = self._beyond_ascii(unit)
        self[unit] = tuple(term[:_LONGEST] for term in terms)
        return self[unit]

    def _beyond_ascii(self, unit: str) -> list[str]:
        from gitmem.search import scripts

        return [term for text, run in scripts.runs(scripts.fold(unit)) for term in [*self._words(text), *run]]

    def _words(self, text: str) -> list[str]:
        if "'" in text:
            text = _ENDING.sub("", text)
        return [term for match in _PIECE.finditer(text) for term in self._cut(match)]

    def _cut(self, match: re.Match[str]) -> list[str]:
        kind, text = match.lastgroup, match.group()
        if kind == "compound":
            return self._compound(text)
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


class Tokenizer:
    """Cuts texts into terms and remembers the units it has seen; one serves a whole rebuild."""

    def __init__(self) -> None:
        import sys

        import Stemmer

        # The interpreter's version stands for that of its Unicode tables. Whoever stores terms keeps this beside them: with another fingerprint the same text may have others.
        self.fingerprint = f"{VERSION}:{sys.version_info[0]}.{sys.version_info[1]}:{Stemmer.version()}"
        self.stem: Callable[[str], str] = Stemmer.Stemmer("english").stemWord
        self.synonyms = Synonyms(self.stem)
        self._units = _Units(self.stem)

    def terms(self, text: str) -> list[str]:
        """Returns the terms of `text` in order, with repeats; none holds white space."""
        if len(self._units) > _MEMO_LIMIT:
            self._units.clear()
        return list(chain.from_iterable(map(self._units.__getitem__, _UNIT.findall(text))))

    def query_terms(self, text: str) -> list[str]:
        """Returns the terms to look for when someone asks `text`: a part of `terms(text)`, each once, in order.

        Stop words go unless nothing else is left; a single ideograph goes where a pair holds it.
        """
        terms = list(dict.fromkeys(self.terms(text)))
        pairs = "".join(term for term in terms if len(term) == 2 and not term.isascii())
        kept = [term for term in terms if len(term) > 1 or term.isascii() or term not in pairs]
        return [term for term in kept if term not in STOP_WORDS] or kept


def _version(text: str) -> list[str]:
    """Returns a dotted number without its v, and what it begins with: 1.4.25 and 1.4."""
    numbers = text.lstrip("vV").split(".")
    return [".".join(numbers[:length]) for length in range(len(numbers), 1, -1)]

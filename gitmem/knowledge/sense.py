"""Sense: what a comparison knows of a word, each looked up once: its stem, how telling it is, what it can mean."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import sqrt
from operator import mul

from gitmem.knowledge import lexicon, thesaurus

# How much two words say the same: by one idea, one inside the other, a common beginning, a name as another word.
SAME, IDEA, INSIDE, BEGINNING = 1.0, 0.85, 0.7, 0.7
# Cosine from which two words are akin.
AKIN = 0.4
# Cosine from which one word can stand in for another, and how many of a vector's signs, of 256, may differ there.
NEAR, _SIGNS = 0.28, 108
_LEAST = 5  # letters that words must share to be kin
# One bit a signed byte: whether it is below 0.
_NEGATIVE = bytes(byte >> 7 for byte in range(256))
_DENIALS = ("un", "in", "non", "im", "ir", "dis", "ab")


@cache
def _ideas() -> list[tuple[str, int, int]]:
    """Returns (word, idea, sign) for every word of the thesaurus; a sign is 0 where an idea has no opposite."""
    found = []
    for idea, line in enumerate([*thesaurus.OPPOSITES.strip().split("\n"), *thesaurus.ALIKE.strip().split("\n")]):
        said, _, denied = line.partition("/")
        found += [(word, idea, 1) for word in said.split()] + [(word, idea, -1) for word in denied.split()]
    return found


class Sense:
    """The words of one language model; it remembers what it has looked up."""

    def __init__(
        self,
        stem: Callable[[str], str],
        weight: Callable[[str], float],
        pieces: Callable[[str], int],
        vector: Callable[[str], bytes],
    ) -> None:
        """`weight` is how telling a word is, 0 to 1; `pieces` how many a general vocabulary cuts it into; `vector` its signed bytes."""
        self._stem, self._weight, self._pieces, self._vector = stem, weight, pieces, vector
        self._stems: dict[str, str] = {}
        self._weights: dict[str, float] = {}
        self._coined: dict[str, bool] = {}
        self._signs: dict[str, int] = {}
        self._bytes: dict[str, memoryview] = {}
        self._lengths: dict[str, float] = {}
        self._near: dict[tuple[str, str], float] = {}
        self._denying: frozenset[str] = frozenset()
        self._by_stem: dict[str, tuple[tuple[int, int], ...]] = {}

    def stem(self, word: str) -> str:
        """Returns the stem of a word in small letters."""
        if word not in self._stems:
            self._stems[word] = self._stem(word)
        return self._stems[word]

    def weight(self, word: str) -> float:
        """Returns how telling a word is, 0 to 1."""
        if word not in self._weights:
            self._weights[word] = self._weight(word)
        return self._weights[word]

    def is_coined(self, word: str) -> bool:
        """Returns whether a word looks made up for a tool: `nginx`, `journalctl`; only small letters do."""
        if word not in self._coined:
            self._coined[word] = self._is_coined(word)
        return self._coined[word]

    def _is_coined(self, word: str) -> bool:
        if not word.isalpha() or not word.islower() or len(word) < 3 or word.upper() in lexicon.ACRONYMS:
            return False
        if word in lexicon.JARGON or word.endswith(lexicon.ENDINGS) or word.startswith(lexicon.BEGINNINGS):
            return False
        return self._pieces(word) > 1 and self._pieces(self.stem(word)) > 1

    def are_akin(self, one: str, other: str) -> bool:
        """Returns whether the vectors of two words lie close together, as those of email and mail do."""
        both = [memoryview(self._vector(word.lower())).cast("b") for word in (one, other)]
        dot, squares = (sum(a * b for a, b in zip(*both, strict=True)), [sum(a * a for a in each) for each in both])
        return bool(dot > 0 and dot * dot >= AKIN * AKIN * squares[0] * squares[1])

    def near(self, word: str, others: Sequence[str], signs: Sequence[int]) -> Iterator[tuple[int, float]]:
        """Yields the place and the cosine of each of `others` that a word is near to; `signs` are theirs, as of `sign`."""
        sign = self.sign(word)
        for at in [at for at, other in enumerate(signs) if (sign ^ other).bit_count() <= _SIGNS]:
            cosine = self._nearness(word, others[at])
            if cosine >= NEAR:
                yield at, cosine

    def sign(self, word: str) -> int:
        """Returns the signs of the vector of a word in small letters as one integer: most pairs are told apart by it alone."""
        if word not in self._signs:
            vector = self._vector(word)
            self._bytes[word] = memoryview(vector).cast("b")
            self._signs[word] = int.from_bytes(vector.translate(_NEGATIVE), "little")
        return self._signs[word]

    def _nearness(self, one: str, other: str) -> float:
        key = (one, other) if one < other else (other, one)
        if key not in self._near:
            lengths = self._length(one) * self._length(other)
            dot = sum(map(mul, self._bytes[one], self._bytes[other]))
            self._near[key] = dot / lengths if lengths else 0.0
        return self._near[key]

    def _length(self, word: str) -> float:
        if word not in self._lengths:
            row = self._bytes[word]
            self._lengths[word] = sqrt(sum(map(mul, row, row)))
        return self._lengths[word]

    def ideas(self, stem: str) -> tuple[tuple[int, int], ...]:
        """Returns (idea, sign) for each idea that a stem stands for."""
        if not self._by_stem:
            found: dict[str, list[tuple[int, int]]] = {}
            for word, idea, sign in _ideas():
                found.setdefault(self.stem(word), []).append((idea, sign))
            self._by_stem = {stem: tuple(ideas) for stem, ideas in found.items()}
        return self._by_stem.get(stem, ())

    def is_negative(self, stem: str) -> bool:
        """Returns whether a stem denies something by itself: fail, lack, refuse."""
        self._denying = self._denying or frozenset(map(self.stem, lexicon.NEGATIVE))
        return stem in self._denying

    def kinship(self, one: str, other: str) -> tuple[float, int] | None:
        """Returns how much two different stems of ordinary words say the same, and 1 or -1 where they say the opposite."""
        signs = [a * b for idea, a in self.ideas(one) for known, b in self.ideas(other) if idea == known]
        if signs:
            return IDEA, signs[0]
        short, long = sorted((one, other), key=len)
        if len(short) >= _LEAST and short in long:
            denied = long.endswith(short) and long[: -len(short)].rstrip("-") in _DENIALS
            return (IDEA, -1) if denied else (INSIDE, 1)
        return (BEGINNING, 1) if len(short) >= _LEAST and short[:_LEAST] == long[:_LEAST] else None

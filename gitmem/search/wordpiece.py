"""Text into the WordPiece token ids of a BERT-style vocabulary, in plain Python and without loading the vocabulary."""

import json
import re
import struct
from bisect import bisect_left
from collections.abc import Callable
from itertools import chain

from gitmem.values import NamedTuple

# Rust's White_Space less the control characters, which the normaliser deletes before anything looks for spaces.
_CHUNK = re.compile("[^ \t\n\r\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
HANGUL = range(0xAC00, 0xD7A4)
IDEOGRAPHS = (
    range(0x4E00, 0xA000),
    range(0x3400, 0x4DC0),
    range(0x20000, 0x2A6E0),
    range(0x2A700, 0x2B740),
    range(0x2B740, 0x2B820),
    range(0x2B920, 0x2CEB0),
)
# Chunks remembered by one reader; a long-lived server starts over rather than growing (100,000 chunks hold about 20 MB).
_MEMO_LIMIT = 100_000


class Limits(NamedTuple):
    """Where a model stops reading: characters of a text, tokens of a text, characters of a word, of a piece."""

    characters: int
    tokens: int
    word: int
    piece: int


class _Characters(dict[int, str]):
    """What the normaliser and the splitter make of a code point, filled in as code points are met.

    The tables come from the tokenizer itself (see packing), because its Unicode version is not Python's.
    """

    def __init__(self, tables: bytes) -> None:
        super().__init__()
        self._tables = tables
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._mapped: dict[str, str] = {}

    def __missing__(self, code: int) -> str:
        text = _ascii(code) if code < 128 else self._other(code)
        self[code] = text
        return text

    def _other(self, code: int) -> str:
        if not self._mapped:
            self._load()
        place = bisect_left(self._starts, code + 1) - 1
        if place >= 0 and code <= self._ends[place]:
            return ""
        if code in HANGUL:
            import unicodedata

            return unicodedata.normalize("NFD", chr(code))
        if any(code in block for block in IDEOGRAPHS):
            return f" {chr(code)} "
        return self._mapped.get(chr(code), chr(code))

    def _load(self) -> None:
        tables = json.loads(self._tables)
        self._starts, self._ends = tables["removed"]
        self._mapped = tables["mapped"]


def _ascii(code: int) -> str:
    """Returns what becomes of an ASCII character: control characters vanish, punctuation stands alone."""
    char = chr(code)
    if char in " \t\n\r":
        return " "
    if code < 32 or code == 127:
        return ""
    return char.lower() if char.isalnum() else f" {char} "


class _Sorted:
    """A packed vocabulary searched in place: 15 slices a look-up instead of 5 ms for a dict of 30,000 pieces."""

    def __init__(self, offsets: bytes, ids: bytes, text: bytes) -> None:
        self._offsets = offsets
        self._ids = ids
        self._text = text

    def __len__(self) -> int:
        return len(self._offsets) // 4 - 1

    def __getitem__(self, place: int) -> bytes:
        start, end = struct.unpack_from("<2I", self._offsets, 4 * place)
        return self._text[start : end - 1]

    def get(self, piece: str) -> int | None:
        key = piece.encode("utf-8", "surrogatepass")
        place = bisect_left(self, key)
        if place == len(self) or self[place] != key:
            return None
        return int(struct.unpack_from("<I", self._ids, 4 * place)[0])

    def table(self) -> dict[str, int]:
        ids = struct.unpack(f"<{len(self)}I", self._ids)
        return dict(zip(self._text.decode().split("\n"), ids, strict=False))


class Pieces(dict[str, tuple[int, ...]]):
    """Reads text as token ids, as the tokenizers package does with BertNormalizer, BertPreTokenizer and WordPiece.

    As a dict it holds the ids of every chunk between spaces that it has met.
    """

    def __init__(self, sections: dict[str, bytes], limits: Limits, special: dict[str, int], unknown: int) -> None:
        super().__init__()
        self._limits = limits
        self._special = special
        self._splitter = re.compile("(" + "|".join(map(re.escape, special)) + ")")
        self._unknown = unknown
        self._characters = _Characters(sections["characters"])
        self._vocabulary = _Sorted(sections["offsets"], sections["ids"], sections["text"])
        self._find: Callable[[str], int | None] = self._vocabulary.get

    def load(self) -> None:
        """Loads the vocabulary into a dict (5 ms), which pays from about a hundred texts on."""
        self._find = self._vocabulary.table().get

    def __call__(self, text: str) -> list[int]:
        """Returns the token ids of `text`, unknown words left out, cut where the model stops reading."""
        if len(self) > _MEMO_LIMIT:
            self.clear()
        chunks = _CHUNK.findall(text[: self._limits.characters])
        ids = list(chain.from_iterable(map(self.__getitem__, chunks)))
        del ids[self._limits.tokens :]
        return [piece for piece in ids if piece != self._unknown] if self._unknown in ids else ids

    def __missing__(self, chunk: str) -> tuple[int, ...]:
        ids: list[int] = []
        for part in self._splitter.split(chunk):
            if part in self._special:
                ids.append(self._special[part])
            else:
                for word in part.translate(self._characters).split(" "):
                    ids += self._word(word) if word else ()
        self[chunk] = tuple(ids)
        return self[chunk]

    def _word(self, word: str) -> list[int]:
        """Returns the longest pieces that make up `word` from its start on, or the unknown token."""
        whole = self._find(word) if len(word) <= self._limits.piece else None
        if whole is not None:
            return [whole]
        if len(word) > self._limits.word:
            return [self._unknown]
        ids: list[int] = []
        start = 0
        while start < len(word):
            piece, start = self._longest(word, start)
            if piece is None:
                return [self._unknown]
            ids.append(piece)
        return ids

    def _longest(self, word: str, start: int) -> tuple[int | None, int]:
        mark = "##" if start else ""
        for end in range(min(len(word), start + self._limits.piece), start, -1):
            found = self._find(mark + word[start:end])
            if found is not None:
                return found, end
        return None, start

"""The static embedding model: one vector a text, made of table look-ups and integer sums, without numpy."""

import json
import mmap
import os
import struct
from collections.abc import Iterable, Sequence
from math import sqrt
from operator import mul

from gitmem.errors import GitmemError
from gitmem.search.wordpiece import Limits, Pieces
from gitmem.values import Any

# A vector is its unit vector times SCALE in int8, so a dot product over SCALE squared is the cosine.
# The largest component over 7,286 real texts is .712 (121 of 127); rounding leaves a cosine of .9995 to the float32 vector.
SCALE = 170
# Characters of a note that are read. 600: nDCG@10 .835, 1,200: .838, 2,400: .840 (sets and settings: see bm25).
READ = 2400
# Characters of the opening, which weighs as much as all that is read: at least, for a title of one word says little
# (0: .841, 100: .837), and at most. Without an opening .836; where documents have no titles, .832 against .839.
_OPENING = (60, 600)
PACK = "pack.bin"
FORMAT = 1
TABLE = "model.safetensors"
# Adds 128 to a signed byte, so that lanes hold no sign.
_UNSIGNED = bytes((byte + 128) % 256 for byte in range(256))
# Binary places of the factors that turn sums into bytes: integers round the same everywhere.
_PLACES = 32
_HALF = 1 << _PLACES - 1
# Lengths of a word's row from which words begin to tell and tell in full (the 77, use 147, kept 259, state 330, session 452):
# frequent words have short rows, whatever a store holds. Hedging, mean over false confidences of 2 to 20 %, halves 0 / 1 of 248
# questions to four small stores: 150 to 400 .62 / .48, 200 to 450 .61 / .51, 250 to 450 .64 / .53; all words alike .66 / .51;
# rarity in the store .65 / .54.
_TELLING = (150, 400)
# What a word that tells nothing still weighs.
_PLAIN = 0.05
# Words whose weights are kept.
_WEIGHTS = 20_000
# From here on a dict of the vocabulary (5 ms) is cheaper than searching it in place.
_MANY = 64


class _Rows(dict[int, int]):
    """Rows of the table by token, each one big integer of `dims` lanes of 24 bits, read when first asked for.

    Big integers add all lanes at once, in a tenth of a microsecond, and 65,000 rows before a lane overflows.
    """

    def __init__(self, table: mmap.mmap, start: int, dims: int) -> None:
        super().__init__()
        self._table = table
        self._start = start
        self._dims = dims
        self._squares: dict[int, int] = {}

    def __missing__(self, token: int) -> int:
        start = self._start + token * self._dims
        lanes = bytearray(3 * self._dims)
        lanes[::3] = self._table[start : start + self._dims].translate(_UNSIGNED)
        self[token] = int.from_bytes(lanes, "little")
        return self[token]

    def square(self, token: int) -> int:
        """Returns the squared length of a token's row; each is worked out once, as questions are weighed word by word."""
        known = self._squares.get(token)
        if known is None:
            known = self._squares[token] = self._square(token)
        return known

    def _square(self, token: int) -> int:
        start = self._start + token * self._dims
        row = memoryview(self._table[start : start + self._dims]).cast("b")
        return _dot(row, row)

    def sum(self, tokens: Sequence[int]) -> list[int]:
        """Returns the sum of the tokens' rows."""
        total = sum(map(self.__getitem__, tokens)).to_bytes(3 * self._dims, "little")
        lanes = bytearray(4 * self._dims)
        for byte in range(3):
            lanes[byte::4] = total[byte::3]
        bias = 128 * len(tokens)
        return [lane - bias for lane in struct.unpack(f"<{self._dims}I", lanes)]


class Model:
    """The shipped model, opened where it lies; `passage` and `passages` give the same bytes for the same text."""

    def __init__(self, facts: dict[str, Any], sections: dict[str, bytes], table: mmap.mmap) -> None:
        limits = Limits(facts["characters"], facts["tokens"], facts["word"], facts["piece"])
        self.fingerprint: str = _fingerprint(facts["digest"])
        self.dims: int = facts["dims"]
        self.pieces = Pieces(sections, limits, facts["special"], facts["unknown"])
        self._rows = _Rows(table, facts["start"], self.dims)
        self._weights: dict[str, float] = {}

    @classmethod
    def open(cls, folder: str) -> "Model":
        """Returns the model in `folder`. Raises GitmemError if a file is missing or is not the one that was packed."""
        try:
            with open(os.path.join(folder, PACK), "rb") as file:
                head, body = file.readline(), file.read()
            with open(os.path.join(folder, TABLE), "rb") as file:
                table = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise _unreadable(folder, str(error)) from error
        facts = _facts(folder, head, len(body), len(table))
        return cls(facts, _sections(facts["sections"], body), table)

    def vector(self, text: str) -> bytes:
        """Returns a question's vector, `dims` signed bytes; all zero if the model knows no word of it."""
        return _direction(self._rows.sum(self.pieces(text)))

    def weight(self, word: str) -> float:
        """Returns how telling a word is in general, from near 0 (use, happens) to 1 (session, kubernetes).

        It is the length of the word's row between two bounds, pieces taken as orthogonal: a word of many is a rare one.
        """
        known = self._weights.get(word)
        if known is None:
            if len(self._weights) >= _WEIGHTS:
                self._weights.clear()
            least, most = _TELLING
            length = sqrt(sum(map(self._rows.square, self.pieces(word))))
            known = self._weights[word] = min(1.0, max(_PLAIN, (length - least) / (most - least)))
        return known

    def passage(self, text: str) -> bytes:
        """Returns a note's vector, in which its opening (title, summary, tags) weighs as much as the whole."""
        first, rest = split(text)
        sums = self._rows.sum(self.pieces(first))
        return _blend(sums, list(map(int.__add__, sums, self._rows.sum(self.pieces(rest)))) if rest else sums)

    def passages(self, texts: Sequence[str]) -> list[bytes]:
        """Returns one vector a note, the same as `passage` gives but faster a note when there are many."""
        if len(texts) >= _MANY:
            self.pieces.load()
        return [self.passage(text) for text in texts]


def split(text: str) -> tuple[str, str]:
    """Returns the opening of a note's text, up to the first blank line after 60 characters, and the rest that is read."""
    least, most = _OPENING
    end = text.find("\n\n", least, most)
    first = text[: end if end >= 0 else most]
    return first, text[len(first) : READ]


def _direction(values: Sequence[int]) -> bytes:
    """Returns the unit vector of `values` times SCALE."""
    length = sqrt(_dot(values, values))
    factor = int((SCALE << _PLACES) / length) if length else 0
    return _bytes([value * factor + _HALF >> _PLACES for value in values])


def _blend(first: Sequence[int], second: Sequence[int]) -> bytes:
    """Returns the unit vector halfway between two directions, times SCALE."""
    lengths = sqrt(_dot(first, first)), sqrt(_dot(second, second))
    if not all(lengths):
        return _direction(second)
    middle = sqrt(2 + 2 * _dot(first, second) / lengths[0] / lengths[1]) or 1.0
    one, other = (int((SCALE << _PLACES) / length / middle) for length in lengths)
    return _bytes([a * one + b * other + _HALF >> _PLACES for a, b in zip(first, second, strict=True)])


def _dot(one: Sequence[int], other: Sequence[int]) -> int:
    return sum(map(mul, one, other))


def _bytes(parts: list[int]) -> bytes:
    """Returns the parts as signed bytes, cut at 127 either way."""
    if parts and (max(parts) > 127 or min(parts) < -127):
        parts = [max(-127, min(127, part)) for part in parts]
    return struct.pack(f"{len(parts)}b", *parts)


def _fingerprint(digest: str) -> str:
    """Returns what identifies the vectors of notes: the model's files and every number that shapes them."""
    return f"{digest}:{FORMAT}.{SCALE}.{READ}.{_OPENING[0]}-{_OPENING[1]}"


class UserModel:
    """A user's own model2vec model, with the methods of `Model` that searching needs."""

    def __init__(self, model: Any, digest: str) -> None:
        self.fingerprint = _fingerprint(digest)
        self.dims = int(model.dim)
        self._model = model

    def vector(self, text: str) -> bytes:
        """Returns a question's vector, `dims` signed bytes."""
        return _direction(self._values(text))

    def weight(self, word: str) -> float:
        """Returns 1 for any word: the rows of another model may all be of one length."""
        return 1.0

    def passage(self, text: str) -> bytes:
        """Returns a note's vector, blended as `Model.passage` does."""
        return _blend(self._values(split(text)[0]), self._values(text[:READ]))

    def passages(self, texts: Sequence[str]) -> list[bytes]:
        """Returns one vector a note."""
        return [self.passage(text) for text in texts]

    def _values(self, text: str) -> list[int]:
        """Returns the model's vector in integers; one text at a time, so that no batch changes a last digit."""
        values = self._model.encode([text])[0].tolist()
        largest = max(map(abs, values), default=0) or 1
        return [round(value / largest * 2**20) for value in values]


def load_user_model(folder: str) -> UserModel:
    """Returns the model2vec model in a local folder; nothing is ever fetched.

    Raises GitmemError if the folder is missing or holds no such model. Costs about a second.
    """
    if not os.path.isdir(folder):
        raise _unreadable(folder, "there is no such folder")
    contents = _folder_digest(folder)
    _check_json(folder)
    from model2vec import StaticModel
    from safetensors import SafetensorError

    try:
        model = StaticModel.from_pretrained(folder, force_download=False)
    except (OSError, ValueError, KeyError, SafetensorError) as error:
        raise _unreadable(folder, str(error)) from error
    return UserModel(model, contents)


def _facts(folder: str, head: bytes, body: int, table: int) -> dict[str, Any]:
    try:
        facts: dict[str, Any] = json.loads(head)
    except ValueError as error:
        raise _unreadable(folder, f"{PACK} is damaged") from error
    found = (facts.get("format"), facts.get("table"), sum(facts.get("sections", {}).values()))
    if found != (FORMAT, table, body):
        raise _unreadable(folder, f"{PACK} does not fit {TABLE}")
    return facts


def _sections(sizes: dict[str, int], body: bytes) -> dict[str, bytes]:
    sections = {}
    start = 0
    for name, size in sizes.items():
        sections[name] = body[start : start + size]
        start += size
    return sections


def digest(folder: str, names: Iterable[str]) -> str:
    """Returns a digest over the named files' names and contents."""
    import hashlib

    total = hashlib.sha256()
    for name in names:
        with open(os.path.join(folder, name), "rb") as file:
            total.update(f"{name}\0{hashlib.sha256(file.read()).hexdigest()}\n".encode())
    return total.hexdigest()


def _folder_digest(folder: str) -> str:
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if entry.is_file())
        return digest(folder, names)
    except OSError as error:
        raise _unreadable(folder, str(error)) from error


def _check_json(folder: str) -> None:
    """Raises GitmemError if a JSON file of the folder is damaged, for which tokenizers has only a bare Exception."""
    for name in sorted(os.listdir(folder)):
        if name.endswith(".json"):
            try:
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    json.load(file)
            except (OSError, ValueError) as error:
                raise _unreadable(folder, f"{name} is damaged") from error


def _unreadable(folder: str, reason: str) -> GitmemError:
    return GitmemError(
        "model_unreadable",
        f"The embedding model in {folder} cannot be read: {reason}.",
        "Name a local model2vec folder with `git config gitmem.model FOLDER`, or unset it to use the shipped model.",
    )

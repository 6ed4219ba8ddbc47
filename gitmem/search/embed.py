"""The static embedding model: one vector a text, made of table look-ups and integer sums, without numpy.

`gitmem/model/pack.bin` is derived from the model's other files; after replacing them, write it again with

    python -c "from gitmem.search.embed import write_pack; write_pack('gitmem/model')"
"""

import hashlib
import json
import mmap
import os
import struct
from collections.abc import Iterable, Sequence
from math import isqrt
from operator import mul
from typing import Any, NamedTuple

from gitmem.errors import GitmemError
from gitmem.search.wordpiece import Limits, Pieces
from gitmem.search.wordpiece import pack as pack_pieces

# A vector is its unit vector times SCALE in int8, so a dot product over SCALE squared is the cosine.
# The largest component over 7,286 real texts is .712 (121 of 127); rounding leaves a cosine of .9995 to the float32 vector.
SCALE = 170
# Characters of a note that are read, and of its first paragraph that weigh as much again (measured: see bm25.SHARE).
READ = 2400
_OPENING = 600
# Scale of directions that are added before they become bytes.
_FINE = 4096
PACK = "pack.bin"
_FORMAT = 1
_TABLE = "model.safetensors"
# Adds 128 to a signed byte, so that lanes hold no sign.
_UNSIGNED = bytes((byte + 128) % 256 for byte in range(256))
# Rows that fit one sum of 16-bit lanes: 257 x 255 = 65,535.
_ROWS = 257
# From here on a dict of the vocabulary (5 ms) is cheaper than searching it in place.
_MANY = 64


class Model:
    """The shipped model, opened where it lies; `passage` and `passages` give the same bytes for the same text."""

    def __init__(self, facts: dict[str, Any], sections: dict[str, bytes], table: mmap.mmap) -> None:
        limits = Limits(facts["characters"], facts["tokens"], facts["word"], facts["piece"])
        self.fingerprint: str = facts["fingerprint"]
        self.dims: int = facts["dims"]
        self.pieces = Pieces(sections, limits, facts["special"], facts["unknown"])
        self._start: int = facts["start"]
        self._table = table
        self._rows: dict[int, int] = {}

    @classmethod
    def open(cls, folder: str) -> "Model":
        """Returns the model in `folder`. Raises GitmemError if a file is missing or is not the one that was packed."""
        try:
            with open(os.path.join(folder, PACK), "rb") as file:
                head, body = file.readline(), file.read()
            with open(os.path.join(folder, _TABLE), "rb") as file:
                table = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise _unreadable(folder, str(error)) from error
        facts = _facts(folder, head, len(body), len(table))
        return cls(facts, _sections(facts["sections"], body), table)

    def vector(self, text: str) -> bytes:
        """Returns a question's vector, `dims` signed bytes; all zero if the model knows no word of it."""
        return _bytes(_direction(self._totals(text), SCALE))

    def passage(self, text: str) -> bytes:
        """Returns a note's vector, in which its first paragraph (title, summary, tags) weighs as much as the whole."""
        return _blend(self._totals(opening(text)), self._totals(text[:READ]))

    def passages(self, texts: Sequence[str]) -> list[bytes]:
        """Returns one vector a note, the same as `passage` gives but faster a note when there are many."""
        if len(texts) >= _MANY:
            self.pieces.load()
        return [self.passage(text) for text in texts]

    def _totals(self, text: str) -> list[int]:
        """Returns the sum of the rows of the text's tokens."""
        ids = self.pieces(text)
        totals = self._sum(ids[:_ROWS])
        for start in range(_ROWS, len(ids), _ROWS):
            totals = list(map(int.__add__, totals, self._sum(ids[start : start + _ROWS])))
        return totals

    def _sum(self, ids: list[int]) -> list[int]:
        """Returns the sum of at most 257 rows: big integers add 256 lanes of 16 bits in a tenth of a microsecond."""
        rows = self._rows
        total = 0
        for number in ids:
            total += rows.get(number) or self._row(number)
        lanes = struct.unpack(f"<{self.dims}H", total.to_bytes(2 * self.dims, "little"))
        bias = 128 * len(ids)
        return [lane - bias for lane in lanes]

    def _row(self, number: int) -> int:
        start = self._start + number * self.dims
        lanes = bytearray(2 * self.dims)
        lanes[::2] = self._table[start : start + self.dims].translate(_UNSIGNED)
        self._rows[number] = int.from_bytes(lanes, "little")
        return self._rows[number]


def opening(text: str) -> str:
    """Returns the text's first paragraph, at most 600 characters of it."""
    return text[:_OPENING].partition("\n\n")[0]


def _direction(values: Sequence[int], scale: int) -> list[int]:
    """Returns the unit vector of `values` times `scale`, rounded; zeros for zeros."""
    norm = isqrt(sum(map(mul, values, values)) << 8)  # 16 times the length, so that flooring costs nothing
    if not norm:
        return [0] * len(values)
    double, factor = 2 * norm, 32 * scale
    return [(value * factor + norm) // double for value in values]


def _blend(first: Sequence[int], second: Sequence[int]) -> bytes:
    """Returns the vector halfway between two directions."""
    pairs = zip(_direction(first, _FINE), _direction(second, _FINE), strict=True)
    return _bytes(_direction([one + other for one, other in pairs], SCALE))


def _bytes(parts: list[int]) -> bytes:
    """Returns the parts as signed bytes, cut at 127 either way."""
    if parts and (max(parts) > 127 or min(parts) < -127):
        parts = [max(-127, min(127, part)) for part in parts]
    return struct.pack(f"{len(parts)}b", *parts)


class UserModel:
    """A user's own model2vec model, with the methods of `Model` that searching needs."""

    def __init__(self, model: Any, fingerprint: str) -> None:
        self.fingerprint = fingerprint
        self.dims = int(model.dim)
        self._model = model

    def vector(self, text: str) -> bytes:
        """Returns a question's vector, `dims` signed bytes."""
        return _bytes(_direction(self._values(text), SCALE))

    def passage(self, text: str) -> bytes:
        """Returns a note's vector, blended as `Model.passage` does."""
        return _blend(self._values(opening(text)), self._values(text[:READ]))

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
    fingerprint = _folder_digest(folder)
    from model2vec import StaticModel
    from safetensors import SafetensorError

    try:
        model = StaticModel.from_pretrained(folder, force_download=False)
    except (OSError, ValueError, KeyError, SafetensorError) as error:
        raise _unreadable(folder, str(error)) from error
    return UserModel(model, fingerprint)


class _Source(NamedTuple):
    """What a model folder says about itself."""

    config: dict[str, Any]
    start: int
    shape: tuple[int, int]
    size: int


def write_pack(folder: str) -> None:
    """Writes the packed file of the model in `folder`, which `Model.open` reads."""
    content = pack_model(folder)
    with open(os.path.join(folder, PACK), "wb") as file:
        file.write(content)


def pack_model(folder: str) -> bytes:
    """Returns the packed file: a line of JSON with the facts, then the sections it names, one after the other.

    Raises ValueError for a model that is not int8, normalised, one row a WordPiece token.
    """
    from tokenizers import Tokenizer

    source = _source(folder)
    tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
    facts, sections = pack_pieces(tokenizer)
    facts |= {
        "format": _FORMAT,
        "fingerprint": _digest(folder, [_TABLE, "tokenizer.json", "config.json"]),
        "dims": source.shape[1],
        "start": source.start,
        "table": source.size,
        "tokens": source.config["max_length"],
        "characters": source.config["max_length"] * _median_length(tokenizer.get_vocab()),
        "sections": {name: len(content) for name, content in sections.items()},
    }
    head = json.dumps(facts, sort_keys=False, separators=(",", ":")).encode()
    return head + b"\n" + b"".join(sections.values())


def _median_length(vocabulary: Iterable[str]) -> int:
    """Returns the median piece length, by which model2vec cuts characters before it cuts tokens."""
    from statistics import median

    return int(median(map(len, vocabulary)))


def _source(folder: str) -> _Source:
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
        config = json.load(file)
    with open(os.path.join(folder, _TABLE), "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        tensors = json.loads(file.read(length))
        size = file.seek(0, os.SEEK_END)
    if list(tensors) != ["embeddings"] or tensors["embeddings"]["dtype"] != "I8" or not config["normalize"]:
        raise ValueError("only a normalised int8 table with one row a token can be packed")
    rows, dims = tensors["embeddings"]["shape"]
    return _Source(config, 8 + length + tensors["embeddings"]["data_offsets"][0], (rows, dims), size)


def _facts(folder: str, head: bytes, body: int, table: int) -> dict[str, Any]:
    try:
        facts: dict[str, Any] = json.loads(head)
    except ValueError as error:
        raise _unreadable(folder, f"{PACK} is damaged") from error
    if facts.get("format") != _FORMAT or facts["table"] != table or sum(facts["sections"].values()) != body:
        raise _unreadable(folder, f"{PACK} does not fit {_TABLE}")
    return facts


def _sections(sizes: dict[str, int], body: bytes) -> dict[str, bytes]:
    sections = {}
    start = 0
    for name, size in sizes.items():
        sections[name] = body[start : start + size]
        start += size
    return sections


def _digest(folder: str, names: Iterable[str]) -> str:
    """Returns a digest over the named files' names and contents."""
    digest = hashlib.sha256()
    for name in names:
        with open(os.path.join(folder, name), "rb") as file:
            digest.update(f"{name}\0{hashlib.sha256(file.read()).hexdigest()}\n".encode())
    return digest.hexdigest()


def _folder_digest(folder: str) -> str:
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if entry.is_file())
        return _digest(folder, names)
    except OSError as error:
        raise _unreadable(folder, str(error)) from error


def _unreadable(folder: str, reason: str) -> GitmemError:
    return GitmemError(
        "model_unreadable",
        f"The embedding model in {folder} cannot be read: {reason}.",
        "Name a local model2vec folder with `git config gitmem.model FOLDER`, or unset it to use the shipped model.",
    )

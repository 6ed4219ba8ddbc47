"""Writes a model's packed file, `pack.bin`, which lets the model answer without loading its vocabulary."""

import json
import os
import struct
from collections.abc import Iterable

from gitmem.search.embed import FORMAT, PACK, TABLE, digest
from gitmem.search.wordpiece import HANGUL, IDEOGRAPHS
from gitmem.values import Any, NamedTuple


class _Source(NamedTuple):
    """What a model folder says about itself."""

    config: dict[str, Any]  # Any: json.loads gives nothing better
    start: int
    shape: tuple[int, int]
    size: int


def write_pack(folder: str) -> None:
    """Writes the packed file of the model in `folder`, which `Model.open` reads; after a change of its other files, with

    python -c "from gitmem.search.packing import write_pack; write_pack('gitmem/model')"
    """
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
    facts, sections = _pack_tokenizer(tokenizer)
    facts |= {
        "format": FORMAT,
        "digest": digest(folder, [TABLE, "tokenizer.json", "config.json"]),
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
    with open(os.path.join(folder, TABLE), "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        tensors = json.loads(file.read(length))
        size = file.seek(0, os.SEEK_END)
    if list(tensors) != ["embeddings"] or tensors["embeddings"]["dtype"] != "I8" or not config["normalize"]:
        raise ValueError("only a normalised int8 table with one row a token can be packed")
    rows, dims = tensors["embeddings"]["shape"]
    return _Source(config, 8 + length + tensors["embeddings"]["data_offsets"][0], (rows, dims), size)


def _pack_tokenizer(tokenizer: Any) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Returns the facts and the byte sections that `Pieces` reads, from a `tokenizers.Tokenizer`.

    Raises ValueError for a tokenizer of another kind. `Any` because tokenizers ships no complete types.
    """
    description = json.loads(tokenizer.to_str())
    model = description["model"]
    kinds = (model["type"], description["normalizer"]["type"], description["pre_tokenizer"]["type"])
    if kinds != ("WordPiece", "BertNormalizer", "BertPreTokenizer"):
        raise ValueError(f"a {'/'.join(kinds)} tokenizer cannot be packed")
    facts = {
        "special": {token["content"]: token["id"] for token in description["added_tokens"]},
        "unknown": model["vocab"][model["unk_token"]],
        "word": model["max_input_chars_per_word"],
        "piece": max(map(len, model["vocab"])),
    }
    return facts, {**_pack_vocabulary(model["vocab"]), "characters": _pack_characters(tokenizer)}


def _pack_vocabulary(vocabulary: dict[str, int]) -> dict[str, bytes]:
    pieces = sorted((piece.encode(), number) for piece, number in vocabulary.items())
    offsets = [0]
    for piece, _ in pieces:
        offsets.append(offsets[-1] + len(piece) + 1)
    return {
        "offsets": struct.pack(f"<{len(offsets)}I", *offsets),
        "ids": struct.pack(f"<{len(pieces)}I", *(number for _, number in pieces)),
        "text": b"\n".join(piece for piece, _ in pieces),
    }


def _pack_characters(tokenizer: Any) -> bytes:
    """Returns JSON of what the tokenizer does to every code point beyond ASCII that no rule of this module covers."""
    codes = [code for code in range(128, 0x110000) if not 0xD800 <= code < 0xE000]
    alone = _alone(tokenizer, codes)
    normal = _normal(tokenizer, codes)
    changed = [code for code in codes if normal[code] != chr(code) or chr(code) in alone]
    removed = [code for code in changed if not normal[code]]
    mapped = {}
    for code in changed:
        ruled = code in HANGUL or any(code in block for block in IDEOGRAPHS)
        if normal[code] and not ruled:
            mapped[chr(code)] = "".join(f" {char} " if char in alone else char for char in normal[code])
    tables = {"removed": _ranges(removed), "mapped": mapped}
    return json.dumps(tables, ensure_ascii=False, separators=(",", ":")).encode()


def _alone(tokenizer: Any, codes: list[int]) -> set[str]:
    """Returns the characters that the splitter makes words of their own."""
    text = "x".join(map(chr, [*range(33, 127), *codes]))
    split = tokenizer.pre_tokenizer.pre_tokenize_str(f"x{text}x")
    return {word for word, _ in split if len(word) == 1 and word != "x"}


def _normal(tokenizer: Any, codes: list[int]) -> dict[int, str]:
    """Returns each code point's normal form; the bar between them is ASCII and stays."""
    texts = tokenizer.normalizer.normalize_str("|".join(map(chr, codes))).split("|")
    return dict(zip(codes, texts, strict=True))


def _ranges(codes: list[int]) -> list[list[int]]:
    """Returns the sorted codes as [first of each run], [last of each run]."""
    firsts = [code for code, before in zip(codes, [-1, *codes], strict=False) if code != before + 1]
    lasts = [code for code, after in zip(codes, [*codes[1:], -1], strict=True) if code != after - 1]
    return [firsts, lasts]

"""The plain front matter that most notes have, read without loading a YAML library."""

import re

from gitmem.notes.literal import INDICATORS, NULLS, UNPRINTABLE
from gitmem.notes.value import Value

_KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_-]{0,63}):(?: +(.*))?")
_ITEM = re.compile(r"( *)-( +)(.*)")
_QUOTED = re.compile(r"""(?:"([^"\\]*)"|'([^']*)')(?: +#.*| *)""")
_FLOW_LIST = re.compile(r"\[([^\[\]{}#]*)\](?: +#.*| *)")
_FLOW_MAP = re.compile(r"\{([^\[\]{}#]*)\}(?: +#.*| *)")
_FLOW_QUOTED = re.compile(r"""(["'])([^"'\\]*)\1""")
_FLOW_COLON = re.compile(r":(?![\w/:])")


class _Doubt(Exception):
    """The text is outside the subset; YAML has to decide."""


def read(front: str, first_line: int) -> tuple[dict[str, Value], dict[str, int]] | None:
    """Returns the fields and the line of each key, or None where only a YAML parser can tell.

    `front` is the text between the fences with `\\n` line ends; its first line has the number `first_line`.
    """
    if UNPRINTABLE.search(front):
        return None
    try:
        return _read(front.split("\n"), first_line)
    except _Doubt:
        return None


def _read(rows: list[str], first_line: int) -> tuple[dict[str, Value], dict[str, int]]:
    fields: dict[str, Value] = {}
    lines: dict[str, int] = {}
    at, end = 0, len(rows)
    while at < end:
        match = _KEY.fullmatch(rows[at])
        if match is None:
            _expect_silence(rows[at])
            at += 1
            continue
        key, text = match.groups()
        if key in lines:
            raise _Doubt
        lines[key] = first_line + at
        if text and text[0] not in "#|>":
            fields[key] = _value(text)
            at += 1
        elif text and text[0] != "#":
            fields[key], at = _block_scalar(rows, at + 1, text)
        else:
            fields[key], at = _block_list(rows, at + 1)
    return fields, lines


def _value(text: str) -> Value:
    first = text[0]
    if first not in INDICATORS:
        return _plain(text)
    if first in "\"'":
        match = _QUOTED.fullmatch(text)
        if match is None:
            raise _Doubt
        return match[1] if match[1] is not None else match[2]
    if first == "[":
        return _flow_list(text)
    if first == "{":
        return _flow_map(text)
    raise _Doubt


def _plain(text: str) -> str | None:
    if " #" in text:
        text = text[: text.index(" #")]
    text = text.rstrip(" ")
    if ": " in text or text[-1] == ":":
        raise _Doubt
    return None if text in NULLS else text


def _flow_list(text: str) -> Value:
    match = _FLOW_LIST.fullmatch(text)
    if match is None:
        raise _Doubt
    inner = match[1]
    return [_flow_item(piece.strip(" ")) for piece in inner.split(",")] if inner.strip(" ") else []


def _flow_map(text: str) -> Value:
    match = _FLOW_MAP.fullmatch(text)
    if match is None:
        raise _Doubt
    pairs: dict[str, Value] = {}
    for piece in match[1].split(","):
        pair = _KEY.fullmatch(piece.strip(" "))
        if pair is None or not pair[2] or pair[1] in pairs:
            raise _Doubt
        pairs[pair[1]] = _flow_item(pair[2])
    return pairs


def _flow_item(text: str) -> str | None:
    if not text or "?" in text:
        raise _Doubt
    if text[0] in "\"'":
        match = _FLOW_QUOTED.fullmatch(text)
        if match is None:
            raise _Doubt
        return match[2]
    if text[0] in INDICATORS or (":" in text and _FLOW_COLON.search(text)):
        raise _Doubt
    return None if text in NULLS else text


def _block_list(rows: list[str], at: int) -> tuple[Value, int]:
    """Returns the list that follows an empty key, or None for no list, and the row after it."""
    elements: list[Value] = []
    indent = None
    while at < len(rows):
        match = _ITEM.fullmatch(rows[at])
        if match is None:
            if rows[at].startswith(" ") or not rows[at]:
                _expect_silence(rows[at])
            elif rows[at][0] != "#":
                break
            at += 1
            continue
        margin, gap, text = match.groups()
        if indent is None:
            indent = margin
        if margin != indent or not text:
            raise _Doubt
        element, at = _block_item(rows, at, text, len(margin) + 1 + len(gap))
        elements.append(element)
    return elements or None, at


def _block_item(rows: list[str], at: int, text: str, column: int) -> tuple[Value, int]:
    pair = _KEY.fullmatch(text)
    if pair is None:
        return _value(text), at + 1
    pairs: dict[str, Value] = {}
    margin = " " * column
    while pair is not None:
        if not pair[2] or pair[1] in pairs:
            raise _Doubt
        pairs[pair[1]] = _value(pair[2])
        at += 1
        inside = at < len(rows) and rows[at].startswith(margin)
        pair = _KEY.fullmatch(rows[at], column) if inside else None
    return pairs, at


def _block_scalar(rows: list[str], at: int, header: str) -> tuple[str, int]:
    if header not in ("|", "|-", ">", ">-"):
        raise _Doubt
    start = at
    while at < len(rows) and rows[at][:1] in ("", " "):
        at += 1
    block = rows[start:at]
    while block and not block[-1]:
        block.pop()
    width = len(block[0]) - len(block[0].lstrip(" ")) if block else 0
    margin = " " * width
    if not width or not all(not row or (row.startswith(margin) and row[-1] != " ") for row in block):
        raise _Doubt
    texts = [row[width:] for row in block]
    if header[0] == ">" and any(not text or text[0] == " " for text in texts):
        raise _Doubt
    joined = ("\n" if header[0] == "|" else " ").join(texts)
    return (joined if header.endswith("-") else joined + "\n"), at


def _expect_silence(row: str) -> None:
    """Passes over an empty line or a comment; anything else is outside the subset."""
    if row.lstrip(" ")[:1] not in ("", "#"):
        raise _Doubt

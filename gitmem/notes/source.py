"""A note's bytes as text, what is wrong with them, and where the fences of its front matter stand."""

import re
from collections.abc import Iterator

from gitmem.errors import GitmemError, Problem
from gitmem.notes import prose
from gitmem.values import NamedTuple

_OPEN = re.compile(r"(?:[ \t]*\n)*---[ \t]*(?:\n|\Z)")
_CLOSE = re.compile(r"^---[ \t]*(?:\n|\Z)", re.MULTILINE)
_CONFLICT = re.compile(r"(?:<{7}|>{7}|\|{7})(?: |$)")
_MIDDLE = "=" * 7
# What stands before each line of theirs in a front matter where a merge let ours stand.
THEIRS = "# theirs: "
# The codes of what a merge left of two sides that nobody has settled.
UNSETTLED = ("conflict-markers", "unsettled")
_SAVE_AS = "Save the file as UTF-8."


class Fences(NamedTuple):
    """Where the front matter and the body lie in a text with `\\n` line ends, as offsets and 1-based lines."""

    front: int
    front_end: int
    body: int
    front_line: int
    body_line: int


def decode(data: bytes, path: str) -> tuple[str, list[Problem]]:
    """Returns the text with `\\n` line ends and no byte-order mark, and what is wrong with its bytes.

    Bytes that are no text read as U+FFFD.
    """
    problems: list[Problem] = []
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        text, problem = _decode_invalid(data, error.start, path)
        problems.append(problem)
    if "\0" in text:
        text, problem = _decode_nul(data, text, path)
        problems.append(problem)
    return normalised(text.removeprefix("\ufeff")), problems


def encode(text: str) -> bytes:
    """Returns the text as UTF-8; raises invalid-utf8 for a lone surrogate, which no file can hold."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        message = f"The text holds U+{ord(text[error.start]):04X}, which is half a character."
        raise GitmemError("invalid-utf8", message, "Pass the text as valid UTF-8.") from error


def normalised(text: str) -> str:
    """Returns the text with every line end as `\\n`."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def fences(text: str) -> Fences | None:
    """Returns where front matter and body lie, or None where a fence is missing."""
    opening = _OPEN.match(text)
    closing = _CLOSE.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        return None
    front = opening.end()
    front_line = text.count("\n", 0, front) + 1
    body_line = front_line + text.count("\n", front, closing.end())
    empty_line = text.startswith("\n", closing.end())
    return Fences(front, closing.start(), closing.end() + empty_line, front_line, body_line + empty_line)


def unclosed(text: str, path: str) -> list[Problem]:
    """Returns the problem of a front matter that is opened and never closed."""
    opening = _OPEN.match(text)
    if opening is None:
        return []
    line = text.count("\n", 0, text.index("---")) + 1
    message = "The front matter opens with --- and is never closed."
    return [Problem(path, line, "unclosed-front-matter", "error", message, "Add a line --- below the last field.")]


def conflicts(text: str, first_line: int, path: str, *, markdown: bool = True) -> list[Problem]:
    """Returns a problem for the first conflict marker.

    In markdown, those in fenced code count only where they make a whole conflict, as Git writes one.
    """
    if "<<<<<<<" not in text and ">>>>>>>" not in text:
        return []
    rows = prose.lines(text) if markdown else enumerate(text.split("\n"), 1)
    bare = next((number for number, row in rows if _CONFLICT.match(row)), 0)
    whole = next((start for start, _ in hunks(text)), bare)
    if not whole:
        return []
    line = first_line + min(bare or whole, whole) - 1
    hint = "Run gitmem resolve-conflicts, or settle the conflict by hand."
    hint += "" if bare else " A space before each marker makes it an example."
    return [Problem(path, line, "conflict-markers", "error", f"Line {line} is a conflict marker.", hint)]


def hunks(text: str) -> Iterator[tuple[int, int]]:
    """Yields the first and last line, from 1, of each conflict whose markers pair up, in fenced code as anywhere.

    One with nothing on either side is none: Git writes no such conflict, but whoever explains conflicts may.
    """
    start = middle = 0
    for number, row in enumerate(text.split("\n"), 1):
        if row == _MIDDLE and start and not middle:
            middle = number
        elif _CONFLICT.match(row) and row[0] == "<":
            start, middle = number, 0
        elif _CONFLICT.match(row) and row[0] == ">":
            if middle and number - start > 2:
                yield start, number
            start = middle = 0


def leftovers(front: str, first_line: int, path: str) -> list[Problem]:
    """Returns a warning for each field of which a merge has left both sides in the front matter."""
    if THEIRS not in front:
        return []
    rows = enumerate(front.split("\n"), first_line)
    said = [(line, row.removeprefix(THEIRS)) for line, row in rows if row.startswith(THEIRS)]
    return [
        Problem(path, line, "unsettled", "warning", _both_changed(text), "Keep what is true, and delete the comment.")
        for line, text in said
        if text[:1] not in (" ", "-", "")
    ]


def _both_changed(text: str) -> str:
    field = text.removeprefix("(no ").partition(":")[0].removesuffix(")")
    return f"Both sides of a merge changed {field}: ours stands, theirs is kept in this comment."


def _decode_invalid(data: bytes, at: int, path: str) -> tuple[str, Problem]:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return _decode_utf16(data, "utf-16", path)
    line = data.count(b"\n", 0, at) + 1
    message = f"Line {line} holds a byte that is not valid UTF-8."
    return data.decode("utf-8", "replace"), Problem(path, line, "invalid-utf8", "error", message, _SAVE_AS)


def _decode_nul(data: bytes, text: str, path: str) -> tuple[str, Problem]:
    for start, codec in ((1, "utf-16-le"), (0, "utf-16-be")):
        if data[start::2].count(0) > len(data) // 4:
            return _decode_utf16(data, codec, path)
    line = text.count("\n", 0, text.index("\0")) + 1
    problem = Problem(path, line, "nul", "error", f"Line {line} holds a NUL character.", "Delete the character.")
    return text.replace("\0", "\ufffd"), problem


def _decode_utf16(data: bytes, codec: str, path: str) -> tuple[str, Problem]:
    text = data.decode(codec, "replace").replace("\0", "\ufffd")
    return text, Problem(path, 1, "utf-16", "error", "The file is UTF-16, not UTF-8.", _SAVE_AS)

"""Edits to single entries of a front matter's lines that leave every other byte alone."""

import re

from gitmem.notes.literal import FIELDS, entry, inline, item, key_text, quoted
from gitmem.notes.value import Value
from gitmem.values import NamedTuple

_DASH = re.compile(r"( *)-(?: |$)")
_COMMENT = re.compile(r"[ \t]+#[^\r\n]*")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


class Element(NamedTuple):
    """One element of a block list: its value, its first line (comments above it included, but for the first element)
    and its last.
    """

    value: Value
    first: int
    last: int


class Part(NamedTuple):
    """One key and its value as they stand: 0-based lines of the front matter, columns in characters.

    `form` is plain, ', ", flow or block; `first`, `start` and `last`, `end` bound the value; `elements` are those of
    a block list.
    """

    key: str
    key_line: int
    indent: int
    colon: int
    form: str
    first: int
    start: int
    last: int
    end: int
    elements: tuple[Element, ...]


def split_lines(text: str) -> list[str]:
    """Returns the lines with their ends, which may be CRLF, LF and CR in one file."""
    return _LINE.findall(text)


def line_end(line: str) -> str:
    """Returns the line's end, or an empty string."""
    return line[len(line.rstrip("\r\n")) :]


def replace(lines: list[str], part: Part, value: Value) -> list[str]:
    """Returns the lines with another value for the part."""
    if isinstance(value, list) and value and part.elements:
        rows = _merged_elements(lines, part, value)
        return [*lines[: part.first], *rows, *lines[part.last + 1 :]]
    rows = _entry_rows(part, value)
    head = lines[part.key_line][: part.colon]
    if part.form == "block":
        tail, kept = _comment(lines[part.key_line], part), lines[part.key_line + 1 : part.first]
    else:
        tail, kept = lines[part.last][part.end :], []
    if kept and isinstance(value, str):  # comments below the colon would become lines of a text block
        rows = [f" {inline(value, part.key)}"]
    end = line_end(lines[part.key_line])
    opening = head + rows[0] + (tail if tail.strip("\r\n") else end)
    added = [f"{' ' * part.indent if row else ''}{row}{end}" for row in rows[1:]]
    return [*lines[: part.key_line], opening, *kept, *added, *lines[part.last + 1 :]]


def remove(lines: list[str], part: Part) -> list[str]:
    """Returns the lines without the part; comments above it stay."""
    return [*lines[: part.key_line], *lines[part.last + 1 :]]


def rename(lines: list[str], at: int, old: str, new: str) -> list[str]:
    """Returns the lines with another key on the line `at`, 0-based; as they were where that does not begin with the old one."""
    pattern = rf"^(\ufeff?[ \t]*[\"']?){re.escape(old)}([\"']?[ \t]*:)"
    line = re.sub(pattern, lambda match: match[1] + new + match[2], lines[at])
    return [*lines[:at], line, *lines[at + 1 :]]


def insert(lines: list[str], parts: list[Part], key: str, value: Value, end: str) -> list[str]:
    """Returns the lines with a new entry after the nearest field that the usual order puts before it, or at the end.

    `end` is the line end to use where there is no line to take it from.
    """
    before = _predecessor(parts, key)
    at = before.last + 1 if before else len(lines)
    end = line_end(lines[at - 1]) if at else end
    indent = " " * parts[0].indent if parts else ""
    added = [f"{indent if row else ''}{row}{end}" for row in entry(key, value)]
    return [*lines[:at], *added, *lines[at:]]


def _predecessor(parts: list[Part], key: str) -> Part | None:
    if key not in FIELDS:
        return None
    order = {field: number for number, field in enumerate(FIELDS[: FIELDS.index(key)])}
    known = [part for part in parts if part.key in order]
    return max(known, key=lambda part: order[part.key]) if known else None


def _entry_rows(part: Part, value: Value) -> list[str]:
    """Returns what follows the colon, and the lines below, in the part's own form where the value can have it."""
    if part.form in ("'", '"') and isinstance(value, str) and "\n" not in value:
        return [f" {quoted(value, part.form)}"]
    if part.form == "flow" and isinstance(value, list):
        return [f" {inline(value)}"]
    if part.form == "block" and isinstance(value, list) and value:
        return ["", *(f"  {row}" for element in value for row in item(element))]
    opening, *rows = entry(part.key, value)
    return [opening[len(key_text(part.key)) + 1 :], *rows]


def _comment(line: str, part: Part) -> str:
    match = _COMMENT.search(line, part.colon)
    return match.group() + line_end(line) if match else ""


def _merged_elements(lines: list[str], part: Part, value: list[Value]) -> list[str]:
    """Returns the lines of a block list, those of elements that stay being taken as they are."""
    dash = _DASH.match(lines[part.first])
    indent, end = dash[1] if dash else "", line_end(lines[part.first])
    left = list(part.elements)
    rows: list[str] = []
    for wanted in value:
        same = next((element for element in left if element.value == wanted), None)
        if same is None:
            rows.extend(f"{indent}{row}{end}" for row in item(wanted))
        else:
            left.remove(same)
            rows.extend(lines[same.first : same.last + 1])
    return rows


def replace_body(tail: list[str], body: str) -> list[str]:
    """Returns the lines from the closing fence on, or from the start of a file without one, with another body.

    The body takes the line ends that the old one mostly has, and ends without one where the old one does.
    """
    fence = [line for line in tail[:1] if line.rstrip(" \t\r\n") == "---"]
    old = tail[len(fence) :]
    empty = [line for line in old[:1] if fence and not line.strip("\r\n")]
    ends = [line_end(line) for line in tail if line_end(line)] or ["\n"]
    end = max(sorted(set(ends)), key=ends.count)
    if fence and not line_end(fence[0]):
        fence = [fence[0] + end]
    if not body:
        return fence
    open_ended = len(old) > len(empty) and not line_end(old[-1]) and not body.endswith("\n")
    margin = empty or ([end] if fence and (not old or body.startswith("\n")) else [])
    return [*fence, *margin, body.replace("\n", end) + ("" if open_ended else end)]

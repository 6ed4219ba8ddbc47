"""JSON with comments and trailing commas, changed member by member, every other byte as it was."""

import json
import re
from collections.abc import Sequence

from gitmem.values import Any, NamedTuple

DEEPEST = 200
_GAP = r"(?:[\s\ufeff]|//[^\n]*|/\*.*?\*/)*"
_STRING = r'"(?:[^"\\\x00-\x1f]|\\.)*"'
_WORD = r"-?[0-9][0-9eE+.\-]*|true|false|null"
# What may stand behind a member on its line.
_BESIDE = r"(?:[ \t]*(?://[^\n\r]*|/\*[^\n\r]*?\*/))*"


class Node(NamedTuple):
    """A value and where it stands, from start up to end; parts are the members of an object or the items of an array."""

    kind: str
    start: int
    end: int
    value: Any  # of what is neither object nor array: what json.loads says
    parts: tuple["Part", ...] = ()


class Part(NamedTuple):
    """A member or an item: its key (empty for an item), where it begins, and its value."""

    key: str
    start: int
    node: Node


class _Style(NamedTuple):
    unit: str
    newline: str


def parse(text: str) -> Node:
    """Returns the one value of a text; raises ValueError with the line where it is not JSON."""
    node = _value(text, _past_gap(text, 0), 0)
    if _past_gap(text, node.end) != len(text):
        raise _fault(text, _past_gap(text, node.end), "there is more behind its end")
    return node


def plain(node: Node) -> Any:
    """Returns what json.loads would have returned; of a key that stands twice the last holds."""
    if node.kind == "object":
        return {part.key: plain(part.node) for part in node.parts}
    return [plain(part.node) for part in node.parts] if node.kind == "array" else node.value


def at(node: Node, path: Sequence[str]) -> Node | None:
    """Returns the value at a path of keys, None where there is none."""
    for key in path:
        found = [part.node for part in node.parts if node.kind == "object" and part.key == key]
        if not found:
            return None
        node = found[-1]
    return node


def put(text: str, path: Sequence[str], value: object) -> str:
    """Returns a text with a member added where none is; the objects on the way to it are made where they are missing.

    Raises ValueError where something else than an object stands on the way.
    """
    return _added(text, path[:-1], path[-1], value)


def append(text: str, path: Sequence[str], value: object) -> str:
    """Returns a text with an item added to the array at a path, which is made where it is missing."""
    node = at(parse(text), path)
    if node is None:
        return put(text, path, [value])
    if node.kind != "array":
        raise ValueError(f"{'.'.join(path)} is no array")
    return _insert(text, node, "", value)


def drop(text: str, path: Sequence[str], places: Sequence[int] = ()) -> str:
    """Returns a text without the member at a path, or without some items of the array there."""
    root = parse(text)
    if not places:
        above = at(root, path[:-1])
        here = [place for place, part in enumerate(above.parts) if part.key == path[-1]] if above else []
        return _without(text, above, here[-1]) if above and here else text
    for place in sorted(places, reverse=True):
        node = at(parse(text), path)
        if node:
            text = _without(text, node, place)
    return text


# Reading


def _value(text: str, start: int, depth: int) -> Node:
    if depth > DEEPEST:
        raise _fault(text, start, "it is nested too deep")
    if text[start : start + 1] in ("{", "["):
        return _parts(text, start, depth, "object" if text[start] == "{" else "array")
    found = re.compile(f"{_STRING}|{_WORD}").match(text, start)
    try:
        return Node("value", start, found.end(), json.loads(found[0])) if found else _refuse(text, start)
    except json.JSONDecodeError as error:
        raise _fault(text, start, "that is no value") from error


def _refuse(text: str, start: int) -> Node:
    raise _fault(text, start, "a value is missing")


def _parts(text: str, start: int, depth: int, kind: str) -> Node:
    close = "}" if kind == "object" else "]"
    parts: list[Part] = []
    here = _past_gap(text, start + 1)
    while text[here : here + 1] != close:
        part = _part(text, here, depth, keyed=kind == "object")
        parts.append(part)
        here = _past_gap(text, part.node.end)
        if text[here : here + 1] == ",":
            here = _past_gap(text, here + 1)
        elif text[here : here + 1] != close:
            raise _fault(text, here, f"a comma or {close} is missing")
    return Node(kind, start, here + 1, None, tuple(parts))


def _part(text: str, start: int, depth: int, *, keyed: bool) -> Part:
    if not keyed:
        return Part("", start, _value(text, start, depth + 1))
    found = re.compile(_STRING).match(text, start)
    colon = _past_gap(text, found.end()) if found else start
    if not found or text[colon : colon + 1] != ":":
        raise _fault(text, start, "a key is missing")
    return Part(json.loads(found[0]), start, _value(text, _past_gap(text, colon + 1), depth + 1))


def _past_gap(text: str, start: int) -> int:
    found = re.compile(_GAP, re.DOTALL).match(text, start)
    return found.end() if found else start


def _fault(text: str, place: int, why: str) -> ValueError:
    line = text.count("\n", 0, place) + 1
    return ValueError(f"line {line}: {why}")


# Adding


def _added(text: str, way: Sequence[str], key: str, value: object) -> str:
    root = parse(text)
    for count in range(len(way), -1, -1):
        node = at(root, way[:count])
        if node is None:
            continue
        if node.kind != "object":
            raise ValueError(f"{'.'.join(way[:count]) or 'the whole'} is no object")
        for above in reversed(way[count:]):
            key, value = above, {key: value}
        return _insert(text, node, key, value)
    return text


def _insert(text: str, node: Node, key: str, value: object) -> str:
    """Returns a text with one part more at the end of an object or array, in the manner of the parts that are there."""
    style, close = _style(text), node.end - 1
    outer = _indent(text, node.start)
    inner = _indent(text, node.parts[0].start) if node.parts else outer + style.unit
    if not node.parts:
        kept = text[node.start + 1 : close].rstrip()
        return (
            text[: node.start + 1] + kept + style.newline + inner + _rendered(key, value, inner, style)
            + style.newline + outer + text[close:]
        )  # fmt: skip
    last = node.parts[-1].node.end
    comma = _comma(text, last)
    spread = "\n" in text[node.start : node.parts[0].start]
    part = _rendered(key, value, inner, style) if spread else _rendered(key, value, None, style)
    head = text[:last] + "," if comma is None else text[: comma + 1]
    rest = last if comma is None else comma + 1
    beside = re.compile(_BESIDE).match(text, rest)
    end = beside.end() if beside and spread else rest
    between = style.newline + inner if spread else " "
    return head + text[rest:end] + between + part + ("," if comma is not None else "") + text[end:]


def _comma(text: str, start: int) -> int | None:
    here = _past_gap(text, start)
    return here if text[here : here + 1] == "," else None


def _rendered(key: str, value: object, indent: str | None, style: _Style) -> str:
    """Returns a part as text, over lines that begin with an indent, or on one line."""
    head = f"{json.dumps(key, ensure_ascii=False)}: " if key else ""
    if indent is None:
        return head + json.dumps(value, ensure_ascii=False)
    body = json.dumps(value, ensure_ascii=False, indent=style.unit)
    return head + body.replace("\n", style.newline + indent)


def _style(text: str) -> _Style:
    found = re.search(r"\n([ \t]+)\S", text)
    return _Style(found[1] if found else "  ", "\r\n" if "\r\n" in text else "\n")


def _indent(text: str, place: int) -> str:
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip(" \t"))]


# Taking away


def _without(text: str, node: Node, place: int) -> str:
    """Returns a text without one part, the comma that parted it from the next, or from the one before if it is the last."""
    part = node.parts[place]
    comma, start, end = _comma(text, part.node.end), part.start, part.node.end
    end = end if comma is None else comma + 1
    alone = text[end:].lstrip(" \t").startswith(("\n", "\r\n"))
    start = _line_start(text, start) if alone else start
    if comma is None and place:
        before = _comma(text, node.parts[place - 1].node.end) or 0
        text, start, end = text[:before] + text[before + 1 :], start - 1, end - 1
        start -= len(text[:start]) - len(text[:start].rstrip(" ")) if not alone else 0
    elif not alone:
        end += len(text[end:]) - len(text[end:].lstrip(" "))
    left = text[:start] + text[end:]
    empty = re.compile(r"([{\[])\s*([}\]])").match(left, node.start)
    return left[: node.start] + empty[1] + empty[2] + left[empty.end() :] if empty else left


def _line_start(text: str, place: int) -> int:
    """Returns where the line break before a place begins if nothing but its indent stands between, else the place."""
    line = text.rfind("\n", 0, place)
    if line < 0 or text[line + 1 : place].strip(" \t"):
        return place
    return line - 1 if text[line - 1 : line] == "\r" else line

"""Parts: what gitmem puts into files that others own, each with the way in and the way out."""

import re
from collections.abc import Callable, Mapping, Sequence

from gitmem.operations import jsonc
from gitmem.values import Any, NamedTuple

NAME = "gitmem"
CALL = "gitmem agent-hook "  # by which our own hooks are told
BEGIN, END = "gitmem: begin", "gitmem: end"
WRITTEN = "written by gitmem setup, taken out by gitmem setup AGENT --remove"
OWN_FILE = "<!-- Written by gitmem setup ({digits}); gitmem setup AGENT --remove takes it away. -->"


class Part(NamedTuple):
    """One part of a file. Both take the text of the file and return what it becomes; twice is once.

    put raises ValueError with the reason where the file does not hold what it must; holds tells whether what stands
    there is ours, so that nobody else's is overwritten unsaid.
    """

    put: Callable[[str], str]
    take: Callable[[str], str]
    holds: Callable[[str], bool]


def like(text: str, ours: str) -> str:
    """Returns our lines with the line ends that most lines of a text have."""
    return ours.replace("\n", "\r\n") if text.count("\r\n") * 2 > text.count("\n") else ours


# Lines between markers


def block(lines: str, marks: tuple[str, str] = ("<!-- ", " -->")) -> Part:
    """Returns the part that is some lines between two markers, at the end of a file that has none yet."""
    head, tail = f"{marks[0]}{BEGIN} ({WRITTEN}){marks[1]}", f"{marks[0]}{END}{marks[1]}"
    whole = f"{head}\n{lines.strip()}\n{tail}\n"

    def put(text: str) -> str:
        ours, found = like(text, whole), _blocks(text, marks)
        if not found:
            return _ended(text) + ours
        start, end = found[0]
        return text[:start] + ours + take(text[end:])

    def take(text: str) -> str:
        for start, end in reversed(_blocks(text, marks)):
            before, rest = text[:start], text[end:]
            for gap in ("\r\n\r\n", "\n\n"):  # the empty line that parted our lines from those above
                before = before[: -len(gap) // 2] if not rest and before.endswith(gap) else before
            text = before + rest
        return text

    return Part(put, take, lambda text: like(text, whole) in text)


def _ended(text: str) -> str:
    """Returns a text that ends in an empty line, unless it is empty."""
    if not text.strip("\ufeff"):
        return text
    line = like(text, "\n")
    return text + (line if text.endswith("\n") else line * 2)


def _blocks(text: str, marks: tuple[str, str]) -> list[tuple[int, int]]:
    """Returns where our blocks begin and end, lines counted whole; raises ValueError where one does not end."""
    found = []
    here = 0
    while opening := re.compile(rf"^{re.escape(marks[0] + BEGIN)}[^\n]*\n?", re.MULTILINE).search(text, here):
        closing = re.compile(rf"^{re.escape(marks[0] + END)}[^\n]*\n?", re.MULTILINE).search(text, opening.end())
        if closing is None:
            line = text.count("\n", 0, opening.start()) + 1
            raise ValueError(f"line {line}: a block of gitmem begins that does not end")
        found.append((opening.start(), closing.end()))
        here = closing.end()
    return found


def toml_table(table: str, values: Mapping[str, object]) -> Part:
    """Returns the part that is one table at the end of a TOML file, between markers that are comments."""
    import json

    lines = "\n".join(f"{key} = {json.dumps(value)}" for key, value in values.items())
    inner = block(f"[{table}]\n{lines}", ("# ", ""))

    def put(text: str) -> str:
        outside = inner.take(text)
        known: Any = toml(outside)  # what TOML holds
        for word in table.split("."):
            known = known.get(word) if isinstance(known, dict) else None
        if known is not None:
            return outside
        after = inner.put(text)
        toml(after)
        return after

    return Part(put, inner.take, inner.holds)


def toml(text: str) -> dict[str, Any]:  # Any: what TOML holds
    """Returns the tables of a TOML file; raises ValueError for what is none."""
    import tomllib

    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(str(error)) from error
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error


# Members of JSON


def member(path: Sequence[str], value: object) -> Part:
    """Returns the part that is one member of a JSON file; one that is there already stays as it is."""

    def put(text: str) -> str:
        text = text if text.strip("\ufeff \t\r\n") else text + "{}\n"
        return text if jsonc.at(jsonc.parse(text), path) else jsonc.put(text, path, value)

    def take(text: str) -> str:
        return _pruned(jsonc.drop(text, path), path[:-1]) if holds(text) else text

    def holds(text: str) -> bool:
        node = jsonc.at(jsonc.parse(text), path) if text.strip("\ufeff \t\r\n") else None
        return node is not None and jsonc.plain(node) == value

    return Part(put, take, holds)


def hooks(wanted: Mapping[str, object]) -> Part:
    """Returns the part that is our hooks in a JSON file, by event; those of others stay as they are."""

    def put(text: str) -> str:
        text = text if text.strip("\ufeff \t\r\n") else text + "{}\n"
        for event, entry in wanted.items():
            path = ("hooks", event)
            ours = _ours(text, path)
            if [jsonc.plain(node) for _, node in ours] != [entry]:
                text = jsonc.drop(text, path, [place for place, _ in ours]) if ours else text
                text = jsonc.append(text, path, entry)
        return text

    def take(text: str) -> str:
        for event in _events(text):
            path = ("hooks", event)
            ours = _ours(text, path)
            if ours:
                text = _pruned(jsonc.drop(text, path, [place for place, _ in ours]), path)
        return text

    def holds(text: str) -> bool:
        return all([jsonc.plain(node) for _, node in _ours(text, ("hooks", each))] == [wanted[each]] for each in wanted)

    return Part(put, take, holds)


def _events(text: str) -> list[str]:
    node = jsonc.at(jsonc.parse(text), ("hooks",)) if text.strip("\ufeff \t\r\n") else None
    return list(dict.fromkeys(part.key for part in node.parts)) if node and node.kind == "object" else []


def _ours(text: str, path: Sequence[str]) -> list[tuple[int, jsonc.Node]]:
    """Returns the items of an event that call us and nothing else, each with its place."""
    node = jsonc.at(jsonc.parse(text), path)
    items = node.parts if node and node.kind == "array" else ()
    return [(place, part.node) for place, part in enumerate(items) if _calls_us(jsonc.plain(part.node))]


def _calls_us(entry: Any) -> bool:  # Any: what a file holds
    if not isinstance(entry, dict):
        return False
    inner = entry.get("hooks")
    if isinstance(inner, list):
        return bool(inner) and all(_calls_us(each) for each in inner)
    return CALL in str(entry.get("command", ""))


def _pruned(text: str, path: Sequence[str]) -> str:
    """Returns a text without the objects and arrays on a path that nothing is left in."""
    for count in range(len(path), 0, -1):
        node = jsonc.at(jsonc.parse(text), path[:count])
        if node is None or node.parts or node.kind == "value":
            return text
        text = jsonc.drop(text, path[:count])
    return text


# Whole files


def own_file(text: str) -> Part:
    """Returns the part that is a whole file; one that somebody else wrote, or changed since, stays as it is."""
    import hashlib

    digits = hashlib.sha256(text.encode()).hexdigest()[:7]
    whole = text.rstrip("\n") + "\n\n" + OWN_FILE.format(digits=digits) + "\n"
    return Part(
        lambda found: whole if not found or is_own(found) else found,
        lambda found: "" if is_own(found) else found,
        lambda found: found.replace("\r\n", "\n") == whole,
    )


def is_own(text: str) -> bool:
    """Returns whether a file is one that some gitmem wrote and nobody changed; line ends may be the checkout's."""
    import hashlib

    head, tail = OWN_FILE.split("{digits}")
    body, mark, rest = text.replace("\r\n", "\n").rpartition("\n\n" + head)
    digits = hashlib.sha256(f"{body}\n".encode()).hexdigest()[:7]
    return bool(mark) and rest == digits + tail + "\n"

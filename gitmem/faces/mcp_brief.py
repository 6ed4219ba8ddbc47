"""The brief over MCP: its page unbroken, and beside it as much of what the page was made from as has room."""

import sys
from collections.abc import Iterator

from gitmem.faces import mcp_reply
from gitmem.notes.shown import cut
from gitmem.operations.memory import Memory
from gitmem.operations.page import CHECKPOINT_TEXT, DOCUMENTS, LINE, LIST, briefed
from gitmem.values import Any

Reply = dict[str, Any]  # Any: the JSON of design section 14

LEAST = 300  # characters of a page at least: the rule and the handle that it ends with take 210 of them at most
COUNTS = 100  # characters that what is left out takes to be counted
PARTS = ("documents", "sections")


def fitted(brief: Reply, memory: Memory, budget: int) -> Reply:
    """Returns a brief (reply of design section 14) that takes at most `budget` characters as a reply, if it can.

    What the page tells as well gives way first: paths and names beyond the first, a checkpoint's text, sections. The page
    then ends at a line, with the rule and the handle, and says how to see the rest.
    """
    room = budget - COUNTS
    if _size(brief, memory) <= budget:
        return brief
    frames = [_frame(brief, LIST, CHECKPOINT_TEXT), _frame(brief, 1, 0)]
    frame = next((each for each in frames if _size(each, memory) <= room // 2), frames[-1])
    frame["text"] = _page(brief, frame, memory, room)
    whole = _filled(frame, brief, memory, room)
    left = {key: number for key, number in _left(brief, whole) if number}
    return whole | ({"cut": left} if left else {})


def _size(brief: Reply, memory: Memory) -> int:
    return len(mcp_reply.reply(brief, memory, quotes=True, budget=sys.maxsize))


def _frame(brief: Reply, most: int, characters: int) -> Reply:
    """Returns a brief without its page and its parts, with the first few of each list inside it."""
    found = dict(brief) | {"text": "", **{part: [] for part in PARTS}}
    found["repository"] = _few(brief["repository"], most)
    found["repository"]["drifted"] = _few(brief["repository"]["drifted"], most)
    if brief["checkpoint"]:
        text = brief["checkpoint"]["text"]
        found["checkpoint"] = _few(brief["checkpoint"], most) | {"text": text and cut(text, characters)}
    return found


def _few(value: Reply, most: int) -> Reply:
    return {
        key: [_short(item) for item in each[:most]] if isinstance(each, list) else each for key, each in value.items()
    }


def _short(item: Any) -> Any:  # Any: JSON
    """Returns an item of a list with its texts no longer than the page's lines."""
    if isinstance(item, dict):
        return {key: _short(each) for key, each in item.items()}
    return cut(item, LINE) if isinstance(item, str) else item


def _page(brief: Reply, frame: Reply, memory: Memory, room: int) -> str:
    """Returns the page in what room a frame leaves; each turn takes off what its characters cost more as JSON."""
    text: str = brief["text"]
    while len(text) > LEAST and (over := _size(frame | {"text": text}, memory) - room) > 0:
        text = briefed(brief, max(LEAST, len(text) - over))
    return text


def _filled(frame: Reply, brief: Reply, memory: Memory, room: int) -> Reply:
    """Returns a frame with the first documents and sections that have room."""
    for part, most in zip(PARTS, (DOCUMENTS, len(brief["sections"])), strict=True):
        kept = brief[part][:most]
        while kept and _size(frame | {part: kept}, memory) > room:
            kept = kept[:-1]
        frame = frame | {part: kept}
    return frame


def _left(brief: Reply, whole: Reply) -> Iterator[tuple[str, int]]:
    """Yields how many items each part lacks, and how many characters the checkpoint's text."""
    for part in PARTS:
        yield part, len(brief[part]) - len(whole[part])
    yield "repository", _items(brief["repository"]) - _items(whole["repository"])
    if brief["checkpoint"]:
        yield "checkpoint", len(brief["checkpoint"]["text"] or "") - len(whole["checkpoint"]["text"] or "")


def _items(repository: Reply) -> int:
    lists = (repository["changed"], repository["commits"], *repository["drifted"].values())
    return sum(len(each or ()) for each in lists)

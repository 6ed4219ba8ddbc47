"""Conflict: lines merged three ways, the markers where they cannot be, and the way back to the two sides."""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import chain

from gitmem.values import NamedTuple

SIZE = 7  # letters of a marker, unless Git asks for longer ones: in a merge of merge bases, so that none nest

_MARKER = re.compile(rb"(?:(<{7}|\|{7}|>{7})(?: [^\r\n]*)?|(={7}))(?:\r\n|\n|\r)?")
# From the part a marker stands in to the part that it opens; every other marker makes a file ambiguous.
_NEXT = {
    ("both", b"<<<<<<<"): "ours",
    ("ours", b"|||||||"): "base",
    ("ours", b"======="): "theirs",
    ("base", b"======="): "theirs",
    ("theirs", b">>>>>>>"): "both",
}
_SIDES = ("ours", "theirs")

_Pair = tuple[int, int]
_Find = Callable[[Sequence[str], Sequence[str]], list[_Pair]]


class Lines(NamedTuple):
    """Merged lines without line ends, and whether they hold no conflict."""

    rows: list[str]
    clean: bool


class _Hunk(NamedTuple):
    """Lines that are settled, where `theirs` is None, or both sides of a conflict."""

    ours: Sequence[str]
    theirs: Sequence[str] | None


def merge_lines(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str], *, size: int = SIZE) -> Lines:
    """Returns what both sides made of the base's lines, by diff3 (Khanna, Kunal, Pierce 2007).

    What only one side changed, or both alike, is taken. Where both changed the same or adjoining lines, what they
    have in common is settled and the rest stands between conflict markers of `size` letters.
    """
    hunks = _hunks(base, ours, theirs)
    rows = list(chain.from_iterable(_rows(hunk, size) for hunk in hunks))
    return Lines(rows, all(hunk.theirs is None for hunk in hunks))


def whole(ours: bytes, theirs: bytes, *, size: int = SIZE) -> bytes:
    """Returns one conflict of two whole files, each ended by a line end."""
    markers = [marker.encode() + b"\n" for marker in _markers(size)]
    return b"".join([markers[0], _ended(ours), markers[1], _ended(theirs), markers[2]])


def split(data: bytes) -> tuple[bytes, bytes] | None:
    """Returns ours and theirs of a file with Git's conflict markers, in the styles merge, diff3 and zdiff3.

    None where the file has no conflict, or one whose markers do not pair up or could be the text's own. Markers in
    fenced code count, too, so it is for files that are known to be in conflict.
    """
    sides: dict[str, list[bytes]] = {side: [] for side in _SIDES}
    part = "both"
    for line in data.splitlines(keepends=True):
        match = _MARKER.fullmatch(line)
        marker = (match[1] or match[2]) if match else b""
        if marker and (part != "both" or marker == b"<<<<<<<"):
            if (part, marker) not in _NEXT:
                return None
            part = _NEXT[part, marker]
            continue
        for side in _SIDES if part == "both" else (part,):
            sides.setdefault(side, []).append(line)
    ours, theirs = (b"".join(sides[side]) for side in _SIDES)
    return None if part != "both" or ours == theirs == data else (ours, theirs)


def _hunks(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> list[_Hunk]:
    to_ours, to_theirs = _matches(base, ours, _anchors), _matches(base, theirs, _anchors)
    kept = [(at, to_ours[at], to_theirs[at]) for at in range(len(base)) if to_ours[at] >= 0 and to_theirs[at] >= 0]
    hunks: list[_Hunk] = []
    done = (0, 0, 0)
    for stop in [*kept, (len(base), len(ours), len(theirs))]:
        hunks += _settled(base[done[0] : stop[0]], ours[done[1] : stop[1]], theirs[done[2] : stop[2]])
        hunks.append(_Hunk(ours[stop[1] : stop[1] + 1], None))
        done = (stop[0] + 1, stop[1] + 1, stop[2] + 1)
    return hunks


def _settled(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> list[_Hunk]:
    """Returns what becomes of a stretch in which no line stands on all three sides."""
    if theirs in (base, ours):
        return [_Hunk(ours, None)]
    if ours == base:
        return [_Hunk(theirs, None)]
    return _parted(ours, theirs)


def _parted(ours: Sequence[str], theirs: Sequence[str]) -> list[_Hunk]:
    """Returns the conflicts of two sides, with the lines that they share settled between."""
    shared = [(at, other) for at, other in enumerate(_matches(ours, theirs, _worded_anchors)) if other >= 0]
    hunks: list[_Hunk] = []
    done = (0, 0)
    for stop in [*shared, (len(ours), len(theirs))]:
        if stop != done:
            hunks.append(_Hunk(ours[done[0] : stop[0]], theirs[done[1] : stop[1]]))
        hunks.append(_Hunk(ours[stop[0] : stop[0] + 1], None))
        done = (stop[0] + 1, stop[1] + 1)
    return hunks


def _rows(hunk: _Hunk, size: int) -> Sequence[str]:
    if hunk.theirs is None:
        return hunk.ours
    ours, middle, theirs = _markers(size)
    return [ours, *hunk.ours, middle, *hunk.theirs, theirs]


def _markers(size: int) -> tuple[str, str, str]:
    return "<" * size + " ours", "=" * size, ">" * size + " theirs"


def _matches(old: Sequence[str], new: Sequence[str], find: _Find) -> list[int]:
    """Returns for each old line the new line that it became, or -1, by patience diff (B. Cohen).

    It takes the lines that both have alike at the ends, then those that `find` finds, and so on between these: n log n
    for any usual text. Lines that could be one of several stay unmatched, which makes conflicts larger, never wrong.
    """
    found = [-1] * len(old)
    pending = [(0, 0, len(old), len(new))]
    while pending:
        first, other, last, end = pending.pop()
        while first < last and other < end and old[first] == new[other]:
            found[first] = other
            first, other = first + 1, other + 1
        while first < last and other < end and old[last - 1] == new[end - 1]:
            last, end = last - 1, end - 1
            found[last] = end
        anchors = [(first + at, other + to) for at, to in find(old[first:last], new[other:end])]
        for at, to in anchors:
            found[at] = to
        starts = [(first, other), *((at + 1, to + 1) for at, to in anchors)]
        pending += [(*start, *stop) for start, stop in zip(starts, [*anchors, (last, end)], strict=True) if anchors]
    return found


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[_Pair]:
    """Returns pairs of equal lines in ascending order: with words in them, or, failing these, without."""
    return _worded_anchors(old, new) or _ascending(_pairs(old, new))


def _worded_anchors(old: Sequence[str], new: Sequence[str]) -> list[_Pair]:
    return _ascending([(at, to) for at, to in _pairs(old, new) if any(map(str.isalnum, old[at]))])


def _pairs(old: Sequence[str], new: Sequence[str]) -> list[_Pair]:
    """Returns the positions of lines that stand equally often on both sides, the first with the first and so on."""
    here, there = _places(old), _places(new)
    shared = (line for line in here if len(here[line]) == len(there.get(line, ())))
    return sorted(pair for line in shared for pair in zip(here[line], there[line], strict=True))


def _places(lines: Sequence[str]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        places.setdefault(line, []).append(number)
    return places


def _ascending(pairs: Sequence[_Pair]) -> list[_Pair]:
    """Returns the longest run of pairs, given in order of their first numbers, in which the second ones ascend."""
    tops: list[int] = []  # the least number that ends a run of each length
    ends: list[int] = []  # the pair it belongs to
    before: list[int] = []  # for each pair the one before it in its run
    for number, (_, to) in enumerate(pairs):
        length = bisect_left(tops, to)
        before.append(ends[length - 1] if length else -1)
        tops[length : length + 1] = [to]
        ends[length : length + 1] = [number]
    chosen: list[_Pair] = []
    at = ends[-1] if ends else -1
    while at >= 0:
        chosen.append(pairs[at])
        at = before[at]
    return chosen[::-1]


def _ended(data: bytes) -> bytes:
    return data if data.endswith(b"\n") or not data else data + b"\n"

"""What is pinned to code: the notes that touch each file or folder, ready to be shown, kept in the cache under one tree."""

import json
import os

from gitmem.search import cache as side
from gitmem.storage import spare
from gitmem.values import Any, NamedTuple

KEPT = "pinned"
# Any other shape of what is kept needs another number.
EDITION = b"4"


class Pinned(NamedTuple):
    """Notes, the most trusted first, and by file or folder, in one case, which of them touch it.

    A note is its name, what a line says of it before its standing, its standing, what it says behind it, and its anchors.
    What the notes' standings hang on but the notes: all that changes with certain files, and refs with their commits.
    """

    notes: list[list[str]]
    places: dict[str, list[int]]
    rows: list[str]
    refs: dict[str, str]

    def at(self, places: list[str]) -> list[list[str]]:
        """Returns the notes that touch one of some places, the most trusted first."""
        rows = {row for place in places for row in self.places.get(place, ())}
        return [self.notes[row] for row in sorted(rows)]


def load(cache: str | None, tree: str, day: int) -> Pinned | None:
    """Returns what is kept for a tree on a day, as trust fades by the day; None where it is for another, or damaged."""
    parts = side.unseal(spare.load(os.path.join(cache, KEPT)), 2) if cache else None
    if cache is None or parts is None or parts[0] != _key(cache, tree, day):
        return None
    found: dict[str, Any] = json.loads(parts[1])  # as it was sealed here
    return Pinned(**found)


def save(cache: str | None, tree: str, day: int, pinned: Pinned) -> None:
    """Keeps what is pinned, as far as the disk lets it."""
    if cache:
        data = json.dumps(pinned._asdict(), separators=(",", ":")).encode()
        spare.write(os.path.join(cache, KEPT), side.seal(_key(cache, tree, day), data))


def _key(cache: str, tree: str, day: int) -> bytes:
    """Returns what no repository can know, so that none can bring such a file along."""
    mark = spare.load(os.path.join(cache, side.MARK))
    return b" ".join((EDITION, mark, tree.encode(), b"%d" % day))

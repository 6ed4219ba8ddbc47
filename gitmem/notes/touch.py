"""A touch: a place in the repository that a note speaks of, `path::symbol` or either of them alone."""

import re

from gitmem.values import NamedTuple


class Touch(NamedTuple):
    """What a touch says: a path, empty where it says none; a symbol in it, or alone; and its hash, None where it has none."""

    path: str
    symbol: str
    hash: str | None

    @property
    def is_folder(self) -> bool:
        """Whether it can only be a folder."""
        return self.path.endswith("/") and not self.symbol


def parsed(touch: str) -> Touch:
    """Returns what a touch says; one word, which may be a file or a symbol, is taken for a path."""
    place = unhashed(touch)
    hash = None if place == touch else touch[len(place) + 1 :]
    path, _, symbol = place.partition("::")
    return Touch(path, symbol, hash)


def leaves(touch: str) -> bool:
    """Returns whether the path of a touch leads out of the repository: an absolute one, or one that goes up past its top."""
    path = touch.partition("::")[0].replace("\\", "/")
    if re.match(r"/|~|[A-Za-z]:/", path):
        return True
    depth = 0
    for part in path.split("/"):
        depth += 0 if part in ("", ".") else -1 if part == ".." else 1
        if depth < 0:
            return True
    return False


def unhashed(touch: str) -> str:
    """Returns an anchor without its hash: a final `@` and seven hex digits."""
    head, at, tail = touch.rpartition("@")
    return head if at and len(tail) == 7 and all(digit in "0123456789abcdef" for digit in tail) else touch

"""A glance at a note: what its text tells without being parsed, so that thousands are looked at for the sake of a few."""

import re

from gitmem.values import NamedTuple

_TITLE = re.compile(r"^title:[ \t]*(.+)$", re.MULTILINE)
_HEADING = re.compile(r"^#[ \t]+(.+)$", re.MULTILINE)
_BETWEEN = re.compile(r"[\n,:{}\[\]\"']+")
_HASH = re.compile(r"@[0-9a-f]{7}$")


class Glance(NamedTuple):
    """The title as written, the words between the punctuation of the front matter (names, paths, types), the body."""

    title: str
    words: frozenset[str]
    body: str


def glance(path: str, data: bytes) -> Glance:
    """Returns a glance at a note's bytes; what it says may be wrong, so whoever acts on it reads the note."""
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    end = text.find("\n---", 3) if text.startswith("---") else -1
    front, body = (text[:end], text[end + 4 :]) if end > 0 else ("", text)
    title = _TITLE.search(front) or _HEADING.search(body)
    words = (word.strip(" \t-") for word in _BETWEEN.split(front))
    said = title[1].strip(" \t\"'") if title else path.rpartition("/")[2][:-3]
    return Glance(said, frozenset(_HASH.sub("", word) if "@" in word else word for word in words), body)

"""A candidate: what a digest nominates to be remembered, with where it was found."""

import re

from gitmem.notes.shown import cut
from gitmem.notes.touch import leaves, unhashed
from gitmem.values import NamedTuple

DECISION, CAUTION, PROBLEM, INTENT, PRINCIPLE = "decision", "caution", "problem", "intent", "principle"
REPLACES, BUILDS_ON = "replaces", "builds-on"
TITLE, SUMMARY = 160, 300
_BREAKS = r"[\s\x00-\x1f\x7f-\x9f]+"
_LINK = r"!?\[([^\]\[]*)\]\([^()\s]*\)|!?\[([^\]\[]+)\]\[[^\]\[]*\]"
_ADDRESS = r"[ \t]*\(<?https?://[^\s()]+>?\)"
_EMPHASIS = r"(?<!\w)(\*\*|__|\*|_)(?=\S)(.+?)(?<=\S)\1(?!\w)"


class Candidate(NamedTuple):
    """A note that might be written. kind is the shipped word for its type; marker says what it was found by.

    file, from the Git top level, and line say where, both None for a commit; links are (relation, file of the
    candidate that is meant); label tells apart what has one title; whole means that no likeness may keep it out.
    """

    title: str
    kind: str
    marker: str
    body: str = ""
    file: str | None = None
    line: int | None = None
    summary: str | None = None
    tags: tuple[str, ...] = ()
    touches: tuple[str, ...] = ()
    status: str | None = None
    created: str | None = None
    links: tuple[tuple[str, str], ...] = ()
    label: str = ""
    whole: bool = False


def one_line(text: str, most: int = TITLE) -> str:
    """Returns a text as one plain line: markdown's links and emphasis read as their words, cut at a word."""
    text = text[: 20 * most]
    text = re.sub(_LINK, lambda match: match[1] or match[2] or "", text)
    for _ in range(2):
        text = re.sub(_EMPHASIS, r"\2", text)
    text = re.sub(_BREAKS, " ", re.sub(_ADDRESS, "", text)).strip()
    return cut(text, most) if len(text) > most else text


def heading(row: str) -> tuple[int, str] | None:
    """Returns the level and the words of a line that is a markdown heading, None for any other."""
    match = re.match(r" {0,3}(#{1,6})[ \t]+(\S.*)$", row)
    if match is None:
        return None
    text = match[2].rstrip()
    bare = text.rstrip("#")
    return len(match[1]), bare.rstrip() if bare[-1:] in (" ", "\t") else text


def touchable(path: str) -> bool:
    """Returns whether a touch can name a path just so."""
    return path.isprintable() and "::" not in path and unhashed(path) == path and not leaves(path)


def fitting(text: str, limit: int, rest: str) -> str:
    """Returns a text of at most `limit` bytes: cut before a section, else a paragraph or a line, and then saying `rest`."""
    text = text.strip()
    data = text.encode("utf-8", "replace")
    if len(data) <= limit:
        return data.decode()
    ending = f"\n\n{rest}"
    kept = data[: max(0, limit - len(ending.encode()))].decode("utf-8", "ignore")
    for sign in ("\n## ", "\n### ", "\n\n", "\n", " "):
        end = kept.rfind(sign)
        if end > 0:
            kept = kept[:end]
            break
    return kept.rstrip() + ending

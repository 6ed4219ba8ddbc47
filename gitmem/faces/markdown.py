"""Markdown that holds other people's text: whatever that says, it is shown and nothing else."""

import re

from gitmem.notes.shown import cut, harmless


def code(text: str, most: int = 200) -> str:
    """Returns a text as one code span of at most `most` characters of it: no HTML, mention, link or image in it works."""
    shown = cut(" ".join(harmless(text).split()), most) or " "
    ticks = "`" * (_longest(shown) + 1)
    padded = f" {shown} " if shown[0] in "` " or shown[-1] in "` " else shown
    return f"{ticks}{padded}{ticks}"


def fenced(text: str, lines: int, most: int) -> str:
    """Returns the first lines of a text as a block of code that nothing in it can end, `…` where more follows."""
    whole = harmless(text.replace("\r\n", "\n")).strip("\n")
    shown = "\n".join(whole.split("\n")[:lines])[:most].rstrip()
    fence = "`" * max(3, _longest(shown) + 1)
    more = "" if shown == whole.rstrip() else "\n…"
    return f"{fence}text\n{shown}{more}\n{fence}"


def _longest(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)

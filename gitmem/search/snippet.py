"""The passage of a note that speaks most to a question."""

import re
from collections.abc import Mapping

from gitmem.notes.shown import cut

WIDTH = 240
PASSAGES = 60
_END = re.compile(r"(?<=[.!?])\s+|\n+")


def snippet(body: str, rarity: Mapping[str, float]) -> str | None:
    """Returns the passage of at most WIDTH characters that holds the rarest of the terms, else the beginning; None if empty."""
    passages = [passage.strip() for passage in _END.split(body) if passage.strip()]
    if not passages:
        return None
    scores = [_score(passage.lower(), rarity) for passage in passages[:PASSAGES]]
    at = max(range(len(scores)), key=lambda place: (scores[place], -place))
    return cut(_grown(passages, at), WIDTH)


def _score(passage: str, rarity: Mapping[str, float]) -> float:
    """Returns how rare the terms in a passage are; a stem is found as the beginning of its word."""
    return sum(weight for term, weight in rarity.items() if term in passage)


def _grown(passages: list[str], at: int) -> str:
    """Returns a passage with those after it, as far as the width lets them."""
    text = passages[at]
    for after in passages[at + 1 :]:
        if len(text) + 1 + len(after) > WIDTH:
            break
        text = f"{text} {after}"
    return text

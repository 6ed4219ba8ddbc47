"""The passage of a note that speaks most to a question."""

from collections.abc import Mapping

from gitmem.notes.shown import cut

WIDTH = 240
PASSAGES = 60
_ENDS = (". ", "! ", "? ")


def snippet(body: str, rarity: Mapping[str, float]) -> str | None:
    """Returns the passage of at most WIDTH characters that holds the rarest of the terms, else the beginning; None if empty."""
    passages = _passages(body)
    if not passages:
        return None
    scores = [_score(passage.lower(), rarity) for passage in passages[:PASSAGES]]
    at = max(range(len(scores)), key=lambda place: (scores[place], -place))
    return cut(_grown(passages, at), WIDTH)


def _passages(body: str) -> list[str]:
    """Returns the sentences of a text; cut by plain replacing, a tenth of what an expression takes."""
    for end in _ENDS:
        body = body.replace(end, end[0] + "\n")
    return [passage.strip() for passage in body.split("\n") if passage.strip()]


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

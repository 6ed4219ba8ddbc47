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
    scores = _scores("\n".join(passages[:PASSAGES]).lower(), rarity)
    return cut(_grown(passages, scores.index(max(scores))), WIDTH)


def _passages(body: str) -> list[str]:
    """Returns the sentences of a text; cut by plain replacing, a tenth of what an expression takes."""
    for end in _ENDS:
        body = body.replace(end, end[0] + "\n")
    return [text for passage in body.split("\n") if (text := passage.strip())]


def _scores(whole: str, rarity: Mapping[str, float]) -> list[float]:
    """Returns how rare the terms in each passage, a line, are; a stem is found as the beginning of its word.

    Term by term, as most terms are in few notes: a third of the time that passage by passage takes.
    """
    passages = whole.split("\n")
    scores = [0.0] * len(passages)
    for term, weight in rarity.items():
        if term in whole:
            scores = [score + weight if term in each else score for score, each in zip(scores, passages, strict=True)]
    return scores


def _grown(passages: list[str], at: int) -> str:
    """Returns a passage with those after it, as far as the width lets them."""
    text = passages[at]
    for after in passages[at + 1 :]:
        if len(text) + 1 + len(after) > WIDTH:
            break
        text = f"{text} {after}"
    return text

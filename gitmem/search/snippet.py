"""The passage of a note that speaks most to a question."""

from collections.abc import Mapping

from gitmem.notes.shown import cut
from gitmem.values import NamedTuple

WIDTH = 240
PASSAGES = 60
_ENDS = (". ", "! ", "? ")


class Passages(NamedTuple):
    """The sentences of a text, and the first of them in small letters, as a text of lines and each by itself."""

    texts: list[str]
    lines: str
    lowered: list[str]


def passages(body: str) -> Passages:
    """Returns the sentences of a text; cut by plain replacing, a tenth of what an expression takes."""
    for end in _ENDS:
        body = body.replace(end, end[0] + "\n")
    texts = [text for passage in body.split("\n") if (text := passage.strip())]
    lines = "\n".join(texts[:PASSAGES]).lower()
    return Passages(texts, lines, lines.split("\n"))


def snippet(said: Passages, rarity: Mapping[str, float]) -> str | None:
    """Returns the passage of at most WIDTH characters that holds the rarest of the terms, else the beginning; None if empty."""
    if not said.texts:
        return None
    scores = _scores(said, rarity)
    return cut(_grown(said.texts, scores.index(max(scores))), WIDTH)


def _scores(said: Passages, rarity: Mapping[str, float]) -> list[float]:
    """Returns how rare the terms in each passage are; a stem is found as the beginning of its word.

    Term by term, as most terms are in few notes: a third of the time that passage by passage takes.
    """
    scores = [0.0] * len(said.lowered)
    for term, weight in rarity.items():
        if term in said.lines:
            scores = [
                score + weight if term in each else score for score, each in zip(scores, said.lowered, strict=True)
            ]
    return scores


def _grown(passages: list[str], at: int) -> str:
    """Returns a passage with those after it, as far as the width lets them."""
    text = passages[at]
    for after in passages[at + 1 :]:
        if len(text) + 1 + len(after) > WIDTH:
            break
        text = f"{text} {after}"
    return text

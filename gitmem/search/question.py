"""What a question asks for: one fact, which a note on its subject need not tell, or what such a note is there to tell."""

from itertools import pairwise

# A question that opens with one of these, or with one word before it ("in which", "for whom"), asks for one fact.
_ASKING = frozenset(["who", "whom", "whose", "which", "maximum", "minimum"])
# Behind "how".
_MEASURES = frozenset([
    "many", "much", "long", "often", "big", "large", "small", "old", "fast", "far", "high", "likely", "soon",
])  # fmt: skip
# Before "of", where a question opens with the word itself or with "what".
_NAMED = frozenset(["name", "size", "age", "number", "version", "amount", "price", "cost", "length", "date"])
_OPENING = 5


def asks_for_a_fact(query: str) -> bool:
    """Returns whether a question opens by asking for one fact: who, which, how many, the name of."""
    words = [word.strip("¿?¡!.,:;\"'()") for word in query.lower().split(None, _OPENING)[:_OPENING]]
    pairs = list(pairwise(words))
    return (
        any(word in _ASKING for word in words[:2])
        or any(word == "how" and after in _MEASURES for word, after in pairs[:3])
        or any(word in _NAMED and after == "of" for word, after in pairs if words[0] in ("what", word))
    )

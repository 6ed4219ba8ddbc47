"""Every refusal, and the value that stands for bad data."""

from gitmem.values import NamedTuple


class GitmemError(Exception):
    """A refusal: a stable code, a sentence about what was wrong, and a hint that says what to type next.

    `status` is the exit status of a command that ends with it: 2 for wrong usage, 3 for everything refused.
    """

    def __init__(self, code: str, message: str, hint: str | None = None, *, status: int = 3) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.status = status


class Problem(NamedTuple):
    """Bad data: where it is, what is wrong, and how to mend it. Never raised, always listed."""

    path: str
    line: int | None
    code: str
    severity: str
    message: str
    hint: str | None


def near_miss(word: str, known: list[str]) -> str | None:
    """Returns the known word that `word` most likely meant, or None."""
    return next(iter(near_misses(word, known, most=1)), None)


def near_misses(word: str, known: list[str], *, most: int = 3) -> list[str]:
    """Returns the known words that `word` may have meant, the likeliest first."""
    import difflib

    return difflib.get_close_matches(word, known, n=most, cutoff=0.6)

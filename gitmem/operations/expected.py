"""Expected: the text that a write started from, which must be the one that the file still has."""

import re

from gitmem.errors import GitmemError
from gitmem.notes.note import Entry

EXPECTED_DIGITS = 12


def check_expected(entry: Entry, expect: str | None) -> None:
    """Refuses a write that started from another text than the file has now."""
    if expect is None:
        return
    if not re.fullmatch(f"[0-9a-fA-F]{{{EXPECTED_DIGITS},64}}", expect):
        hint = f"Give at least {EXPECTED_DIGITS} digits of the digest that gitmem show {entry.name} --json prints."
        raise GitmemError("bad-digest", f"{expect!r} is no digest of a note, or too short for one.", hint, status=2)
    if not entry.digest.startswith(expect.lower()):
        message = f"{entry.name} has changed since it was read: it is now {entry.digest[:EXPECTED_DIGITS]}."
        hint = f"Read it again with gitmem show {entry.name} and revise what it says now."
        raise GitmemError("lost-update", message, hint)

"""Damage: a cache that no longer holds what was written into it, told as that and thrown away."""

from gitmem.errors import GitmemError
from gitmem.operations.memory import Memory
from gitmem.search.snapshot import is_damaged


def found(memory: Memory) -> GitmemError | None:
    """Returns what to say of an error that nobody foresaw where the search index is damaged, which it is no more then.

    None where the index is whole: the error is another's then.
    """
    if memory.where.cache is None or not is_damaged(memory.where.cache):
        return None
    message = "The search index in the cache was damaged, and is thrown away; the notes are untouched."
    return GitmemError("damaged-cache", message, "Ask again: it is made anew. Where this returns, see to the disk.")

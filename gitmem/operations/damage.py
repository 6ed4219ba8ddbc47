"""Damage: a cache that no longer holds what was written into it, told as that and thrown away."""

from collections.abc import Callable

from gitmem.errors import GitmemError
from gitmem.operations.memory import Memory
from gitmem.search.snapshot import is_damaged


def explain(opened: Callable[[], Memory], error: BaseException) -> None:
    """Raises GitmemError("damaged-cache") in place of an error that a damaged index brought about; does nothing for others.

    `opened` gives the memory that it is about.
    """
    try:
        said = found(opened())
    except GitmemError:  # no memory, no index
        return
    if said:
        raise said from error


def found(memory: Memory) -> GitmemError | None:
    """Returns what to say where the search index is damaged, None where it is whole; a damaged one is thrown away."""
    if memory.where.cache is None or not is_damaged(memory.where.cache):
        return None
    message = "The search index in the cache was damaged, and is thrown away; the notes are untouched."
    return GitmemError("damaged-cache", message, "Ask again: it is made anew. Where this returns, see to the disk.")

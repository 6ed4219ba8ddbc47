"""Filters: the words that a reader filters by, checked, as a mistyped one would read as an empty answer."""

from gitmem.knowledge.trust import AGAINST, FOR
from gitmem.notes import vocabulary as words
from gitmem.operations.memory import Memory
from gitmem.search.query import Wanted

SOURCES = ("user", "agent")
STANDINGS = (*AGAINST, *FOR)


def checked(memory: Memory, wanted: Wanted) -> Wanted:
    """Returns the filters with declared words in their normal form; raises GitmemError, with a near miss, for others.

    A word that notes hold though nobody declared it is found with `where` or by its folder, not here.
    """
    vocabulary = memory.config.vocabulary
    statuses = (*words.WORKLIST_STATUSES, *words.STATUSES)
    return wanted._replace(
        types=tuple(words.type_named(vocabulary, word) for word in wanted.types),
        domains=tuple(words.domain_named(vocabulary, word) for word in wanted.domains),
        statuses=tuple(words.named("status", word, statuses) for word in wanted.statuses),
        sources=tuple(words.named("source", word, SOURCES) for word in wanted.sources),
        standings=tuple(words.named("standing", word, STANDINGS) for word in wanted.standings),
    )

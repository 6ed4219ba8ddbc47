"""Notes in memory that are asked as an index is, without one: to build it costs 8 ms, to look at each note of a few nothing."""

from collections.abc import Iterator, Sequence

from gitmem.notes.instant import seconds
from gitmem.search.index import LIVE, Record, Stored, facet_filters
from gitmem.search.query import HIDDEN, Wanted
from gitmem.search.records import stored

MOST = 64


class Overlay:
    """A few notes; its questions are those of an index, and so are the answers."""

    def __init__(self, records: Sequence[Record]) -> None:
        """Takes time with every question for each of the records."""
        self._records = records
        self._stored = {record.path: stored(record) for record in records}

    def matching(self, terms: Sequence[str], wanted: Wanted, limit: int) -> list[Stored]:
        """Returns the notes that hold any of the terms and pass the filters, however many."""
        return self._given(each for each in self._passing(wanted) if any(term in each.terms for term in terms))

    def passing(self, wanted: Wanted, limit: int) -> list[Stored]:
        """Returns the notes that pass the filters, however many."""
        return self._given(self._passing(wanted))

    def count_passing(self, wanted: Wanted) -> int:
        """Returns how many notes pass the filters."""
        return len(list(self._passing(wanted)))

    def frequency(self, term: str, without: Sequence[str] = ()) -> int:
        """Returns how many live notes hold a term, leaving out some paths."""
        live = (each for each in self._records if LIVE in each.facets and each.path not in without)
        return sum(term in each.terms for each in live)

    def holds(self, term: str) -> bool:
        """Returns whether any note holds a term."""
        return any(term in each.terms for each in self._records)

    def having(self, field: str, words: Sequence[str], wanted: Wanted | None = None) -> list[Stored]:
        """Returns every note with one of the words in a field (path, key, alias, to, supersedes, contradicts) that passes."""
        among = self._passing(wanted) if wanted else iter(self._records)
        sought = set(words)
        return self._given(each for each in among if not sought.isdisjoint(_words(each, field)))

    def everything(self) -> list[Stored]:
        """Returns every note."""
        return list(self._stored.values())

    def _given(self, records: Iterator[Record]) -> list[Stored]:
        return [self._stored[record.path] for record in records]

    def _passing(self, wanted: Wanted) -> Iterator[Record]:
        filters = facet_filters(wanted)
        hidden = {f"hidden\0{word}" for word in HIDDEN if word not in wanted.include}
        for record in self._records:
            chosen = wanted.paths is None or record.path in wanted.paths
            chosen = chosen and all(not set(words).isdisjoint(record.facets) for words in filters)
            if chosen and hidden.isdisjoint(record.facets) and _is_between(record.created, wanted):
                yield record


def _words(record: Record, field: str) -> tuple[str, ...]:
    links = {"to": record.to, "supersedes": record.supersedes, "contradicts": record.contradicts}
    return {"path": (record.path,), "key": (record.key,), "alias": record.aliases, **links}[field]


def _is_between(created: int | None, wanted: Wanted) -> bool:
    if created is None:
        return not wanted.since and not wanted.until
    begun = not wanted.since or created >= seconds(wanted.since)
    return begun and (not wanted.until or created < seconds(wanted.until))

"""The full-text index: a tantivy folder that is never changed once it is current, or the same in memory."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence

import tantivy

from gitmem.notes.instant import seconds
from gitmem.search.query import HIDDEN, Wanted
from gitmem.values import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from tantivy import Query, Searcher

# Changes with every change of the fields below or of what is put into them.
SCHEMA = 7
HEAP = 15_000_000
BULK_HEAP = 60_000_000
BULK = 500
FEW_WORDS = 500
_FILTERS = 16
NOTE = "note"
LIVE = "live"


class Record(NamedTuple):
    """One note as the index holds it.

    keys: folded name, and aliases apart; to, supersedes, contradicts: folded targets of its links;
    facets: `kind NUL value` words to filter by; created in epoch seconds; terms: weighted counts; stored: its JSON.
    """

    path: str
    key: str
    aliases: tuple[str, ...]
    to: tuple[str, ...]
    supersedes: tuple[str, ...]
    contradicts: tuple[str, ...]
    facets: tuple[str, ...]
    created: int | None
    terms: dict[str, int]
    length: int
    stored: bytes


class Stored(NamedTuple):
    """What the index gives back of a note: its path, folded aliases, its bag of terms, and its JSON."""

    path: str
    key: str
    aliases: tuple[str, ...]
    bag: bytes
    note: bytes


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("path", stored=True, tokenizer_name="raw", index_option="basic")
    for field in ("key", "alias", "to", "supersedes", "contradicts", "facet"):
        builder.add_text_field(field, stored=False, tokenizer_name="raw", index_option="basic")
    builder.add_integer_field("created", stored=False, indexed=True, fast=True)
    builder.add_text_field("terms", stored=False, tokenizer_name="whitespace", index_option="freq")
    return builder.build()


def _document(record: Record) -> tantivy.Document:
    document = tantivy.Document()
    document.add_text("path", record.path)
    document.add_text("key", record.key)
    for field, words in (
        ("alias", record.aliases),
        ("to", record.to),
        ("supersedes", record.supersedes),
        ("contradicts", record.contradicts),
        ("facet", record.facets),
    ):
        for word in words:
            document.add_text(field, word)
    if record.created is not None:
        document.add_integer("created", record.created)
    document.add_text("terms", " ".join(f"{term} " * count for term, count in record.terms.items()))
    return document


def bag_bytes(terms: dict[str, int], length: int) -> bytes:
    """Returns a note's weighted length and terms as lines: the length, then `term count` each."""
    return "\n".join([str(length), *(f"{term} {count}" for term, count in terms.items()), ""]).encode()


def bag_read(data: bytes, keys: Sequence[tuple[str, bytes]]) -> tuple[dict[str, int], int]:
    """Returns, of what bag_bytes wrote, the counts of the terms of some keys and the weighted length, without decoding the rest."""
    counts = {}
    for term, key in keys:
        start = data.find(key)
        if start >= 0:
            start += len(key)
            counts[term] = int(data[start : data.index(b"\n", start)])
    return counts, int(data[: data.index(b"\n")])


def bag_counts(data: bytes) -> tuple[dict[str, int], int]:
    """Returns all of what bag_bytes wrote, the count of each term and the weighted length: 25 us.

    Each term is one string in all bags: most stand in many.
    """
    length, *words = data.decode().split()
    return dict(zip(map(sys.intern, words[::2]), map(int, words[1::2]), strict=True)), int(length)


def bag_keys(terms: Iterable[str]) -> list[tuple[str, bytes]]:
    """Returns what bag_read looks for in a bag to count each term."""
    return [(term, f"\n{term} ".encode()) for term in terms]


def in_memory(records: Sequence[Record], read: Callable[[str], Stored]) -> "Index":
    """Returns an index of records that touches no disk; `read` gives what is known of the note at a path."""
    index = tantivy.Index(_schema())
    _fill(index, records, ())
    index.reload()
    return Index(index.searcher(), index.schema, read)


def build(folder: str, records: Sequence[Record]) -> None:
    """Writes an index of records into an empty folder; raises OSError or ValueError where that fails."""
    os.mkdir(folder)
    _fill(tantivy.Index(_schema(), path=folder), records, ())


def extend(old: str, folder: str, records: Sequence[Record], gone: Iterable[str]) -> None:
    """Writes a copy of an index with records added and paths taken out; the old files are shared by hard links."""
    os.mkdir(folder)
    for name in os.listdir(old):
        if not name.endswith(".lock"):
            _share(os.path.join(old, name), os.path.join(folder, name))
    _fill(tantivy.Index.open(folder), records, gone)


def _share(source: str, target: str) -> None:
    import shutil

    if os.path.basename(source).endswith(".json"):
        shutil.copyfile(source, target)
        return
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def _fill(index: tantivy.Index, records: Sequence[Record], gone: Iterable[str]) -> None:
    writer = index.writer(heap_size=BULK_HEAP if len(records) > BULK else HEAP, num_threads=1)
    for path in gone:
        writer.delete_documents_by_term("path", path)
    for record in records:
        writer.add_document(_document(record))
    writer.commit()
    writer.wait_merging_threads()


def load(folder: str, read: Callable[[str], Stored]) -> "Index":
    """Returns the index in a folder, `read` as for in_memory; raises OSError or ValueError for one that is damaged or of another schema."""
    index = tantivy.Index.open(folder)
    return Index(index.searcher(), index.schema, read)


def dead(folder: str) -> int:
    """Returns how many notes that are there no more still take room in an index."""
    with open(os.path.join(folder, "meta.json"), encoding="utf-8") as file:
        segments = json.load(file)["segments"]
    return sum(segment["deletes"]["num_deleted_docs"] for segment in segments if segment["deletes"])


class Index:
    """A snapshot of notes that can be asked."""

    def __init__(self, searcher: "Searcher", schema: tantivy.Schema, read: Callable[[str], Stored]) -> None:
        self.searcher = searcher
        self.schema = schema
        self._from = read
        self._known: dict[tuple[int, int], Stored] = {}
        self._held: dict[str, bool] = {}
        self._filtered: dict[Wanted, list[tuple[tantivy.Occur, Query]]] = {}

    def matching(self, terms: Sequence[str], wanted: Wanted, limit: int) -> list[Stored]:
        """Returns notes that hold any of the terms and pass the filters, likeliest first."""
        if not terms:
            return []
        words = self._any("terms", terms)
        return self._stored(tantivy.Query.boolean_query([(tantivy.Occur.Must, words), *self._filters(wanted)]), limit)

    def passing(self, wanted: Wanted, limit: int) -> list[Stored]:
        """Returns up to `limit` notes that pass the filters, in no order."""
        return self._stored(tantivy.Query.boolean_query(self._filters(wanted)), limit)

    def count_passing(self, wanted: Wanted) -> int:
        """Returns how many notes pass the filters."""
        return self._count(tantivy.Query.boolean_query(self._filters(wanted)))

    def frequency(self, term: str, without: Sequence[str] = ()) -> int:
        """Returns how many live notes hold a term, leaving out some paths."""
        clauses = [self._must("terms", term), self._must("facet", LIVE)]
        if without:
            clauses.append((tantivy.Occur.MustNot, tantivy.Query.term_set_query(self.schema, "path", list(without))))
        return self._count(tantivy.Query.boolean_query(clauses))

    def holds(self, term: str) -> bool:
        """Returns whether any note holds a term; what is known of one is kept."""
        if term not in self._held:
            query = tantivy.Query.term_query(self.schema, "terms", term, "basic")
            self._held[term] = self._count(query) > 0
        return self._held[term]

    def having(self, field: str, words: Sequence[str], wanted: Wanted | None = None) -> list[Stored]:
        """Returns every note with one of the words in a field (path, key, alias, to, supersedes, contradicts) that passes."""
        if not words:
            return []
        # Single terms are found in a tenth of the time that building a set's automaton takes, while they are few.
        few = len(words) <= FEW_WORDS
        query = self._any(field, words) if few else tantivy.Query.term_set_query(self.schema, field, list(words))
        among = (tantivy.Occur.Must, query)
        filters = self._filters(wanted) if wanted else []
        found = tantivy.Query.boolean_query([among, *filters]) if filters else query
        return self._stored(_unscored(found), max(1, self.searcher.num_docs))

    def everything(self) -> list[Stored]:
        """Returns every note, in no order."""
        query = tantivy.Query.term_query(self.schema, "facet", NOTE)
        return self._stored(query, max(1, self.searcher.num_docs))

    def _stored(self, query: "Query", limit: int) -> list[Stored]:
        found = self.searcher.search(query, limit=max(1, limit), count=False)
        return [self._known.get((at.segment_ord, at.doc)) or self._read(at) for _, at in found.hits]

    def _read(self, address: tantivy.DocAddress) -> Stored:
        """Returns one note, and keeps it: a snapshot never changes."""
        path: Any = self.searcher.doc(address).get_first("path")  # Any: tantivy's own signature
        stored = self._known[address.segment_ord, address.doc] = self._from(path)
        return stored

    def _count(self, query: "Query") -> int:
        return int(self.searcher.search(_unscored(query), limit=1, count=True).count)  # type: ignore[attr-defined]  # not in its stub

    def _must(self, field: str, word: str) -> "tuple[tantivy.Occur, Query]":
        return tantivy.Occur.Must, tantivy.Query.term_query(self.schema, field, word, "basic")

    def _any(self, field: str, words: Sequence[str]) -> "Query":
        option = "freq" if field == "terms" else "basic"
        clauses = [(tantivy.Occur.Should, tantivy.Query.term_query(self.schema, field, word, option)) for word in words]
        return tantivy.Query.boolean_query(clauses)

    def _filters(self, wanted: Wanted) -> "list[tuple[tantivy.Occur, Query]]":
        """Returns the clauses that a note must pass; they add nothing to its score. Those of a few filters are kept."""
        if wanted not in self._filtered:
            if len(self._filtered) == _FILTERS:
                self._filtered.clear()
            self._filtered[wanted] = self._clauses(wanted)
        return self._filtered[wanted]

    def _clauses(self, wanted: Wanted) -> "list[tuple[tantivy.Occur, Query]]":
        clauses = [self._must("facet", NOTE)]
        for words in facet_filters(wanted):
            clauses.append((tantivy.Occur.Must, self._any("facet", words)))
        if wanted.paths is not None:
            paths = tantivy.Query.term_set_query(self.schema, "path", list(wanted.paths))
            clauses.append((tantivy.Occur.Must, paths))
        if wanted.since or wanted.until:
            clauses.append((tantivy.Occur.Must, self._between(wanted)))
        silent = [(occur, tantivy.Query.const_score_query(query, 0.0)) for occur, query in clauses]
        hidden = [f"hidden\0{word}" for word in HIDDEN if word not in wanted.include]
        if hidden:
            silent.append((tantivy.Occur.MustNot, self._any("facet", hidden)))
        return silent

    def _between(self, wanted: Wanted) -> "Query":
        first = seconds(wanted.since) if wanted.since else -(2**62)
        last = seconds(wanted.until) if wanted.until else 2**62
        return tantivy.Query.range_query(
            self.schema, "created", tantivy.FieldType.Integer, first, last, include_upper=False
        )


def _unscored(query: "Query") -> "Query":
    """Returns a query that scores nothing: notes are found and counted in half the time."""
    return tantivy.Query.const_score_query(query, 0.0)


def facet_filters(wanted: Wanted) -> list[list[str]]:
    """Returns, for each filter that is set, the facets of which a note must have one."""
    named = (
        ("type", wanted.types),
        ("tag", wanted.tags),
        ("domain", wanted.domains),
        ("source", wanted.sources),
        ("agent", wanted.agents),
        ("status", wanted.statuses),
        ("touch", wanted.touches),
    )
    filters = [[f"{kind}\0{value.casefold()}" for value in values] for kind, values in named if values]
    return filters + [[f"where\0{pair.casefold()}"] for pair in wanted.where]

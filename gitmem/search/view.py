"""One consistent view of all notes: the snapshot in the cache, and over it what changed since."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

from gitmem.notes.note import Entry
from gitmem.search import bm25
from gitmem.search.cache import Files
from gitmem.search.document import Document, Maker
from gitmem.search.index import Index, Stored, in_memory
from gitmem.search.learnt import Learnt
from gitmem.search.overlay import MOST, Overlay
from gitmem.search.query import Wanted, is_filtered
from gitmem.search.records import stored
from gitmem.search.snapshot import Snapshot
from gitmem.search.vectors import Vectors, pack

# Notes, and bytes of them, up to which all is learnt ahead where a process asks again and again: of 1,000 notes of 2 kB it
# takes 350 ms, numpy's start included, and 40 MB, and spares each question 2 of 5 ms.
SMALL = 2_000, 8_000_000
_SUPERSEDED = b'"superseded"'  # stands in the JSON of every note with this status


class View:
    """What one command reads. Every answer is a function of the notes alone, however the view came to be."""

    def __init__(
        self, base: Snapshot | None, over: Sequence[Document], shadow: frozenset[str], files: Files, fingerprint: str
    ) -> None:
        """`over` are documents newer than `base`; `shadow` are paths of `base` that they replace or that are gone.

        `fingerprint` is that of the maker of all of them.
        """
        self.files = files
        self.fingerprint = fingerprint
        self.overlaid = len(over)
        self.size = len(over) + (len(base.rows.paths) if base else 0)  # replaced ones count twice
        self._base = base
        self._shadow = sorted(shadow)
        self._hidden = shadow
        self._over = over
        self._indexes = [*([base.full_text] if base else ()), *([_laid_over(over)] if over else ())]
        self._rows = base.rows.paths if base else []
        self._added = {document.record.path: at for at, document in enumerate(over, len(self._rows))}
        self._numbers: dict[str, int] = {}
        self._holding: dict[str, int] = {}
        self._all_counted = False
        self._known: dict[tuple[str, str], list[Stored]] = {}
        self._claimed = base.rows.claimed if base else frozenset[str]()
        self._gone_rows = sorted(map(base.rows.row, shadow)) if base else []
        self._passing: dict[Wanted, dict[str, Stored | None]] = {}
        self.learnt = Learnt()
        self._maker: Maker | None = None
        self._vectors = Vectors(base.packed if base else pack([]), [document.vector for document in over])

    @property
    def maker(self) -> Maker | None:
        """What cut the notes here, kept by a long-lived process to cut questions alike."""
        return self._maker

    @maker.setter
    def maker(self, maker: Maker) -> None:
        if maker is not self._maker:
            self._maker = maker
            self.learnt.forget_words()

    def succeed(self, held: "View") -> None:
        """Takes over what an older view of the same notes has learnt, as far as it holds here.

        Its vectors are loaded: who holds a view over a change will ask, or write, again.
        """
        self.learnt = held.learnt.handed_on(decoded=self.is_small)
        self._vectors.load(held._vectors)

    def stands(self) -> bool:
        """Returns whether what it reads of the cache is as it was when it was made."""
        return self._base is None or self._base.stands()

    @property
    def is_small(self) -> bool:
        """Whether a process has room for all that can be learnt of the notes."""
        return self.size <= SMALL[0] and self.files.size() <= SMALL[1]

    def changed(self, documents: Sequence[Document], gone: Collection[str], files: Files) -> "View":
        """Returns a view in which documents stand in place of the notes at their paths, and those in `gone` do not stand."""
        replaced = frozenset(gone).union(document.record.path for document in documents)
        over = [document for document in self._over if document.record.path not in replaced]
        stored = frozenset(self._base.rows.paths) if self._base else frozenset()
        hidden = stored & (self._hidden | replaced)
        base = self._base if hidden != stored else None
        return View(base, [*over, *documents], hidden if base else frozenset(), files, self.fingerprint)

    def layers(self) -> tuple[Snapshot | None, frozenset[str], Sequence[Document]]:
        """Returns the snapshot below, which of its paths hold no more, and the documents that are laid over it."""
        return self._base, self._hidden, self._over

    def paths(self) -> list[str]:
        """Returns the paths of all notes."""
        return sorted({path for path in self._rows if path not in self._hidden} | self._added.keys())

    def statistics(self, terms: Sequence[str]) -> bm25.Statistics:
        """Returns how many live notes there are, how long their bags are on average, and how many hold each term."""
        count, total = self._live_size()
        if not self._all_counted:
            self._holding |= {term: self._frequency(term) for term in terms if term not in self._holding}
        return bm25.Statistics(count, total / count if count else 0.0, self._holding)

    def _live_size(self) -> tuple[int, int]:
        added = [document.record.length for document in self._over if not document.inert]
        count, total = len(added), sum(added)
        if self._base:
            rows = self._base.rows
            lengths = rows.lengths() if self._hidden else []
            gone = [lengths[at] for at in self._gone_rows if at < rows.live]
            count += rows.live - len(gone)
            total += rows.total - sum(gone)
        return count, total

    def _frequency(self, term: str) -> int:
        counts = [index.frequency(term, self._shadow if self._is_base(index) else ()) for index in self._indexes]
        return sum(counts)

    def held(self, terms: Iterable[str]) -> list[str]:
        """Returns those terms, each once, that any note may hold: to look for another in 80 bags takes 40 us."""
        return [term for term in dict.fromkeys(terms) if any(index.holds(term) for index in self._indexes)]

    def _is_base(self, index: Index | Overlay) -> bool:
        return self._base is not None and index is self._base.full_text

    def matching(self, terms: Sequence[str], wanted: Wanted, limit: int) -> list[Stored]:
        """Returns at least the `limit` likeliest notes that hold any of the terms and pass the filters."""
        return [
            item
            for index in self._indexes
            for item in self._kept(index, index.matching(terms, wanted, self._more(index, limit)))
        ]

    def passing(self, wanted: Wanted, limit: int) -> list[Stored]:
        """Returns up to about `limit` notes that pass the filters."""
        return [
            item
            for index in self._indexes
            for item in self._kept(index, index.passing(wanted, self._more(index, limit)))
        ]

    def count_passing(self, wanted: Wanted) -> int:
        """Returns at least how many notes pass the filters: those that changed since may count twice."""
        return sum(index.count_passing(wanted) for index in self._indexes)

    def claimed(self, words: Collection[str]) -> list[str]:
        """Returns those folded names, of some, that notes may replace; `having` tells which do."""
        names = {name for document in self._over for name in document.record.supersedes}
        known = self._claimed | names if names else self._claimed
        return sorted(known.intersection(words))

    def entry(self, item: Stored) -> Entry:
        """Returns the note of an item, decoded once."""
        return self.learnt.decoded.entry(item)

    def unpack(self) -> list[Stored]:
        """Decodes all notes ahead of any question, and returns them."""
        items = self.having("path", self.paths())
        from gitmem.search.postings import Postings  # late: numpy takes as long to load as 50 questions take

        bags = {item.path: self.learnt.decoded.unpack(item) for item in items}
        self.learnt.postings = Postings(bags)
        live = (bag.counts for path, bag in bags.items() if not self._is_inert(path))
        self._holding, self._all_counted = dict(Counter(chain.from_iterable(live))), True
        return items

    def load(self) -> None:
        """Loads vectors and records in the form in which many questions are answered fastest."""
        self._vectors.load()
        if self._base:
            self._base.records.load()

    def summary(self, entry: Entry) -> str | None:
        """Returns what lists show of a note of this view."""
        return self.learnt.decoded.summary(entry)

    def having(self, field: str, words: Sequence[str], wanted: Wanted | None = None) -> list[Stored]:
        """Returns the notes with one of the words in a field (path, key, alias, to, supersedes, contradicts) that pass.

        What is known of a word is kept: most words are no alias and contradict nothing, and to hear it again takes 0.1 ms.
        """
        if wanted:
            return self._search(field, words, wanted)
        if field == "path":
            return [item for path in dict.fromkeys(words) if (item := self._at(path))]
        new = {word for word in words if (field, word) not in self._known}
        known = [item for word in words for item in self._known.get((field, word), ())]
        found = self._search(field, sorted(new), None) if new else []
        if all(new.intersection(_words(item, field)) for item in found):
            self._known |= {(field, word): [item for item in found if word in _words(item, field)] for word in new}
        return list({item.path: item for item in known + found}.values())

    def _search(self, field: str, words: Sequence[str], wanted: Wanted | None) -> list[Stored]:
        return [item for index in self._indexes for item in self._kept(index, index.having(field, words, wanted))]

    def at(self, paths: Sequence[str], wanted: Wanted) -> list[Stored]:
        """Returns the notes at some paths that pass the filters, each asked for once."""
        known = self._passing.setdefault(wanted, {})
        missing = [path for path in paths if path not in known]
        if missing:
            known |= dict.fromkeys(missing)
            known |= {item.path: item for item in self._passing_at(missing, wanted)}
        return [item for path in paths if (item := known[path])]

    def _passing_at(self, paths: Sequence[str], wanted: Wanted) -> list[Stored]:
        """Returns the notes at some paths that pass; where nothing is filtered, an index is asked only of what may be hidden."""
        if is_filtered(wanted):
            return self.having("path", paths, wanted)
        found = self.having("path", paths)
        doubtful = {item.path for item in found if self._may_hide(item)}
        passing = {item.path for item in self.having("path", sorted(doubtful), wanted)} if doubtful else doubtful
        return [item for item in found if item.path in passing or item.path not in doubtful]

    def _may_hide(self, item: Stored) -> bool:
        """Returns whether a note may be one that is shown only when asked for: replaced, or inert."""
        return self._is_inert(item.path) or _SUPERSEDED in item.note

    def _is_inert(self, path: str) -> bool:
        row, stored = self._row(path), len(self._rows)
        return self._over[row - stored].inert if row >= stored else not self._base or row >= self._base.rows.live

    def _at(self, path: str) -> Stored | None:
        """Returns the note at a path, None where there is none."""
        added = self._added.get(path)
        if added is not None:
            return stored(self._over[added - len(self._rows)].record)
        return self._base.at(path) if self._base and path not in self._hidden else None

    def everything(self) -> list[Entry]:
        """Returns every note, by path."""
        found = [item for index in self._indexes for item in self._kept(index, index.everything())]
        return sorted(map(self.entry, found), key=lambda entry: entry.path)

    def _more(self, index: Index | Overlay, limit: int) -> int:
        return limit + len(self._shadow) if self._is_base(index) else limit

    def _kept(self, index: Index | Overlay, found: Sequence[Stored]) -> Iterator[Stored]:
        if self._hidden and self._is_base(index):
            return (item for item in found if item.path not in self._hidden)
        return iter(found)

    def nearest(self, vector: bytes, count: int, *, inert: bool, beside: Collection[str] = ()) -> list[tuple[str, int]]:
        """Returns (path, dot) of the notes nearest to a vector, with all tied with the last; inert ones only if asked.

        `beside` are paths whose products will be asked for next: one pass over all costs less than two.
        """
        found = self._vectors.nearest(vector, count, self._allowed(inert=inert), beside=list(map(self._row, beside)))
        return [(self._path(row), dot) for row, dot in found]

    def _path(self, row: int) -> str:
        return self._rows[row] if row < len(self._rows) else self._over[row - len(self._rows)].record.path

    def _row(self, path: str) -> int:
        row = self._numbers.get(path)
        if row is None:
            stored = self._base and path not in self._added
            row = self._numbers[path] = self._base.rows.row(path) if self._base and stored else self._added[path]
        return row

    def _allowed(self, *, inert: bool) -> Iterator[range]:
        """Yields the rows that a search may find."""
        stored = len(self._base.rows.paths) if self._base else 0
        end = stored if inert or not self._base else self._base.rows.live
        start = 0
        for gone in self._gone_rows:
            yield range(min(start, end), min(gone, end))
            start = gone + 1
        yield range(min(start, end), end)
        yield from (range(at, at + 1) for at, each in enumerate(self._over, stored) if inert or not each.inert)

    def dots(self, vector: bytes, paths: Sequence[str]) -> list[int]:
        """Returns the dot product of a vector with that of each path."""
        return self._vectors.dots(vector, list(map(self._row, paths)))


def _laid_over(documents: Sequence[Document]) -> Index | Overlay:
    """Returns notes in memory, ready to be asked."""
    if len(documents) <= MOST:
        return Overlay([document.record for document in documents])
    known = {document.record.path: stored(document.record) for document in documents}
    return in_memory([document.record for document in documents], known.__getitem__)


def _words(item: Stored, field: str) -> tuple[str, ...]:
    """Returns by which words of a field an item is found, as far as an index tells."""
    return {"path": (item.path,), "key": (item.key,), "alias": item.aliases}.get(field, ())

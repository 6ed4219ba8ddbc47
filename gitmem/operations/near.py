"""Near notes: those of a memory that a note may repeat, contradict or belong to, each compared with it."""

from collections.abc import Iterable, Sequence

from gitmem.notes.note import Entry
from gitmem.operations.memory import Finder
from gitmem.search.document import Document, Maker, embedded_text
from gitmem.search.embed import SCALE
from gitmem.search.learnt import CUT
from gitmem.search.query import Wanted
from gitmem.search.tokens import STOP_WORDS
from gitmem.search.view import View
from gitmem.values import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # late at run time: a checkpoint that makes no note compares none
    from gitmem.knowledge.clauses import Said
    from gitmem.knowledge.compare import Comparison

# Notes that are compared in full, the best of so many by words and so many by vector; terms that are looked for.
COMPARED = 4
BY_WORDS = 12
BY_VECTOR = 12
TERMS = 24
# Cosine below which two notes are of two things: of the pairs of half 0 that disagree none is below .36.
LEAST = 0.3


class Near(NamedTuple):
    """A note near another one, and how the two compare: `comparison` reads from the new note (here) to this one (there)."""

    entry: Entry
    comparison: "Comparison"


_Key = tuple[str, str, str | None, str]


def _key(entry: Entry) -> _Key:
    """Returns what a note is known by, also before it has a file."""
    return entry.digest, entry.note.title, entry.note.summary, entry.note.body


class Comparer:
    """Compares notes for one command, index or none; what a note says is cut once."""

    def __init__(self, maker: Maker, kept: "dict[_Key, Said]") -> None:
        """`kept` are notes that a long-lived process has cut before; they take in what is cut here of notes with a file."""
        self.maker = maker
        self._kept = kept
        self._said: dict[_Key, Said] = {}
        self._vectors: dict[_Key, bytes] = {}

    def compared(self, entry: Entry, other: Entry, cosine: float | None = None) -> "Comparison":
        """Returns how two notes compare; `cosine` is that of their vectors, where it is known."""
        from gitmem.knowledge.compare import compare

        if cosine is None:
            cosine = _cosine(self._vector(entry), self._vector(other))
        return compare(self._cut(entry), self._cut(other), cosine, self.maker.sense)

    def _cut(self, entry: Entry) -> "Said":
        from gitmem.knowledge.clauses import said

        key = _key(entry)
        known = self._kept.get(key) or self._said.get(key)
        if known is None:
            known = self._said[key] = said(entry.note, self.maker.sense)
            if entry.digest and len(self._kept) < CUT:
                self._kept[key] = known
        return known

    def _vector(self, entry: Entry) -> bytes:
        key = _key(entry)
        if key not in self._vectors:
            self._vectors[key] = self.maker.model.passages([embedded_text(entry.note)])[0]
        return self._vectors[key]


class Neighbours:
    """Finds what is near to notes for one command, and compares it."""

    def __init__(self, finder: Finder) -> None:
        self.finder = finder
        self._comparer: Comparer | None = None
        self._written: dict[str, Document] = {}

    @property
    def view(self) -> View:
        """The notes as the finder sees them."""
        return self.finder.view

    @property
    def comparer(self) -> Comparer:
        """What compares with the view's own model."""
        if self._comparer is None:
            assert self.view.maker is not None
            self._comparer = Comparer(self.view.maker, self.view.learnt.cut)
        return self._comparer

    def of(self, entry: Entry, *, beside: Sequence[Entry] = ()) -> list[Near]:
        """Returns the notes nearest to one, itself left out, most alike first; superseded ones are among them.

        `beside` are notes that are compared whether they are near or not.
        """
        document = self.comparer.maker.document(entry)
        found = self._found(document, entry.path)
        known = {other.path for other, _ in found}
        more = [other for other in beside if other.path not in known]
        found += [(other, _cosine(document.vector, self.comparer.maker.document(other).vector)) for other in more]
        compared = [Near(other, self.comparer.compared(entry, other, cosine)) for other, cosine in found]
        return sorted(compared, key=lambda near: (-near.comparison.likeness, near.entry.path))

    def add(self, entry: Entry) -> None:
        """Takes in a note that the command has just written, which the view does not know."""
        self._written[entry.path] = self.comparer.maker.document(entry)

    def _found(self, document: Document, path: str) -> list[tuple[Entry, float]]:
        """Returns the notes nearest to a document with their cosines, nearest first."""
        view, wanted = self.view, Wanted(include=("superseded",))
        by_words = view.matching(self._terms(document), wanted, BY_WORDS)
        by_vector = [near for near, _ in view.nearest(document.vector, BY_VECTOR, inert=False)]
        items = {item.path: item for item in (*by_words, *view.at(by_vector, wanted))}
        paths = [each for each in items if each != path and each not in self._written]
        dots = zip(view.dots(document.vector, paths), paths, strict=True)
        found = [(dot / SCALE**2, view.entry(items[near])) for dot, near in dots]
        found += [(_cosine(document.vector, each.vector), self.finder.load(near)) for near, each in self._new(path)]
        found.sort(key=lambda pair: (-pair[0], pair[1].path))
        return [(entry, cosine) for cosine, entry in found[:COMPARED] if cosine >= LEAST or not any(document.vector)]

    def _new(self, path: str) -> Iterable[tuple[str, Document]]:
        return ((near, each) for near, each in self._written.items() if near != path and not each.inert)

    def _terms(self, document: Document) -> Sequence[str]:
        """Returns the terms of a note that stand most often, title and tags first, stop words left out."""
        counts = document.record.terms
        kept = [term for term in counts if term not in STOP_WORDS]
        return sorted(kept, key=lambda term: -counts[term])[:TERMS]


def _cosine(one: bytes, other: bytes) -> float:
    signed = [memoryview(each).cast("b") for each in (one, other)]
    return int(sum(a * b for a, b in zip(*signed, strict=True))) / SCALE**2

"""What was decoded of notes, kept while their bytes are the same: a long-lived process asks for the same notes again."""

from gitmem.notes.note import Entry
from gitmem.search.bm25 import Bag
from gitmem.search.document import restored
from gitmem.search.index import Stored, bag_counts
from gitmem.search.snippet import Passages, passages


class Decoded:
    """The notes of items met, by path, each with what was cut out of it; believed only of the bytes that it comes from."""

    def __init__(self) -> None:
        self._entries: dict[str, tuple[bytes, Entry, str | None]] = {}
        self._bags: dict[str, tuple[bytes, Bag]] = {}
        self._passages: dict[str, tuple[Entry, Passages]] = {}

    def copied(self) -> "Decoded":
        """Returns what a newer view starts with."""
        made = Decoded()
        made._entries, made._bags = self._entries.copy(), self._bags.copy()
        made._passages = self._passages.copy()
        return made

    def entry(self, item: Stored) -> Entry:
        """Returns the note of an item."""
        known = self._entries.get(item.path)
        if known is None or known[0] != item.note:
            known = self._entries[item.path] = (item.note, *restored(item.note))
        return known[1]

    def summary(self, entry: Entry) -> str | None:
        """Returns what lists show of a note that was decoded here."""
        return self._entries[entry.path][2]

    def passages(self, entry: Entry) -> Passages:
        """Returns the sentences of a note that was decoded here."""
        known = self._passages.get(entry.path)
        if known is None or known[0] is not entry:
            known = self._passages[entry.path] = (entry, passages(entry.note.body))
        return known[1]

    def bag(self, item: Stored) -> Bag | None:
        """Returns the bag of an item where it was unpacked, None elsewhere: to look for a few terms costs less."""
        known = self._bags.get(item.path)
        return known[1] if known and known[0] == item.bag else None

    def unpack(self, item: Stored) -> Bag:
        """Decodes all of an item, ahead of all questions, and returns its bag."""
        self.passages(self.entry(item))
        known = self.bag(item)
        if known is None:
            known = Bag(*bag_counts(item.bag))
            self._bags[item.path] = (item.bag, known)
        return known

"""What questions worked out of a view's notes, kept with the view, so that none works it out again."""

from collections.abc import Mapping, Sequence

from gitmem.search.decoded import Decoded
from gitmem.search.index import Stored
from gitmem.search.query import Wanted
from gitmem.values import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gitmem.knowledge.clauses import Said
    from gitmem.knowledge.trust import Facts
    from gitmem.search.log import Log
    from gitmem.search.postings import Postings

# Notes cut for comparing that are kept, of some 20 kB each.
CUT = 500


class Learnt:
    """All of it by path, but where it says otherwise. What hangs on other notes goes with the view, the rest is handed on.

    decoded: notes by their bytes; cut: notes as comparing cuts them, by what they say; log: of the memory, up to some HEAD.
    hops: the links one hop away, as replies show them; replaced: the name of the note that replaces one, empty for none;
    facts: what is known of a note's standing; stones: the tombstones that pass filters and that nothing replaces, by
    the filters, then by each term that they hold; subjects: what a tombstone buried, as questions are compared with it;
    postings: of all notes, where they are few.
    asked: how often, since nothing changed; known: whether what is cheap was worked out ahead of the questions, ahead:
    whether all of it was.
    """

    def __init__(self) -> None:
        self.decoded = Decoded()
        self.cut: dict[tuple[str, str, str | None, str], Said] = {}
        self.log: Log | None = None
        self.hops: dict[str, list[dict[str, Any]]] = {}  # Any: JSON
        self.replaced: dict[str, str] = {}
        self.facts: dict[str, Facts] = {}
        self.stones: dict[Wanted, Mapping[str, Sequence[Stored]]] = {}
        self.subjects: dict[str, Any] = {}  # Any: words as caveats cuts them
        self.postings: Postings | None = None
        self.asked, self.known, self.ahead = 0, False, False

    def handed_on(self, *, decoded: bool) -> "Learnt":
        """Returns what a newer view starts with; what was decoded only where asked, as it takes room."""
        made = Learnt()
        made.log = self.log
        made.cut = self.cut.copy()
        made.decoded = self.decoded.copied() if decoded else Decoded()
        return made

    def forget_words(self) -> None:
        """Forgets what hangs on the words of a vocabulary."""
        self.facts, self.stones, self.asked, self.known, self.ahead = {}, {}, 0, False, False

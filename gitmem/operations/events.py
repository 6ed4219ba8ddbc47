"""Events: what a checkpoint says has happened, made into notes of their own where it should last."""

from collections.abc import Sequence

from gitmem.errors import GitmemError
from gitmem.notes import store as notes
from gitmem.notes.entry import read
from gitmem.notes.name import fold
from gitmem.notes.note import Entry, Link
from gitmem.notes.shown import cut
from gitmem.notes.vocabulary import Vocabulary, types_with, verb_with
from gitmem.operations import write
from gitmem.operations.claims import Save, checked_links, stamped, stamps, with_link
from gitmem.operations.draft import TITLE_LIMIT, Author, Draft, rewritten
from gitmem.operations.lapse import lapse, owned
from gitmem.operations.memory import Finder
from gitmem.operations.near import Neighbours
from gitmem.operations.retiring import retired
from gitmem.operations.unfinished import guard_tracked
from gitmem.values import Any, NamedTuple

Reply = dict[str, Any]  # Any: the JSON of design section 14

# The type that each kind becomes; where the vocabulary has no such word, the event stays in the checkpoint. A blocker
# is of a worklist type, whatever its word. Milestones and handoffs are about the checkpoint, and stay in it.
TYPES = {
    "decision": "decision",
    "accepted": "decision",
    "rejected": "decision",
    "superseded": "decision",
    "constraint": "caution",
    "blocker": "problem",
    "verification": "insight",
}
# What parts NAME or COMMAND from what is said of it: superseded=NAME: the new decision, rejected=NAME: the reason,
# verification=COMMAND -> RESULT.
PARTED = (" -> ", " → ", ": ")
AGAINST = "Rejected: "
HEADING = "Notes made of its events:"


class Made(NamedTuple):
    """The note that an event became, or that was there already and says the same."""

    event: str
    name: str
    created: bool


class Plan(NamedTuple):
    """What events come to: files to save, the notes that they are, and what stays in the checkpoint for which reason."""

    saves: list[Save]
    made: list[Made]
    warnings: list[Reply]

    @property
    def block(self) -> str:
        """What the checkpoint says of its notes: a line with a link for each."""
        lines = [f"- {each.event}: [[{each.name}]]" for each in self.made]
        return "\n".join([HEADING, "", *lines]) if lines else ""


class About(NamedTuple):
    """What the notes of one checkpoint have in common."""

    author: Author
    touches: tuple[str, ...]
    session: str | None


NOTHING = Plan([], [], [])


def planned(finder: Finder, events: Sequence[str], about: About) -> Plan:
    """Returns what checked `KIND=TEXT` events come to, nothing of it written; raises GitmemError for what no note may say.

    A note that says the same already is linked, not written again.
    """
    planner = _Planner(finder, about)
    for event in events:
        kind, _, text = event.partition("=")
        if kind in TYPES:
            planner.add(kind, text.strip())
    saves = list(planner.saves.values())
    guard_tracked(finder.memory, [save.path for save in saves if save.path in planner.there])
    return Plan(saves, planner.made, planner.warnings)


def without_block(body: str) -> str:
    """Returns a checkpoint's text without the list of the notes that it made."""
    return f"\n\n{body}".partition(f"\n\n{HEADING}\n")[0].strip()


class _Planner:
    """Plans the notes of one checkpoint, each aware of those before it."""

    def __init__(self, finder: Finder, about: About) -> None:
        self.finder = finder
        self.near = Neighbours(finder)
        self.about = about
        self.there = set(finder.names.all())
        self.saves: dict[str, Save] = {}
        self.made: list[Made] = []
        self.warnings: list[Reply] = []

    def add(self, kind: str, text: str) -> None:
        """Plans the note of one event, or says why it stays in the checkpoint."""
        old, said = self._meant(text) if kind in ("superseded", "rejected") else (None, text)
        if kind == "superseded" and old is None:
            self._stays(kind, text, "it names no note; write superseded=NAME: what holds now")
        elif kind == "rejected" and old and types_with(self._vocabulary, "tombstone"):
            self._bury(old, said)
        else:
            self._write(kind, old, f"{AGAINST}{text}" if kind == "rejected" else said)

    @property
    def _vocabulary(self) -> Vocabulary:
        return self.finder.memory.config.vocabulary

    def _meant(self, text: str) -> tuple[Entry | None, str]:
        """Returns the note that a text begins with, and what it says of it; None where there is no such note."""
        word, said = _parted(text)
        path = self._path(word.removeprefix("[[").removesuffix("]]"))
        if path is None or not said:
            return None, text
        if path in self.saves:
            message = f"Two events of one checkpoint change {word}."
            raise GitmemError("bad-event", message, "Say the second one in a checkpoint of its own.")
        return self.finder.load(path), said

    def _path(self, word: str) -> str | None:
        try:
            return self.finder.path(word)
        except GitmemError:  # words that no name can be
            return None

    def _write(self, kind: str, old: Entry | None, text: str) -> None:
        type = _type(self._vocabulary, kind, old)
        if type is None:
            self._stays(kind, text, f"the vocabulary has no type {TYPES[kind]}")
            return
        title, body = _verified(text) if kind == "verification" else _titled(text)
        draft = self._draft(title, body, type)
        draft = draft._replace(touches=None) if kind == "verification" else draft  # a run speaks of no one place
        if old is None:
            self._plan(kind, draft)
            return
        self.warnings += retired(self.finder, [old], self.about.author)
        verb = verb_with(self._vocabulary, "supersession")
        entry = self._plan(kind, draft._replace(links=(f"{verb}={old.name}",)))
        if entry:
            self._claim(entry, Link(verb, old.name, None, 1.0), old)

    def _claim(self, entry: Entry, link: Link, old: Entry) -> None:
        """Makes a note that was there already replace another one, where it does not yet."""
        finder, spellings = self.finder, self.finder.spellings(old)
        keys = set(map(fold, spellings))
        if any(each.verb == link.verb and fold(each.to) in keys for each in entry.note.links):
            return
        claim = checked_links(finder, [link], entry.name, entry.path)[0]
        said = with_link(entry.note, claim, spellings)
        note = owned(entry.note, said, finder.memory.environment, self.about.author)
        self.warnings += lapse(entry.note, note, entry.name)
        store = finder.memory.store
        data = rewritten(entry, notes.raw(store, entry.path), note, store.verbs)
        self._keep([Save(entry.path, data), *stamps(finder, entry.path, note.links, entry.note.links)])

    def _bury(self, old: Entry, reason: str) -> None:
        self.warnings += retired(self.finder, [old], self.about.author)
        type = min(types_with(self._vocabulary, "tombstone"))
        draft = self._draft(old.note.title, reason, type)._replace(touches=None)  # the code is another's now
        there = self._plan("rejected", draft, buried=old.name)
        if there is None and old.note.status != "archived":
            self._keep([stamped(self.finder.memory, old, "archived")])

    def _draft(self, title: str, body: str | None, type: str) -> Draft:
        touches, session = self.about.touches, self.about.session
        return Draft(title=title, type=type, body=body, touches=touches or None, session=session)

    def _plan(self, kind: str, draft: Draft, *, buried: str | None = None) -> Entry | None:
        """Returns the note that was there already, None where a new one is made."""
        names = (buried,) if buried else ()
        entry, saves, suspects = write.planned(self.near, draft, self.about.author, buried=names)
        self._keep(saves)
        self.warnings += [_suspect(entry, each) for each in suspects]
        self.made.append(Made(kind, entry.name, bool(saves)))
        return None if saves else entry

    def _keep(self, saves: Sequence[Save]) -> None:
        for save in saves:
            if save.path in self.saves:
                message = f"Two events of one checkpoint change .memory/{save.path}."
                raise GitmemError("bad-event", message, "Say the second one in a checkpoint of its own.")
            self.saves[save.path] = save
            self.finder.add(read(save.path, save.data, verbs=self.finder.memory.store.verbs))

    def _stays(self, kind: str, text: str, why: str) -> None:
        message = f"The event {kind}={cut(text, 60)!r} stays in the checkpoint alone: {why}."
        self.warnings.append({"code": "event-stays", "name": None, "message": message})


def _suspect(entry: Entry, other: Reply) -> Reply:
    message = f"{entry.name} seems to disagree with {other['name']}: {other['reason'].rstrip('.')}."
    return {"code": "suspect", "name": entry.name, "message": message}


def _type(vocabulary: Vocabulary, kind: str, old: Entry | None) -> str | None:
    """Returns the type of the note that an event becomes, None where the vocabulary has none for it."""
    word, worklist = TYPES[kind], types_with(vocabulary, "worklist")
    if kind == "blocker":
        return word if word in worklist else next((each for each in vocabulary.types if each in worklist), None)
    if word in vocabulary.types and vocabulary.types[word].role is None:
        return word
    return old.note.type if old and old.note.type in vocabulary.types else None


def _parted(text: str) -> tuple[str, str]:
    """Returns what stands before the first sign that parts a text, and what stands after it."""
    found = [(at, sign) for sign in PARTED if (at := text.find(sign)) >= 0]
    if not found:
        return text, ""
    at, sign = min(found)
    return text[:at].strip(), text[at + len(sign) :].strip()


def _titled(text: str) -> tuple[str, str | None]:
    """Returns a title, and the rest, or all where the first line is too long for one."""
    first, _, rest = text.partition("\n")
    if len(first.strip()) > TITLE_LIMIT:
        return cut(first.strip(), TITLE_LIMIT), text
    return first.strip(), rest.strip() or None


def _verified(text: str) -> tuple[str, str | None]:
    command, result = _parted(text)
    if not result:
        return _titled(text)
    title, _ = _titled(f"{command}: {result}")
    return title, f"Command: `{command}`\n\nResult: {result}"

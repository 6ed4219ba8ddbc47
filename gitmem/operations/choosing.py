"""Choosing: which notes one brief shows, each once, and what it says of them."""

from collections.abc import Collection, Iterable, Sequence

from gitmem.notes.note import Entry
from gitmem.notes.vocabulary import SETTLED
from gitmem.operations.anchors import graded, is_drifted
from gitmem.operations.memory import Memory, Reading, shown_path
from gitmem.operations.standing import Judge, shown
from gitmem.search.query import HIDDEN, Wanted
from gitmem.search.roster import CHECKPOINT, LIVE, Roster
from gitmem.values import Any, NamedTuple

Reply = dict[str, Any]  # Any: the JSON of design section 14

# Notes about changed files that are graded, the newest, as those that drifted lead; notes that bear on a query.
GRADED, RELEVANT = 60, 8
# Of a type so many times as are shown, of the newest and of those that somebody stands for, are compared by their trust.
COMPARED = 2


class Section(NamedTuple):
    """Notes under a title: what is said of each, how many more there are, and the command that lists them."""

    title: str
    notes: list[Reply]
    more: int
    hint: str


class Chooser:
    """Chooses notes for one brief; what one section has, none after it has again."""

    def __init__(self, memory: Memory, reading: Reading, roster: Roster) -> None:
        self.memory = memory
        self.roster = roster
        self.drifted: dict[str, str] = {}  # names by path
        self._reading = reading
        self._told: set[str] = set()
        self._judge = Judge(memory, reading.view, reading.maker.roles)
        self._entries: dict[str, Entry] = {}

    def section(self, title: str, paths: Sequence[str], most: int, hint: str) -> Section:
        """Returns the first of some notes that no section before it has; a hint is a command, or the filters of a list."""
        left = self._left(paths)
        notes = self._notes(self._read(left[:most]))
        return Section(title, notes, len(left) - len(notes), hint)

    def _left(self, paths: Iterable[str]) -> list[str]:
        return [path for path in paths if path not in self._told]

    def _read(self, paths: Sequence[str]) -> list[Entry]:
        """Returns the notes at paths, each read once."""
        missing = [path for path in paths if path not in self._entries]
        view = self._reading.view
        found = view.at(missing, Wanted(include=HIDDEN)) if missing else []
        self._entries |= {item.path: view.entry(item) for item in found}
        return [self._entries[path] for path in paths if path in self._entries]

    def _graded(self, entries: Sequence[Entry]) -> dict[str, list[Reply]]:
        touches = graded(self.memory, entries)
        self.drifted |= {entry.path: entry.name for entry in entries if is_drifted(touches[entry.path])}
        return touches

    def _notes(self, entries: Sequence[Entry]) -> list[Reply]:
        self._graded(entries)
        standings = self._judge.of(entries, self.drifted)
        self._told.update(entry.path for entry in entries)
        return [
            {
                "name": entry.name,
                "path": shown_path(self.memory, entry.path),
                "type": entry.note.type,
                "title": entry.note.title,
                "text": self._said(entry),
                "created": entry.note.created,
                **shown(standings[entry.path]),
            }
            for entry in entries
        ]

    def _said(self, entry: Entry) -> str:
        """Returns what is shown of a note: its summary, else its title; of a sensitive one the title alone.

        Before it stands that the note is settled, for what is resolved reads like what is not.
        """
        summary = None if entry.note.sensitive else self._reading.view.summary(entry)
        settled = f"{entry.note.status}: " if entry.note.status in SETTLED else ""
        return settled + (summary or entry.note.title)

    def disputes(self, title: str, field: str, most: int, hint: str) -> Section:
        """Returns the notes that disagree, newest pairs first, each with the names of those that it disagrees with."""
        pairs = self.roster.pairs(field)
        newest = {path: at for at, path in enumerate(self.roster.of(LIVE))} if pairs else {}
        against: dict[str, list[str]] = {}
        for newer, older in sorted(sorted(newest[path] for path in pair) for pair in pairs if newest.keys() >= {*pair}):
            ends = list(newest)[newer], list(newest)[older]
            for one, other in (ends, ends[::-1]):
                against.setdefault(one, []).append(other)
        shown = self._left(against)[:most]
        section = self.section(title, list(against), most, hint)
        for path, note in zip(shown, section.notes, strict=True):
            note["against"] = list(dict.fromkeys(entry.name for entry in self._read(against[path])))
        return section

    def relevant(self, query: str) -> list[str]:
        """Returns the paths of the notes that bear on a query, best first, by words alone."""
        from gitmem.search.rank import find  # late: most briefs ask nothing

        view, maker = self._reading.view, self._reading.maker.lexical()
        answer = find(view, maker, query, Wanted(), limit=RELEVANT + len(self._told), now=self.memory.now)
        return [hit.entry.path for hit in answer.hits]

    def touching(self, files: Collection[str]) -> list[str]:
        """Returns the paths of the notes about some files, those that drifted first, then newest first."""
        paths = self._left(self.roster.touching(*places(self.memory, files)))
        self._graded(self._read(paths[:GRADED]))
        return list(dict.fromkeys((*(path for path in paths if path in self.drifted), *paths)))

    def strongest(self, kind: str, most: int) -> list[str]:
        """Returns the paths of the notes of a type, the most trusted of the likeliest first, then newest first."""
        paths = self._left(self.roster.of(f"type {kind}"))
        claimed = self._left(self.roster.of(f"claimed {kind}"))
        likely = dict.fromkeys((*claimed[: COMPARED * most], *paths[: COMPARED * most]))
        place = {path: at for at, path in enumerate(paths)}
        standings = self._judge.of(self._read(list(likely)))
        best = sorted(standings, key=lambda path: (-standings[path].trust, place[path]))
        return list(dict.fromkeys((*best, *paths)))

    def last_checkpoint(self) -> Entry | None:
        """Returns the newest checkpoint."""
        return next(iter(self._read(self.roster.of(CHECKPOINT)[:1])), None)

    def checkpoint(self, entry: Entry) -> Reply:
        """Returns what is said of a checkpoint: all that it says, its title alone where it is sensitive."""
        quiet = entry.note.sensitive
        touches, standings = graded(self.memory, [entry])[entry.path], self._judge.of([entry])
        return {
            "name": entry.name,
            "path": shown_path(self.memory, entry.path),
            "title": entry.note.title,
            "text": None if quiet else entry.note.body,
            "next": [] if quiet else texts(entry, "next"),
            "events": [] if quiet else texts(entry, "events"),
            "created": entry.note.created,
            "head": entry.note.extra.get("head"),
            "touches": touches,
            **shown(standings[entry.path]),
        }


def texts(entry: Entry, key: str) -> list[str]:
    """Returns the texts that a checkpoint lists under a field, none where it is no list."""
    value = entry.note.extra.get(key)
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def places(memory: Memory, files: Iterable[str]) -> tuple[set[str], tuple[str, ...]]:
    """Returns, in one case, what notes about some files may touch: these and the folders above, and folders with all in them.

    Paths are those from the top level, and those from the memory's own root; a file that ends in `/` is a whole folder.
    """
    above = memory.root[len(memory.repository.top) :].strip("/") if memory.repository else ""
    whole = list(files)
    below = [path.removeprefix(above + "/") for path in whole if above and path.startswith(above + "/")]
    found = {path.casefold() for path in (*whole, *below)}
    folders = {path[: at + 1] for path in found for at, letter in enumerate(path) if letter == "/"}
    return found | folders, tuple(path for path in found if path.endswith("/"))

"""Merging: several notes made into one, which takes over what ties them to others and replaces them."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from shlex import quote

from gitmem.errors import GitmemError
from gitmem.notes import store as notes
from gitmem.notes import vocabulary as words
from gitmem.notes.entry import read, sound
from gitmem.notes.name import fold
from gitmem.notes.note import Entry, Link, Note
from gitmem.notes.touch import unhashed
from gitmem.operations.approval import check_unpinned
from gitmem.operations.claims import Save, checked_links, stamps
from gitmem.operations.draft import Author, rewritten
from gitmem.operations.lapse import lapse, owned
from gitmem.operations.memory import Finder, Memory, shown_path
from gitmem.operations.retiring import retired
from gitmem.operations.transaction import carry_out
from gitmem.operations.unfinished import unfinished
from gitmem.values import Any, NamedTuple

Reply = dict[str, Any]  # Any: the JSON of design section 14

APART = ("tombstone", "checkpoint")
# Fields of a victim that are told where the survivor's say otherwise; the rest is merged, or is about the victim alone.
OWN = ("summary", "domain", "durability", "confidence")


class _Planned(NamedTuple):
    """A note, and what it is to say."""

    entry: Entry
    note: Note


def merge(
    memory: Memory, names: Sequence[str], into: str, *, dry_run: bool = False, author: Author | None = None
) -> Reply:
    """Merges notes into one (reply of design section 14), all of it in one write or none; `dry_run` tells what it would do.

    The survivor keeps its text and takes over tags, touches, aliases and links; links to the others lead to it, and they
    stay as history behind its `replaces`. `left` says what they hold that it does not. The same again finishes what a
    killed process began. Raises GitmemError where one is pinned, superseded or archived.
    """
    with notes.lock(memory.store):
        finder = Finder(memory)
        merger = _Merger(finder, finder.entry(into), [finder.entry(name) for name in names])
        merger.check()
        planned = merger.planned()
        victims = {victim.path for victim in merger.victims}
        planned = [each if each.entry.path in victims else _under(memory, each, author) for each in planned]
        gone = retired(finder, merger.victims, author, planned[0].note)
        saves = [save for each in planned if (save := _save(finder, each))]
        changed = [save.path for save in saves]
        if not dry_run:
            carry_out(memory, saves)
    survivor = merger.survivor
    return {
        "name": survivor.name,
        "path": shown_path(memory, survivor.path),
        "changed": [shown_path(memory, path) for path in changed],
        "merged": [victim.name for victim in merger.victims],
        "gained": _gained(survivor.note, planned[0].note),
        "repointed": [each.entry.name for each in planned if each.entry.path in merger.repointed],
        "left": [_left(survivor.note, victim) for victim in merger.victims],
        "warnings": [*merger.warnings(planned), *_voided(planned, merger.paths), *gone],
        "dry_run": dry_run,
        "deferred": unfinished(memory) is not None,
    }


def _save(finder: Finder, planned: _Planned) -> Save | None:
    store, entry = finder.memory.store, planned.entry
    data = notes.raw(store, entry.path)
    new = rewritten(entry, data, planned.note, store.verbs)
    return Save(entry.path, new) if new != data else None


class _Merger:
    """Plans one merge: the survivor, the victims, and the notes that link to these."""

    def __init__(self, finder: Finder, survivor: Entry, victims: Sequence[Entry]) -> None:
        vocabulary = finder.memory.config.vocabulary
        self.finder = finder
        self.survivor = survivor
        self.victims = list({victim.path: victim for victim in victims}.values())
        self.paths = frozenset(victim.path for victim in self.victims)
        self.repointed: set[str] = set()
        self._supersession = words.verbs_with(vocabulary, "supersession")
        self._verb = words.verb_with(vocabulary, "supersession")

    # What is refused

    def check(self) -> None:
        """Raises GitmemError where these notes cannot be merged."""
        if self.survivor.path in self.paths or not self.victims:
            message = f"{self.survivor.name} cannot be merged into itself."
            raise GitmemError("self-merge", message, "gitmem merge NAME… --into NAME takes other notes into one.")
        for entry in (self.survivor, *self.victims):
            self._check_kind(entry)
            check_unpinned(entry)
            self._check_live(entry)

    def _check_kind(self, entry: Entry) -> None:
        declared = self.finder.memory.config.vocabulary.types.get(entry.note.type)
        if declared and declared.role in APART:
            message = f"{entry.name} is a {declared.name}, which stands by itself."
            raise GitmemError("wrong-target", message, "Merge notes that make a claim.")

    def _check_live(self, entry: Entry) -> None:
        """Refuses a note that is history; one that the survivor replaces already may be merged to its end."""
        by = self._replacers(entry)
        own = entry.path in self.paths and by == {self.survivor.path}
        if entry.note.status == "archived":
            hint = f"gitmem revise {quote(entry.name)} --status '' takes it back."
            raise GitmemError("archived", f"{entry.name} is archived.", hint)
        if not own and (by or entry.note.status == "superseded"):
            hint = f"gitmem timeline {quote(entry.name)} shows what holds now; merge that."
            raise GitmemError("superseded", f"{entry.name} is superseded.", hint)

    def _replacers(self, entry: Entry) -> set[str]:
        """Returns the paths of the notes that replace a note."""
        sources = self.finder.holding("to", self.finder.spellings(entry))
        claims = ((each.path, link) for each in sources for link in each.note.links if link.verb in self._supersession)
        return {path for path, link in claims if path != entry.path and self.finder.target(link.to) == entry.path}

    # What is planned

    def planned(self) -> list[_Planned]:
        """Returns the notes that change as they are to be: the survivor first, for it makes the claim, then the victims."""
        others = list(self._others())
        found = [
            _Planned(self.survivor, self._survivor()),
            *(_Planned(victim, self._victim(victim)) for victim in self.victims),
            *others,
        ]
        return self._with_statuses(found)

    def _survivor(self) -> Note:
        note = self.survivor.note
        return note._replace(
            tags=_united(note.tags, [victim.note.tags for victim in self.victims]),
            aliases=_united(note.aliases, map(self._aliases, self.victims)),
            touches=_touches([note, *(victim.note for victim in self.victims)]),
            links=(*self._links(), *self._claims()),
            suspects=self._suspects([self.survivor, *self.victims]),
        )

    def _victim(self, victim: Entry) -> Note:
        """Returns a victim as it stays: its text, and whom it replaced itself."""
        gone = {fold(alias) for alias in self._aliases(victim)}
        return victim.note._replace(
            status="superseded",
            aliases=tuple(alias for alias in victim.note.aliases if fold(alias) not in gone),
            links=tuple(link for link in victim.note.links if link.verb in self._supersession),
            suspects=(),
        )

    def _aliases(self, victim: Entry) -> tuple[str, ...]:
        """Returns the aliases that lead to a victim, and to the survivor from now on; its name stays its own."""
        found = self.finder.spellings(victim)[1:]
        return tuple(alias for alias in found if fold(alias) != fold(self.survivor.name))

    def _links(self) -> list[Link]:
        """Returns the links of all, each once, without those among them and without replacements that victims made."""
        found: dict[tuple[str, str], Link] = {}
        for entry in (self.survivor, *self.victims):
            for link in entry.note.links:
                target = self._meant(link.to)
                kept = link.verb in self._supersession and entry is self.survivor
                inner = target in self.paths or target == self.survivor.path
                if kept or not (inner or link.verb in self._supersession):
                    _add(found, (link.verb, target), link)
        return list(found.values())

    def _claims(self) -> list[Link]:
        """Returns the replacements that the survivor does not claim yet."""
        verbs, links = self._supersession, self.survivor.note.links
        known = {self._meant(link.to) for link in links if link.verb in verbs}
        claims = [Link(self._verb, each.name, None, 1.0) for each in self.victims if each.path not in known]
        return checked_links(self.finder, claims, self.survivor.name, self.survivor.path)

    def _suspects(self, entries: Sequence[Entry]) -> tuple[str, ...]:
        """Returns whom notes seem to disagree with, the survivor in place of victims; nobody suspects itself."""
        own = {entry.path for entry in entries}
        named = [(self._meant(word), word) for entry in entries for word in entry.note.suspects]
        moved = [
            (self.survivor.path, self.survivor.name) if path in self.paths else (path, word) for path, word in named
        ]
        return tuple({path: word for path, word in moved if path not in own}.values())

    def _others(self) -> Iterator[_Planned]:
        """Yields the notes that link to victims, or are suspected to disagree with them, with the survivor there instead."""
        keys = {fold(word) for victim in self.victims for word in self.finder.spellings(victim)}
        for known in self.finder.view.everything():
            said = {fold(link.to) for link in known.note.links} | set(map(fold, known.note.suspects))
            if known.path in self.paths or known.path == self.survivor.path or said.isdisjoint(keys):
                continue
            entry = self.finder.load(known.path)
            note = entry.note._replace(links=self._repointed(entry), suspects=self._suspects([entry]))
            if note.links != entry.note.links:
                self.repointed.add(entry.path)
            yield _Planned(entry, note)

    def _repointed(self, entry: Entry) -> tuple[Link, ...]:
        found: dict[tuple[str, str], Link] = {}
        for at, link in enumerate(entry.note.links):
            target = self._meant(link.to)
            if target in self.paths and link.verb not in self._supersession:
                self._check_target(entry, link)
                target, link = self.survivor.path, link._replace(to=self.survivor.name)
            # What does not lead to the survivor stays as it is, also twice.
            _add(found, (link.verb, target if target == self.survivor.path else str(at)), link)
        return tuple(found.values())

    def _check_target(self, entry: Entry, link: Link) -> None:
        vocabulary = self.finder.memory.config.vocabulary
        verb = vocabulary.verbs.get(link.verb)
        if verb and verb.to != "any" and self.survivor.note.type not in words.types_with(vocabulary, verb.to):
            wanted = words.note_with(vocabulary, verb.to)
            message = f"{entry.name} {link.verb} {link.to}, which needs {wanted}; {self.survivor.name} is none."
            hint = f"gitmem unlink {quote(entry.name)} {link.verb} {quote(link.to)} takes that link away."
            raise GitmemError("wrong-target", message, hint)

    def _meant(self, word: str) -> str:
        return self.finder.target(word) or f"\0{fold(word)}"  # no path has a NUL: a name that no note has

    def _with_statuses(self, planned: Sequence[_Planned]) -> list[_Planned]:
        """Returns the plan with the statuses that links give which came: a problem that is answered is resolved."""
        survivor = planned[0]
        found = {each.entry.path: each for each in planned}
        if self._is_answered(survivor, planned):
            found[survivor.entry.path] = survivor._replace(note=survivor.note._replace(status="resolved"))
        for save in stamps(self.finder, survivor.entry.path, survivor.note.links, survivor.entry.note.links):
            if save.path not in self.paths:
                status = read(save.path, save.data, verbs=self.finder.memory.store.verbs).note.status
                target = self.finder.load(save.path)
                there = found.get(save.path, _Planned(target, target.note))
                found[save.path] = there._replace(note=there.note._replace(status=status))
        return list(found.values())

    def _is_answered(self, survivor: _Planned, planned: Sequence[_Planned]) -> bool:
        """Returns whether an open survivor is answered by what answered a victim."""
        answers = words.verbs_with(self.finder.memory.config.vocabulary, "answer")
        moved = [each for each in planned if each.entry.path in self.repointed]
        claims = (link for each in moved for link in each.note.links if link.verb in answers)
        return survivor.note.status in (None, "open") and any(
            self._meant(link.to) == survivor.entry.path for link in claims
        )

    def warnings(self, planned: Sequence[_Planned]) -> Iterator[Reply]:
        """Yields what a merge closes: the survivor, or a victim's open work behind one that is closed."""
        before, after = self.survivor.note.status, planned[0].note.status
        worklist = words.types_with(self.finder.memory.config.vocabulary, "worklist")
        if after != before:
            message = f"{self.survivor.name} is resolved now: what answered a merged note answers it."
            yield {"code": "resolved", "name": self.survivor.name, "message": message}
        closed = after in words.SETTLED or self.survivor.note.type not in worklist
        for victim in self.victims if closed else ():
            if victim.note.type in worklist and victim.note.status in (None, "open"):
                message = f"{victim.name} was open, and is history behind {self.survivor.name}, which is not."
                yield {"code": "open", "name": victim.name, "message": message}


def _add(found: dict[tuple[str, str], Link], key: tuple[str, str], link: Link) -> None:
    """Adds a link, or its note to a link that says the same."""
    known = found.setdefault(key, link)
    if link.note and link.note not in (known.note or ""):
        found[key] = known._replace(note=f"{known.note}; {link.note}" if known.note else link.note)


def _united(own: Collection[str], others: Iterable[Collection[str]]) -> tuple[str, ...]:
    """Returns words, each once without regard to case, in the first spelling."""
    found: dict[str, str] = {}
    for word in (*own, *(word for each in others for word in each)):
        found.setdefault(fold(word), word)
    return tuple(found.values())


def _touches(parts: Sequence[Note]) -> tuple[str, ...]:
    """Returns all touches, each once, with the hash that it has first."""
    found: dict[str, str] = {}
    for touch in (touch for note in parts for touch in note.touches):
        found.setdefault(unhashed(touch), touch)
    return tuple(found.values())


# What is told


def _gained(before: Note, after: Note) -> Reply:
    """Returns what the survivor has now and had not."""
    return {
        "tags": [tag for tag in after.tags if tag not in before.tags],
        "touches": [touch for touch in after.touches if touch not in before.touches],
        "aliases": [alias for alias in after.aliases if alias not in before.aliases],
        "links": [{"verb": link.verb, "to": link.to} for link in after.links if link not in before.links],
    }


def _left(survivor: Note, victim: Entry) -> Reply:
    """Returns what a victim holds that the survivor does not: lines of its text, null where it is sensitive, and fields."""
    note = victim.note
    known = {line.strip() for line in survivor.body.splitlines()}
    lines = [line for line in note.body.splitlines() if line.strip() and line.strip() not in known]
    said = {key: value for key in OWN if (value := getattr(note, key)) is not None and value != getattr(survivor, key)}
    extra = {key: value for key, value in note.extra.items() if survivor.extra.get(key) != value}
    text = None if note.sensitive else "\n".join(lines)
    return {"name": victim.name, "title": note.title, "text": text, "fields": said | extra}


def _under(memory: Memory, planned: _Planned, author: Author | None) -> _Planned:
    return planned._replace(note=owned(planned.entry.note, planned.note, memory.environment, author))


def _voided(planned: Sequence[_Planned], victims: Collection[str]) -> Iterator[Reply]:
    """Yields a warning for each note that a person stood for and that is to have other links."""
    for entry, note in planned:
        if entry.path not in victims:
            yield from lapse(sound(entry.note), note, entry.name)

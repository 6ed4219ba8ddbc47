"""History: how the memory came to be what it is, commit by commit and between any two of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitmem.errors import GitmemError
from gitmem.knowledge import change
from gitmem.knowledge.change import Difference, Outdated
from gitmem.knowledge.risk import is_live
from gitmem.notes.entry import read
from gitmem.notes.instant import instant_of
from gitmem.notes.name import check_name, fold
from gitmem.notes.note import Entry, Link
from gitmem.notes.store import stem, unknown
from gitmem.operations import past
from gitmem.operations.anchors import ungraded
from gitmem.operations.memory import Finder, Memory, shown_path
from gitmem.operations.origin import folder_of, whole_log
from gitmem.operations.outdated import outdated
from gitmem.operations.pairing import joined
from gitmem.operations.past import PastFinder, is_note, repository_of
from gitmem.operations.read import check_open, shown
from gitmem.search.document import roles_of
from gitmem.storage import history as commits
from gitmem.storage.disk import LARGEST
from gitmem.storage.fork import fork
from gitmem.storage.git import Repository
from gitmem.storage.history import Change, Commit
from gitmem.storage.objects import Objects
from gitmem.storage.trees import Leaf
from gitmem.values import Any, NamedTuple

Reply = dict[str, Any]  # Any: the JSON of design section 14

WORDS = {"A": "added", "M": "revised", "D": "removed", "R": "renamed"}


def log(memory: Memory, *, limit: int = 0) -> Reply:
    """Returns the commits that changed the memory, newest first (reply of design section 14); limit 0 is no limit.

    A merge is among them where it changed a note itself. Raises GitmemError without a repository.
    """
    repository = repository_of(memory)
    found = joined(memory, repository, whole_log(memory, repository).commits()[: limit or None])
    return {"commits": [_listed(commit, commit.changes) for commit in found], "warnings": shallow(repository)}


def history(memory: Memory, name: str) -> Reply:
    """Returns the commits that changed one note, under all its names; a note that is gone is known by its last name.

    Raises GitmemError where no note has or had the name.
    """
    repository = repository_of(memory)
    finder = Finder(memory)
    path = finder.path(name)
    key = fold(stem(path) if path else _word(name))
    found = list(_followed(joined(memory, repository, whole_log(memory, repository).commits()), key))
    if not found and path is None:
        raise unknown(name, finder.names)
    return {"commits": found, "warnings": shallow(repository)}


def _word(name: str) -> str:
    tail = name.rpartition("/")[2]
    return check_name(tail.removesuffix(".md"))


def _followed(found: Iterable[Commit], key: str) -> Iterator[Reply]:
    """Yields what commits did to a note, which had an older name before the commit that renamed it."""
    for commit in found:
        own = [each for each in commit.changes if fold(stem(each.path)) == key and is_note(each.path)]
        if own:
            yield _listed(commit, own)
        key = next((fold(stem(each.old)) for each in own if each.old), key)


def _listed(commit: Commit, changes: Iterable[Change]) -> Reply:
    notes = [{"name": stem(each.path), "change": _said(each)} for each in changes if is_note(each.path)]
    date = instant_of(commit.date)
    return {"commit": commit.id, "author": commit.author, "date": date, "title": commit.title, "notes": notes}


def _said(each: Change) -> str:
    same = each.old is not None and fold(stem(each.old)) == fold(stem(each.path))
    return "moved" if same else WORDS[each.letter]


def shallow(repository: Repository) -> list[Reply]:
    """Returns the warning of a clone that does not have all of its history."""
    if not commits.boundary(repository):
        return []
    message = "The clone is shallow: what happened before its oldest commits is not known here."
    return [{"code": "shallow", "name": None, "message": message}]


# One note as it was


def named_revision(memory: Memory, word: str) -> tuple[str, str] | None:
    """Returns the name and the revision in `NAME@REV`, or None where the word is a plain one, or a note's own name."""
    name, at, revision = word.partition("@")
    if not at or _is_own(memory, word):
        return None
    if not name or not revision:
        message = f"{word!r} lacks a name or a revision."
        raise GitmemError("usage", message, "gitmem show NAME@REV, such as plain-files@HEAD~3.", status=2)
    return name, revision


def _is_own(memory: Memory, word: str) -> bool:
    """Returns whether a word with an @ is all of a note's name, or the path of its file."""
    if not word.isprintable():
        return False
    finder = Finder(memory)
    if "/" not in word and not word.endswith(".md"):
        return bool(finder.names.paths(word))
    try:
        return finder.path(word) is not None
    except GitmemError:  # a path of another moment, or none
        return False


def show_at(memory: Memory, name: str, revision: str, *, body: bool = False) -> Reply:
    """Returns all of a note as it was at a revision or a date, with the names and links of that time."""
    finder, entry = _found_at(memory, name, revision)
    return shown(finder, entry, finder.raw(entry.path), body=body, touches=ungraded(entry))


def show_raw_at(memory: Memory, name: str, revision: str, *, body: bool = False) -> bytes:
    """Returns a note's bytes as Git has them at a revision or a date; raises GitmemError for a sensitive one without `body`."""
    finder, entry = _found_at(memory, name, revision)
    check_open(entry, f"{name}@{revision}", body=body)
    return finder.raw(entry.path)


def _found_at(memory: Memory, name: str, revision: str) -> tuple[PastFinder, Entry]:
    """Returns the note of that time: by the name it had then, or by one of those it has now."""
    finder = PastFinder(past.at(memory, revision))
    path = finder.path(name)
    if path is None:
        now = Finder(memory)
        own = now.path(name)
        words = now.spellings(now.load(own)) if own else []
        path = next((there for word in words if (there := finder.path(word))), None)
    if path is None:
        error = unknown(name, finder.names)
        raise GitmemError(error.code, f"No note was named {name!r} at {revision}.", error.hint)
    return finder, finder.load(path)


# Two moments


class _Side(NamedTuple):
    """One side of a difference: the notes' folder, its files below it, and the verbs that were links then."""

    folder: str
    files: Mapping[str, Leaf]
    verbs: tuple[str, ...]

    def entries(self, objects: Objects, paths: Iterable[str]) -> list[Entry]:
        """Returns the notes at those of some paths where this side has one, but those too large to be read."""
        files = {path: self.files[path] for path in paths if path in self.files}
        found = objects.texts(self.folder, files)
        return [read(path, data, verbs=self.verbs) for path, data in found if len(data) <= LARGEST]


def diff(memory: Memory, span: str) -> Reply:
    """Returns what the memory says otherwise at B than at A (reply of design section 14), for `A..B`.

    `A...B` compares B with where it parted from A; an empty side is HEAD. Raises GitmemError("unknown-revision").
    """
    repository = repository_of(memory)
    old, new = _ends(memory, repository, span)
    return compared(memory, old, new) | {"risks": [], "warnings": shallow(repository)}


def _ends(memory: Memory, repository: Repository, span: str) -> tuple[str, str]:
    left, dots, right = span.partition("...") if "..." in span else span.partition("..")
    if not dots:
        message = f"{span!r} names one revision; diff compares two."
        raise GitmemError("usage", message, f"gitmem diff {span}..HEAD", status=2)
    old, new = past.moment(memory, left or "HEAD"), past.moment(memory, right or "HEAD")
    forked = len(dots) == 3
    return _fork(repository, old, new, memory.environment) if forked else old, new


def _fork(repository: Repository, old: str, new: str, environment: Mapping[str, str]) -> str:
    found = fork(repository, old, new, environment=environment)
    if found is None:
        raise commits.unknown(repository, f"{old[:12]} and {new[:12]} have no common ancestor here.")
    return found


def compared(memory: Memory, old: str, new: str) -> Reply:
    """Returns the semantic difference of the memory at two commits: a list for each kind of change."""
    repository, folder = repository_of(memory), folder_of(memory)
    with Objects(repository, environment=memory.environment) as objects:
        sides = [_side(memory, objects, objects.files(commit, folder)) for commit in (old, new)]
        before, after = _differing(objects, *sides)
        alike = _pointed_at(objects, sides[1], [*before, *after])
        stale = _outdated(memory, objects, (old, new), sides)
    gone, came = sides[0].files.keys() - sides[1].files.keys(), sides[1].files.keys() - sides[0].files.keys()
    environment = memory.environment
    moved = commits.moved(repository, old, new, folder, environment=environment) if gone and came else {}
    verbs = roles_of(memory.config.vocabulary).supersession
    found = change.compare([*before, *alike], [*after, *alike], supersession=verbs, moved=moved)
    return _told(memory, found._replace(stale=stale))


def _outdated(memory: Memory, objects: Objects, ends: tuple[str, str], sides: Sequence[_Side]) -> tuple[Outdated, ...]:
    """Returns the notes that claim the same on both sides about code that does not say the same."""
    old, new = sides
    same = {path for path, leaf in new.files.items() if path in old.files and old.files[path].id == leaf.id}
    found = outdated(memory, objects, ends, same, lambda paths: new.entries(objects, paths))
    return tuple(each for each in found if is_live(each.entry, memory.config))


def _side(memory: Memory, objects: Objects, files: Mapping[str, Leaf]) -> _Side:
    then = past.configured(memory, objects, files)
    found = {path: leaf for path, leaf in files.items() if is_note(path)}
    return _Side(folder_of(memory), found, then.store.verbs)


def _differing(objects: Objects, old: _Side, new: _Side) -> tuple[list[Entry], list[Entry]]:
    """Returns the notes that are not the same bytes on both sides, as each side has them."""
    same_words = old.verbs == new.verbs
    paths = [
        path
        for path in sorted(old.files.keys() | new.files.keys())
        if not same_words or path not in old.files or path not in new.files or old.files[path].id != new.files[path].id
    ]
    return old.entries(objects, paths), new.entries(objects, paths)


def _pointed_at(objects: Objects, side: _Side, entries: Sequence[Entry]) -> list[Entry]:
    """Returns the notes that are the same on both sides and that those which differ speak of."""
    known = {entry.path for entry in entries}
    wanted = {fold(link.to) for entry in entries for link in entry.note.links}
    wanted |= {fold(name) for entry in entries for name in entry.note.buried}
    return side.entries(objects, (path for path in side.files if path not in known and fold(stem(path)) in wanted))


def _told(memory: Memory, found: Difference) -> Reply:
    def told(entry: Entry, **more: object) -> Reply:
        shown = {"name": entry.name, "path": shown_path(memory, entry.path), "title": entry.note.title}
        return {**shown, "type": entry.note.type, **more}

    return {
        "added": [told(entry) for entry in found.added],
        "revised": [told(each.entry, fields=list(each.fields)) for each in found.revised],
        "superseded": [told(each.entry, by=each.by) for each in found.superseded],
        "buried": [told(each.entry, by=each.by) for each in found.buried],
        "renamed": [told(each.entry, old=each.old) for each in found.renamed],
        "removed": [told(entry) for entry in found.removed],
        "relinked": [told(each.entry, came=_links(each.came), went=_links(each.went)) for each in found.relinked],
        "stale": [told(each.entry, touches=_states(each.touches)) for each in found.stale],
    }


def _states(touches: Iterable[tuple[str, str]]) -> list[Reply]:
    return [{"ref": ref, "state": state} for ref, state in touches]


def _links(links: Iterable[Link]) -> list[Reply]:
    return [{"verb": link.verb, "name": link.to, "note": link.note, "weight": link.weight} for link in links]

"""The past, and other branches: the notes of other commits made ready for finding, over the index of the present ones."""

from collections.abc import Iterable, Mapping, Sequence

from gitmem.errors import GitmemError, near_miss
from gitmem.notes import config as configuration
from gitmem.notes.instant import DAY, instant, seconds
from gitmem.notes.name import is_note_path
from gitmem.notes.note import Entry
from gitmem.notes.store import Names, Store
from gitmem.operations.memory import CONFIG, Finder, Memory, Reading, maker_of, ready, shown_path
from gitmem.operations.origin import folder_of, known_log, origin
from gitmem.search.document import Document, Maker, restored, stored
from gitmem.search.log import PATIENCE, Log
from gitmem.search.view import View
from gitmem.storage import history, status
from gitmem.storage.disk import LARGEST
from gitmem.storage.git import Repository
from gitmem.storage.objects import Objects
from gitmem.storage.trees import Leaf
from gitmem.values import Any, NamedTuple

Reply = dict[str, Any]  # Any: the JSON of design section 14

# Notes that differ from the present ones and get vectors; more of them are found by words alone. 2,000 take 2 s.
EMBEDDED = 2_000
# Sorts behind every path of a note, so that of two notes of one name the present one is meant.
ELSEWHERE = "\U0010ffff"


class Label(NamedTuple):
    """Where a note of another branch lies: the ref's short name, its commit, and the path below the notes' folder."""

    ref: str
    commit: str
    path: str


class Past(NamedTuple):
    """The notes of another moment, or of other branches too, and what to say of them.

    commit and files are those of the moment, None and empty where it is the present; labels tell, by path in the
    view, the notes that lie on other branches.
    """

    memory: Memory
    reading: Reading
    commit: str | None
    files: Mapping[str, Leaf]
    labels: Mapping[str, Label]
    warnings: tuple[Reply, ...]


def repository_of(memory: Memory) -> Repository:
    """Returns the repository around a memory; raises GitmemError where there is none."""
    if memory.repository is None:
        raise status.no_repository(memory.root)
    return memory.repository


def origins(past: Past, entries: Sequence[Entry]) -> dict[str, Reply]:
    """Returns, by path in the view, what recall adds to a note: its author and last commit, on another branch its ref, too.

    Of a note on a branch they are told by what HEAD does not have of that branch.
    """
    tip = past.commit or "HEAD"
    logs = {ref: _walked(past.memory, [ref, f"^{tip}"]) for ref in {_ref(past, entry.path) for entry in entries} if ref}
    here = any(entry.path not in past.labels for entry in entries)
    own = (_log_at(past.memory, past.commit) if past.commit else known_log(past.memory)) if here else None
    return {entry.path: _origin(past, entry.path, own, logs) for entry in entries}


def _ref(past: Past, path: str) -> str | None:
    label = past.labels.get(path)
    return label.commit if label else None


def _origin(past: Past, path: str, own: Log | None, logs: Mapping[str, Log | None]) -> Reply:
    label = past.labels.get(path)
    if label is None:
        return origin(own, path)
    shown = {"path": shown_path(past.memory, label.path), "ref": label.ref}
    return shown | origin(logs[label.commit], label.path)


def _walked(memory: Memory, span: Sequence[str]) -> Log | None:
    """Returns the commits of a span that changed the memory, None where Git takes too long or fails."""
    repository, environment = repository_of(memory), memory.environment
    try:
        return Log.of(history.walk(repository, span, folder_of(memory), environment=environment, time_out=PATIENCE))
    except GitmemError:
        return None


def _log_at(memory: Memory, commit: str) -> Log | None:
    """Returns the log up to a commit: of one behind HEAD, what is known of HEAD without what came after."""
    repository, environment = repository_of(memory), memory.environment
    if not history.descends(repository, "HEAD", commit, environment=environment):
        return _walked(memory, [commit])
    log = known_log(memory)
    later = history.ids(repository, [f"{commit}..HEAD"], folder_of(memory), environment=environment)
    return Log.of([each for each in log.commits() if each.id not in later]) if log else None


def moment(memory: Memory, word: str) -> str:
    """Returns the commit that a revision or a date means: of a day the last one, UTC, by committer date."""
    found = instant(word)
    until = None if found is None else seconds(found) + (DAY - 1 if len(word) == len("2026-11-30") else 0)
    return history.moment(repository_of(memory), word, until, environment=memory.environment)


def present(memory: Memory) -> Past:
    """Returns the memory as it is now."""
    return Past(memory, ready(memory), None, {}, {}, ())


def at(memory: Memory, word: str) -> Past:
    """Returns the memory as it was at a revision or a date; raises GitmemError where that means no commit."""
    commit = moment(memory, word)
    with Objects(repository_of(memory), environment=memory.environment) as objects:
        files = objects.files(commit, folder_of(memory))
        then, now = configured(memory, objects, files), ready(memory)
        maker = maker_of(then)
        same = _same(memory, objects, now.view, files) if maker.fingerprint == now.maker.fingerprint else set()
        other = {path: leaf for path, leaf in files.items() if path not in same and is_note(path)}
        texts = [(path, data) for path, data in objects.texts(folder_of(memory), other) if len(data) <= LARGEST]
    maker, warnings = _bounded(maker, len(texts))
    documents = maker.documents(texts)
    gone = [path for path in now.view.paths() if path not in same]
    view = now.view.changed(documents, gone, now.view.files._replace(unread=(), unreadable=()))
    return Past(then, Reading(view, maker), commit, files, {}, warnings)


def with_refs(past: Past, glob: str) -> Past:
    """Returns the notes of a moment, and those of other branches and tags that differ from them, labelled.

    Of two refs with the same note the first by full name is its label. What they replace stays where it is: a claim
    that nobody merged hides nothing. Raises GitmemError where the pattern means no ref.
    """
    memory, reading = past.memory, past.reading
    repository = repository_of(memory)
    found = history.refs(repository, glob, environment=memory.environment)
    if not found:
        raise _no_refs(repository, memory, glob)
    with Objects(repository, environment=memory.environment) as objects:
        labels, leaves = _elsewhere(memory, objects, past, found)
        texts = _texts(memory, objects, labels, leaves)
    maker, warnings = _bounded(reading.maker, len(texts))
    paths = list(texts)
    made = maker.documents([(labels[path].path, texts[path]) for path in paths])
    documents = [_moved(document, path) for document, path in zip(made, paths, strict=True)]
    view = reading.view.changed(documents, (), reading.view.files)
    return past._replace(reading=Reading(view, maker), labels=labels, warnings=(*past.warnings, *warnings))


def _no_refs(repository: Repository, memory: Memory, glob: str) -> GitmemError:
    known = [name for name, _ in history.refs(repository, "*", environment=memory.environment)]
    near = near_miss(glob, known)
    hint = f"Did you mean {near}?" if near else "git branch --all and git tag list what there is."
    return GitmemError("unknown-ref", f"No branch and no tag is named like {glob!r}.", hint)


def _elsewhere(
    memory: Memory, objects: Objects, past: Past, refs: Iterable[tuple[str, str]]
) -> tuple[dict[str, Label], dict[str, Leaf]]:
    """Returns the labels and the files of the notes that refs have and this moment has not, by path in the view."""
    labels: dict[str, Label] = {}
    leaves: dict[str, Leaf] = {}
    seen = {(path, leaf.id) for path, leaf in _own(memory, objects, past).items()}
    for ref, commit in refs:
        for path, leaf in objects.files(commit, folder_of(memory)).items():
            if is_note(path) and (path, leaf.id) not in seen:
                seen.add((path, leaf.id))
                place = f"{ELSEWHERE}{ref}/{path}"
                labels[place], leaves[place] = Label(ref, commit, path), leaf
    return labels, leaves


def _own(memory: Memory, objects: Objects, past: Past) -> Mapping[str, Leaf]:
    """Returns the files of a moment; of the present those of HEAD, which are its own also where they were changed since."""
    if past.commit:
        return past.files
    tip = history.tip(repository_of(memory), environment=memory.environment)
    return objects.files(tip, folder_of(memory)) if tip else {}


def _moved(document: Document, path: str) -> Document:
    """Returns a document under another path, and without what it replaces."""
    note = stored(restored(document.record.stored)[0]._replace(path=path))
    return document._replace(record=document.record._replace(path=path, supersedes=(), stored=note))


def is_note(path: str) -> bool:
    """Returns whether a file of a commit, by its path below the notes' folder, is a note."""
    return is_note_path(path) and path.isprintable()


def configured(memory: Memory, objects: Objects, files: Mapping[str, Leaf]) -> Memory:
    """Returns a memory with the words that were declared at the time."""
    leaf = files.get(CONFIG)
    path = shown_path(memory, CONFIG)
    config = configuration.parse(objects.text(path, leaf.id) if leaf else None)
    return memory._replace(config=config, store=Store(memory.store.folder, tuple(config.vocabulary.verbs)))


def _same(memory: Memory, objects: Objects, view: View, files: Mapping[str, Leaf]) -> set[str]:
    """Returns the paths at which the present notes are those of some commit's files: like HEAD's, and not touched since."""
    folder = folder_of(memory)
    now = status.inside(repository_of(memory), folder, environment=memory.environment)
    head = objects.files(now.head, folder) if now.head else {}
    touched = {row.path.removeprefix(folder + "/") for row in now.rows}
    equal = {path for path, leaf in files.items() if path in head and head[path].id == leaf.id}
    return equal.intersection(view.paths()) - touched


def _texts(
    memory: Memory, objects: Objects, labels: Mapping[str, Label], leaves: Mapping[str, Leaf]
) -> dict[str, bytes]:
    """Returns the bytes of notes of other branches, by path in the view, but of those too large to be found."""
    places = {path: shown_path(memory, labels[path].path) for path in leaves}
    objects.expect(places.values())
    found = ((path, objects.text(places[path], leaves[path].id)) for path in sorted(leaves))
    return {path: data for path, data in found if len(data) <= LARGEST}


def _bounded(maker: Maker, count: int) -> tuple[Maker, tuple[Reply, ...]]:
    """Returns what makes documents of so many notes in time, and what a reader must know of it."""
    if count <= EMBEDDED:
        return maker, ()
    message = f"{count} notes differ from the present ones, more than {EMBEDDED}: they were found by their words alone."
    return maker.lexical(), ({"code": "lexical-only", "name": None, "message": message},)


class PastFinder(Finder):
    """Finds notes as they were at the moment of a past."""

    def __init__(self, past: Past) -> None:
        super().__init__(past.memory)
        self.past = past
        self.names = Names(past.reading.view.paths())
        self._view = past.reading.view

    def file(self, path: str) -> str | None:
        """Returns the path of the file that a path inside the folder meant, or None."""
        if "/" not in path and not path.endswith(".md"):
            return super().file(path)
        whole = path if path.endswith(".md") else path + ".md"
        return whole if whole in self.past.files else None

    def load(self, path: str) -> Entry:
        """Returns the note at a path as it was."""
        return next(self.view.entry(item) for item in self.view.having("path", [path]))

    def raw(self, path: str) -> bytes:
        """Returns the bytes of the file at a path as they were."""
        with Objects(repository_of(self.memory), environment=self.memory.environment) as objects:
            return objects.text(shown_path(self.memory, path), self.past.files[path].id)

"""The scope of a review: the notes and the code of two commits that have a say about what happened between them."""

from collections.abc import Iterable, Mapping, Sequence

from gitmem.knowledge import risk
from gitmem.knowledge.check import Text
from gitmem.knowledge.glance import Glance, glance
from gitmem.knowledge.risk import Branch, Side
from gitmem.notes.entry import read
from gitmem.notes.name import fold
from gitmem.notes.source import decode
from gitmem.notes.store import stem
from gitmem.operations.memory import Memory
from gitmem.operations.origin import folder_of
from gitmem.operations.past import configured, is_note, repository_of
from gitmem.search.document import DEEPEST
from gitmem.storage import staged
from gitmem.storage.disk import LARGEST
from gitmem.storage.objects import Objects
from gitmem.storage.trees import Leaf
from gitmem.values import NamedTuple

SUBMODULE = "160000"


class Moment(NamedTuple):
    """The memory as a commit has it: its files and its notes by path below the folder, with the words of that time."""

    commit: str
    memory: Memory
    objects: Objects
    files: Mapping[str, Leaf]
    notes: Mapping[str, Leaf]

    def texts(self, paths: Iterable[str]) -> list[Text]:
        """Returns the notes at some paths, read whole; what is no note then, or too large to be read, is left out."""
        files = {path: self.notes[path] for path in paths if path in self.notes}
        found = self.objects.texts(folder_of(self.memory), files)
        return [_text(path, data, self.memory) for path, data in found if len(data) <= LARGEST]


class Code(NamedTuple):
    """What lies in the repository at both commits, by path with its mode, and the paths that are gone.

    `above` is the folder that holds the memory, empty or ending in a slash: a touch may be meant from there, too.
    """

    above: str
    then: Mapping[str, str]
    now: Mapping[str, str]
    gone: frozenset[str]

    def has(self, path: str) -> bool:
        """Returns whether a path is there now."""
        return self._is_in(self.now, path)

    def had(self, path: str) -> bool:
        """Returns whether a path was there before."""
        return self._is_in(self.then, path)

    def _is_in(self, listed: Mapping[str, str], path: str) -> bool:
        ways = (path, self.above + path)
        return any(way in listed or _is_in_submodule(listed, way) for way in ways)


class Scope(NamedTuple):
    """Both moments, the code, a glance at every note there is now, and the notes that were read whole."""

    old: Moment
    new: Moment
    code: Code
    glances: Mapping[str, Glance]
    branch: Branch


def moment(memory: Memory, objects: Objects, commit: str) -> Moment:
    """Returns the memory as a commit has it."""
    files = objects.files(commit, folder_of(memory))
    notes = {path: leaf for path, leaf in files.items() if is_note(path)}
    return Moment(commit, configured(memory, objects, files), objects, files, notes)


def scope(old: Moment, new: Moment, renamed: Mapping[str, str]) -> Scope:
    """Returns the scope of what happened between two moments; `renamed` gives old names of notes by their path now."""
    code = _code(old, new)
    glances = _glances(new) if old.notes != new.notes or code.gone else {}
    was = _was(old, new, renamed)
    before = old.texts(path for path in old.notes if path in was or path not in new.notes)
    before += old.texts(set(filter(None, was.values())) - {text.entry.path for text in before})
    after = new.texts(was)
    lost = _words(before) - _words(after) - {fold(stem(path)) for path in new.notes}
    others = {path: seen for path, seen in glances.items() if path not in was}
    bereft = {path for path, seen in others.items() if _speaks_of(seen, lost)}
    beside = bereft | {path for path, seen in others.items() if _touches(seen, code.gone)}
    sides = (_side(old, [*before, *old.texts(beside)], glances), _side(new, [*after, *new.texts(beside)], glances))
    return Scope(old, new, code, glances, Branch(sides[0], sides[1], was, frozenset(bereft)))


def _text(path: str, data: bytes, memory: Memory) -> Text:
    return Text(read(path, data, verbs=memory.store.verbs), decode(data, path)[0])


def _glances(new: Moment) -> dict[str, Glance]:
    found = new.objects.texts(folder_of(new.memory), new.notes)
    return {path: glance(path, data) for path, data in found if len(data) <= LARGEST}


def _was(old: Moment, new: Moment, renamed: Mapping[str, str]) -> dict[str, str | None]:
    """Returns, by path now, where the notes that differ lay before; where the verbs differ, so may every note."""
    gone = {fold(stem(path)): path for path in sorted(old.notes) if path not in new.notes}
    reworded = old.memory.store.verbs != new.memory.store.verbs
    found: dict[str, str | None] = {}
    for path, leaf in new.notes.items():
        if path not in old.notes:
            found[path] = gone.get(fold(renamed.get(path) or stem(path)))
        elif reworded or old.notes[path].id != leaf.id:
            found[path] = path
    return found


def _words(texts: Sequence[Text]) -> set[str]:
    """Returns every word that means one of these notes."""
    return {fold(word) for text in texts for word in (text.entry.name, *text.entry.note.aliases)}


def _speaks_of(seen: Glance, names: set[str]) -> bool:
    return bool(names) and not names.isdisjoint(map(fold, seen.words))


def _touches(seen: Glance, paths: frozenset[str]) -> bool:
    return bool(paths) and any(word.rstrip("/") in paths for word in seen.words)


def _side(moment: Moment, texts: list[Text], glances: Mapping[str, Glance]) -> Side:
    """Returns notes of a moment with the others that have a say about them: of their names, or meant by what they say."""
    by_name: dict[str, list[str]] = {}
    for path in moment.notes:
        by_name.setdefault(fold(stem(path)), []).append(path)
    entries = [text.entry for text in texts]
    meant = {fold(word) for each in entries for word in (*(link.to for link in each.note.links), *each.note.buried)}
    named = meant | {fold(each.name) for each in entries}
    paths = {path for name in named for path in by_name.get(name, ())}
    unknown = meant - by_name.keys()
    paths |= {path for path, seen in glances.items() if "aliases" in seen.words and _speaks_of(seen, unknown)}
    return risk.side([*texts, *moment.texts(paths - {each.path for each in entries})], moment.memory.config)


def _code(old: Moment, new: Moment) -> Code:
    repository, environment = repository_of(new.memory), new.memory.environment
    then, now = (staged.paths(repository.top, each.commit, environment=environment) for each in (old, new))
    above = folder_of(new.memory).removesuffix(".memory")
    lost = then.keys() - now.keys()
    return Code(above, then, now, frozenset(lost) | {path.removeprefix(above) for path in lost})


def _is_in_submodule(listed: Mapping[str, str], path: str) -> bool:
    parts = path.split("/")
    return any(listed.get("/".join(parts[:at])) == SUBMODULE for at in range(1, min(len(parts), DEEPEST)))

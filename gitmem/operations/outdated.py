"""Outdated: the notes that stayed as they were while the code that they speak of changed, or went."""

from collections.abc import Callable, Collection, Iterator, Sequence

from gitmem.knowledge.anchors import Definition, named
from gitmem.knowledge.change import Outdated
from gitmem.notes.note import Entry
from gitmem.notes.touch import Touch, parsed, unhashed
from gitmem.operations.memory import Memory
from gitmem.operations.origin import folder_of
from gitmem.operations.past import repository_of
from gitmem.operations.whereabouts import CHANGED, GONE, findings_of
from gitmem.storage import code, staged
from gitmem.storage.objects import Objects


class Code:
    """The code of two commits as far as they differ."""

    def __init__(self, memory: Memory, objects: Objects, old: str, new: str) -> None:
        self.memory = memory
        self.objects = objects
        self.new = new
        self.folder = folder_of(memory)
        self.above = self.folder.removesuffix(".memory")
        repository, environment = repository_of(memory), memory.environment
        found = code.differing(repository, old, new, environment=environment)
        self.files = {path: ids for path, ids in found.items() if not path.startswith(self.folder + "/")}
        lost = [path for path, ids in self.files.items() if ids[1] is None]
        there = staged.paths(repository.top, new, environment=environment) if lost else {}
        self.gone = {above for path in lost for above in _folders(path) if above.rstrip("/") not in there}
        self._texts: dict[tuple[str, str], list[Definition] | None] = {}
        self._findings = findings_of(memory)

    def named_in(self) -> set[str]:
        """Returns the notes of the later commit, by path below their folder, whose text holds a path that differs."""
        words = sorted({path.removeprefix(self.above) for path in (*self.files, *self.gone)})
        repository, environment = repository_of(self.memory), self.memory.environment
        return code.naming(repository, self.new, words, self.folder, environment=environment)

    def state(self, touch: str) -> str | None:
        """Returns whether the code of a touch changed or went, None where neither is so."""
        place = parsed(touch)
        if place.is_folder:
            return GONE if not self.gone.isdisjoint((place.path, self.above + place.path)) else None
        path = next((way for way in (place.path, self.above + place.path) if way in self.files), None)
        if path is None or self.files[path][0] is None:
            return None
        if place.symbol:
            return self._symbol(place, path)
        old, now = self.files[path]
        return GONE if now is None and not any(old == ids[1] for ids in self.files.values()) else None

    def _symbol(self, place: Touch, path: str) -> str | None:
        before, now = (self._defined(path, id) for id in self.files[path])
        if before is None or now is None:
            return None
        old, new = ({each.hash for each in named(found, place.symbol)} for found in (before, now))
        if not old or old == new or place.hash in new:
            return None
        return CHANGED if new else None if self._went_on(old) else GONE

    def _went_on(self, hashes: set[str]) -> bool:
        """Returns whether the same text stands in another file that differs, too."""
        files = ((path, ids[1]) for path, ids in self.files.items() if ids[1] and ids[0] != ids[1])
        return any(each.hash in hashes for path, id in files for each in self._defined(path, id) or ())

    def _defined(self, path: str, id: str | None) -> list[Definition] | None:
        """Returns what a file defined in a commit, None where that cannot be known."""
        if id is None:
            return []
        if (path, id) not in self._texts:
            self._texts[path, id] = self._findings.defined_in(self.objects.read(id), path)
        return self._texts[path, id]


def _folders(path: str) -> Iterator[str]:
    yield from (path[: at + 1] for at, letter in enumerate(path) if letter == "/")


def outdated(
    memory: Memory,
    objects: Objects,
    commits: tuple[str, str],
    same: Collection[str],
    entries: Callable[[Sequence[str]], list[Entry]],
) -> list[Outdated]:
    """Returns the notes outdated between two commits, by name.

    `same` are the paths of the notes that did not change, and `entries` reads some of them.
    """
    now = Code(memory, objects, *commits)
    paths = sorted(now.named_in() & set(same)) if now.files else []
    found = []
    for entry in entries(paths):
        states = [(unhashed(touch), state) for touch in entry.note.touches if (state := now.state(touch))]
        found += [Outdated(entry, tuple(states))] if states else []
    return sorted(found, key=lambda each: (each.entry.name, each.entry.path))

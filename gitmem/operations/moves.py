"""Moves: where code went that is no longer where a note says it is."""

import os
import re
from collections.abc import Callable, Iterable, Sequence

from gitmem.errors import GitmemError
from gitmem.notes.touch import Touch, parsed
from gitmem.operations.memory import Memory
from gitmem.operations.whereabouts import CHANGED, GONE, MOVED, UNANCHORED, VALID
from gitmem.search.findings import Findings
from gitmem.storage import code, history, staged
from gitmem.values import NamedTuple

# Files that are read for one question; what lies beyond is not looked at.
READ = 2_000
# Files of a folder that no repository holds.
WALKED = 20_000
EMPTY = "e3b0c44"  # the hash of a file without a byte, which is like any other such file
HOPS = 8  # times that a file may have moved


class Found(NamedTuple):
    """The state of a touch whose code is not where it says, and the touch that says where it went, None for nowhere."""

    state: str
    touch: str | None = None


def found_elsewhere(memory: Memory, findings: Findings, touches: Sequence[str]) -> dict[str, Found]:
    """Returns what became of touches whose code is missing; where git cannot tell, they are left out."""
    try:
        return _Search(memory, findings).found({touch: parsed(touch) for touch in touches})
    except GitmemError:  # no git, or one that is too slow: nothing is known
        return {}


def sources(memory: Memory, findings: Findings, words: Sequence[str]) -> list[str]:
    """Returns the files that hold any of some words and whose definitions can be known.

    Raises GitmemError where git cannot tell.
    """
    if memory.repository:
        held = code.holding(memory.repository, words, environment=memory.environment)
        return [path for path in held if findings.may_define(path)]
    return [path for path in walked(findings.tree.top) if _holds(findings, path, words)]


def _holds(findings: Findings, path: str, words: Sequence[str]) -> bool:
    try:
        data = findings.tree.data(path) if findings.may_define(path) else b""
    except OSError:
        return False
    return any(word.encode() in data for word in words)


def walked(top: str) -> list[str]:
    """Returns the files below a folder that no repository holds, hidden folders left aside, up to a bound."""
    found: list[str] = []
    for folder, folders, files in os.walk(top):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        inside = os.path.relpath(folder, top).replace(os.sep, "/")
        found += [name if inside == "." else f"{inside}/{name}" for name in files]
        if len(found) > WALKED:
            break
    return found[:WALKED]


class _Search:
    """One search for all that is missing: git is asked for each thing once, and only where it is needed."""

    def __init__(self, memory: Memory, findings: Findings) -> None:
        self.memory = memory
        self.findings = findings
        self._tracked: dict[str, bool] | None = None

    def found(self, missing: dict[str, Touch]) -> dict[str, Found]:
        known = self._left_out(missing)
        for look in (self._same_name, self._same_text, self._renamed, self._untracked):
            known |= look({touch: place for touch, place in missing.items() if touch not in known})
        return {touch: Found(GONE) for touch in missing} | known

    def _left_out(self, missing: dict[str, Touch]) -> dict[str, Found]:
        """Returns the state of what a sparse checkout leaves out: git has it all the same."""
        repository, environment = self.memory.repository, self.memory.environment
        absent = sorted({place.path for place in missing.values() if not self.findings.tree.look(place.path)})
        if repository is None or not absent or not os.path.exists(_sparse(repository.git_dir)):
            return {}
        objects = code.left_out(repository, absent, environment=environment)
        known = {touch: place for touch, place in missing.items() if place.path in objects}
        return {touch: Found(self._kept(place, objects[place.path])) for touch, place in known.items()}

    def _kept(self, place: Touch, object: str) -> str:
        if not place.symbol or self.memory.repository is None:
            return VALID
        top, environment = self.memory.repository.top, self.memory.environment
        for _, content in staged.contents(top, [object], most=1 << 22, environment=environment):
            hashes = self.findings.inside(content.data or b"", place.path, place.symbol)
            if hashes is None:
                return UNANCHORED
            return VALID if place.hash in hashes else CHANGED if hashes else GONE
        return GONE

    def _listed(self) -> dict[str, bool]:
        if self._tracked is None:
            repository = self.memory.repository
            self._tracked = (
                code.listed(repository, environment=self.memory.environment)
                if repository
                else dict.fromkeys(walked(self.findings.tree.top), False)
            )
        return self._tracked

    def _same_name(self, missing: dict[str, Touch]) -> dict[str, Found]:
        """Returns the files that lie elsewhere under their own name."""
        files = {touch: place for touch, place in missing.items() if not place.symbol}
        names: dict[str, list[str]] = {}
        for path in self._listed() if files else ():
            names.setdefault(path.rpartition("/")[2], []).append(path)
        return self._equal(files, lambda place: names.get(place.path.rpartition("/")[2], []))

    def _untracked(self, missing: dict[str, Touch]) -> dict[str, Found]:
        """Returns the files that lie elsewhere under another name, and that git has not seen yet."""
        files = {touch: place for touch, place in missing.items() if not place.symbol}
        new = [path for path, tracked in self._listed().items() if not tracked][:READ] if files else []
        return self._equal(files, lambda place: new)

    def _equal(self, missing: dict[str, Touch], candidates: Callable[[Touch], list[str]]) -> dict[str, Found]:
        told = {touch: place for touch, place in missing.items() if place.hash != EMPTY}
        pairs = ((touch, place, path) for touch, place in told.items() for path in candidates(place)[:READ])
        return {
            touch: Found(MOVED, f"{path}@{place.hash}")
            for touch, place, path in pairs
            if self.findings.digest(path) == place.hash
        }

    def _same_text(self, missing: dict[str, Touch]) -> dict[str, Found]:
        """Returns the definitions that stand elsewhere, in the same words."""
        symbols = {touch: place for touch, place in missing.items() if place.symbol}
        words = sorted({last_word(place.symbol) for place in symbols.values()} - {""})
        paths = sources(self.memory, self.findings, words) if words else []
        where = {hash: path for path in reversed(paths[:READ]) for hash in self.findings.hashes(path)}
        return {
            touch: Found(MOVED, self._moved(where[place.hash], place.hash))
            for touch, place in symbols.items()
            if place.hash in where
        }

    def _moved(self, path: str, hash: str) -> str:
        name = next((each.name for each in (self.findings.defined(path) or ()) if each.hash == hash), "")
        return f"{path}::{name}@{hash}"

    def _renamed(self, missing: dict[str, Touch]) -> dict[str, Found]:
        """Returns what lies in a file that git saw move, whatever became of it there."""
        lost = {place.path for place in missing.values() if not self.findings.tree.look(place.path)}
        ends = self._ends(sorted(lost)) if lost else {}
        known = {}
        for touch, place in missing.items():
            path = ends.get(place.path)
            if path and not place.symbol:
                known[touch] = Found(MOVED, f"{path}@{self.findings.digest(path)}")
            elif path and (hashes := self.findings.symbol(path, place.symbol)) != ():
                known[touch] = Found(CHANGED if hashes else UNANCHORED)
        return known

    def _ends(self, paths: Sequence[str]) -> dict[str, str]:
        """Returns, by old path, where files are now that git saw move."""
        if self.memory.repository is None:
            return {}
        now = code.renamed(self.memory.repository, environment=self.memory.environment)
        ends: dict[str, str] = {}
        left = {path: path for path in paths}
        for _ in range(HOPS):
            steps = now | self._taken([here for here in left.values() if here not in now])
            left = {path: steps[here] for path, here in left.items() if steps.get(here)}
            ends |= {path: here for path, here in left.items() if self.findings.tree.look(here)}
            left = {path: here for path, here in left.items() if path not in ends}
        return ends

    def _taken(self, paths: Iterable[str]) -> dict[str, str]:
        """Returns where files went by the history of HEAD, which never changes: it is asked once."""
        repository, environment = self.memory.repository, self.memory.environment
        head = history.tip(repository, environment=environment) if repository else None
        if repository is None or head is None:
            return {}
        asked = [path for path in paths if self.findings.known(head, path) is None]
        new = code.taken(repository, asked, environment=environment)
        ends = {path: self.findings.known(head, path) for path in paths}
        ends |= {path: self.findings.learn(head, path, new.get(path, "")) for path in asked}
        return {path: end for path, end in ends.items() if end}


def last_word(symbol: str) -> str:
    """Returns the word by which a symbol is looked for, empty for one that has no letters."""
    return next(reversed(re.findall(r"\w+", symbol)), "")


def _sparse(git_dir: str) -> str:
    return os.path.join(git_dir, "info", "sparse-checkout")

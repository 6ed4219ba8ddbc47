"""The log: every commit that changed the memory, kept in the cache apart from the index and extended by range."""

import os
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence

from gitmem.errors import GitmemError
from gitmem.search import cache as side
from gitmem.storage import history, spare
from gitmem.storage.git import Repository
from gitmem.storage.history import Change, Commit
from gitmem.values import NamedTuple

LOG = "log"
VERSION = 1  # of the rows below
HEADER, LEFT = "\x01", "r"
FULL, CUT = b"full", b"cut"
# Seconds a reader of notes waits for a walk through all of history; in a repository where that is not enough, the
# commits before that moment stay unknown to it.
PATIENCE = 3.0
WHOLE = 600.0
# So many searches of one log are done before all of its paths are looked up: more than one command ever asks.
SEARCHES = 200


class Place(NamedTuple):
    """Whose history it is: a repository, the folder of notes relative to its top, and the cache folder or None."""

    repository: Repository
    folder: str
    cache: str | None
    environment: Mapping[str, str]


class Touched(NamedTuple):
    """Who wrote a note first, and the commit that changed it last."""

    author: str
    commit: str


class Log:
    """The commits that changed the memory, as text: decoded only where all of it is asked for."""

    def __init__(self, rows: bytes, made_of: tuple[bytes, str] | None = None) -> None:
        """`rows` hold a line a commit, children first, and under it a line a change; `made_of` says which log it is."""
        self._rows = rows
        self.made_of = made_of
        self._asked = 0
        self._known: dict[str, Touched | None] = {}
        self._places: dict[bytes, tuple[int, int]] = {}

    @staticmethod
    def of(commits: Sequence[Commit]) -> "Log":
        """Returns a log of these commits."""
        return Log(_rows(commits))

    def commits(self) -> list[Commit]:
        """Returns all of them, children first, then newest first."""
        return [_commit(block) for block in self._rows.decode("utf-8", "surrogateescape").split(f"\n{HEADER}")[1:]]

    def newest(self) -> int:
        """Returns the date of the first commit in it, 0 where there is none."""
        return int(self._header(1)[2]) if len(self._rows) > 1 else 0

    def touched(self, path: str) -> Touched | None:
        """Returns who wrote the note at a path and which commit changed it last; None where no commit holds it.

        Where a note was renamed, its author is that of the older name. Rows that are ill-formed tell nothing.
        """
        if path not in self._known:
            try:
                self._known[path] = self._touched(path)
            except (ValueError, IndexError):
                self._known[path] = None
        return self._known[path]

    def _touched(self, path: str) -> Touched | None:
        last = self._at(path, 0, newest=True)
        if last < 0 or self._rows[last + 1 : last + 2] in (b"D", LEFT.encode()):
            return None
        first = self._at(path, 0, newest=False)
        while old := self._old(first):
            before = self._at(old, first + 1, newest=False)
            if before < 0:
                break
            first = before
        return Touched(self._header(first)[1], self._header(last)[0])

    def _at(self, path: str, start: int, *, newest: bool) -> int:
        """Returns where the line of the newest or the oldest change of a path begins, from `start` on; -1 for none."""
        name = path.encode("utf-8", "surrogateescape")
        if not start and self._is_indexed():
            return self._places.get(name, (-1, -1))[0 if newest else 1]
        end = b"\t" + name + b"\n"
        found = self._rows.find(end, start) if newest else self._rows.rfind(end, start)
        return self._rows.rfind(b"\n", 0, found) if found >= 0 else -1

    def index(self) -> None:
        """Looks up the places of all paths now, for a process that will ask for many."""
        self._asked = SEARCHES

    def _is_indexed(self) -> bool:
        """Returns whether the places of all paths are known: a search takes 80 us, to go through all of it 100 searches."""
        self._asked += 1
        if self._asked > SEARCHES and not self._places:
            at = -1
            for line in self._rows[:-1].split(b"\n"):
                name = line[line.rfind(b"\t") + 1 :]
                self._places[name] = (self._places.get(name, (at, at))[0], at)
                at += len(line) + 1
        return self._asked > SEARCHES

    def _old(self, at: int) -> str | None:
        """Returns the older name in the line of a change, None where it has none."""
        parts = self._rows[at + 1 : self._rows.index(b"\n", at + 1)].split(b"\t")
        return parts[1].decode("utf-8", "surrogateescape") if len(parts) == 3 else None

    def _header(self, at: int) -> list[str]:
        # One byte that stands nowhere else is found backwards at memory's speed; two bytes take a hundred times as long.
        start = self._rows.rfind(HEADER.encode(), 0, at + 2) + 1
        line = self._rows[start : self._rows.index(b"\n", start)]
        return line.decode("utf-8", "surrogateescape").split("\x1f")


def _commit(block: str) -> Commit:
    header, *lines = block.rstrip("\n").split("\n")
    id, author, date, session, title = header.split("\x1f", 4)
    changes = tuple(_change(line) for line in lines if line[0] != LEFT)
    return Commit(id, author, int(date), title, session, changes)


def _change(line: str) -> Change:
    letter, *paths = line.split("\t")
    return Change(letter, paths[-1], paths[0] if len(paths) == 2 else None)


def _rows(commits: Sequence[Commit]) -> bytes:
    lines = (f"\n{line}" for commit in commits for line in _lines(commit))
    return "".join(lines).encode("utf-8", "surrogateescape") + b"\n"


def _lines(commit: Commit) -> Iterator[str]:
    """Yields the lines of a commit; a name that was given up has one of its own, with a small letter."""
    yield HEADER + "\x1f".join(map(_plain, (commit.id, commit.author, str(commit.date), commit.session, commit.title)))
    for letter, path, old in commit.changes:
        if _plain(path) == path and _plain(old or "") == (old or ""):  # what lies elsewhere is no note
            yield "\t".join(part for part in (letter, old, path) if part)
            if old:
                yield f"{LEFT}\t{old}"


def _plain(text: str) -> str:
    return text.translate(dict.fromkeys(map(ord, "\t\n\x1f" + HEADER), " "))


def read(place: Place, *, patience: float | None = None, held: Log | None = None) -> Log:
    """Returns the log up to HEAD, empty when that is unborn; raises GitmemError where git refuses.

    With `patience` a walk through all of history ends after so many seconds, and the log then begins at this HEAD.
    `held` is a log that a long-lived process still has: it is returned where HEAD has not moved.
    """
    tip = history.tip(place.repository, environment=place.environment)
    return read_to(place, tip, LOG, patience=patience, held=held) if tip else Log(b"")


def read_to(place: Place, tip: str, name: str, *, patience: float | None = None, held: Log | None = None) -> Log:
    """Returns the log up to a commit, kept under a name in the cache, as `read` says."""
    kept = os.path.join(place.cache, name) if place.cache else None
    key = f"{VERSION} {place.folder} {zlib.crc32(history.boundary(place.repository)):08x}".encode()
    if held and held.made_of == (key, tip):
        return held
    known = _known(kept, key, whole=patience is None) if kept else None
    if known and known[2] == tip.encode():
        return Log(known[3], (key, tip))
    state, rows = _brought_up(place, tip, known, patience)
    if kept:
        spare.write(kept, side.seal(key, state, tip.encode(), rows))
    return Log(rows, (key, tip))


def _known(kept: str, key: bytes, *, whole: bool) -> list[bytes] | None:
    """Returns the parts of a log that was kept, None where it is of something else or ill-formed.

    Its rows are looked at only where all of them are asked for: 1.3 MB, of 10,000 commits, take 20 ms.
    """
    parts = side.unseal(spare.load(kept), 4)
    if parts is None or parts[0] != key or not parts[2].isalnum():
        return None
    return None if whole and (parts[1] == CUT or not _is_whole(parts[3])) else parts


def _is_whole(rows: bytes) -> bool:
    """Returns whether rows are what `_rows` gives."""
    header = rb"\x01[0-9a-f]++\x1f[^\x1f\n]*+\x1f-?\d++\x1f[^\x1f\n]*+\x1f[^\x1f\n]*+"
    change = rb"[A-Zr]\t[^\t\n]++(?:\t[^\t\n]++)?+"
    return re.fullmatch(rb"(?:\n" + header + rb"(?:\n" + change + rb")*+)*+\n", rows) is not None


def _brought_up(place: Place, tip: str, known: Sequence[bytes] | None, patience: float | None) -> tuple[bytes, bytes]:
    """Returns whether the log is whole or cut, and its rows."""
    repository, environment = place.repository, place.environment
    if known and history.descends(repository, tip, known[2].decode(), environment=environment):
        span = [f"{known[2].decode()}..{tip}"]
        added = history.walk(repository, span, place.folder, environment=environment)
        return known[1], _joined(added, known[3])
    try:
        time_out = WHOLE if patience is None else patience
        walked = history.walk(repository, [tip], place.folder, environment=environment, time_out=time_out)
        return FULL, _rows(walked)
    except GitmemError as error:
        if patience is None or error.code != "git-slow":
            raise
        return CUT, b"\n"


def _joined(added: Sequence[Commit], rows: bytes) -> bytes:
    """Returns the rows of both; where a branch that came in is older than what was known, by date as one walk has them."""
    old = Log(rows)
    if not added or min(commit.date for commit in added) >= old.newest():
        return _rows(added).removesuffix(b"\n") + rows
    return _rows(sorted([*added, *old.commits()], key=lambda commit: -commit.date))

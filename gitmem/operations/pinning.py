"""Pinning: the notes that are tied to a file, found without an index, for a hook that an agent waits for."""

import os
from collections.abc import Mapping

from gitmem.notes.instant import DAY
from gitmem.search import cache as side
from gitmem.search import pinned
from gitmem.search.pinned import Pinned
from gitmem.storage import disk, git, history, settings
from gitmem.storage.root import FOLDER
from gitmem.values import TYPE_CHECKING

if TYPE_CHECKING:
    from gitmem.operations.memory import Memory

# With more changed notes than this the index is behind, and reading it would take longer than a hook may.
BEHIND = 64
# So many notes are read without an index in the time of a hook.
FEW = 300


def notes_on(root: str, places: list[str], *, environment: Mapping[str, str], now: int, alone: str) -> list[list[str]]:
    """Returns the live notes tied to some places (files and folders, in one case) as `Pinned` has them, most trusted first.

    `root` is the folder that holds .memory; `alone` one that is locked while notes are gathered, which takes 150 ms of
    1,000 notes and is kept until a note changes. Nothing is found while another process does it, and where the index is
    far behind: the next read of the memory mends that.
    """
    where = side.place(os.path.join(root, FOLDER), uid=os.geteuid())
    files = side.look(where.folder, where.cache, now=now)
    tree = files.tree or side.tree_of(list(files.digests()), list(files.digests().values()))
    found = pinned.load(where.cache, tree, now // DAY)
    if found and not _holds(found, root, environment):
        found = None
    if found is None and _is_near(where, files):
        found = _alone(alone, root, environment, now)
        if found:
            pinned.save(where.cache, tree, now // DAY, found)
    return found.at(places) if found else []


def _alone(folder: str, root: str, environment: Mapping[str, str], now: int) -> Pinned | None:
    lock = disk.Lock(folder)
    try:
        return _gathered(root, environment, now) if lock.take(0) else None
    finally:
        lock.release()


# Settings that come from no file of the usual ones.
_ASIDE = ("GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS")


def _holds(found: Pinned, root: str, environment: Mapping[str, str]) -> bool:
    """Returns whether nothing has changed on which standings hang; nothing holds where that cannot be told from files."""
    repository = git.find(root)
    if not found.rows or found.rows != _rows(root, repository, environment):
        return False
    tips = (
        (history.named(repository, ref, environment=environment), tip) for ref, tip in found.refs.items() if repository
    )
    return all((now or "") == tip for now, tip in tips)


def _rows(root: str, repository: git.Repository | None, environment: Mapping[str, str]) -> list[str]:
    """Returns what changes with the files that decide how notes stand; none where more than these does."""
    if any(key in environment for key in _ASIDE):
        return []
    own = [os.path.join(root, FOLDER, "config.toml")]
    return list(map(settings.row, own + (settings.files(repository, environment) if repository else [])))


def _hanging_on(memory: "Memory") -> tuple[list[str], dict[str, str]]:
    """Returns on what the standings of notes hang, as that is now."""
    repository, environment = memory.repository, memory.environment
    if repository is None:
        return _rows(memory.root, None, environment), {}
    from gitmem.operations.reviewed import branch, refs

    said = git.configuration(repository.top, environment=environment)
    names = refs(memory, branch(memory))
    tips = {name: history.named(repository, name, environment=environment) or "" for name in names}
    told = said is not None and settings.is_told_by_files(said)
    return _rows(memory.root, repository, environment) if told else [], tips


def _is_near(where: side.Place, files: side.Files) -> bool:
    indexed = where.cache is not None and os.path.exists(os.path.join(where.cache, "current"))
    return len(files.rows) <= FEW or (indexed and len(files.differing) <= BEHIND)


def _gathered(root: str, environment: Mapping[str, str], now: int) -> Pinned:
    """Returns what every live note is tied to; stale notes, and those that were replaced or put away, claim nothing."""
    from gitmem.notes.shown import harmless
    from gitmem.notes.touch import unhashed
    from gitmem.notes.vocabulary import SETTLED
    from gitmem.operations.memory import open_memory, ready
    from gitmem.operations.standing import Judge
    from gitmem.search.document import status_of
    from gitmem.search.query import Wanted
    from gitmem.search.rank import unsuperseded
    from gitmem.search.roster import place

    memory = open_memory(root, environment=environment, now=now)
    hanging = _hanging_on(memory)
    reading = ready(memory)
    view, wanted, roles = reading.view, Wanted(), reading.maker.roles
    items = unsuperseded(view, view.passing(wanted, view.size), roles.supersession, wanted)
    entries = [entry for entry in map(view.entry, items) if entry.note.touches]
    live = [entry for entry in entries if status_of(entry.note, roles) not in SETTLED]
    standings = Judge(memory, view, roles).of(live)
    shown = [(standings[entry.path], entry) for entry in live if "stale" not in standings[entry.path].marks]
    shown.sort(key=lambda pair: (pair[1].name, pair[1].path))
    shown.sort(key=lambda pair: (pair[0].trust, pair[1].note.created or ""), reverse=True)
    notes, places = [], dict[str, list[int]]()
    for row, (standing, entry) in enumerate(shown):
        summary = view.summary(entry)
        text = entry.note.title + (f" · {summary}" if summary and summary != entry.note.title else "")
        texts = (entry.note.type, standing.standing, text)
        kind, stands, said = (harmless(" ".join(each.split())) for each in texts)
        anchors = (touch for touch in entry.note.touches if unhashed(touch) != touch)
        notes.append([entry.name, f"{kind} {entry.name}", stands, said, *anchors])
        for touched in dict.fromkeys(map(place, entry.note.touches)):
            places.setdefault(touched, []).append(row)
    return Pinned(notes, places, *hanging)


# Standings that are worse than that the code has moved on.
WORSE = ("contested", "stale")
MOVED_ON, ELSEWHERE = "drifted", "its code moved or went"


def lines(root: str, top: str, notes: list[list[str]], *, now: int) -> list[str]:
    """Returns a line for each of some notes of `notes_on`, with the worst that is known of it, as the code is now."""
    anchored = [note for note in notes if note[4:] and note[2] not in WORSE]
    moved = _moved(root, top, anchored, now) if anchored else {}
    return [f"{head} [{moved.get(name, stands)}]: {text}" for name, head, stands, text, *_ in notes]


def _moved(root: str, top: str, notes: list[list[str]], now: int) -> dict[str, str]:
    """Returns how those notes stand, by name, whose code is not what they are anchored to."""
    from gitmem.operations.whereabouts import CHANGED, state  # late: most notes are anchored to nothing
    from gitmem.search.findings import Findings
    from gitmem.storage.worktree import Worktree

    where = side.place(os.path.join(root, FOLDER), uid=os.geteuid())
    findings = Findings(Worktree(top), where.cache, now=now)
    states = {name: [state(root, findings, touch) for touch in anchors] for name, _, _, _, *anchors in notes}
    findings.save()
    return {
        name: MOVED_ON if CHANGED in found else ELSEWHERE
        for name, found in states.items()
        if CHANGED in found or None in found
    }


def places_of(root: str, repository: git.Repository | None, directory: str, path: str) -> list[str]:
    """Returns the file at a path and the folders that hold it, as notes may touch them; none of what lies elsewhere.

    The memory's own files and Git's are no code, and what a link leads out to is not the project's.
    """
    top = repository.top if repository else root
    try:
        real = os.path.realpath(os.path.join(directory, path))
    except ValueError:  # a NUL in it
        return []
    found: list[str] = []
    for above in dict.fromkeys((top, root)):
        inside = os.path.relpath(real, above)
        parts = inside.split(os.sep)
        if inside == os.curdir or parts[0] in (os.pardir, ".git") or FOLDER in parts:
            continue
        found += ["/".join(parts), *("/".join(parts[:count]) + "/" for count in range(1, len(parts)))]
    return list(dict.fromkeys(place.casefold() for place in found))


def is_note(root: str, directory: str, path: str) -> bool:
    """Returns whether a path lies in the memory's folder."""
    try:
        real = os.path.realpath(os.path.join(directory, path))
    except ValueError:
        return False
    return real.startswith(os.path.join(os.path.realpath(root), FOLDER) + os.sep)

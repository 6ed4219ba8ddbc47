"""Whereabouts: what a touch of a note means in the code around a memory, as that is now."""

import os

from gitmem.notes.touch import parsed
from gitmem.search.findings import Findings
from gitmem.storage.worktree import FOLDER, Worktree
from gitmem.values import TYPE_CHECKING

if TYPE_CHECKING:  # late at run time: a hook that an agent waits for opens no memory
    from gitmem.operations.memory import Memory

# A symbol or file that moved is found elsewhere as it was; only a symbol can have changed.
VALID, CHANGED, MOVED, GONE, UNANCHORED = "valid", "changed", "moved", "gone", "unanchored"
DRIFTED = (CHANGED, GONE)


_ODD = frozenset(("", ".", ".."))  # steps of a path that a normal one has none of


def findings_of(memory: "Memory") -> Findings:
    """Returns what is known of the code around a memory."""
    top = memory.repository.top if memory.repository else memory.root
    return Findings(Worktree(top), memory.where.cache, now=memory.now)


def state(root: str, findings: Findings, touch: str) -> str | None:
    """Returns the state of a touch whose code is where it was, None where it is not; `root` holds .memory."""
    place = parsed(touch)
    path = place_of(root, findings, place.path)
    seen = findings.tree.look(path) if path else None
    if place.hash is None and not place.symbol:
        if seen and seen.kind == FOLDER:
            return VALID
        return GONE if place.is_folder else UNANCHORED
    if place.hash is None:
        return UNANCHORED
    if path is None or seen is None or seen.kind == FOLDER:  # only a file has a hash
        return None
    if not place.symbol:
        return VALID
    hashes = findings.symbol(path, place.symbol)
    if not hashes:
        return UNANCHORED if hashes is None else None
    return VALID if place.hash in hashes else CHANGED


def place_of(root: str, findings: Findings, path: str) -> str | None:
    """Returns where a path lies below the top level, None where it does not; it may be meant from the memory's root."""
    odd = not _ODD.isdisjoint(path.split("/"))
    plain = os.path.normpath(path) if odd and path else path
    above = root[len(findings.tree.top) :].strip("/")
    ways = (plain, f"{above}/{plain}" if above else "")
    return next((way for way in ways if way and findings.tree.look(way)), None)

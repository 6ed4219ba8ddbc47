"""Anchors: the touches of notes tied to the code as it is, graded as they are read, and renewed."""

from collections.abc import Iterable, Mapping, Sequence

from gitmem.notes.note import Entry, Note
from gitmem.notes.touch import parsed, unhashed
from gitmem.operations.memory import Memory
from gitmem.operations.whereabouts import DRIFTED, UNANCHORED, findings_of, place_of, state
from gitmem.search.findings import Findings
from gitmem.values import Any

Reply = dict[str, Any]  # Any: the JSON of design section 14


def graded(memory: Memory, entries: Iterable[Entry]) -> dict[str, list[Reply]]:
    """Returns, by a note's path, each of its touches as {ref, state}: null where git cannot tell.

    What was seen of a file before is not looked at again until the file changes.
    """
    notes = [(entry.path, entry.note.touches) for entry in entries]
    states = graded_touches(memory, [touch for _, touches in notes for touch in touches])
    return {path: [{"ref": unhashed(touch), "state": states[touch]} for touch in touches] for path, touches in notes}


def ungraded(entry: Entry) -> list[Reply]:
    """Returns a note's touches as {ref, state} where nothing can be said of the code."""
    return [{"ref": unhashed(touch), "state": None} for touch in entry.note.touches]


def graded_touches(memory: Memory, touches: Sequence[str]) -> dict[str, str | None]:
    """Returns the state of each touch."""
    if not touches:
        return {}
    findings = findings_of(memory)
    states = {touch: state(memory.root, findings, touch) for touch in dict.fromkeys(touches)}
    missing = [touch for touch, found in states.items() if found is None]
    if missing:
        from gitmem.operations.moves import found_elsewhere  # late: most code is where it was

        states |= {touch: found.state for touch, found in found_elsewhere(memory, findings, missing).items()}
    findings.save()
    return states


def is_drifted(touches: Iterable[Mapping[str, Any]]) -> bool:
    """Returns whether touches, graded, say that a symbol changed or that anything went."""
    return any(touch["state"] in DRIFTED for touch in touches)


def drift(memory: Memory) -> Reply:
    """Returns the notes whose code changed or went, newest first (reply of design section 14).

    Notes that were replaced or put away claim nothing any more, and a checkpoint says what was.
    """
    entries = [entry for entry in _claiming(memory) if entry.note.touches]
    touches = graded(memory, entries)
    shown = [(entry.name, entry.note.title, touches[entry.path]) for entry in entries]
    return {
        "drifted": [{"name": name, "title": title, "touches": each} for name, title, each in shown if is_drifted(each)],
        "warnings": [
            _untold(entry.name, graded["ref"])
            for entry in entries
            for touch, graded in zip(entry.note.touches, touches[entry.path], strict=True)
            if graded["state"] == UNANCHORED and unhashed(touch) != touch
        ],
    }


def _untold(name: str, ref: str) -> Reply:
    message = f"{ref}, which {name} touches, could not be looked at: no parser came to the end of its file, or in time."
    return {"code": "untold", "name": name, "message": message}


def _claiming(memory: Memory) -> list[Entry]:
    """Returns the notes that claim something now, newest first, then by name."""
    from gitmem.operations.memory import ready  # late, as all of finding: grading needs none of it
    from gitmem.search.query import Wanted
    from gitmem.search.rank import unsuperseded

    reading = ready(memory)
    view, wanted = reading.view, Wanted()
    items = unsuperseded(view, view.passing(wanted, view.size), reading.maker.roles.supersession, wanted)
    entries = sorted(map(view.entry, items), key=lambda entry: (entry.name, entry.path))
    return sorted(entries, key=lambda entry: entry.note.created or "", reverse=True)


def refreshed(memory: Memory, note: Note) -> tuple[tuple[str, ...], list[str]]:
    """Returns a note's touches with the hashes of the code as it is now, and those of them that nothing here meets.

    Code that moved is followed; what cannot be found stays as it was.
    """
    from gitmem.operations.moves import found_elsewhere
    from gitmem.operations.touches import resolved

    findings = findings_of(memory)
    lost = [touch for touch in note.touches if state(memory.root, findings, touch) is None]
    moved = found_elsewhere(memory, findings, lost) if lost else {}
    asked = {touch: moved[touch].touch or touch if touch in moved else touch for touch in note.touches}
    now = resolved(memory, list(asked.values())).by_ref
    kept = {touch: now.get(asked[touch]) or touch for touch in note.touches}
    gone = [touch for touch in kept if now.get(asked[touch]) is None and _is_nowhere(memory, findings, touch)]
    return tuple(dict.fromkeys(kept.values())), list(map(unhashed, gone))


def _is_nowhere(memory: Memory, findings: Findings, touch: str) -> bool:
    """Returns whether what a touch names is known not to be there: no such path, or no such symbol in its file."""
    place = parsed(touch)
    path = place_of(memory.root, findings, place.path)
    if path is None:
        return True
    return bool(place.symbol) and findings.symbol(path, place.symbol) == ()

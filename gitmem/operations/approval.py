"""Approval: what a person says of notes as they are: approved, pinned, still true; and the same taken back."""

from collections.abc import Callable, Iterator, Sequence
from shlex import quote

from gitmem.errors import GitmemError
from gitmem.notes import store as notes
from gitmem.notes.entry import edit_digest
from gitmem.notes.instant import instant_of
from gitmem.notes.note import Approval, Entry, Note
from gitmem.notes.source import UNSETTLED
from gitmem.operations import reviewed
from gitmem.operations.claims import Save
from gitmem.operations.draft import rewritten
from gitmem.operations.memory import Finder, Memory, shown_path
from gitmem.operations.standing import of_one, shown
from gitmem.operations.transaction import carry_out
from gitmem.operations.unfinished import unfinished
from gitmem.operations.write import Reply
from gitmem.storage import git

Change = Callable[[Entry], Note]


def approve(memory: Memory, names: Sequence[str]) -> Reply:
    """Stamps notes as approved, by Git's identity, as they are: an edit voids it. Call it for a person only.

    Raises GitmemError("review-branch") where a branch alone approves, and GitmemError("no-identity").
    """
    held = reviewed.branch(memory)
    if held and held.commit is None:
        raise GitmemError("review-branch", *reviewed.lost(memory, held))
    if held:
        message = f"Here a note is approved by merging it into {held.name}; no stamp counts."
        raise GitmemError(
            "review-branch", message, f"Commit it on a branch, have it reviewed, and merge it into {held.name}."
        )
    by, at = _identity(memory), instant_of(memory.now)[: len("2026-11-30")]
    return _vouched(
        memory, names, lambda entry: entry.note._replace(approved=Approval(by, at, edit_digest(entry.note)))
    )


def _identity(memory: Memory) -> str:
    known = git.identity(memory.root, environment=memory.environment)
    if known is None:
        hint = 'git config --global user.name "Your Name"; git config --global user.email you@example.com'
        raise GitmemError("no-identity", "Git does not know who approves.", hint)
    return known


def check_unpinned(entry: Entry) -> None:
    """Raises GitmemError for a note that a person holds as it is."""
    if entry.note.pinned is not None:
        message = f"{entry.name} is pinned: a person holds its trust at {entry.note.pinned:g}."
        raise GitmemError("pinned", message, f"A person lets go of it: gitmem unpin {quote(entry.name)}")


def unapprove(memory: Memory, names: Sequence[str]) -> Reply:
    """Takes the approval of notes away. Call it for a person only."""
    reply = _changed(memory, names, lambda entry: entry.note._replace(approved=None))
    own = [note["name"] for note in reply["notes"] if "approved" in note["marks"]]
    why = "counts as approved all the same: a person wrote it, or the review branch holds it"
    told = [{"code": "still-approved", "name": name, "message": f"{name} {why}."} for name in own]
    return reply | {"warnings": [*reply["warnings"], *told]}


def pin(memory: Memory, name: str, value: float = 1.0) -> Reply:
    """Makes a note's trust a constant from 0 to 1. Call it for a person only."""
    if not 0 <= value <= 1:
        raise GitmemError(
            "bad-value", f"The trust {value} is not between 0 and 1.", "Give a number such as 0.7.", status=2
        )
    return _vouched(memory, [name], lambda entry: entry.note._replace(pinned=abs(value)))


def unpin(memory: Memory, name: str) -> Reply:
    """Lets a note's trust follow from its dates again. Call it for a person only."""
    return _changed(memory, [name], lambda entry: entry.note._replace(pinned=None))


def confirm(memory: Memory, names: Sequence[str], *, by: str) -> Reply:
    """Says of notes that they are still true: "user" confirms them, "agent" lifts no standing; renews their anchors."""
    from gitmem.operations.anchors import refreshed

    warnings: list[Reply] = []

    def confirmed(entry: Entry) -> Note:
        touches, lost = refreshed(memory, entry.note) if entry.note.touches else ((), [])
        warnings.extend(_untied(entry.name, ref) for ref in lost)
        return entry.note._replace(confirmed=instant_of(memory.now), confirmed_by=by, touches=touches)

    reply = _vouched(memory, names, confirmed)
    return reply | {"warnings": [*reply["warnings"], *warnings]}


def _untied(name: str, ref: str) -> Reply:
    mending = f"gitmem revise {quote(name)} --remove-touches {quote(ref)}"
    message = f"{ref} is not in the code, so nothing ties {name} to it: {mending} takes it out."
    return {"code": "unresolved", "name": name, "message": message}


def _vouched(memory: Memory, names: Sequence[str], change: Change) -> Reply:
    """Changes notes as `_changed`, each of them one whose text says one thing."""

    def settled(entry: Entry) -> Note:
        _check_settled(entry)
        return change(entry)

    return _changed(memory, names, settled)


def _check_settled(entry: Entry) -> None:
    """Raises GitmemError for a note of which a merge has left two sides: nobody can mean both."""
    open_line = next((problem.line for problem in entry.problems if problem.code in UNSETTLED), None)
    if open_line is not None:
        message = f"{entry.name} is half-merged: line {open_line} holds two sides."
        raise GitmemError("unsettled", message, f"gitmem resolve-conflicts {quote(entry.name)}")


def _changed(memory: Memory, names: Sequence[str], change: Change) -> Reply:
    """Changes notes, all or none of them, and returns what came of it, the first note in front."""
    with notes.lock(memory.store):
        finder = Finder(memory)
        entries = list({entry.path: entry for entry in map(finder.entry, names)}.values())
        saves = list(_saves(memory, entries, change))
        carry_out(memory, saves)
    return _reply(memory, [entry.path for entry in entries], [save.path for save in saves])


def _saves(memory: Memory, entries: Sequence[Entry], change: Change) -> Iterator[Save]:
    for entry in entries:
        data = notes.raw(memory.store, entry.path)
        new = rewritten(entry, data, change(entry), memory.store.verbs)
        if new != data:
            yield Save(entry.path, new)


def _reply(memory: Memory, paths: Sequence[str], changed: Sequence[str]) -> Reply:
    """Returns the reply of section 14, with how each note stands now."""
    finder = Finder(memory)
    now = [_stands(finder, finder.load(path)) for path in paths]
    return {
        "name": now[0]["name"],
        "path": now[0]["path"],
        "changed": [shown_path(memory, path) for path in changed],
        "notes": now,
        "warnings": _warnings(memory, changed),
        "deferred": unfinished(memory) is not None,
    }


def _stands(finder: Finder, entry: Entry) -> Reply:
    where = {"name": entry.name, "path": shown_path(finder.memory, entry.path), "title": entry.note.title}
    return where | shown(of_one(finder, entry))


def _warnings(memory: Memory, changed: Sequence[str]) -> list[Reply]:
    held = reviewed.branch(memory) if changed else None
    if held is None:
        return []
    message = f"Here {held.name} alone decides what a note's trust is: this counts once it is merged there."
    return [{"code": "review-branch", "name": None, "message": message}]

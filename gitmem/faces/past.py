"""The commands that look back: how the memory came to be, and how a commit is taken back."""

from collections.abc import Callable

from gitmem.faces import chronicle
from gitmem.faces.call import Call, Outcome, usage


def _log(call: Call) -> Outcome:
    from gitmem.operations.history import log

    memory = call.memory()
    result = log(memory, limit=call.values["limit"] or 0)
    return Outcome(result, 0, lambda view: chronicle.log(result, view), memory.trusted)


def _history(call: Call) -> Outcome:
    from gitmem.operations.history import history

    memory = call.memory()
    result = history(memory, call.note())
    return Outcome(result, 0, lambda view: chronicle.log(result, view), memory.trusted)


def _diff(call: Call) -> Outcome:
    from gitmem.operations.history import diff

    memory = call.memory()
    result = diff(memory, call.values["span"])
    return Outcome(result, 0, lambda view: chronicle.diff(result, view), memory.trusted)


def _undo(call: Call) -> Outcome:
    from gitmem.operations.undo import undo

    revision, session, dry_run = (call.values[key] for key in ("commit", "session", "dry_run"))
    if bool(revision) == bool(session):
        raise usage("undo takes a commit, or a session with --session.", "gitmem undo HEAD --dry-run")
    result = undo(call.memory(), revision, session=session, dry_run=dry_run)
    return Outcome(result, 0, lambda view: chronicle.undone(result, view, dry_run=dry_run))


VERBS: dict[str, Callable[[Call], Outcome]] = {"log": _log, "history": _history, "diff": _diff, "undo": _undo}

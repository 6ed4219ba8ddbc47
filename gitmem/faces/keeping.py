"""The commands that keep a memory in order and set it up."""

from collections.abc import Callable
from typing import Any

from gitmem.faces import render, state
from gitmem.faces.call import Call, Outcome, usage


def _check(call: Call) -> Outcome:
    mend, dry_run, staged, revision = (call.values[key] for key in ("fix", "dry_run", "staged", "rev"))
    if dry_run and not mend:
        raise usage("--dry-run goes with --fix.", "gitmem check --fix --dry-run")
    if sum((mend, staged, revision is not None)) > 1:
        raise usage("--fix, --staged and --rev are three different checks.", "Give one of them.")
    result = _checked(call)
    errors = any(problem["severity"] == "error" for problem in result["problems"])
    return Outcome(result, int(errors), lambda view: render.check(result, view))


def _checked(call: Call) -> dict[str, Any]:
    """Returns what the chosen check finds."""
    if call.values["staged"]:
        from gitmem.operations.staged import check_staged
        from gitmem.storage.git import HookEnvironment

        # A hook that a commit runs is told the index; by hand, variables that lead elsewhere are not meant.
        hooked = "GIT_INDEX_FILE" in call.environment
        environment = HookEnvironment(call.environment) if hooked else call.environment
        return check_staged(call.directory, environment=environment)
    if call.values["rev"] is not None:
        from gitmem.operations.staged import check_revision

        return check_revision(call.memory(), call.values["rev"])
    from gitmem.operations.upkeep import check, fix

    return fix(call.memory(), dry_run=call.values["dry_run"]) if call.values["fix"] else check(call.memory())


def _vocabulary(call: Call) -> Outcome:
    from gitmem.operations.words import vocabulary, vocabulary_add, vocabulary_rename

    action, words = call.values["action"], call.values["words"]
    if action and (len(words) < 2 or (action == "rename" and len(words) > 2)):
        shape = "add type|verb|domain WORD …" if action == "add" else "rename OLD NEW"
        raise usage(f"gitmem vocabulary {action} lacks words, or has too many.", f"gitmem vocabulary {shape}")
    if action == "add":
        given = {key: value for key, value in call.values.items() if key not in ("action", "words")}
        options = {key: value for key, value in given.items() if value is not None}
        result = vocabulary_add(call.memory(), words[0], words[1:], **options)
        return Outcome(result, 0, lambda view: render.added(result, view))
    if action == "rename":
        result = vocabulary_rename(call.memory(), *words)
        return Outcome(result, 0, lambda view: render.respelled(result, words[0], words[1], view))
    result = vocabulary(call.memory())
    return Outcome(result, 0, lambda view: render.vocabulary(result, view))


def _status(call: Call) -> Outcome:
    from gitmem.operations.health import status

    result = status(call.memory())
    return Outcome(result, 0, lambda view: state.status(result, view))


def _init(call: Call) -> Outcome:
    from gitmem.operations.setup import init

    hooks = not call.values["no_hooks"]
    result = init(call.directory, preset=call.values["preset"], environment=call.environment, hooks=hooks)
    return Outcome(result, 0, lambda view: state.begun(result, view))


def _doctor(call: Call) -> Outcome:
    from gitmem.operations.health import doctor

    result = doctor(call.directory, environment=call.environment, now=call.now)
    broken = any(row["state"] == "fault" for row in result["checks"])
    return Outcome(result, int(broken), lambda view: state.doctor(result, view))


def _hooks(call: Call) -> Outcome:
    from gitmem.faces.hooks import manage

    return manage(call)


def _resolve_conflicts(call: Call) -> Outcome:
    from gitmem.faces import commits
    from gitmem.operations.conflicts import resolve_conflicts

    result = resolve_conflicts(call.memory(), [call.named(word) for word in call.values["names"]])
    return Outcome(result, int(bool(result["problems"])), lambda view: commits.conflicts(result, view))


def _merge_driver(call: Call) -> Outcome:
    from gitmem.faces.driver import answer

    return answer(call)


def _review(call: Call) -> Outcome:
    from gitmem.faces.pulls import review

    return review(call)


def _setup(call: Call) -> Outcome:
    from gitmem.faces.pulls import setup

    return setup(call)


def _hook(call: Call) -> Outcome:
    from gitmem.faces.hooks import answer

    return answer(call)


VERBS: dict[str, Callable[[Call], Outcome]] = {
    "hook": _hook,
    "hooks": _hooks,
    "merge-driver": _merge_driver,
    "resolve-conflicts": _resolve_conflicts,
    "check": _check,
    "review": _review,
    "setup": _setup,
    "vocabulary": _vocabulary,
    "status": _status,
    "init": _init,
    "doctor": _doctor,
}

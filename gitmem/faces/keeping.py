"""The commands that keep a memory in order and set it up."""

from collections.abc import Callable

from gitmem.faces import render, state
from gitmem.faces.call import Call, Outcome, usage
from gitmem.values import Any

OF_TRUST = ("approve", "unapprove", "pin", "unpin", "confirm", "conflicts", "suspects", "decay", "trust")


def _check(call: Call) -> Outcome:
    mend, dry_run, staged, revision = (call.values[key] for key in ("fix", "dry_run", "staged", "rev"))
    if dry_run and not mend:
        raise usage("--dry-run goes with --fix.", "gitmem check --fix --dry-run")
    if sum((mend, staged, revision is not None)) > 1:
        raise usage("--fix, --staged and --rev are three different checks.", "Give one of them.")
    result, trusted = _checked(call)
    errors = any(problem["severity"] == "error" for problem in result["problems"])
    return Outcome(result, int(errors), lambda view: render.check(result, view), trusted)


def _checked(call: Call) -> tuple[dict[str, Any], bool]:
    """Returns what the chosen check finds, and whether anybody has vouched for what it reads."""
    if call.values["staged"]:
        return _staged(call)
    memory = call.memory()
    if call.values["rev"] is not None:
        from gitmem.operations.staged import check_revision

        return check_revision(memory, call.values["rev"]), memory.trusted
    from gitmem.operations.upkeep import check, fix

    return fix(memory, dry_run=call.values["dry_run"]) if call.values["fix"] else check(memory), memory.trusted


def _staged(call: Call) -> tuple[dict[str, Any], bool]:
    from gitmem.operations.staged import check_staged
    from gitmem.storage import git

    # A hook that a commit runs is told the index; by hand, variables that lead elsewhere are not meant.
    hooked = "GIT_INDEX_FILE" in call.environment
    environment = git.HookEnvironment(call.environment) if hooked else call.environment
    result = check_staged(call.directory, environment=environment)
    repository = git.find(call.directory)
    settings = git.settings(repository.top, environment=environment) if repository else {"trusted": "true"}
    return result, settings.get("trusted") == "true"


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
    memory = call.memory()
    result = vocabulary(memory)
    return Outcome(result, 0, lambda view: render.vocabulary(result, view), memory.trusted)


def _status(call: Call) -> Outcome:
    from gitmem.operations.health import status

    memory = call.memory()
    result = status(memory)
    return Outcome(result, 0, lambda view: state.status(result, view), memory.trusted)


def _init(call: Call) -> Outcome:
    from gitmem.faces.agents import is_trusting
    from gitmem.operations.setup import init

    preset, hooks = call.values["preset"], not call.values["no_hooks"]
    result = init(call.directory, preset=preset, environment=call.environment, hooks=hooks, trusting=is_trusting(call))
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
    from gitmem.faces import pulls, wirings

    return pulls.setup(call) if call.values["system"] == "github" else wirings.setup(call)


def _digest(call: Call) -> Outcome:
    from gitmem.faces.digests import digest

    return digest(call)


def _hook(call: Call) -> Outcome:
    from gitmem.faces.hooks import answer

    return answer(call)


def _of_trust(name: str) -> Callable[[Call], Outcome]:
    """Returns the command of this name, imported when it is called."""

    def answer(call: Call) -> Outcome:
        from gitmem.faces import standing

        handler: Callable[[Call], Outcome] = getattr(standing, name)
        return handler(call)

    return answer


VERBS: dict[str, Callable[[Call], Outcome]] = {
    **{name: _of_trust(name) for name in OF_TRUST},
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
    "digest": _digest,
}

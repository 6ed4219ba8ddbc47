"""Git's hooks: put there and taken away by a person, and answered when Git calls."""

import os
import sys
from types import TracebackType

from gitmem.errors import GitmemError
from gitmem.faces import render, state
from gitmem.faces.call import Call, Outcome, usage
from gitmem.faces.render import View
from gitmem.storage import failures, git
from gitmem.values import Any

REFUSED = 10  # says "this commit is refused" to the shim; 1, 2 and 3 are failures of ours, which refuse nothing
PATIENCE = 0.2  # seconds a checkout waits for the index, which with the start of Python makes 300 ms
UNTRUSTED = "gitmem: there is a memory here that nobody in this clone has vouched for; gitmem init marks it as yours.\n"
SECRET = "secret"  # the code of what must never be committed, not even on purpose
GO_ON = "git commit --no-verify commits all the same.\n"


def manage(call: Call) -> Outcome:
    """Installs, uninstalls or shows the hooks and the merge driver."""
    from gitmem.faces.agents import is_trusting  # late: Git's own hooks need none of it
    from gitmem.operations import hooks

    if call.values["action"] == "install":
        result = hooks.install(call.directory, environment=call.environment, trusting=is_trusting(call))
    else:
        answers = hooks.uninstall if call.values["action"] == "uninstall" else hooks.status
        result = answers(call.directory, environment=call.environment)
    return Outcome(result, 0, lambda view: state.hooks(result, view))


def answer(call: Call) -> Outcome:
    """Answers one of Git's hooks; what goes wrong is written down, where `doctor` finds it."""
    name, repository = call.values["hook"], git.find(call.directory)
    if name not in ("pre-commit", "post-checkout", "post-merge", "post-rewrite"):
        raise usage(f"{name} is no hook that gitmem answers.", "gitmem hooks status lists them.")
    if repository:
        sys.excepthook = _noting(repository, f"{_now(call.now)} {name}")
    try:
        return _pre_commit(call) if name == "pre-commit" else _refresh(call)
    except GitmemError as error:
        if repository:
            failures.log(repository, f"{_now(call.now)} {name} {error.message}")
        raise


def _now(now: int) -> str:
    from gitmem.notes.instant import instant_of

    return instant_of(now)


def _noting(repository: git.Repository, head: str) -> Any:  # the type of sys.excepthook
    """Returns what a bug in a hook comes to: a line in the notebook, since nobody reads a hook's traceback."""

    def note(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        while trace and trace.tb_next:
            trace = trace.tb_next
        where = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else "?"
        failures.log(repository, f"{head} {kind.__name__}: {error} ({where})")

    return note


def _pre_commit(call: Call) -> Outcome:
    """Judges what is staged; in a clone that nobody trusts, no word of the notes is printed."""
    from gitmem.operations.staged import check_staged

    environment = git.HookEnvironment(call.environment)
    result = check_staged(call.directory, environment=environment)
    refused = any(problem["severity"] == "error" for problem in result["problems"])
    status = REFUSED if refused else 0
    if not result["problems"]:
        return Outcome(result, 0, lambda view: "")
    repository = git.find(call.directory)
    settings = git.settings(repository.top, environment=environment) if repository else {}
    if settings.get("trusted") != "true":
        return Outcome(result, status, lambda view: UNTRUSTED)
    return Outcome(result, status, lambda view: verdict(result, view))


def verdict(result: dict[str, Any], view: View) -> str:
    """Returns what a person reads whose commit has notes with problems."""
    errors = {problem["code"] for problem in result["problems"] if problem["severity"] == "error"}
    if not errors:
        return "gitmem: look at the notes of this commit.\n" + render.check(result, view)
    way_out = "" if SECRET in errors else GO_ON  # nobody is told how to publish a secret
    return "gitmem: this commit is stopped by what stands in its notes.\n" + render.check(result, view) + way_out


def _refresh(call: Call) -> Outcome:
    """Refreshes the index for as long as a checkout may wait; what is not done then, the next read does."""
    import faulthandler

    from gitmem.operations.hooks import catch_up

    with open(os.devnull, "w") as nowhere:
        faulthandler.dump_traceback_later(PATIENCE, exit=True, file=nowhere)
        catch_up(call.directory, list(call.values["revisions"]), environment=call.environment, now=call.now)
        faulthandler.cancel_dump_traceback_later()
    return Outcome({}, 0, lambda view: "")

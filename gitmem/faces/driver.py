"""The merge driver, as Git calls it: its exit status says whether a note merged, and anything else leaves it to Git."""

import os
import sys

from gitmem.errors import GitmemError
from gitmem.faces import render
from gitmem.faces.call import Call, Outcome
from gitmem.storage import failures, git

# Says "merged, and a person has to settle something". 1, 2 and 3 are also what a broken installation, a Python that
# cannot start, and a refusal come to: after those the file that Git gave is as it was, and Git has to merge it.
CONFLICT = 10


def answer(call: Call) -> Outcome:
    """Merges the three files that Git names; what goes wrong is written down, where `doctor` finds it."""
    path = call.values["path"]
    try:
        conflicts = _merge(call)
    except GitmemError as error:
        _note(call, error.message)
        raise
    # A bug here meets a person in the middle of a rebase of theirs. Their note still merges, by Git's own hand, and a
    # traceback among Git's messages would only hide that; so this is the one place where every error is caught.
    except Exception as error:
        said = f"{path} was not merged by field, for {type(error).__name__}: {error}"
        _note(call, said)
        raise GitmemError("driver", f"{said}.", "Git merges its lines instead.") from error
    if conflicts:
        said = f"gitmem: {path}: both sides changed {' and '.join(conflicts)}; gitmem resolve-conflicts says where."
        sys.stderr.write(f"{render.safe(said)}\n")  # not to standard output: git merge-tree's answer is there
    return Outcome({"conflicts": list(conflicts)}, CONFLICT if conflicts else 0, lambda view: "")


def _merge(call: Call) -> tuple[str, ...]:
    from gitmem.operations.driver import merge_files

    files = [os.path.join(call.directory, call.values[key]) for key in ("base", "ours", "theirs")]
    size = int(call.values["size"])
    where = {"top": call.directory, "path": call.values["path"], "environment": call.environment}
    return merge_files(*files, size=size, **where)


def _note(call: Call, said: str) -> None:
    repository = git.find(call.directory)
    if repository:
        from gitmem.notes.instant import instant_of

        now = instant_of(call.now)
        failures.log(repository, f"{now} merge-driver {said}")

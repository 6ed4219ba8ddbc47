"""Hooks and merge driver: put into a repository, taken out again, and how they stand."""

import os
from collections.abc import Iterator, Mapping

from gitmem.errors import GitmemError
from gitmem.storage import failures, git
from gitmem.storage import hooks as kept
from gitmem.storage.git import Repository
from gitmem.storage.hooks import Folder
from gitmem.storage.status import enclosing
from gitmem.values import Any

Reply = dict[str, Any]  # Any: the JSON of design section 14

# A read takes 0.5 ms for each note that it has to index, and a hook has 200.
MANY = 300
DRIVER = "merge.gitmem.driver"
DRIVER_NAME = ("merge.gitmem.name", "notes, merged by field")
# gitmem's 0 (merged) and 10 (merged, with a conflict, which git wants told as 1) stand. Anything else is git's own
# merge: also 1, to which a Python comes that finds no gitmem to import, and 127 where there is no such command.
# Of git's words only %P may hold more than a file name of its own making, and git quotes it.
DRIVER_LINE = (
    """sh -c 'gitmem merge-driver -- "$@"; case $? in 0) exit 0;; 10) exit 1;; esac; """
    """exec git merge-file --marker-size="$4" -L ours -L base -L theirs "$2" "$1" "$3"' gitmem %O %A %B %L %P"""
)


def install(directory: str, *, environment: Mapping[str, str], trusting: bool = True) -> Reply:
    """Puts our lines into the repository's hooks, registers the merge driver, and makes this clone trusted.

    `trusting` says that a person does it: an agent trusts nothing. Returns the reply of `status` with `changed`, the names of the hooks it wrote. Raises GitmemError, with nothing
    written, where there is no memory or no repository.
    """
    from gitmem.operations.memory import find_root

    repository = enclosing(directory)
    if find_root(directory) is None:
        raise GitmemError("no-memory", f"{repository.top} has no memory for hooks to look after.", "gitmem init")
    return attach(repository, environment=environment, trusting=trusting)


def attach(
    repository: Repository, *, environment: Mapping[str, str], anywhere: bool = True, trusting: bool = True
) -> Reply:
    """Does what `install` does, in a repository whose memory is known to be there.

    Without `anywhere` it writes hooks only into Git's own folder: one in the work tree, or one that serves other
    repositories, may hold half-staged work, and is written to only when somebody asks for just that.
    """
    place = kept.folder(repository, environment=environment)
    _set(repository, DRIVER, DRIVER_LINE, environment)
    _set(repository, *DRIVER_NAME, environment)
    trusted = git.settings(repository.top, environment=environment).get("trusted") == "true"
    if trusting and not trusted:
        git.set_setting(repository.top, "trusted", "true", environment=environment)
    own = os.path.realpath(place.path).startswith(os.path.realpath(repository.common_dir) + os.sep)
    changed = [name for name in kept.NAMES if kept.put(place, name)] if anywhere or own else []
    failures.forget(repository)
    status = _status(repository, place, environment) | {"changed": changed}
    warnings = status["warnings"] if anywhere or own else [_left_alone(place)]
    return status | {"warnings": [*warnings, *([] if trusting or trusted else [untrusted()])]}


def untrusted() -> Reply:
    """Returns the warning that an agent's work leaves a clone as untrusted as it was."""
    message = (
        "An agent did this, so this clone stays untrusted and its hooks show no notes; a person types gitmem trust."
    )
    return {"code": "untrusted", "name": "trust", "message": message}


def _left_alone(place: Folder) -> Reply:
    message = f"Git's hooks lie in {place.path}, outside its own folder; they were left as they are."
    return {"code": "hooks-elsewhere", "name": "hooks", "message": f"{message} gitmem hooks install adds to them."}


def uninstall(directory: str, *, environment: Mapping[str, str]) -> Reply:
    """Takes our lines out of the hooks, and the merge driver; what was there before is as it was. Trust stays.

    Returns the reply of `status` with `changed`, the names of the hooks it gave back.
    """
    repository = enclosing(directory)
    place = kept.folder(repository, environment=environment)
    if _driver(repository, environment):
        arguments = ["config", "--local", "--remove-section", "merge.gitmem"]
        done = git.talk(repository.top, arguments, environment=environment)
        if done.status:
            raise git.said(done, "The merge driver could not be taken out")
    changed = [name for name in kept.NAMES if kept.take(place, name)]
    kept.drop(place)
    return _status(repository, place, environment) | {"changed": changed, "warnings": []}


def status(directory: str, *, environment: Mapping[str, str]) -> Reply:
    """Returns how each hook and the merge driver stand: {hooks: [{name, installed, chained}], folder, …}."""
    repository = enclosing(directory)
    return _status(repository, kept.folder(repository, environment=environment), environment)


def _status(repository: Repository, place: Folder, environment: Mapping[str, str]) -> Reply:
    return {
        "hooks": [kept.look(place, name)._asdict() for name in kept.NAMES],
        "folder": place.path,
        "merge_driver": bool(_driver(repository, environment)),
        "warnings": list(_warnings(place, environment)),
    }


def _set(repository: Repository, key: str, value: str, environment: Mapping[str, str]) -> None:
    done = git.talk(repository.top, ["config", "--local", key, value], environment=environment)
    if done.status:
        raise git.said(done, f"git config {key} could not be set")


def _driver(repository: Repository, environment: Mapping[str, str]) -> str:
    """Returns the line of the merge driver that is registered, empty where none of gitmem's is."""
    said = git.ask(repository.top, ["config", "--get", DRIVER], environment=environment) or b""
    return os.fsdecode(said.removesuffix(b"\n")) if b"gitmem" in said else ""


def _warnings(place: Folder, environment: Mapping[str, str]) -> Iterator[Reply]:
    from gitmem.operations import starting

    if place.tracked:
        message = f"{place.path} is tracked by Git: whoever gets these files gets the hooks when they are committed."
        yield {"code": "hooks-tracked", "name": "core.hooksPath", "message": message}
    if place.shared:
        message = f"{place.path} lies outside this repository: its hooks serve every repository that uses it."
        yield {"code": "hooks-shared", "name": "core.hooksPath", "message": message}
    if starting.found(starting.COMMAND, environment) is None:
        message = f"{starting.ABSENT}, so hooks and merges will do without it. {starting.MENDING}"
        yield {"code": "not-on-path", "name": "PATH", "message": message}


def checked(repository: Repository, *, environment: Mapping[str, str]) -> Iterator[tuple[str, str, str, str | None]]:
    """Yields (name, state, message, hint) of what `doctor` says of hooks, their failures and the merge driver."""
    try:
        place = kept.folder(repository, environment=environment)
    except GitmemError as error:
        yield "hooks", "warning", error.message, error.hint
        return
    missing = [name for name in kept.NAMES if not kept.look(place, name).installed]
    failed = failures.read(repository)
    if missing:
        yield "hooks", "warning", f"Not installed: {', '.join(missing)}.", "gitmem hooks install"
    if failed:
        hint = "gitmem hooks install forgets it."
        yield "hooks", "warning", f"{len(failed)} failures were noted, the last: {failed[-1]}", hint
    if not missing and not failed:
        yield "hooks", "ok", f"installed in {place.path}", None
    yield "merge", *_merging(_driver(repository, environment))


def _merging(driver: str) -> tuple[str, str, str | None]:
    """Returns state, message and hint of what `doctor` says of the merge driver that is registered."""
    if driver == DRIVER_LINE:
        return "ok", "Git merges notes by field.", None
    if driver:
        message = "The merge driver that is registered in this clone is not the one of this version."
    else:
        message = "The merge driver is not registered in this clone: Git merges notes by lines."
    return "warning", message, "gitmem hooks install"


def catch_up(directory: str, revisions: list[str], *, environment: Mapping[str, str], now: int) -> None:
    """Refreshes the index of each memory that differs between two revisions, or one and the files, in a work tree.

    Where more notes changed than a hook has time for, it is left to the next read.
    """
    from gitmem.operations.memory import open_memory, ready

    arguments = ["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", *revisions, "--"]
    names = (git.ask(directory, arguments, environment=environment) or b"").split(b"\0")
    above = [name.partition(b"/.memory/")[0] for name in (b"/" + name for name in names) if b"/.memory/" in name]
    for folder in sorted(set(above)) if len(above) <= MANY else ():
        root = os.path.join(directory, os.fsdecode(folder[1:]))
        if os.path.isdir(os.path.join(root, ".memory")):
            ready(open_memory(root, environment=environment, now=now))

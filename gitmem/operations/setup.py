"""Setting up: the memory's folder made in a project, and a clone's memory made one's own."""

import os
from collections.abc import Mapping

from gitmem.errors import GitmemError
from gitmem.notes.preset import preset_text
from gitmem.notes.store import FOLDER
from gitmem.operations.memory import CONFIG, Memory, find_root
from gitmem.storage import disk, git, sparse, status
from gitmem.values import Any

Reply = dict[str, Any]  # Any: the JSON of design section 14

README = """# Project memory

This folder is the memory of this project: one note a file, in plain markdown with YAML front matter.
The folder of a note is its type; its file name is its name, and other notes link to it by that name.

Read and edit the notes with anything. `gitmem recall "a question"` finds them, `gitmem check` proofreads them,
and a pull request reviews them like any other file. `.cache/` is derived and may be deleted at any moment.
"""
FILES = {
    "README.md": README,
    ".gitattributes": "*.md merge=gitmem text eol=lf\nREADME.md merge=text\n",
    ".gitignore": ".cache/\n",
}


def init(
    directory: str, *, preset: str | None, environment: Mapping[str, str], hooks: bool = True, trusting: bool = True
) -> Reply:
    """Makes the memory's folder where it is missing, and this clone's memory the user's own; twice is once.

    `trusting` says that a person does it: an agent trusts a memory that it begins, and none that was there.
    In a clone that nobody has made theirs it is the memory that is there already that is meant. With `preset` it
    writes config.toml; raises GitmemError where there is another one already. With `hooks` it puts Git's hooks and
    the merge driver there; where that cannot be, a warning says why.
    """
    if not os.path.isdir(directory):
        raise GitmemError("no-folder", f"{directory} is not a folder.", "Give an existing folder to -C.", status=2)
    repository = git.find(directory)
    _check_place(directory, repository, environment)
    root = _root(directory, repository, environment)
    folder = os.path.join(root, FOLDER)
    files = _files(folder, preset)
    absent = _absent(repository, folder, environment) if repository else []
    trusting = trusting or not os.path.lexists(folder)
    _make(folder)
    missing = [name for name in files if not os.path.lexists(os.path.join(folder, name))]
    with disk.Lock(folder):
        for name in missing:
            disk.save(folder, name, files[name].encode())
    if repository and trusting:
        git.set_setting(repository.top, "trusted", "true", environment=environment)
    shown = os.path.relpath(folder, repository.top if repository else root).replace(os.sep, "/")
    return {
        "root": root,
        "created": [f"{shown}/{name}" for name in missing],
        "existing": [f"{shown}/{name}" for name in files if name not in missing],
        "trusted": bool(repository and git.settings(repository.top, environment=environment).get("trusted") == "true"),
        **_warned(
            _hooked(repository if hooks else None, environment, trusting=trusting), absent or _undated(repository)
        ),
    }


def _undated(repository: git.Repository | None) -> list[Reply]:
    if repository:
        return []
    message = "This is no Git repository, so nothing here is dated or shared: git init, then gitmem init, makes it one."
    return [{"code": "no-repository", "name": None, "message": message}]


def _absent(repository: git.Repository, folder: str, environment: Mapping[str, str]) -> list[Reply]:
    """Returns the warning of a memory that is checked out in part; refuses one that is there and not checked out at all.

    A note written beside notes that nobody sees could take the name of one of them, and its place in the next commit.
    """
    found = _folders(repository, folder)
    for each in found:
        paths = sparse.absent(repository, [each], environment=environment)
        hint = sparse.hint(repository, each)
        if paths and not disk.note_paths(os.path.join(repository.top, each)):
            message = f"{each}/ is part of this repository, but it is not checked out here."
            raise GitmemError("not-checked-out", message, f"{hint} Then run gitmem init again.")
        if paths and each == found[0]:
            message = f"{len(paths)} of the files in {each}/ are not checked out here, so nothing finds them. {hint}"
            return [{"code": "not-checked-out", "name": None, "message": message}]
    return []


def _folders(repository: git.Repository, folder: str) -> list[str]:
    """Returns where a memory could be that is not seen: at this place, and where there is none, above it, too."""
    here = os.path.relpath(folder, repository.top).replace(os.sep, "/")
    above = os.path.dirname(os.path.dirname(here))
    places = [here]
    while here != FOLDER and not os.path.isdir(os.path.join(repository.top, here)):
        here = os.path.join(above, FOLDER)
        above = os.path.dirname(above)
        places.append(here)
    return places


def _warned(reply: Reply, warnings: list[Reply]) -> Reply:
    return reply | {"warnings": [*warnings, *reply["warnings"]]}


def trust(memory: Memory) -> Reply:
    """Makes a clone's notes the user's own, and nothing else. Call it for a person only."""
    if memory.repository is None:
        raise status.no_repository(memory.root)
    git.set_setting(memory.repository.top, "trusted", "true", environment=memory.environment)
    return {"root": memory.root, "trusted": True}


def _hooked(repository: git.Repository | None, environment: Mapping[str, str], *, trusting: bool) -> Reply:
    """Returns what was done about Git's hooks and the merge driver: the hooks' names, and warnings."""
    from gitmem.operations.hooks import attach

    if repository is None:
        return {"hooks": [], "merge_driver": False, "warnings": []}
    try:
        done = attach(repository, environment=environment, anywhere=False, trusting=trusting)
    except GitmemError as error:
        warning = {"code": error.code, "name": "hooks", "message": error.message}
        return {"hooks": [], "merge_driver": False, "warnings": [warning]}
    return {"hooks": done["changed"], "merge_driver": done["merge_driver"], "warnings": done["warnings"]}


def _check_place(directory: str, repository: git.Repository | None, environment: Mapping[str, str]) -> None:
    """Refuses, before anything is made, Git's own folders, and a repository that no git command can be told about."""
    here = os.path.realpath(directory)
    while not (repository and here == repository.top) and here != os.path.dirname(here):
        if git.is_bare(here):
            message = f"{here} is a bare repository or Git's own folder, which has no files to keep notes among."
            raise GitmemError(
                "bare", message, "Run gitmem init in a work tree: git clone or git worktree add makes one."
            )
        here = os.path.dirname(here)
    if repository and git.version(environment=environment) is None:
        raise GitmemError("no-git", "The git command was not found.", "Install Git and put it on PATH.")
    if repository:
        status.check(repository, environment=environment)


def _root(directory: str, repository: git.Repository | None, environment: Mapping[str, str]) -> str:
    found = find_root(directory)
    trusted = repository and git.settings(repository.top, environment=environment).get("trusted") == "true"
    return found if found and not trusted else os.path.realpath(directory)


def _files(folder: str, preset: str | None) -> dict[str, str]:
    if preset is None:
        return FILES
    text = preset_text(preset)
    path = os.path.join(folder, CONFIG)
    if os.path.lexists(path) and _read(path) != text.encode():
        message = f"{FOLDER}/{CONFIG} is there already and is not the preset {preset!r}."
        raise GitmemError("config-exists", message, "gitmem vocabulary add and rename change it word by word.")
    return {**FILES, CONFIG: text}


def _read(path: str) -> bytes | None:
    try:
        return disk.read(path)
    except OSError:  # a link or a folder: something else than the preset
        return None


def _make(folder: str) -> None:
    if os.path.islink(folder):
        raise GitmemError("symbolic-link", f"{folder} is a symbolic link.", f"Make {FOLDER}/ a real folder.")
    try:
        os.makedirs(folder, exist_ok=True)
    except FileExistsError as error:
        hint = "Move it away, then run gitmem init again."
        raise GitmemError("not-a-folder", f"{folder} is a file.", hint) from error
    except OSError as error:
        raise disk.refused(error, folder) from error

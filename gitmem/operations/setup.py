"""Setting up: the memory's folder made in a project, and a clone's memory made one's own."""

import os
from collections.abc import Mapping
from typing import Any

from gitmem.errors import GitmemError
from gitmem.notes import config as configuration
from gitmem.notes.store import FOLDER
from gitmem.operations.memory import CONFIG, find_root
from gitmem.storage import disk, git

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


def init(directory: str, *, preset: str | None, environment: Mapping[str, str]) -> Reply:
    """Makes the memory's folder where it is missing, and this clone's memory the user's own; twice is once.

    In a clone that nobody has made theirs it is the memory that is there already that is meant. With `preset` it
    writes config.toml; raises GitmemError where there is one already.
    """
    if not os.path.isdir(directory):
        raise GitmemError("no-folder", f"{directory} is not a folder.", "Give an existing folder to -C.", status=2)
    repository = git.find(directory)
    root = _root(directory, repository, environment)
    folder = os.path.join(root, FOLDER)
    files = _files(folder, preset)
    _make(folder, root)
    missing = [name for name in files if not os.path.lexists(os.path.join(folder, name))]
    with disk.Lock(folder):
        for name in missing:
            disk.save(folder, name, files[name].encode())
    if repository:
        git.set_setting(root, "trusted", "true", environment=environment)
    shown = {name: f"{FOLDER}/{name}" for name in files}
    return {
        "root": root,
        "created": [shown[name] for name in missing],
        "existing": [shown[name] for name in files if name not in missing],
    }


def _root(directory: str, repository: git.Repository | None, environment: Mapping[str, str]) -> str:
    found = find_root(directory)
    trusted = repository and git.settings(directory, environment=environment).get("trusted") == "true"
    return found if found and not trusted else os.path.realpath(directory)


def _files(folder: str, preset: str | None) -> dict[str, str]:
    if preset is None:
        return FILES
    text = configuration.preset_text(preset)
    path = os.path.join(folder, CONFIG)
    if os.path.lexists(path) and disk.read(path).decode("utf-8", "replace") != text:
        message = f"{FOLDER}/{CONFIG} is there already and is not the preset {preset!r}."
        raise GitmemError("config-exists", message, "gitmem vocabulary add and rename change it word by word.")
    return {**FILES, CONFIG: text}


def _make(folder: str, root: str) -> None:
    if os.path.islink(folder):
        raise GitmemError("symbolic-link", f"{folder} is a symbolic link.", f"Make {FOLDER}/ a real folder.")
    try:
        os.makedirs(folder, exist_ok=True)
    except FileExistsError as error:
        raise GitmemError(
            "not-a-folder", f"{folder} is a file.", "Move it away, then run gitmem init again."
        ) from error
    except OSError as error:
        raise disk.refused(error, f"{root}/{FOLDER}") from error

"""What a clone decides for itself, asked of git again only where a file that may say so has changed."""

import os
from collections.abc import Mapping

from gitmem.storage import disk, git
from gitmem.storage.git import Repository


class Settings:
    """The `gitmem.*` settings of repositories, for a process that asks again and again: git takes 2 ms to say them.

    A file of the whole machine that no setting came from, and that lies in none of the usual places, is not watched.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._known: dict[str, tuple[dict[str, str], dict[str, str]]] = {}

    def of(self, repository: Repository, *, now: float) -> dict[str, str]:
        """Returns the settings as `git.settings` does; `now` in epoch seconds."""
        rows, found = self._known.get(repository.git_dir, ({}, {}))
        if rows and all(row(path) == seen for path, seen in rows.items()):
            return found
        rows = {path: row(path) for path in files(repository, self._environment)}
        said = git.configuration(repository.top, environment=self._environment)
        rows |= {path: row(path) for path, _, _ in said or () if path and path not in rows}
        found = git.own_settings((key, value) for _, key, value in said or ())
        self._known[repository.git_dir] = (rows if said and _will_hold(rows, said, now) else {}, found)
        return found


def _will_hold(rows: Mapping[str, str], said: git.Configuration, now: float) -> bool:
    """Returns whether what git said holds until one of the files changes.

    Not where a file may have changed since without its times moving, nor where a file includes another, which may hang
    on the branch, nor where it cannot be told which file a value came from.
    """
    certain = all(not row or disk.changed_at(row) < now - disk.DOUBT for row in rows.values())
    return certain and is_told_by_files(said)


def is_told_by_files(said: git.Configuration) -> bool:
    """Returns whether all that git said comes from files that can be watched, none of which includes another."""
    return not any(path is None or key.startswith("include") for path, key, _ in said)


def files(repository: Repository, environment: Mapping[str, str]) -> list[str]:
    """Returns the files that git reads settings from, whether they are there or not; it is run at the top level."""
    home = environment.get("HOME", "")
    config = environment.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    own = [os.path.join(home, ".gitconfig"), os.path.join(config, "git", "config")]
    named = [environment[key] for key in ("GIT_CONFIG_SYSTEM", "GIT_CONFIG") if key in environment]
    paths = [
        os.path.join(repository.common_dir, "config"),
        os.path.join(repository.git_dir, "config.worktree"),
        *([environment["GIT_CONFIG_GLOBAL"]] if "GIT_CONFIG_GLOBAL" in environment else own),
        *named,
        "/etc/gitconfig",
    ]
    return [os.path.join(repository.top, path) for path in paths]


def row(path: str) -> str:
    """Returns what changes with a file, empty where there is none."""
    try:
        return disk.row_of(os.stat(path))
    except OSError:
        return ""

"""What a clone decides for itself, asked of git again only where a file that may say so has changed."""

import os
from collections.abc import Mapping

from gitmem.storage import disk, git
from gitmem.storage.git import Repository

# Seconds before a look within which a file's times may hide a later change, as of notes (see search.cache).
DOUBT = 2.5


class Settings:
    """The `gitmem.*` settings of repositories, for a process that asks again and again: git takes 2 ms to say them.

    A file of the whole machine that no setting came from, and that lies in none of the usual places, is not watched.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._known: dict[str, tuple[dict[str, str], dict[str, str]]] = {}

    def of(self, repository: Repository, *, now: float) -> dict[str, str]:
        """Returns the settings as `git.settings` does; `now` in epoch seconds."""
        rows, known = self._known.get(repository.git_dir, ({}, {}))
        if rows and all(_row(path) == row for path, row in rows.items()):
            return known
        rows = {path: _row(path) for path in _usual(repository, self._environment)}
        said = git.configuration(repository.top, environment=self._environment)
        rows |= {path: _row(path) for path, _, _ in said if path and path not in rows}
        settled = all(not row or disk.changed_at(row) < now - DOUBT for row in rows.values())
        # What a file includes may hang on the branch, and where a value came from cannot always be told.
        is_plain = not any(path is None or key.startswith("include") for path, key, _ in said)
        found = git.own_settings((key, value) for _, key, value in said)
        self._known[repository.git_dir] = (rows if settled and is_plain else {}, found)
        return found


def _usual(repository: Repository, environment: Mapping[str, str]) -> list[str]:
    """Returns the files that git reads settings from, whether they are there or not."""
    home = environment.get("HOME", "")
    config = environment.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    own = [os.path.join(home, ".gitconfig"), os.path.join(config, "git", "config")]
    return [
        os.path.join(repository.common_dir, "config"),
        os.path.join(repository.git_dir, "config.worktree"),
        *([environment["GIT_CONFIG_GLOBAL"]] if "GIT_CONFIG_GLOBAL" in environment else own),
        environment.get("GIT_CONFIG_SYSTEM", "/etc/gitconfig"),
    ]


def _row(path: str) -> str:
    """Returns what changes with a file, empty where there is none."""
    try:
        seen = os.stat(path)
    except OSError:
        return ""
    return f"{seen.st_size}.{seen.st_mtime_ns}.{seen.st_ctime_ns}.{seen.st_ino}"

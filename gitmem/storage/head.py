"""The head: which branch and commit a work tree stands at, read from files, which takes no process."""

import os
from collections.abc import Mapping

from gitmem.storage import git, history
from gitmem.storage.git import Repository
from gitmem.values import NamedTuple

BRANCHES = "refs/heads/"
# How git says both.
_BRANCH = ("symbolic-ref", "--quiet", "--short", "HEAD")
_COMMIT = ("rev-parse", "--verify", "--quiet", "HEAD")


class Head(NamedTuple):
    """Where a work tree stands: branch None when detached, commit None when unborn."""

    branch: str | None
    commit: str | None


def head(repository: Repository, *, environment: Mapping[str, str]) -> Head:
    """Returns the branch and the commit that HEAD names; only where the refs lie in tables is git asked."""
    text = _text(os.path.join(repository.git_dir, "HEAD"))
    if text == f"ref: {history.REFTABLE}":
        return Head(*(_asked(repository, *words, environment=environment) for words in (_BRANCH, _COMMIT)))
    target = text.removeprefix("ref: ").strip() if text.startswith("ref: ") else ""
    branch = target.removeprefix(BRANCHES) if target else None
    return Head(branch, history.tip(repository, environment=environment))


def _asked(repository: Repository, *words: str, environment: Mapping[str, str]) -> str | None:
    return (git.ask(repository.top, words, environment=environment) or b"").decode().strip() or None


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read().strip()
    except OSError:
        return ""

"""Sparse work trees: files that the repository has and the work tree, as Git was told, has not."""

import os
from collections.abc import Mapping, Sequence

from gitmem.storage import git, history
from gitmem.storage.git import Repository, talk


def absent(repository: Repository, folders: Sequence[str], *, environment: Mapping[str, str]) -> list[str]:
    """Returns the files below some folders that were not checked out, all relative to the top level.

    Those are what the index is told to skip, and after a clone without a checkout, which has no index, all of HEAD.
    A file that was merely deleted is not among them: `git status` shows it.
    """
    if os.path.exists(os.path.join(repository.git_dir, "index")):
        rows = _said(repository, ["ls-files", "-t", "-z", "--", *folders], environment)
        paths = [row[2:] for row in rows if row.startswith("S ")]
    elif history.tip(repository, environment=environment) is None:
        paths = []
    else:
        arguments = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD", "--", *folders]
        paths = _said(repository, arguments, environment)
    return [path for path in paths if not os.path.lexists(os.path.join(repository.top, path))]


def _said(repository: Repository, arguments: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    done = talk(repository.top, arguments, environment=environment)
    if done.status:
        raise git.said(done, "git cannot tell what was not checked out")
    return git.items(done.out)


def hint(repository: Repository, folder: str) -> str:
    """Returns what to type, in any folder, to have a folder checked out."""
    from shlex import quote

    there = f"git -C {quote(repository.top)}"
    if os.path.exists(os.path.join(repository.git_dir, "index")):
        return f"{there} sparse-checkout add {quote(folder)} brings it."
    return f"{there} checkout brings it."

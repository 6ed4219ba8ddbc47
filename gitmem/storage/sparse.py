"""Sparse work trees: files that the repository has and the work tree, as Git was told, has not."""

import os
from collections.abc import Mapping, Sequence

from gitmem.storage.git import Repository
from gitmem.storage.plumbing import talk


def absent(repository: Repository, folders: Sequence[str], *, environment: Mapping[str, str]) -> list[str]:
    """Returns the files below some folders that were not checked out, all relative to the top level.

    Those are what the index is told to skip, and after a clone without a checkout, which has no index, all of HEAD.
    A file that was merely deleted is not among them: `git status` shows it.
    """
    if os.path.exists(os.path.join(repository.git_dir, "index")):
        done = talk(repository.top, ["ls-files", "-t", "-z", "--", *folders], environment=environment)
        rows = done.out.decode("utf-8", "surrogateescape").split("\0")
        paths = [row[2:] for row in rows if row.startswith("S ")]
    else:
        arguments = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD", "--", *folders]
        done = talk(repository.top, arguments, environment=environment)
        paths = done.out.decode("utf-8", "surrogateescape").split("\0")[:-1]
    return [path for path in paths if not os.path.lexists(os.path.join(repository.top, path))]


def hint(repository: Repository, folder: str) -> str:
    """Returns what to type, in any folder, to have a folder checked out."""
    from shlex import quote

    git = f"git -C {quote(repository.top)}"
    if os.path.exists(os.path.join(repository.git_dir, "index")):
        return f"{git} sparse-checkout add {quote(folder)} brings it."
    return f"{git} checkout brings it."

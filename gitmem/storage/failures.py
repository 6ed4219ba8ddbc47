"""Failures: why hooks of ours failed, written down in the repository since a hook itself stays silent."""

import os

from gitmem.storage import disk, spare
from gitmem.storage.git import Repository

PLACE = ("gitmem", "hook-failures")
KEPT = 50  # lines; nobody reads more


def log(repository: Repository, line: str) -> None:
    """Adds a line; the oldest go. A disk that refuses is not worth another failure."""
    path = os.path.join(repository.common_dir, *PLACE)
    lines = [*read(repository), line.replace("\n", " ")][-KEPT:]
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    except OSError:
        return
    spare.write(path, "".join(f"{each}\n" for each in lines).encode("utf-8", "backslashreplace"))


def read(repository: Repository) -> list[str]:
    """Returns the lines that were kept, oldest first."""
    return spare.load(os.path.join(repository.common_dir, *PLACE)).decode("utf-8", "replace").splitlines()


def forget(repository: Repository) -> None:
    """Takes all lines away."""
    disk.forget(os.path.join(repository.common_dir, *PLACE))

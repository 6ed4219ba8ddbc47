"""Failures: why hooks of ours failed, written down in the repository since a hook itself stays silent."""

import os

from gitmem.storage import disk
from gitmem.storage.git import Repository

PLACE = ("gitmem", "hook-failures")
KEPT = 50  # lines; nobody reads more


def log(repository: Repository, line: str) -> None:
    """Adds a line; the oldest go. A disk that refuses is not worth another failure."""
    path = os.path.join(repository.common_dir, *PLACE)
    lines = [*read(repository), line.replace("\n", " ")][-KEPT:]
    temporary = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(temporary, "wb") as file:
            file.write("".join(f"{each}\n" for each in lines).encode("utf-8", "backslashreplace"))
        os.replace(temporary, path)
    except OSError:
        return


def read(repository: Repository) -> list[str]:
    """Returns the lines that were kept, oldest first."""
    try:
        return disk.read(os.path.join(repository.common_dir, *PLACE)).decode("utf-8", "replace").splitlines()
    except OSError:
        return []


def forget(repository: Repository) -> None:
    """Takes all lines away."""
    try:
        os.unlink(os.path.join(repository.common_dir, *PLACE))
    except OSError:
        return

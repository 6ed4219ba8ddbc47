"""The root: the folder of a project that holds its memory, found by reading alone."""

import os

from gitmem.storage import git

FOLDER = ".memory"


def find_root(directory: str) -> str | None:
    """Returns the nearest folder upward that holds .memory, no further than the Git top level, or None."""
    here = os.path.realpath(directory)
    repository = git.find(here)
    while True:
        if os.path.isdir(os.path.join(here, FOLDER)):
            return here
        above = os.path.dirname(here)
        if above == here or (repository and here == repository.top):
            return None
        here = above

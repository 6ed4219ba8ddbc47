"""Driver: one note that Git is merging, merged by field in the file where Git looks for the result."""

import os

from gitmem.notes.merge import merge
from gitmem.notes.store import FOLDER
from gitmem.operations.memory import config_of
from gitmem.search.cache import place
from gitmem.storage import disk

TEMPORARY = ".gitmem"


def merge_files(base: str, ours: str, theirs: str, *, top: str, path: str, size: int) -> tuple[str, ...]:
    """Merges three files into `ours`, and returns what truly conflicts: names of fields, and "body".

    `path` is the note's below `top`, the work tree's top level, whose own vocabulary says which fields are links;
    `size` is how long conflict markers are to be. Raises GitmemError where a file cannot be read or written.
    """
    root, _, inside = f"/{path}".rpartition(f"/{FOLDER}/")
    folder = os.path.join(top, root[1:], FOLDER)
    config = config_of(place(folder, uid=os.geteuid()))  # what cannot be read of it, as in a conflict, is the default
    try:
        files = [disk.read(file) for file in (base, ours, theirs)]
    except OSError as error:
        raise disk.refused(error, path) from error
    merged = merge(*files, verbs=tuple(config.vocabulary.verbs), path=inside, size=size)
    _replace(ours, merged.data)
    return merged.conflicts


def _replace(path: str, data: bytes) -> None:
    """Writes a file whole or not at all: where this process dies, Git merges what was there before."""
    temporary = path + TEMPORARY
    try:
        with open(temporary, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except OSError as error:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise disk.refused(error, path) from error

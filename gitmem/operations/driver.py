"""Driver: one note that Git is merging, merged by field in the file where Git looks for the result."""

import os
from collections.abc import Mapping

from gitmem.notes.conflict import SIZE
from gitmem.notes.merge import merge, merge_bases
from gitmem.notes.store import FOLDER
from gitmem.operations.memory import config_of
from gitmem.search.cache import place
from gitmem.storage import disk, git

# Letters by which Git makes markers longer for every level of merging merge bases; a renamed file alone has one more.
LEVEL = 2


def merge_files(
    base: str, ours: str, theirs: str, *, top: str, path: str, size: int, environment: Mapping[str, str]
) -> tuple[str, ...]:
    """Merges three files into `ours`, and returns what a person has to settle: names of fields, and "body".

    `path` is the note's below `top`, the work tree's top level, whose own vocabulary says which fields are links;
    `size` is how long conflict markers are to be. Merge bases that Git merges among themselves have nothing to be
    settled yet. Raises GitmemError where a file cannot be read or written.
    """
    root, _, inside = f"/{path}".rpartition(f"/{FOLDER}/")
    folder = os.path.join(top, root[1:], FOLDER)
    config = config_of(place(folder, uid=os.geteuid()))  # what cannot be read of it, as in a conflict, is the default
    try:
        files = [disk.read(file) for file in (base, ours, theirs)]
    except OSError as error:
        raise disk.refused(error, path) from error
    verbs = tuple(config.vocabulary.verbs)
    if _is_of_bases(top, path, size, environment):
        _replace(ours, merge_bases(*files, verbs=verbs, path=inside, size=size).data)
        return ()
    merged = merge(*files, verbs=verbs, path=inside, size=size)
    _replace(ours, merged.data)
    return merged.conflicts


def _is_of_bases(top: str, path: str, size: int, environment: Mapping[str, str]) -> bool:
    """Returns whether Git merges merge bases: nothing but the length of the markers tells it to a driver."""
    if size == SIZE:
        return False
    said = git.ask(top, ["check-attr", "-z", "conflict-marker-size", "--", path], environment=environment) or b""
    usual = said.split(b"\0")[2:3]
    return size - (int(usual[0]) if usual and usual[0].isdigit() else SIZE) >= LEVEL


def _replace(path: str, data: bytes) -> None:
    """Writes a file whole or not at all: where this process dies, Git merges what was there before."""
    try:
        disk.replace(os.path.abspath(path), data)
    except OSError as error:
        raise disk.refused(error, path) from error

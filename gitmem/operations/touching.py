"""Touching: the notes that speak of code which changed."""

from collections.abc import Iterable

from gitmem.notes.touch import unhashed
from gitmem.operations.memory import Memory
from gitmem.search.query import HIDDEN, Wanted
from gitmem.search.view import View
from gitmem.storage import code, history, status


def about_changed(memory: Memory, view: View, revision: str) -> set[str]:
    """Returns the paths of the notes about files that differ from a commit, from HEAD where none is given.

    Raises GitmemError where there is no repository, or the revision means no commit.
    """
    return touching(view, changed_files(memory, revision))


def changed_files(memory: Memory, revision: str) -> list[str]:
    """Returns the files of the work tree that differ from a commit, as touches may name them; memory's own do not count."""
    repository, environment = memory.repository, memory.environment
    if repository is None:
        raise status.no_repository(memory.root)
    commit = history.resolve(repository, revision, environment=environment) if revision else None
    found = code.changed(repository, commit, environment=environment)
    above = memory.root[len(repository.top) :].strip("/")
    own = f"{above}/.memory/" if above else ".memory/"
    plain = [path for path in found if not path.startswith(own)]
    below = [path.removeprefix(above + "/") for path in plain if above and path.startswith(above + "/")]
    return sorted({*plain, *below})


def touching(view: View, files: Iterable[str]) -> set[str]:
    """Returns the paths of the notes that touch any of some files, something in one, or a folder that holds one."""
    places = set(map(str.casefold, files))
    folders = {place[: at + 1] for place in places for at, letter in enumerate(place) if letter == "/"}
    if not places:
        return set()
    asked = Wanted(touches=tuple(sorted(places | folders)), include=HIDDEN)
    entries = map(view.entry, view.passing(asked, view.size))
    return {entry.path for entry in entries if any(_is_in(touch, places, folders) for touch in entry.note.touches)}


def _is_in(touch: str, places: set[str], folders: set[str]) -> bool:
    path = unhashed(touch).casefold().partition("::")[0]
    return path in places or path in folders

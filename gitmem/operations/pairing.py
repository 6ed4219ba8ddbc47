"""Pairing: a note that a commit took away and brought back under another name, known again by what the note itself says."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitmem.knowledge import change
from gitmem.notes.entry import read
from gitmem.operations.memory import Memory
from gitmem.operations.origin import folder_of
from gitmem.operations.past import is_note
from gitmem.storage import history
from gitmem.storage.git import Repository
from gitmem.storage.history import Change, Commit
from gitmem.storage.objects import Objects


def pairs(gone: Iterable[str], came: Mapping[str, bytes]) -> dict[str, str]:
    """Returns new paths by old ones, as `diff` pairs them by name and alias; `came` gives the files that are new."""
    before = [read(path, b"", verbs=())._replace(digest=path) for path in gone if is_note(path)]
    after = [read(path, data, verbs=()) for path, data in came.items() if is_note(path)]
    found, _, _ = change.paired(before, after, {})
    return {pair.before.path: pair.after.path for pair in found}


def joined(memory: Memory, repository: Repository, commits: Iterable[Commit]) -> Iterator[Commit]:
    """Yields commits with each renamed note as one change, also where Git found its two files too unlike.

    In a partial clone, which may lack the texts, only a note that kept its name is known again.
    """
    partial, folder = history.is_partial(repository), folder_of(memory)
    with Objects(repository, environment=memory.environment) as objects:
        for commit in commits:
            gone, came = _paths(commit, "D"), _paths(commit, "A")
            if gone and came:
                files = {} if partial else objects.files(commit.id, folder)
                texts = {
                    path: objects.text(f"{folder}/{path}", files[path].id) if path in files else b"" for path in came
                }
                commit = commit._replace(changes=tuple(_changes(commit.changes, pairs(gone, texts))))
            yield commit


def _paths(commit: Commit, letter: str) -> list[str]:
    return [each.path for each in commit.changes if each.letter == letter and is_note(each.path)]


def _changes(changes: Sequence[Change], new: Mapping[str, str]) -> Iterator[Change]:
    old = {path: before for before, path in new.items()}
    for each in changes:
        if each.letter == "A" and each.path in old:
            yield Change("R", each.path, old[each.path])
        elif not (each.letter == "D" and each.path in new):
            yield each

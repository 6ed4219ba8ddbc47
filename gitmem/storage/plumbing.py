"""Plumbing: git commands that answer one question after another, and many words given to one in parts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitmem.storage.dialogue import Dialogue
from gitmem.storage.git import clean_environment, command, items, no_git, said, talk

# Bytes of one command line, of the 1 MB that the narrowest system takes with its environment, and of one word of it.
LINE, LONGEST = 400_000, 20_000


class Batch(Dialogue):
    """A git command that answers each question as it comes (`cat-file --batch`, `mktree --batch`)."""

    def __init__(
        self, directory: str, arguments: Sequence[str], *, environment: Mapping[str, str], errors: int | None = None
    ) -> None:
        """`errors` is as in Dialogue. Raises GitmemError("no-git")."""
        try:
            super().__init__(command(directory, arguments), clean_environment(environment), errors)
        except OSError as error:
            raise no_git(error) from error


def batches(words: Iterable[str]) -> Iterator[list[str]]:
    """Yields paths and other words in parts that a command line holds; what no path and no name can be is left out."""
    part: list[str] = []
    left = LINE
    for word in words:
        size = _size(word)
        if size > LONGEST:
            continue
        if size > left:
            yield part
            part, left = [], LINE
        part.append(word)
        left -= size + 8  # and its place in the list
    if part:
        yield part


def tracked(directory: str, paths: Sequence[str], *, environment: Mapping[str, str]) -> set[str]:
    """Returns which of these paths, relative to the top level, the index holds; raises GitmemError where git refuses."""
    found: set[str] = set()
    for batch in batches(paths):
        done = talk(directory, ["ls-files", "-z", "--", *batch], environment=environment)
        if done.status:
            raise said(done, "git cannot tell which notes it tracks")
        found.update(items(done.out))
    return found


def _size(word: str) -> int:
    """Returns the bytes of a word; more than any has where a command line cannot hold it at all."""
    try:
        return LONGEST + 1 if "\0" in word else len(word.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return LONGEST + 1

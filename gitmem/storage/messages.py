"""Messages: what the commits before HEAD say of themselves, and when files came to be, as git tells."""

import re
from collections.abc import Iterator, Mapping, Sequence

from gitmem.errors import GitmemError
from gitmem.storage.git import Repository, talk
from gitmem.storage.history import PLAIN, is_partial
from gitmem.storage.plumbing import batches
from gitmem.values import NamedTuple

PATIENCE = 20.0  # seconds; what takes git longer is not known
_HEADER = "\x01"
_FIELDS = 6
_LOG = ("log", "-z", "--no-show-signature", "--no-color", "--no-ext-diff", "--no-renames", "--encoding=UTF-8")


class Message(NamedTuple):
    """A commit: its id, its committer's date in epoch seconds, who wrote it, its whole message, and what it changed."""

    id: str
    date: int
    author: str
    email: str
    subject: str
    body: str
    paths: tuple[str, ...]


def messages(repository: Repository, most: int, *, environment: Mapping[str, str]) -> list[Message]:
    """Returns the newest commits before HEAD but merges, newest first; none where HEAD is unborn or git cannot tell.

    Where a clone may lack trees, which git would fetch, no paths are told.
    """
    fields = ("%H", "%ct", "%an", "%ae", "%s", "%b")
    form = _HEADER + "%x00".join(fields) + "%x00"
    names = () if is_partial(repository) else ("--name-only",)
    arguments = [*PLAIN, *_LOG, "--no-merges", f"--max-count={most}", f"--format={form}", *names, "HEAD", "--"]
    return list(_parsed(_words(repository, arguments, environment)))


def born(repository: Repository, paths: Sequence[str], *, environment: Mapping[str, str]) -> dict[str, int]:
    """Returns, by path, when the first commit that has a file was made, in epoch seconds; unknown ones are not there."""
    form = _HEADER + "%ct"
    arguments = [*PLAIN, *_LOG, "--diff-filter=A", f"--format={form}", "--name-only", "HEAD", "--"]
    wanted, found, date = set(paths), dict[str, int](), 0
    words = (word for batch in batches(paths) for word in _words(repository, [*arguments, *batch], environment))
    for word in words:
        word = word.lstrip("\n")
        if re.fullmatch(f"{_HEADER}\\d+", word):
            date = int(word[1:])
        elif word in wanted:
            found[word] = date  # newest first, so the oldest stays
    return found


def _words(repository: Repository, arguments: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    try:
        done = talk(repository.top, arguments, environment=environment, time_out=PATIENCE)
    except GitmemError:  # no git, or too much for it: then there is no history to learn from
        return []
    return done.out.decode("utf-8", "surrogateescape").split("\0") if done.status == 0 else []


def _parsed(words: Sequence[str]) -> Iterator[Message]:
    starts = [at for at, word in enumerate(words) if re.fullmatch(f"\n?{_HEADER}[0-9a-f]{{40,64}}", word)]
    for at, end in zip(starts, [*starts[1:], len(words)], strict=False):
        fields = [_text(word) for word in words[at : at + _FIELDS]]
        if len(fields) == _FIELDS and fields[1].isdigit():
            paths = tuple(path for path in (word.lstrip("\n") for word in words[at + _FIELDS : end]) if path)
            id, date, author, email, subject, body = fields
            yield Message(id.strip("\n" + _HEADER), int(date), author, email, subject, body.strip(), paths)


def _text(word: str) -> str:
    """Returns what git said as text; bytes that are none read as U+FFFD."""
    return word.encode("utf-8", "surrogateescape").decode("utf-8", "replace").replace("\r\n", "\n")

"""Conversations: what hooks remember of each between two calls, kept beside Git's data, bounded, and never needed."""

import json
import os
from zlib import crc32

from gitmem.storage import disk, spare
from gitmem.storage.git import Repository
from gitmem.values import NamedTuple

FOLDER = ("gitmem", "sessions")
KEPT = 50  # conversations; the oldest go
SHOWN = 500  # names or paths of one conversation
COMPACTED = "compacted"


class Conversation(NamedTuple):
    """What is remembered of one conversation.

    head: the commit where it began; written: how many writes the ledger knew then, -1 where nobody counted; shown: the
    names of notes that it was shown; edited: the files that it changed; wrote: it wrote notes by hand; told and
    reminded: it was told of a memory that nobody trusts, and reminded to write.
    """

    head: str | None = None
    written: int = -1
    shown: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    wrote: bool = False
    told: bool = False
    reminded: bool = False


def load(repository: Repository, name: str) -> Conversation | None:
    """Returns what is remembered of a conversation, None where nothing is."""
    try:
        kept = json.loads(spare.load(_path(repository, name)))
        known = Conversation(**{field: kept[field] for field in Conversation._fields})
        return known._replace(shown=tuple(map(str, known.shown)), edited=tuple(map(str, known.edited)))
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def save(repository: Repository, name: str, known: Conversation) -> None:
    """Keeps what is remembered of a conversation, as far as the disk lets it."""
    bounded = known._replace(shown=known.shown[-SHOWN:], edited=known.edited[-SHOWN:])
    if folder(repository):
        spare.write(_path(repository, name), json.dumps(bounded._asdict()).encode())


def prune(repository: Repository) -> None:
    """Forgets the oldest conversations."""
    try:
        with os.scandir(_folder(repository)) as entries:
            found = sorted((entry.stat(follow_symlinks=False).st_mtime_ns, entry.path) for entry in entries)
    except OSError:
        return
    for _, path in found[:-KEPT]:
        disk.forget(path)


def leave(repository: Repository, name: str) -> None:
    """Leaves word for the next start that a conversation was compacted."""
    if folder(repository):
        spare.write(os.path.join(_folder(repository), COMPACTED), name.encode("utf-8", "backslashreplace"))


def found(repository: Repository) -> str | None:
    """Returns the conversation that was compacted since the last start, once; None where none was."""
    path = os.path.join(_folder(repository), COMPACTED)
    left = spare.load(path).decode("utf-8", "replace")
    disk.forget(path)
    return left or None


def folder(repository: Repository) -> str | None:
    """Returns the folder of a work tree's conversations, made where it is missing; None where the disk refuses."""
    path = _folder(repository)
    try:
        os.makedirs(path, exist_ok=True)
    except OSError:
        return None
    return path


def _folder(repository: Repository) -> str:
    tree = "" if repository.git_dir == repository.common_dir else "." + os.path.basename(repository.git_dir)
    return os.path.join(repository.common_dir, *FOLDER[:-1], FOLDER[-1] + tree)


def _path(repository: Repository, name: str) -> str:
    """Returns the file of a conversation: whatever an agent calls it, a plain name inside our folder."""
    plain = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in name[:64])
    return os.path.join(_folder(repository), f"{plain}-{crc32(name.encode('utf-8', 'surrogatepass')):08x}.json")

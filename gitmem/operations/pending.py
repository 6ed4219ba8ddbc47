"""Pending memory: what differs from HEAD in .memory, what of it a checkpoint takes, and why the rest is left."""

import os
import stat
from collections.abc import Collection, Iterator, Sequence

from gitmem.errors import GitmemError
from gitmem.notes import secrets
from gitmem.notes import store as notes
from gitmem.notes.name import is_note_path
from gitmem.notes.note import Entry
from gitmem.notes.store import FOLDER
from gitmem.operations.draft import Author
from gitmem.operations.memory import CONFIG, Memory, shown_path
from gitmem.storage import disk
from gitmem.storage.ledger import Written
from gitmem.storage.status import Row
from gitmem.values import NamedTuple

# Our own files beside the notes: they have no author, and go along with every checkpoint.
OWN = (CONFIG, ".gitattributes", ".gitignore", "README.md")


class Item(NamedTuple):
    """One pending file: path below .memory, bytes (None: it is gone), and its note where it is one that is there."""

    path: str
    data: bytes | None
    entry: Entry | None


class Left(NamedTuple):
    """One pending path that stays out, with a stable code and the reason as a sentence."""

    path: str
    code: str
    message: str


class Choice(NamedTuple):
    """What decides whether an item goes along; `include` holds paths below .memory."""

    author: Author
    include: Collection[str]
    allow_deletions: bool
    written: Written


class Pending(NamedTuple):
    """What a checkpoint takes and what it leaves."""

    taken: list[Item]
    left: list[Left]


def pending(memory: Memory, rows: Sequence[Row], choice: Choice) -> Pending:
    """Returns what of a status goes along; raises GitmemError where git ignores the memory whole."""
    found = Pending([], [])
    split = {row.path for row in rows if row.split}
    for path, kind in _paths(memory, rows):
        parted = shown_path(memory, path) in split and path not in choice.include
        item = _left_out(memory, path, kind) or (_parted(memory, path) if parted else _item(memory, path))
        verdict = item if isinstance(item, Left) else _judged(memory, item, choice)
        if isinstance(verdict, Left):
            found.left.append(verdict)
        else:
            found.taken.append(verdict)
    return found


def _paths(memory: Memory, rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """Yields each pending path below .memory once, with its kind; what is derived or half-written is none."""
    prefix = shown_path(memory, "") + "/"
    kinds: dict[str, str] = {}
    for row in rows:
        if prefix.startswith(row.path) and row.kind == "ignored":
            raise ignored(memory, row.path)
        path = row.path.removeprefix(prefix)
        if path.partition("/")[0] != ".cache" and os.path.basename(path) != disk.TEMPORARY:
            kinds.setdefault(path, row.kind)
    yield from sorted(kinds.items())


def ignored(memory: Memory, rule: str) -> GitmemError:
    """Returns the refusal of a memory that git ignores."""
    message = f"Git ignores {shown_path(memory, '')}/ ({rule}), so nothing of it can be committed."
    return GitmemError("ignored", message, f"Take {FOLDER} out of that rule; git check-ignore -v shows it.")


def _left_out(memory: Memory, path: str, kind: str) -> Left | None:
    """Returns why a path cannot be memory that is committed, or None."""
    shown = shown_path(memory, path)
    if kind == "ignored":
        return Left(shown, "ignored", f"Git ignores {shown}.")
    if path not in OWN and not is_note_path(path):
        return Left(shown, "not-a-note", f"{shown} is neither a note nor a file of gitmem's own.")
    seen = _seen(memory, path)
    if seen is None:
        return None
    if not stat.S_ISREG(seen.st_mode) or os.path.islink(os.path.dirname(os.path.join(memory.store.folder, path))):
        return Left(shown, "not-a-file", f"{shown} is not a regular file.")
    if seen.st_size > disk.LARGEST:
        return Left(shown, "too-large", f"{shown} has {seen.st_size:,} bytes.")
    return None


def _parted(memory: Memory, path: str) -> Left:
    """Returns why a file is left whose staged text a commit of the file would throw away."""
    shown = shown_path(memory, path)
    name = notes.stem(path) if is_note_path(path) else path
    message = f"{shown} is staged with another text than it has: git add takes this one, --include {name} commits it."
    return Left(shown, "half-staged", message)


def _seen(memory: Memory, path: str) -> os.stat_result | None:
    try:
        return os.lstat(os.path.join(memory.store.folder, path))
    except (FileNotFoundError, NotADirectoryError):
        return None


def _item(memory: Memory, path: str) -> Item:
    if _seen(memory, path) is None:
        return Item(path, None, None)
    data = notes.raw(memory.store, path)
    return Item(path, data, None if path in OWN else notes.entry_of(memory.store, path, data))


def _judged(memory: Memory, item: Item, choice: Choice) -> Item | Left:
    shown = shown_path(memory, item.path)
    if item.data is None:
        if choice.allow_deletions or shown in choice.written.gone:
            return item
        return Left(shown, "deletion", f"{shown} was deleted by no verb of gitmem; --allow-deletions takes it along.")
    fault = _fault(item)
    if fault:
        return Left(shown, fault[0], f"{shown}: {fault[1]}")
    if item.entry is None or choice.author.source == "user" or item.path in choice.include:
        return item
    if choice.written.holds(shown, item.entry.digest):
        return item
    return Left(
        shown, "not-ours", f"{shown} was not written by gitmem here; --include {item.entry.name} takes it along."
    )


def _fault(item: Item) -> tuple[str, str] | None:
    """Returns the code and the words of what keeps a file out of every commit: an error in it, or a secret."""
    errors = [problem for problem in (item.entry.problems if item.entry else ()) if problem.severity == "error"]
    if errors:
        place = f"line {errors[0].line}: " if errors[0].line else ""
        return errors[0].code, place + errors[0].message
    found = secrets.find((item.data or b"").decode("utf-8", "replace"))
    if found:
        return "secret", f"line {found[0].line} holds what looks like a secret ({found[0].pattern})."
    return None

"""A transaction: several files of a memory written together, all of them or none."""

import os
import stat
from collections.abc import Collection, Mapping, Sequence

from gitmem.errors import GitmemError
from gitmem.notes import store as notes
from gitmem.notes.note import Entry
from gitmem.operations.claims import Save
from gitmem.operations.memory import Memory, shown_path
from gitmem.operations.unfinished import guard_tracked
from gitmem.storage import disk, ledger
from gitmem.storage.modes import set_mode
from gitmem.values import NamedTuple


class Held(NamedTuple):
    """What lay at a path: its bytes, and the bits of its mode."""

    data: bytes
    bits: int


class Written(NamedTuple):
    """What was written: the notes as they read now, and by path what lay there before, None for nothing.

    moved: the old and the new path of a note that moved before it was written; now: by path what each file holds.
    """

    entries: list[Entry]
    held: Mapping[str, Held | None]
    now: Mapping[str, bytes | None]
    moved: tuple[str, str] | None

    @property
    def paths(self) -> list[str]:
        """The paths that were written or taken away, in the order given."""
        return list(self.held)


def carry_out(
    memory: Memory, saves: Sequence[Save], gone: Collection[str] = (), *, moved: tuple[str, str] | None = None
) -> Written:
    """Moves one note, writes files in order, then takes those at `gone` away; call it under the store's lock.

    Where the disk refuses in the midst of it, or somebody interrupts, every file is as it was; a killed process leaves
    the first of them written, each whole. Raises GitmemError, which names what could not be put back.
    """
    now: dict[str, bytes | None] = {save.path: save.data for save in saves} | dict.fromkeys(gone)
    guard_tracked(memory, list(dict.fromkeys((*(moved or ()), *now))))
    written = Written([], {}, now, moved)
    try:
        if moved:
            notes.move(memory.store, *moved)
        written = written._replace(held={path: _held(memory, path) for path in now})
        for save in saves:
            written.entries.append(_saved(memory, save))
        for path in gone:
            notes.remove(memory.store, path)
    except GitmemError as error:
        raise given_up(error, take_back(memory, written)) from error
    except BaseException:
        take_back(memory, written)
        raise
    return written


def _held(memory: Memory, path: str) -> Held | None:
    """Returns what lies at a path, None for nothing."""
    place = disk.inside(memory.store.folder, path)
    try:
        return Held(disk.read(place), stat.S_IMODE(os.lstat(place).st_mode))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise disk.refused(error, shown_path(memory, path)) from error


def _saved(memory: Memory, save: Save) -> Entry:
    entry = notes.save(memory.store, save.path, save.data)
    if save.mode:
        _set_mode(memory, save.path, save.mode)
    return entry


def _set_mode(memory: Memory, path: str, mode: str) -> None:
    try:
        set_mode(os.path.join(memory.store.folder, path), mode)
    except OSError as error:
        raise disk.refused(error, shown_path(memory, path)) from error


def take_back(memory: Memory, written: Written) -> list[str]:
    """Makes files what they were, but those that somebody changed since; returns those that no disk would take.

    Call it under the store's lock.
    """
    own = [path for path in written.held if _data(_held(memory, path)) == written.now[path]]
    return _put_back(memory, written, own)


def _data(file: Held | None) -> bytes | None:
    return file and file.data


def _put_back(memory: Memory, written: Written, paths: Collection[str]) -> list[str]:
    """Makes files what they were, and returns the paths of those that no disk would take.

    Past the ledger: what was there before is not ours, and no checkpoint of an agent may take it for that.
    """
    left, folder = [], memory.store.folder
    for path in sorted(paths, key=lambda each: written.held[each] is not None):  # what came goes first, to make room
        file = written.held[path]
        try:
            if file is None:
                disk.remove(folder, path)
            elif _held(memory, path) != file:
                disk.save(folder, path, file.data, file.bits)
                ledger.restore(folder, path)
        except GitmemError:
            left.append(shown_path(memory, path))
    old, new = written.moved or ("", "")
    has_moved = bool(written.moved) and _held(memory, old) is None and _held(memory, new) is not None
    try:
        if has_moved and not left:
            disk.move(folder, new, old)
            ledger.restore(folder, old)
    except GitmemError:
        left.append(shown_path(memory, new))
    return left


def given_up(error: GitmemError, left: Sequence[str], hint: str | None = None) -> GitmemError:
    """Returns the refusal of what was taken back, which names what could not be put back; `hint` in place of its own."""
    message, hint = f"{error.message.removesuffix('.')}; nothing was changed.", hint or error.hint
    if left:
        message = f"{error.message.removesuffix('.')}; {', '.join(left)} could not be put back."
        hint = "Free space or mend the permissions; git restore then puts back what HEAD has."
    return GitmemError(error.code, message, hint, status=error.status)

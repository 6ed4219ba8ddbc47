"""A transaction: several files of a memory written together, all of them or none."""

from collections.abc import Mapping, Sequence

from gitmem.errors import GitmemError
from gitmem.notes import store as notes
from gitmem.operations.claims import Save
from gitmem.operations.memory import Memory, shown_path
from gitmem.operations.write import guard_tracked
from gitmem.storage import disk


def carry_out(memory: Memory, saves: Sequence[Save], gone: Sequence[str] = ()) -> list[str]:
    """Writes files in order, then takes those at `gone` away, and returns the paths; call it under the store's lock.

    Where the disk refuses in the midst of it, or somebody interrupts, every file is as it was; a killed process leaves
    the first of them written, each whole. Raises GitmemError, which names what could not be put back.
    """
    paths = [*(save.path for save in saves), *gone]
    guard_tracked(memory, paths)
    held = {path: _held(memory, path) for path in paths}
    try:
        for save in saves:
            notes.save(memory.store, save.path, save.data)
        for path in gone:
            notes.remove(memory.store, path)
    except GitmemError as error:
        raise _given_up(error, _put_back(memory, held)) from error
    except KeyboardInterrupt:
        _put_back(memory, held)
        raise
    return paths


def _held(memory: Memory, path: str) -> bytes | None:
    """Returns a file's bytes, None where there is none."""
    try:
        return disk.read(disk.inside(memory.store.folder, path))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise disk.refused(error, shown_path(memory, path)) from error


def _put_back(memory: Memory, held: Mapping[str, bytes | None]) -> list[str]:
    """Makes files what they were, and returns the paths of those that no disk would take.

    Past the ledger: what was there before is not ours, and no checkpoint of an agent may take it for that.
    """
    left = []
    for path in sorted(held, key=lambda each: held[each] is not None):  # what came goes first, to make room
        data, folder = held[path], memory.store.folder
        try:
            if data is None:
                disk.remove(folder, path)
            elif _held(memory, path) != data:
                disk.save(folder, path, data)
        except GitmemError:
            left.append(shown_path(memory, path))
    return left


def _given_up(error: GitmemError, left: Sequence[str]) -> GitmemError:
    message, hint = f"{error.message.removesuffix('.')}; nothing was changed.", error.hint
    if left:
        message = f"{error.message.removesuffix('.')}; {', '.join(left)} could not be put back."
        hint = "Free space or mend the permissions; git restore then puts back what HEAD has."
    return GitmemError(error.code, message, hint, status=error.status)

"""The notes of a checkpoint that no verb has judged against the others: edited by hand, or made of its events."""

import os
from collections.abc import Collection, Sequence

from gitmem.notes.note import Entry
from gitmem.operations.memory import Memory, shown_path
from gitmem.operations.pending import Item
from gitmem.storage import ledger
from gitmem.values import Any

# Notes at most that are looked at, some 10 ms each.
LOOKED_AT = 20
# Notes among which a checkpoint looks: at 1,000 the look costs four bare interpreters' starts, at 10,000 twelve.
LOOKED_AMONG = 500

Reply = dict[str, Any]  # Any: the JSON of design section 14


def looked_at(memory: Memory, reply: Reply, taken: Sequence[Item], made: Collection[str]) -> Reply:
    """Returns a checkpoint's reply with the pairs that seem to disagree; in a large memory, with what was not compared."""
    entries = _entries(memory, taken, made)
    if not entries:
        return reply
    if not _are_few(memory.store.folder):
        return reply | {"warnings": [*reply["warnings"], _passed_by(len(entries))]}
    from gitmem.operations import sweep  # late: most checkpoints take what was judged as it was written

    return reply | {"suspects": sweep.looked_at(memory, entries[:LOOKED_AT])}


def _entries(memory: Memory, taken: Sequence[Item], made: Collection[str]) -> list[Entry]:
    written = ledger.read(memory.repository) if taken and memory.repository else None
    return [
        item.entry
        for item in taken
        if item.entry and written
        if item.path in made or not written.holds(shown_path(memory, item.path), item.entry.digest)
    ]


def _are_few(folder: str) -> bool:
    """Returns whether a folder of notes is small enough to look through on the way."""
    with os.scandir(folder) as found:
        kinds = [each.path for each in found if each.is_dir(follow_symlinks=False) and not each.name.startswith(".")]
    return sum(len(os.listdir(kind)) for kind in kinds) <= LOOKED_AMONG


def _passed_by(count: int) -> Reply:
    told = "1 note was" if count == 1 else f"{count} notes were"
    message = f"{told} not compared with the others: gitmem suspects --sweep does that."
    return {"code": "unjudged", "name": None, "message": message}

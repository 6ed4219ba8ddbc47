"""The newest notes read from their files, for a start that cannot wait for an index."""

from collections.abc import Iterator, Mapping

from gitmem.notes import store
from gitmem.notes.note import Entry
from gitmem.notes.vocabulary import types_with
from gitmem.operations.memory import Memory, open_memory
from gitmem.operations.page import EVIDENCE, RULE, Block, page, paragraph, quoted
from gitmem.storage import disk

BUDGET = 4_000
READ = 60  # files; each takes up to a millisecond
CHECKPOINT_TEXT = 1_200


def direct(directory: str, *, environment: Mapping[str, str], now: int) -> str:
    """Returns the last checkpoint and the newest notes; nothing in a clone that nobody trusted.

    Raises GitmemError where there is no memory.
    """
    memory = open_memory(directory, environment=environment, now=now)
    if not memory.trusted:
        return ""
    checkpoint = tuple(f"{word}/" for word in types_with(memory.config.vocabulary, "checkpoint"))
    rows = sorted(disk.scan(memory.store.folder).rows, key=disk.changed_at, reverse=True)
    checkpoints = sorted((row for row in rows if row.startswith(checkpoint)), reverse=True)[:1]
    others = [row for row in rows if not row.startswith(checkpoint)][:READ]
    return page("", _blocks(memory, checkpoints, others), f"\n{EVIDENCE}\n{RULE}\n", BUDGET)


def _blocks(memory: Memory, checkpoints: list[str], others: list[str]) -> Iterator[Block]:
    for entry in _entries(memory, checkpoints):
        yield Block("Last checkpoint", [quoted(entry.note.title), *paragraph(entry.note.body, CHECKPOINT_TEXT)])
    lines = [quoted(f"{entry.name} ({entry.note.type})", _text(entry)) for entry in _entries(memory, others)]
    yield Block("Notes that were written last, unjudged", lines)


def _entries(memory: Memory, rows: list[str]) -> Iterator[Entry]:
    for row in rows:
        entry = store.load(memory.store, row.partition("\0")[0])
        if entry.note.status not in ("superseded", "archived") and not entry.note.sensitive:
            yield entry


def _text(entry: Entry) -> str:
    return entry.note.summary or entry.note.title

"""The brief: what a session reads first, in order of authority, from the repository as it is to what is merely recent."""

from collections.abc import Iterator, Sequence

from gitmem.notes.instant import seconds
from gitmem.notes.note import Entry
from gitmem.operations import continuity, guard
from gitmem.operations.choosing import RELEVANT, Chooser, Section
from gitmem.operations.continuity import Now, Since
from gitmem.operations.documents import documents
from gitmem.operations.memory import Memory, Reading, ready
from gitmem.operations.page import HANDOFF, UNTRUSTED, briefed, page, plain
from gitmem.operations.running import counted_as
from gitmem.search.roster import LEADING, LIVE, OPEN, Roster
from gitmem.search.view import View
from gitmem.storage import ledger
from gitmem.values import Any

Reply = dict[str, Any]  # Any: the JSON of design section 14

BUDGET = 16_000
LEDGER = "briefs"
# Notes of a section, as a session needs few of many; of each type the vocabulary says how many.
HANDOFFS, DISPUTED, CHANGED, WORKLIST, RECENT = 10, 10, 10, 10, 7
COMMITS = 5
TITLE = 80  # characters of a query in a title
STILL = Since(None, None, ())


def brief(memory: Memory, query: str | None = None, *, budget: int = BUDGET, held: View | None = None) -> Reply:
    """Returns what a session reads first (reply of design section 14); `text` has at most `budget` characters.

    A query lifts the notes that bear on it, found by words alone. In a clone that nobody trusted nothing is told of what
    its notes and documents say. `held` is a view that a long-lived process has.
    """
    handle, at = guard.issue(memory), continuity.now(memory)
    if not memory.trusted:
        return _reply(handle, _repository(at, STILL, (), 0)) | {"text": page("", (), UNTRUSTED, budget)}
    told = _told(memory, ready(memory, held), at, (query or "").strip())
    seeding = told["empty"] and memory.settings.get("seeding") != "declined"
    whole = _reply(handle, **told) | {"seeding": seeding}
    _count(memory)
    return whole | {"text": briefed(whole, budget)}


def _count(memory: Memory) -> None:
    """Adds this brief, and which agent it was for, to the clone's own counters, beside Git's data."""
    if memory.repository and memory.where.cache:
        ledger.count(memory.repository, LEDGER, f"{memory.now} {counted_as(memory.environment)}".rstrip())


def _reply(
    handle: str,
    repository: Reply,
    documents: Sequence[Reply] = (),
    checkpoint: Reply | None = None,
    sections: Sequence[Reply] = (),
    *,
    empty: bool = False,
    fresh: bool = True,
) -> Reply:
    return {
        "handle": handle,
        "repository": repository,
        "documents": list(documents),
        "checkpoint": checkpoint,
        "sections": list(sections),
        "empty": empty,
        "fresh": fresh,
        "seeding": False,
    }


def _told(memory: Memory, reading: Reading, at: Now, query: str) -> Reply:
    roster = Roster(reading.view, memory.where.cache, reading.maker.roles)
    chooser = Chooser(memory, reading, roster)
    last = chooser.last_checkpoint()
    since = continuity.since(memory, at, *(_field(last, key) for key in ("head", "worktree")))
    sections = [each._asdict() for each in _sections(chooser, at, since, query) if each.notes]
    written = roster.since(seconds(last.note.created)) if last and last.note.created else 0
    return {
        "repository": _repository(at, since, list(chooser.drifted.values()), written),
        "documents": [each._asdict() for each in documents(memory, {*since.files, *at.changed})],
        "checkpoint": chooser.checkpoint(last) if last else None,
        "sections": sections,
        "empty": not reading.view.size,
        "fresh": not (reading.view.files.unreadable or reading.view.files.unread),
    }


def _repository(at: Now, since: Since, drifted: Sequence[str], written: int) -> Reply:
    return {
        "branch": at.head.branch,
        "head": at.head.commit,
        "operation": at.operation,
        "changed": None if at.rows is None else at.changed,
        "commits_since": None if since.commits is None else len(since.commits),
        "drifted": {"files": list(since.files), "notes": list(drifted)},
        "notes_since": written,
        "reachable": since.reachable,
        "commits": [each._asdict() for each in (since.commits or ())[:COMMITS]],
    }


def _field(entry: Entry | None, key: str) -> str | None:
    value = entry.note.extra.get(key) if entry else None
    return value if isinstance(value, str) else None


def _sections(chooser: Chooser, at: Now, since: Since, query: str) -> Iterator[Section]:
    """Yields the sections in order of authority; a note stands in the first that it belongs to."""
    roster = chooser.roster
    yield chooser.section(HANDOFF, roster.of(LEADING), HANDOFFS, "gitmem list --tag handoff --status open")
    yield chooser.disputes("Contradictions", "contradicts", DISPUTED, "gitmem conflicts")
    yield chooser.disputes("Seem to disagree, unjudged", "suspects", DISPUTED, "gitmem suspects")
    if query:
        title = f'On "{plain(query)[:TITLE]}"'
        yield chooser.section(title, chooser.relevant(query), RELEVANT, "gitmem recall QUERY")
    about = chooser.touching({*since.files, *at.changed})
    yield chooser.section("On files that changed", about, CHANGED, "gitmem recall --changed")
    yield chooser.section("Open", roster.of(OPEN), WORKLIST, "gitmem list --status open")
    for kind in chooser.memory.config.vocabulary.types.values():
        if kind.brief:
            paths = chooser.strongest(kind.name, kind.brief)
            yield chooser.section(kind.name.capitalize(), paths, kind.brief, f"gitmem list --type {kind.name}")
    yield chooser.section("Recent", roster.of(LIVE), RECENT, "gitmem list")

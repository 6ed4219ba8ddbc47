"""Checkpoints: where a piece of work stands, written down and committed together with pending memory."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence

from gitmem.errors import GitmemError, near_miss
from gitmem.notes import secrets
from gitmem.notes import store as notes
from gitmem.notes.entry import read, render
from gitmem.notes.instant import instant_of
from gitmem.notes.name import fold, name_for
from gitmem.notes.note import Entry, Note
from gitmem.notes.store import Names
from gitmem.notes.touch import unhashed
from gitmem.notes.value import Value
from gitmem.notes.vocabulary import type_with
from gitmem.operations import continuity, events, guard, unjudged
from gitmem.operations import draft as drafts
from gitmem.operations.claims import Save
from gitmem.operations.draft import Author, Draft
from gitmem.operations.memory import Finder, Memory, locate, shown_path
from gitmem.operations.pending import Choice, Item, Left, Pending, ignored, pending
from gitmem.operations.touches import Resolved, anchored, told
from gitmem.operations.transaction import carry_out
from gitmem.storage import commit, disk, git, ledger, status
from gitmem.storage.git import Repository
from gitmem.storage.status import Status
from gitmem.values import Any, NamedTuple

EVENTS = (
    "accepted", "rejected", "decision", "superseded", "constraint", "blocker", "milestone", "verification", "handoff",
)  # fmt: skip
_STAMPED = re.compile(r"\d{8}T\d{6}Z-.+")
_SAID = ("title", "body", "tags")

Reply = dict[str, Any]  # Any: the JSON of design section 14


class Said(NamedTuple):
    """What a checkpoint says; events are `KIND=TEXT`."""

    title: str
    body: str | None = None
    next_steps: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    touches: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    session: str | None = None


class Asked(NamedTuple):
    """What goes along and how: names to include, deletions, hooks, and the seconds Git's index may be locked by others."""

    include: tuple[str, ...] = ()
    allow_deletions: bool = False
    verify: bool = True
    wait: float = commit.WAIT


class _Plan(NamedTuple):
    """The checkpoint's note (`new`: to be written), pending memory, older checkpoints that leave, and notes made of events."""

    entry: Entry
    data: bytes
    new: bool
    pending: Pending
    leaving: list[Item]
    made: events.Plan


def checkpoint(memory: Memory, said: Said, author: Author, asked: Asked = Asked()) -> Reply:  # noqa: B008 - frozen
    """Writes a checkpoint and commits it with pending memory; returns the reply of design section 14.

    In an unfinished Git operation the note is written and the commit deferred; the same checkpoint with nothing
    pending is nothing new. Raises GitmemError if refused: a note that was written then stays, and waits for the next.
    """
    repository = memory.repository
    if repository is None:
        raise status.no_repository(memory.root)
    note, found = _note(memory, said, author)
    return told(_written(memory, repository, note, said, author, asked), found)


def _written(memory: Memory, repository: Repository, note: Note, said: Said, author: Author, asked: Asked) -> Reply:
    with commit.lock(repository, environment=memory.environment):
        with notes.lock(memory.store):
            made = _happened(memory, note, said, author)
            note = note._replace(body="\n\n".join(part for part in (note.body, made.block) if part))
            plan = _planned(memory, repository, note, made, asked, author)
            carry_out(memory, [*made.saves, *([Save(plan.entry.path, plan.data)] if plan.new else [])])
        if not plan.new and not plan.pending.taken:
            return _reply(memory, plan, None, reason=f"Nothing new since {plan.entry.name}.")
        operation = git.operation(repository)
        if operation:
            return _deferred(memory, plan, operation)
        return _committed(memory, repository, plan, asked)


# What is said


def _extra(next_steps: Sequence[str], said: Sequence[str]) -> dict[str, Value]:
    """Returns the fields that only checkpoints have; raises GitmemError for an event of no known kind, or a secret."""
    fields: dict[str, Value] = {"next": _lines("next step", next_steps), "events": _lines("event", said)}
    for event in said:
        kind, equals, text = event.partition("=")
        if not equals or not text.strip():
            hint = "Write KIND=TEXT, such as decision=Keep one file a note."
            raise GitmemError("bad-event", f"{event!r} is no event.", hint, status=2)
        if kind not in EVENTS:
            near = near_miss(kind, list(EVENTS))
            hint = f"Did you mean {near}?" if near else f"Use one of {', '.join(EVENTS)}."
            raise GitmemError("unknown-event", f"{kind!r} is no kind of event.", hint, status=2)
    return {key: value for key, value in fields.items() if value}


def _lines(what: str, texts: Sequence[str]) -> Value:
    found = [secret for text in texts for secret in secrets.find(text)]
    if found:
        hint = "Keep the secret out of memory, or end that line with `gitmem: allow-secret` if it is none."
        raise GitmemError("secret", f"The {what} holds what looks like a secret ({found[0].pattern}).", hint)
    if any("\0" in text for text in texts):
        raise GitmemError("nul", f"The {what} holds a NUL character.", "Give plain text.")
    return [text.strip() for text in texts if text.strip()]


def _note(memory: Memory, said: Said, author: Author) -> tuple[Note, Resolved]:
    """Returns what is said as a note, and what came of its touches; raises GitmemError for what no note may say."""
    extra = _extra(said.next_steps, said.events)
    draft = Draft(said.title, body=said.body, touches=said.touches, tags=said.tags, session=said.session)
    draft, found = anchored(memory, drafts.checked(draft, memory.config, None))
    empty = read("", b"", verbs=())
    note = drafts.applied(empty.note._replace(title="", body=""), draft, memory.config)
    kind = type_with(memory.config.vocabulary, "checkpoint")
    note = note._replace(type=kind, source=author.source, agent=author.agent, extra=extra)
    return note._replace(created=instant_of(memory.now)), found


# What is done


def _happened(memory: Memory, note: Note, said: Said, author: Author) -> events.Plan:
    """Returns the notes that the events of a checkpoint come to; they speak of the same code, in the same session."""
    if not any(each.partition("=")[0] in events.TYPES for each in said.events):
        return events.NOTHING
    return events.planned(Finder(memory), said.events, events.About(author, note.touches, note.session))


def _planned(
    memory: Memory, repository: Repository, note: Note, made: events.Plan, asked: Asked, author: Author
) -> _Plan:
    """Returns what this checkpoint comes to; raises GitmemError where it could not be committed at all."""
    prefix = shown_path(memory, "")
    here = status.inside(repository, prefix, environment=memory.environment)
    # Those beside it alone: no note elsewhere has the instant of this second in its name.
    known = Names(disk.note_paths(memory.store.folder, note.type + "/"))
    include = {locate(memory, word).path for word in asked.include}
    choice = Choice(author, include, asked.allow_deletions, ledger.read(repository))
    found = _with(memory, pending(memory, here.rows, choice), made.saves)
    older = _older(note.type, known)
    same = _same(memory, note, found, older)
    if same and (same in [item.path for item in found.taken] or not found.taken):
        data = notes.raw(memory.store, same)
        return _Plan(notes.entry_of(memory.store, same, data), data, False, found, [], made)
    path = f"{note.type}/{_name(memory, note, known)}.md"
    differing = {row.path for row in here.rows}
    _check_ignored(memory, repository, path, [shown_path(memory, each) for each in older], differing)
    data = render(_placed(memory, repository, note, here), verbs=memory.store.verbs)
    leaving = _leaving(memory, older, differing)
    return _Plan(read(path, data, verbs=memory.store.verbs), data, True, found, leaving, made)


def _with(memory: Memory, found: Pending, saves: Sequence[Save]) -> Pending:
    """Returns what is pending with files among it that are about to be saved."""
    if not saves:
        return found
    paths = {save.path for save in saves}
    items = [Item(each.path, each.data, notes.entry_of(memory.store, each.path, each.data)) for each in saves]
    kept = [item for item in found.taken if item.path not in paths]
    left = [each for each in found.left if each.path not in {shown_path(memory, path) for path in paths}]
    return Pending(sorted([*kept, *items], key=lambda item: item.path), left)


def _check_ignored(
    memory: Memory, repository: Repository, path: str, older: Sequence[str], differing: set[str]
) -> None:
    """Refuses a checkpoint that git would ignore; one beside it that git has says that it would not."""
    if differing.issuperset(older):
        _make_folder(memory, path)  # a rule for folders holds for those that are there
        rule = status.ignoring(repository, shown_path(memory, path), environment=memory.environment)
        if rule:
            raise ignored(memory, rule)


def _make_folder(memory: Memory, path: str) -> None:
    try:
        os.makedirs(os.path.dirname(disk.inside(memory.store.folder, path)), exist_ok=True)
    except OSError as error:
        raise disk.refused(error, shown_path(memory, path)) from error


def _older(kind: str, known: Names) -> list[str]:
    """Returns the paths of the checkpoints that are there, oldest first, as their names begin with their instant."""
    return sorted(
        path for path in known.all() if path.startswith(kind + "/") and _STAMPED.fullmatch(path[len(kind) + 1 : -3])
    )


def _same(memory: Memory, note: Note, found: Pending, older: Sequence[str]) -> str | None:
    """Returns the path of the checkpoint that says the same: the last one, or one that still waits for its commit."""
    waiting = [item.path for item in found.taken if item.path in older and item.data is not None]
    for path in (*reversed(waiting), *older[-1:]):
        there = notes.load(memory.store, path).note
        if all(getattr(there, field) == getattr(note, field) for field in _SAID) and _told(there) == _told(note):
            return path
    return None


def _told(note: Note) -> list[object]:
    """Returns what a checkpoint says beside its text; the code that it touches may have changed meanwhile."""
    return [*(note.extra.get(key) for key in ("next", "events")), *map(unhashed, note.touches)]


def _name(memory: Memory, note: Note, known: Names) -> str:
    """Returns the checkpoint's name: its instant and its title's slug, with digits after it where that is taken."""
    stamp = re.sub("[-:]", "", note.created or "")
    taken = {
        folded[len(stamp) + 1 :]: notes.load(memory.store, known.paths(folded)[0]).note.title
        for folded in known
        if folded.startswith(fold(stamp) + "-")
    }
    return f"{stamp}-{name_for(note.title, taken=taken, created=note.created)}"


def _placed(memory: Memory, repository: Repository, note: Note, here: Status) -> Note:
    """Returns the note with the commit it was written on and the fingerprint of what differed from it."""
    marks: dict[str, Value] = {"head": here.head, "worktree": fingerprint(memory, repository)}
    return note._replace(extra={**note.extra, **{key: value for key, value in marks.items() if value}})


def fingerprint(memory: Memory, repository: Repository) -> str:
    """Returns 12 hex digits of what differs from HEAD outside memory."""
    rows = status.outside(repository, shown_path(memory, ""), environment=memory.environment).rows
    return continuity.fingerprint(repository, rows)


def _leaving(memory: Memory, older: Sequence[str], differing: set[str]) -> list[Item]:
    """Returns the checkpoints past the number that is kept, if Git has them as they are."""
    kept = max(memory.config.policy.keep_checkpoints, 1) - 1  # the new one counts
    paths = older[: max(len(older) - kept, 0)]
    return [
        Item(path, notes.raw(memory.store, path), None) for path in paths if shown_path(memory, path) not in differing
    ]


def _committed(memory: Memory, repository: Repository, plan: _Plan, asked: Asked) -> Reply:
    changes = {shown_path(memory, item.path): item.data for item in plan.pending.taken}
    changes |= {shown_path(memory, item.path): None for item in plan.leaving}
    changes |= {shown_path(memory, plan.entry.path): plan.data}
    try:
        done = commit.commit_paths(
            repository,
            changes,
            message(plan.entry),
            environment=memory.environment,
            hooks=asked.verify,
            wait=asked.wait,
        )
    except GitmemError as error:
        operation = git.operation(repository)
        if error.code != commit.UNFINISHED or not operation:
            raise
        return _deferred(memory, plan, operation)
    with notes.lock(memory.store):
        for item in plan.leaving:
            _remove(memory, item)
    warnings = [{"code": each.code, "name": None, "message": each.message} for each in done.warnings]
    reason = None if done.commit else f"Somebody has committed {plan.entry.name} meanwhile."
    reply = _reply(memory, plan, done.commit, reason=reason, warnings=warnings)
    made = {save.path for save in plan.made.saves}
    return unjudged.looked_at(
        memory, reply, [item for item in plan.pending.taken if item.path != plan.entry.path], made
    )


def _remove(memory: Memory, item: Item) -> None:
    """Removes an older checkpoint that the commit has let go, unless somebody has edited it since."""
    if os.path.exists(os.path.join(memory.store.folder, item.path)) and notes.raw(memory.store, item.path) == item.data:
        notes.remove(memory.store, item.path)


def message(entry: Entry) -> str:
    """Returns the commit message of a checkpoint: title, body, trailers; of a sensitive one no body.

    The notes that it made are in the commit itself.
    """
    note = entry.note
    body = "" if note.sensitive else events.without_block(note.body)
    trailers = [f"Memory-Checkpoint: {entry.name}"]
    trailers += [f"Memory-Session: {_one_line(note.session)}"] if note.session else []
    trailers += [f"Memory-Touches: {_one_line(unhashed(touch))}" for touch in note.touches]
    return "\n\n".join(part for part in (note.title, body, "\n".join(trailers)) if part) + "\n"


def _one_line(text: str) -> str:
    return " ".join(text.split())


# What is answered


def _deferred(memory: Memory, plan: _Plan, operation: str) -> Reply:
    own = plan.entry.path
    waiting = [Left(shown_path(memory, item.path), "deferred", "") for item in plan.pending.taken if item.path != own]
    plan = plan._replace(pending=Pending([], sorted([*plan.pending.left, *waiting])), leaving=[])
    reason = f"A Git {operation} is unfinished: the notes are written, and the next checkpoint after it commits them."
    return _reply(memory, plan, None, reason=reason, deferred=True)


def _reply(
    memory: Memory,
    plan: _Plan,
    made: str | None,
    *,
    reason: str | None = None,
    deferred: bool = False,
    warnings: Sequence[Mapping[str, Any]] = (),
) -> Reply:
    taken = [item for item in (*plan.pending.taken, *plan.leaving) if item.path != plan.entry.path]
    return {
        "name": plan.entry.name,
        "path": shown_path(memory, plan.entry.path),
        "commit": made,
        "deferred": deferred,
        "reason": reason,
        "notes": list(_names(taken)),
        "left": [left.path for left in plan.pending.left],
        "unresolved": [],
        "handle": guard.issue(memory),
        "warnings": [*warnings, *plan.made.warnings, *_reasons(plan.pending.left)],
        "made": [each._asdict() for each in plan.made.made],
        "suspects": [],
    }


def _names(items: Sequence[Item]) -> Iterator[str]:
    for item in items:
        if item.path.endswith(".md") and "/" in item.path or item.entry:
            yield notes.stem(item.path)


def _reasons(left: Sequence[Left]) -> Iterator[Reply]:
    for each in left:
        if each.message:
            yield {"code": each.code, "name": each.path, "message": each.message}

"""Writing notes: remember a new one, revise or edit one that is there."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from gitmem.errors import GitmemError, Problem
from gitmem.notes import frontmatter, secrets
from gitmem.notes import store as notes
from gitmem.notes.name import check_new_name, fold, name_for
from gitmem.notes.note import Entry, Link, Note, fields, read, render
from gitmem.notes.store import Names, Titles
from gitmem.notes.vocabulary import types_with
from gitmem.operations import draft as drafts
from gitmem.operations.claims import Save, checked_links, stamps
from gitmem.operations.draft import Author, Draft
from gitmem.operations.memory import Memory, locate, shown_path
from gitmem.storage import disk, git

__all__ = ["Author", "Draft", "edit_save", "edit_start", "remember", "remember_batch", "revise"]

BATCH_LIMIT = 100
EXPECTED_DIGITS = 12

Reply = dict[str, Any]  # Any: the JSON of design section 14


class _Plan(NamedTuple):
    """A note about to be written, and what its links change in others."""

    path: str
    data: bytes
    note: Note
    others: list[Save]


def remember(
    memory: Memory,
    draft: Draft,
    author: Author,
    *,
    allow_duplicate: bool = False,
    allow_tombstoned: bool = False,
    dry_run: bool = False,
) -> Reply:
    """Writes a new note and returns the reply of design section 14; raises GitmemError, with nothing written, if refused."""
    if draft.title is None or draft.type is None:
        raise GitmemError(
            "missing-value", "A note needs a title and a type.", "gitmem remember TITLE --type TYPE", status=2
        )
    draft = drafts.checked(draft, memory.config, None)
    with notes.lock(memory.store):
        known = notes.names(memory.store)
        note = _new_note(memory, draft, author, known)
        twin = None if allow_duplicate or draft.name else _twin(memory, note, known)
        if twin:
            return _reply(memory, twin, created=False) | {"duplicates": [_duplicate(twin)]}
        plan = _plan_new(memory, draft, note, known)
        if not dry_run:
            _carry_out(memory, plan)
    entry = read(plan.path, plan.data, verbs=memory.store.verbs)
    return _reply(memory, entry, created=not dry_run)


def _new_note(memory: Memory, draft: Draft, author: Author, known: Names) -> Note:
    created = draft.created or _iso(memory.now)
    empty = read("", b"", verbs=())
    note = drafts.applied(
        empty.note._replace(title="", type="", source=author.source, agent=author.agent, created=created, body=""),
        draft,
        memory.config,
    )
    if note.status is None and note.type in types_with(memory.config.vocabulary, "worklist"):
        note = note._replace(status="open")
    links = drafts.parsed_links(draft.links or (), memory.config)
    return note._replace(links=tuple(checked_links(memory, note.type, links, known)))


def _iso(seconds: int) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _twin(memory: Memory, note: Note, known: Names) -> Entry | None:
    """Returns the note that already has this title under the name that the title gives, or None."""
    name = name_for(note.title, taken={}, created=None)
    for path in known.paths(name):
        entry = notes.load(memory.store, path)
        if fold(entry.note.title) == fold(note.title):
            return entry
    return None


def _plan_new(memory: Memory, draft: Draft, note: Note, known: Names) -> _Plan:
    if draft.name:
        name = check_new_name(draft.name)
        if known.paths(name):
            raise GitmemError(
                "name-taken", f"A note is named {name!r} already.", f"gitmem show {name}, or choose another --name."
            )
    else:
        name = name_for(note.title, taken=Titles(memory.store, known), created=note.created)
    path = f"{note.type}/{name}.md"
    data = render(note, verbs=memory.store.verbs)
    return _Plan(path, data, note, stamps(memory, name, note.links, (), known))


def _carry_out(memory: Memory, plan: _Plan) -> None:
    """Saves the claiming note first, then the notes that its links change."""
    guard_tracked(memory, [save.path for save in plan.others])
    for save in (Save(plan.path, plan.data), *plan.others):
        notes.save(memory.store, save.path, save.data)


def guard_tracked(memory: Memory, paths: Sequence[str]) -> None:
    """Refuses to change tracked notes while a rebase or an am is stopped: its `--abort` would erase the change."""
    operation = git.operation(memory.repository) if memory.repository else None
    if operation not in git.REWINDING or not paths:
        return
    held = git.tracked(memory.store.folder, paths, environment=memory.environment)
    if held:
        message = f"A Git {operation} is unfinished; its --abort would erase the change to {', '.join(sorted(held))}."
        raise GitmemError(
            "unfinished-operation", message, f"Finish or abort the {operation}, then run the command again."
        )


def remember_batch(memory: Memory, text: str, author: Author) -> Reply:
    """Writes a note for each JSON line and returns their replies by position; one bad item blocks no other."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > BATCH_LIMIT:
        message = f"The batch has {len(lines)} notes; {BATCH_LIMIT} are allowed."
        raise GitmemError("long-batch", message, "Split it and run the command again.", status=2)
    return {"results": [_batch_item(memory, line, author) for line in lines]}


def _batch_item(memory: Memory, line: str, author: Author) -> Reply:
    try:
        return remember(memory, drafts.from_json(line), author)
    except GitmemError as error:
        return {"error": {"code": error.code, "message": error.message, "hint": error.hint}}


def revise(memory: Memory, name: str, draft: Draft, *, expect: str | None = None, dry_run: bool = False) -> Reply:
    """Changes fields of a note, every other byte left as it is, and returns its reply; `expect` is the digest it was read at."""
    with notes.lock(memory.store):
        known = notes.names(memory.store)
        old = locate(memory, name, known)
        data = notes.raw(memory.store, old.path)
        check_expected(old, expect)
        plan = _plan_revision(memory, old, data, drafts.checked(draft, memory.config, old.note.type), known)
        if not dry_run:
            guard_tracked(memory, [old.path] if plan.data != data or plan.path != old.path else [])
            _save_revision(memory, old, data, plan)
    entry = read(plan.path, plan.data, verbs=memory.store.verbs)
    return _reply(memory, entry, created=False)


def check_expected(entry: Entry, expect: str | None) -> None:
    """Refuses a write that started from another text than the file has now."""
    if expect is None:
        return
    if len(expect) < EXPECTED_DIGITS:
        hint = f"Give at least {EXPECTED_DIGITS} digits of the digest that show --json prints."
        raise GitmemError("bad-digest", f"{expect!r} is too short for a digest.", hint, status=2)
    if not entry.digest.startswith(expect.lower()):
        message = f"{entry.name} has changed since it was read: it is now {entry.digest[:EXPECTED_DIGITS]}."
        raise GitmemError(
            "lost-update", message, f"Read it again with gitmem show {entry.name} and revise what it says now."
        )


def _plan_revision(memory: Memory, old: Entry, data: bytes, draft: Draft, known: Names) -> _Plan:
    if draft.name:
        raise GitmemError("usage", "revise does not change a name.", f"gitmem rename {old.name} {draft.name}", status=2)
    note = drafts.applied(old.note, draft, memory.config)
    if draft.links is not None:
        given = checked_links(memory, note.type, drafts.parsed_links(draft.links, memory.config), known, old.name)
        note = note._replace(links=_replaced_links(old.note.links, given))
    path = f"{note.type}/{old.name}.md" if draft.type and draft.type != old.note.type else old.path
    others = stamps(memory, old.name, note.links, old.note.links, known)
    return _Plan(path, rewritten(memory, data, old.note, note), note, others)


def _replaced_links(old: Sequence[Link], given: Sequence[Link]) -> tuple[Link, ...]:
    """Returns links in which the verbs that are given have just what is given; a link that was there keeps its note."""
    verbs = {link.verb for link in given}
    known = {(link.verb, fold(link.to)): link for link in old}
    return (
        *(link for link in old if link.verb not in verbs),
        *dict.fromkeys(known.get((link.verb, fold(link.to)), link) for link in given),
    )


def rewritten(memory: Memory, data: bytes, old: Note, new: Note) -> bytes:
    """Returns a file's bytes with what differs between two readings of its note changed, and nothing else."""
    verbs = memory.store.verbs
    before, after = fields(old, verbs=verbs), fields(new, verbs=verbs)
    changes = {key: value for key, value in after.items() if key not in before or before[key] != value}
    removed = [key for key in before if key not in after]
    body = new.body if new.body != old.body else None
    if not changes and not removed and body is None:
        return data
    return frontmatter.rewrite(data, changes, removed=removed, body=body)


def _save_revision(memory: Memory, old: Entry, data: bytes, plan: _Plan) -> None:
    if plan.path != old.path:
        disk.move(memory.store.folder, old.path, plan.path)
    if plan.data != data:
        notes.save(memory.store, plan.path, plan.data)
    for save in plan.others:
        notes.save(memory.store, save.path, save.data)


def edit_start(memory: Memory, name: str) -> tuple[str, str, bytes]:
    """Returns the path to show, the absolute path, and the bytes of a note that a person is about to edit."""
    entry = locate(memory, name)
    return (
        shown_path(memory, entry.path),
        disk.inside(memory.store.folder, entry.path),
        notes.raw(memory.store, entry.path),
    )


def edit_save(memory: Memory, name: str, data: bytes, *, expect: str) -> Reply:
    """Saves a note as a person edited it, once it reads well and holds no secret; `expect` is the digest it was opened at."""
    with notes.lock(memory.store):
        old = locate(memory, name)
        check_expected(old, expect)
        entry = read(old.path, data, verbs=memory.store.verbs)
        _check_edited(memory, entry, data)
        guard_tracked(memory, [old.path] if entry.digest != old.digest else [])
        if entry.digest != old.digest:
            notes.save(memory.store, old.path, data)
    return _reply(memory, entry, created=False)


def _check_edited(memory: Memory, entry: Entry, data: bytes) -> None:
    errors = [problem for problem in entry.problems if problem.severity == "error"]
    if errors:
        raise GitmemError(errors[0].code, _located(errors[0]), errors[0].hint)
    found = secrets.find(data.decode("utf-8", "replace"))
    if found:
        message = f"Line {found[0].line} holds what looks like a secret ({found[0].pattern})."
        raise GitmemError("secret", message, "Keep it out of memory, or end that line with `gitmem: allow-secret`.")


def _located(problem: Problem) -> str:
    return f"Line {problem.line}: {problem.message}" if problem.line else problem.message


def _duplicate(entry: Entry) -> Reply:
    return {"name": entry.name, "title": entry.note.title, "similarity": 1.0}


def _reply(memory: Memory, entry: Entry, *, created: bool) -> Reply:
    operation = git.operation(memory.repository) if memory.repository else None
    return {
        "name": entry.name,
        "path": shown_path(memory, entry.path),
        "type": entry.note.type,
        "created": created,
        "digest": entry.digest,
        "duplicates": [],
        "suspects": [],
        "warnings": [],
        "related": [],
        "unresolved": [],
        "deferred": operation is not None,
    }

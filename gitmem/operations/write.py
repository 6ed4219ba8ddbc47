"""Writing notes: remember a new one, revise or edit one that is there."""

import os
from collections.abc import Iterator, Mapping, Sequence

from gitmem.errors import GitmemError, Problem
from gitmem.notes import secrets
from gitmem.notes import store as notes
from gitmem.notes.entry import read, render
from gitmem.notes.instant import DAY, instant_of, seconds
from gitmem.notes.name import check_new_name, fold, name_for
from gitmem.notes.note import Entry, Link, Note
from gitmem.notes.source import decode
from gitmem.operations import draft as drafts
from gitmem.operations import verdict as verdicts
from gitmem.operations.claims import Save, checked_links, stamps
from gitmem.operations.coverage import noted
from gitmem.operations.draft import Author, Draft, rewritten
from gitmem.operations.expected import check_expected
from gitmem.operations.lapse import lapsed, owned
from gitmem.operations.memory import Finder, Memory, locate, shown_path
from gitmem.operations.touches import anchored, told
from gitmem.operations.transaction import carry_out
from gitmem.operations.unfinished import unfinished
from gitmem.storage import disk
from gitmem.values import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from gitmem.operations.near import Neighbours
    from gitmem.search.view import View

BATCH_LIMIT = 100
RETIRED = verdicts.RETIRED
Reply = dict[str, Any]  # Any: the JSON of design section 14


class Allowed(NamedTuple):
    """What the writer says may be: a note of a title that is there, and a subject that was buried."""

    duplicate: bool = False
    tombstoned: bool = False


class _Plan(NamedTuple):
    """A note about to be written, and what its links change in others."""

    path: str
    data: bytes
    others: list[Save]


class _Taken(Mapping[str, str]):
    """The title behind each folded name or alias in use, read only when asked for."""

    def __init__(self, finder: Finder) -> None:
        self.finder = finder

    def __getitem__(self, name: str) -> str:
        path = self.finder.target(name)
        if path is None:
            raise KeyError(name)
        return self.finder.load(path).note.title

    def __iter__(self) -> Iterator[str]:
        return iter(self.finder.names)

    def __len__(self) -> int:
        return len(self.finder.names)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.finder.target(name) is not None


def remember(
    memory: Memory,
    draft: Draft,
    author: Author,
    *,
    allow_duplicate: bool = False,
    allow_tombstoned: bool = False,
    dry_run: bool = False,
    held: "View | None" = None,
) -> Reply:
    """Writes a new note and returns its reply; raises GitmemError, with nothing written, if refused. `held`: a server's view."""
    draft = _whole(draft, memory)
    with notes.lock(memory.store):
        near = verdicts.neighbours(Finder(memory, held))
        return _remember(near, draft, author, Allowed(allow_duplicate, allow_tombstoned), dry_run=dry_run)


def _remember(near: "Neighbours", draft: Draft, author: Author, allowed: Allowed, *, dry_run: bool = False) -> Reply:
    finder, memory = near.finder, near.finder.memory
    draft, found = anchored(memory, draft)
    note = _new_note(memory, draft, author)
    namesakes = list(verdicts.namesakes(finder, draft.name, note))
    if not allowed.tombstoned:
        verdicts.check_buried(finder, draft.name, note, namesakes)
    claims = drafts.parsed_links(draft.links or (), memory.config)
    verdict = verdicts.judged(near, Entry("", "", "", note._replace(links=tuple(claims)), ()), namesakes)
    if verdict.duplicates and not allowed.duplicate:
        twin = finder.entry(verdict.duplicates[0]["name"])
        return _reply(memory, twin, created=False) | verdict.told() | {"suspects": []}
    plan = _plan_new(finder, draft, note._replace(suspects=verdict.stamps))
    entry = read(plan.path, plan.data, verbs=memory.store.verbs)
    reply = noted(finder, _reply(memory, entry, created=not dry_run) | verdict.told(), entry, None, author)
    reply = _dated(memory, reply, entry, draft)
    if not dry_run:
        _carry_out(finder, plan)
    return told(reply, found)


def _dated(memory: Memory, reply: Reply, entry: Entry, draft: Draft) -> Reply:
    """Returns a reply with a warning more where the note is to be written in the future."""
    if not draft.created or seconds(draft.created) <= memory.now + DAY:
        return reply
    message = f"{entry.name} says that it was written on {draft.created[:10]}: until then it is newer than all others."
    warning = {"code": "future-date", "name": entry.name, "message": message}
    return reply | {"warnings": [*reply["warnings"], warning]}


def planned(
    near: "Neighbours", draft: Draft, author: Author, *, buried: tuple[str, ...] = ()
) -> tuple[Entry, list[Save], list[Reply]]:
    """Returns a new note, what writing it saves, and what it seems to disagree with; nothing is written.

    Of a note that is there and says the same, that note and no saves. `buried` are the names that a tombstone removes.
    Raises GitmemError where `remember` would refuse.
    """
    finder, memory = near.finder, near.finder.memory
    draft, _ = anchored(memory, _whole(draft, memory))
    note = _new_note(memory, draft, author)._replace(buried=buried)
    namesakes = list(verdicts.namesakes(finder, draft.name, note))
    verdicts.check_buried(finder, draft.name, note, namesakes)
    twin = next((each for each in namesakes if buried and each.note.type == note.type), None)
    entry = Entry("", "", "", note._replace(links=tuple(drafts.parsed_links(draft.links or (), memory.config))), ())
    verdict = verdicts.NONE if buried else verdicts.judged(near, entry, namesakes)  # a tombstone claims nothing
    if twin or verdict.duplicates:
        return twin or finder.entry(verdict.duplicates[0]["name"]), [], []
    plan = _plan_new(finder, draft, note._replace(suspects=verdict.stamps))
    entry = read(plan.path, plan.data, verbs=memory.store.verbs)
    return entry, [Save(plan.path, plan.data), *plan.others], verdict.suspects


def _whole(draft: Draft, memory: Memory) -> Draft:
    if draft.title is None or draft.type is None:
        hint = "gitmem remember TITLE --type TYPE; gitmem vocabulary lists the types."
        raise GitmemError("missing-value", "A note needs a title and a type.", hint, status=2)
    return drafts.checked(draft, memory.config, None)


def _new_note(memory: Memory, draft: Draft, author: Author) -> Note:
    created = draft.created or instant_of(memory.now)
    empty = read("", b"", verbs=()).note._replace(title="", body="")
    return drafts.applied(
        empty._replace(source=author.source, agent=author.agent, created=created), draft, memory.config
    )


def _plan_new(finder: Finder, draft: Draft, note: Note) -> _Plan:
    memory = finder.memory
    given = _free_name(finder, draft.name) if draft.name else None
    name = given or name_for(note.title, taken=_Taken(finder), created=note.created)
    _check_aliases(finder, note, (), name)
    check_place(memory, f"{note.type}/{name}.md")
    links = drafts.parsed_links(draft.links or (), memory.config)
    note = note._replace(links=tuple(checked_links(finder, links, name)))
    plan = _Plan(f"{note.type}/{name}.md", render(note, verbs=memory.store.verbs), stamps(finder, None, note.links, ()))
    _check_sound(read(plan.path, plan.data, verbs=memory.store.verbs), ())
    return plan


def _free_name(finder: Finder, word: str) -> str:
    name = check_new_name(word)
    check_free(finder, name, None)
    return name


def check_free(finder: Finder, name: str, own: str | None) -> None:
    """Refuses a name that another note than the one at the path `own` has, as its name or as an alias."""
    paths = [*finder.names.paths(name), *(entry.path for entry in finder.holding("alias", [name]))]
    others = sorted(path for path in paths if path != own)
    if others:
        message = f"{name!r} is a name or an alias of {shown_path(finder.memory, others[0])} already."
        raise GitmemError("name-taken", message, f"gitmem show {name} shows that note; choose another name.")


def check_place(memory: Memory, path: str) -> None:
    """Refuses a place where a folder, a link or a device lies: what is no note has no name that is taken."""
    if os.path.lexists(os.path.join(memory.store.folder, path)):
        message = f"{shown_path(memory, path)} is taken by something that is no note."
        raise GitmemError("name-taken", message, "Choose another name, or move that away.")
    _check_hidden(memory, path)


def _check_hidden(memory: Memory, path: str) -> None:
    """Refuses a name that a note has which a sparse checkout leaves out: the next commit would overwrite it."""
    repository = memory.repository
    if not repository or not os.path.exists(os.path.join(repository.git_dir, "info", "sparse-checkout")):
        return
    from gitmem.storage import sparse

    hidden = sparse.absent(repository, [shown_path(memory, "")], environment=memory.environment)
    taken = [other for other in hidden if fold(notes.stem(other)) == fold(notes.stem(path))]
    if taken:
        message = f"{taken[0]} has this name, and is not checked out here."
        raise GitmemError("not-checked-out", message, sparse.hint(repository, os.path.dirname(taken[0])))


def _check_aliases(finder: Finder, note: Note, old: Sequence[str], name: str, own: str | None = None) -> None:
    for alias in note.aliases:
        if alias not in old and fold(alias) != fold(name):
            check_free(finder, alias, own)


def _check_sound(entry: Entry, known: Sequence[Problem]) -> None:
    """Refuses a text that would be a file with an error that was not there before."""
    codes = {problem.code for problem in known}
    for problem in entry.problems:
        if problem.severity == "error" and problem.code not in codes:
            place = f"Line {problem.line}: " if problem.line else ""
            raise GitmemError(problem.code, place + problem.message, problem.hint)


def _carry_out(finder: Finder, plan: _Plan) -> None:
    """Saves the claiming note first, then the notes that its links change."""
    for entry in carry_out(finder.memory, (Save(plan.path, plan.data), *plan.others)).entries:
        finder.add(entry)


def remember_batch(memory: Memory, text: str, author: Author) -> Reply:
    """Writes a note for each JSON line and returns their replies by position; one bad item blocks no other.

    Raises GitmemError("long-batch") for more than 100 lines.
    """
    lines = [line for line in text.removeprefix("\ufeff").split("\n") if line.strip()]
    if len(lines) > BATCH_LIMIT:
        message = f"The batch has {len(lines)} notes; {BATCH_LIMIT} are allowed."
        raise GitmemError("long-batch", message, "Split it and run the command for each part.", status=2)
    with notes.lock(memory.store):
        near = verdicts.neighbours(Finder(memory))
        return {"results": [_batch_item(near, line, author) for line in lines]}


def _batch_item(near: "Neighbours", line: str, author: Author) -> Reply:
    try:
        item = drafts.from_json(line)
        allowed = Allowed(item.allow_duplicate, item.allow_tombstoned)
        reply = _remember(near, _whole(item.draft, near.finder.memory), author, allowed)
        if reply["created"]:
            near.add(near.finder.entry(reply["name"]))
        return reply
    except GitmemError as error:
        return {"error": {"code": error.code, "message": error.message, "hint": error.hint}}


def revise(
    memory: Memory,
    name: str,
    draft: Draft,
    *,
    expect: str | None = None,
    dry_run: bool = False,
    author: Author | None = None,
) -> Reply:
    """Changes fields of a note, every other byte left as it is, and returns its reply.

    `expect` is the digest it was read at; `author` is who revises it, as the environment tells where none is given.
    """
    with notes.lock(memory.store):
        finder = Finder(memory)
        old = finder.entry(name)
        data = notes.raw(memory.store, old.path)
        check_expected(old, expect)
        draft, found = anchored(memory, drafts.checked(draft, memory.config, old.note.type))
        plan = _plan_revision(finder, old, data, draft, author)
        verdict = verdicts.revised(
            verdicts.neighbours(finder), old, read(plan.path, plan.data, verbs=memory.store.verbs)
        )
        plan = _stamped(memory, old, data, plan, verdict.stamps)
        entry = read(plan.path, plan.data, verbs=memory.store.verbs)
        reply = noted(finder, _revised(memory, old, data, plan) | verdict.told(), entry, old, author)
        reply = _dated(memory, reply, entry, draft)
        if not dry_run:
            _save_revision(memory, old, data, plan)
    return lapsed(told(reply, found), old.note, entry.note)


def _stamped(memory: Memory, old: Entry, data: bytes, plan: _Plan, suspects: Sequence[str]) -> _Plan:
    """Returns the plan of a revision with these suspects in the note; a revision is never a duplicate."""
    note = read(plan.path, plan.data, verbs=memory.store.verbs).note
    if note.suspects == tuple(suspects):
        return plan
    note = note._replace(suspects=tuple(suspects))
    return plan._replace(data=rewritten(old, data, note, memory.store.verbs))


def _revised(memory: Memory, old: Entry, data: bytes, plan: _Plan) -> Reply:
    """Returns the reply of a revision, with the files that it changes; `data` is what the note's file was."""
    own = [plan.path] if plan.data != data or plan.path != old.path else []
    changed = [shown_path(memory, path) for path in (*own, *(save.path for save in plan.others))]
    return _reply(memory, read(plan.path, plan.data, verbs=memory.store.verbs), created=False) | {"changed": changed}


def _plan_revision(finder: Finder, old: Entry, data: bytes, draft: Draft, author: Author | None) -> _Plan:
    if draft.name:
        raise GitmemError("usage", "revise does not change a name.", f"gitmem rename {old.name} {draft.name}", status=2)
    memory = finder.memory
    note = drafts.applied(old.note, draft, memory.config)
    _check_aliases(finder, note, old.note.aliases, old.name, old.path)
    if draft.links is not None:
        given = checked_links(finder, drafts.parsed_links(draft.links, memory.config), old.name, old.path)
        note = note._replace(links=_replaced_links(old.note.links, given))
    note = owned(old.note, note, memory.environment, author)
    path = _typed_path(old, note) if draft.type else old.path
    others = stamps(finder, old.path, note.links, old.note.links)
    plan = _Plan(path, rewritten(old, data, note, memory.store.verbs), others)
    _check_sound(read(path, plan.data, verbs=memory.store.verbs), old.problems)
    return plan


def _typed_path(old: Entry, note: Note) -> str:
    """Returns where a note lies once it has its type: in the type's folder, under the name that it has."""
    return old.path if note.type == old.note.type else f"{note.type}/{old.path.rpartition('/')[2]}"


def _replaced_links(old: Sequence[Link], given: Sequence[Link]) -> tuple[Link, ...]:
    """Returns links in which the verbs that are given have just what is given, all of them where nothing is.

    A link that was there keeps its note and weight.
    """
    verbs = {link.verb for link in given or old}
    known = {(link.verb, fold(link.to)): link for link in old}
    kept = [link for link in old if link.verb not in verbs]
    return (*kept, *(known.get((link.verb, fold(link.to)), link) for link in given))


def _save_revision(memory: Memory, old: Entry, data: bytes, plan: _Plan) -> None:
    own = [Save(plan.path, plan.data)] if plan.data != data else []
    carry_out(memory, [*own, *plan.others], moved=(old.path, plan.path) if plan.path != old.path else None)


def edit_start(memory: Memory, name: str) -> tuple[str, str, bytes]:
    """Returns the path to show, the absolute path, and the bytes of a note that a person is about to edit."""
    entry = locate(memory, name)
    absolute = disk.inside(memory.store.folder, entry.path)
    return shown_path(memory, entry.path), absolute, notes.raw(memory.store, entry.path)


def edit_save(memory: Memory, name: str, data: bytes, *, expect: str, author: Author | None = None) -> Reply:
    """Saves a note as an editor left it, once it reads well and holds no secret; `expect` is the digest it was opened at.

    `author` is as in revise. What the edit changed is held to the rules of revise: declared words, limits, targets that
    exist, stamps.
    """
    with notes.lock(memory.store):
        finder = Finder(memory)
        old = finder.entry(name)
        check_expected(old, expect)
        entry = read(old.path, data, verbs=memory.store.verbs)
        _check_edited(finder, old, entry, data)
        note = owned(old.note, entry.note, memory.environment, author)
        data = rewritten(entry, data, note, memory.store.verbs)
        plan = _Plan(_typed_path(old, entry.note), data, stamps(finder, old.path, entry.note.links, old.note.links))
        before = notes.raw(memory.store, old.path)
        _save_revision(memory, old, before, plan)
    return lapsed(_revised(memory, old, before, plan), old.note, note)


def _check_edited(finder: Finder, old: Entry, new: Entry, data: bytes) -> None:
    _check_sound(new, ())
    secrets.check(decode(data, new.path)[0], "the text")
    drafts.check_values(old.note, new.note, finder.memory.config)
    _check_aliases(finder, new.note, old.note.aliases, old.name, old.path)
    came = [link for link in new.note.links if link not in old.note.links]
    checked_links(finder, came, old.name, old.path)


def _reply(memory: Memory, entry: Entry, *, created: bool) -> Reply:
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
        "deferred": unfinished(memory) is not None,
    }

"""Undo: a new commit that takes back what older ones did to the memory, and leaves what changed since."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitmem.errors import GitmemError
from gitmem.notes import store as notes
from gitmem.notes.name import fold
from gitmem.operations.claims import Save
from gitmem.operations.dangling import dangling, warned
from gitmem.operations.memory import Finder, Memory, shown_path
from gitmem.operations.origin import folder_of, whole_log
from gitmem.operations.pairing import pairs
from gitmem.operations.past import is_note, repository_of
from gitmem.operations.pending import OWN
from gitmem.operations.transaction import Written, carry_out, given_up, take_back
from gitmem.storage import commit as commits
from gitmem.storage import disk, git, history, status
from gitmem.storage.git import Repository, talk
from gitmem.storage.objects import Objects
from gitmem.storage.trees import Leaf
from gitmem.values import Any, NamedTuple

Reply = dict[str, Any]  # Any: the JSON of design section 14

SINCE = "It has changed since."
DONE = "It is as it was before already."
PENDING = "It has changes that are not committed."
ABSENT = "Its file is not in the work tree, which Git was told to overlook."
TAKEN = "Another note has its name now."
SHOWN = 12  # digits of a commit in a message


class Step(NamedTuple):
    """What one commit did: each file before and after it (None: not there), and which paths are one note renamed."""

    before: Mapping[str, Leaf | None]
    after: Mapping[str, Leaf | None]
    moved: Mapping[str, str]


class File(NamedTuple):
    """A file of the work tree: its bytes, and its mode as git's entries say it."""

    data: bytes
    mode: str


class Plan(NamedTuple):
    """What an undo writes, by path below the notes' folder (None: it goes), and what it leaves, with the reason."""

    writes: dict[str, File | None]
    skipped: dict[str, str]


class _Now(NamedTuple):
    """The memory as HEAD has it, why some of it must stay as it lies on the disk, and the paths of all notes there."""

    files: Mapping[str, Leaf]
    kept: Mapping[str, str]
    paths: tuple[str, ...]


def undo(
    memory: Memory,
    revision: str | None = None,
    *,
    session: str | None = None,
    dry_run: bool = False,
) -> Reply:
    """Takes back what a commit, or every commit of a session, did to the memory; returns the reply of design section 14.

    What has changed since is skipped and named, a renamed note as a whole. `dry_run` tells what would be done. Raises
    GitmemError in an unfinished Git operation, for a merge, and where there is nothing to take back.
    """
    repository = repository_of(memory)
    _check_finished(repository)
    ids = _of_session(memory, repository, session) if session else [_one(memory, repository, revision or "")]
    with commits.lock(repository, environment=memory.environment):
        with notes.lock(memory.store):
            plan = _planned(memory, repository, ids)
            warnings = list(_aftermath(memory, plan, session))
            if dry_run or not plan.writes:
                return _reply(plan, None, warnings)
            saves = [Save(path, *file) for path, file in plan.writes.items() if file]
            written = carry_out(memory, saves, [path for path, file in plan.writes.items() if file is None])
        reply = _committed(memory, repository, plan, written, _message(memory, repository, ids, session))
        return reply | {"warnings": [*warnings, *reply["warnings"]]}


def _check_finished(repository: Repository) -> None:
    operation = git.operation(repository)
    if operation:
        hint = f"{git.FINISH[operation]}, then run the command again."
        raise GitmemError("unfinished-operation", f"A Git {operation} is unfinished; nothing is undone in it.", hint)


def _one(memory: Memory, repository: Repository, revision: str) -> str:
    return history.resolve(repository, revision, environment=memory.environment)


def _of_session(memory: Memory, repository: Repository, session: str) -> list[str]:
    """Returns the commits that name a session in their trailers, newest first."""
    found = [each.id for each in whole_log(memory, repository).commits() if session in each.session.split(",")]
    if not found:
        message = f"No commit here names the session {session!r}."
        raise GitmemError("unknown-session", message, "gitmem log lists the commits; undo takes one of them.")
    return found


# What is to be done


def _planned(memory: Memory, repository: Repository, ids: Sequence[str]) -> Plan:
    folder = folder_of(memory)
    with Objects(repository, environment=memory.environment) as objects:
        steps = [_step(memory, repository, objects, id) for id in ids]
        here = status.inside(repository, folder, environment=memory.environment)
        files = objects.files(here.head, folder) if here.head else {}
        kept = {row.path.removeprefix(folder + "/"): PENDING for row in here.rows}
        kept |= _hidden(memory, repository, files, {path for step in steps for path in step.before} - kept.keys())
        wanted, skipped = planned(steps, _Now(files, kept, tuple(disk.note_paths(memory.store.folder))))
    writes = {path: _checked_out(memory, repository, path, leaf) if leaf else None for path, leaf in wanted.items()}
    return Plan(writes, skipped)


def _checked_out(memory: Memory, repository: Repository, path: str, leaf: Leaf) -> File:
    """Returns a file as git would write it to the work tree: what is committed of it passes the filters once more."""
    shown = shown_path(memory, path)
    arguments = ["cat-file", "--filters", f"--path={shown}", leaf.id]
    done = talk(repository.top, arguments, environment=memory.environment)
    if done.status:
        raise git.said(done, f"{shown} could not be brought back")
    return File(done.out, leaf.mode)


def _hidden(memory: Memory, repository: Repository, files: Mapping[str, Leaf], paths: Iterable[str]) -> dict[str, str]:
    """Returns why paths stay that are not as HEAD has them, though status names none: ignored, or not looked at."""
    there = {path for path in paths if os.path.lexists(os.path.join(memory.store.folder, path))}
    known = [shown_path(memory, path) for path in there if path in files]
    same = set(commits.as_committed(repository, known, environment=memory.environment))
    hidden = dict.fromkeys((path for path in there if shown_path(memory, path) not in same), PENDING)
    return hidden | dict.fromkeys((path for path in paths if path in files and path not in there), ABSENT)


def _step(memory: Memory, repository: Repository, objects: Objects, id: str) -> Step:
    """Returns what a commit did to the memory; raises GitmemError for a merge and for what a shallow clone lacks."""
    folder, environment = folder_of(memory), memory.environment
    parents = history.parents(repository, id, environment=environment)
    if len(parents) > 1:
        message = f"{id[:SHOWN]} is a merge, which joins the work of others."
        raise GitmemError("merge", message, "Undo the commits it brought, one by one: gitmem log lists them.")
    if id.encode() in history.boundary(repository):
        raise history.unknown(repository, f"What {id[:SHOWN]} changed is not known in this shallow clone.")
    before = objects.files(parents[0], folder) if parents else {}
    after = objects.files(id, folder)
    changed = [path for path in before.keys() | after.keys() if before.get(path) != after.get(path)]
    if not changed:
        raise GitmemError(
            "nothing-to-undo", f"{id[:SHOWN]} changed nothing in the memory.", "gitmem log lists what did."
        )
    changed = [path for path in changed if path in before or path not in OWN]  # the memory itself stays
    moved = history.moved(repository, parents[0], id, folder, environment=environment) if parents else {}
    gone = [path for path in changed if path not in after and path not in moved]
    came = {path: objects.read(after[path].id) for path in changed if path not in before and path not in moved.values()}
    moved |= pairs(gone, came)
    return Step({path: before.get(path) for path in changed}, {path: after.get(path) for path in changed}, moved)


def planned(steps: Sequence[Step], now: _Now) -> tuple[dict[str, Leaf | None], dict[str, str]]:
    """Returns the files as they are to be once the steps, newest first, are taken back, and why others stay, by path."""
    wanted: dict[str, Leaf | None] = {}
    skipped: dict[str, str] = {}
    for group in _groups(steps):
        results = {path: _taken_back(path, steps, now) for path in group}
        kept = [result for result in results.values() if isinstance(result, str)]
        if kept:
            skipped |= dict.fromkeys(group, _reason(kept, len(group)))
        else:
            wanted |= {path: leaf for path, leaf in results.items() if not isinstance(leaf, str)}
    for path in _doubled(wanted, now):
        skipped[path] = TAKEN
        del wanted[path]
    return {path: leaf for path, leaf in sorted(wanted.items()) if leaf != now.files.get(path)}, skipped


def _reason(kept: Sequence[str], size: int) -> str:
    """Returns why a note stays, of the reasons of its files: where not all are as they were, something came since."""
    other = next((reason for reason in kept if reason != DONE), None)
    return other or (DONE if len(kept) == size else SINCE)


def _groups(steps: Sequence[Step]) -> list[list[str]]:
    """Returns the paths that steps changed, those that are one note under several names together."""
    groups: dict[str, list[str]] = {path: [path] for step in steps for path in sorted(step.before)}
    for step in steps:
        for old, new in step.moved.items():
            one, other = groups[old], groups[new]
            if one is not other:
                one += other
                groups |= dict.fromkeys(other, one)
    return list({id(group): group for group in groups.values()}.values())


def _taken_back(path: str, steps: Sequence[Step], now: _Now) -> Leaf | None | str:
    """Returns the file as it was before the steps, or why it must stay as it is."""
    if path in now.kept:
        return now.kept[path]
    here = now.files.get(path)
    for step in steps:
        if path in step.before:
            if here != step.after[path]:
                return DONE if here == step.before[path] else SINCE
            here = step.before[path]
    return here


def _doubled(wanted: Mapping[str, Leaf | None], now: _Now) -> list[str]:
    """Returns the notes that would come back beside another one of their name."""
    staying = [path for path in now.paths if path not in wanted or wanted[path]]
    back = [path for path, leaf in wanted.items() if leaf and path not in now.files and is_note(path)]
    return [path for path in back if any(_key(path) == _key(other) and path != other for other in staying)]


def _key(path: str) -> str:
    return fold(notes.stem(path))


# What is done


def _committed(memory: Memory, repository: Repository, plan: Plan, written: Written, message: str) -> Reply:
    """Commits what was written; a refusal puts the files back as they were, but those that were changed meanwhile."""
    changes = {shown_path(memory, path): data for path, data in written.now.items()}
    modes = {shown_path(memory, path): file.mode for path, file in plan.writes.items() if file}
    before = history.tip(repository, environment=memory.environment)
    try:
        done = commits.commit_paths(repository, changes, message, environment=memory.environment, modes=modes)
    except BaseException as error:
        now = history.tip(repository, environment=memory.environment)
        if now != before:  # it was committed, and what is written holds
            raise
        with notes.lock(memory.store):
            left = take_back(memory, written)
        if not isinstance(error, GitmemError):
            raise
        hint = "Mend what it names, then run the command again." if error.code == "hook-refused" else None
        raise given_up(error, left, hint) from error
    return _reply(
        plan, done.commit, [{"code": each.code, "name": None, "message": each.message} for each in done.warnings]
    )


def _aftermath(memory: Memory, plan: Plan, session: str | None) -> Iterator[Reply]:
    """Yields a warning for each note of another session that goes along, and for what is to mean nothing any more."""
    finder = Finder(memory)
    gone = [notes.load(memory.store, path) for path, file in plan.writes.items() if file is None and is_note(path)]
    for entry in gone if session else ():
        if entry.note.session != session:
            message = f"{entry.name} is not of the session {session}, but a commit of it brought the note in."
            yield {"code": "other-session", "name": entry.name, "message": message}
    coming = [notes.stem(path) for path, file in plan.writes.items() if file and is_note(path)]
    yield from map(warned, dangling(finder, gone, coming) if gone else ())


def _message(memory: Memory, repository: Repository, ids: Sequence[str], session: str | None) -> str:
    title = f"Undo session {session}" if session else f'Undo "{_title(memory, repository, ids[0])}"'
    trailers = "".join(f"Memory-Undo: {id}\n" for id in ids)
    return f"{title}\n\nTakes back what {_counted(len(ids))} changed in the memory.\n\n{trailers}"


def _title(memory: Memory, repository: Repository, id: str) -> str:
    found = history.walk(repository, ["--max-count=1", id], folder_of(memory), environment=memory.environment)
    return next((commit.title for commit in found), id[:SHOWN])


def _counted(number: int) -> str:
    return "one commit" if number == 1 else f"{number} commits"


def _reply(plan: Plan, commit: str | None, warnings: Iterable[Reply]) -> Reply:
    skipped = {_name(path): reason for path, reason in sorted(plan.skipped.items())}
    return {
        "commit": commit,
        "reversed": sorted({_name(path) for path in plan.writes}),
        "skipped": [{"name": name, "reason": reason} for name, reason in skipped.items()],
        "warnings": list(warnings),
    }


def _name(path: str) -> str:
    """Returns the name of a note; of another file, its path below the notes' folder."""
    return notes.stem(path) if is_note(path) else path

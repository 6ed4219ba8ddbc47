"""Health: what a clone's memory holds and whether everything around it works."""

import os
from collections.abc import Mapping

from gitmem.errors import GitmemError
from gitmem.knowledge.graph import build
from gitmem.notes.instant import instant_of
from gitmem.notes.note import Entry
from gitmem.notes.store import FOLDER
from gitmem.operations import damage
from gitmem.operations.memory import Memory, Reading, open_memory, ready, shown_path
from gitmem.operations.recall import counted
from gitmem.operations.waiting import waiting_in
from gitmem.search.document import roles_of
from gitmem.storage import git
from gitmem.storage import head as heads
from gitmem.storage.status import ignoring, pending
from gitmem.values import Any

Reply = dict[str, Any]  # Any: the JSON of design section 14

OLDEST_GIT = (2, 25)


def status(memory: Memory) -> Reply:
    """Returns what the memory holds and what waits (reply of design section 14)."""
    view = ready(memory).view
    entries = view.everything()
    roles = roles_of(memory.config.vocabulary)
    branch, head = heads.head(memory.repository, environment=memory.environment) if memory.repository else (None, None)
    recalls, zero_hits, last = counted(memory)
    checkpoints = [entry for entry in entries if entry.note.type in roles.checkpoint]
    return {
        "root": memory.root,
        "branch": branch,
        "head": head,
        "trusted": memory.trusted,
        "notes": _counts(entries),
        **{key: len(items) for key, items in waiting_in(memory, build(entries)).items()},
        "problems": sum(not entry.is_readable for entry in entries),
        "index": {"fresh": not view.overlaid, "notes": len(entries), "bytes": _bytes(memory)},
        "memory": {
            "checkpoint_count": len(checkpoints),
            "recall_count": recalls,
            "recall_zero_hits": zero_hits,
            "last_recall_at": None if last is None else instant_of(last),
            "last_checkpoint_at": max((entry.note.created or "" for entry in checkpoints), default="") or None,
        },
        "pending": _pending(memory),
    }


def _pending(memory: Memory) -> list[str]:
    """Returns what Git would commit of the memory's folder, nothing where there is no git to ask."""
    if memory.repository is None or git.version(environment=memory.environment) is None:
        return []
    return pending(memory.repository, shown_path(memory, ""), environment=memory.environment)


def _counts(entries: list[Entry]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for entry in entries:
        counts[entry.note.type] = counts.get(entry.note.type, 0) + 1
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def _bytes(memory: Memory) -> int:
    if memory.where.cache is None:
        return 0
    return sum(
        os.path.getsize(os.path.join(folder, name))
        for folder, _, names in os.walk(memory.where.cache)
        for name in names
    )


def doctor(directory: str, *, environment: Mapping[str, str], now: int) -> Reply:
    """Returns one line for everything that must work: ok, warning or fault, with the command that mends it."""
    found = git.version(environment=environment)
    checks = [_git(found)]
    try:
        memory = open_memory(directory, environment=environment, now=now)
    except GitmemError as error:
        return {"checks": [*checks, _line("memory", "fault", error.message, error.hint)]}
    checks += [_line("memory", "ok", f"The memory is {memory.store.folder}."), _repository(memory, found)]
    checks += [_trust(memory), *_review(memory), _config(memory), _files(memory), *_hooks(memory, found)]
    harm = damage.found(memory)
    try:
        reading = ready(memory)
    except GitmemError as error:
        return {"checks": [*checks, _line("model", "fault", error.message, error.hint)]}
    told = [
        _line("cache", "warning", harm.message, harm.hint) if harm else _cache(memory, reading),
        _model(memory, reading),
        _notes(reading),
    ]
    return {"checks": [*checks, *told, *_agents(memory, reading)]}


def _line(name: str, state: str, message: str, hint: str | None = None) -> Reply:
    return {"name": name, "state": state, "message": message, "hint": hint}


def _git(found: str | None) -> Reply:
    if found is None:
        message = "There is no git command: notes can be read and written, nothing more."
        return _line("git", "warning", message, "Install Git and put it on PATH.")
    numbers = tuple(int(part) for part in found.split(".")[:2] if part.isdigit())
    if numbers < OLDEST_GIT:
        message = f"git {found} is older than {'.'.join(map(str, OLDEST_GIT))}."
        return _line("git", "warning", message, "Install a newer Git.")
    return _line("git", "ok", f"git {found} is there.")


def _repository(memory: Memory, found: str | None) -> Reply:
    repository = memory.repository
    if repository is None:
        return _line("repository", "warning", "This is no Git repository: nothing is dated or shared.", "git init")
    note = shown_path(memory, "any/note.md")
    try:
        rule = ignoring(repository, note, environment=memory.environment) if found else None
    except GitmemError as error:
        return _line("repository", "fault", error.message, error.hint)
    if rule:
        message = f"Git ignores the notes of {FOLDER}/ by the rule {rule}, so they are never shared."
        return _line(
            "repository", "warning", message, f"Take the rule out, or add !{shown_path(memory, '')}/ below it."
        )
    return _line("repository", "ok", f"The repository is {repository.top}.")


def _trust(memory: Memory) -> Reply:
    if memory.trusted:
        return _line("trust", "ok", "This clone's memory is yours.")
    return _line("trust", "warning", "Nobody has made this clone's memory theirs.", "gitmem init makes it yours.")


def _review(memory: Memory) -> list[Reply]:
    """Returns how the branch stands that alone approves notes, nothing where none does."""
    from gitmem.operations.reviewed import branch, lost, unheard

    held = branch(memory)
    if held is None:
        return [_line("review", "warning", *unheard(memory))] if memory.config.policy.review_branch else []
    if held.commit is None:
        return [_line("review", "warning", *lost(memory, held))]
    return [_line("review", "ok", f"A note is approved by merging it into {held.name}.")]


def _config(memory: Memory) -> Reply:
    declared, faults = memory.config.vocabulary, memory.config.problems
    if faults:
        hint = faults[0].hint or "gitmem check says more."
        return _line("config", "warning", f"{faults[0].path}: {faults[0].message}", hint)
    return _line("config", "ok", f"{len(declared.types)} types and {len(declared.verbs)} verbs are declared.")


def _files(memory: Memory) -> Reply:
    names = (".gitattributes", ".gitignore")
    missing = [name for name in names if not os.path.isfile(os.path.join(memory.store.folder, name))]
    if missing:
        return _line("files", "warning", f"{FOLDER}/ lacks {' and '.join(missing)}.", "gitmem init writes them.")
    return _line("files", "ok", f"{FOLDER}/ has its {' and '.join(names)}.")


def _hooks(memory: Memory, found: str | None) -> list[Reply]:
    """Returns how Git's hooks and the merge driver stand, nothing where there is no git to run them."""
    from gitmem.operations.hooks import checked

    if memory.repository is None or found is None:
        return []
    try:
        return [_line(*each) for each in checked(memory.repository, environment=memory.environment)]
    except GitmemError:  # told of the repository
        return []


def _cache(memory: Memory, reading: Reading) -> Reply:
    if memory.where.cache is None:
        message = "No cache can be kept: every command reads all notes anew."
        hint = f"See that {FOLDER}/ is yours and {FOLDER}/.cache is a folder you can write."
        return _line("cache", "warning", message, hint)
    view = reading.view
    return _line(
        "cache", "ok", f"Notes known: {len(view.paths())}, of which {view.overlaid} are read from beside the index."
    )


def _model(memory: Memory, reading: Reading) -> Reply:
    chosen = memory.settings.get("model") or "as shipped"
    return _line("model", "ok", f"The model is {chosen}, of {reading.maker.model.dims} dimensions.")


def _notes(reading: Reading) -> Reply:
    entries, files = reading.view.everything(), reading.view.files
    broken = sum(not entry.is_readable for entry in entries)
    if files.unreadable or files.unread:
        lost = len(files.unreadable) + len(files.unread)
        return _line("notes", "warning", f"{lost} files or folders cannot be read.", "gitmem check names them.")
    if broken:
        return _line("notes", "warning", f"Unreadable notes: {broken} of {len(entries)}.", "gitmem check names them.")
    wrong = sum(bool(entry.problems) for entry in entries)
    if wrong:
        message = f"Notes with problems: {wrong} of {len(entries)}."
        return _line("notes", "warning", message, "gitmem check names them.")
    return _line("notes", "ok", f"Unreadable notes: none of {len(entries)}. gitmem check proofreads them.")


def _agents(memory: Memory, reading: Reading) -> list[Reply]:
    from gitmem.operations.attendance import checked

    return [_line(*each) for each in checked(memory, reading.view.everything())]

"""Health: what a clone's memory holds and whether everything around it works."""

import os
from collections.abc import Iterator, Mapping
from typing import Any

from gitmem.errors import GitmemError
from gitmem.notes.note import Entry
from gitmem.notes.store import FOLDER
from gitmem.operations.memory import Memory, open_memory, ready, shown_path
from gitmem.operations.recall import counted
from gitmem.search.document import roles_of
from gitmem.storage import disk, git

Reply = dict[str, Any]  # Any: the JSON of design section 14

OLDEST_GIT = (2, 25)


def status(memory: Memory) -> Reply:
    """Returns what the memory holds and what waits (reply of design section 14)."""
    view = ready(memory).view
    entries = view.everything()
    roles = roles_of(memory.config.vocabulary)
    branch, head = git.head(memory.root, environment=memory.environment) if memory.repository else (None, None)
    recalls, zero_hits, last = counted(memory)
    checkpoints = [entry for entry in entries if entry.note.type in roles.checkpoint]
    return {
        "root": memory.root,
        "branch": branch,
        "head": head,
        "trusted": memory.trusted,
        "notes": _counts(entries),
        "unreviewed": None,
        "stale": None,
        "drifted": None,
        "conflicts": sum(link.verb in roles.contradiction for entry in entries for link in entry.note.links),
        "suspects": None,
        "problems": sum(any(each.severity == "error" for each in entry.problems) for entry in entries),
        "index": {"fresh": not view.overlaid, "notes": len(entries), "bytes": _bytes(memory)},
        "memory": {
            "checkpoint_count": len(checkpoints),
            "recall_count": recalls,
            "recall_zero_hits": zero_hits,
            "last_recall_at": _instant(last),
            "last_checkpoint_at": max((entry.note.created or "" for entry in checkpoints), default="") or None,
        },
        "pending": git.pending(memory.repository.top, shown_path(memory, ""), environment=memory.environment)
        if memory.repository
        else [],
    }


def _instant(seconds: int | None) -> str | None:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if seconds is not None else None


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
    checks = [_git(environment)]
    try:
        memory = open_memory(directory, environment=environment, now=now)
    except GitmemError as error:
        return {"checks": [*checks, _line("memory", "fault", error.message, error.hint)]}
    checks.append(_line("memory", "ok", f"{memory.store.folder}", None))
    checks += [*_around(memory), _cache(memory), _model(memory), _notes(memory)]
    return {"checks": checks}


def _line(name: str, state: str, message: str, hint: str | None) -> Reply:
    return {"name": name, "state": state, "message": message, "hint": hint}


def _git(environment: Mapping[str, str]) -> Reply:
    found = git.version(environment=environment)
    if found is None:
        return _line(
            "git", "warning", "There is no git command: notes can be read and written, nothing more.", "Install Git."
        )
    numbers = tuple(int(part) for part in found.split(".")[:2] if part.isdigit())
    if numbers < OLDEST_GIT:
        return _line(
            "git", "warning", f"git {found} is older than {'.'.join(map(str, OLDEST_GIT))}.", "Install a newer Git."
        )
    return _line("git", "ok", f"git {found}", None)


def _around(memory: Memory) -> Iterator[Reply]:
    """Yields the checks of the repository, the clone's trust, the configuration and the folder's own files."""
    if memory.repository is None:
        yield _line("repository", "warning", "This is no Git repository: nothing is dated or shared.", "git init")
    elif git.ignored(memory.repository.top, shown_path(memory, ""), environment=memory.environment):
        yield _line(
            "repository",
            "warning",
            f"Git ignores {FOLDER}/, so its notes are never shared.",
            f"Take {FOLDER}/ out of .gitignore.",
        )
    else:
        yield _line("repository", "ok", memory.repository.top, None)
    if memory.trusted:
        yield _line("trust", "ok", "This clone's memory is yours.", None)
    else:
        yield _line("trust", "warning", "Nobody has made this clone's memory theirs.", "gitmem init")
    faults = memory.config.problems
    if faults:
        yield _line("config", "warning", f"{faults[0].path}: {faults[0].message}", faults[0].hint or "gitmem check")
    else:
        yield _line(
            "config",
            "ok",
            f"{len(memory.config.vocabulary.types)} types, {len(memory.config.vocabulary.verbs)} verbs",
            None,
        )
    missing = [
        name for name in (".gitattributes", ".gitignore") if not os.path.isfile(os.path.join(memory.store.folder, name))
    ]
    if missing:
        yield _line("files", "warning", f"{FOLDER}/ lacks {' and '.join(missing)}.", "gitmem init")


def _cache(memory: Memory) -> Reply:
    if memory.where.cache is None:
        message = "No cache can be kept: every command reads all notes anew."
        return _line(
            "cache", "warning", message, f"See that {FOLDER}/ is yours and {FOLDER}/.cache is a folder you can write."
        )
    view = ready(memory).view
    return _line("cache", "ok", f"{len(view.paths())} notes, {view.overlaid} newer than the index", None)


def _model(memory: Memory) -> Reply:
    try:
        maker = ready(memory).maker
    except GitmemError as error:
        return _line("model", "fault", error.message, error.hint)
    return _line("model", "ok", f"{memory.settings.get('model') or 'as shipped'}, {maker.model.dims} dimensions", None)


def _notes(memory: Memory) -> Reply:
    entries = ready(memory).view.everything()
    broken = [entry for entry in entries if any(each.severity == "error" for each in entry.problems)]
    if broken:
        return _line("notes", "warning", f"{len(broken)} of {len(entries)} notes have errors.", "gitmem check")
    strays = disk.scan(memory.store.folder).unreadable
    if strays:
        return _line("notes", "warning", f"{len(strays)} folders cannot be read.", "gitmem check")
    return _line("notes", "ok", f"{len(entries)} notes", None)

"""Wiring: a project's memory put in front of a coding agent by its own files, and taken away again without a trace."""

import difflib
import os
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec

from gitmem.errors import GitmemError
from gitmem.operations import guidance, parts, starting, wayback
from gitmem.operations.harness import SERVER, Harness, Where, harness
from gitmem.operations.memory import find_root
from gitmem.operations.parts import Part
from gitmem.operations.wayback import Way
from gitmem.storage import disk, git
from gitmem.storage.root import FOLDER
from gitmem.storage.status import enclosing
from gitmem.values import Any, NamedTuple

Reply = dict[str, Any]  # Any: the JSON of design section 14
Plan = dict[str, tuple[Part, ...]]


class Scope(NamedTuple):
    """Where setup works: the folder that paths are relative to, where the ways back are kept, and whose it is."""

    root: str
    kept: str
    word: str
    repository: git.Repository | None


class _Change(NamedTuple):
    """What one file was and becomes, None for no file, its way back from then on, and what to say of it."""

    path: str
    old: bytes | None
    new: bytes | None
    way: Way | None
    warning: Reply | None = None


def wire(
    directory: str,
    agent: str,
    *,
    environment: Mapping[str, str],
    mode: str = "relaxed",
    scope: str = "project",
    trusting: bool,
    dry_run: bool = False,
) -> Reply:
    """Puts the memory in front of a coding agent: instructions, skills, the MCP server and hooks; twice is once.

    `trusting` says that a person does it: in a project its clone is trusted then. Returns {name, path, scope, mode,
    changed: [paths], diff, dry_run, trusted, warnings}; nothing is committed. Raises GitmemError, with nothing written,
    where a file that has to be changed cannot be understood, and where a project has no memory.
    """
    known = harness(agent)
    where = _scope(directory, environment, scope)
    ways = wayback.load(where.kept)
    plan = _plan(where, known, mode, environment)
    changes = [_put(where, path, ours, agent, ways.get(path)) for path, ours in plan.items()]
    warnings = [each.warning for each in changes if each.warning] + list(_missing(known, scope, environment))
    trusted = _trusted(where, environment)
    if not dry_run:
        kept = {each.path: each.way for each in changes if each.way}
        _write(where, changes, ways | kept, ways | kept)
        if trusting and where.repository and not trusted:
            git.set_setting(where.repository.top, "trusted", "true", environment=environment)
            trusted = True
    if trusted is False and not trusting:
        warnings.append(_untrusted())
    said = _reply(agent, where, changes, warnings, dry_run=dry_run)
    return said | {"mode": mode, "trusted": trusted}


def unwire(
    directory: str, agent: str, *, environment: Mapping[str, str], scope: str = "project", dry_run: bool = False
) -> Reply:
    """Takes away what `wire` put there; a file that nobody changed since gets its old bytes back. Trust stays.

    Returns the reply of `wire`. What another agent that is set up uses as well stays, and is named.
    """
    known = harness(agent)
    where = _scope(directory, environment, scope)
    ways = wayback.load(where.kept)
    plan = _plan(where, known, guidance.MODES[0], environment)
    changes = [_take(where, path, ours, agent, ways.get(path)) for path, ours in plan.items()]
    if not dry_run:
        left = {path: way for path, way in ways.items() if path not in plan}
        _write(where, changes, ways, left | {each.path: each.way for each in changes if each.way})
        _drop_folders(where, [ways[each.path] for each in changes if each.path in ways and not each.way])
    warnings = [each.warning for each in changes if each.warning]
    said = _reply(agent, where, changes, warnings, dry_run=dry_run)
    return said | {"mode": None, "trusted": _trusted(where, environment)}


# Where, and what


def _scope(directory: str, environment: Mapping[str, str], scope: str) -> Scope:
    if scope == "user":
        home = environment.get("HOME") or os.path.expanduser("~")
        if not os.path.isdir(home):
            raise GitmemError("no-home", f"{home} is not a folder.", "Set HOME to your home folder.")
        return Scope(os.path.realpath(home), wayback.users_place(environment, home), scope, None)
    root, repository = find_root(directory), enclosing(directory)
    if root is None:
        raise GitmemError("no-memory", f"{repository.top} has no memory for an agent to use.", "gitmem init makes one.")
    return Scope(root, wayback.place(repository), scope, repository)


def _plan(where: Scope, known: Harness, mode: str, environment: Mapping[str, str]) -> Plan:
    """Returns the parts of every file, by where it really lies: one may be a link to another."""
    plan: dict[str, list[Part]] = {}
    for path, part in _parts(known, where.word, mode):
        place = starting.moved(path, environment) if where.word == "user" else path
        plan.setdefault(_real(where, place), []).append(part)
    return {path: tuple(each) for path, each in plan.items()}


def _real(where: Scope, path: str) -> str:
    """Returns where a file really lies, links followed; in a project no link may lead out of it."""
    real = os.path.realpath(os.path.join(where.root, path))
    inside = os.path.relpath(real, os.path.realpath(where.root))
    within = inside.split(os.sep)
    if where.word == "project" and (".git" in within or FOLDER in within):
        message = f"{path} is a link into {'.git' if '.git' in within else FOLDER}/, which is not the agent's."
        raise GitmemError("symbolic-link", message, "Replace the link by a file.")
    if not inside.startswith(os.pardir):
        return inside
    if where.word == "project":
        message = f"{path} is a link that leads out of the project."
        raise GitmemError("symbolic-link", message, "Replace the link by a file, or use --scope user.")
    return real


def _parts(known: Harness, scope: str, mode: str) -> Iterator[tuple[str, Part]]:
    instructions, skills = _in(known.instructions, scope), _in(known.skills, scope)
    servers, hooks = _in(known.servers, scope), _in(known.hooks_in, scope)
    if instructions:
        yield instructions, parts.block(guidance.instructions(mode))
    for name in guidance.SKILLS if skills else ():
        yield f"{skills}/{name}/SKILL.md", parts.own_file(guidance.skill(name, mode))
    if servers:
        entry = known.server[0 if scope == "project" else 1]
        if servers.endswith(".toml"):
            yield servers, parts.toml_table(f"{known.table}.{SERVER}", entry)
        else:
            yield servers, parts.member((known.table, SERVER), entry)
    for key, value in known.base.items() if hooks else ():
        yield hooks or "", parts.member((key,), value)
    if hooks:
        yield hooks, parts.hooks(known.entries())


def _in(where: Where, scope: str) -> str | None:
    return where.project if scope == "project" else where.user


def _missing(known: Harness, scope: str, environment: Mapping[str, str]) -> Iterator[Reply]:
    """Yields what the vendor has no file for in a scope, and that what was written starts nothing where it does."""
    if _in(known.instructions, scope) is None:
        message = f"{known.name} keeps no instructions of the user's own in a file that is documented."
        yield _warning("no-file", known.name, f"{message} gitmem setup {known.name} puts them into a project.")
    if starting.found(starting.COMMAND, environment) is None:
        message = f"{starting.ABSENT}, so {known.name} will do without it. {starting.MENDING}"
        yield _warning("no-command", known.name, message)
    if _in(known.servers, scope) and find_spec("mcp") is None:
        message = f"The MCP server needs packages that are not installed here: {starting.EXTRA}"
        yield _warning("no-mcp", known.name, message)


# One file


def _put(where: Scope, path: str, ours: Sequence[Part], agent: str, known: Way | None) -> _Change:
    old = _read(where, path)
    new = text = _text(where, path, old)
    for part in ours:
        new = _tried(where, path, part, new)
    data = new.encode()
    users = tuple(dict.fromkeys((*(known.users if known else ()), agent)))
    kept = known._replace(users=users) if known and data == old and known.after == disk.digest(data) else None
    way = kept or wayback.way(users, _before(old, text, ours, known), data, _new_folders(where, path, known))
    left = not all(part.holds(new) for part in ours)
    message = f"{path} holds something of this name already that gitmem did not write; it stays as it is."
    return _Change(path, old, data, way, _warning("kept", path, message) if left else None)


def _tried(where: Scope, path: str, part: Part, text: str) -> str:
    try:
        return part.put(text)
    except ValueError as error:
        message = f"{_shown(where, path)} cannot be changed: {error}."
        raise GitmemError("unreadable", message, "Mend that file, then run the command again.") from error


def _before(old: bytes | None, text: str, ours: Sequence[Part], known: Way | None) -> bytes | None:
    """Returns what a file is without us: as we know it, where nobody changed it since, else with our parts taken out."""
    if known:
        as_left, was = wayback.before(known, old)
        if as_left:
            return was
    without = _stripped(text, ours)
    if without == text or old is None:
        return old
    return without.encode() if _worth(without) else None


def _take(where: Scope, path: str, ours: Sequence[Part], agent: str, known: Way | None) -> _Change:
    old = _read(where, path)
    others = tuple(user for user in known.users if user != agent) if known else ()
    if known and others:
        message = f"{path} serves {' and '.join(others)}, too, and stays."
        return _Change(path, old, old, known._replace(users=others), _warning("shared", path, message))
    as_left, was = wayback.before(known, old) if known else (False, None)
    if as_left or old is None:
        return _Change(path, old, was, None)
    text = _text(where, path, old)
    without = _stripped(text, ours)
    emptied = without != text and not _worth(without) and (known is None or known.was is None)
    new = None if emptied else without.encode()
    return _Change(path, old, new, None, _left(path, text, without, known))


def _left(path: str, text: str, without: str, known: Way | None) -> Reply | None:
    """Returns what to say of a file that does not get its old bytes back, nothing where nothing of ours is in it."""
    if without == text and parts.OWN_FILE.partition("{")[0] in text:
        return _warning("kept", path, f"{path} was changed since gitmem wrote it, and stays; delete it if it may go.")
    if without == text:
        return None
    why = "was changed since" if known else "was not set up by this clone"
    return _warning("changed", path, f"{path} {why}, so only what is gitmem's own was taken out of it.")


def _stripped(text: str, ours: Sequence[Part]) -> str:
    """Returns a text without our parts; one that cannot be understood stays as it is."""
    try:
        for part in ours:
            text = part.take(text)
    except ValueError:
        return text
    return text


def _worth(text: str) -> bool:
    """Returns whether anything of somebody else is left in a file of ours."""
    return "".join(text.split()) not in ("", "{}", '{"version":1}')


def _text(where: Scope, path: str, data: bytes | None) -> str:
    try:
        return (data or b"").decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"{_shown(where, path)} is not UTF-8, so nothing is written into it."
        raise GitmemError("unreadable", message, "Save it as UTF-8, then run the command again.") from error


def _read(where: Scope, path: str) -> bytes | None:
    try:
        return disk.read(os.path.join(where.root, path))
    except FileNotFoundError:
        return None
    except OSError as error:
        message = f"{_shown(where, path)} cannot be read: {error.strerror}."
        raise GitmemError("unreadable", message, "Make it a plain file that you can read.") from error


def _new_folders(where: Scope, path: str, known: Way | None) -> tuple[str, ...]:
    """Returns the folders that have to be made for a file, the deepest first, and those that were made for it before."""
    folder, made = os.path.dirname(path), list(known.folders if known else ())
    while folder and not os.path.lexists(os.path.join(where.root, folder)):
        made.append(folder)
        folder = os.path.dirname(folder)
    return tuple(dict.fromkeys(made))


# The disk, last


def _write(where: Scope, changes: Sequence[_Change], first: Mapping[str, Way], last: Mapping[str, Way]) -> None:
    """Writes what changes, and the ways back that hold before and after: with one too few, old bytes would be lost."""
    with disk.Lock(where.root):
        for each in changes:
            if _read(where, each.path) != each.old:
                message = f"{_shown(where, each.path)} was changed meanwhile."
                raise GitmemError("changed-meanwhile", message, "Run the command again.")
        wayback.save(where.kept, first)
        for each in changes:
            whole = os.path.join(where.root, each.path)
            if each.new is None and each.old is not None:
                disk.remove(os.path.dirname(whole), os.path.basename(whole))
            elif each.new is not None and each.new != each.old:
                disk.save(os.path.dirname(whole), os.path.basename(whole), each.new)
        if last != first:
            wayback.save(where.kept, last)


def _drop_folders(where: Scope, ways: Sequence[Way]) -> None:
    """Takes the folders away that were made for files, as far as they are empty."""
    folders = {folder for way in ways for folder in way.folders}
    for folder in sorted(folders, key=len, reverse=True):
        try:
            os.rmdir(os.path.join(where.root, folder))
        except OSError:  # something lies in it
            continue


# What is said


def _reply(agent: str, where: Scope, changes: Sequence[_Change], warnings: list[Reply], *, dry_run: bool) -> Reply:
    changed = [each for each in changes if each.new != each.old]
    return {
        "name": agent,
        "path": where.root,
        "scope": where.word,
        "changed": [each.path for each in changed],
        "diff": "".join(map(_difference, changed)),
        "dry_run": dry_run,
        "warnings": warnings,
    }


def _difference(change: _Change) -> str:
    before, after = ((data or b"").decode("utf-8", "replace").splitlines(True) for data in (change.old, change.new))
    names = (
        f"a/{change.path}" if change.old is not None else os.devnull,
        f"b/{change.path}" if change.new is not None else os.devnull,
    )
    rows = difflib.unified_diff(before, after, *names)
    return "".join(row if row.endswith("\n") else f"{row}\n\\ No newline at end of file\n" for row in rows)


def _shown(where: Scope, path: str) -> str:
    return os.path.join("~", path) if where.word == "user" and not os.path.isabs(path) else path


def _warning(code: str, name: str, message: str) -> Reply:
    return {"code": code, "name": name, "message": message}


def _trusted(where: Scope, environment: Mapping[str, str]) -> bool | None:
    """Returns whether a project's clone is trusted; of the user's own files there is nothing to trust."""
    if where.repository is None:
        return None
    return git.settings(where.repository.top, environment=environment).get("trusted") == "true"


def _untrusted() -> Reply:
    message = (
        "An agent set this up, so this clone stays untrusted and its hooks show no notes; a person types gitmem trust."
    )
    return _warning("untrusted", "trust", message)

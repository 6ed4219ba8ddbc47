"""The commands that write: each one operation called, with what its writer is told."""

import os
from collections.abc import Callable

from gitmem.errors import GitmemError
from gitmem.faces import render
from gitmem.faces.agents import writer
from gitmem.faces.call import Call, Outcome, usage
from gitmem.values import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gitmem.operations.draft import Draft


def _remember(call: Call) -> Outcome:
    from gitmem.operations.write import remember

    values = call.values
    if values["batch"] is not None:
        return _remember_batch(call)
    if values["title"] is None or values["type"] is None:
        hint = 'gitmem remember "A title" --type TYPE; gitmem vocabulary lists the types.'
        raise usage("A note needs a title and a --type.", hint)
    memory, draft = call.memory(), _draft(call)._replace(name=values["name"])
    options = {key: values[key] for key in ("allow_duplicate", "allow_tombstoned", "dry_run")}
    result = remember(memory, draft, writer(call, memory), **options)
    refused = bool(result["duplicates"]) and not result["created"] and not values["allow_duplicate"]
    done = None if refused else "would remember" if values["dry_run"] else "remembered"
    return Outcome(result, int(refused), lambda view: render.written(result, done, view))


def _remember_batch(call: Call) -> Outcome:
    from gitmem.operations.write import remember_batch

    others = [key for key, value in call.values.items() if key != "batch" and value not in (None, False, ())]
    if others:
        raise usage("--batch takes its notes from the file alone.", f"Leave out {', '.join(others)}.")
    memory = call.memory()
    result = remember_batch(memory, _batch_text(call), writer(call, memory))
    done = all(item.get("created") for item in result["results"])
    return Outcome(result, int(not done), lambda view: render.batch(result))


def _batch_text(call: Call) -> str:
    path = call.values["batch"]
    if path == "-":
        return _decoded(call.stdin(), "Standard input")
    try:
        with open(os.path.join(call.directory, path), "rb") as file:
            return _decoded(file.read(), path)
    except OSError as error:
        raise usage(f"{path} cannot be read: {error.strerror}.", "--batch takes a file of JSON lines, or -.") from error


def _decoded(data: bytes, what: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise usage(f"{what} is not valid UTF-8 (byte {error.start}).", "Notes are UTF-8; convert it first.") from error


def _draft(call: Call) -> "Draft":
    from gitmem.operations.draft import Draft

    values = call.values
    return Draft(
        title=values["title"],
        type=values["type"],
        body=_decoded(call.stdin(), "Standard input") if values["body"] == "-" else values["body"],
        summary=values["summary"],
        tags=_listed(values["tag"]),
        add_tags=values.get("add_tag", ()),
        remove_tags=values.get("remove_tag", ()),
        aliases=_listed(values["alias"]),
        touches=_listed(call.places(values["touches"])),
        add_touches=call.places(values.get("add_touches", ())),
        remove_touches=call.places(values.get("remove_touches", ())),
        links=_listed(values["link"]),
        domain=values["domain"],
        status=values["status"],
        durability=values["durability"],
        confidence=values["confidence"],
        created=values["created"],
        session=values["session"],
        sensitive=_sensitive(values["sensitive"], values.get("no_sensitive", False)),
    )


def _sensitive(yes: bool, no: bool) -> bool | None:
    """Returns what was said of a note's text: that it is sensitive, that it is not, or nothing (None)."""
    if yes and no:
        raise usage("--sensitive and --no-sensitive contradict each other.", "Give one of them.")
    return True if yes else False if no else None


def _listed(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """Returns a list as a draft has it: None where it was not given, empty where it was given as ''."""
    return tuple(word for word in words if word) if words else None


def _revise(call: Call) -> Outcome:
    from gitmem.operations.write import revise

    dry_run, memory = call.values["dry_run"], call.memory()
    options = {"expect": call.values["expect"], "dry_run": dry_run, "author": writer(call, memory)}
    result = revise(memory, call.note(), _draft(call), **options)
    if not result["changed"]:
        return _changed(result, "", call)
    done = "would revise" if dry_run else "revised"
    return Outcome(result, 0, lambda view: render.written(result, done, view))


def _edit(call: Call) -> Outcome:
    from gitmem.operations.write import edit_save, edit_start
    from gitmem.storage.disk import digest

    _check_attended(call)
    memory = call.memory()
    shown, path, data = edit_start(memory, call.note())
    copy, edited = _edited(call, path, data)
    if edited == data:
        _discard(copy)
        unchanged = {"name": os.path.basename(path).removesuffix(".md"), "path": shown, "changed": []}
        return Outcome(unchanged, 0, lambda view: render.changed(unchanged, "", view))
    try:
        result = edit_save(memory, call.note(), edited, expect=digest(data), author=writer(call, memory))
    except GitmemError as error:
        kept = f"Your text is kept in {copy}; {shown} is as it was."
        hint = f"{error.hint}\n{kept}" if error.hint else kept
        raise GitmemError(error.code, error.message, hint, status=error.status) from error
    _discard(copy)
    return Outcome(result, 0, lambda view: render.written(result, "revised", view))


def _check_attended(call: Call) -> None:
    """Refuses an editor that nobody would see: it would wait for keys that never come."""
    from shlex import quote

    from gitmem.faces.agents import agent

    if call.attended and not agent(call.environment):
        return
    hint = (
        f"gitmem revise {quote(call.values['name'])} --body - < FILE changes its text; gitmem revise --help says more."
    )
    raise GitmemError("no-terminal", "edit opens an editor, which needs a person at a terminal.", hint)


def _edited(call: Call, path: str, data: bytes) -> tuple[str, bytes]:
    """Returns a copy of a note, and what the user's editor made of it."""
    import tempfile

    from gitmem.storage.programs import run_editor

    editor = call.environment.get("VISUAL") or call.environment.get("EDITOR") or "vi"
    copy = os.path.join(tempfile.mkdtemp(prefix="gitmem-"), os.path.basename(path))
    with open(copy, "wb") as file:
        file.write(data)
    status = run_editor(editor, copy)
    with open(copy, "rb") as file:
        edited = file.read()
    if status:
        typed = edited != data
        if not typed:
            _discard(copy)
        hint = f"Nothing was saved. Your text is kept in {copy}." if typed else "Set VISUAL or EDITOR to your editor."
        raise GitmemError("editor", f"{editor} ended with status {status}; the note is as it was.", hint)
    return copy, edited


def _discard(copy: str) -> None:
    import shutil

    shutil.rmtree(os.path.dirname(copy), ignore_errors=True)  # editors leave their own files beside it


def _link(call: Call) -> Outcome:
    from gitmem.operations.links import link

    source, verb, target = call.note("source"), call.values["verb"], call.note("target")
    memory, values = call.memory(), call.values
    author = writer(call, memory)
    result = link(memory, source, verb, target, note=values["note"], weight=values["weight"], author=author)
    return _changed(result, "linked", call, "source", "verb", "target")


def _unlink(call: Call) -> Outcome:
    from gitmem.operations.links import unlink

    memory = call.memory()
    source, verb, target = call.note("source"), call.values["verb"], call.note("target")
    result = unlink(memory, source, verb, target, author=writer(call, memory))
    return _changed(result, "unlinked", call, "source", "verb", "target")


def _rename(call: Call) -> Outcome:
    from gitmem.operations.links import rename

    return _changed(rename(call.memory(), call.note(), call.values["new_name"]), "renamed to", call, "new_name")


def _resolve(call: Call) -> Outcome:
    from gitmem.operations.links import resolve

    memory, ended = call.memory(), call.values["as"] or "resolved"
    who = writer(call, memory)
    return _changed(resolve(memory, call.note(), by=call.values["by"], status=ended, author=who), ended, call, "name")


def _checkpoint(call: Call) -> Outcome:
    from gitmem.faces import commits
    from gitmem.operations.checkpoint import Asked, Said, checkpoint

    values, memory = call.values, call.memory()
    said = Said(
        values["title"],
        body=_decoded(call.stdin(), "Standard input") if values["body"] == "-" else values["body"],
        next_steps=values["next"],
        events=values["event"],
        touches=call.places(values["touches"]),
        tags=values["tag"],
        session=values["session"],
    )
    include = tuple(call.named(word) for word in values["include"])
    asked = Asked(include, values["allow_deletions"], verify=not values["no_verify"])
    result = checkpoint(memory, said, writer(call, memory), asked)
    return Outcome(result, 0, lambda view: commits.checkpoint(result, view))


def _changed(result: dict[str, Any], done: str, call: Call, *keys: str) -> Outcome:
    said = " ".join([done, *(call.values[key] for key in keys)])
    return Outcome(result, 0, lambda view: render.changed(result, said, view))


def _retiring(name: str) -> Callable[[Call], Outcome]:
    """Returns the command of this name, imported when it is called."""

    def answer(call: Call) -> Outcome:
        from gitmem.faces import retirement

        return retirement.VERBS[name](call)

    return answer


VERBS: dict[str, Callable[[Call], Outcome]] = {
    **{name: _retiring(name) for name in ("bury", "forget", "merge")},
    "remember": _remember,
    "revise": _revise,
    "edit": _edit,
    "link": _link,
    "unlink": _unlink,
    "rename": _rename,
    "resolve": _resolve,
    "checkpoint": _checkpoint,
}

"""The vocabulary: shown, added to, and renamed through every note that uses it."""

import os
from collections.abc import Callable
from functools import partial

from gitmem.errors import GitmemError
from gitmem.notes import amendment, frontmatter, secrets, surgery
from gitmem.notes import store as notes
from gitmem.notes.entry import link_value, read
from gitmem.notes.name import fold
from gitmem.notes.note import Entry
from gitmem.notes.preset import preset_text
from gitmem.notes.vocabulary import KINDS, STATUSES, WORKLIST_STATUSES, words_of
from gitmem.operations.memory import CONFIG, Memory, shown_path
from gitmem.operations.unfinished import guard_tracked
from gitmem.storage import disk
from gitmem.values import Any

Reply = dict[str, Any]  # Any: the JSON of design section 14


def vocabulary(memory: Memory) -> Reply:
    """Returns every declared word with what it is for."""
    declared = memory.config.vocabulary
    return {
        "types": [each._asdict() for each in declared.types.values()],
        "verbs": [each._asdict() for each in declared.verbs.values()],
        "domains": [{"name": name, "holds": holds} for name, holds in declared.domains.items()],
        "statuses": [{"name": name, "of": "worklist"} for name in WORKLIST_STATUSES]
        + [{"name": name, "of": "any"} for name in STATUSES],
    }


def vocabulary_add(memory: Memory, kind: str, new: tuple[str, ...], **options: str | int) -> Reply:
    """Declares words in config.toml, which is made, with all shipped words, where it is missing; comments survive."""
    _check_secrets(*new, *(value for value in options.values() if isinstance(value, str)))
    with notes.lock(memory.store):
        text = _text(memory)
        for word in new:
            text = _told(partial(amendment.add, text, kind, word, **options))
        guard_tracked(memory, [CONFIG])
        created = not os.path.lexists(os.path.join(memory.store.folder, CONFIG))
        disk.save(memory.store.folder, CONFIG, text.encode())
    return {"path": shown_path(memory, CONFIG), "added": [fold(word.strip()) for word in new], "created": created}


def _check_secrets(*texts: str) -> None:
    for text in texts:
        secrets.check(text, "the declaration")


def _told(change: Callable[[], str]) -> str:
    """Returns the changed text; a refusal that has no hint says where the rules for words stand."""
    try:
        return change()
    except GitmemError as error:
        hint = (
            error.hint or "gitmem vocabulary --help says what a word can be; gitmem vocabulary shows those there are."
        )
        raise GitmemError(error.code, error.message, hint, status=error.status) from error


def _text(memory: Memory) -> str:
    try:
        return disk.read(os.path.join(memory.store.folder, CONFIG)).decode()
    except FileNotFoundError:
        return preset_text("engram")
    except UnicodeDecodeError as error:
        raise GitmemError("config-unclear", f"{CONFIG} is not UTF-8.", "Save it as UTF-8.") from error


def vocabulary_rename(memory: Memory, old: str, new: str) -> Reply:
    """Renames a word where it is declared and in every note; the notes go first, so that a second run ends a broken one."""
    kind = _kind(memory, old)
    _check_secrets(new)
    with notes.lock(memory.store):
        text = _told(partial(amendment.rename, _text(memory), kind, old, new))
        old, new = fold(old.strip()), fold(new.strip())
        entries = [notes.load(memory.store, path) for path in disk.note_paths(memory.store.folder)]
        using = [entry for entry in entries if _uses(entry, kind, old)]
        _check_movable(memory, using, kind, old, new)
        guard_tracked(memory, [CONFIG, *(entry.path for entry in using)])
        changed = [_migrate(memory, entry, kind, old, new) for entry in using]
        if kind == "type":
            disk.prune(memory.store.folder, old)
        disk.save(memory.store.folder, CONFIG, text.encode())
    return {"path": shown_path(memory, CONFIG), "changed": changed}


def _kind(memory: Memory, word: str) -> str:
    for kind in KINDS:
        if fold(word.strip()) in map(fold, words_of(memory.config.vocabulary, kind)):
            return kind
    message = f"{word!r} is no declared type, verb or domain."
    raise GitmemError("unknown-word", message, "gitmem vocabulary shows the words.")


def _uses(entry: Entry, kind: str, word: str) -> bool:
    if kind == "verb":
        return any(link.verb == word for link in entry.note.links)
    return fold((entry.note.type if kind == "type" else entry.note.domain) or "") == word


def _check_movable(memory: Memory, using: list[Entry], kind: str, old: str, new: str) -> None:
    """Refuses, before anything is written, where a note could not be changed or its new place is taken."""
    for entry in using:
        path = _new_path(entry, kind, old, new)
        if not entry.is_readable:
            message = f"{shown_path(memory, entry.path)} uses {old} and has errors, so it cannot be changed."
            raise GitmemError("unparsable", message, "Mend it first: gitmem check says what is wrong.")
        if path != entry.path and os.path.lexists(os.path.join(memory.store.folder, path)):
            message = f"{shown_path(memory, path)} is in the way of {shown_path(memory, entry.path)}."
            raise GitmemError("name-taken", message, f"Rename one first: gitmem rename {entry.path} NEW-NAME")


def _new_path(entry: Entry, kind: str, old: str, new: str) -> str:
    """Returns where a note lies after the rename: with its type's folder, where it lies in that."""
    folder, slash, rest = entry.path.partition("/")
    return f"{new}/{rest}" if kind == "type" and slash and folder == old else entry.path


def _migrate(memory: Memory, entry: Entry, kind: str, old: str, new: str) -> str:
    """Changes one note and returns its path; moved first, so that it still uses the old word until it is done."""
    path = _new_path(entry, kind, old, new)
    data = notes.raw(memory.store, entry.path)
    new_data = _with_verb(memory, data, old, new) if kind == "verb" else _with_word(data, kind, new)
    if path != entry.path:
        notes.move(memory.store, entry.path, path)
    if new_data != data:
        notes.save(memory.store, path, new_data)
    return shown_path(memory, path)


def _with_word(data: bytes, kind: str, new: str) -> bytes:
    """Returns a file whose field says the new word; one that leaves its type to the folder stays as it is."""
    if kind in frontmatter.parse(data, "").fields:
        return frontmatter.rewrite(data, {kind: new})
    return data


def _with_verb(memory: Memory, data: bytes, old: str, new: str) -> bytes:
    """Returns a file whose field has the new verb's name, its claims and comments as they were.

    Where the field of the new name is there already, or is not written as a line of its own, the claims are written anew.
    """
    document = frontmatter.parse(data, "")
    if new not in document.fields:
        lines = surgery.split_lines(data.decode())
        renamed = "".join(surgery.rename(lines, document.lines[old] - 1, old, new)).encode()
        fields = {new if key == old else key: value for key, value in document.fields.items()}
        if frontmatter.parse(renamed, "").fields == fields:
            return renamed
    links = read("", data, verbs=(*memory.store.verbs, new)).note.links
    claims = {fold(link.to): link for link in links if link.verb in (new, old)}
    return frontmatter.rewrite(data, {new: link_value(list(claims.values()))}, removed=[old])

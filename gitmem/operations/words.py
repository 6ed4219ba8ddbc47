"""The vocabulary: shown, added to, and renamed through every note that uses it."""

import os
from typing import Any

from gitmem.errors import GitmemError
from gitmem.notes import config as configuration
from gitmem.notes import store as notes
from gitmem.notes.name import fold
from gitmem.notes.note import Entry, Note
from gitmem.notes.vocabulary import STATUSES, WORKLIST_STATUSES
from gitmem.operations.memory import CONFIG, Memory, shown_path
from gitmem.operations.write import guard_tracked
from gitmem.storage import disk

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
    """Declares words in config.toml, which is made where it is missing; comments survive."""
    with notes.lock(memory.store):
        text = _text(memory)
        for word in new:
            text = configuration.add(text, kind, word, **options)
        disk.save(memory.store.folder, CONFIG, text.encode())
    return {"path": shown_path(memory, CONFIG), "added": [fold(word.strip()) for word in new]}


def _text(memory: Memory) -> str:
    try:
        return disk.read(os.path.join(memory.store.folder, CONFIG)).decode()
    except FileNotFoundError:
        return configuration.preset_text("engram")
    except UnicodeDecodeError as error:
        raise GitmemError("config-unclear", f"{CONFIG} is not UTF-8.", "Save it as UTF-8.") from error


def vocabulary_rename(memory: Memory, old: str, new: str) -> Reply:
    """Renames a word where it is declared and in every note; the notes go first, so that a second run ends a broken one."""
    kind = _kind(memory, old)
    with notes.lock(memory.store):
        text = configuration.rename(_text(memory), kind, old, new)
        old, new = fold(old.strip()), fold(new.strip())
        entries = [notes.load(memory.store, path) for path in disk.note_paths(memory.store.folder)]
        using = [entry for entry in entries if _uses(entry.note, kind, old)]
        guard_tracked(memory, [entry.path for entry in using])
        changed = [_migrate(memory, entry, kind, old, new) for entry in using]
        disk.save(memory.store.folder, CONFIG, text.encode())
    return {"path": shown_path(memory, CONFIG), "changed": changed}


def _kind(memory: Memory, word: str) -> str:
    declared = memory.config.vocabulary
    tables: tuple[tuple[str, Any], ...] = (
        ("type", declared.types),
        ("verb", declared.verbs),
        ("domain", declared.domains),
    )
    kinds = [kind for kind, table in tables if fold(word.strip()) in table]
    if not kinds:
        raise GitmemError(
            "unknown-word", f"{word!r} is no declared type, verb or domain.", "gitmem vocabulary shows the words."
        )
    return kinds[0]


def _uses(note: Note, kind: str, word: str) -> bool:
    if kind == "verb":
        return any(link.verb == word for link in note.links)
    return (note.type if kind == "type" else note.domain) == word


def _migrate(memory: Memory, entry: Entry, kind: str, old: str, new: str) -> str:
    from gitmem.notes import frontmatter
    from gitmem.notes.entry import link_value

    data = notes.raw(memory.store, entry.path)
    if kind == "verb":
        claims = [link._replace(verb=new) for link in entry.note.links if link.verb == old]
        data = frontmatter.rewrite(data, {new: link_value(claims)}, removed=[old])
    elif kind == "domain":
        data = frontmatter.rewrite(data, {"domain": new})
    else:
        data = frontmatter.rewrite(data, {"type": new})
    notes.save(memory.store, entry.path, data)
    path = f"{new}/{entry.name}.md"
    if kind == "type" and entry.path == f"{old}/{entry.name}.md":
        disk.move(memory.store.folder, entry.path, path)
        return shown_path(memory, path)
    return shown_path(memory, entry.path)

"""Dangling: what links to notes and mentions them, and means nothing once they are gone."""

from collections.abc import Collection, Iterator, Sequence
from shlex import quote

from gitmem.notes.name import fold
from gitmem.notes.note import Entry
from gitmem.notes.prose import mentions
from gitmem.operations.memory import Finder
from gitmem.values import Any

Reply = dict[str, Any]  # Any: the JSON of design section 14


def dangling(finder: Finder, gone: Sequence[Entry], coming: Collection[str] = ()) -> Iterator[Reply]:
    """Yields the links and mentions that mean notes which go, and nothing then; `coming` are names that come back."""
    paths, back = {entry.path for entry in gone}, set(map(fold, coming))
    words = {fold(word) for entry in gone for word in finder.spellings(entry) if not _other(finder, word, paths)}
    lost = words - back
    for source in finder.view.everything() if lost else ():
        if source.path not in paths:
            said: list[tuple[str | None, str]] = [(link.verb, link.to) for link in source.note.links]
            said += [(None, word) for word in mentions(source.note.body)] if "[[" in source.note.body else []
            yield from ({"name": source.name, "verb": verb, "to": to} for verb, to in said if fold(to) in lost)


def _other(finder: Finder, word: str, gone: Collection[str]) -> bool:
    """Returns whether a word means another note once some are gone."""
    holders = [*finder.names.paths(word), *(each.path for each in finder.holding("alias", [word]))]
    return any(path not in gone for path in holders)


def warned(item: Reply) -> Reply:
    """Returns the warning of one of them."""
    name, verb, to = item["name"], item["verb"], item["to"]
    if verb is None:
        message = f"{name} mentions [[{to}]], which is gone."
        return {"code": "dangling-mention", "name": name, "message": message}
    message = f"{name} links to {to} ({verb}), which is gone: gitmem unlink {quote(name)} {verb} {quote(to)}"
    return {"code": "dangling-link", "name": name, "message": message}

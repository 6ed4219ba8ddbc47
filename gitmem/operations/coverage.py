"""Coverage: what a note that is replaced has, and its replacement has not."""

from collections.abc import Iterator, Sequence

from gitmem.notes import vocabulary as words
from gitmem.notes.name import fold
from gitmem.notes.note import Entry, Link, Note
from gitmem.notes.shown import cut
from gitmem.notes.touch import unhashed
from gitmem.operations.draft import Author
from gitmem.operations.memory import Finder
from gitmem.operations.retiring import RETIRED, retired
from gitmem.search.document import touched_places
from gitmem.values import Any

Reply = dict[str, Any]  # Any: the JSON of design section 14

SHOWN = 200  # characters of what is lacking, in one message


def covers_less(finder: Finder, name: str, note: Note, before: Sequence[Link]) -> list[Reply]:
    """Returns a warning for each note that a note of this name replaces since, and that has tags, touches or links more.

    `before` are the links that the note had; those of supersession and between the two do not count. A touch is covered
    by one of the file or a folder that it lies in.
    """
    found = ((target, list(_lacking(finder, name, note, target))) for target in replaced(finder, note, before))
    return [_warning(name, target, lacking) for target, lacking in found if lacking]


def replaced(finder: Finder, note: Note, before: Sequence[Link]) -> list[Entry]:
    """Returns the notes that a note replaces, and that it did not by the links it had before."""
    verbs = words.verbs_with(finder.memory.config.vocabulary, "supersession")
    known = {fold(link.to) for link in before if link.verb in verbs}
    came = [link.to for link in note.links if link.verb in verbs and fold(link.to) not in known]
    return list({path: finder.load(path) for word in came if (path := finder.target(word))}.values())


def _warning(name: str, target: Entry, lacking: Sequence[str]) -> Reply:
    message = f"{name} covers less than {target.name}, which it replaces: it lacks {cut('; '.join(lacking), SHOWN)}."
    return {"code": "covers-less", "name": target.name, "message": message}


def _lacking(finder: Finder, name: str, note: Note, target: Entry) -> Iterator[str]:
    """Yields in words the tags, the touches and the links that a note has not and its target has."""
    places = {unhashed(touch).casefold() for touch in note.touches}
    lists = {
        "tag": [tag for tag in target.note.tags if tag not in note.tags],
        "touch": [unhashed(touch) for touch in target.note.touches if places.isdisjoint(touched_places(touch))],
        "link": [f"{link.verb} {link.to}" for link in _links(finder, name, note, target)],
    }
    plural = {"tag": "tags", "touch": "touches", "link": "links"}
    for kind, items in lists.items():
        if items:
            yield f"the {kind if len(items) == 1 else plural[kind]} {', '.join(items)}"


def _links(finder: Finder, name: str, note: Note, target: Entry) -> Iterator[Link]:
    """Yields the links of a replaced note that its replacement does not make."""
    verbs = words.verbs_with(finder.memory.config.vocabulary, "supersession")
    own = {fold(word) for word in (name, *note.aliases)}
    made = {(link.verb, _meant(finder, link)) for link in note.links}
    for link in target.note.links:
        inner = link.verb in verbs or fold(link.to) in own
        if not inner and (link.verb, _meant(finder, link)) not in made:
            yield link


def _meant(finder: Finder, link: Link) -> str:
    return finder.target(link.to) or fold(link.to)


def noted(finder: Finder, reply: Reply, entry: Entry, before: Entry | None, author: Author | None) -> Reply:
    """Returns the reply of a write with what goes with the notes that it puts away, asked before it is written.

    `entry` is the note as it is to be, `before` as it was: it covers less than what it replaces since, or is archived.
    """
    links = before.note.links if before else ()
    gone = replaced(finder, entry.note, links)
    warnings = [*covers_less(finder, entry.name, entry.note, links), *retired(finder, gone, author, entry.note)]
    if before and entry.note.status in RETIRED:
        warnings += retired(finder, [before], author)
    return reply | {"warnings": [*reply["warnings"], *warnings]}

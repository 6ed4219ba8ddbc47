"""Succession: what stands against notes by what others say of them, and which note holds now in place of one."""

from collections.abc import Collection, Sequence

from gitmem.knowledge import graph as graphs
from gitmem.knowledge.graph import Graph
from gitmem.notes.name import fold
from gitmem.notes.note import Entry
from gitmem.operations.memory import Finder
from gitmem.operations.standing import Judge
from gitmem.search.document import roles_of
from gitmem.values import Any

Reply = dict[str, Any]  # Any: the JSON of design section 14

# What is told beside a note's name wherever it is only named; how its code and its dates are, `show` tells.
TOLD = ("tombstone", "superseded", "archived", "contested")
UNKNOWN: Reply = {"marks": [], "now": None}


def around(finder: Finder, starts: Sequence[Entry], verbs: Collection[str], depth: int | None) -> Graph:
    """Returns the graph of the notes within `depth` links of these verbs from some notes; None is any number.

    Every name and alias in it means what it means among all notes, so that a walk here is a walk in the whole.
    """
    found, fresh, level = {start.path: start for start in starts}, list(starts), 0
    while fresh and (depth is None or level < depth):
        targets = [link.to for entry in fresh for link in entry.note.links if link.verb in verbs]
        reached = [*_holders(finder, targets), *_claimants(finder, fresh, verbs)]
        fresh = list({entry.path: entry for entry in reached if entry.path not in found}.values())
        found |= {entry.path: entry for entry in fresh}
        level += 1
    aliases = [alias for entry in found.values() for alias in entry.note.aliases]
    found |= {entry.path: entry for entry in _holders(finder, aliases)}
    return graphs.build(list(found.values()))


def _claimants(finder: Finder, targets: Sequence[Entry], verbs: Collection[str]) -> list[Entry]:
    own = {fold(word) for entry in targets for word in (entry.name, *entry.note.aliases)}
    return [
        entry
        for entry in finder.holding("to", sorted(own))
        if any(link.verb in verbs and fold(link.to) in own for link in entry.note.links)
    ]


def _holders(finder: Finder, words: Sequence[str]) -> list[Entry]:
    return [*finder.holding("key", words), *finder.holding("alias", words)]


def told(finder: Finder, entries: Sequence[Entry]) -> dict[str, Reply]:
    """Returns, by path, which marks of TOLD each note has, and the name of what holds now where it is superseded.

    `now` is None where nothing tells what replaced it, and in a ring of notes that replace one another.
    """
    roles = roles_of(finder.memory.config.vocabulary)
    standings = Judge(finder.memory, finder.view, roles).of(entries)
    marks = {path: [mark for mark in each.marks if mark in TOLD] for path, each in standings.items()}
    heads = _heads(finder, [entry for entry in entries if "superseded" in marks[entry.path]], roles.supersession)
    return {path: {"marks": each, "now": heads.get(path)} for path, each in marks.items()}


def _heads(finder: Finder, entries: Sequence[Entry], verbs: Collection[str]) -> dict[str, str]:
    """Returns, by path, the name of the note at which the chain of replacements of each note ends."""
    if not entries:
        return {}
    replaced = graphs.replacements(around(finder, entries, verbs, None), verbs)
    heads = {entry.path: graphs.head(entry, replaced) for entry in entries}
    return {path: head.name for path, head in heads.items() if head.path != path and head.path not in replaced}

"""Lapse: what an edit takes from a note that a person stands for, by an approval or as its author."""

from collections.abc import Mapping

from gitmem.notes.entry import edit_digest
from gitmem.notes.note import Note
from gitmem.operations.draft import Author
from gitmem.operations.running import agent
from gitmem.values import Any

Reply = dict[str, Any]  # Any: the JSON of design section 14


def is_agent(environment: Mapping[str, str], author: Author | None) -> bool:
    """Returns whether an agent acts; without an author the environment tells."""
    return author.source != "user" if author else agent(environment) is not None


def owned(old: Note, new: Note, environment: Mapping[str, str], author: Author | None) -> Note:
    """Returns an edited note under whom it is to stand: what a person wrote is an agent's once that changes what it says.

    So it is where what its trust goes by is changed: its type, its durability, and when it was written.
    """
    same = edit_digest(old) == edit_digest(new) and _dated(old) == _dated(new)
    if old.source != "user" or same or not is_agent(environment, author):
        return new
    return new._replace(source="agent", agent=author.agent if author else agent(environment))


def lapsed(reply: Reply, old: Note, new: Note, name: str = "") -> Reply:
    """Returns the reply of an edit with a warning more where a person stood for the note as it was and no more.

    `name` is that of the note where it is another than the reply's.
    """
    return reply | {"warnings": [*reply["warnings"], *lapse(old, new, name or reply["name"])]}


def lapse(old: Note, new: Note, name: str) -> list[Reply]:
    """Returns the warning that an edit ends that a person stands for a note, none where it does not."""
    if _is_approved(old) and not _is_approved(new):
        message = f"The edit voids the approval of {name}; a person renews it: gitmem approve {name}"
    elif old.source == "user" and new.source != "user":
        message = f"A person wrote {name}, and no person made this edit, so it is unreviewed: gitmem approve {name}"
    else:
        return []
    return [{"code": "approval-void", "name": name, "message": message}]


def _dated(note: Note) -> tuple[str | None, ...]:
    return note.type, note.durability, note.created


def _is_approved(note: Note) -> bool:
    return note.approved is not None and note.approved.of == edit_digest(note)

"""Lapse: what an edit takes from a note that a person approved."""

from gitmem.notes.entry import edit_digest
from gitmem.notes.note import Note
from gitmem.values import Any

Reply = dict[str, Any]  # Any: the JSON of design section 14


def lapsed(reply: Reply, old: Note, new: Note) -> Reply:
    """Returns the reply of an edit with a warning more where it voids the approval that the note had."""
    if not _holds(old) or _holds(new):
        return reply
    name = reply["name"]
    message = f"The edit voids the approval of {name}; a person renews it: gitmem approve {name}"
    return reply | {"warnings": [*reply["warnings"], {"code": "approval-void", "name": name, "message": message}]}


def _holds(note: Note) -> bool:
    return note.approved is not None and note.approved.of == edit_digest(note)

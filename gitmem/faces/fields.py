"""Fields: what a note's front matter says, as `show` prints it, a label and a text for each."""

from collections.abc import Iterator, Mapping

from gitmem.values import Any

APART = ("title", "type", "summary", "touches", "confirmed_by")  # said elsewhere, or with another


def shown(note: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yields the label and the text of each field of a note that is shown by itself; links are not."""
    fields, verbs = note["fields"], {link["verb"] for link in note["links_out"]}
    for key, value in fields.items():
        if key == "confirmed":
            yield key, _confirmed(plain(value), fields.get("confirmed_by"))
        elif key == "approved" and isinstance(value, Mapping):
            yield key, _approved(value, note)
        elif key not in APART and key not in verbs:
            yield key, plain(value)


def _confirmed(day: str, by: Any) -> str:  # Any: whatever JSON has
    return f"{day} by {plain(by)}" if by else day


def _approved(value: Mapping[str, Any], note: Mapping[str, Any]) -> str:
    """Returns when and by whom a note was approved, and where that is void, that it is: the note was edited since."""
    said = " by ".join(plain(value[key]) for key in ("at", "by") if value.get(key)) or plain(value)
    holds = note["standing"] is None or "approved" in note["marks"]
    return said if holds else f"{said}; void for the note as it is now"


def plain(value: Any) -> str:  # Any: whatever JSON has
    """Returns a value as a person writes it; what has parts, as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    if value is None:
        return ""
    import json

    return json.dumps(value, ensure_ascii=False)

"""The lines of a client: mended where they hold half a character, and answerable where they are no message."""

import json
import re

_ESCAPE = r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"


def mended(line: str) -> str:
    """Returns a line of JSON with U+FFFD for every half of a character, which a client leaves where it cuts a text."""
    if "\\ud" not in line and "\\uD" not in line:
        return line
    return re.sub(_ESCAPE, lambda found: "\\ufffd" if found[1] else found[0], line)


def id_of(line: str) -> str | int | None:
    """Returns the id by which a line that is no message can be answered, None where it tells none."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    known = said.get("id") if isinstance(said, dict) else None
    return known if isinstance(known, str | int) and not isinstance(known, bool) else None

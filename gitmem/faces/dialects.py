"""The JSON of coding agents' hooks: what each says of an event, and how it wants to be answered."""

import json
from collections.abc import Iterator

from gitmem.operations.harness import END, START, TOUCHED
from gitmem.values import Any, NamedTuple

# The vendor's own names, from the pages that gitmem.operations.harness names.
EVENTS = {
    "claude-code": {START: "SessionStart", TOUCHED: "PostToolUse"},
    "codex": {START: "SessionStart", TOUCHED: "PostToolUse"},
    "gemini-cli": {START: "SessionStart", TOUCHED: "AfterTool"},
    "cursor": {},
}
AGENTS = tuple(EVENTS)
READING = ("Read", "read_file")
PATHS = ("file_path", "path")
# The lines of a patch of apply_patch that name a file.
PATCHED = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")


class Event(NamedTuple):
    """What an agent says: which conversation, where, how it started, which files, whether it changed them, and whether
    this end of a turn has been answered before or was no plain end."""

    session: str
    directory: str | None
    source: str
    paths: tuple[str, ...]
    edits: bool
    again: bool


def understood(data: bytes) -> Event:
    """Returns what the JSON of a hook says, nothing of what is no object; raises ValueError where it is no JSON."""
    said = json.loads(data.decode("utf-8", "replace"))
    if not isinstance(said, dict):
        said = {}  # nothing that we know how to read
    given = said.get("tool_input")
    again = (
        bool(said.get("stop_hook_active") or said.get("loop_count")) or said.get("status", "completed") != "completed"
    )
    return Event(
        _text(said, "session_id") or _text(said, "conversation_id"),
        _text(said, "cwd") or next(_texts(said.get("workspace_roots")), None),
        _text(said, "source"),
        tuple(_paths(given)),
        _text(said, "tool_name") not in READING,
        again,
    )


def _text(said: dict[str, Any], key: str) -> str:  # Any: JSON
    value = said.get(key)
    return value if isinstance(value, str) else ""


def _texts(value: Any) -> Iterator[str]:  # Any: JSON
    yield from (each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def _paths(given: Any) -> Iterator[str]:  # Any: JSON
    """Yields the files that a tool was given: by a key, or in a patch."""
    if not isinstance(given, dict):
        return
    yield from (_text(given, key) for key in PATHS if _text(given, key))
    for line in _text(given, "command").split("\n"):
        yield from (line.removeprefix(head).strip() for head in PATCHED if line.startswith(head))


def answered(agent: str, event: str, text: str) -> str:
    """Returns a text for an agent as its hook has to print it, nothing where there is nothing to say."""
    if not text:
        return ""
    if event == END:
        said = {"followup_message": text} if agent == "cursor" else {"decision": _again(agent), "reason": text}
    elif agent == "cursor":
        said = {"additional_context": text}
    else:
        inner = {"hookEventName": EVENTS[agent][event], "additionalContext": text}
        return json.dumps({"hookSpecificOutput": inner}, ensure_ascii=True)
    return json.dumps(said, ensure_ascii=True)


def _again(agent: str) -> str:
    return "deny" if agent == "gemini-cli" else "block"

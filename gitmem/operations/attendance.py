"""Attendance: which agents are wired to a memory, whether they make use of it, and whether their server starts."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence

from gitmem.notes.instant import DAY, seconds
from gitmem.notes.note import Entry
from gitmem.operations import brief, recall, starting, wayback
from gitmem.operations.harness import HARNESSES, Harness, harness
from gitmem.operations.memory import Memory
from gitmem.operations.starting import Server
from gitmem.storage import ledger, probe
from gitmem.values import NamedTuple

QUIET = 14  # days without a note after which an agent that is wired is of no use to the memory
PATIENCE = 5.0  # seconds in which a server answers; it takes one
_QUESTION = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "gitmem-doctor", "version": "1"},
    },
}
Line = tuple[str, str, str, str | None]  # name, state, message and hint of what doctor says


class Use(NamedTuple):
    """When an agent last got a brief, recalled and wrote, in epoch seconds; None for never, as far as this clone knows."""

    brief: int | None
    recall: int | None
    write: int | None


def checked(memory: Memory, entries: Sequence[Entry]) -> Iterator[Line]:
    """Yields what `doctor` says of each agent that is wired, and of the server that they start."""
    agents = wired(memory)
    if not agents:
        yield "agents", "ok", "No coding agent is set up here.", "gitmem setup AGENT puts this memory before one."
        return
    uses = _uses(memory, entries, agents)
    for name in agents:
        yield name, *(_absent(memory, name) or _use(memory, name, uses[name]))
    servers = [starting.server(memory.root, harness(name), memory.environment) for name in agents]
    told = [each for each in servers if each]
    if told:
        yield "mcp", *_server(memory, told)


def wired(memory: Memory) -> list[str]:
    """Returns the agents that setup put this memory before, by what it remembers of that or by their own hooks here."""
    users = {user for place in _places(memory) for way in wayback.load(place).values() for user in way.users}
    return [each.name for each in HARNESSES if each.name in users or _is_hooked(memory.root, each)]


def _places(memory: Memory) -> list[str]:
    """Returns where setup keeps what it did: of this clone, and of the user's own files."""
    places = [wayback.place(memory.repository)] if memory.repository else []
    home = memory.environment.get("HOME", "")
    return places + ([wayback.users_place(memory.environment, home)] if home else [])


def _set_up(memory: Memory) -> float:
    """Returns when setup last did anything here, in epoch seconds, 0 for never."""
    return max((os.stat(place).st_mtime for place in _places(memory) if os.path.exists(place)), default=0.0)


def _is_hooked(root: str, known: Harness) -> bool:
    """Returns whether an agent's hooks in a project call gitmem: whoever clones it has them, too."""
    place = known.hooks_in.project
    return place is not None and starting.is_hooked(os.path.join(root, place), known)


def _uses(memory: Memory, entries: Sequence[Entry], agents: Sequence[str]) -> dict[str, Use]:
    briefs, recalls = (_last(memory, kind, at) for kind, at in ((brief.LEDGER, 1), (recall.LEDGER, 2)))
    writes: dict[str, int] = {}
    for entry in entries:
        note = entry.note
        # What one that gave no name wrote is that of the one agent that is there.
        name = note.agent or (agents[0] if len(agents) == 1 and note.source != "user" else "")
        if note.created and seconds(note.created) <= memory.now:
            writes[name] = max(writes.get(name, 0), seconds(note.created))
    return {each: Use(_of(briefs, each), _of(recalls, each), _of(writes, each)) for each in agents}


def _last(memory: Memory, kind: str, at: int) -> dict[str, int]:
    """Returns when each agent last did what is counted; `at` is where a row names it."""
    rows = ledger.counts(memory.repository, kind) if memory.repository else []
    return {row[at] if len(row) > at else "": int(row[0]) for row in rows}


def _of(last: Mapping[str, int], name: str) -> int | None:
    """Returns the last moment of an agent, by its name or by one that begins with it, as its server's client may have."""
    found = [moment for each, moment in last.items() if each == name or each.startswith(f"{name}-")]
    return max(found, default=None)


def _absent(memory: Memory, name: str) -> tuple[str, str, str | None] | None:
    """Returns what to say of an agent that is told to start what is not there, None where it can start all of it."""
    command = starting.missing(memory.root, harness(name), memory.environment)
    if command is None:
        return None
    if command == starting.COMMAND:
        return "warning", f"Set up, but it cannot start gitmem. {starting.ABSENT}.", starting.MENDING
    message = f"Set up, but its configuration names {command}, which is not there."
    return "warning", message, f"Mend that, or take it out and run gitmem setup {name}."


def _use(memory: Memory, name: str, use: Use) -> tuple[str, str, str | None]:
    said = f"last brief {_ago(memory, use.brief)}, recall {_ago(memory, use.recall)}, note {_ago(memory, use.write)}"
    if use.write is not None and memory.now - use.write <= QUIET * DAY:
        return "ok", f"Set up; {said}.", None
    if memory.now - _set_up(memory) <= QUIET * DAY:
        return "ok", f"Set up lately; {said}.", None
    hint = f"gitmem setup {name} --mode normal has it capture more; it learns of this at its next start."
    return "warning", f"Set up, but nothing was captured in {QUIET} days: {said}.", hint


def _ago(memory: Memory, moment: int | None) -> str:
    if moment is None:
        return "never"
    days = max(0, memory.now - moment) // DAY
    return "today" if not days else "yesterday" if days == 1 else f"{days} days ago"


def _server(memory: Memory, told: Sequence[Server]) -> tuple[str, str, str | None]:
    """Returns whether the server that agents start is there and answers, by starting once what setup has them start.

    Another command is not run: a clone may bring it along.
    """
    from importlib.util import find_spec

    if not any(each.is_ours for each in told):
        words = " ".join((told[0].command, *told[0].arguments))
        return "ok", f"{told[0].path} starts {words}, which was not tried: it is not what setup writes.", None
    place = starting.found(starting.COMMAND, memory.environment)
    if place is None:
        return "warning", f"The MCP server was not tried. {starting.ABSENT}.", starting.MENDING
    question = json.dumps(_QUESTION).encode() + b"\n"
    command = [place, "mcp", "--root", memory.root]
    heard = probe.asked(command, question, environment=memory.environment, patience=PATIENCE)
    if _is_answer(heard.line):
        return "ok", f"The MCP server starts and answers: {place} mcp.", None
    if find_spec("mcp") is None:
        message = "The MCP server that agents are told of needs packages that are not installed."
        return "warning", message, starting.EXTRA
    why = heard.complaint.decode("utf-8", "replace").strip().rstrip(".") or "it said nothing"
    return (
        "fault",
        f"The MCP server does not start: {why}.",
        f"gitmem mcp shows why; {starting.EXTRA} installs it anew.",
    )


def _is_answer(line: bytes) -> bool:
    try:
        said = json.loads(line)
    except ValueError:
        return False
    return isinstance(said, dict) and isinstance(said.get("result"), dict)

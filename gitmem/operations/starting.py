"""Starting: the commands by which an agent starts gitmem, as its configuration writes them, and whether PATH has them."""

import os
from collections.abc import Mapping

from gitmem.operations import jsonc, parts
from gitmem.operations.harness import SERVER, Harness, Where, call
from gitmem.storage import disk
from gitmem.values import Any, NamedTuple

COMMAND = "gitmem"
ABSENT = "There is no gitmem on PATH"
MENDING = "Put it there: pipx install '.[mcp]' in a clone of gitmem, or activate the environment that holds it."
EXTRA = "pip install 'gitmem-notes[mcp]'"
CODEX_HOME = "CODEX_HOME"


class Server(NamedTuple):
    """The MCP server as an agent's configuration writes it: in which file, and its command and arguments."""

    path: str
    command: str
    arguments: tuple[str, ...]

    @property
    def is_ours(self) -> bool:
        """Whether it is what setup writes; another command may be anybody's, and a clone brings it along."""
        return self.command == COMMAND and self.arguments[:1] == ("mcp",)


def found(command: str, environment: Mapping[str, str]) -> str | None:
    """Returns where PATH has a command, None where it has not."""
    import shutil

    return shutil.which(command, path=environment.get("PATH"))


def moved(path: str, environment: Mapping[str, str]) -> str:
    """Returns where a user's file lies when the vendor's own variable says that it is not below the home folder."""
    other = environment.get(CODEX_HOME, "")
    if path.startswith(".codex/") and os.path.isabs(other):
        return os.path.join(other, path.removeprefix(".codex/"))
    return path


def server(root: str, known: Harness, environment: Mapping[str, str]) -> Server | None:
    """Returns the server that an agent is told of, in a project or by its user; None where there is none to be read."""
    for path in _places(root, known.servers, environment):
        entry = _entry(path, known.table)
        if entry and isinstance(entry.get("command"), str):
            words = entry.get("args")
            return Server(path, entry["command"], tuple(map(str, words)) if isinstance(words, list) else ())
    return None


def is_hooked(path: str, known: Harness) -> bool:
    """Returns whether an agent's hooks in a file call gitmem by its name."""
    sign = call(known.name, known.hooks[0].asks).partition(" || ")[0] if known.hooks else None
    return sign is not None and sign in _text(path)


def missing(root: str, known: Harness, environment: Mapping[str, str]) -> str | None:
    """Returns the first command that an agent is told to start and that is not there, None where all are.

    An agent without a server types gitmem itself, as its instructions say. A command with a variable in it is the
    agent's to expand, and counts as there.
    """
    told = server(root, known, environment)
    hooked = any(is_hooked(path, known) for path in _places(root, known.hooks_in, environment))
    names = ([told.command] if told else []) + ([COMMAND] if hooked or not told else [])
    places = [os.path.join(root, name) if os.sep in name else name for name in names if "$" not in name]
    return next((place for place in places if found(place, environment) is None), None)


def _places(root: str, where: Where, environment: Mapping[str, str]) -> list[str]:
    home = environment.get("HOME", "")
    places = [os.path.join(root, where.project)] if where.project else []
    return places + ([os.path.join(home, moved(where.user, environment))] if where.user and home else [])


def _text(path: str) -> str:
    """Returns what a file says, nothing where it is none or cannot be read; a link of the user's is followed."""
    try:
        return disk.read(os.path.realpath(path)).decode("utf-8", "replace")
    except OSError:
        return ""


def _entry(path: str, table: str) -> dict[str, Any] | None:  # Any: what a file of the vendor's holds
    """Returns our entry in a table of servers; None where there is none, or the file cannot be understood."""
    text = _text(path)
    try:
        held = (parts.toml(text) if path.endswith(".toml") else jsonc.plain(jsonc.parse(text))) if text else None
    except ValueError:
        return None
    for key in (table, SERVER):
        held = held.get(key) if isinstance(held, dict) else None
    return held if isinstance(held, dict) else None

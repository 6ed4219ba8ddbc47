"""The memory behind an MCP server: which project it is, and every call answered as its command answers."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from gitmem.errors import GitmemError
from gitmem.faces import mcp_brief, mcp_prompts, mcp_reply, mcp_tools
from gitmem.faces.call import Call, Outcome, Served
from gitmem.faces.mcp_tools import Tool
from gitmem.operations import damage, guard
from gitmem.operations import recall as recalls
from gitmem.operations.draft import Author
from gitmem.operations.memory import Memory, find_root, open_memory, ready
from gitmem.operations.running import NAMED
from gitmem.operations.standing import Judge
from gitmem.search.view import View
from gitmem.storage.settings import Settings
from gitmem.values import Any, NamedTuple

Told = TypeVar("Told")
NAME_LENGTH = 64
TEXTS = 75  # hundredths of a budget that texts may take; names, links and the like take the rest
LISTED = 25
NO_HANDLE = "no-handle"
SCHEME = "gitmem://note/"


class Answer(NamedTuple):
    """What a tool's caller reads, and whether it is a refusal."""

    text: str
    refused: bool


class Service:
    """What one client's calls are answered from. Between them it keeps a view of the notes, and no lock.

    `root` is what the server was started for, None where the client's roots, or else its folder, say that.
    """

    def __init__(self, root: str | None, directory: str, environment: Mapping[str, str]) -> None:
        self.root = root
        self.directory = directory
        self.environment = environment
        self.roots: tuple[str, ...] | None = None
        self._held: View | None = None
        self._settings = Settings(environment)

    def name_roots(self, folders: Sequence[str] | None) -> None:
        """Takes what the client says its roots are; None is that they have to be asked for."""
        self.roots = None if folders is None else tuple(folders)
        self._held = None

    def answer(self, name: str, given: Mapping[str, Any], agent: str | None) -> Answer:  # Any: JSON
        """Returns what a tool answers an agent of this name."""
        memory = None
        try:
            memory = opened = self._memory()
            tool = mcp_tools.named(name)
            return Answer(self._whole(lambda: self._answered(opened, tool, given, agent)), False)
        except GitmemError as error:
            return Answer(mcp_reply.refusal(error, memory), True)

    def _whole(self, work: Callable[[], Told]) -> Told:
        """Returns what some work comes to; raises GitmemError also where a damaged cache brought it down."""
        try:
            return work()
        except GitmemError:
            raise
        except BaseException as error:  # a panic of tantivy is no Exception
            self._held = None
            damage.explain(self._memory, error)
            raise

    def _answered(self, memory: Memory, tool: Tool, given: Mapping[str, Any], agent: str | None) -> str:
        values, budget = mcp_tools.values(tool, given), given.get("budget") or mcp_tools.BUDGET
        values |= {"budget": budget * TEXTS // 100} if "budget" in values else {}
        memory = memory._replace(environment={**memory.environment, NAMED: author(agent).agent or ""})
        served = Served(memory, author(agent), None if tool.writes else self._held)
        call = Call(values, memory.root, self.environment, memory.now, False, _literally, served)
        stale = _stale_handle(memory, given.get("handle")) if tool.writes else None
        if stale and memory.config.policy.guard_required:
            raise stale
        try:
            result = _verb(tool.name)(call).result
        except GitmemError as error:
            raise mcp_tools.in_words_of(tool, error) from error
        if tool.writes:
            result |= {"handle": guard.issue(memory)}
        if stale and stale.code != NO_HANDLE:
            warning = {"code": stale.code, "name": None, "message": f"This was written all the same: {stale.message}"}
            result |= {"warnings": [*result.get("warnings", ()), warning]}
        if tool.name == "brief":
            result = mcp_brief.fitted(result, memory, budget)
        return mcp_reply.reply(result, memory, quotes=not tool.writes, budget=budget)

    def catch_up(self) -> None:
        """Brings the view that is kept up to what lies on disk, and works out ahead, so that the next call need not."""
        held, self._held = self._held, None
        try:
            memory = self._memory()
            reading = ready(memory, held)
            recalls.settle(Judge.of_view(memory, reading), reading)
        except GitmemError:
            return  # the next call meets the same, and tells it
        except BaseException as error:  # noqa: BLE001 - no call is there to tell it; a panic of tantivy is no Exception
            self._note(error)
            return
        self._held = reading.view

    def _note(self, error: BaseException) -> None:
        """Writes down where doctor finds it what went wrong while nobody had asked."""
        from gitmem.notes.instant import instant_of
        from gitmem.storage import failures, git

        repository = git.find(self._folder())
        if repository:
            failures.log(repository, f"{instant_of(int(time.time()))} mcp {type(error).__name__}: {error}")

    def page(self, uri: str) -> str:
        """Returns the note of an address as a page; raises GitmemError where there is none."""
        from urllib.parse import unquote

        from gitmem.operations.read import show

        if not uri.startswith(SCHEME):
            hint = f"Addresses are {SCHEME} and a note's name."
            raise GitmemError("unknown-resource", f"There is no resource {uri!r}.", hint)
        memory = self._memory()
        return self._whole(lambda: mcp_reply.page(show(memory, unquote(uri.removeprefix(SCHEME))), memory))

    def pages(self) -> list[dict[str, str]]:
        """Returns the newest notes as MCP lists resources; none of a clone that nobody trusted, as no notice fits there."""
        from urllib.parse import quote

        from gitmem.notes.shown import harmless
        from gitmem.operations.read import list_notes
        from gitmem.search.query import Wanted

        memory = self._memory()
        listed = self._whole(lambda: list_notes(memory, Wanted(), limit=LISTED)["notes"])
        notes = listed if memory.trusted else []
        return [
            {
                "uri": SCHEME + quote(note["name"], safe=""),
                "name": note["name"],
                "title": harmless(note["title"]),
                "description": harmless(f"{note['type'] or 'note'}: {note['summary'] or note['title']}"),
                "mimeType": "text/markdown",
            }
            for note in notes
        ]

    def prompt(self, name: str) -> str:
        """Returns the text of a prompt; raises GitmemError where there is none of this name."""
        return self._whole(lambda: mcp_prompts.text(name, self._memory()))

    def _memory(self) -> Memory:
        now = int(time.time())
        return open_memory(self._folder(), environment=self.environment, now=now, settings=self._settings)

    def _folder(self) -> str:
        """Returns the folder of the project; raises GitmemError where the client's roots do not tell one."""
        if self.root is not None:
            return self.root
        if not self.roots:
            return self.directory
        found = sorted({root for root in map(_memory_above, self.roots) if root})
        if len(found) == 1:
            return found[0]
        if found:
            message = f"The client's roots hold several memories: {', '.join(found)}."
            raise GitmemError("several-projects", message, "Start the server for one of them: gitmem mcp --root DIR.")
        message = f"None of the client's roots has a .memory/ folder: {', '.join(self.roots)}."
        raise GitmemError("no-memory", message, "gitmem init, run in the project's folder, makes one.")


def _memory_above(folder: str) -> str | None:
    return find_root(folder) if os.path.isdir(folder) else None


def author(agent: str | None) -> Author:
    """Returns who writes over MCP: always an agent, by the name that its client gives itself."""
    from gitmem.notes.shown import harmless

    return Author("agent", " ".join(harmless(agent or "").split())[:NAME_LENGTH] or None)


def _stale_handle(memory: Memory, handle: str | None) -> GitmemError | None:
    """Returns why a write's handle does not hold, None where it does: where the project requires one, that is a refusal."""
    hint = "Call brief, look at what has changed, and write with the handle of its reply."
    if handle is None:
        return GitmemError(NO_HANDLE, "This project takes a write only with a handle.", hint)
    reason = guard.check(memory, handle).reason
    return None if reason is None else GitmemError("stale-handle", reason, hint)


def _literally() -> bytes:
    """Returns what stands for standard input, which a body of `-` would read: over MCP `-` is a text like any other."""
    return b"-"


def _verb(name: str) -> Callable[[Call], Outcome]:
    from gitmem.faces import keeping, reading, sessions, writing

    return (reading.VERBS | writing.VERBS | keeping.VERBS | sessions.VERBS)[name]

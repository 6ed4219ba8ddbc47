"""The coding agents that setup knows: where each keeps its files and what it calls things, from its vendor's own pages."""

from collections.abc import Mapping

from gitmem.errors import GitmemError
from gitmem.values import Any, NamedTuple

SCOPES = ("project", "user")
START, TOUCHED, COMPACT, END = "session-start", "file-touched", "pre-compact", "turn-end"
SERVER = "gitmem"


class Hook(NamedTuple):
    """One hook as its vendor writes it: its event, the matcher (None where the event has none), and what it asks of us."""

    event: str
    matcher: str | None
    asks: str


class Where(NamedTuple):
    """A file or folder in a project, and the user's own below the home folder; None where the vendor documents none."""

    project: str | None
    user: str | None


class Harness(NamedTuple):
    """One coding agent.

    pages: the vendor's pages with the day they were read; server: the MCP entry in a project, and the user's own;
    table: the key or table that holds it; grouped: whether a hook stands in a group with its matcher; per_second: by
    how much a second is multiplied in a hook's time-out; names: whether a hook has a name.
    """

    name: str
    pages: tuple[str, ...]
    instructions: Where
    skills: Where
    servers: Where
    server: tuple[Mapping[str, object], Mapping[str, object]]
    table: str
    hooks_in: Where
    hooks: tuple[Hook, ...]
    grouped: bool = True
    per_second: int = 1
    named: bool = False
    base: Mapping[str, object] = {}

    def entries(self) -> dict[str, object]:
        """Returns what stands under each of the vendor's events."""
        return {each.event: self._entry(each) for each in self.hooks}

    def _entry(self, hook: Hook) -> dict[str, Any]:  # Any: JSON of the vendor's own
        timeout = SECONDS[hook.asks] * self.per_second
        handler: dict[str, Any] = {"type": "command"} if self.grouped else {}
        handler |= {"name": f"gitmem-{hook.asks}"} if self.named else {}
        handler |= {"command": call(self.name, hook.asks), "timeout": timeout}
        matcher = {} if hook.matcher is None else {"matcher": hook.matcher}
        return {**matcher, "hooks": [handler]} if self.grouped else {**handler, **matcher}


# Seconds after which the agent stops waiting, ten times what we take at most.
SECONDS = {START: 30, TOUCHED: 5, COMPACT: 5, END: 5}


def call(agent: str, asks: str) -> str:
    """Returns the command of a hook; it ends well also where there is no gitmem."""
    return f"gitmem agent-hook {asks} --agent {agent} || true"


_NOWHERE = Where(None, None)
_STDIO: Mapping[str, object] = {"type": "stdio", "command": "gitmem", "args": ["mcp"], "env": {}}
_COMMAND: Mapping[str, object] = {"command": "gitmem", "args": ["mcp"]}

CLAUDE_CODE = Harness(
    "claude-code",
    (
        "https://code.claude.com/docs/en/hooks (2026-11-30)",
        "https://code.claude.com/docs/en/mcp (2026-11-30)",
        "https://code.claude.com/docs/en/memory (2026-11-30)",
        "https://code.claude.com/docs/en/skills (2026-11-30)",
    ),
    Where("CLAUDE.md", ".claude/CLAUDE.md"),
    Where(".claude/skills", ".claude/skills"),
    Where(".mcp.json", ".claude.json"),
    (_STDIO, _STDIO),
    "mcpServers",
    Where(".claude/settings.json", ".claude/settings.json"),
    (
        Hook("SessionStart", "startup|resume|clear|compact", START),
        Hook("PostToolUse", "Read|Edit|Write", TOUCHED),
        Hook("PreCompact", "manual|auto", COMPACT),
        Hook("Stop", None, END),
    ),
)
# Reading a file has no tool of its own in Codex, so its notes come up at the first change to it.
CODEX = Harness(
    "codex",
    (
        "https://developers.openai.com/codex/hooks (2026-11-30)",
        "https://learn.chatgpt.com/docs/extend/mcp (2026-11-30)",
        "https://learn.chatgpt.com/docs/agent-configuration/agents-md (2026-11-30)",
        "https://learn.chatgpt.com/docs/build-skills (2026-11-30)",
    ),
    Where("AGENTS.md", ".codex/AGENTS.md"),
    Where(".agents/skills", ".agents/skills"),
    Where(".codex/config.toml", ".codex/config.toml"),
    (_COMMAND, _COMMAND),
    "mcp_servers",
    Where(".codex/hooks.json", ".codex/hooks.json"),
    (
        Hook("SessionStart", "startup|resume|clear|compact", START),
        Hook("PostToolUse", "apply_patch", TOUCHED),
        Hook("PreCompact", "manual|auto", COMPACT),
        Hook("Stop", None, END),
    ),
)
# The user's own rules live in Cursor's settings, in no file. A project's root has a name in mcp.json; a user's has not.
CURSOR = Harness(
    "cursor",
    (
        "https://cursor.com/docs/hooks (2026-11-30)",
        "https://cursor.com/docs/mcp (2026-11-30)",
        "https://cursor.com/docs/rules (2026-11-30)",
        "https://cursor.com/docs/skills (2026-11-30)",
    ),
    Where("AGENTS.md", None),
    Where(".cursor/skills", ".cursor/skills"),
    Where(".cursor/mcp.json", ".cursor/mcp.json"),
    (
        {"type": "stdio", "command": "gitmem", "args": ["mcp", "--root", "${workspaceFolder}"]},
        {"type": "stdio", "command": "gitmem", "args": ["mcp"]},
    ),
    "mcpServers",
    Where(".cursor/hooks.json", ".cursor/hooks.json"),
    (
        Hook("sessionStart", None, START),
        Hook("postToolUse", "Read|Write", TOUCHED),
        Hook("preCompact", None, COMPACT),
        Hook("stop", None, END),
    ),
    grouped=False,
    base={"version": 1},
)
GEMINI_CLI = Harness(
    "gemini-cli",
    (
        "https://geminicli.com/docs/hooks/reference (2026-11-30)",
        "https://geminicli.com/docs/tools/mcp-server (2026-11-30)",
        "https://geminicli.com/docs/cli/gemini-md (2026-11-30)",
        "https://geminicli.com/docs/cli/skills (2026-11-30)",
    ),
    Where("GEMINI.md", ".gemini/GEMINI.md"),
    Where(".gemini/skills", ".gemini/skills"),
    Where(".gemini/settings.json", ".gemini/settings.json"),
    (_COMMAND, _COMMAND),
    "mcpServers",
    Where(".gemini/settings.json", ".gemini/settings.json"),
    (
        Hook("SessionStart", None, START),
        Hook("AfterTool", "read_file|write_file|replace", TOUCHED),
        Hook("PreCompress", None, COMPACT),
        Hook("AfterAgent", None, END),
    ),
    per_second=1000,
    named=True,
)
GENERIC = Harness(
    "generic",
    ("https://agents.md (2026-11-30)",),
    Where("AGENTS.md", None),
    _NOWHERE,
    _NOWHERE,
    ({}, {}),
    "",
    _NOWHERE,
    (),
)
HARNESSES = (CLAUDE_CODE, CODEX, CURSOR, GEMINI_CLI, GENERIC)
AGENTS = tuple(each.name for each in HARNESSES)


def harness(name: str) -> Harness:
    """Returns a coding agent by its name; raises GitmemError for one that setup does not know."""
    found = next((each for each in HARNESSES if each.name == name), None)
    if found is None:
        hint = f"Known are {', '.join(AGENTS)}; generic serves every agent that reads AGENTS.md."
        raise GitmemError("unknown-agent", f"setup knows no agent {name!r}.", hint, status=2)
    return found

"""Running: which agent runs a command, as its own environment variable gives away."""

from collections.abc import Mapping

# Exact names, set by the agent on the commands it runs; what a person may export (GEMINI_API_KEY, CODEX_HOME,
# COPILOT_GITHUB_TOKEN, GOOSE_PROVIDER, OPENCODE_CONFIG) is none of them. Beside each, where its vendor says so.
AGENTS = (
    ("CLAUDECODE", "claude-code"),  # https://code.claude.com/docs/en/env-vars
    ("CODEX_THREAD_ID", "codex"),  # https://github.com/openai/codex/pull/10096
    ("CODEX_SANDBOX", "codex"),  # https://github.com/openai/codex/blob/main/AGENTS.md
    ("GEMINI_CLI", "gemini-cli"),  # https://github.com/google-gemini/gemini-cli: shellExecutionService.ts
    ("QWEN_CODE", "qwen-code"),  # https://github.com/QwenLM/qwen-code: shellExecutionService.ts
    ("CURSOR_AGENT", "cursor"),  # https://cursor.com/docs/agent/terminal
    ("COPILOT_CLI", "copilot-cli"),  # https://github.com/github/copilot-cli/blob/main/changelog.md (0.0.421)
    ("COPILOT_AGENT", "copilot"),  # https://github.com/microsoft/vscode/pull/316267
    ("OPENCODE", "opencode"),  # https://github.com/anomalyco/opencode/pull/3843
    ("GOOSE_TERMINAL", "goose"),  # https://github.com/aaif-goose/goose/pull/4205
    ("CRUSH", "crush"),  # https://github.com/charmbracelet/crush/pull/2484
    ("CLINE_ACTIVE", "cline"),  # https://github.com/cline/cline/pull/5367
    ("AUGMENT_AGENT", "augment"),  # https://docs.augmentcode.com/cli/reference#shell-environment
)


def agent(environment: Mapping[str, str]) -> str | None:
    """Returns the name of the agent that runs this command, or None where no agent says that it does."""
    return next((name for variable, name in AGENTS if environment.get(variable)), None)


# What a hook or a server that knows its agent says of it, in the environment of the memory that it opens; it names an
# agent in what is counted and makes nobody one.
NAMED = "GITMEM_AGENT"


def counted_as(environment: Mapping[str, str]) -> str:
    """Returns the name under which what an agent does is counted, as one short word, empty where none is known."""
    return "-".join((environment.get(NAMED) or agent(environment) or "").split())[:64]

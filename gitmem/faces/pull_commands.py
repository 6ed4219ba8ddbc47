"""The part of the option table for pull requests: their notes reviewed, and the workflow that does it."""

from gitmem.faces.table import DRY_RUN, Argument, Command, Option

FORMATS = ("text", "markdown", "github", "json")
AGENTS = ("claude-code", "codex", "cursor", "gemini-cli", "generic")  # as gitmem.operations.harness describes them
SYSTEMS = (*AGENTS, "github")
MODES = ("relaxed", "normal", "aggressive")
SCOPES = ("project", "user")

REVIEW = Command(
    "review",
    "Keep in order",
    "what waits for a person, or what a branch would bring",
    "Lists what waits: notes put away though a person stood for them, notes that nobody reviewed, the weakest"
    " first, stale ones, those whose code has moved on, and pairs that contradict each other or seem to.\n\nWith --base it compares the notes that HEAD holds with those where it left the base: what the project would newly believe, what it"
    " would stop believing, what changed, and every risk with its file, line and what to type. Only what is committed"
    " counts. Exit status 1 means that it does not pass: by an error, or as [policy] review of the"
    " base's config.toml says (error, warning or never).",
    ("gitmem review", "gitmem review --base origin/main", "gitmem review --base main --format markdown"),
    (),
    (
        Option("--base", "the branch or commit that HEAD would be merged into", "REF"),
        Option(
            "--format",
            "how to print (text); github: annotations, and the page where $GITHUB_STEP_SUMMARY says",
            "|".join(FORMATS),
            "choice",
            choices=FORMATS,
        ),
    ),
)
SETUP = Command(
    "setup",
    "Set up",
    "put the memory before a coding agent, or GitHub",
    "For an agent it adds, to the agent's own files: instructions between markers, skills to capture, digest and review,"
    " the MCP server, and hooks that bring the brief at the start, notes when a file is read or edited, and one reminder"
    " where decisions were made and nothing was written. generic writes into AGENTS.md alone. What is there stays, twice"
    " is once, nothing is committed, and --remove gives files that nobody changed since their old bytes back. Run by a"
    " person in a project it makes the clone trusted.\n\nFor github it writes .github/workflows/gitmem.yml, which checks"
    " and reviews the notes of every pull request with a token that can only read; a file that gitmem did not write is"
    " left alone.",
    (
        "gitmem setup claude-code --dry-run",
        "gitmem setup codex --mode normal",
        "gitmem setup cursor --remove",
        "gitmem setup github",
    ),
    (Argument("system", "AGENT|github", "an agent (" + ", ".join(AGENTS) + ") or github", choices=SYSTEMS),),
    (
        Option("--mode", "how much an agent captures (relaxed)", "|".join(MODES), "choice", choices=MODES),
        Option("--scope", "this project's files, or your own (project)", "|".join(SCOPES), "choice", choices=SCOPES),
        DRY_RUN,
        Option("--remove", "take away what setup wrote", kind="flag"),
    ),
)

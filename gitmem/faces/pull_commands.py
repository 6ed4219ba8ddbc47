"""The part of the option table for pull requests: their notes reviewed, and the workflow that does it."""

from gitmem.faces.table import DRY_RUN, Argument, Command, Option

FORMATS = ("text", "markdown", "github", "json")
SYSTEMS = ("github",)

REVIEW = Command(
    "review",
    "Keep in order",
    "what a branch would have the project believe",
    "Compares the notes that HEAD holds with those where it left the base: what the project would newly believe, what it"
    " would stop believing, what changed, and every risk with its file, line and what to type. Only what is committed"
    " counts; --base is required. Exit status 1 means that it does not pass: by an error, or as [policy] review of the"
    " base's config.toml says (error, warning or never).",
    ("gitmem review --base origin/main", "gitmem review --base main --format markdown"),
    (),
    (
        Option("--base", "the branch or commit that HEAD would be merged into (required)", "REF"),
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
    "have pull requests on GitHub reviewed",
    "Writes .github/workflows/gitmem.yml, which checks and reviews the notes of every pull request with a token that can"
    " only read. It writes that file and commits nothing; --remove takes it away again. A file that gitmem did not"
    " write is left alone.",
    ("gitmem setup github --dry-run", "gitmem setup github", "gitmem setup github --remove"),
    (Argument("system", "github", "what to set up", choices=SYSTEMS),),
    (DRY_RUN, Option("--remove", "take away what setup wrote", kind="flag")),
)

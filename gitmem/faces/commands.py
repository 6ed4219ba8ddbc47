"""The option table, as plain data: every command with its arguments, options, help and examples."""

from gitmem.faces.commit_commands import CHECKPOINT, HIDDEN, RESOLVE_CONFLICTS
from gitmem.faces.digest_commands import DIGEST
from gitmem.faces.past_commands import PAST
from gitmem.faces.pull_commands import REVIEW, SETUP
from gitmem.faces.retirement_commands import RETIREMENT
from gitmem.faces.session_commands import SESSIONS
from gitmem.faces.table import DRY_RUN, NAME, Argument, Command, Option
from gitmem.faces.trust_commands import TRUST

PRESETS = ("engram", "minimal", "research")
INCLUDES = ("superseded", "archived", "checkpoint")
ENDS = ("resolved", "obsolete")
VOCABULARY_ACTIONS = ("add", "rename")
HOOKS_ACTIONS = ("install", "uninstall", "status")

BODY = Option("--body", "the note's text; - reads it from standard input", "TEXT|-")
FIELDS = (
    Option("--type", "what kind of note it is; gitmem vocabulary lists them", "TYPE"),
    BODY,
    Option("--summary", "one sentence of at most 300 characters, shown in lists"),
    Option("--tag", "a tag", "TAG", many=True),
    Option("--alias", "another name that leads to this note", "NAME", many=True),
    Option("--touches", "code it speaks of: path, dir/, path::symbol or symbol", "REF", many=True),
    Option("--link", "a link to another note, such as because=plain-files", "VERB=NAME", many=True),
    Option("--domain", "a declared area of the project", "DOMAIN"),
    Option("--status", "open, resolved, obsolete, superseded or archived", "STATUS"),
    Option(
        "--durability", "how long such a note holds: stable, episodic or volatile; its type's when left out", "WORD"
    ),
    Option("--confidence", "how sure the writer is, 0 to 1", "N", "number"),
    Option("--created", "when it became true: a date or an instant, UTC", "DATE"),
    Option("--session", "the session it comes from", "ID"),
    Option("--sensitive", "keep its text out of everything but show --body", kind="flag"),
)
FILTERS = (
    Option("--type", "only notes of this type", "TYPE", many=True),
    Option("--tag", "only notes with this tag", "TAG", many=True),
    Option("--domain", "only notes of this domain", "DOMAIN", many=True),
    Option("--source", "only notes written by a user, or by an agent", "SOURCE", many=True),
    Option("--agent", "only notes of this agent", "AGENT", many=True),
    Option("--status", "only notes of this status", "STATUS", many=True),
    Option("--standing", "only notes that stand so: contested, stale, unreviewed, approved …", "MARK", many=True),
    Option("--since", "only notes created at or after this date", "DATE"),
    Option("--until", "only notes created before the end of this date", "DATE"),
    Option("--touches", "only notes that touch this path or symbol", "REF", many=True),
    Option("--where", "only notes with this value in a field of their own", "KEY=VALUE", many=True),
)

COMMANDS = (
    Command(
        "remember",
        "Write",
        "write a new note",
        "Writes one note, named after its title. A note of the same type that says the same is returned instead of"
        " written; revise it, link to it, or pass --allow-duplicate. One that seems to disagree is named, and kept in"
        " suspects until somebody judges. Nothing is committed. --batch reads JSON lines whose keys are the option names.",
        (
            'gitmem remember "Commit through a private index" --type decision',
            'gitmem remember "Parse twice" --type insight --link because=plain-files --touches src/parse.py::parse --body - < why.md',
            "gitmem remember --batch notes.jsonl",
        ),
        (Argument("title", "TITLE", "one line that states the claim", required=False),),
        (
            *FIELDS,
            Option("--name", "the note's name, where the title's own would not do", "NAME"),
            Option("--allow-duplicate", "write even when a note says the same", kind="flag"),
            Option("--allow-tombstoned", "write on a subject that was removed on purpose", kind="flag"),
            DRY_RUN,
            Option("--batch", "write many: JSON lines from a file, or - for standard input", "FILE|-"),
        ),
    ),
    Command(
        "revise",
        "Write",
        "change fields of a note",
        "Changes only what is named; every other byte of the file stays. A list option replaces the whole list"
        " (--tag '' empties it); --add-tag, --remove-tag, --add-touches and --remove-touches change single ones.",
        (
            "gitmem revise private-index --add-tag safety",
            "gitmem revise private-index --body - --expect 3fa9c1d2a7b4 < body.md",
        ),
        (NAME,),
        (
            Option("--title", "the new title; the name stays"),
            *FIELDS,
            Option("--add-tag", "add one tag", "TAG", many=True),
            Option("--remove-tag", "take one tag away", "TAG", many=True),
            Option("--add-touches", "tie it to one more place in the code", "REF", many=True),
            Option("--remove-touches", "take one place away", "REF", many=True),
            Option("--no-sensitive", "its text may be shown everywhere again", kind="flag"),
            Option("--expect", "refuse unless the file still has this digest (12 hex digits or more)", "DIGEST"),
            DRY_RUN,
        ),
    ),
    Command(
        "edit",
        "Write",
        "open a note in your editor, checked on save",
        "For a person at a terminal; an agent uses revise. Opens a copy in $VISUAL or $EDITOR and saves it when it can"
        " be read as a note. Otherwise the note stays as it was, and your text is kept in a file that is named.",
        ("gitmem edit private-index",),
        (NAME,),
    ),
    Command(
        "link",
        "Write",
        "link one note to another",
        "Adds a link to the note that makes the claim. The verb is a declared one; gitmem vocabulary lists them.",
        (
            "gitmem link private-index because plain-files",
            'gitmem link wal replaces journal --note "measured twice as fast"',
        ),
        (
            Argument("source", "FROM", "the note that makes the claim", note=True),
            Argument("verb", "VERB", "a declared verb"),
            Argument("target", "TO", "the note it points at", note=True),
        ),
        (
            Option("--note", "why, in one line"),
            Option("--weight", "how much the link counts, 1 when left out", "N", "number"),
        ),
    ),
    Command(
        "unlink",
        "Write",
        "take a link away",
        "Removes a link, and the status that it had caused.",
        ("gitmem unlink wal replaces journal",),
        (
            Argument("source", "FROM", "the note that makes the claim", note=True),
            Argument("verb", "VERB", "the link's verb"),
            Argument("target", "TO", "the note it points at", note=True),
        ),
    ),
    Command(
        "rename",
        "Write",
        "give a note another name",
        "Renames the file. The old name becomes an alias, so every link to it holds; the title stays.",
        ("gitmem rename private-index commit-through-a-private-index",),
        (NAME, Argument("new_name", "NEW-NAME", "letters and digits joined by -")),
    ),
    Command(
        "resolve",
        "Write",
        "close a problem or an intent",
        "Sets the status of an open note. --by names the note that answers it, and links it.",
        ("gitmem resolve index-lost-on-kill --by fsync-before-rename", "gitmem resolve try-sqlite --as obsolete"),
        (NAME,),
        (
            Option("--by", "the note that answers it", "NAME"),
            Option("--as", "how it ended", "resolved|obsolete", "choice", choices=ENDS),
        ),
    ),
    *RETIREMENT,
    CHECKPOINT,
    *SESSIONS,
    Command(
        "recall",
        "Read",
        "ask the memory a question",
        "Answers with the notes that bear on the query, best first, and a verdict: strong, weak or none. Without a"
        " query it lists checkpoints, newest first. Exit status 1 means that memory has no answer.",
        (
            'gitmem recall "why plain files"',
            "gitmem recall fsync --type caution --limit 3",
            "gitmem recall journal --tag release --include superseded --json",
            "gitmem recall 'why plain files' --at 2026-06-30",
            "gitmem recall --changed origin/main",
        ),
        (Argument("query", "QUERY", "words; never query syntax", required=False),),
        (
            *FILTERS,
            Option("--include", "also notes that are otherwise left out", "|".join(INCLUDES), "choice", True, INCLUDES),
            Option(
                "--detail",
                "how much of each note is shown (snippet)",
                "compact|snippet|full",
                "choice",
                choices=("compact", "snippet", "full"),
            ),
            Option("--limit", "at most this many notes (8)", "N", "whole", least=1),
            Option("--budget", "at most this many characters of text", "N", "whole", least=1),
            Option("--explain", "say what made each note rank where it does", kind="flag"),
            Option("--at", "the memory as it was: a commit, or the end of a day, UTC", "REV|DATE"),
            Option("--refs", "also the notes of these branches and tags", "GLOB"),
            Option(
                "--changed", "only notes about files that differ from REV, from HEAD without one", "[REV]", "optional"
            ),
        ),
    ),
    Command(
        "search",
        "Read",
        "find text in every note",
        "Finds a piece of text, without regard to case, in every byte of every note, and says where it stands."
        " Exit status 1 means that it stands nowhere.",
        ("gitmem search update-index", "gitmem search --regex 'fsync|flush'"),
        (Argument("text", "TEXT", "what to find, as written"),),
        (Option("--regex", "TEXT is a regular expression", kind="flag"),),
    ),
    Command(
        "show",
        "Read",
        "show one note",
        "Shows a note with its fields, links and problems; NAME@REV as it was at a commit or at the end of a day. The"
        " text of a sensitive note needs --body.",
        ("gitmem show private-index", "gitmem show private-index@HEAD~3", "gitmem show private-index --raw"),
        (NAME._replace(help=f"{NAME.help}; then maybe @REV"),),
        (
            Option("--body", "show the text of a sensitive note, too", kind="flag"),
            Option("--raw", "print the file's own bytes", kind="flag"),
        ),
    ),
    Command(
        "list",
        "Read",
        "list notes, newest first",
        "Lists every note that passes the filters, superseded and archived ones too, with the day that it was created."
        " Exit status 1 means that none passes.",
        ("gitmem list --type problem --status open", "gitmem list --since 2026-11-01 --limit 20"),
        (),
        (*FILTERS, Option("--limit", "at most this many notes", "N", "whole", least=1)),
    ),
    Command(
        "walk",
        "Read",
        "follow links from a note",
        "Follows links outward from one note, at most 200 notes, and prints them as text or as a graph.",
        ("gitmem walk private-index --depth 3", "gitmem walk private-index --format mermaid"),
        (NAME,),
        (
            Option("--depth", "how many links away (2)", "N", "whole", least=0),
            Option("--verb", "only links of this verb", "VERB", many=True),
            Option("--min-weight", "only links of this weight or more", "W", "number"),
            Option("--direction", "which way (both)", "both|out|in", "choice", choices=("both", "out", "in")),
            Option("--format", "how to print (text)", "text|dot|mermaid", "choice", choices=("text", "dot", "mermaid")),
        ),
    ),
    Command(
        "timeline",
        "Read",
        "how a claim changed: what replaced what",
        "Shows the chain of notes that replaced each other, oldest first.",
        ("gitmem timeline journal",),
        (NAME,),
    ),
    Command(
        "drift",
        "Read",
        "notes whose code has changed or is gone",
        "Lists the notes that speak of code which is no longer as it was when they were written or confirmed: a symbol"
        " changed, or a symbol, file or folder is gone. The repository outranks memory: read the code, then revise the"
        " note, or confirm that it is still true.",
        ("gitmem drift", "gitmem drift --json"),
    ),
    Command("tags", "Read", "list tags and how often they are used", "Lists every tag in use.", ("gitmem tags",)),
    *PAST,
    Command(
        "status",
        "Keep in order",
        "what the memory holds, and how it is",
        "Counts notes by type, and what waits: contradictions, notes that cannot be read, uncommitted files;"
        " gitmem check finds every other error.",
        ("gitmem status",),
    ),
    Command(
        "check",
        "Keep in order",
        "check every note",
        "Names everything wrong in the memory, with file, line and what to do. --fix mends what has one right answer."
        " --staged judges what the next commit changes, as the pre-commit hook does: what must not be committed is an"
        " error, all else a warning. Exit status 1 means that there are errors; warnings alone are 0.",
        ("gitmem check", "gitmem check --fix --dry-run", "gitmem check --staged", "gitmem check --rev origin/main"),
        (),
        (
            Option("--fix", "mend what can be mended without a judgement", kind="flag"),
            Option("--dry-run", "with --fix: show the changes, write nothing", kind="flag"),
            Option("--staged", "judge what the next commit changes, as it is staged", kind="flag"),
            Option("--rev", "check the memory as a commit holds it", "REV"),
        ),
    ),
    REVIEW,
    *TRUST,
    DIGEST,
    RESOLVE_CONFLICTS,
    Command(
        "vocabulary",
        "Keep in order",
        "the declared types, verbs, domains and statuses",
        "Shows the vocabulary; adds words (add type|verb|domain WORD …); or renames one in every note (rename OLD"
        " NEW). The first word added writes the whole vocabulary into .memory/config.toml.\n\nA type or domain is 1 to"
        " 32 letters, digits, hyphens and single inner spaces, and begins with a letter or digit. A verb is 1 to 32"
        " lower-case letters, digits and hyphens, with no hyphen at either end, and is no field of a note.\n\nA role"
        " tells gitmem what a word is for: types with the role worklist are open until they are resolved, anchor is a"
        " subject that other notes speak of, tombstone says what was removed on purpose, checkpoint where the work"
        " stood; a verb's role is reason, answer, subject, dependency, supersession or contradiction.",
        (
            "gitmem vocabulary",
            "gitmem vocabulary add domain storage search",
            'gitmem vocabulary add type question --holds "what nobody knows yet"',
            "gitmem vocabulary rename caution gotcha",
        ),
        (
            Argument(
                "action", "add|rename", "what to do; nothing shows the vocabulary", False, choices=VOCABULARY_ACTIONS
            ),
            Argument("words", "WORD", "add: the kind, then words; rename: the old word, then the new", False, True),
        ),
        (
            Option("--holds", "add type or domain: what such notes hold"),
            Option("--durability", "add type: stable, episodic or volatile", "WORD"),
            Option(
                "--brief", "add type: at most how many of them an agent is shown as it starts", "N", "whole", least=0
            ),
            Option("--reads", "add verb: how it reads in a sentence"),
            Option("--to", "add verb: what it points at: any note, or types of this role", "any|ROLE"),
            Option("--role", "add type or verb: what gitmem takes it for", "ROLE"),
        ),
    ),
    Command(
        "init",
        "Set up",
        "start a memory here, or mark this clone as yours",
        "Creates .memory/ or keeps what is there, installs Git's hooks and the merge driver, and, run by a person, marks"
        " this clone as trusted. The vocabulary is the preset engram, which gitmem vocabulary shows, unless --preset writes another"
        " into .memory/config.toml.",
        ("gitmem init", "gitmem init --preset minimal"),
        (),
        (
            Option(
                "--preset", "write this vocabulary, to be changed at will", "|".join(PRESETS), "choice", choices=PRESETS
            ),
            Option("--no-hooks", "leave the repository's hooks and merge drivers alone", kind="flag"),
        ),
    ),
    Command(
        "hooks",
        "Set up",
        "Git's hooks and the merge driver for notes",
        "Installs the hooks that check notes before a commit and refresh the index after a checkout, merge or rebase,"
        " and the driver that merges notes by field; run by a person, marks this clone as trusted. Hooks that are there"
        " go on running, first, and uninstall leaves them as they were.",
        ("gitmem hooks install", "gitmem hooks status --json", "gitmem hooks uninstall"),
        (Argument("action", "install|uninstall|status", "what to do", choices=HOOKS_ACTIONS),),
    ),
    SETUP,
    Command(
        "mcp",
        "Set up",
        "serve the memory to an agent over MCP",
        "Speaks the Model Context Protocol over standard input and output until its client closes them; an agent's"
        " settings name it as a server. Needs the extra: pip install 'gitmem-notes[mcp]'.",
        ("gitmem mcp", "gitmem mcp --root ../project"),
        (),
        (Option("--root", "the project; the client's roots, or the current folder, when left out", "DIR"),),
    ),
    Command(
        "doctor",
        "Set up",
        "check the installation and this clone",
        "Checks Git, the folder, its settings, the hooks, the merge driver, the cache, the model and the notes; of each"
        " coding agent that is set up when it last got a brief, recalled and wrote, since installed is not the same as"
        " useful; and that the MCP server starts. What is not well names the command that mends it. Exit status 1 means"
        " that something is broken.",
        ("gitmem doctor",),
    ),
)
GROUPS = ("Write", "Read", "Look back", "Keep in order", "Set up")


def find(name: str) -> Command | None:
    """Returns the command of this name, or None."""
    return next((command for command in (*COMMANDS, *HIDDEN) if command.name == name), None)

"""The part of the option table that Git's own work needs: checkpoints, conflicts, and what Git calls by itself."""

from gitmem.faces.table import Argument, Command, Option

CHECKPOINT = Command(
    "checkpoint",
    "Write",
    "say where the work stands, and commit the memory",
    "Writes one checkpoint note and makes one commit of it and of the notes that changed, and of nothing else: what is"
    " staged, unstaged or untracked stays as it is. Yours takes every changed note; an agent's takes what gitmem's"
    " verbs wrote here, or what --include names. What is left is named with the reason. Nothing is pushed.\n\nAn event"
    " that should last becomes a note of its own, which the checkpoint links: decision, accepted and rejected a decision,"
    " constraint a caution, blocker a problem, verification=COMMAND -> RESULT an insight. superseded=NAME: WHAT HOLDS NOW"
    " replaces that note, and rejected=NAME: REASON buries it. milestone and handoff stay in the checkpoint.",
    (
        'gitmem checkpoint "Index survives kill: half done" --next "Fence the vectors"',
        'gitmem checkpoint "Parser done" --event "decision=One pass" --touches src/parse.py --body - < why.md',
        'gitmem checkpoint "Log is in" --event "superseded=journal: Use a log" --event "verification=make test -> passed"',
    ),
    (Argument("title", "TITLE", "one line that says where the work stands"),),
    (
        Option("--body", "the checkpoint's text; - reads it from standard input", "TEXT|-"),
        Option("--next", "what to do next", "TEXT", many=True),
        Option("--event", "what happened, such as decision=One file a note", "KIND=TEXT", many=True),
        Option("--touches", "code it speaks of: path, dir/, path::symbol or symbol", "REF", many=True),
        Option("--tag", "a tag", "TAG", many=True),
        Option("--session", "the session it comes from", "ID"),
        Option("--include", "take this note along, whoever wrote it", "NAME", many=True),
        Option("--allow-deletions", "take along that notes were deleted by hand", kind="flag"),
        Option("--no-verify", "commit without the repository's pre-commit and commit-msg hooks", kind="flag"),
    ),
)
RESOLVE_CONFLICTS = Command(
    "resolve-conflicts",
    "Keep in order",
    "merge notes by field that Git has left in conflict",
    "Merges by field what Git has merged by lines, parts two notes that met under one name, and says what only a"
    " person can settle, with field and line. It writes the notes' files alone; staging them is yours. Exit status 1"
    " means that something is left to settle.",
    ("gitmem resolve-conflicts", "gitmem resolve-conflicts private-index"),
    (Argument("names", "NAME", "only these notes; all in conflict when left out", False, True, note=True),),
)
# What Git calls, not people: no help lists it.
HOOK = Command(
    "hook",
    "Set up",
    "what Git's hooks call",
    "Called by the hooks that gitmem hooks install puts into a repository.",
    ("gitmem hook pre-commit",),
    (
        Argument("hook", "HOOK", "the hook's name"),
        Argument("revisions", "REV", "what to compare, and with what", False, True),
    ),
)
MERGE_DRIVER = Command(
    "merge-driver",
    "Set up",
    "what Git calls to merge a note",
    "Called by the merge driver that gitmem hooks install registers. Exit status 0 means merged, 10 that a person has"
    " to settle something; after any other, the file is as it was.",
    ("gitmem merge-driver -- base.md ours.md theirs.md 7 .memory/decision/x.md",),
    (
        Argument("base", "BASE", "the file that both sides began with, empty where both added it"),
        Argument("ours", "OURS", "our file, which becomes the merged one"),
        Argument("theirs", "THEIRS", "their file"),
        Argument("size", "SIZE", "how long conflict markers are"),
        Argument("path", "PATH", "the note's path in the work tree"),
    ),
)
HIDDEN = (HOOK, MERGE_DRIVER)

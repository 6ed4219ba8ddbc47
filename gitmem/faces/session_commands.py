"""The part of the option table that a session needs: what it reads first, whether it may go on, and pages for others."""

from gitmem.faces.table import Argument, Command, Option

SESSIONS = (
    Command(
        "brief",
        "Read",
        "what to read first as work begins",
        "Shows, in order of authority: the repository now and what moved since the last checkpoint; the documents that"
        " speak for the project; what was handed over and the last checkpoint; notes that disagree; notes about files"
        " that changed; what is open; what each type of note in the vocabulary asks to have shown; what is recent. Each"
        " note is there once: its name, what is for or against it, and what it says. A handle for gitmem guard ends it.\n\nOf a memory that nobody"
        " trusted in this clone one line says that it is there. An empty one asks to be seeded, until git config"
        " gitmem.seeding declined.",
        ("gitmem brief", 'gitmem brief --query "merge driver" --budget 4000'),
        (),
        (
            Option("--query", "lift the notes that bear on this"),
            Option("--budget", "at most this many characters (16000)", "N", "whole", least=1),
        ),
    ),
    Command(
        "guard",
        "Read",
        "whether a handle of a brief still holds",
        "Says whether work may go on from what a brief said. A handle ends after [guard] idle without a write, on another"
        " branch, and when HEAD no longer descends from the commit that it was issued at. Exit status 1 means that it"
        " does not hold. It keeps a session from working on what it has not seen; it keeps nobody out.",
        ("gitmem guard HANDLE",),
        (Argument("handle", "HANDLE", "what brief, or the last write, gave"),),
    ),
    Command(
        "views",
        "Read",
        "pages for those who read no memory",
        "Writes SNAPSHOT.json, HANDOFF.md, DECISIONS.md and SESSION_CHECKPOINT.md into a folder. They are derived and"
        " never read back. A file of such a name that gitmem did not write is left alone, and nothing is written then.",
        ("gitmem views --out build/memory",),
        (),
        (Option("--out", "the folder; it is made where it is missing", "DIR"),),
    ),
)

"""The part of the option table that looks back: commits of the memory, told, compared, and taken back."""

from gitmem.faces.table import DRY_RUN, NAME, Argument, Command, Option

PAST = (
    Command(
        "log",
        "Look back",
        "the commits that changed the memory",
        "Lists the commits that changed the memory, newest first, each with what it did to which note.",
        ("gitmem log -n 10", "gitmem log --json"),
        (),
        (Option("-n", "at most this many commits", "N", "whole", least=1),),
    ),
    Command(
        "history",
        "Look back",
        "the commits that changed one note",
        "Lists the commits that changed one note, newest first, under every name that it had; also of a note that is"
        " gone.",
        ("gitmem history private-index",),
        (NAME,),
    ),
    Command(
        "diff",
        "Look back",
        "what the memory says otherwise between two commits",
        "Compares the memory at two commits or dates by meaning: what was added, revised, superseded (another note"
        " took its place), buried (removed on purpose, and a note says why), renamed, removed, relinked, stale (the code"
        " that it speaks of changed or went, and the note stayed as it was). A...B"
        " compares B with where it parted from A; an empty side is HEAD.",
        ("gitmem diff main..feature", "gitmem diff v1.0..", "gitmem diff 2026-06-30..HEAD"),
        (Argument("span", "A..B", "two commits or dates"),),
    ),
    Command(
        "undo",
        "Look back",
        "take back what a commit did to the memory",
        "Makes a new commit that takes back what an older one, or every one of a session, did to the memory, and"
        " nothing else. What changed since is left and named.",
        ("gitmem undo HEAD --dry-run", "gitmem undo 3fa9c1d", "gitmem undo --session 2026-11-30-a1f3"),
        (Argument("commit", "COMMIT", "the commit to take back", required=False),),
        (Option("--session", "every commit that names this session", "ID"), DRY_RUN),
    ),
)

"""The part of the option table that puts notes away: buried, forgotten, merged into another."""

from gitmem.faces.table import DRY_RUN, NAME, Argument, Command, Option

RETIREMENT = (
    Command(
        "bury",
        "Write",
        "put a note away on purpose, so that it stays away",
        "Archives a note and writes a tombstone that names it and says why. A new note of its title or name is refused"
        " without --allow-tombstoned; one that only comes near it is written, with a warning. The reason says why it"
        " went; it need not repeat what the note claimed.",
        ('gitmem bury try-sqlite --reason "It locks on network drives."',),
        (NAME,),
        (Option("--reason", "why it must not come back", "TEXT"),),
    ),
    Command(
        "forget",
        "Write",
        "delete a note; for a person",
        "Deletes a note's file, and leaves a tombstone unless --no-trace. Git keeps what was committed of it. Links to it"
        " lead nowhere then, and are named. Refused to agents: they bury.",
        ('gitmem forget fsync-is-slow --reason "It was never measured."', "gitmem forget try-sqlite --no-trace"),
        (NAME,),
        (
            Option("--no-trace", "leave no tombstone", kind="flag"),
            Option("--reason", "why it must not come back, for the tombstone", "TEXT"),
        ),
    ),
    Command(
        "merge",
        "Write",
        "make several notes one",
        "One note takes over the tags, aliases, touches and links of the others, and replaces them; links to them lead to"
        " it. Its text stays as it is: --dry-run shows what the others say that it does not. Refused where one of them is"
        " pinned, superseded or archived; nothing is written then.",
        (
            "gitmem merge plain-files --into private-index --dry-run",
            "gitmem merge plain-files wal --into private-index",
        ),
        (Argument("names", "NAME", "the notes to be merged", many=True, note=True),),
        (Option("--into", "the note that stays", "NAME"), DRY_RUN),
    ),
)

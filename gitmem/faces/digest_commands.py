"""The part of the option table for digest: what the project itself says that its memory should hold."""

from gitmem.faces.table import Command, Option

DIGEST = Command(
    "digest",
    "Keep in order",
    "what the project says that its memory should hold",
    "Nominates notes as JSON lines, with or without --json, and writes nothing: decision records (MADR, adr-tools,"
    " log4brains) with their status and what they replace, commits that were taken back, commits that give a reason, what"
    " a changelog deprecates, removes, secures or breaks, sections of README and docs on principles, choices and limits,"
    " and FIXME (a problem) and TODO (an intent) in comments. Ignored, foreign, generated and binary files are left"
    " alone, and so is what a note's title says already.\n\nRead them, take out what is not worth keeping, and give the"
    " rest to remember --batch, 100 at a time. --write remembers all of them, for a person: they are unreviewed notes"
    " like an agent's until somebody approves them.",
    ("gitmem digest", "gitmem digest --limit 500", "gitmem digest --write"),
    (),
    (
        Option("--write", "remember them all; for a person", kind="flag"),
        Option("--limit", "at most this many, up to 500 (100; with --write 500)", "N", "whole", least=1),
    ),
)

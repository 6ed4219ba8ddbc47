"""The part of the option table for trust: what a person says of notes, what waits for one, and whose a clone's notes are."""

from gitmem.faces.table import NAME, Argument, Command, Option

JUDGEMENTS = ("conflict", "replaces", "distinct")
NAMES = Argument("names", "NAME", "notes: names, aliases, or paths inside .memory/", many=True, note=True)

TRUST = (
    Command(
        "approve",
        "Keep in order",
        "say that notes hold, as they are; for a person",
        "Stamps notes as approved, with your Git identity. An edit of the title, the summary, the text or the links voids"
        " it. Refused to agents, and where a review branch approves: merge it there instead.",
        ("gitmem approve private-index", "gitmem approve plain-files wal"),
        (NAMES,),
    ),
    Command(
        "unapprove",
        "Keep in order",
        "take an approval back; for a person",
        "Takes the approval of notes away. A note that a person wrote counts as approved by that.",
        ("gitmem unapprove private-index",),
        (NAMES,),
    ),
    Command(
        "pin",
        "Keep in order",
        "hold a note's trust at a value; for a person",
        "Makes a note's trust a constant, up or down, whatever its dates say.",
        ("gitmem pin private-index", "gitmem pin journal 0.2"),
        (NAME, Argument("value", "VALUE", "0 to 1; 1 when left out", required=False)),
    ),
    Command(
        "unpin",
        "Keep in order",
        "take a pin away; for a person",
        "Takes a pin away: the trust follows from the note's dates again.",
        ("gitmem unpin private-index",),
        (NAME,),
    ),
    Command(
        "confirm",
        "Keep in order",
        "say that notes are still true",
        "Writes today's date into notes, and the hashes of the code that they touch as it is now. A person's makes them"
        " confirmed; an agent's is recorded as that, and makes them no more trusted.",
        ("gitmem confirm private-index",),
        (NAMES,),
    ),
    Command(
        "conflicts",
        "Keep in order",
        "notes that contradict one another, and how to judge",
        "Lists the pairs. judge settles one, also of suspects: conflict records that they contradict each other, replaces"
        " that the newer holds from now on, distinct that they do not disagree.",
        ("gitmem conflicts", "gitmem conflicts judge private-index plain-files distinct"),
        (
            Argument("action", "judge", "what to do; nothing lists the pairs", False, choices=("judge",)),
            Argument("newer", "NEWER", "the note that makes the newer claim", False, note=True),
            Argument("older", "OLDER", "the note that it disagrees with", False, note=True),
            Argument("kind", "|".join(JUDGEMENTS), "what they are to each other", False, choices=JUDGEMENTS),
        ),
    ),
    Command(
        "suspects",
        "Keep in order",
        "the notes that seem to disagree, unjudged",
        "Lists the pairs; gitmem conflicts judge settles one. --sweep compares every note with those near to it and lists"
        " the pairs that nobody has looked at yet; --write stamps them on the newer notes.",
        ("gitmem suspects", "gitmem suspects --sweep --write"),
        (),
        (
            Option("--sweep", "look for pairs among all notes", kind="flag"),
            Option("--write", "with --sweep: stamp what was found", kind="flag"),
        ),
    ),
    Command(
        "decay",
        "Keep in order",
        "what agents wrote and nobody vouched for in time",
        "Lists the notes that agents wrote and that were stale for 14 days; approved, pinned, stable and open ones are"
        " left alone. --apply archives them, for a person: they leave recall, and nothing is deleted.",
        ("gitmem decay", "gitmem decay --apply"),
        (),
        (Option("--apply", "archive them", kind="flag"),),
    ),
    Command(
        "trust",
        "Set up",
        "make this clone's notes yours; for a person",
        "Marks this clone as trusted, and does nothing else: what its notes say is then shown to the agents that you start"
        " here. Read them first.",
        ("gitmem trust",),
    ),
)

"""The vocabularies that are shipped, and the config.toml that declares one."""

from gitmem.notes.declaration import render
from gitmem.notes.vocabulary import CHECKPOINT, Type, Verb, Vocabulary, named

_TOMBSTONE = Type("tombstone", "what was deliberately removed and must not come back", "stable", "tombstone")
_ANSWERS = Verb("answers", "a resolution answers a problem, and closes it", "answer", "worklist")
_NEEDS = Verb("needs", "work that depends on other work", "dependency")
_REPLACES = Verb("replaces", "the newer claim wins, the older is kept as history", "supersession")
_CONFLICTS = Verb("conflicts-with", "an explicit contradiction, awaiting or recording a judgement", "contradiction")

_PRESETS: dict[str, tuple[tuple[Type, ...], tuple[Verb, ...]]] = {
    "engram": (
        (
            Type("principle", "a stable preference or convention", "stable", None, 8),
            Type("decision", "a choice made for a reason", "stable", None, 7),
            Type("caution", "a gotcha or constraint that bit or will bite", "stable", None, 10),
            Type("problem", "something that went wrong", "episodic", "worklist"),
            Type("resolution", "how a problem was actually solved", "episodic"),
            Type("insight", "a non-obvious realisation worth carrying", "episodic"),
            Type("intent", "a deferred idea or TODO that must survive", "volatile", "worklist"),
            Type("anchor", "a subject that other notes attach to", "stable", "anchor"),
            _TOMBSTONE,
            CHECKPOINT,
        ),
        (
            Verb("because", "a decision because a principle", "reason"),
            _ANSWERS,
            Verb("builds-on", "an insight builds on another"),
            Verb("about", "any note about an anchor", "subject", "anchor"),
            _NEEDS,
            _REPLACES,
            _CONFLICTS,
        ),
    ),
    "minimal": (
        (
            Type("rule", "how things are done here, and what to avoid", "stable", None, 15),
            Type("note", "anything worth knowing later", "episodic", None, 8),
            Type("todo", "work that must not be forgotten", "volatile", "worklist"),
            _TOMBSTONE,
            CHECKPOINT,
        ),
        (
            Verb("because", "a rule because of a note", "reason"),
            Verb("answers", "a note answers a todo, and closes it", "answer", "worklist"),
            _REPLACES,
            _CONFLICTS,
        ),
    ),
    "research": (
        (
            Type("claim", "what is held to be true, and why", "stable", None, 10),
            Type("method", "how something is done or measured", "stable", None, 7),
            Type("question", "what is not known yet", "episodic", "worklist"),
            Type("finding", "what an experiment or a reading showed", "episodic", None, 8),
            Type("source", "a paper, data set or person that other notes cite", "stable", "anchor"),
            Type("task", "work to be done", "volatile", "worklist"),
            _TOMBSTONE,
            CHECKPOINT,
        ),
        (
            Verb("supported-by", "a claim is supported by a finding", "reason"),
            Verb("answers", "a finding answers a question, and closes it", "answer", "worklist"),
            Verb("builds-on", "a method builds on another"),
            Verb("cites", "any note cites a source", "subject", "anchor"),
            _NEEDS,
            Verb("supersedes", "the newer claim wins, the older is kept as history", "supersession"),
            Verb("refutes", "an explicit contradiction, awaiting or recording a judgement", "contradiction"),
        ),
    ),
}
PRESETS = tuple(_PRESETS)

# What the config.toml of a new memory says, around its declared types and verbs.
_TEXT = """\
# The words this project's memory is written in, and its policy: words and numbers only, nothing here runs.
# Types (or verbs) declared here replace the shipped ones as a whole.
# `gitmem vocabulary` shows them; `gitmem vocabulary add` and `rename` change them.

# Types. A type is a folder. durability: stable, episodic or volatile. role, what gitmem takes it for: worklist (open until
# resolved), anchor, tombstone or checkpoint. brief: at most how many of them an agent is shown as it starts.

{types}
# Verbs. role: reason, answer, subject, dependency, supersession or contradiction (exactly one verb each of the
# last two). to: the role that the linked note's type has.

{verbs}
# Domains, if the project has areas: [domains.search] with holds = "finding notes".

# What is commented out shows its default. A body limit is in bytes; a review fails by error, warning or never.
[policy]
# body_limit = 16384
# keep_checkpoints = 50
# documents = ["AGENTS.md", "CLAUDE.md", "README.md", "docs/adr/**"]
# review = "error"

[guard]
# idle = "2h"
# required = false

# With a branch (by default there is none), a note is approved when it equals the one there. This counts as it stands on
# origin's default branch, in clones that know that one; `git config gitmem.reviewBranch main` says it for one clone.
[review]
# branch = "main"

# Numbers from 0 to 1 in place of the measured ones: duplicate, suspect, warning, related, strong, weak.
[thresholds]
"""


def preset(name: str) -> Vocabulary:
    """Returns a shipped vocabulary. Raises GitmemError `unknown-preset`."""
    word = named("preset", name, PRESETS)
    types, verbs = _PRESETS[word]
    return Vocabulary({each.name: each for each in types}, {each.name: each for each in verbs}, {})


def preset_text(name: str) -> str:
    """Returns the config.toml that declares a shipped vocabulary. Raises GitmemError `unknown-preset`."""
    vocabulary = preset(name)
    types = "\n".join(render(each) for each in vocabulary.types.values())
    verbs = "\n".join(render(each) for each in vocabulary.verbs.values())
    return _TEXT.format(types=types, verbs=verbs)

"""The words a memory is written in (types, verbs, domains) and the roles that the engine knows them by."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gitmem.errors import GitmemError, near_miss
from gitmem.notes.name import fold, is_reserved

DURABILITIES = ("stable", "episodic", "volatile")
TYPE_ROLES = ("worklist", "anchor", "tombstone", "checkpoint")
VERB_ROLES = ("reason", "answer", "subject", "dependency", "supersession", "contradiction")
TARGETS = ("any", *TYPE_ROLES)
WORKLIST_STATUSES = ("open", "resolved", "obsolete")
STATUSES = ("superseded", "archived")

# The fields of a note that are not verbs, in the order that new notes write them (links come before touches).
FIELDS = (
    *("title", "type", "summary", "tags", "aliases", "domain", "status", "durability"),
    *("source", "agent", "session", "confidence", "created", "confirmed", "confirmed_by", "approved"),
    *("pinned", "reviewed", "sensitive", "touches", "buried", "suspects", "distinct"),
)
_CHECKPOINT_FIELDS = ("head",)


class Type(NamedTuple):
    """A kind of note: what it holds, how its trust ages, what the engine does with it, how many the brief shows."""

    name: str
    holds: str = ""
    durability: str = "stable"
    role: str | None = None
    brief: int | None = None


class Verb(NamedTuple):
    """A kind of link: how it reads, what the engine does with it, and the role its target has (or `any`)."""

    name: str
    reads: str = ""
    role: str | None = None
    to: str = "any"


class Vocabulary(NamedTuple):
    """The declared words. Domains map a word to what it stands for; without any, a note has no domain."""

    types: dict[str, Type]
    verbs: dict[str, Verb]
    domains: dict[str, str]


class Domain(NamedTuple):
    """A declared project area; `holds` says what belongs to it."""

    name: str
    holds: str = ""


Declared = Type | Verb | Domain
KINDS = {"type": "types", "verb": "verbs", "domain": "domains"}

CHECKPOINT = Type("checkpoint", "where a piece of work stood", "episodic", "checkpoint")
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
PRESET_TEXT = """\
# The words this project's memory is written in, and its policy: words and numbers only, nothing here runs.
# Types (or verbs) declared here replace the shipped ones as a whole.
# `gitmem vocabulary` shows them; `gitmem vocabulary add` and `rename` change them.

# Types. A type is a folder. durability: stable, episodic or volatile. role, for the engine: worklist, anchor,
# tombstone or checkpoint. brief: how many notes of it the brief shows at most.

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

# With a branch, a note is approved when it equals the one there.
[review]
# branch = "main"

# Numbers from 0 to 1 in place of the measured ones: duplicate, suspect, warning, related, strong, weak.
[thresholds]
"""


def preset(name: str) -> Vocabulary:
    """Returns a shipped vocabulary. Raises GitmemError `unknown-preset`."""
    word = _declared("preset", name, PRESETS)
    types, verbs = _PRESETS[word]
    return Vocabulary({each.name: each for each in types}, {each.name: each for each in verbs}, {})


def type_named(vocabulary: Vocabulary, word: str) -> str:
    """Returns the declared type that `word` spells in any case. Raises GitmemError `unknown-type`."""
    return _declared("type", word, vocabulary.types)


def verb_named(vocabulary: Vocabulary, word: str) -> str:
    """Returns the declared verb that `word` spells in any case. Raises GitmemError `unknown-verb`."""
    return _declared("verb", word, vocabulary.verbs)


def domain_named(vocabulary: Vocabulary, word: str) -> str:
    """Returns the declared domain that `word` spells in any case. Raises GitmemError `unknown-domain`."""
    return _declared("domain", word, vocabulary.domains)


def status_named(vocabulary: Vocabulary, note_type: str, word: str) -> str:
    """Returns the status that `word` spells in any case, if a note of this type can have it.

    Raises GitmemError `unknown-status`.
    """
    worklist = note_type in types_with(vocabulary, "worklist")
    return _declared("status", word, (*WORKLIST_STATUSES, *STATUSES) if worklist else STATUSES)


def types_with(vocabulary: Vocabulary, role: str) -> frozenset[str]:
    """Returns the names of the types that have this role."""
    return frozenset(each.name for each in vocabulary.types.values() if each.role == role)


def verbs_with(vocabulary: Vocabulary, role: str) -> frozenset[str]:
    """Returns the names of the verbs that have this role."""
    return frozenset(each.name for each in vocabulary.verbs.values() if each.role == role)


def type_with(vocabulary: Vocabulary, role: str) -> str:
    """Returns the first declared type of this role. Raises GitmemError `missing-role` when there is none."""
    return _first("type", role, vocabulary.types.values())


def verb_with(vocabulary: Vocabulary, role: str) -> str:
    """Returns the first declared verb of this role. Raises GitmemError `missing-role` when there is none.

    The roles supersession and contradiction have exactly one verb in every valid vocabulary.
    """
    return _first("verb", role, vocabulary.verbs.values())


def durability_of(vocabulary: Vocabulary, note_type: str | None, own: str | None) -> str:
    """Returns how a note's trust ages: as its own field says, else its type; episodic where neither is known."""
    if own in DURABILITIES:
        return own
    declared = vocabulary.types.get(note_type or "")
    return declared.durability if declared else "episodic"


def word_named(vocabulary: Vocabulary, kind: str, word: str) -> str:
    """Returns the declared word of a kind that `word` spells in any case. Raises GitmemError `unknown-…`."""
    return _declared(kind, word, words_of(vocabulary, kind))


def kind_named(kind: str) -> str:
    """Returns the kind of word, `type`, `verb` or `domain`. Raises GitmemError `unknown-kind`."""
    return _declared("kind", kind, KINDS)


def check_free(vocabulary: Vocabulary, kind: str, word: str) -> None:
    """Raises GitmemError `already-declared` when a word of this kind is declared, in any case."""
    for each in words_of(vocabulary, kind):
        if fold(each) == fold(word):
            raise GitmemError("already-declared", f"The {kind} {each!r} is declared already.", "Choose another word.")


def words_of(vocabulary: Vocabulary, kind: str) -> dict[str, Declared]:
    """Returns the declared words of a kind (`type`, `verb`, `domain`), in order."""
    if kind == "domain":
        return {word: Domain(word, holds) for word, holds in vocabulary.domains.items()}
    return dict(vocabulary.types if kind == "type" else vocabulary.verbs)


def with_words(vocabulary: Vocabulary, kind: str, words: dict[str, Declared]) -> Vocabulary:
    """Returns the vocabulary with these words as all of a kind. Raises GitmemError `bad-declaration`."""
    types = {word: each for word, each in words.items() if isinstance(each, Type)}
    verbs = {word: each for word, each in words.items() if isinstance(each, Verb)}
    faults = [fault for each in words.values() for fault in declaration_faults(each)]
    faults += type_set_faults(types.values()) if kind == "type" else []
    faults += verb_set_faults(verbs.values()) if kind == "verb" else []
    if faults:
        raise GitmemError("bad-declaration", faults[0])
    if kind == "domain":
        return vocabulary._replace(
            domains={each.name: each.holds for each in words.values() if isinstance(each, Domain)}
        )
    return vocabulary._replace(types=types) if kind == "type" else vocabulary._replace(verbs=verbs)


def render(declared: Declared) -> str:
    """Returns the TOML table that declares one word; keys that say nothing more than their absence are left out."""
    table = "types" if isinstance(declared, Type) else "verbs" if isinstance(declared, Verb) else "domains"
    values = [(each, value) for each, value in declared._asdict().items() if each != "name"]
    lines = [f"{each} = {_literal(value)}\n" for each, value in values if value not in (None, "", "any")]
    return f"[{table}.{key(declared.name)}]\n" + "".join(lines)


def key(word: str) -> str:
    """Returns a word as a TOML key: bare where TOML allows it, else quoted."""
    return word if re.fullmatch("[A-Za-z0-9_-]+", word) else _literal(word)


def declaration_faults(declared: Declared) -> list[str]:
    """Returns what is wrong with one declared word, as sentences."""
    if isinstance(declared, Type):
        return list(_type_faults(declared))
    if isinstance(declared, Verb):
        return list(_verb_faults(declared))
    return [] if _is_word(declared.name) else [_word_fault("domain", declared.name)]


def type_set_faults(types: Iterable[Type]) -> list[str]:
    """Returns what is wrong with types that are each well declared, as sentences."""
    types = list(types)
    return [*_equal("type", [each.name for each in types]), *_unless_one("type", "checkpoint", types)]


def verb_set_faults(verbs: Iterable[Verb]) -> list[str]:
    """Returns what is wrong with verbs that are each well declared, as sentences."""
    verbs = list(verbs)
    roles = ("supersession", "contradiction")
    return [fault for role in roles for fault in _unless_one("verb", role, verbs)]


def _type_faults(declared: Type) -> Iterator[str]:
    if not _is_word(declared.name):
        yield _word_fault("type", declared.name)
    yield from _not_in("durability", declared.name, declared.durability, DURABILITIES)
    if declared.role is not None:
        yield from _not_in("role", declared.name, declared.role, TYPE_ROLES)
    if declared.brief is not None and not 0 <= declared.brief <= 100:
        yield f"The brief of {declared.name!r} is {declared.brief}; it is a number from 0 to 100."


def _verb_faults(declared: Verb) -> Iterator[str]:
    if not re.fullmatch("[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?", declared.name):
        yield (
            f"{declared.name!r} cannot be a verb: a verb is at most 32 lower-case letters, digits and hyphens, "
            "with no hyphen at either end."
        )
    if declared.name in FIELDS or declared.name in _CHECKPOINT_FIELDS:
        yield f"{declared.name!r} cannot be a verb: it is a field of every note."
    if declared.role is not None:
        yield from _not_in("role", declared.name, declared.role, VERB_ROLES)
    yield from _not_in("to", declared.name, declared.to, TARGETS)


def _literal(value: str | int) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)


def _not_in(key: str, word: str, value: str, known: tuple[str, ...]) -> Iterator[str]:
    if value not in known:
        yield f"The {key} of {word!r} is {value!r}; it is one of {', '.join(known)}."


def _is_word(word: str) -> bool:
    """Returns whether a word can be a type or domain, and a type's folder."""
    shaped = re.fullmatch(r"[^\W_](?:[\w -]{0,30}\w)?", word) is not None
    return shaped and "  " not in word and not is_reserved(word)


def _word_fault(kind: str, word: str) -> str:
    return (
        f"{word!r} cannot be a {kind}: a {kind} is 1 to 32 letters, digits, hyphens and single inner spaces, "
        "begins with a letter or digit, and is not a name that Windows reserves."
    )


def _equal(kind: str, words: list[str]) -> list[str]:
    seen: dict[str, str] = {}
    pairs = [(word, seen.setdefault(fold(word), word)) for word in words]
    return [f"The {kind}s {other!r} and {word!r} differ only in case." for word, other in pairs if word != other]


def _unless_one(kind: str, role: str, declared: Iterable[Type | Verb]) -> list[str]:
    having = [each.name for each in declared if each.role == role]
    if len(having) == 1:
        return []
    found = "none has" if not having else f"{' and '.join(having)} have"
    return [f"Exactly one {kind} must have the role {role}; {found} it."]


def _first(kind: str, role: str, declared: Iterable[Type | Verb]) -> str:
    for each in declared:
        if each.role == role:
            return each.name
    raise GitmemError(
        "missing-role",
        f"The vocabulary declares no {kind} with the role {role}.",
        f"Declare one: gitmem vocabulary add {kind} WORD --role {role}.",
    )


def _declared(kind: str, word: str, known: Iterable[str]) -> str:
    words = list(known)
    wanted = fold(word.strip())
    for each in words:
        if fold(each) == wanted:
            return each
    declared = f"declared are {', '.join(words)}" if words else "none is declared"
    raise GitmemError(f"unknown-{kind}", f"{word[:80]!r} is not a {kind} here; {declared}.", _next(kind, wanted, words))


def _next(kind: str, wanted: str, words: list[str]) -> str | None:
    near = near_miss(wanted, words)
    if near is not None:
        return f"Did you mean {near}?"
    if kind in ("type", "verb", "domain"):
        return f"Use a declared {kind}, or declare it: gitmem vocabulary add {kind} WORD."
    return f"Use one of {', '.join(words)}."

"""The words a memory is written in (types, verbs, domains) and the roles that the engine knows them by."""

from collections.abc import Collection, Iterable

from gitmem.errors import GitmemError, near_miss
from gitmem.notes.name import fold
from gitmem.values import NamedTuple

DURABILITIES = ("stable", "episodic", "volatile")
TYPE_ROLES = ("worklist", "anchor", "tombstone", "checkpoint")
VERB_ROLES = ("reason", "answer", "subject", "dependency", "supersession", "contradiction")
TARGETS = ("any", *TYPE_ROLES)
SETTLED = ("resolved", "obsolete")  # what a note of a worklist claimed is history then
WORKLIST_STATUSES = ("open", *SETTLED)
STATUSES = ("superseded", "archived")


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

# Built in: a vocabulary that declares no type of this role has this one.
CHECKPOINT = Type("checkpoint", "where a piece of work stood", "episodic", "checkpoint")


def named(kind: str, word: str, known: Iterable[str], unguessed: Collection[str] = ()) -> str:
    """Returns the word among `known` that `word` spells in any case. Raises GitmemError `unknown-…` with near misses.

    `unguessed` are words that nobody is asked to have meant.
    """
    words = list(known)
    wanted = fold(word.strip())
    for each in words:
        if fold(each) == wanted:
            return each
    declared = f"declared are {', '.join(words)}" if words else "none is declared"
    raise GitmemError(
        f"unknown-{kind}",
        f"{word[:80]!r} is not a {kind} here; {declared}.",
        _next(kind, wanted, [each for each in words if each not in unguessed]),
    )


def type_named(vocabulary: Vocabulary, word: str) -> str:
    """Returns the declared type that `word` spells in any case. Raises GitmemError `unknown-type`."""
    return named("type", word, vocabulary.types)


def verb_named(vocabulary: Vocabulary, word: str) -> str:
    """Returns the declared verb that `word` spells in any case. Raises GitmemError `unknown-verb`."""
    retiring = [name for name, verb in vocabulary.verbs.items() if verb.role == "supersession"]
    return named("verb", word, vocabulary.verbs, retiring)  # a guess that was followed would take a note out of recall


def domain_named(vocabulary: Vocabulary, word: str) -> str:
    """Returns the declared domain that `word` spells in any case. Raises GitmemError `unknown-domain`."""
    return named("domain", word, vocabulary.domains)


def status_named(vocabulary: Vocabulary, note_type: str, word: str) -> str:
    """Returns the status that `word` spells in any case, if a note of this type can have it.

    Raises GitmemError `unknown-status`.
    """
    return named("status", word, statuses_of(vocabulary, note_type))


def statuses_of(vocabulary: Vocabulary, note_type: str) -> tuple[str, ...]:
    """Returns the statuses that a note of this type can have."""
    return (*WORKLIST_STATUSES, *STATUSES) if note_type in types_with(vocabulary, "worklist") else STATUSES


def types_with(vocabulary: Vocabulary, role: str) -> frozenset[str]:
    """Returns the names of the types that have this role."""
    return frozenset(each.name for each in vocabulary.types.values() if each.role == role)


def note_with(vocabulary: Vocabulary, role: str) -> str:
    """Returns what a note of a role is called: `an anchor note`, by the types that have the role."""
    wanted = " or ".join(sorted(types_with(vocabulary, role))) or role
    return f"{'an' if wanted[:1] in 'aeiou' else 'a'} {wanted} note"


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
    return named(kind, word, words_of(vocabulary, kind))


def kind_named(kind: str) -> str:
    """Returns the kind of word, `type`, `verb` or `domain`. Raises GitmemError `unknown-kind`."""
    return named("kind", kind, KINDS)


def words_of(vocabulary: Vocabulary, kind: str) -> dict[str, Declared]:
    """Returns the declared words of a kind (`type`, `verb`, `domain`), in order."""
    if kind == "domain":
        return {word: Domain(word, holds) for word, holds in vocabulary.domains.items()}
    return dict(vocabulary.types if kind == "type" else vocabulary.verbs)


def _first(kind: str, role: str, declared: Iterable[Type | Verb]) -> str:
    for each in declared:
        if each.role == role:
            return each.name
    raise GitmemError(
        "missing-role",
        f"The vocabulary declares no {kind} with the role {role}.",
        f"Declare one: gitmem vocabulary add {kind} WORD --role {role}.",
    )


def _next(kind: str, wanted: str, words: list[str]) -> str | None:
    near = near_miss(wanted, words)
    if near is not None:
        return f"Did you mean {near}?"
    if kind in ("type", "verb", "domain"):
        from shlex import quote  # late: only a refusal needs it

        return f"Use a declared {kind}, or declare it: gitmem vocabulary add {kind} {quote(wanted[:80] or 'WORD')}"
    return f"Use one of {', '.join(words)}."

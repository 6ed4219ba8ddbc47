"""A declared word: what is wrong with it, alone and beside others, and the TOML table that declares it."""

import re
from collections.abc import Iterable, Iterator

from gitmem.notes.literal import FIELDS
from gitmem.notes.name import fold, is_reserved
from gitmem.notes.vocabulary import DURABILITIES, TARGETS, TYPE_ROLES, VERB_ROLES, Declared, Type, Verb

_CHECKPOINT_FIELDS = ("head",)


def render(declared: Declared) -> str:
    """Returns the TOML table that declares one word; keys that say nothing more than their absence are left out."""
    table = "types" if isinstance(declared, Type) else "verbs" if isinstance(declared, Verb) else "domains"
    values = [(each, value) for each, value in declared._asdict().items() if each != "name"]
    lines = [f"{each} = {_literal(value)}\n" for each, value in values if value not in (None, "", "any")]
    return f"[{table}.{key(declared.name)}]\n" + "".join(lines)


def key(word: str) -> str:
    """Returns a word as a TOML key: bare where TOML allows it, else quoted."""
    return word if re.fullmatch("[A-Za-z0-9_-]+", word) else _literal(word)


def faults(declared: Declared) -> list[str]:
    """Returns what is wrong with one declared word, as sentences."""
    if isinstance(declared, Type):
        return list(_faults_of_type(declared))
    if isinstance(declared, Verb):
        return list(_faults_of_verb(declared))
    return [] if _is_word(declared.name) else [_word_fault("domain", declared.name)]


def type_faults(types: Iterable[Type]) -> list[str]:
    """Returns what is wrong with types that are each well declared, as sentences."""
    types = list(types)
    return [*_equal("type", [each.name for each in types]), *_unless_one("type", "checkpoint", types)]


def verb_faults(verbs: Iterable[Verb]) -> list[str]:
    """Returns what is wrong with verbs that are each well declared, as sentences."""
    verbs = list(verbs)
    roles = ("supersession", "contradiction")
    return [fault for role in roles for fault in _unless_one("verb", role, verbs)]


def _faults_of_type(declared: Type) -> Iterator[str]:
    if not _is_word(declared.name):
        yield _word_fault("type", declared.name)
    yield from _not_in("durability", declared.name, declared.durability, DURABILITIES)
    if declared.role is not None:
        yield from _not_in("role", declared.name, declared.role, TYPE_ROLES)
    if declared.brief is not None and not 0 <= declared.brief <= 100:
        yield f"The brief of {declared.name!r} is {declared.brief}; it is a number from 0 to 100."


def _faults_of_verb(declared: Verb) -> Iterator[str]:
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

"""An amendment: config.toml with one word more, or with one renamed, every other byte as it was."""

from gitmem.errors import GitmemError, Problem
from gitmem.notes.config import PATH, Config, declaration, keys_of, load, parse
from gitmem.notes.declaration import faults, key, render, type_faults, verb_faults
from gitmem.notes.name import fold
from gitmem.notes.preset import preset
from gitmem.notes.vocabulary import (
    KINDS,
    Declared,
    Domain,
    Type,
    Verb,
    Vocabulary,
    kind_named,
    word_named,
    words_of,
)


def add(text: str, kind: str, word: str, **options: str | int) -> str:
    """Returns the config.toml text with one type, verb or domain more; every byte that was there stays.

    Options are the keys of a declaration: holds, durability, role, brief of a type; reads, role, to of a verb; holds
    of a domain. Raises GitmemError `bad-declaration`, `already-declared` or `config-unclear`.
    """
    kind, word = kind_named(kind), fold(word.strip())
    before = parse(text.encode())
    declared = declaration(kind, word, options, _refuse)
    if declared is None:
        raise GitmemError("usage", f"A {kind} is declared with words and numbers.", status=2)
    _check_free(before.vocabulary, kind, word)
    expected = _with_words(before.vocabulary, kind, {**words_of(before.vocabulary, kind), word: declared})
    return _verified(_append(_spelled_out(text, kind), render(declared)), before, expected)


def rename(text: str, kind: str, old: str, new: str) -> str:
    """Returns the config.toml text with one word renamed where it is declared; every other byte stays.

    Raises GitmemError `unknown-type` (verb, domain), `bad-declaration`, `already-declared` or `config-unclear`.
    """
    kind, new = kind_named(kind), fold(new.strip())
    before = parse(text.encode())
    old = word_named(before.vocabulary, kind, old)
    if fold(old) != fold(new):
        _check_free(before.vocabulary, kind, new)
    renamed = {
        new if word == old else word: declared._replace(name=new) if word == old else declared
        for word, declared in words_of(before.vocabulary, kind).items()
    }
    expected = _with_words(before.vocabulary, kind, renamed)
    whole = _spelled_out(text, kind)
    spans = [span for each in keys_of(whole) if (span := each.span_of(KINDS[kind], old)) is not None]
    for start, end in reversed(spans):
        whole = whole[:start] + key(new) + whole[end:]
    if not spans:  # the built-in checkpoint, which the file need not declare
        whole = _append(whole, render(renamed[new]))
    return _verified(whole, before, expected)


def _check_free(vocabulary: Vocabulary, kind: str, word: str) -> None:
    """Raises GitmemError `already-declared` when a word of this kind is declared, in any case."""
    for each in words_of(vocabulary, kind):
        if fold(each) == fold(word):
            raise GitmemError("already-declared", f"The {kind} {each!r} is declared already.", "Choose another word.")


def _with_words(vocabulary: Vocabulary, kind: str, words: dict[str, Declared]) -> Vocabulary:
    """Returns the vocabulary with these words as all of a kind. Raises GitmemError `bad-declaration`."""
    types = {word: each for word, each in words.items() if isinstance(each, Type)}
    verbs = {word: each for word, each in words.items() if isinstance(each, Verb)}
    found = [fault for each in words.values() for fault in faults(each)]
    found += type_faults(types.values()) if kind == "type" else []
    found += verb_faults(verbs.values()) if kind == "verb" else []
    if found:
        raise GitmemError("bad-declaration", found[0])
    if kind == "domain":
        return vocabulary._replace(
            domains={each.name: each.holds for each in words.values() if isinstance(each, Domain)}
        )
    return vocabulary._replace(types=types) if kind == "type" else vocabulary._replace(verbs=verbs)


def _refuse(path: tuple[str, ...], code: str, message: str) -> None:
    raise GitmemError("bad-declaration", message)


def _spelled_out(text: str, kind: str) -> str:
    """Returns the text with the shipped words declared in it, where it left them to the default."""
    loaded = load(text.encode())
    if kind == "domain" or isinstance(loaded, Problem) or loaded[1].get(KINDS[kind]):
        return text
    for declared in words_of(preset("engram"), kind).values():
        text = _append(text, render(declared))
    return text


def _append(text: str, block: str) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    gap = "" if not text else newline if text.endswith("\n") else newline * 2
    return text + gap + block.replace("\n", newline)


def _verified(text: str, before: Config, expected: Vocabulary) -> str:
    """Returns the text when it says what was meant and nothing else changed. Raises GitmemError `config-unclear`."""
    after = parse(text.encode())
    same = after.policy == before.policy and len(after.problems) == len(before.problems)
    # No value here has several lines; a string of several may hold what looks like a header (see keys_of).
    if same and after.vocabulary == expected and "'''" not in text and '"""' not in text:
        return text
    first = before.problems[0].message if before.problems else "its tables are laid out in a way only a hand can edit."
    raise GitmemError("config-unclear", f"{PATH} was left as it is: {first}", f"Edit {PATH} by hand.")

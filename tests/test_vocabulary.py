"""The vocabulary: presets, words as people type them, roles, and what may be declared."""

import pytest

from gitmem.errors import GitmemError
from gitmem.notes import declaration
from gitmem.notes import vocabulary as words
from gitmem.notes.literal import FIELDS
from gitmem.notes.preset import PRESETS, preset
from gitmem.notes.vocabulary import Type, Verb, Vocabulary

ENGRAM = preset("engram")


def test_engram_is_the_table_of_the_design() -> None:
    types = {each.name: (each.durability, each.role, each.brief) for each in ENGRAM.types.values()}
    verbs = {each.name: (each.role, each.to) for each in ENGRAM.verbs.values()}

    assert types == {
        "principle": ("stable", None, 8),
        "decision": ("stable", None, 7),
        "caution": ("stable", None, 10),
        "problem": ("episodic", "worklist", None),
        "resolution": ("episodic", None, None),
        "insight": ("episodic", None, None),
        "intent": ("volatile", "worklist", None),
        "anchor": ("stable", "anchor", None),
        "tombstone": ("stable", "tombstone", None),
        "checkpoint": ("episodic", "checkpoint", None),
    }
    assert verbs == {
        "because": ("reason", "any"),
        "answers": ("answer", "worklist"),
        "builds-on": (None, "any"),
        "about": ("subject", "anchor"),
        "needs": ("dependency", "any"),
        "replaces": ("supersession", "any"),
        "conflicts-with": ("contradiction", "any"),
    }


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_valid_and_has_the_roles_that_verbs_need(name: str) -> None:
    vocabulary = preset(name)

    faults = [declaration.faults(each) for kind in words.KINDS for each in words.words_of(vocabulary, kind).values()]

    assert not any(faults)
    assert not declaration.type_faults(vocabulary.types.values())
    assert not declaration.verb_faults(vocabulary.verbs.values())
    assert words.types_with(vocabulary, "worklist")
    assert words.type_with(vocabulary, "tombstone") == "tombstone"
    assert words.type_with(vocabulary, "checkpoint") == "checkpoint"
    assert words.verb_with(vocabulary, "answer")
    assert "relates-to" not in vocabulary.verbs


def test_case_is_normalised() -> None:
    assert words.type_named(ENGRAM, " Decision ") == "decision"
    assert words.verb_named(ENGRAM, "Builds-On") == "builds-on"
    assert words.domain_named(ENGRAM._replace(domains={"Search": ""}), "search") == "Search"
    assert words.status_named(ENGRAM, "problem", "OPEN") == "open"


@pytest.mark.parametrize(
    ("kind", "word", "near"),
    [("type", "desicion", "decision"), ("verb", "becuase", "because"), ("domain", "serch", "search")],
)
def test_an_undeclared_word_names_the_near_miss_and_what_is_declared(kind: str, word: str, near: str) -> None:
    vocabulary = ENGRAM._replace(domains={"search": "finding", "storage": "disk"})

    with pytest.raises(GitmemError) as refused:
        words.word_named(vocabulary, kind, word)

    assert (refused.value.code, refused.value.status) == (f"unknown-{kind}", 3)
    assert refused.value.hint == f"Did you mean {near}?"
    assert all(each in refused.value.message for each in words.words_of(vocabulary, kind))


def test_a_domain_is_refused_where_none_is_declared() -> None:
    with pytest.raises(GitmemError, match="none is declared"):
        words.domain_named(ENGRAM, "search")


@pytest.mark.parametrize(
    ("note_type", "word"), [("decision", "open"), ("problem", "opne"), ("martian", "resolved"), ("anchor", "")]
)
def test_a_status_must_fit_the_type(note_type: str, word: str) -> None:
    with pytest.raises(GitmemError) as refused:
        words.status_named(ENGRAM, note_type, word)

    assert refused.value.code == "unknown-status"
    assert words.status_named(ENGRAM, note_type, "Archived") == "archived"


def test_roles_are_looked_up_and_never_words() -> None:
    renamed = Vocabulary({"bug": Type("bug", role="worklist")}, {"beats": Verb("beats", role="supersession")}, {})

    assert words.verb_with(renamed, "supersession") == "beats"
    assert words.verbs_with(renamed, "supersession") == {"beats"}
    assert words.types_with(renamed, "worklist") == {"bug"}
    assert words.types_with(renamed, "anchor") == frozenset()
    with pytest.raises(GitmemError) as refused:
        words.verb_with(renamed, "answer")
    assert refused.value.code == "missing-role"


def test_durability_is_the_notes_own_else_the_types() -> None:
    assert words.durability_of(ENGRAM, "decision", None) == "stable"
    assert words.durability_of(ENGRAM, "decision", "volatile") == "volatile"
    assert words.durability_of(ENGRAM, "decision", "eternal") == "stable"
    assert words.durability_of(ENGRAM, "martian", None) == words.durability_of(ENGRAM, None, None) == "episodic"


@pytest.mark.parametrize("word", ["", "x" * 33, " a", "a ", "a/b", "..", ".a", "con", "a\nb", "a  b", "-a", "README"])
def test_a_type_that_cannot_be_a_folder_is_a_fault(word: str) -> None:
    assert declaration.faults(Type(word))
    assert declaration.faults(words.Domain(word))


@pytest.mark.parametrize("word", ["a", "x" * 32, "Open question", "构建", "a-b_c"])
def test_a_type_that_can_be_a_folder_is_none(word: str) -> None:
    assert not declaration.faults(Type(word))


@pytest.mark.parametrize("word", ["", "Builds", "a_b", "-a", "a-", "x" * 33, "é", "head", *FIELDS])
def test_a_verb_must_not_look_like_a_field(word: str) -> None:
    assert declaration.faults(Verb(word))


def test_unknown_roles_durabilities_and_targets_are_faults() -> None:
    assert declaration.faults(Type("a", durability="eternal", role="king", brief=101)) != []
    assert len(declaration.faults(Type("a", durability="eternal", role="king", brief=101))) == 3
    assert len(declaration.faults(Verb("a", role="king", to="moon"))) == 2


def test_a_set_of_words_needs_its_roles_exactly_once() -> None:
    both = [Verb("a", role="supersession"), Verb("b", role="supersession")]

    assert len(declaration.verb_faults(both)) == 2
    assert declaration.type_faults([words.CHECKPOINT, Type("Claim"), Type("claim")])
    assert declaration.type_faults([Type("claim")])


def test_an_unknown_preset_is_refused() -> None:
    with pytest.raises(GitmemError) as refused:
        preset("engramm")

    assert refused.value.code == "unknown-preset"
    assert refused.value.hint == "Did you mean engram?"

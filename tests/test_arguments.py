"""The small parser over the option table answers as click does, or not at all."""

import random
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import GitmemError
from gitmem.faces import arguments, cli, commands
from gitmem.faces.arguments import Parsed, quick
from gitmem.faces.commands import COMMANDS, GROUPS, find
from gitmem.faces.table import COMMON, Argument, Command, Option
from gitmem.notes import preset, vocabulary
from gitmem.search import query

HAND_MADE = [
    # Plain questions.
    ["recall"],
    ["recall", "why"],
    ["recall", ""],
    ["recall", "-"],
    ["recall", "why plain files", "--limit", "3"],
    ["recall", "--limit", "3", "why"],
    ["recall", "--limit=3", "why"],
    ["recall", "--tag", "a", "--tag=b", "x", "--tag", ""],
    ["recall", "--include", "superseded", "--include=archived", "x"],
    ["recall", "--include", "nonsense", "x"],
    ["recall", "--detail", "full", "--detail", "compact"],
    ["recall", "--detail", "FULL"],
    ["recall", "--explain", "--explain", "x"],
    ["recall", "--explain=1", "x"],
    ["recall", "--budget", "1_000"],
    ["recall", "--budget", " 5"],
    ["recall", "--budget", "٣"],
    ["recall", "--limit", "0"],
    ["recall", "--limit", "-3"],
    ["recall", "--limit", "3.5"],
    ["recall", "--limit", ""],
    ["recall", "--limit"],
    ["recall", "--limi", "3"],
    ["recall", "one", "two"],
    ["recall", "--where", "ticket=4=2"],
    ["recall", "--where=ticket=4=2"],
    ["recall", "--since=", "x"],
    ["recall", "--type", "--tag"],
    ["recall", "--type", "--", "x"],
    ["recall", "--changed"],
    ["recall", "why", "--changed"],
    ["recall", "--changed", "HEAD~3", "why"],
    ["recall", "--changed=HEAD~3", "why"],
    ["recall", "--changed=", "why"],
    ["recall", "--changed", "--limit", "3"],
    ["recall", "--changed", "--", "why"],
    ["recall", "--changed", "-"],
    ["recall", "--changed", ""],
    ["recall", "--changed", "--changed", "x"],
    # What comes before and after the verb.
    ["-C", "x", "recall", "why"],
    ["recall", "-C", "x", "why"],
    ["-C", "x", "recall", "-C", "y", "why"],
    ["-C", "-x", "recall"],
    ["-C", "--", "recall"],
    ["-Cx", "recall"],
    ["-C=x", "recall"],
    ["recall", "-Cx"],
    ["-C"],
    ["-C", "x"],
    ["--json", "recall"],
    ["recall", "--json"],
    ["--json", "--quiet", "recall", "--json", "x"],
    ["--json=1", "recall"],
    ["--quiet"],
    ["--", "recall", "x"],
    ["-", "recall"],
    ["--unknown", "recall"],
    ["recall", "--", "--json"],
    ["recall", "--json", "--", "--json"],
    ["recall", "--", "--", "x"],
    ["recall", "--", "-x"],
    ["recall", "-x"],
    ["recall", "-1"],
    ["recall", "--", "-1"],
    ["recall", "---"],
    ["recall", "--="],
    ["recall", "--=x"],
    ["recall", "-="],
    ["recall", "—limit"],
    # Help, mistakes.
    [],
    ["--help"],
    ["-h"],
    ["recall", "--help"],
    ["recall", "-h", "x"],
    ["remember", "--help", "--type"],
    ["help"],
    ["reca"],
    ["RECALL"],
    ["recall "],
    ["--version"],
    # Arguments that must be there, that may, that may be many.
    ["show"],
    ["show", "a"],
    ["show", "a", "b"],
    ["show", "--body", "a", "--raw"],
    ["link", "a", "because"],
    ["link", "a", "because", "b"],
    ["link", "a", "--weight", "0.5", "because", "--note", "x", "b"],
    ["link", "a", "because", "b", "--weight", "-1"],
    ["link", "a", "because", "b", "--weight=-1.5"],
    ["link", "a", "because", "b", "--weight", "nan"],
    ["link", "a", "because", "b", "--weight", "1e3"],
    ["link", "a", "because", "b", "--weight", "."],
    ["link", "a", "because", "b", "--weight", ".5"],
    ["link", "a", "because", "b", "--weight", "--note"],
    ["unlink", "a", "b", "c", "--note", "x"],
    ["rename", "a", "b"],
    ["resolve", "a", "--as", "obsolete"],
    ["resolve", "a", "--as", "open"],
    ["vocabulary"],
    ["vocabulary", "add"],
    ["vocabulary", "add", "domain", "a", "b", "--holds", "x", "c"],
    ["vocabulary", "rename", "a", "b"],
    ["vocabulary", "change", "a"],
    ["vocabulary", "--", "add", "--", "x"],
    ["tags", "x"],
    ["status", "--json"],
    ["init", "--preset", "minimal"],
    ["init", "--preset", "huge"],
    ["check", "--fix", "--dry-run"],
    ["walk", "a", "--depth", "0", "--verb", "because", "--min-weight", "0.2", "--direction", "in", "--format", "dot"],
    ["walk", "a", "--depth", "-1"],
    # Writing.
    ["remember", "T", "--type", "decision", "--body", "-"],
    ["remember", "T", "--type=decision", "--body=-", "--tag=", "--link", "because=a"],
    ["remember", "--batch", "-"],
    ["remember", "-", "--type", "x"],
    ["remember", "--type", "x", "--", "-T"],
    ["revise", "a", "--title", "-dash", "--sensitive", "--confidence", "0.5"],
    ["revise", "a", "--expect", "3fa9c1d2a7b4", "--add-tag", "x", "--remove-tag", "y", "--add-tag", "z"],
    ["checkpoint", "T", "--next", "a", "--next", "b", "--event", "decision=x=y", "--no-verify", "--allow-deletions"],
    ["checkpoint", "--include", "a"],
    ["resolve-conflicts"],
    ["resolve-conflicts", "a", "b", "--json"],
    ["merge-driver", "--", ".a", ".b", ".c", "7", "-odd/.memory/decision/x.md"],
    ["merge-driver", ".a", ".b"],
    ["search", "--regex", "--", "-x|y"],
    ["search", "构建流程"],
    ["search", "a\nb"],
    ["timeline", "a", "--quiet"],
]
WORDS = [
    "",
    "-",
    "x",
    "a b",
    "3",
    "-3",
    "0.5",
    "add",
    "because=a",
    "full",
    "--json",
    "--",
    "--tag",
    "-C",
    "é",
    "2026-11-30",
]


def by_click(words: list[str]) -> Parsed | int | GitmemError:
    try:
        return cli._by_click(list(words))
    except GitmemError as error:
        return error


def generated(number: int) -> list[str]:
    """A command line with the command's options in any place, mostly with values that fit."""
    pick = random.Random(number)
    command = pick.choice(COMMANDS)
    groups = [[word_for(pick, argument)] for argument in command.arguments if argument.required or pick.random() < 0.6]
    options = [*command.options, *COMMON]
    placed = [spelled(pick, option) for option in pick.choices(options, k=pick.randrange(6))]
    for group in placed:
        groups.insert(pick.randrange(len(groups) + 1), group)
    before = [spelled(pick, pick.choice(COMMON))] if pick.random() < 0.2 else []
    return [word for group in (*before, [command.name], *groups) for word in group]


def spelled(pick: random.Random, option: Option) -> list[str]:
    if option.kind == "flag":
        return [option.flag]
    word = word_for(pick, option)
    return [f"{option.flag}={word}"] if pick.random() < 0.4 and option.flag != "-C" else [option.flag, word]


def word_for(pick: random.Random, item: Option | Argument) -> str:
    if pick.random() < 0.05:
        return pick.choice(WORDS)
    if item.choices:
        return pick.choice(item.choices)
    kind = item.kind if isinstance(item, Option) else "text"
    return {"whole": "12", "number": "0.25"}.get(kind) or pick.choice(["x", "two words", "", "a=b", "-", "日本"])


LISTS = HAND_MADE + [generated(number) for number in range(300)]


@pytest.mark.parametrize("words", LISTS, ids=repr)
def test_quick_says_what_click_says(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    fast = quick(list(words))

    if fast is not None:
        assert fast == by_click(words)


def test_quick_leaves_next_to_nothing_to_click() -> None:
    understood = {repr(words): by_click(words) for words in LISTS if words and not {"--help", "-h"} & {*words}}

    slow = [words for words in LISTS if isinstance(understood.get(repr(words)), Parsed) and quick(list(words)) is None]

    assert len(LISTS) >= 400 and sum(quick(list(words)) is not None for words in LISTS) >= 250
    assert [words for words in slow if words[0] != "--" and not any(word.startswith("-C") for word in words)] == []


@given(
    st.lists(st.sampled_from([*WORDS, "recall", "link", "remember", *(o.flag for o in COMMON), "--limit", "--type=x"]))
)
def test_quick_says_what_click_says_of_any_words(words: list[str]) -> None:
    fast = quick(list(words))

    if fast is not None:
        assert fast == by_click(words)


def test_every_value_of_a_command_is_there() -> None:
    parsed = quick(["recall"])

    assert parsed is not None
    assert parsed.values["tag"] == () and parsed.values["limit"] is None and parsed.values["explain"] is False


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_has_its_help_and_an_example_that_parses(command: Command) -> None:
    manual = arguments.manual(command)

    assert command.text.rstrip().endswith(".") and command.group in GROUPS and f"gitmem {command.name}" in manual
    for example in command.examples:
        assert example in manual
        assert quick(shell_words(example)) is not None


def shell_words(example: str) -> list[str]:
    import shlex

    words = shlex.split(re.sub(r" < \S+$", "", example))
    return words[words.index("gitmem") + 1 :]


def test_the_overview_lists_every_command_and_nothing_else() -> None:
    listed = re.findall(r"^  ([a-z][a-z-]+) {2,}\S", arguments.overview(), re.MULTILINE)

    assert listed == [command.name for group in GROUPS for command in COMMANDS if command.group == group]


def test_no_help_speaks_of_what_it_does_not_explain() -> None:
    inner = re.compile(r"engram's|\bengine\b|(?<!--)\bstandings?\b|\bhot path\b", re.IGNORECASE)

    said = [arguments.overview(), *map(arguments.manual, COMMANDS)]

    assert [match.group() for text in said for match in inner.finditer(text)] == []


def test_no_command_has_an_option_or_a_key_twice() -> None:
    for command in COMMANDS:
        keys = [item.key for item in (*command.options, *command.arguments, *COMMON)]
        assert len(keys) == len(set(keys)), command.name


@pytest.mark.parametrize(
    ("word", "value"),
    [("0", 0), ("007", 7), ("12", 12), ("x", None), ("", None), ("-", None), ("1.0", None), ("²", None)],
)
def test_whole_numbers(word: str, value: int | None) -> None:
    option = Option("--n", "a number", "N", "whole", least=0)

    assert converted(option, word) == value


@pytest.mark.parametrize(
    ("word", "value"), [("0", 0.0), ("-1.5", -1.5), (".5", 0.5), ("inf", None), ("1e9", None), ("", None)]
)
def test_numbers(word: str, value: float | None) -> None:
    assert converted(Option("--n", "a number", "N", "number"), word) == value


def converted(option: Option, word: str) -> Any:
    try:
        return arguments.convert(option, word)
    except ValueError:
        return None


def test_the_table_offers_what_the_operations_know() -> None:
    assert commands.PRESETS == preset.PRESETS
    assert commands.INCLUDES == query.HIDDEN
    assert commands.ENDS == vocabulary.SETTLED


def test_find_knows_no_abbreviation() -> None:
    assert find("rec") is None

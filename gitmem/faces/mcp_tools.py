"""The tools that an agent is offered over MCP: which commands they are, their schemas, and their arguments checked."""

import json
import re
from collections.abc import Mapping
from math import isfinite

from gitmem.errors import GitmemError, near_miss
from gitmem.faces import arguments
from gitmem.faces.commands import FIELDS, find
from gitmem.faces.table import Argument, Command, Option
from gitmem.values import Any, NamedTuple

Schema = dict[str, Any]  # Any: JSON
Item = Option | Argument

BUDGET = 16_000
TYPES = {
    "text": "string",
    "optional": "string",
    "choice": "string",
    "whole": "integer",
    "number": "number",
    "flag": "boolean",
}
# What the option table calls otherwise, or says of a command line.
WORDS = {"source": "from", "target": "to"}
PLURALS = {"alias": "aliases", "status": "statuses"}
SAME_IN_PLURAL = ("touches", "add_touches", "remove_touches", "where", "include", "next")
ELSEWHERE = {"; - reads it from standard input": "", "without one": "when empty"}
BUDGET_OPTION = Option("--budget", f"characters of reply at most ({BUDGET:,})", "N", "whole", least=500)
HANDLE_OPTION = Option("--handle", "of brief or the last write, where required")


class Tool(NamedTuple):
    """One tool, named as its command: keys of the table that it is without, that it needs, and that need no words."""

    name: str
    text: str
    without: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    bare: tuple[str, ...] = ()
    writes: bool = False
    overwrites: bool = False


TOOLS = (
    Tool(
        "brief",
        "Start here: where the work stands, what waits, and what this project holds true, in order of authority.",
    ),
    Tool(
        "recall",
        "Ask the project's memory before you decide or change anything. Gives the notes that bear on the query, best"
        " first, and a verdict: strong, weak, or none (memory has no answer). Without a query: the last checkpoints.",
        bare=("type", "tag", "domain", "agent", "status"),
    ),
    Tool("show", "One note whole: text, fields, links and problems. NAME@REV is the note as it was.", ("raw",)),
    Tool("walk", "Notes around a note, by their links.", ("format",)),
    Tool(
        "remember",
        "Write one note that should outlive this session: a decision with its reason, a caution, a problem, a"
        " preference. Nothing is committed. A note of the same type and title is returned in duplicates instead.",
        ("batch",),
        needs=("title", "type"),
        bare=("tag",),
        writes=True,
    ),
    Tool(
        "revise",
        "Change only the given fields of a note, which are as in remember. A list replaces the list; [] empties it.",
        ("no_sensitive",),
        bare=tuple(option.key for option in FIELDS),
        writes=True,
        overwrites=True,
    ),
    Tool("link", "Say how one note bears on another; replaces makes the target superseded.", writes=True),
    Tool(
        "checkpoint",
        "Say where the work stands, and commit the notes written here. Nothing else is committed or pushed.",
        ("no_verify",),
        bare=("tag",),
        writes=True,
    ),
    Tool(
        "review", "What waits for a person, or with base what this branch would have the project believe.", ("format",)
    ),
    Tool("resolve", "Close a problem or an intent; by names the note that answers it.", writes=True),
    Tool("drift", "Notes whose code has changed or gone since they were written."),
    Tool("search", "Find text, as written, in every note."),
)


def offered() -> list[Tool]:
    """Returns the tools whose commands exist."""
    return [tool for tool in TOOLS if find(tool.name)]


def named(name: str) -> Tool:
    """Returns the tool of a name; raises GitmemError, with a near miss, where there is none."""
    known = {tool.name: tool for tool in offered()}
    if name in known:
        return known[name]
    near = near_miss(name, list(known))
    hint = f"Did you mean {near}?" if near else f"The tools are {', '.join(known)}."
    raise GitmemError("unknown-tool", f"There is no tool {name!r}.", hint, status=2)


def writes(name: str) -> bool:
    """Returns whether there is a tool of this name, and it writes."""
    return any(tool.writes for tool in offered() if tool.name == name)


def listed() -> list[Schema]:
    """Returns the tools as MCP lists them."""
    return [
        {
            "name": tool.name,
            "description": tool.text,
            "inputSchema": schema(tool),
            "annotations": _annotations(tool),
        }
        for tool in offered()
    ]


def _annotations(tool: Tool) -> Schema:
    if not tool.writes:
        return {"readOnlyHint": True}
    return {"readOnlyHint": False, "destructiveHint": tool.overwrites}


def schema(tool: Tool) -> Schema:
    """Returns the JSON Schema of a tool's arguments: flat, and closed to any other."""
    items = _items(tool)
    needed = [word for word, item in items.items() if _is_needed(tool, item)]
    properties = {word: _property(item, bare=item.key in tool.bare) for word, item in items.items()}
    required = {"required": needed} if needed else {}
    return {"type": "object", "properties": properties, **required, "additionalProperties": False}


def _items(tool: Tool) -> dict[str, Item]:
    """Returns what a tool takes, by the word it is given under."""
    command = _command(tool)
    own = HANDLE_OPTION if tool.writes else BUDGET_OPTION
    taken: list[Item] = [*command.arguments, *(item for item in command.options if item.key != own.key), own]
    return {_word(item): item for item in taken if item.key not in tool.without}


def _command(tool: Tool) -> Command:
    command = find(tool.name)
    assert command is not None
    return command


def _word(item: Item) -> str:
    if isinstance(item, Option) and item.many and item.key not in SAME_IN_PLURAL:
        return PLURALS.get(item.key, f"{item.key}s")
    return WORDS.get(item.key, item.key) if isinstance(item, Argument) else item.key


def _is_needed(tool: Tool, item: Item) -> bool:
    return item.key in tool.needs or (isinstance(item, Argument) and item.required)


def _property(item: Item, *, bare: bool) -> Schema:
    kind = item.kind if isinstance(item, Option) else "text"
    one: Schema = {"type": TYPES[kind]}
    if item.choices:
        one["enum"] = list(item.choices)
    if isinstance(item, Option) and item.least is not None:
        one["minimum"] = item.least
    shape = {"type": "array", "items": one} if item.many else one
    return shape if bare else shape | {"description": _said(item)}


def _said(item: Item) -> str:
    said = item.help
    for words, instead in ELSEWHERE.items():
        said = said.replace(words, instead)
    return said


# Arguments


def values(tool: Tool, given: Mapping[str, Any]) -> dict[str, Any]:  # Any: under each key what the option table says
    """Returns a tool's arguments as the values of its command line; raises GitmemError that names the wrong one."""
    items = _items(tool)
    present = {word: value for word, value in given.items() if value is not None}
    for word in present:
        if word not in items:
            raise _unknown(tool, word, list(items))
    for word, item in items.items():
        if word not in present and _is_needed(tool, item):
            raise GitmemError("missing-argument", f"{tool.name} needs {word}.", f"{word}: {_said(item)}.", status=2)
    found = dict(_value(tool, items[word], word, value) for word, value in present.items())
    return arguments.parsed(_command(tool), {}, found).values


def _unknown(tool: Tool, word: str, known: list[str]) -> GitmemError:
    near = near_miss(word, known)
    hint = f"Did you mean {near}?" if near else f"It takes {', '.join(known)}."
    return GitmemError("unknown-argument", f"{tool.name} has no argument {word!r}.", hint, status=2)


def _value(tool: Tool, item: Item, word: str, value: Any) -> tuple[str, Any]:  # Any: JSON in, and as in `values`
    if not item.many:
        checked = _one(item, word, value)
        # What says no in JSON has an option of its own on a command line.
        opposite = f"no_{item.key}"
        return (opposite, True) if checked is False and opposite in tool.without else (item.key, checked)
    if not isinstance(value, list):
        raise _bad(word, f"a list, as in [{json.dumps(_example(item))}]")
    whole = tuple(_one(item, word, each) for each in value)
    return item.key, whole or (("",) if tool.overwrites else ())


def _one(item: Item, word: str, value: Any) -> Any:  # Any: as in `values`
    kind = item.kind if isinstance(item, Option) else "text"
    if kind == "flag" and isinstance(value, bool):
        return value
    if TYPES[kind] == "string" and isinstance(value, str) and (not item.choices or value in item.choices):
        return value
    if kind in ("whole", "number") and isinstance(value, int | float) and not isinstance(value, bool):
        return _number(item, word, value)
    raise _bad(word, ("a list, each " if item.many else "") + _wanted(item, kind))


def _number(item: Item, word: str, value: float) -> float:
    kind, least = (item.kind, item.least) if isinstance(item, Option) else ("number", None)
    whole = float(value).is_integer()  # 3.0 is a whole number in JSON Schema
    small = least is not None and value < least
    if not isfinite(value) or small or (kind == "whole" and not whole):
        raise _bad(word, ("a list, each " if item.many else "") + _wanted(item, kind))
    return int(value) if kind == "whole" else value


def _wanted(item: Item, kind: str) -> str:
    if item.choices:
        return f"one of {', '.join(item.choices)}"
    if kind == "whole" and isinstance(item, Option) and item.least is not None:
        return f"a whole number of at least {item.least}"
    return {"flag": "true or false", "whole": "a whole number", "number": "a number"}.get(kind, "a text")


def _example(item: Item) -> str:
    return item.choices[0] if item.choices else item.metavar


def _bad(word: str, wanted: str) -> GitmemError:
    return GitmemError("bad-value", f"{word} has a value of the wrong kind.", f"Give {word} {wanted}.", status=2)


def in_words_of(tool: Tool, error: GitmemError) -> GitmemError:
    """Returns a refusal that calls the tool's arguments what the agent calls them; commands in it stay as they are."""
    flags = {item.flag: word for word, item in _items(tool).items() if isinstance(item, Option)}

    def spoken(clause: re.Match[str]) -> str:
        if "gitmem " in clause[0]:
            return clause[0]
        return re.sub("--[a-z-]+", lambda flag: flags.get(flag[0], flag[0]), clause[0])

    message = re.sub("[^.;]+", spoken, error.message)
    hint = re.sub("[^.;]+", spoken, error.hint) if error.hint else None
    return GitmemError(error.code, message, hint, status=error.status)

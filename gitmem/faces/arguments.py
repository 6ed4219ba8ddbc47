"""Command lines read against the option table without click, and the help that the table gives."""

from gitmem.faces.commands import COMMANDS, GROUPS, find
from gitmem.faces.table import COMMON, Argument, Command, Option
from gitmem.values import Any, NamedTuple

WIDTH = 88  # characters of a line of help


class Parsed(NamedTuple):
    """A command line, understood: values hold every argument and option of the command, absent ones too."""

    command: str
    values: dict[str, Any]  # Any: each value has the type of its option
    directory: str | None
    json: bool
    quiet: bool


def convert(option: Option | Argument, word: str) -> str | int | float:
    """Returns the value a word stands for; raises ValueError with a sentence when it stands for none."""
    if option.choices and word not in option.choices:
        raise ValueError(f"{word!r} is none of {', '.join(option.choices)}.")
    kind = option.kind if isinstance(option, Option) else "text"
    if kind == "whole":
        return _whole(word, option.least if isinstance(option, Option) else None)
    return _number(word) if kind == "number" else word


def _whole(word: str, least: int | None) -> int:
    if not (word.isascii() and word.removeprefix("-").isdigit()):
        raise ValueError(f"{word!r} is not a whole number.")
    if least is not None and int(word) < least:
        raise ValueError(f"{word} is too small; the least is {least}.")
    return int(word)


def _number(word: str) -> float:
    digits = word.removeprefix("-").replace(".", "", 1)
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError(f"{word!r} is not a number.")
    return float(word)


def quick(argv: list[str]) -> Parsed | None:
    """Returns the command line as click would understand it, or None in any doubt: then click is to be asked."""
    try:
        before, rest = _options(argv, COMMON, mixed=False)
        command = find(rest[0]) if rest else None
        if command is None:
            return None
        values, words = _options(rest[1:], (*COMMON, *command.options), mixed=True)
        return parsed(command, before, values | _positionals(command, words))
    except ValueError:
        return None


def parsed(command: Command, before: dict[str, Any], values: dict[str, Any]) -> Parsed:
    """Returns the command line made of what stood before the verb and after it; the later -C holds."""
    whole = {option.key: _absent(option) for option in command.options}
    whole |= {argument.key: () if argument.many else None for argument in command.arguments}
    whole |= {key: value for key, value in values.items() if key in whole and value is not None}
    directory = values.get("directory")
    return Parsed(
        command.name,
        whole,
        before.get("directory") if directory is None else directory,
        bool(before.get("json") or values.get("json") or whole.get("format") == "json"),
        bool(before.get("quiet") or values.get("quiet")),
    )


def _absent(option: Option) -> Any:  # the value's type is the option's
    if option.kind == "flag":
        return False
    return () if option.many else None


def _options(words: list[str], known: tuple[Option, ...], *, mixed: bool) -> tuple[dict[str, Any], list[str]]:
    """Returns the options and what is left; without `mixed` it ends at the first word that is no option."""
    options = {option.flag: option for option in known}
    values: dict[str, Any] = {}
    rest: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        if mixed and word == "--":
            return values, rest + words[at + 1 :]
        if word == "-" or not word.startswith("-"):
            if not mixed:
                return values, words[at:]
            rest.append(word)
            at += 1
        else:
            at = _option(words, at, options, values)
    return values, rest


def _option(words: list[str], at: int, options: dict[str, Option], values: dict[str, Any]) -> int:
    """Takes one option into the values and returns where the next word stands; raises ValueError in doubt."""
    flag, equals, word = words[at].partition("=")
    option = options.get(flag)
    if option is None or (equals and (option.kind == "flag" or not option.flag.startswith("--"))):
        raise ValueError(words[at])
    if option.kind == "flag":
        values[option.key] = True
        return at + 1
    if not equals and option.kind == "optional" and _ends_there(words, at):
        values[option.key] = ""
        return at + 1
    if not equals:
        at += 1
        if at == len(words):
            raise ValueError(flag)
        word = words[at]
    value = convert(option, word)
    values[option.key] = (*values.get(option.key, ()), value) if option.many else value
    return at + 1


def _ends_there(words: list[str], at: int) -> bool:
    """Returns whether the word after an option is no value of it, as click sees it."""
    return at + 1 == len(words) or (words[at + 1].startswith("-") and len(words[at + 1]) > 1)


def _positionals(command: Command, words: list[str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    left = list(words)
    for argument in command.arguments:
        if argument.many:
            values[argument.key], left = tuple(left), []
        elif left:
            values[argument.key] = convert(argument, left.pop(0))
        elif argument.required:
            raise ValueError(argument.metavar)
    if left:
        raise ValueError(left[0])
    return values


def overview() -> str:
    """Returns the help of gitmem as a whole: every command in its group, with an example."""
    wide = max(len(command.name) for command in COMMANDS) + 2
    brief = max(len(command.brief) for command in COMMANDS) + 2
    lines = ["The memory of a software project: plain notes in its own Git repository.", "", f"usage: {_usage(None)}"]
    for group in GROUPS:
        lines += ["", group]
        for command in COMMANDS:
            if command.group == group:
                lines.append(f"  {command.name:{wide}}{command.brief:{brief}}{command.examples[0]}")
    lines += ["", "Options of every command", *_aligned(COMMON)]
    return "\n".join([*lines, "", "gitmem COMMAND --help says more about one command.", ""])


def manual(command: Command) -> str:
    """Returns the help of one command."""
    lines = [f"usage: {_usage(command)}"]
    for paragraph in command.text.split("\n\n"):
        lines += ["", *_folded(paragraph)]
    if command.arguments:
        lines += ["", "Arguments", *_aligned(command.arguments)]
    lines += ["", "Options", *_aligned((*command.options, *COMMON))]
    return "\n".join([*lines, "", "Examples", *(f"  {example}" for example in command.examples), ""])


def _usage(command: Command | None) -> str:
    if command is None:
        return "gitmem [-C DIR] [--json] [--quiet] COMMAND …"
    words = [word.metavar + (" …" if word.many else "") for word in command.arguments]
    shown = [text if word.required else f"[{text}]" for text, word in zip(words, command.arguments, strict=True)]
    return " ".join(["gitmem", command.name, *shown, *(["[options]"] if command.options else [])])


def _aligned(items: tuple[Option, ...] | tuple[Argument, ...]) -> list[str]:
    rows = [
        (_left(item), item.help + (" (repeatable)" if isinstance(item, Option) and item.many else "")) for item in items
    ]
    wide = max(len(left) for left, _ in rows) + 2
    return [f"  {left:{wide}}{text}" for left, text in rows]


def _left(item: Option | Argument) -> str:
    if isinstance(item, Argument):
        return item.metavar
    return item.flag if item.kind == "flag" else f"{item.flag} {item.metavar}"


def _folded(text: str) -> list[str]:
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= WIDTH:
            lines.append("")
        lines[-1] += word if not lines[-1] else f" {word}"
    return lines

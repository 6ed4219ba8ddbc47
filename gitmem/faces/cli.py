"""The command `gitmem`: words in, one verb performed, its result out; the only place that sees the process around it."""

import os
import sys
import time
from collections.abc import Callable

from gitmem import __version__
from gitmem.errors import GitmemError, near_miss
from gitmem.faces import arguments, render
from gitmem.faces.arguments import Parsed
from gitmem.faces.call import Call, Outcome
from gitmem.faces.commands import COMMANDS, find
from gitmem.faces.table import COMMON, Argument, Command, Option
from gitmem.values import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import TextIO

    import click

COMPLETE = "_GITMEM_COMPLETE"
INTERRUPTED, PIPE_CLOSED = 130, 141  # 128 + SIGINT, 128 + SIGPIPE, as shells count
UNTRUSTED = "untrusted clone: nobody here has vouched for these notes; gitmem trust or gitmem init marks it as yours.\n"


def main(argv: list[str] | None = None) -> int:
    """Returns the exit status of one command line: 0 done, 1 the answer is no, 2 wrong usage, 3 refused.

    Without `argv` it is the process itself, and ends it: no cycle is collected and nothing is taken apart at exit,
    which is 9 of the 75 ms of a recall.
    """
    if argv is not None:
        return _guarded(argv)
    _in_utf8()
    import gc

    gc.disable()
    os._exit(_guarded(sys.argv[1:]))  # all output was flushed when it was printed


def _in_utf8() -> None:
    """Starts again where the locale would have file names and arguments be anything but UTF-8, as notes' names are."""
    if sys.getfilesystemencoding() == "utf-8" or sys.flags.utf8_mode or not sys.executable:
        return
    shown = {"PYTHONIOENCODING": sys.stdout.encoding} if sys.stdout else {}
    os.execve(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]], shown | os.environ)


def _guarded(argv: list[str]) -> int:
    try:
        return _run(list(argv))
    except BrokenPipeError:
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(words: list[str]) -> int:
    as_json = "--json" in words
    try:
        asked = _understood(words)
        if isinstance(asked, int):
            return asked
        as_json = asked.json
        return _answer(asked)
    except GitmemError as error:
        if as_json:
            _send_json({"error": {"code": error.code, "message": error.message, "hint": error.hint}})
        else:
            _send(sys.stderr, render.error(error.message, error.hint))
        return error.status


def _understood(words: list[str]) -> Parsed | int:
    """Returns the parsed command line, or the exit status where help was all that was asked for."""
    if COMPLETE in os.environ:
        return _by_click(words)
    if words[:1] == ["help"]:
        words = [*words[1:2], "--help"]
    if not words or words == ["--version"]:
        _send(sys.stdout, f"gitmem {__version__}\n" if words else arguments.overview())
        return 0
    return arguments.quick(words) or _by_click(words)


def _answer(parsed: Parsed) -> int:
    _check_utf8(parsed.values)
    now = int(time.time())
    call = Call(parsed.values, _directory(parsed.directory), os.environ, now, _is_attended(), _stdin, ask=_asked)
    outcome = _performed(parsed.command, call)
    if outcome.aside and not parsed.quiet:
        _send(sys.stderr, outcome.aside)
    if parsed.json and not outcome.as_lines:
        _send_json(outcome.result)
        return outcome.status
    if not outcome.trusted and not parsed.json:
        _send(sys.stderr, UNTRUSTED)
    plain = parsed.quiet and not outcome.as_lines
    _send(sys.stdout, render.quiet(outcome.result) if plain else outcome.text(_view(now)))
    return outcome.status


def _performed(name: str, call: Call) -> Outcome:
    """Returns what a command came to; raises GitmemError also where a damaged cache brought it down."""
    verb = _verbs(name)[name]
    try:
        return verb(call)
    except (GitmemError, BrokenPipeError, KeyboardInterrupt):
        raise
    except BaseException as error:  # a panic of tantivy is no Exception
        from gitmem.operations import damage

        damage.explain(call.memory, error)
        raise


def _verbs(name: str) -> dict[str, Callable[[Call], Outcome]]:
    """Returns the commands of a command's own group, and imports no other."""
    if _known(name).group == "Read":
        from gitmem.faces import reading

        return reading.VERBS
    if _known(name).group == "Write":
        from gitmem.faces import writing

        return writing.VERBS
    if _known(name).group == "Look back":
        from gitmem.faces import past

        return past.VERBS
    if name == "mcp":
        from gitmem.faces import mcp_wire

        return mcp_wire.VERBS
    from gitmem.faces import keeping

    return keeping.VERBS


def _known(name: str | None) -> Command:
    command = find(name or "")
    assert command is not None
    return command


# The process around it


def _check_utf8(values: dict[str, Any]) -> None:
    for key, value in values.items():
        for word in value if isinstance(value, tuple) else (value,):
            if key != "batch" and isinstance(word, str) and any("\ud800" <= letter <= "\udfff" for letter in word):
                hint = "Notes are UTF-8; convert it first."
                raise GitmemError("usage", f"The argument {word!r} is not valid UTF-8.", hint, status=2)


def _directory(chosen: str | None) -> str:
    try:
        return os.path.abspath(chosen or os.curdir)
    except FileNotFoundError as error:
        message = "The current folder is gone."
        raise GitmemError(
            "no-folder", message, "Change to a folder that exists, or name one with -C.", status=2
        ) from error


def _stdin() -> bytes:
    return sys.stdin.buffer.read() if sys.stdin else b""


def _asked(question: str) -> str:
    """Returns the line that a person types in answer; nothing where no person can type one."""
    if not _is_terminal(sys.stdin):
        return ""
    _send(sys.stderr, question)
    return sys.stdin.readline() if sys.stdin else ""


def _is_terminal(stream: "TextIO | None") -> bool:
    return stream is not None and not stream.closed and stream.isatty()


def _is_attended() -> bool:
    """Returns whether a person is at a terminal: a program that captures the output takes both streams."""
    return _is_terminal(sys.stderr) and (_is_terminal(sys.stdin) or _is_terminal(sys.stdout))


def _view(now: int) -> render.View:
    """Returns how to show: plain and uncut unless it goes to a terminal, and in colour only there (no-color.org)."""
    if not _is_terminal(sys.stdout):
        return render.View(now=now)
    try:
        width = os.get_terminal_size(sys.stdout.fileno()).columns
    except OSError:
        width = 0
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return render.View(now=now, width=width)
    return render.View("\x1b[1m", "\x1b[2m", "\x1b[0m", now, width)


def _send_json(document: dict[str, Any]) -> None:
    """Prints one document; JSON is UTF-8 whatever the locale, and what could steer a terminal is a valid escape in it."""
    import json

    from gitmem.notes.shown import escaped

    text = json.dumps(document, ensure_ascii=False, separators=(", ", ": "))
    _send(sys.stdout, escaped(text).encode() + b"\n")


def _send(stream: "TextIO | None", text: str | bytes) -> None:
    """Prints at once; what the terminal cannot show is escaped. Raises BrokenPipeError where nobody reads."""
    if stream is None:
        return
    data = text if isinstance(text, bytes) else text.encode(stream.encoding or "utf-8", "backslashreplace")
    try:
        stream.buffer.write(data)
        stream.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # what is left must not fail again at exit
        if isinstance(error, BrokenPipeError):
            raise
        raise GitmemError("output", f"The answer could not be written: {error.strerror}.", None) from error


# What click adds: help, completion, and the right words for a wrong command line


class _Help(Exception):
    """Help was asked for: its text, on the way out of click to the one place that prints."""


def _by_click(words: list[str]) -> Parsed | int:
    import click

    try:
        asked = _group().main(words, prog_name="gitmem", complete_var=COMPLETE, standalone_mode=False)
    except _Help as help:
        _send(sys.stdout, str(help))
        return 0
    except click.NoSuchOption as error:
        raise _no_such_option(error.option_name, error.ctx) from error
    except click.UsageError as error:
        raise GitmemError("usage", error.format_message(), _more(error.ctx), status=2) from error
    return asked if isinstance(asked, Parsed) else int(asked or 0)


def _more(context: "click.Context | None") -> str:
    command = find((context.info_name if context else None) or "")
    return f"gitmem {command.name} --help says more." if command else "gitmem --help says more."


def _no_such_option(flag: str, context: "click.Context | None") -> GitmemError:
    command = find((context.info_name if context else None) or "")
    known = [option.flag for option in (*COMMON, *(command.options if command else ()))]
    near = near_miss(flag, [*known, "--help"])
    where = f"gitmem {command.name}" if command else "gitmem"
    hint = f"Did you mean {near}? {_more(context)}" if near else _more(context)
    return GitmemError("usage", f"{where} has no option {flag}.", hint, status=2)


def _no_such_command(name: str) -> GitmemError:
    near = near_miss(name, [command.name for command in COMMANDS])
    hint = f"Did you mean {near}? " if near else ""
    return GitmemError("usage", f"There is no command {name!r}.", f"{hint}gitmem --help lists the commands.", status=2)


def _group() -> "click.Group":
    import click

    class Verb(click.Command):
        def get_help(self, ctx: click.Context) -> str:
            raise _Help(arguments.manual(_known(self.name)))

    class Verbs(click.Group):
        def list_commands(self, ctx: click.Context) -> list[str]:
            return [command.name for command in COMMANDS]

        def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
            command = find(cmd_name)
            return Verb(command.name, **_parts(command)) if command else None

        def resolve_command(
            self, ctx: click.Context, args: list[str]
        ) -> tuple[str | None, click.Command | None, list[str]]:
            if find(args[0]) is None and not ctx.resilient_parsing:
                raise _no_such_command(args[0])
            return super().resolve_command(ctx, args)

        def get_help(self, ctx: click.Context) -> str:
            raise _Help(arguments.overview())

    def keep(**values: Any) -> None:
        click.get_current_context().obj = values

    return Verbs("gitmem", callback=keep, params=[_option(option) for option in COMMON], **_HELP)


_HELP: dict[str, Any] = {"context_settings": {"help_option_names": ["-h", "--help"]}}


def _parts(command: Command) -> dict[str, Any]:
    import click

    def answer(**values: Any) -> Parsed:
        return arguments.parsed(command, click.get_current_context().find_object(dict) or {}, values)

    params = [*map(_argument, command.arguments), *map(_option, (*command.options, *COMMON))]
    return {"params": params, "callback": answer, "short_help": command.brief}


def _option(option: Option) -> "click.Option":
    import click

    if option.kind == "flag":
        return click.Option([option.flag, option.key], is_flag=True, help=option.help)
    if option.kind == "optional":
        return click.Option(
            [option.flag, option.key], is_flag=False, flag_value="", type=_word(option), help=option.help
        )
    return click.Option([option.flag, option.key], multiple=option.many, type=_word(option), help=option.help)


def _argument(argument: Argument) -> "click.Argument":
    import click

    nargs = -1 if argument.many else 1
    kind = _word(argument)
    return click.Argument([argument.key], required=argument.required, nargs=nargs, type=kind, metavar=argument.metavar)


def _word(item: Option | Argument) -> "click.ParamType[Any]":
    import click
    from click.shell_completion import CompletionItem

    class Word(click.ParamType):  # type: ignore[type-arg,unused-ignore]  # generic only in newer clicks
        name = item.metavar

        def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
            try:
                return arguments.convert(item, value)
            except ValueError as error:
                self.fail(str(error), param, ctx)

        def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
            return [CompletionItem(word, help=said or None) for word, said in _offers(item, ctx, incomplete)]

    return Word()


def _offers(item: Option | Argument, context: "click.Context", prefix: str) -> list[tuple[str, str]]:
    """Returns what a word could become; completion never complains."""
    from gitmem.faces.completion import offers

    before = context.parent.params if context.parent else {}  # -C stands before the verb, or after it
    try:
        directory = _directory(context.params.get("directory") or before.get("directory"))
        return offers(item, prefix, directory, context.params)
    except GitmemError:
        return []

"""The shapes of the option table, and what every command has."""

from gitmem.values import NamedTuple

SHORT = {"-C": "directory", "-n": "limit"}


class Option(NamedTuple):
    """One option: kind is "text", "choice", "whole", "number" or "flag"; many means that it may be repeated.

    An "optional" one takes the word after it, unless that is an option, too; without one its value is empty.
    """

    flag: str
    help: str
    metavar: str = "TEXT"
    kind: str = "text"
    many: bool = False
    choices: tuple[str, ...] = ()
    least: int | None = None

    @property
    def key(self) -> str:
        """The name under which the parsed value stands."""
        return SHORT.get(self.flag) or self.flag[2:].replace("-", "_")


class Argument(NamedTuple):
    """One positional argument: note means that it names a note; many takes all that is left."""

    key: str
    metavar: str
    help: str
    required: bool = True
    many: bool = False
    note: bool = False
    choices: tuple[str, ...] = ()


class Command(NamedTuple):
    """One command as its users see it."""

    name: str
    group: str
    brief: str
    text: str
    examples: tuple[str, ...]
    arguments: tuple[Argument, ...] = ()
    options: tuple[Option, ...] = ()


NAME = Argument("name", "NAME", "a note: its name, an alias of it, or a path inside .memory/", note=True)
COMMON = (
    Option("-C", "work in DIR instead of the current folder", "DIR"),
    Option("--json", "print one JSON document and nothing else", kind="flag"),
    Option("--quiet", "print only what is needed: names, or nothing", kind="flag"),
)
DRY_RUN = Option("--dry-run", "say what would happen, write nothing", kind="flag")

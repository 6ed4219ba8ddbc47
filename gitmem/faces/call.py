"""One call of a command: its values, the process around it, and what it came to."""

import os
from collections.abc import Callable, Mapping

from gitmem.errors import GitmemError
from gitmem.faces.render import View
from gitmem.values import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from gitmem.operations.draft import Author
    from gitmem.operations.memory import Memory
    from gitmem.search.view import View as Held


class Served(NamedTuple):
    """What a process that outlives its calls gives each: the memory it opened, its agent, and the view it holds."""

    memory: "Memory"
    author: "Author"
    held: "Held | None"


class Call(NamedTuple):
    """One command line and the process around it: attended means that a person is there.

    ask returns what is typed at the terminal in answer to a question; None where nobody can answer.
    """

    values: dict[str, Any]  # Any: under each key what the option table says
    directory: str
    environment: Mapping[str, str]
    now: int
    attended: bool
    stdin: Callable[[], bytes]
    served: Served | None = None
    ask: Callable[[str], str] | None = None

    def memory(self) -> "Memory":
        """Returns the memory that the call is about; raises GitmemError where there is none."""
        if self.served:
            return self.served.memory
        from gitmem.operations.memory import open_memory

        return open_memory(self.directory, environment=self.environment, now=self.now)

    def note(self, key: str = "name") -> str:
        """Returns the note that was named under a key, as `named` says it."""
        return self.named(self.values[key])

    def named(self, word: str) -> str:
        """Returns a note's name as it was given; a path as seen from the folder of the call is made absolute."""
        path = os.path.join(self.directory, word)
        inside = word.endswith(".md") and f"{os.sep}.memory{os.sep}" in path and os.path.isfile(path)
        return path if inside else word

    def places(self, refs: tuple[str, ...]) -> tuple[str, ...]:
        """Returns touches as seen from the top level: a path that only the folder of the call has is one below it."""
        from gitmem.storage import git

        found = git.find(self.directory) if refs else None
        below = os.path.relpath(os.path.realpath(self.directory), found.top) if found else os.curdir
        if found is None or below == os.curdir:
            return refs
        return tuple(_place(found.top, below.replace(os.sep, "/"), ref) for ref in refs)


def _place(top: str, below: str, ref: str) -> str:
    from gitmem.notes.touch import unhashed

    path = unhashed(ref).partition("::")[0]
    there, here = (os.path.lexists(os.path.join(top, folder, path)) for folder in ("", below))
    return os.path.normpath(f"{below}/{ref}") if path and here and not there else ref


class Outcome(NamedTuple):
    """What a call came to: the JSON document, the exit status, and its text, or bytes, for a reader.

    aside is what standard error is told; as_lines says that the text is JSON lines, printed whatever was asked for.
    """

    result: dict[str, Any]  # Any: the JSON of design section 14
    status: int
    text: Callable[[View], str | bytes]
    trusted: bool = True
    aside: str = ""
    as_lines: bool = False


def usage(message: str, hint: str) -> GitmemError:
    """Returns the refusal of a command line that asks for what makes no sense."""
    return GitmemError("usage", message, hint, status=2)

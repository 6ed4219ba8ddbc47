"""The two streams of the MCP server, taken before anything is imported that could print into them."""

import os
import sys
from collections.abc import Callable

from gitmem.errors import GitmemError
from gitmem.faces.call import Call, Outcome
from gitmem.values import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType


class Wires:
    """Standard input and output as the protocol's own while the server runs.

    Meanwhile whatever prints, here or in a child, prints to standard error, and whatever reads finds nothing.
    """

    def __enter__(self) -> Self:
        self._input, self._output = os.dup(0), os.dup(1)
        self.reader = open(self._input, encoding="utf-8", errors="replace", closefd=False)
        self.writer = open(self._output, "w", encoding="utf-8", newline="\n", closefd=False)
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        try:
            os.dup2(2, 1)
        except OSError:  # the client closed standard error
            os.dup2(nothing, 1)
        os.close(nothing)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: "TracebackType | None"
    ) -> None:
        for own, standard in ((self._input, 0), (self._output, 1)):
            os.dup2(own, standard)
            os.close(own)


def serve(call: Call) -> Outcome:
    """Serves one client over standard input and output until it closes the first."""
    root = call.values["root"]
    if root is not None:
        root = os.path.join(call.directory, root)
        _check_folder(root)
    if sys.stdin is None or sys.stdout is None:
        hint = "Let the agent start it: gitmem setup AGENT writes how."
        raise GitmemError("no-client", "gitmem mcp speaks over standard input and output, and one is closed.", hint)
    with Wires() as wires:
        from gitmem.faces import mcp_server

        mcp_server.serve(root, call, wires.reader, wires.writer)
    return Outcome({}, 0, lambda view: "")


VERBS: dict[str, Callable[[Call], Outcome]] = {"mcp": serve}


def _check_folder(root: str) -> None:
    if not os.path.isdir(root):
        raise GitmemError("no-folder", f"{root} is not a folder.", "Give an existing folder to --root.", status=2)

"""A dialogue with a process that answers each question as it comes."""

import os
from collections.abc import Mapping, Sequence
from types import TracebackType

from gitmem.values import Self


class Dialogue:
    """A process with its input and its output; a context manager. Raises FileNotFoundError where there is no such command.

    `errors` is the stream that its errors go to, 1 for that of its answers; without it nobody hears them.
    """

    def __init__(self, command: Sequence[str], variables: Mapping[str, str], errors: int | None = None) -> None:
        self.process, self.input, out = spawned(command, variables, errors)
        self.out = os.fdopen(out, "rb")
        self._ended: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self, *, kill: bool = False) -> int:
        """Waits for the end of the process, which the end of its input brings, and returns its exit code.

        Below zero that is the signal that ended it. With `kill` nothing is waited for. Twice is once.
        """
        if self._ended is not None:
            return self._ended
        try:
            if kill:
                os.kill(self.process, 9)
            os.close(self.input)
            self.out.close()
        finally:
            _, status = os.waitpid(self.process, 0)
            self._ended = os.waitstatus_to_exitcode(status)
        return self._ended

    def speaks(self, seconds: float) -> bool:
        """Returns whether an answer, or the end of all, comes within so many seconds, where none was read yet."""
        from select import POLLIN, poll

        waiting = poll()
        waiting.register(self.out.fileno(), POLLIN)
        return bool(waiting.poll(seconds * 1000))

    def say(self, data: bytes) -> None:
        """Sends bytes; a command that has ended shows in what it answers."""
        try:
            while data:
                data = data[os.write(self.input, data) :]
        except BrokenPipeError:
            return

    def line(self) -> str:
        """Returns the next line of the answer; empty where the command has ended."""
        return self.out.readline().decode("utf-8", "surrogateescape").rstrip("\n")

    def read(self, size: int) -> bytes:
        """Returns the next bytes of the answer."""
        return self.out.read(size)


def spawned(command: Sequence[str], variables: Mapping[str, str], errors: int | None = None) -> tuple[int, int, int]:
    """Returns a process, the end that writes its input and the end that reads its output.

    Without the subprocess module, whose import costs a third of an interpreter's start.
    """
    given, into = os.pipe()
    out, said_end = os.pipe()
    silent = (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)
    actions = [
        (os.POSIX_SPAWN_DUP2, given, 0),
        (os.POSIX_SPAWN_DUP2, said_end, 1),
        silent if errors is None else (os.POSIX_SPAWN_DUP2, errors, 2),
    ]
    try:
        return os.posix_spawnp(command[0], list(command), variables, file_actions=actions), into, out
    except OSError:
        os.close(into)
        os.close(out)
        raise
    finally:
        os.close(given)
        os.close(said_end)

"""A probe: a program started once and asked one thing, to see whether it answers; it is ended in any case."""

import os
import time
from collections.abc import Mapping, Sequence
from select import POLLIN, poll
from signal import SIGKILL

from gitmem.values import NamedTuple

GRACE = 1.0  # seconds in which a program may end by itself once nobody asks any more
MOST = 1 << 16  # bytes of an answer


class Heard(NamedTuple):
    """The first line that a program said, empty where none came in time, and the last line of its complaints."""

    line: bytes
    complaint: bytes


def asked(command: Sequence[str], question: bytes, *, environment: Mapping[str, str], patience: float) -> Heard:
    """Returns what a program answers to a line on its input within `patience` seconds."""
    (given, into), (out, said), (bad, complaints) = os.pipe(), os.pipe(), os.pipe()
    actions = [(os.POSIX_SPAWN_DUP2, end, stream) for stream, end in enumerate((given, said, complaints))]
    try:
        process = os.posix_spawnp(command[0], list(command), dict(environment), file_actions=actions)
    except OSError as error:
        _close(into, out, bad)
        return Heard(b"", (error.strerror or "").encode())
    finally:
        _close(given, said, complaints)
    try:
        os.write(into, question)  # far less than a pipe holds
    except BrokenPipeError:  # it ended already; its complaint says why
        question = b""
    heard = _listened({out: b"", bad: b""}, out, time.monotonic() + patience)
    _close(into)
    _ended(process)
    _close(out, bad)
    complained = heard[bad].strip().rpartition(b"\n")[2]
    return Heard(heard[out].partition(b"\n")[0] if b"\n" in heard[out] else b"", complained)


def _listened(heard: dict[int, bytes], out: int, end: float) -> dict[int, bytes]:
    """Returns what streams said until `out` has a whole line, all are closed, or the time is up."""
    waiting, open_ones = poll(), set(heard)
    for stream in heard:
        waiting.register(stream, POLLIN)
    while open_ones and b"\n" not in heard[out] and len(heard[out]) < MOST and time.monotonic() < end:
        for stream, _ in waiting.poll(max(0.0, end - time.monotonic()) * 1000):
            chunk = os.read(stream, MOST)
            heard[stream] = (heard[stream] + chunk)[-MOST:]
            if not chunk:
                waiting.unregister(stream)
                open_ones.discard(stream)
    return heard


def _ended(process: int) -> None:
    """Waits until a program whose input is closed has ended, and ends it where it does not."""
    end = time.monotonic() + GRACE
    while os.waitpid(process, os.WNOHANG)[0] == 0:
        if time.monotonic() > end:
            os.kill(process, SIGKILL)
            os.waitpid(process, 0)
            return
        time.sleep(0.01)


def _close(*streams: int) -> None:
    for stream in streams:
        os.close(stream)

"""Work done apart, in a process of its own, where it may turn out to have no end."""

import os
import signal
import sys
from collections.abc import Callable


def apart(work: Callable[[], bytes], seconds: float) -> bytes | None:
    """Returns what some work comes to, None where it takes more than some seconds of computing.

    Nothing else can break off a regular expression: it lets no other thread of its process run. Raises ChildProcessError
    where the work failed; its traceback is on standard error.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _work(work, seconds, writing)
    os.close(writing)
    with open(reading, "rb") as stream:
        said = stream.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGVTALRM:
        return None
    if status:
        raise ChildProcessError(f"work done apart ended with {os.waitstatus_to_exitcode(status)}")
    return said


def _work(work: Callable[[], bytes], seconds: float, writing: int) -> None:
    """Does the work, says what it came to, and ends the process; its time is that of computing, which no disk takes."""
    status = 1
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        with open(writing, "wb") as stream:
            stream.write(work())
        status = 0
    finally:
        error = sys.exc_info()
        if error[0] and error[1]:
            sys.excepthook(error[0], error[1], error[2])
        os._exit(status)

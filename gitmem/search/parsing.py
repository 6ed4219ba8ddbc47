"""Parsing, in a process of its own: a text that ends a parser, or that it never comes to the end of, takes no command along."""

import json
import os
import sys
import threading
import time
from importlib.util import find_spec

from gitmem.knowledge.anchors import Definition, definitions
from gitmem.knowledge.definitions import GRAMMARS, Grammar
from gitmem.storage.dialogue import Dialogue

# Seconds of a processor's time for any text, and letters for which it has a second more. Of 8,800 files of all languages
# the slowest by far, minified, take a fifth of that, and source as people write it a tenth.
LEAST, RATE = 1.0, 1_000_000
BUDGET = 4.0  # seconds that one command loses to texts that come to nothing; past them it parses no more
START = 10.0  # seconds in which a process starts
_READY = "ready"
_SERVE = "import sys; sys.path += sys.argv[1:]; from gitmem.search.parsing import serve; serve()"
_BROKEN = (-27, -11, -10, -8, -7, -6, -5, -4)  # by a signal that a text can bring about: SIGPROF, SIGSEGV, SIGABRT …
_TOO_LONG = -27
_BY_OTHERS = (-15, -9, -2, -1)  # or by the kernel, where memory was short


class Killed(Exception):
    """The process was ended by somebody else, or where memory is rationed: that says nothing of the text."""


class Parser:
    """A process that parses, started with the first text and ended with this; a new one follows one that broke."""

    def __init__(self) -> None:
        self._process: Dialogue | None = None
        self._can_start = bool(sys.executable)
        self._lost = 0.0
        self._lock = threading.Lock()

    def __del__(self) -> None:
        if self.__dict__.get("_process"):
            self.end()

    @property
    def is_spent(self) -> bool:
        """Returns whether so much time was lost that no more is to be parsed."""
        return self._lost >= BUDGET

    def definitions(self, text: str, grammar: Grammar) -> list[Definition] | None:
        """Returns what a text defines, None where that breaks the parser or takes many times as long as texts of its size.

        Where no process can be started, as in a program that embeds Python, and where one fails as a program does, the
        text is parsed here. Raises Killed.
        """
        began = time.monotonic()
        question = json.dumps([GRAMMARS.index(grammar), LEAST + len(text) / RATE, text]).encode() + b"\n"
        with self._lock:
            code = self._asked(question)
            if code in _BY_OTHERS:
                code = self._asked(question)
        if code in _BY_OTHERS or (code in _BROKEN and code != _TOO_LONG and _is_short_of_memory()):
            raise Killed
        if code in _BROKEN:
            self._lost += time.monotonic() - began
            return None
        if isinstance(code, int):
            return definitions(text, grammar)
        found: list[tuple[str, str, int, list[str], bool]] = json.loads(code)
        return [Definition(name, local, line, tuple(texts), weak) for name, local, line, texts, weak in found]

    def _asked(self, question: bytes) -> str | int:
        """Returns the answer of the process, or the exit code of one that gave none, 0 where none could be started."""
        process = self._process = self._process or self._started()
        if process is None:
            return 0
        try:
            process.say(question)
            answer = process.line()
        except BaseException:
            self.end()  # who broke off has not heard an answer that the next one would take for its own
            raise
        if answer:
            return answer
        self._process = None
        return process.close()

    def end(self) -> None:
        """Ends the process, whatever it is at."""
        process, self._process = self._process, None
        if process:
            process.close(kill=True)

    def _started(self) -> Dialogue | None:
        if not self._can_start:
            return None
        spec = find_spec("ast_grep_py")
        homes = [_home(__file__, 3), *([_home(spec.origin, 2)] if spec and spec.origin else [])]
        try:
            process = Dialogue([sys.executable, "-I", "-S", "-c", _SERVE, *homes], os.environ)
        except OSError:
            return None
        try:
            self._can_start = process.speaks(START) and process.line() == _READY
        except BaseException:
            process.close(kill=True)
            raise
        if not self._can_start:
            process.close(kill=True)
        return process if self._can_start else None


def _is_short_of_memory() -> bool:
    """Returns whether memory is rationed, so that a process may have ended for the lack of it."""
    import resource

    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


def _home(path: str, levels: int) -> str:
    for _ in range(levels):
        path = os.path.dirname(os.path.abspath(path))
    return path


def serve() -> None:
    """Answers, line by line, with what texts define, until its input ends; what takes too long ends it."""
    import signal

    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # whatever who started this does with it
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGPROF])
    definitions("", GRAMMARS[0])  # loads the parsers: where that fails, nobody is told that this is ready
    print(_READY, flush=True)
    for line in sys.stdin:
        number, limit, text = json.loads(line)
        signal.setitimer(signal.ITIMER_PROF, limit)  # whose signal ends a process, whatever it is at
        found = definitions(text, GRAMMARS[number])
        signal.setitimer(signal.ITIMER_PROF, 0)
        print(json.dumps(found), flush=True)

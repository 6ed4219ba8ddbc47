"""Parsing, in a process of its own: a text that ends a parser, or that it never comes to the end of, takes no command along."""

import json
import os
import sys
import threading
from functools import cache
from importlib.util import find_spec

from gitmem.knowledge.anchors import Definition, definitions
from gitmem.knowledge.definitions import GRAMMARS, Grammar
from gitmem.storage.dialogue import Dialogue

# Seconds of a processor's time for one text; the largest that is parsed takes one.
LIMIT = 3.0
_READY = "ready"
_BY_OTHERS = (-1, -2, -9, -15)  # SIGHUP, SIGINT, SIGKILL, SIGTERM
_SERVE = "import sys; sys.path += sys.argv[1:]; from gitmem.search.parsing import serve; serve()"


class Parser:
    """A process that parses, started with the first text; it ends with this one, and a new one follows one that broke."""

    def __init__(self) -> None:
        self._process: Dialogue | None = None
        self._can_start = True
        self._lock = threading.Lock()

    def definitions(self, text: str, grammar: Grammar, *, limit: float = LIMIT) -> list[Definition] | None:
        """Returns what a text defines, None where that breaks the parser or takes longer than `limit` seconds."""
        question = json.dumps([GRAMMARS.index(grammar), limit, text]).encode() + b"\n"
        with self._lock:
            self._process = self._process or self._started()
            if self._process is None:
                return definitions(text, grammar)  # where Python cannot be started, as in a program that embeds it
            answer = self._asked(question)
        if not answer:
            return None
        found: list[tuple[str, str, int, list[str], bool]] = json.loads(answer)
        return [Definition(name, local, line, tuple(texts), weak) for name, local, line, texts, weak in found]

    def _asked(self, question: bytes) -> str:
        """Returns the answer of the process; empty where the question ended it, and not somebody else, which is asked anew."""
        while self._process:
            try:
                self._process.say(question)
                answer = self._process.line()
            except BaseException:
                self.end()  # who broke off has not heard an answer that the next one would take for its own
                raise
            if answer:
                return answer
            self._process = self._started() if self.end() in _BY_OTHERS else None
        return ""

    def end(self) -> int:
        """Ends the process, and returns its exit code, below zero the signal that ended it."""
        process, self._process = self._process, None
        return process.close() if process else 0

    def _started(self) -> Dialogue | None:
        if not self._can_start or not sys.executable:
            return None
        spec = find_spec("ast_grep_py")
        homes = [_home(__file__, 3), *([_home(spec.origin, 2)] if spec and spec.origin else [])]
        try:
            process = Dialogue([sys.executable, "-I", "-S", "-c", _SERVE, *homes], os.environ)
        except OSError:
            self._can_start = False
            return None
        if process.line() != _READY:
            process.close()
            self._can_start = False
            return None
        return process


@cache
def parser() -> Parser:
    """Returns the parser of this process."""
    return Parser()


def _home(path: str, levels: int) -> str:
    for _ in range(levels):
        path = os.path.dirname(os.path.abspath(path))
    return path


def serve() -> None:
    """Answers, line by line, with what texts define, until its input ends; what takes too long ends it."""
    import signal

    definitions("", GRAMMARS[0])  # loads the parsers: where that fails, nobody is told that this is ready
    print(_READY, flush=True)
    for line in sys.stdin:
        number, limit, text = json.loads(line)
        signal.setitimer(signal.ITIMER_PROF, limit)  # whose signal ends a process, whatever it is at
        found = definitions(text, GRAMMARS[number])
        signal.setitimer(signal.ITIMER_PROF, 0)
        print(json.dumps(found), flush=True)

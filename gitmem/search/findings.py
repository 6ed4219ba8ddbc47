"""Findings: what was found in the files that notes touch, remembered by a file's times and by its content."""

import os
from collections.abc import Callable, Iterable, Mapping

from gitmem.search import cache as side
from gitmem.storage import disk
from gitmem.storage.spare import load, write
from gitmem.storage.worktree import FILE, FOLDER, Seen, Worktree
from gitmem.values import TYPE_CHECKING

if TYPE_CHECKING:
    from gitmem.knowledge.anchors import Definition
    from gitmem.knowledge.definitions import Grammar
    from gitmem.search.parsing import Parser

KEPT = "anchors"
# Any other way to tell definitions apart, or to digest them, needs another number: what was remembered is then void.
EDITION = b"3"
# Files and answers that are remembered; one of each takes about 150 bytes.
MOST_KEPT = 40_000
# Bytes past which no definition of a file is known (parsers read 6 MB a second), and past which it has no digest.
MOST_PARSED, MOST_DIGESTED = 4 << 20, 64 << 20
CONTENT = 20  # digits of a content's name
BEYOND = "!"  # stands beside a content that no parser comes to the end of


class Findings:
    """What the files of a work tree hold. A content is asked once: answers are remembered, also that there is none."""

    def __init__(self, tree: Worktree, cache: str | None, *, now: float) -> None:
        """`cache` is the folder of the notes' cache, None where nothing may be kept; `now` in epoch seconds."""
        self.tree = tree
        self.now = now
        self._kept = os.path.join(cache, KEPT) if cache else None
        # The mark is what no repository can know, so that none can bring findings along.
        self._head = EDITION + b" " + load(os.path.join(cache, side.MARK)) if cache else EDITION
        parts = side.unseal(load(self._kept), 3) if self._kept else None
        known = parts is not None and parts[0] == self._head
        self._rows, self._answers = parts[1:] if parts and known else (b"", b"")
        self._last = ("", b"")
        self._contents: dict[str, str] = {}
        self._new_rows: dict[str, str] = {}
        self._new: dict[str, dict[str, str]] = {}
        self._parsed: dict[str, list[Definition] | None] = {}
        self._parser: Parser | None = None

    @property
    def parser(self) -> "Parser":
        """What parses here, and ends with this."""
        if self._parser is None:
            from gitmem.search.parsing import Parser  # late: most code is as it was

            self._parser = Parser()
        return self._parser

    def digest(self, path: str) -> str | None:
        """Returns the seven digits of a file's content, None where no file lies there, or one that is past all bounds."""
        seen = self.tree.look(path)
        if seen is None or seen.kind == FOLDER or seen.size > MOST_DIGESTED:
            return None
        return self.answer(self._content(path, seen), "", lambda: _digest(self._data(path))) or None

    def symbol(self, path: str, symbol: str) -> tuple[str, ...] | None:
        """Returns the hashes of what a symbol may mean in a file: none where it is not defined there.

        None where that cannot be known.
        """
        found = self._asked(path, symbol, lambda defined: _hashes(defined, symbol))
        return None if found is None else tuple(found.split())

    def inside(self, data: bytes, path: str, symbol: str) -> tuple[str, ...] | None:
        """Returns the same of bytes that are those of a file of this name somewhere else."""
        found = self.defined_in(data, path)
        return None if found is None else tuple(_hashes(found, symbol).split())

    def hashes(self, path: str) -> tuple[str, ...]:
        """Returns the hashes of all that a file is known to define."""
        found = self._asked(path, "@", lambda defined: " ".join(sorted({each.hash for each in defined})))
        return tuple((found or "").split())

    def may_define(self, path: str) -> bool:
        """Returns whether the definitions of a file that lies there can be known: by its language, and by its size."""
        seen = self.tree.look(path)
        return seen is not None and seen.kind == FILE and seen.size <= MOST_PARSED and _grammar(path) is not None

    def _asked(self, path: str, question: str, answer: "Callable[[list[Definition]], str]") -> str | None:
        seen = self.tree.look(path)
        if seen is None or seen.kind != FILE:
            return ""
        if seen.size > MOST_PARSED:
            return None
        about = self._named(path, seen)
        kept = self.known(about, question)
        found = self.defined(path) if kept is None else None
        return kept if found is None else self.learn(about, question, answer(found))

    def defined(self, path: str) -> "list[Definition] | None":
        """Returns what a file defines, parsed once; None where that cannot be known."""
        if path not in self._parsed:
            seen = self.tree.look(path) if self.may_define(path) else None
            self._parsed[path] = self._defined(self._data(path), path, self._named(path, seen)) if seen else None
        return self._parsed[path]

    def defined_in(self, data: bytes, path: str) -> "list[Definition] | None":
        """Returns what bytes define that are those of a file of this name somewhere else; None as `defined`."""
        return self._defined(data, path, _name(disk.digest(data), path)) if len(data) <= MOST_PARSED else None

    def _defined(self, data: bytes, path: str, about: str) -> "list[Definition] | None":
        """Returns what the bytes of a file define. What is no UTF-8 in them reads as a sign for that.

        One that no parser comes to the end of is known from then on, whatever becomes of the command.
        """
        grammar = _grammar(path)
        if grammar is None or self.known(about, BEYOND) is not None or self.parser.is_spent:
            return None
        from gitmem.search.parsing import Killed

        try:
            found = self.parser.definitions(data.decode("utf-8-sig", "replace"), grammar)
        except Killed:
            return None
        if found is None:
            self.learn(about, BEYOND, "")
            self.save()
        return found

    def answer(self, about: str, question: str, work: Callable[[], str]) -> str:
        """Returns the answer to a question about what never changes, a content or a commit, worked out once."""
        kept = self.known(about, question)
        return self.learn(about, question, work()) if kept is None else kept

    def learn(self, about: str, question: str, answer: str) -> str:
        """Takes in an answer, and returns it."""
        self._new.setdefault(about, {})[question] = answer
        return answer

    def known(self, about: str, question: str) -> str | None:
        """Returns the answer to a question where it is known."""
        kept = self._new.get(about, {}).get(question)
        return _found(self._answers, f"{about}\0{question}") if kept is None else kept

    # What is remembered

    def _named(self, path: str, seen: Seen) -> str:
        """Returns the name of a file's content with the ending that tells its language."""
        return _name(self._content(path, seen), path)

    def _content(self, path: str, seen: Seen) -> str:
        """Returns the name of a file's content, read only where its times, size or inode are new."""
        known = self._contents.get(path)
        if known is None:
            known = _found(self._rows, f"{path}\0{seen.row}")
            if known is None:
                known = disk.digest(self._data(path))[:CONTENT]
                if disk.changed_at(f"\0{seen.row}") < self.now - side.DOUBT:
                    self._new_rows[path] = f"{seen.row}\0{known}"
            self._contents[path] = known
        return known

    def _data(self, path: str) -> bytes:
        """Returns a file's bytes; the last one's are kept, as it is digested first, then parsed."""
        if self._last[0] != path:
            try:
                self._last = (path, self.tree.data(path))
            except OSError:  # gone since, or not for us to read
                self._last = (path, b"")
        return self._last[1]

    def save(self) -> None:
        """Writes down what was found; nobody waits for it, and where the disk refuses it is found again."""
        if self._kept and (self._new_rows or self._new):
            answers = {f"{about}\0{key}": each for about, new in self._new.items() for key, each in new.items()}
            parts = (self._head, _joined(self._rows, self._new_rows, 1), _joined(self._answers, answers, 2))
            write(self._kept, side.seal(*parts))


def _name(content: str, path: str) -> str:
    return f"{content[:CONTENT]}{os.path.splitext(path)[1]}"


def _grammar(path: str) -> "Grammar | None":
    from gitmem.knowledge.definitions import grammar_of  # late: a note may touch no code at all

    return grammar_of(path)


def _digest(data: bytes) -> str:
    from gitmem.knowledge.anchors import digest

    return digest(data)


def _hashes(found: "Iterable[Definition]", symbol: str) -> str:
    from gitmem.knowledge.anchors import named

    return " ".join(sorted({each.hash for each in named(found, symbol)}))


def _found(lines: bytes, key: str) -> str | None:
    """Returns what a line says after its key, by bisection: most commands ask for a few lines of some thousands."""
    wanted = key.encode("utf-8", "surrogateescape") + b"\0"
    low, high = 0, len(lines)
    while low < high:
        middle = (low + high) // 2
        start = lines.rfind(b"\n", low, middle) + 1 or low
        end = lines.find(b"\n", middle)
        end = len(lines) if end < 0 else end
        line = lines[start:end]
        if line.startswith(wanted):
            return line[len(wanted) :].decode("utf-8", "surrogateescape")
        low, high = (end + 1, high) if line < wanted else (low, start)
    return None


def _joined(lines: bytes, new: Mapping[str, str], size: int) -> bytes:
    """Returns lines with new ones among them, or in place of those of the same key, the first `size` words.

    Past the bound all that was known before is forgotten.
    """
    known = {tuple(line.split("\0")[:size]): line for line in side.lines(lines)}
    known = {} if len(known) + len(new) > MOST_KEPT else known
    known |= {tuple(key.split("\0")): f"{key}\0{value}" for key, value in new.items() if "\n" not in key}
    return b"\n".join(sorted(line.encode("utf-8", "surrogateescape") for line in known.values()))

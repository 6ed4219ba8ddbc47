"""Likeness: which notes say much the same as others, told by their words alone and without an index."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import ceil

from gitmem.notes.name import fold
from gitmem.values import NamedTuple

# The rule is a cheap one. Two titles are alike when they share this much of all words they have and name the same
# numbers; two bodies when each has this much of its longer lines in common with the other. Case, punctuation, order of
# words and white space do not count. Of 1,077 issues of a tool it finds 6, of which 5 do say the same, of 2,566 design
# documents 22, of which 16 do; with 0.7 it would be 64, most of them wrong, with 0.9 it would be 19.
SHARE = 0.8
NEAR_READ = 600  # characters of a body that are looked at for words of other titles
LINE = 24  # characters; a shorter line is common to notes that have nothing else in common
_WORD = re.compile(r"\d+(?:\.\d+)+|\w+")
_NONE: tuple[str, ...] = ()


class Sample(NamedTuple):
    """What of a note is compared, and the path it lies at."""

    path: str
    title: str
    body: str


def alike(new: Sequence[Sample], others: Sequence[Sample]) -> dict[str, list[str]]:
    """Returns, by the path of each new note that is like others, their paths, sorted; of two new ones the later has it."""
    titles, bodies = _Titles(new, others), _Bodies(new)
    fresh = {sample.path for sample in new}
    found: dict[str, set[str]] = {}
    for other in others:
        for path in {*titles.like(other.title), *bodies.like(other.body)}:
            if path != other.path and not (other.path in fresh and other.path > path):
                found.setdefault(path, set()).add(other.path)
    return {path: sorted(paths) for path, paths in found.items()}


def near(new: Sequence[Sample], others: Sequence[Sample], count: int) -> dict[str, list[str]]:
    """Returns, by the path of each new note, the paths of those others whose titles share most with its title and body.

    What many titles hold counts less; a note that shares no word of its title with none is left out.
    """
    held = Counter(word for sample in others for word in _words(sample.title))
    found = {}
    for sample in new:
        said = _words(sample.title) | _words(sample.body[:NEAR_READ])
        shares = {
            other.path: sum(1 / held[word] for word in _words(other.title) & said if len(word) > 2)
            for other in others
            if other.path != sample.path
        }
        best = sorted((path for path, share in shares.items() if share), key=lambda path: (-shares[path], path))
        found[sample.path] = best[:count]
    return found


def same_title(one: str, other: str) -> bool:
    """Returns whether two titles differ in case and white space at most."""
    return _plain(one) == _plain(other)


def _plain(text: str) -> str:
    return " ".join(fold(text).split())


class _Titles:
    """New notes by the rarest words of their titles: two sets that share enough share one of these (Bayardo 2007)."""

    def __init__(self, new: Sequence[Sample], others: Sequence[Sample]) -> None:
        self.common = Counter(word for sample in others for word in _words(sample.title))
        self.words = {sample.path: _words(sample.title) for sample in new}
        self.exact: dict[str, list[str]] = {}
        self.rare: dict[str, list[str]] = {}
        for sample in new:
            self.exact.setdefault(_plain(sample.title), []).append(sample.path)
            for word in self._rarest(self.words[sample.path]):
                self.rare.setdefault(word, []).append(sample.path)

    def _rarest(self, words: Collection[str]) -> list[str]:
        return sorted(words, key=lambda word: (self.common[word], word))[: len(words) - ceil(SHARE * len(words)) + 1]

    def like(self, title: str) -> Iterator[str]:
        yield from self.exact.get(_plain(title), _NONE)
        words = _words(title)
        for path in {path for word in self._rarest(words) for path in self.rare.get(word, _NONE)}:
            if _is_near(words, self.words[path]):
                yield path


def _words(title: str) -> frozenset[str]:
    return frozenset(_WORD.findall(fold(title)))


def _is_near(one: frozenset[str], other: frozenset[str]) -> bool:
    differing = one ^ other
    if any(character.isdigit() for word in differing for character in word):
        return False
    return len(one & other) >= SHARE * len(one | other)


class _Bodies:
    """New notes by the longer lines of their bodies."""

    def __init__(self, new: Sequence[Sample]) -> None:
        self.lines: Mapping[str, frozenset[str]] = {sample.path: _lines(sample.body) for sample in new}
        self.by_line: dict[str, list[str]] = {}
        for path, lines in self.lines.items():
            for line in lines:
                self.by_line.setdefault(line, []).append(path)

    def like(self, body: str) -> Iterator[str]:
        lines = _lines(body) if self.by_line else frozenset()
        shared = Counter(path for line in lines for path in self.by_line.get(line, _NONE))
        for path, count in shared.items():
            if count >= SHARE * max(len(lines), len(self.lines[path])):
                yield path


def _lines(body: str) -> frozenset[str]:
    rows = (" ".join(row.lower().split()) for row in body.split("\n") if len(row) >= LINE)
    return frozenset(row for row in rows if len(row) >= LINE)

"""Synonyms: the terms that say what a term of a question says, from the thesaurus."""

from collections.abc import Callable


class Synonyms(dict[str, tuple[str, ...]]):
    """The synonyms of every term met. Only lines that may hold it are stemmed: all of them take a millisecond."""

    def __init__(self, stem: Callable[[str], str]) -> None:
        super().__init__()
        self._stem = stem
        self._lines: list[str] = []
        self._whole = False

    def load(self) -> None:
        """Finds the synonyms of all terms at once (2 ms), which pays from some twenty questions on."""
        groups = list(map(self._stems, self._sides()))
        found: dict[str, dict[str, None]] = {}
        for group in groups:
            for term in group:
                found.setdefault(term, {}).update(dict.fromkeys(group))
        for term, stems in found.items():
            self[term] = tuple(stem for stem in stems if stem != term)
        self._whole = True

    def __missing__(self, term: str) -> tuple[str, ...]:
        if self._whole:
            return ()
        begin = term[:-1] if len(term) > 2 else term  # studi is the stem of study
        groups = [self._stems(line) for line in self._sides() if begin in line]
        found = dict.fromkeys(stem for group in groups if term in group for stem in group)
        self[term] = tuple(stem for stem in found if stem != term)
        return self[term]

    def _stems(self, line: str) -> list[str]:
        return [self._stem(word) for word in line.split() if word.isalpha()]

    def _sides(self) -> list[str]:
        """Returns the words of each idea; those that deny it are another line."""
        if not self._lines:
            from gitmem.knowledge import thesaurus  # late: who asks nothing needs none
            from gitmem.search.related import RELATED

            self._lines = f"{thesaurus.OPPOSITES}\n{thesaurus.ALIKE}\n{RELATED}".replace("/", "\n").split("\n")
        return self._lines

"""Synonyms: the terms that say what a term of a question says, from the thesaurus and from what people say for it."""

from collections.abc import Callable, Iterator


class Synonyms(dict[str, tuple[str, ...]]):
    """The synonyms of every term met. Only lines that may hold it are stemmed: all of them take 10 milliseconds."""

    def __init__(self, stem: Callable[[str], str]) -> None:
        super().__init__()
        self._stem = stem
        self._text = ""
        self._whole = False

    def load(self) -> None:
        """Finds the synonyms of all terms at once, which pays from some hundred questions on."""
        found: dict[str, dict[str, None]] = {}
        for line in self._lines():
            group = self._stems(line)
            for term in group:
                found.setdefault(term, {}).update(dict.fromkeys(group))
        for term, stems in found.items():
            self[term] = tuple(stem for stem in stems if stem != term)
        self._whole = True

    def __missing__(self, term: str) -> tuple[str, ...]:
        if self._whole:
            return ()
        groups = map(self._stems, self._holding(term))
        found = dict.fromkeys(stem for group in groups if term in group for stem in group)
        self[term] = tuple(stem for stem in found if stem != term)
        return self[term]

    def _stems(self, line: str) -> list[str]:
        return [self._stem(word) for word in line.split() if word.isalpha()]

    def _holding(self, term: str) -> Iterator[str]:
        """Yields the lines with a word of which a term may be the stem; studi is that of study."""
        begin, at = f" {term[:-1] if len(term) > 2 else term}", 0
        text = self._all()
        while (found := text.find(begin, at)) >= 0:
            at = text.find("\n", found)
            yield text[text.rfind("\n", 0, found) + 1 : at]

    def _lines(self) -> list[str]:
        return self._all().splitlines()

    def _all(self) -> str:
        """Returns the words of each idea as a line, a space before each word; those that deny it are another line."""
        if not self._text:
            from gitmem.knowledge import thesaurus  # late: who asks nothing needs none
            from gitmem.search.related import RELATED

            said = f"{thesaurus.OPPOSITES}\n{thesaurus.ALIKE}\n{RELATED}\n".replace("/", "\n")
            self._text = "".join(f" {line}\n" for line in said.split("\n"))
        return self._text

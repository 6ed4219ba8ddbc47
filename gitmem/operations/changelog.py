"""A changelog: what releases deprecated, took away, secured or broke, in the form of Keep a Changelog."""

import re
from collections.abc import Iterator
from itertools import islice

from gitmem.notes import prose
from gitmem.notes.instant import instant
from gitmem.operations.candidate import CAUTION, DECISION, Candidate, one_line, touchable
from gitmem.operations.sources import Sources
from gitmem.values import NamedTuple

MARKER = "CHANGELOG"
MOST = 100  # of one changelog, the newest: what long ago went has no one to surprise
TOUCHES = 5
_FILE = r"(?:.*[-_.])?(?:changelog|changes|history|release[-_]?notes)(?:\.(?:md|markdown|txt|rst))?"
_KINDS = (
    (r"deprecat", "Deprecated", CAUTION),
    (r"remov", "Removed", DECISION),
    (r"security", "Security", CAUTION),
    (r"break|incompatib", "Breaking", CAUTION),
)
_RELEASE = r"(?:version|release|v)?[ ]*\[?[ ]*v?(\d+(?:\.\d+)+[\w.+-]*|unreleased)\b\]?"
_DAY = r"\b(\d{4}-\d\d-\d\d)\b"
_BREAKING = r"[*_\[(]*(?:BREAKING(?:[ -]CHANGES?)?|Breaking(?:[ -]changes?)?[*_\])]*:)[*_\]):! -]*"


class Change(NamedTuple):
    """One entry: its sort (Deprecated, Removed, Security, Breaking), its text, line, release and that one's day."""

    sort: str
    text: str
    line: int
    release: str | None
    date: str | None


def candidates(sources: Sources) -> Iterator[Candidate]:
    """Yields a candidate for each entry of the project's changelogs that a later reader must know of."""
    for path in sources.paths:
        if re.fullmatch(_FILE, path.rpartition("/")[2], re.IGNORECASE):
            for change in islice(changes(sources.text(path) or ""), MOST):
                yield _candidate(sources, path, change)


def changes(text: str) -> Iterator[Change]:
    """Yields the entries of a changelog's text that deprecate, remove, secure or break."""
    sort, release, date = "", None, None
    rows = list(prose.lines(text))
    for at, (number, row) in enumerate(rows):
        heading = re.match(r" {0,3}(?:#{1,5}[ \t]+(.+)|\*\*([^*]+)\*\*:?[ \t]*$)", row)
        found = heading and re.match(_RELEASE, heading[1] or "", re.IGNORECASE)
        if found and heading:
            sort, release = "", None if found[1].lower() == "unreleased" else found[1]
            day = re.search(_DAY, heading[1])
            date = instant(day[1]) if day else None
        elif heading:
            sort = _sort(heading[1] or heading[2])
        elif item := re.match(r" {0,3}[-*+][ \t]+(\S.*)$", row):
            broken = re.match(_BREAKING, item[1])
            said = "Breaking" if broken and not sort else sort
            if said:
                whole = "\n".join([item[1][broken.end() if broken else 0 :], *_going_on(rows[at + 1 :])]).strip()
                yield Change(said, whole, number, release, date)


def _sort(heading: str) -> str:
    words = re.sub(r"^\W+", "", heading).lower()
    return next((sort for sign, sort, _ in _KINDS if re.match(sign, words)), "")


def _going_on(rows: list[tuple[int, str]]) -> Iterator[str]:
    """Yields the lines that belong to the entry above them: indented ones, until the next entry or heading."""
    for _, row in rows:
        if not re.match(r"[ \t]{2,}\S", row):
            return
        yield row.strip()


def _candidate(sources: Sources, path: str, change: Change) -> Candidate:
    kind = next(kind for _, sort, kind in _KINDS if sort == change.sort)
    said = one_line(prose.first_sentence(change.text) or change.text).rstrip(".")
    where = f"{change.sort} in {change.release}" if change.release else f"{change.sort}, not yet released"
    named = (sources.place(word.partition("::")[0]) for word in re.findall(r"`([^`\s]+)`", change.text))
    touches = [place for place in dict.fromkeys(named) if place and touchable(place)]
    return Candidate(
        one_line(f"{change.sort}: {said}"),
        kind,
        MARKER,
        f"{change.text}\n\n{where}, as `{path}` says.",
        path,
        change.line,
        touches=tuple(touches[:TOUCHES]),
        created=change.date,
        label=change.release or path,
    )

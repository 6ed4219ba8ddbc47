"""Decisions: every record in a project's decision folders as a candidate, what it replaces before it."""

import os
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence

from gitmem.notes.instant import instant_of
from gitmem.notes.name import fold
from gitmem.operations import adr
from gitmem.operations.adr import Record
from gitmem.operations.candidate import BUILDS_ON, DECISION, REPLACES, Candidate, fitting, touchable
from gitmem.operations.sources import Sources
from gitmem.storage import messages

MARKER = "ADR"
TOUCHES = 20
_FOLDERS = frozenset(
    ("adr", "adrs", "adl", "decisions", "architecture-decisions", "architectural-decisions", "decision-records")
)
_CHOSEN = ".adr-dir"  # adr-tools names its folder in this file
_OTHERS = ("readme", "index", "log", "changelog")
_SAID = {
    **dict.fromkeys(sorted(adr.OPEN), "Proposed, not decided"),
    **dict.fromkeys(sorted(adr.AGAINST), "Rejected"),
    **dict.fromkeys(sorted(adr.GONE), "No longer holds"),
}


def candidates(sources: Sources) -> list[Candidate]:
    """Returns a candidate for each record, sorted by path, those that others replace or build on before these.

    Relations go from the newer record to the older, whichever of them says so; one that would close a ring is left out.
    """
    records = {record.path: record for record in _records(sources)}
    links = _links(records)
    dates = _dates(sources, records)
    return [_candidate(sources, records[path], links, dates) for path in _ordered(records, links)]


def _records(sources: Sources) -> Iterator[Record]:
    chosen = _chosen(sources)
    for path in sources.paths:
        folder, _, name = path.rpartition("/")
        stem, ending = os.path.splitext(name.lower())
        if ending not in (".md", ".markdown") or stem in _OTHERS or not _holds_records(folder, chosen):
            continue
        text = sources.text(path)
        record = adr.parsed(path, text) if text else None
        if record:
            yield record


def paths(sources: Sources) -> set[str]:
    """Returns the markdown files of decision folders: what speaks for a project elsewhere is not looked for in them."""
    chosen = _chosen(sources)
    return {path for path in sources.paths if _holds_records(path.rpartition("/")[0], chosen)}


def _chosen(sources: Sources) -> tuple[str, ...]:
    named = [path for path in sources.paths if path.rpartition("/")[2] == _CHOSEN]
    texts = ((path.rpartition("/")[0], (sources.text(path) or "").strip()) for path in named)
    return tuple(posixpath.normpath(posixpath.join(folder, text)) for folder, text in texts if text)


def _holds_records(folder: str, chosen: Sequence[str]) -> bool:
    inside = any(folder == each or folder.startswith(f"{each}/") for each in chosen)
    return inside or not _FOLDERS.isdisjoint(folder.lower().split("/"))


# Which replaces which


def _links(records: Mapping[str, Record]) -> dict[str, list[tuple[str, str]]]:
    """Returns, by path, what a record replaces or builds on: (relation, path), each once, in the order of paths."""
    found: dict[str, dict[tuple[str, str], None]] = {path: {} for path in records}
    for path, record in records.items():
        for relation in record.relations:
            other = _meant(records, record, relation.target)
            if other is None or other == path:
                continue
            newer, older = (other, path) if relation.kind in (adr.BY, adr.AMENDED) else (path, other)
            said = REPLACES if relation.kind in (adr.BY, adr.OF) else BUILDS_ON
            found[newer][said, older] = None
    for each in found.values():  # what replaces a record has no need to build on it, too
        for link in [link for link in each if link[0] == BUILDS_ON and (REPLACES, link[1]) in each]:
            del each[link]
    return {path: sorted(each, key=lambda link: (link[0] != REPLACES, link[1])) for path, each in found.items()}


def _meant(records: Mapping[str, Record], record: Record, target: str) -> str | None:
    """Returns the record that a target means: a path, a file's name with or without ending, a number, a title."""
    folder = record.path.rpartition("/")[0]
    plain = target.partition("#")[0].partition("?")[0]
    path = posixpath.normpath(posixpath.join(folder, plain)) if plain else ""
    if path in records:
        return path
    stem = os.path.splitext(plain.rpartition("/")[2])[0]
    near = [each for each in records if each.rpartition("/")[0] == folder]
    for known in (near, list(records)):
        same = [each for each in known if os.path.splitext(each.rpartition("/")[2])[0] == stem]
        same = same or [each for each in known if plain.isdigit() and records[each].number == int(plain)]
        same = same or [each for each in known if fold(records[each].title) == fold(plain)]
        if len(same) == 1:
            return same[0]
    return None


def _ordered(records: Mapping[str, Record], links: dict[str, list[tuple[str, str]]]) -> list[str]:
    """Returns the paths with targets first, and takes the links that would close a ring out of `links`."""
    done: dict[str, None] = {}
    for start in records:
        above: dict[str, None] = {}
        waiting = [start]
        while waiting:
            path = waiting[-1]
            above[path] = None
            links[path] = [link for link in links[path] if link[1] not in above]
            following = next((other for _, other in links[path] if other not in done), None)
            if following is None:
                done[waiting.pop()] = None
                above.pop(path)
            else:
                waiting.append(following)
    return list(done)


# What a record becomes


def _dates(sources: Sources, records: Mapping[str, Record]) -> dict[str, str]:
    """Returns, by path, the day that git first had a record that tells no date of its own."""
    undated = [path for path, record in records.items() if record.date is None]
    if sources.memory.repository is None:
        return {}
    born = messages.born(sources.memory.repository, undated, environment=sources.memory.environment)
    return {path: instant_of(date) for path, date in born.items()}


def _candidate(
    sources: Sources, record: Record, links: Mapping[str, list[tuple[str, str]]], dates: Mapping[str, str]
) -> Candidate:
    limit = sources.memory.config.policy.body_limit
    return Candidate(
        record.title,
        DECISION,
        MARKER,
        body=fitting(record.body, limit, f"The rest is in {record.path}."),
        file=record.path,
        line=record.line,
        summary=_summary(record),
        tags=_tags(record),
        touches=tuple(_touches(sources, record)),
        status=_status(record),
        created=record.date or dates.get(record.path),
        links=tuple(links[record.path]),
        label=record.path.rpartition("/")[2].rpartition(".")[0],
        whole=True,
    )


def _status(record: Record) -> str | None:
    if record.status in adr.AGAINST or record.status in adr.GONE:
        return "archived"
    return "superseded" if record.status == adr.SUPERSEDED else None


def _summary(record: Record) -> str | None:
    said = _SAID.get(record.status)
    if said is None:
        return record.summary
    return f"{said}: {record.summary or record.title}"[:300]


def _tags(record: Record) -> tuple[str, ...]:
    told = record.status if record.status in _SAID else ""
    return tuple(dict.fromkeys(tag for tag in ("adr", told.replace(" ", "-"), *record.tags) if tag))


def _touches(sources: Sources, record: Record) -> Iterator[str]:
    """Yields the record's own file and the files and folders of the project that it names as code."""
    named = (sources.place(word.partition("::")[0]) for word in re.findall(r"`([^`\s]+)`", record.body))
    found = dict.fromkeys([record.path, *(place for place in named if place)])
    yield from [path for path in found if touchable(path)][:TOUCHES]

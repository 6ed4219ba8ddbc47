"""A decision record as MADR, adr-tools and log4brains write it: title, status, date, relations to others, and sections."""

import re
from collections.abc import Iterator, Mapping

from gitmem.notes import frontmatter, prose
from gitmem.notes.instant import instant
from gitmem.notes.value import Value
from gitmem.operations.candidate import SUMMARY, heading, one_line
from gitmem.values import NamedTuple

LONG = 2_000  # characters of a line that says what a record is, so that no line of any length takes long to read
BY, OF = "superseded by", "supersedes"
AMENDED, AMENDS = "amended by", "amends"
ACCEPTED, SUPERSEDED, REJECTED = "accepted", "superseded", "rejected"
# What a project calls a decision that is not made yet, one that was turned down, and one that no longer holds.
OPEN = frozenset(("draft", "proposed", "pending", "open", "rfc", "wip", "in review", "in discussion", "under review"))
AGAINST = frozenset(("rejected", "declined", "refused", "abandoned", "withdrawn", "cancelled", "canceled"))
GONE = frozenset(("deprecated", "obsolete", "retired", "expired", "removed", "reverted"))

_PHRASES = (
    (BY, r"(?:has been )?(?:super[sc]e+ded|replaced|obsoleted)[ -]+by"),
    (OF, r"(?:super[sc]e+des|replaces|obsoletes)"),
    (AMENDED, r"(?:amended|refined|extended|clarified|updated)[ -]+by"),
    (AMENDS, r"(?:amends|refines|extends|clarifies|updates)"),
)
_PHRASE = "|".join(f"(?P<r{at}>{words})" for at, (_, words) in enumerate(_PHRASES))
_RELATION = rf"\b(?:{_PHRASE})\b"
_KEYS = {
    BY: ("superseded-by", "superseded_by", "supersededby", "replaced-by", "replaced_by"),
    OF: ("supersedes", "replaces"),
    AMENDED: ("amended-by", "amended_by"),
    AMENDS: ("amends",),
}
_FIELD = r"[ \t]*(?:[-*+][ \t]+)?[*_]{0,2}(status|date|tags?|supersede[sd](?: by)?)[*_]{0,2}[ \t]*:[*_]{0,2}[ \t]*(.*)$"
_NUMBER = (
    r"(?:(?:ADR|AD|decision|record)[ #:_-]*\d{1,8}[ ]*[.:)–—-]*(?:[ ]+|$)"
    r"|\d{1,8}[.:)][ ]+|\d{1,8}[ ]+[–—-][ ]+|0\d{2,7}[ ]+)"
)
_STEM_NUMBER = r"(?:adr|ad|decision)?[-_ ]?(\d{1,8})(?=\D|$)"
_LINKS, _NAMES = r"\]\(<?([^)\s>]+)>?", r"\b(?:AD|ADR)[-_ #]{0,2}0*(\d{1,6})\b|\b(\d{3,8}[-_][\w-]*[A-Za-z][\w-]*)"
_ONLY_NUMBERS = r"[\s:#]*\d{1,6}(?:(?:\s*,\s*|\s+and\s+|\s*&\s*)#?\d{1,6})*[\s.]*"
_LINKING = ("links", "more information", "references", "related", "related decisions", "see also", "notes")
_DECIDING = ("decision outcome", "decision", "the decision", "outcome")
_KNOWN = ("context", "context and problem statement", "consequences", "considered options", "status", *_DECIDING)


class Relation(NamedTuple):
    """What a record says of another one: BY, OF, AMENDED or AMENDS, and the path, name or number that it gives."""

    kind: str
    target: str


class Record(NamedTuple):
    """One decision record. status is one lower-cased word, empty where none stands; number None where it has none."""

    path: str
    title: str
    number: int | None
    status: str
    date: str | None
    tags: tuple[str, ...]
    relations: tuple[Relation, ...]
    summary: str | None
    body: str
    line: int


class _Section(NamedTuple):
    title: str
    rows: list[str]


def parsed(path: str, text: str) -> Record | None:
    """Returns the record in a file's text; None where it is none, or a template of one."""
    document = frontmatter.parse(text.encode("utf-8", "replace"), path)
    title, head, sections, line = _parts(document.body)
    body, head = _body(head, sections), [row[:LONG] for row in head]
    fields = {key.lower(): value for key, value in document.fields.items()}
    said = _fields(head)
    states = [row[:LONG] for row in (*_texts(fields.get("status")), *said["status"], *_rows(sections, "status"))]
    title = _title(one_line(title or _text(fields.get("title"))), path)
    if not (states or any(each.title.lower() in _KNOWN for each in sections)) or _is_template(path, title):
        return None
    date = next(filter(None, map(_date, [*_texts(fields.get("date")), *said["date"]])), None)
    relations = [*_keyed(fields), *_related(states), *_related(_leading(head)), *_linked(sections)]
    return Record(
        path,
        title,
        number(path),
        _status(states),
        date or _date_of_name(path),
        _tags([*_texts(fields.get("tags")), *said["tag"]]),
        tuple(dict.fromkeys(relations)),
        _summary(sections),
        body,
        document.body_line + line,
    )


def number(path: str) -> int | None:
    """Returns the number that a record's file name begins with, or None."""
    match = re.match(_STEM_NUMBER, path.rpartition("/")[2], re.IGNORECASE)
    return int(match[1]) if match else None


# The parts of a text


def _parts(body: str) -> tuple[str, list[str], list[_Section], int]:
    """Returns the title, the lines below it, the sections of level two, and the title's line from 0."""
    rows = body.split("\n")
    headings = {at - 1: found for at, row in prose.lines(body) if (found := heading(row))}
    tops = [at for at, (level, _) in headings.items() if level == 1]
    start = tops[0] if tops else -1
    title = headings[start][1] if tops else ""
    cuts = [at for at, (level, _) in headings.items() if at > start and level <= 2]
    ends = [*cuts[1:], len(rows)]
    sections = [_Section(_plain(headings[at][1]), rows[at:end]) for at, end in zip(cuts, ends, strict=False)]
    return title, rows[start + 1 : cuts[0] if cuts else None], sections, max(0, start)


def _plain(text: str) -> str:
    return re.sub(r"<!--.*?-->", "", text[:LONG]).strip().strip(":").strip()


def _title(title: str, path: str) -> str:
    """Returns a title without the record's number; that of the file's name where there is none."""
    bare = re.sub(f"^{_NUMBER}", "", title, flags=re.IGNORECASE).strip()
    if bare:
        return bare
    stem = path.rpartition("/")[2].rpartition(".")[0]
    words = re.sub(f"^{_STEM_NUMBER}", "", stem, flags=re.IGNORECASE)
    return one_line(" ".join(re.split(r"[-_ ]+", words)).strip() or stem).capitalize()


def _is_template(path: str, title: str) -> bool:
    name = path.rpartition("/")[2].lower()
    return "template" in name or re.match(r"[{<]|\[?short title\b|\[?title\]?$", title, re.IGNORECASE) is not None


def _fields(head: list[str]) -> dict[str, list[str]]:
    """Returns what the lines below the title say under a name, such as `- Status: accepted`."""
    found: dict[str, list[str]] = {"status": [], "date": [], "tag": []}
    for row in head:
        match = re.match(_FIELD, row, re.IGNORECASE)
        if match:
            key = match[1].lower()
            found["tag" if key.startswith("tag") else key if key in found else "status"].append(
                match[2] if key in ("status", "date", "tag", "tags") else f"{key} {match[2]}"
            )
    return found


def _rows(sections: list[_Section], title: str) -> list[str]:
    return [row[:LONG] for each in sections if each.title.lower() == title for row in each.rows[1:] if row.strip()]


def _texts(value: Value | None) -> list[str]:
    if isinstance(value, str):
        return [value[:LONG]]
    return [each[:LONG] for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _text(value: Value | None) -> str:
    return value if isinstance(value, str) else ""


# What they say


def _status(states: list[str]) -> str:
    """Returns the first word that says how a decision stands; one that another replaced is superseded."""
    if any(relation.kind == BY for relation in _related(states)):
        return SUPERSEDED
    for state in states:
        words = re.sub(r"<!--.*?-->", "", state).strip(" \t>*_`[]-+.!").lower()
        if re.match("super[sc]e+ded", words):
            return SUPERSEDED
        for known in (ACCEPTED, *OPEN, *AGAINST, *GONE):
            if re.match(rf"{known}\b", words):
                return known
    return ""


def _related(rows: list[str]) -> Iterator[Relation]:
    for row in rows:
        matches = list(re.finditer(_RELATION, row, re.IGNORECASE))
        ends = [*(match.start() for match in matches[1:]), len(row)]
        for match, end in zip(matches, ends, strict=False):
            kind = next(each for at, (each, _) in enumerate(_PHRASES) if match[f"r{at}"])
            yield from (Relation(kind, target) for target in _targets(row[match.end() : end]))


def _linked(sections: list[_Section]) -> Iterator[Relation]:
    """Yields the relations of sections that only list links."""
    for name in _LINKING:
        yield from _related(_leading(_rows(sections, name)))


def _leading(rows: list[str]) -> list[str]:
    """Returns the lines that begin with a relation."""
    return [row for row in rows if re.match(rf"[ \t]*(?:[-*+][ \t]+)?[*_]*{_RELATION}", row, re.IGNORECASE)]


def _keyed(fields: Mapping[str, Value]) -> Iterator[Relation]:
    for kind, keys in _KEYS.items():
        for text in (text for key in keys for text in _texts(fields.get(key))):
            yield from (Relation(kind, target) for target in _targets(text))


def _targets(text: str) -> list[str]:
    """Returns the records that a text names: by links where it has any, else by file names and numbers."""
    links = re.findall(_LINKS, text) or [one or other for one, other in re.findall(_NAMES, text, re.IGNORECASE)]
    return links or (re.findall(r"\d+", text) if re.fullmatch(_ONLY_NUMBERS, text) else [])


def _date(text: str) -> str | None:
    """Returns the instant of a date as records write it; None for one that could be read in two ways."""
    words = text.strip().strip("*_`<>\"' ")
    if match := re.match(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", words):
        year, month, day = match.groups()
    elif match := re.match(r"(\d{1,2})[/.](\d{1,2})[/.](\d{4})", words):
        one, two, year = match.groups()
        if "." not in match[0] and int(one) <= 12 and int(two) <= 12 and one != two:
            return None
        day, month = (two, one) if int(two) > 12 else (one, two)
    else:
        return None
    return instant(f"{year}-{int(month):02}-{int(day):02}")


def _date_of_name(path: str) -> str | None:
    match = re.match(r"(\d{4})-?(\d\d)-?(\d\d)(?=\D|$)", path.rpartition("/")[2])
    return instant("-".join(match.groups())) if match else None


def _tags(texts: list[str]) -> tuple[str, ...]:
    words = (word.strip("[]#`\"' \t") for text in texts for word in re.split(r"[,\s]+", re.sub("<!--.*?-->", "", text)))
    return tuple(dict.fromkeys(word for word in words if re.fullmatch(r"[\w.+-]{1,40}", word)))


def _summary(sections: list[_Section]) -> str | None:
    """Returns the first sentence of what was decided."""
    for name in _DECIDING:
        rows = next((each.rows[1:] for each in sections if each.title.lower() == name), [])
        said = one_line(prose.first_sentence("\n".join(rows)), SUMMARY)
        if said:
            return said
    return None


def _body(head: list[str], sections: list[_Section]) -> str:
    """Returns the sections and what stands before them, without what the note's own fields say."""
    kept = [row for row in head if not re.match(_FIELD, row, re.IGNORECASE)]
    rows = [row for each in sections if not _only_states(each) for row in each.rows]
    return re.sub(r"\n{3,}", "\n\n", "\n".join([*kept, *rows])).strip()


def _only_states(section: _Section) -> bool:
    """Returns whether a section tells the status and nothing more: one word or a relation a line."""
    said = [row.strip(" \t>*_`-+.") for row in section.rows[1:] if row.strip()]
    return section.title.lower() == "status" and all(
        re.match(_RELATION, row, re.IGNORECASE) or len(row.split()) == 1 for row in said
    )

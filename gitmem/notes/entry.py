"""An entry: a note read from its file without guessing, and written in the usual order."""

import hashlib
import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence

from gitmem.errors import Problem
from gitmem.notes import frontmatter, prose, source
from gitmem.notes.instant import instant
from gitmem.notes.literal import FIELDS
from gitmem.notes.note import Approval, Entry, Link, Note
from gitmem.notes.value import Value
from gitmem.values import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TypeVar

    _T = TypeVar("_T")

TOO_LARGE = 1 << 20
_KNOWN = frozenset(FIELDS)
_NUMBER = re.compile(r"[0-9]{1,9}(?:\.[0-9]{0,12})?|\.[0-9]{1,12}")
_NAME = re.compile(r"\[\[([^\[\]|]*)(?:\|[^\[\]]*)?\]\]")
_SENSITIVE = re.compile(
    r"^[ \t]*[\"']?sensitive[\"']?[ \t]*:(?![ \t]*(?:false|no|off)\b)", re.MULTILINE | re.IGNORECASE
)
_TRUTH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_LINK_KEYS = frozenset(("to", "note", "weight"))


def read(path: str, data: bytes, *, verbs: Collection[str]) -> Entry:
    """Returns the entry of a file; what cannot be read is a Problem of it and stays out of the note.

    A key that equals one of `verbs` is a link. A file whose front matter cannot be trusted gives a note with the
    heading or the stem as title, the folder as type, and the whole text as body. The heading of a sensitive note is
    part of its body, and never its title.
    """
    document = frontmatter.parse(data, path)
    name = _stem(path)
    reading = _Reading(path, document)
    note = _note(reading, path, name, verbs)
    if len(data) > TOO_LARGE:
        message = f"The file has {len(data):,} bytes; a note has at most {TOO_LARGE:,}."
        reading.problems.append(Problem(path, None, "too-large", "error", message, "Split the note."))
    return Entry(path, name, hashlib.sha256(data).hexdigest(), note, tuple(_told(reading.problems)))


def _told(problems: list[Problem]) -> list[Problem]:
    """Returns problems by line, none of which repeats a secret."""
    if not problems:
        return []
    from gitmem.notes import secrets  # late: most notes have no problem

    return sorted(map(secrets.untold, problems), key=_line)


def fields(note: Note, *, verbs: Sequence[str]) -> dict[str, Value]:
    """Returns the fields a new file has, in the usual order, without those that say nothing."""
    values: dict[str, Value] = {"title": note.title, "type": note.type, "summary": note.summary}
    values |= {"tags": list(note.tags), "aliases": list(note.aliases), "domain": note.domain, "status": note.status}
    values |= {"durability": note.durability, "source": note.source, "agent": note.agent, "session": note.session}
    values |= {"confidence": _number_text(note.confidence), "created": note.created, "confirmed": note.confirmed}
    values |= {"confirmed_by": note.confirmed_by, "approved": _approval_value(note.approved)}
    values |= {"pinned": _number_text(note.pinned), "reviewed": note.reviewed}
    values["sensitive"] = "true" if note.sensitive else None
    for verb in verbs:
        values[verb] = link_value([link for link in note.links if link.verb == verb])
    values |= {"touches": list(note.touches), "buried": list(note.buried)}
    values |= {"suspects": list(note.suspects), "distinct": list(note.distinct)}
    said: dict[str, Value] = {key: value for key, value in values.items() if value}
    return said | note.extra


def render(note: Note, *, verbs: Sequence[str]) -> bytes:
    """Returns the note as a new file; raises invalid-utf8 for text that no file can hold."""
    return frontmatter.render(fields(note, verbs=verbs), note.body)


def link_value(links: Sequence[Link]) -> Value:
    """Returns the value of a verb's field: names, and maps where a link says more than its target."""
    return [_link_item(link) for link in links]


def edit_digest(note: Note) -> str:
    """Returns the 7 hex digits an approval is bound to: of title, summary, body and links, in any order."""
    import json

    links = sorted([link.verb, link.to, link.note or "", link.weight] for link in note.links)
    said = {"title": note.title, "summary": note.summary, "body": note.body, "links": links}
    canonical = json.dumps(said, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()[:7]


def sound(note: Note) -> Note:
    """Returns a note without an approval that does not hold: one of another text than it has now, or of none."""
    held = note.approved is None or note.approved.of == edit_digest(note)
    return note if held else note._replace(approved=None)


def _note(reading: "_Reading", path: str, name: str, verbs: Collection[str]) -> Note:
    title, sensitive = reading.title(), reading.sensitive()
    return Note(
        title=title or (None if sensitive else _heading(reading.document)) or name,
        type=reading.word("type") or (path.split("/", 1)[0].lower() if "/" in path else ""),
        summary=reading.text("summary"),
        tags=reading.tags(),
        aliases=reading.names("aliases"),
        domain=reading.word("domain"),
        status=reading.word("status"),
        durability=reading.word("durability"),
        source=reading.word("source"),
        agent=reading.text("agent"),
        session=reading.text("session"),
        confidence=reading.share("confidence"),
        created=reading.instant("created"),
        confirmed=reading.instant("confirmed"),
        confirmed_by=reading.text("confirmed_by"),
        approved=reading.approval(),
        pinned=reading.share("pinned"),
        reviewed=reading.instant("reviewed"),
        sensitive=sensitive,
        links=tuple(
            link for key in reading.fields if key in verbs and key not in _KNOWN for link in reading.links(key)
        ),
        touches=reading.names("touches"),
        buried=reading.names("buried"),
        suspects=reading.names("suspects"),
        distinct=reading.names("distinct"),
        extra={key: value for key, value in reading.fields.items() if key not in _KNOWN and key not in verbs},
        body=reading.document.body,
    )


class _Reading:
    """Turns fields into values and gathers a problem for each that has the wrong shape."""

    def __init__(self, path: str, document: frontmatter.Document) -> None:
        self.path = path
        self.document = document
        self.fields = document.fields
        self.problems = list(document.problems)

    def report(self, key: str, what: str, hint: str) -> None:
        line = self.document.lines.get(key)
        self.problems.append(Problem(self.path, line, "bad-value", "warning", f"The field {key} {what}.", hint))

    def title(self) -> str | None:
        """Returns the title on one line; says so where a front matter has none."""
        text = self.text("title")
        title = " ".join(text.split()) if text and "\n" in text else text
        doubled = any(problem.code == "duplicate-key" for problem in self.document.problems)
        if title is None and self.fields.get("title") is None and self.document.body_line > 1 and not doubled:
            line = self.document.lines.get("title", 1)
            message = "The front matter has no title, so the heading or the file's name stands in."
            self.problems.append(Problem(self.path, line, "missing-title", "warning", message, "Add a title: line."))
        return title

    def text(self, key: str) -> str | None:
        value = self.fields.get(key)
        if value is None or isinstance(value, str):
            return value or None
        self.report(key, "is a list or a mapping, not one text", f"Write {key}: text")
        return None

    def word(self, key: str) -> str | None:
        text = self.text(key)
        return text.strip().lower() if text else None

    def instant(self, key: str) -> str | None:
        text = self.text(key)
        if text is None:
            return None
        normalised = instant(text.strip())
        if normalised is None:
            self.report(key, "is not a date or an instant", f"Write {key}: 2026-12-01T11:29:00Z")
        return normalised

    def share(self, key: str) -> float | None:
        text = self.text(key)
        number = None if text is None else _number(text)
        if text is not None and (number is None or number > 1):
            self.report(key, "is not a number from 0 to 1", f"Write {key}: 0.7")
            return None
        return number

    def sensitive(self) -> bool:
        """Returns whether the note is sensitive; a value that is neither yes nor no keeps the secret."""
        value = self.fields.get("sensitive")
        if value is None:
            return self.claims_sensitive()
        truth = _truth(value) if isinstance(value, str) else None
        if truth is None:
            self.report(
                "sensitive", "is neither true nor false, so the note counts as sensitive", "Write sensitive: true"
            )
        return truth is not False

    def claims_sensitive(self) -> bool:
        """Returns whether a file whose field cannot be read has one all the same."""
        if "sensitive" in self.document.lines:
            return "sensitive" not in self.fields
        return self.document.body_line == 1 and bool(self.problems) and bool(_SENSITIVE.search(self.document.body))

    def approval(self) -> Approval | None:
        value = self.fields.get("approved")
        if value is None:
            return None
        if isinstance(value, dict):
            by, at, of = value.get("by"), value.get("at"), value.get("of")
            when = instant(at.strip()) if isinstance(at, str) else None
            if isinstance(by, str) and when and (of is None or isinstance(of, str)):
                return Approval(by, when, of)
        self.report("approved", "does not say who approved and when", "Run gitmem approve again")
        return None

    def tags(self) -> tuple[str, ...]:
        value = self.fields.get("tags")
        if isinstance(value, str) and "," in value:
            self.report("tags", "is one text with commas, not a list", f"Write tags: [{value}]")
            return ()
        return _unique("-".join(text.lower().split()) for text in self.names("tags"))

    def names(self, key: str) -> tuple[str, ...]:
        """Returns the texts of a list, or the one text that stands alone; what is no text is reported and left out."""
        value = self.fields.get(key)
        items = value if isinstance(value, list) else [] if value is None else [value]
        names = [_name(item) for item in items if item is not None]
        if None in names:
            self.report(key, "holds something that is not one text", f"Write {key}: [one, two]")
        return _unique(name for name in names if name)

    def links(self, verb: str) -> Iterator[Link]:
        """Yields the links of a verb's field; an item that is no link is reported and left out."""
        value = self.fields[verb]
        for item in value if isinstance(value, list) else [value]:
            link = self.link(verb, item) if item is not None else None
            if link is not None:
                yield link
            elif item is not None:
                self.report(
                    verb, "holds something that is neither a name nor {to, note, weight}", f"Write {verb}: [name]"
                )

    def link(self, verb: str, item: Value) -> Link | None:
        name = _name(item)
        if name:
            return Link(verb, name, None, 1.0)
        if not isinstance(item, dict) or not item.keys() <= _LINK_KEYS:
            return None
        to, note, weight = _name(item.get("to")), item.get("note"), item.get("weight")
        number = 1.0 if weight is None else _number(weight) if isinstance(weight, str) else None
        if not to or number is None or isinstance(note, list | dict):
            return None
        return Link(verb, to, note or None, number)


def _line(problem: Problem) -> int:
    return problem.line or 0


def _unique(names: Iterator[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _name(item: Value) -> str | None:
    """Returns the name in an item; `[[name]]` reads as name, also where YAML made lists of its brackets."""
    for _ in range(2):
        if isinstance(item, list) and len(item) == 1:
            item = item[0]
    if not isinstance(item, str):
        return None
    match = _NAME.fullmatch(item.strip()) if "[" in item else None
    return (match[1] if match else item).strip()


def _number(text: str) -> float | None:
    """Returns the number of zero or more that a text is; msgspec decides about the unusual spellings."""
    if _NUMBER.fullmatch(text):
        return float(text)
    number = _coerced(text, float)
    return number if number is not None and 0 <= number < 1e9 else None


def _truth(text: str) -> bool | None:
    known = _TRUTH.get(text.strip().lower())
    return known if known is not None else _coerced(text, bool)


def _coerced(text: str, kind: "type[_T]") -> "_T | None":
    import msgspec

    try:
        return msgspec.convert(text, kind, strict=False)
    except msgspec.ValidationError:
        return None


def _heading(document: frontmatter.Document) -> str | None:
    fences = source.fences(document.body) if document.body_line == 1 else None
    return prose.heading(document.body[fences.body :] if fences else document.body)


def _stem(path: str) -> str:
    name = path.rpartition("/")[2]
    stem = name[:-3] if name[-3:].lower() == ".md" else name
    return stem if stem.isascii() else unicodedata.normalize("NFC", stem)


def _number_text(number: float | None) -> str | None:
    return None if number is None else repr(float(number))


def _approval_value(approved: Approval | None) -> Value:
    if approved is None:
        return None
    value: dict[str, Value] = {"by": approved.by, "at": approved.at}
    return value if approved.of is None else {**value, "of": approved.of}


def _link_item(link: Link) -> Value:
    if link.note is None and link.weight == 1:
        return link.to
    item: dict[str, Value] = {"to": link.to}
    if link.note is not None:
        item["note"] = link.note
    return item if link.weight == 1 else {**item, "weight": _number_text(link.weight)}

"""Merge: what two branches made of one note, as one file; the work of the merge driver and of resolve-conflicts."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gitmem.errors import GitmemError
from gitmem.notes import conflict, frontmatter, note, source, surgery
from gitmem.notes.conflict import split
from gitmem.notes.frontmatter import Document, Value
from gitmem.notes.merge_fields import Conflict, Side, merge_fields, merge_trust
from gitmem.notes.name import fold

__all__ = ["Merged", "merge", "split"]

# What stands before each line of theirs in a front matter where ours stands.
THEIRS = "# theirs: "


class Merged(NamedTuple):
    """The merged file, and what truly conflicts in it: names of fields, and "body"; empty for a clean merge."""

    data: bytes
    conflicts: tuple[str, ...]


class _Version(NamedTuple):
    """One of the three files, read."""

    data: bytes
    document: Document
    side: Side


def merge(base: bytes, ours: bytes, theirs: bytes, *, verbs: Sequence[str], path: str) -> Merged:
    """Returns ours with what theirs changed since base, in ours' formatting; `path` is the note's below `.memory`.

    Fields merge as `merge_fields` and `merge_trust` say, and the body by lines, with ordinary conflict markers. Of a
    field that both changed to different values ours stands, with theirs below it in comments, so that the file still
    parses. An empty base means that both sides added the note. Two notes of different titles under one name are one
    conflict of whole files, named "title", which `split` takes apart. Where ours or theirs cannot be parsed, their
    lines merge, and no field is looked at.
    """
    if theirs in (base, ours):
        return Merged(ours, ())
    if ours == base:
        return Merged(theirs, ())
    versions = [_version(path, data, verbs) for data in (base, ours, theirs)]
    here, there = versions[1:]
    if not (_is_sound(here.document) and _is_sound(there.document)):
        return _merged_text(base, ours, theirs)
    if not base.strip() and fold(here.side.note.title) != fold(there.side.note.title):
        return Merged(conflict.whole(ours, theirs), ("title",))
    return _merged_note(versions, verbs, path)


def _version(path: str, data: bytes, verbs: Sequence[str]) -> _Version:
    document = frontmatter.parse(data, path)
    if not _is_sound(document):
        document = document._replace(fields={})
    read = note.read(path, data, verbs=verbs).note
    return _Version(data, document, Side(document.fields, read, note.edit_digest(read)))


def _is_sound(document: Document) -> bool:
    """Returns whether the front matter can be trusted, as writing into the file requires."""
    in_body = document.body_line > 1
    return not any(
        problem.severity == "error" and not (in_body and problem.code == "conflict-markers")
        for problem in document.problems
    )


def _merged_text(base: bytes, ours: bytes, theirs: bytes) -> Merged:
    """Returns the files merged by lines; Latin-1 has a character for every byte, so that all come back."""
    texts = [data.decode("latin-1").removesuffix("\n") for data in (base, ours, theirs)]
    lines = conflict.merge_lines(*(_lines(text) for text in texts))
    data = "".join(f"{row}\n" for row in lines.rows).encode("latin-1")
    return Merged(data, () if lines.clean else ("body",))


def _merged_note(versions: Sequence[_Version], verbs: Sequence[str], path: str) -> Merged:
    base, ours, theirs = (version.side for version in versions)
    fields = merge_fields(base, ours, theirs, verbs=verbs)
    lines = conflict.merge_lines(*(_lines(version.document.body) for version in versions))
    body = "\n".join(lines.rows)
    merged = note.read(path, frontmatter.render(_present(fields.values), body), verbs=verbs).note
    values = fields.values | merge_trust(base, ours, theirs, note.edit_digest(merged))
    data = _written(versions, values, body)
    names = dict.fromkeys(conflict.field for conflict in fields.conflicts)
    return Merged(_annotated(data, fields.conflicts), (*names, *(() if lines.clean else ("body",))))


def _present(values: Mapping[str, Value]) -> dict[str, Value]:
    return {key: value for key, value in values.items() if value is not None}


def _lines(text: str) -> list[str]:
    return text.split("\n") if text else []

"""Merge: what two branches made of one note, as one file; the work of the merge driver and of resolve-conflicts."""

from collections.abc import Mapping, Sequence

from gitmem.errors import GitmemError
from gitmem.notes import conflict, entry, frontmatter, source, surgery
from gitmem.notes.conflict import split
from gitmem.notes.frontmatter import Document
from gitmem.notes.merge_fields import Clash, Side, merge_fields, merge_trust, unsettled
from gitmem.notes.name import fold
from gitmem.notes.source import THEIRS
from gitmem.notes.value import Value
from gitmem.values import NamedTuple

__all__ = ["THEIRS", "Merged", "merge", "merge_bases", "split"]


class Merged(NamedTuple):
    """The merged file, and what truly conflicts in it: names of fields, and "body"; empty for a clean merge."""

    data: bytes
    conflicts: tuple[str, ...]


class _Version(NamedTuple):
    """One of the three files, read."""

    data: bytes
    document: Document
    side: Side


def merge(
    base: bytes, ours: bytes, theirs: bytes, *, verbs: Sequence[str], path: str, size: int = conflict.SIZE
) -> Merged:
    """Returns ours with what theirs changed since base, in ours' formatting; `path` is the note's below `.memory`.

    Fields merge as `merge_fields` and `merge_trust` say, and the body by lines, with ordinary conflict markers. Of a
    field that both changed to different values ours stands, with theirs below it in comments, so that the file still
    parses. An empty base means that both sides added the note. Two notes of different titles under one name are one
    conflict of whole files, named "title", which `split` takes apart. Where ours or theirs cannot be parsed, their
    lines merge, and no field is looked at. `size` is the length of conflict markers.
    """
    if theirs in (base, ours):
        return Merged(ours, ())
    if ours == base:
        return Merged(theirs, ())
    versions = [_version(path, data, verbs) for data in (base, ours, theirs)]
    here, there = versions[1:]
    if not (_is_sound(here.document) and _is_sound(there.document)):
        return _merged_text(base, ours, theirs, size)
    if not base.strip() and fold(here.side.note.title) != fold(there.side.note.title):
        return Merged(conflict.whole(ours, theirs, size=size), ("title",))
    return _merged_note(versions, verbs, path, size)


def merge_bases(base: bytes, ours: bytes, theirs: bytes, *, verbs: Sequence[str], path: str, size: int) -> Merged:
    """Returns two merge bases as the one that Git merges both branches against, as it does where these cross.

    No branch has agreed to what stands there, so nothing in it may look settled: a field in conflict has a value of
    both sides, as a body has markers, and two notes of different titles are no note. The rest is as `merge` says.
    """
    merged = merge(base, ours, theirs, verbs=verbs, path=path, size=size)
    versions = [_version(path, data, verbs) for data in (base, ours, theirs)]
    if theirs in (base, ours) or ours == base or not all(_is_sound(version.document) for version in versions[1:]):
        return merged
    if merged.conflicts == ("title",) and not base.strip():
        return Merged(b"", merged.conflicts)
    fields = unsettled(*(version.side for version in versions), verbs=verbs, size=size)
    document = frontmatter.parse(merged.data, path)
    return Merged(frontmatter.render(_present({**document.fields, **fields}), document.body), merged.conflicts)


def _version(path: str, data: bytes, verbs: Sequence[str]) -> _Version:
    document = frontmatter.parse(data, path)
    if not _is_sound(document):
        document = document._replace(fields={})
    read = entry.read(path, data, verbs=verbs).note
    return _Version(data, document, Side(document.fields, read, entry.edit_digest(read)))


def _is_sound(document: Document) -> bool:
    """Returns whether the front matter can be trusted, as writing into the file requires."""
    in_body = document.body_line > 1
    return not any(
        problem.severity == "error" and not (in_body and problem.code == "conflict-markers")
        for problem in document.problems
    )


def _merged_text(base: bytes, ours: bytes, theirs: bytes, size: int) -> Merged:
    """Returns the files merged by lines; Latin-1 has a character for every byte, so that all come back."""
    texts = [data.decode("latin-1").removesuffix("\n") for data in (base, ours, theirs)]
    lines = conflict.merge_lines(*(_lines(text) for text in texts), size=size)
    data = "".join(f"{row}\n" for row in lines.rows).encode("latin-1")
    return Merged(data, () if lines.clean else ("body",))


def _merged_note(versions: Sequence[_Version], verbs: Sequence[str], path: str, size: int) -> Merged:
    base, ours, theirs = (version.side for version in versions)
    fields = merge_fields(base, ours, theirs, verbs=verbs)
    lines = conflict.merge_lines(*(_lines(version.document.body) for version in versions), size=size)
    body = "\n".join(lines.rows)
    merged = entry.read(path, frontmatter.render(_present(fields.values), body), verbs=verbs).note
    values = fields.values | merge_trust(base, ours, theirs, entry.edit_digest(merged))
    data = _written(versions, values, body)
    names = dict.fromkeys(clash.field for clash in fields.clashes)
    return Merged(_annotated(data, fields.clashes), (*names, *(() if lines.clean else ("body",))))


def _present(values: Mapping[str, Value]) -> dict[str, Value]:
    return {key: value for key, value in values.items() if value is not None}


def _lines(text: str) -> list[str]:
    return text.split("\n") if text else []


# Writing


def _written(versions: Sequence[_Version], values: Mapping[str, Value], body: str) -> bytes:
    """Returns ours with these values and this body; written anew where its front matter admits no edit."""
    ours = versions[1]
    said = ours.document.fields
    changes = {key: value for key, value in values.items() if value is not None and value != said.get(key)}
    gone = [key for key in said if values[key] is None and said[key] is not None]
    fields = {key: value for key, value in {**said, **changes}.items() if key not in gone}
    spliced = _spliced(versions, [*gone, *changes], fields)
    try:
        if spliced is not None:
            return frontmatter.rewrite(spliced, {}, body=body)
        return frontmatter.rewrite(ours.data, changes, removed=gone, body=body)
    except GitmemError as error:
        if error.code != "rewrite-aborted":
            raise
        return frontmatter.render(fields, body)


def _spliced(versions: Sequence[_Version], keys: Sequence[str], fields: Mapping[str, Value]) -> bytes | None:
    """Returns ours with these keys changed to what `fields` says, or None where only YAML can tell how.

    What theirs says is taken as theirs writes it, unless ours has a comment there. No YAML library is loaded (13 ms).
    """
    _, here, there = (version.document.fields for version in versions)
    lines = surgery.split_lines(versions[1].data.decode())
    base, ours, theirs = (_rows_by_key(version.data) for version in versions)
    for key in keys:
        spans = _spans(lines)
        part = _part(lines, key, spans[key], here[key]) if key in spans else None
        if not spans:
            return None
        if key not in fields:
            del lines[slice(*spans[key])]
        elif key not in spans:
            lines = _inserted(lines, spans, key, fields[key])
        elif there.get(key) == fields[key] and (ours[key] == base.get(key) or "#" not in "".join(ours[key])):
            lines[slice(*spans[key])] = [f"{row}{surgery.line_end(lines[0])}" for row in theirs[key]]
        elif part is not None:
            lines = surgery.replace(lines, part, fields[key])
    data = "".join(lines).encode()
    document = frontmatter.parse(data, "")
    return data if _is_sound(document) and document.fields == fields else None


def _part(lines: Sequence[str], key: str, span: tuple[int, int], value: Value) -> surgery.Part | None:
    """Returns a list whose shape is plain to see: in brackets on its key's line, or one element a line below."""
    first, *rows = lines[slice(*span)]
    colon = first.find(":") + 1
    if not rows and first[colon:].lstrip(" ").startswith("[") and "#" not in first:
        return surgery.Part(key, span[0], 0, colon, "flow", span[0], colon, span[0], len(first.rstrip("\r\n")), ())
    if (
        not isinstance(value, list)
        or not all(row.lstrip(" ").startswith("- ") for row in rows)
        or len(rows) != len(value)
    ):
        return None
    elements = tuple(surgery.Element(item, at, at) for at, item in enumerate(value, span[0] + 1))
    return surgery.Part(key, span[0], 0, colon, "block", span[0] + 1, 0, span[1] - 1, 0, elements)


def _rows_by_key(data: bytes) -> dict[str, list[str]]:
    lines = surgery.split_lines(data.decode("utf-8", "replace"))
    return {key: [line.rstrip("\r\n") for line in lines[start:end]] for key, (start, end) in _spans(lines).items()}


def _inserted(lines: Sequence[str], spans: Mapping[str, tuple[int, int]], key: str, value: Value) -> list[str]:
    close = spans[""][0]
    parts = [surgery.Part(name, start, 0, 0, "", 0, 0, end - 1, 0, ()) for name, (start, end) in spans.items() if name]
    front = surgery.insert(list(lines[:close]), parts, key, value, surgery.line_end(lines[0]))
    return [*front, *lines[close:]]


def _spans(lines: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Returns the first line of each field and the one below its last, and under "" those of the closing fence.

    Lines count from 0. Comments and empty lines below a field's last are not its own. Empty without front matter.
    """
    text = source.normalised("".join(lines).removeprefix("\ufeff"))
    fences = source.fences(text)
    if fences is None:
        return {}
    close = text.count("\n", 0, fences.front_end)
    keys = {key: number - 1 for key, number in frontmatter.parse(text.encode(), "").lines.items()}
    spans = {"": (close, close)}
    for key, start in keys.items():
        end = min((other for other in keys.values() if other > start), default=close)
        while end > start + 1 and (not lines[end - 1].strip() or lines[end - 1].startswith("#")):
            end -= 1
        spans[key] = (start, end)
    return spans


def _annotated(data: bytes, clashes: Sequence[Clash]) -> bytes:
    """Returns the file with what theirs says in comments below ours, or else at the end of the front matter."""
    if not clashes:
        return data
    document = frontmatter.parse(data, "")
    if document.body_line == 1:
        data = frontmatter.render({}, document.body)
    lines = surgery.split_lines(data.decode())
    ends = {key: end for key, (_, end) in _spans(lines).items()}
    beside = _commented(lines, clashes, ends)
    if frontmatter.parse(beside, "").fields == document.fields:
        return beside
    return _commented(lines, clashes, dict.fromkeys(ends, ends[""]))


def _commented(lines: Sequence[str], clashes: Sequence[Clash], ends: Mapping[str, int]) -> bytes:
    comments: dict[int, list[str]] = {}
    for clash in clashes:
        rows = [f"{THEIRS}{row}{surgery.line_end(lines[0])}" for row in clash.theirs]
        comments.setdefault(ends.get(clash.field, ends[""]), []).extend(rows)
    return "".join("".join([*comments.get(at, []), line]) for at, line in enumerate(lines)).encode()

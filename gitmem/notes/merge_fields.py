"""Fields merged three ways: what only one side changed is taken, and trust never rises by the merging."""

from collections.abc import Callable, Collection, Mapping

from gitmem.notes import literal
from gitmem.notes.name import fold
from gitmem.notes.note import Note
from gitmem.notes.touch import unhashed
from gitmem.notes.value import Value
from gitmem.values import NamedTuple

# Fields that give trust or take it, or guard a secret: merged last, when the text that they speak of is known.
TRUST = ("source", "created", "confirmed", "confirmed_by", "approved", "pinned", "reviewed", "sensitive")

_NAMES = frozenset(("aliases", "buried", "suspects", "distinct"))
_CONFIRMED = ("confirmed", "confirmed_by")
_RENEWED = (_CONFIRMED, ("reviewed",))
_PROVENANCE = frozenset(("agent", "session"))
_ALWAYS = "~"  # later than every instant: a note without `created` does not fade
_UNPINNED = 0.5  # where the trust of a note starts for which nobody has spoken


class Side(NamedTuple):
    """One of the three files: its fields as written, its note, and the `edit_digest` of that."""

    fields: Mapping[str, Value]
    note: Note
    digest: str


class Clash(NamedTuple):
    """A field that both sides changed to different values, and what theirs says, in lines."""

    field: str
    theirs: list[str]


class Fields(NamedTuple):
    """Merged fields, None where one goes; ours stands where there is a conflict."""

    values: dict[str, Value]
    clashes: list[Clash]


class _Items(NamedTuple):
    """How the elements of a list merge: what makes two the same one, and what becomes of base's, ours and theirs.

    An element that is not there is None.
    """

    key: Callable[[Value], str]
    joined: Callable[[Value, Value, Value], tuple[Value, bool]]


def merge_fields(base: Side, ours: Side, theirs: Side, *, verbs: Collection[str]) -> Fields:
    """Returns every field but those of TRUST: links by verb and target, touches by anchor, tags and names as sets.

    Lists keep ours' order, and theirs' additions follow. All other fields, unknown ones included, go by who changed.
    `agent` and `session` stay with the earlier `created` where both sides have their own, as when both add one note.
    """
    merged = Fields({}, [])
    for key in dict.fromkeys((*ours.fields, *theirs.fields)):
        if key in TRUST:
            continue
        before, here, there = (side.fields.get(key) for side in (base, ours, theirs))
        value, clash = _merged_value(before, here, there)
        items = _items(key, verbs)
        if clash and items and not any(map(_is_no_list, (before, here, there))):
            value, clashes = _merged_list(key, (before, here, there), items)
            merged.clashes.extend(clashes)
        elif clash and key in _PROVENANCE and ours.note.created != theirs.note.created:
            value = min(ours, theirs, key=lambda side: _created_rank(side.note)).fields.get(key)
        elif clash:
            merged.clashes.append(Clash(key, literal.entry(key, there) if there is not None else [f"(no {key})"]))
        merged.values[key] = value
    return merged


def merge_trust(base: Side, ours: Side, theirs: Side, digest: str) -> dict[str, Value]:
    """Returns the fields of TRUST, those that go being None; `digest` is the `edit_digest` of the merged note.

    One rule: what lowers trust always comes over; what raises it comes over only with the very text it was said of.
    So where both sides changed a field, the earlier `created`, the lower pin (no pin counting as 0.5) and a source
    that is not `user` stand; the newer `confirmed` or `reviewed` stands only if both sides have the same text, else the
    older, as an agent's if one of them is; and a secret stays one. An approval stands if it was valid where it comes from and `of` fits the merged note; one that
    was taken away stays away.
    """
    values: dict[str, Value] = {"approved": _approved(base, ours, theirs, digest)}
    standing = {keys: _standing(keys, rank, (base, ours, theirs), digest) for keys, rank in _RANKS.items()}
    values |= {key: side.fields.get(key) for keys, side in standing.items() for key in keys}
    by_agent = "agent" in (ours.note.confirmed_by, theirs.note.confirmed_by)
    if values["confirmed"] is not None and by_agent and standing[_CONFIRMED].digest != digest:
        values["confirmed_by"] = "agent"
    return values


def unsettled(base: Side, ours: Side, theirs: Side, *, verbs: Collection[str], size: int) -> dict[str, Value]:
    """Returns the fields that both sides changed in different ways, with values of both that neither side has alone.

    In a merge base that Git makes of several these are what markers are in a text: whatever a side makes of such a
    field later differs from the base, so that two sides that do not agree conflict again. `size` is the markers' length.
    """
    found: dict[str, Value] = {}
    for key in dict.fromkeys((*ours.fields, *theirs.fields)):
        before, here, there = values = (base.fields.get(key), ours.fields.get(key), theirs.fields.get(key))
        items = None if key in TRUST else _items(key, verbs)
        if not _merged_value(before, here, there)[1]:
            continue
        if items and not any(map(_is_no_list, values)):
            found[key] = _unsettled_list(values, items, size)
        else:
            found[key] = _both(here, there, size)
    return found


# Trust


def _standing(
    keys: tuple[str, ...], rank: Callable[[Note], str | float], sides: tuple[Side, Side, Side], digest: str
) -> Side:
    """Returns the side whose word on these fields stands; `rank` grows with the trust that a note claims by them."""
    _, ours, theirs = sides
    before, here, there = ([side.fields.get(key) for key in keys] for side in sides)
    changed = None if before not in (here, there) else theirs if here == before else ours
    low, high = sorted((ours, theirs), key=lambda side: rank(side.note))
    if rank(low.note) == rank(high.note) or here == there:
        return changed or ours
    if changed is not None:
        return changed if changed.digest == digest else low
    renewed = keys in _RENEWED and here[0] is not None and there[0] is not None
    return high if renewed and ours.digest == theirs.digest else low


def _approved(base: Side, ours: Side, theirs: Side, digest: str) -> Value:
    before, here, there = (side.fields.get("approved") for side in (base, ours, theirs))
    if before is not None and (here is None or there is None):
        return None
    fitting = [
        (side.note.approved.at, side.note.approved.by, side.fields["approved"])
        for side in (ours, theirs)
        if here == there or side.fields.get("approved") != before
        if side.note.approved is not None and side.note.approved.of == side.digest == digest
    ]
    return min(fitting, key=lambda approval: approval[:2])[2] if fitting else None


def _source_rank(note: Note) -> float:
    return 2 if note.source == "user" else 1 if note.source is None else 0


def _created_rank(note: Note) -> str:
    return note.created or _ALWAYS


def _confirmed_rank(note: Note) -> str:
    return f"{note.confirmed or ''} {note.confirmed_by != 'agent'}"


def _pinned_rank(note: Note) -> float:
    return _UNPINNED if note.pinned is None else note.pinned


def _reviewed_rank(note: Note) -> str:
    return note.reviewed or ""


def _openness(note: Note) -> float:
    return not note.sensitive


_RANKS: dict[tuple[str, ...], Callable[[Note], str | float]] = {
    ("source",): _source_rank,
    ("created",): _created_rank,
    _CONFIRMED: _confirmed_rank,
    ("pinned",): _pinned_rank,
    ("reviewed",): _reviewed_rank,
    ("sensitive",): _openness,
}


# Single values and lists


def _merged_value(base: Value, ours: Value, theirs: Value) -> tuple[Value, bool]:
    """Returns what stands, ours where both changed, and whether they contradict each other."""
    if theirs in (base, ours):
        return ours, False
    return (theirs, False) if ours == base else (ours, True)


def _items(key: str, verbs: Collection[str]) -> _Items | None:
    """Returns how the elements of a field merge, or None where it is no list of ours."""
    if key in _NAMES:
        return _Items(_folded, _merged_name)
    if key == "tags":
        return _Items(_tag, _merged_name)
    if key == "touches":
        return _Items(_anchor, _merged_touch)
    return _Items(_folded, _merged_link) if key in verbs and key not in literal.FIELDS else None


def _is_no_list(value: Value) -> bool:
    """Returns whether a field holds neither elements nor a single one: a mapping, or a text with commas."""
    return "to" not in value if isinstance(value, dict) else isinstance(value, str) and "," in value


def _merged_list(key: str, values: tuple[Value, Value, Value], items: _Items) -> tuple[Value, list[Clash]]:
    """Returns the list with ours' elements in their order and theirs' additions below, and what conflicts in it."""
    before, here, there = (_keyed(value, items) for value in values)
    merged: list[Value] = []
    clashes: list[Clash] = []
    for name in dict.fromkeys((*here, *there)):
        ours, theirs = here.get(name), there.get(name)
        value, clash = items.joined(before.get(name), ours, theirs)
        if value is not None:
            merged.append(value)
        if clash:
            said = literal.entry(key, [theirs]) if theirs is not None else [f"(no {key}: {_target(ours)})"]
            clashes.append(Clash(key, said))
    return merged or None, clashes


def _unsettled_list(values: tuple[Value, Value, Value], items: _Items, size: int) -> Value:
    before, here, there = (_keyed(value, items) for value in values)
    merged: list[Value] = []
    for name in dict.fromkeys((*here, *there)):
        ours, theirs = here.get(name), there.get(name)
        value, clash = items.joined(before.get(name), ours, theirs)
        merged.append(_unsettled_link(ours, theirs, size) if clash else value)
    return [value for value in merged if value is not None] or None


def _unsettled_link(ours: Value, theirs: Value, size: int) -> Value:
    here, there = _said(ours) or {}, _said(theirs) or {}
    said = {key: _both(here.get(key), there.get(key), size) for key in ("note", *here, *there)}
    return {"to": _target(theirs if ours is None else ours), **said}


def _both(ours: Value, theirs: Value, size: int) -> str:
    return " ".join(("<" * size, literal.inline(ours), "=" * size, literal.inline(theirs), ">" * size))


def _keyed(value: Value, items: _Items) -> dict[str, Value]:
    """Returns the elements by key; one that stands twice keeps both."""
    keyed: dict[str, Value] = {}
    for item in value if isinstance(value, list) else [value]:
        name = items.key(item)
        while name in keyed:
            name += "\0"
        if item is not None:
            keyed[name] = item
    return keyed


def _merged_name(base: Value, ours: Value, theirs: Value) -> tuple[Value, bool]:
    """Returns the element in ours' spelling; one that either side removed is gone."""
    if base is not None and None in (ours, theirs):
        return None, False
    return _merged_value(base, ours, theirs)[0], False


def _merged_touch(base: Value, ours: Value, theirs: Value) -> tuple[Value, bool]:
    """Returns the anchor, without a hash where both sides changed it: neither fits the merged code."""
    if base is not None and None in (ours, theirs):
        return None, False
    value, clash = _merged_value(base, ours, theirs)
    return (_anchor(value) if clash else value), False


def _merged_link(base: Value, ours: Value, theirs: Value) -> tuple[Value, bool]:
    """Returns the link with note and weight each by who changed; removing what the other side changed contradicts."""
    before, here, there = _said(base), _said(ours), _said(theirs)
    if there in (before, here):
        return ours, False
    if here == before:
        return theirs, False
    if here is None or there is None:
        return ours, True
    merged: dict[str, Value] = {}
    clash = False
    for key in dict.fromkeys((*here, *there)):
        merged[key], differs = _merged_value((before or {}).get(key), here.get(key), there.get(key))
        clash = clash or differs
    said = {key: value for key, value in merged.items() if value is not None}
    return ({"to": _target(ours), **said} if said else _target(ours)), clash


def _said(link: Value) -> dict[str, Value] | None:
    """Returns what a link says beside its target, or None for no link."""
    if link is None:
        return None
    return {key: value for key, value in link.items() if key != "to"} if isinstance(link, dict) else {}


def _folded(item: Value) -> str:
    return fold(_target(item))


def _tag(item: Value) -> str:
    return "-".join(_target(item).lower().split())


def _anchor(item: Value) -> str:
    return unhashed(_target(item))


def _target(item: Value) -> str:
    """Returns the name in an element; `[[name]]` reads as name, also where YAML made lists of its brackets."""
    if isinstance(item, dict) and "to" in item:
        item = item["to"]
    while isinstance(item, list) and len(item) == 1:
        item = item[0]
    text = item.strip() if isinstance(item, str) else repr(item)
    return text[2:-2].partition("|")[0].strip() if text.startswith("[[") and text.endswith("]]") else text

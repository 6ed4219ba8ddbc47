"""Change: two sets of notes compared by what they say; pure, no repository near."""

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gitmem.knowledge.change import Difference, compare, paired
from gitmem.notes.entry import read
from gitmem.notes.note import Entry

VERBS = ("because", "replaces", "about")


def entry(path: str, body: str = "Nothing to add.", **fields: str) -> Entry:
    values = {"title": path.rpartition("/")[2][:-3].capitalize(), "type": path.partition("/")[0]} | fields
    head = "".join(f"{key}: {value}\n" for key, value in values.items())
    return read(path, f"---\n{head}---\n\n{body}\n".encode(), verbs=VERBS)


def difference(
    before: Sequence[Entry], after: Sequence[Entry], moved: Mapping[str, str] | None = None
) -> dict[str, list[Any]]:
    """Returns what changed, names only, without the kinds that are empty."""
    found = compare(before, after, supersession={"replaces"}, moved=moved or {})
    return {
        kind: [_named(each) for each in getattr(found, kind)] for kind in Difference._fields if getattr(found, kind)
    }


def _named(item: Any) -> Any:
    if isinstance(item, Entry):
        return item.name
    first, *more = item
    return (first.name, *more)


def test_same_notes_differ_in_nothing() -> None:
    notes = [entry("decision/a.md"), entry("caution/b.md")]

    assert difference(notes, list(reversed(notes))) == {}


def test_added_and_removed() -> None:
    before, after = [entry("decision/a.md", "old")], [entry("decision/b.md", "new")]

    assert difference(before, after) == {"added": ["b"], "removed": ["a"]}


def test_revised_names_the_fields() -> None:
    before = entry("decision/a.md", "old", tags="[x]", ticket="1")
    after = entry("decision/a.md", "new", tags="[x]", ticket="2", title="A better title")

    assert difference([before], [after]) == {"revised": [("a", ("title", "extra", "body"))]}


def test_note_that_moves_to_another_folder_is_the_same_note() -> None:
    before, after = entry("decision/a.md"), entry("caution/a.md")

    assert difference([before], [after]) == {"revised": [("a", ("title", "type"))]} or difference(
        [before], [after]
    ) == {"revised": [("a", ("type",))]}


def test_superseded_by_a_link_without_a_stamp() -> None:
    old = entry("decision/journal.md")

    found = difference([old], [old, entry("decision/wal.md", replaces="[journal]")])

    assert found == {"added": ["wal"], "superseded": [("journal", "wal")]}


def test_stamp_of_a_replacement_is_no_revision() -> None:
    old, stamped = entry("decision/journal.md"), entry("decision/journal.md", status="superseded")

    found = difference([old], [stamped, entry("decision/wal.md", replaces="[journal]")])

    assert found == {"added": ["wal"], "superseded": [("journal", "wal")]}


def test_stamp_alone_is_a_replacement_by_nobody_known() -> None:
    found = difference([entry("decision/a.md")], [entry("decision/a.md", status="superseded")])

    assert found == {"superseded": [("a", None)]}


def test_superseded_before_is_not_told_again() -> None:
    old, new = entry("decision/journal.md", status="superseded"), entry("decision/wal.md", replaces="[journal]")

    assert difference([old, new], [old, new._replace(note=new.note._replace(body="More."))]) == {
        "revised": [("wal", ("body",))]
    }


def test_buried_with_its_file_and_without() -> None:
    before = [entry("decision/kept.md"), entry("decision/gone.md")]
    stone = entry("tombstone/no.md", buried="[kept, gone]")

    found = difference(before, [entry("decision/kept.md", status="archived"), stone])

    assert found == {"added": ["no"], "buried": [("gone", "no"), ("kept", "no")], "removed": ["gone"]}


def test_rename_is_known_by_the_alias() -> None:
    found = difference([entry("decision/a.md")], [entry("decision/b.md", "more", title="A", aliases="[a]")])

    assert found == {"renamed": [("b", "a")], "revised": [("b", ("body",))]}


def test_case_76_rename_by_git_mv_is_known_by_its_bytes() -> None:
    text = b"---\ntitle: One\ntype: decision\n---\n\nBody.\n"
    before, after = (read(f"decision/{name}.md", text, verbs=VERBS) for name in "ab")

    assert difference([before], [after]) == {"renamed": [("b", "a")]}


def test_rename_with_changes_is_known_by_git() -> None:
    before, after = entry("decision/a.md", "one"), entry("decision/b.md", "two", title="A")

    found = difference([before], [after], {"decision/a.md": "decision/b.md"})

    assert found == {"renamed": [("b", "a")], "revised": [("b", ("body",))]}


def test_relinked_tells_what_came_and_what_went() -> None:
    before, after = entry("decision/a.md", because="[x, y]"), entry("decision/a.md", because="[y]", about="[z]")

    found = difference([before], [after])

    ((name, came, went),) = found.pop("relinked")
    assert found == {} and name == "a"
    assert [(link.verb, link.to) for link in came] == [("about", "z")]
    assert [(link.verb, link.to) for link in went] == [("because", "x")]


def test_two_files_of_one_name_are_told_apart_by_path() -> None:
    before = [entry("decision/a.md", "one"), entry("caution/A.md", "two")]
    after = [entry("decision/a.md", "one"), entry("caution/A.md", "three")]

    assert difference(before, after) == {"revised": [("A", ("body",))]}


def test_file_that_cannot_be_read_is_compared_by_its_text() -> None:
    before, after = (read("decision/a.md", f"---\ntitle: [\n{text}\n".encode(), verbs=VERBS) for text in ("x", "y"))

    assert difference([before], [after]) == {"revised": [("a", ("body",))]}


paths = st.sampled_from([f"{type}/{name}.md" for type in ("decision", "caution") for name in ("a", "b", "A", "c")])
entries = st.dictionaries(paths, st.sampled_from(["x", "y", "z"]), max_size=6).map(
    lambda texts: [entry(path, body) for path, body in texts.items()]
)


@given(entries, entries)
def test_every_note_of_both_sides_is_told_of_once(before: list[Entry], after: list[Entry]) -> None:
    pairs, removed, added = paired(before, after, {})

    assert sorted([*(pair.before for pair in pairs), *removed]) == sorted(before)
    assert sorted([*(pair.after for pair in pairs), *added]) == sorted(after)


@given(entries, entries)
def test_order_of_notes_does_not_matter(before: list[Entry], after: list[Entry]) -> None:
    found = difference(before, after)

    assert difference(before[::-1], after[::-1]) == found

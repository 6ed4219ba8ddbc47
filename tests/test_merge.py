"""Merge: what two branches made of a note, field by field and line by line."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.notes import conflict, entry, frontmatter
from gitmem.notes.merge import Merged, merge, merge_bases, split
from gitmem.notes.name import fold
from gitmem.notes.note import Note
from gitmem.notes.value import Value

FILES = Path(__file__).parent / "data" / "merge"
VERBS = ("because", "answers", "builds-on", "about", "needs", "replaces", "conflicts-with")
PATH = "decision/x.md"

# Each case's true conflicts; a folder holds base, ours, theirs and what they merge to.
EXPECTED = {
    "scalar-one-side-changes": "",
    "scalar-both-change-alike": "",
    "scalar-summary-both-change": "summary",
    "scalar-title-both-change": "title",
    "scalar-title-and-summary-both-change": "title summary",
    "scalar-removed-here-changed-there": "domain",
    "scalar-changed-here-removed-there": "domain",
    "scalar-removed-on-one-side": "",
    "scalar-confidence-both-change": "confidence",
    "scalar-type-and-durability": "",
    "scalar-several-lines-theirs": "summary",
    "scalar-several-lines-ours": "summary",
    "scalar-needs-quotes": "",
    "status-resolved-here-edited-there": "",
    "status-superseded-there-edited-here": "",
    "status-both-change": "status",
    "status-reopened-on-one-side": "",
    "tags-both-add": "",
    "tags-both-add-the-same": "",
    "tags-one-adds-one-removes": "",
    "tags-one-side-adds": "",
    "tags-respelled-here-removed-there": "",
    "tags-both-begin": "",
    "tags-removed-whole-and-added-to": "",
    "tags-block-list-keeps-comments": "",
    "tags-flow-list-with-a-comment": "",
    "tags-flow-list-padded": "",
    "tags-indentless-list": "",
    "case-74-tags-under-two-branches": "",
    "aliases-both-add": "",
    "aliases-equal-by-fold": "",
    "aliases-one-side-removes": "",
    "buried-both-add": "",
    "buried-one-side-adds": "",
    "buried-single-text": "",
    "suspects-judged-here-added-there": "",
    "suspects-both-add": "",
    "suspects-both-judge": "",
    "distinct-both-add": "",
    "distinct-one-side-removes": "",
    "distinct-both-begin-alike": "",
    "links-both-add": "",
    "links-one-adds-one-removes": "",
    "links-different-verbs": "",
    "links-equal-by-fold": "",
    "links-note-here-weight-there": "",
    "links-note-both-change": "because",
    "links-removed-here-noted-there": "because",
    "links-noted-here-removed-there": "because",
    "links-single-text": "",
    "links-both-remove-all": "",
    "links-conflict-settled-there": "",
    "touches-both-change-the-hash": "",
    "touches-one-refreshes-one-adds": "",
    "touches-both-change-alike": "",
    "touches-removed-here-refreshed-there": "",
    "touches-one-loses-the-hash": "",
    "touches-at-sign-in-a-path": "",
    "unknown-one-side-changes": "",
    "unknown-both-change": "ticket",
    "unknown-list-both-change": "owners",
    "unknown-head-of-a-checkpoint": "",
    "unknown-removed-there": "",
    "created-both-change": "",
    "created-later-with-its-text": "",
    "created-later-with-another-text": "",
    "created-earlier-with-another-text": "",
    "created-removed-here-changed-there": "",
    "created-bare-date": "",
    "confirmed-both-same-text": "",
    "confirmed-both-other-texts": "",
    "confirmed-here-edited-there": "",
    "confirmed-first-here-edited-there": "",
    "confirmed-and-edited-here": "",
    "confirmed-by-agent-goes-with-the-date": "",
    "confirmed-at-once-by-agent-and-person": "",
    "confirmed-by-person-and-agent-of-other-texts": "",
    "confirmed-by-a-person-later": "",
    "confirmed-taken-away-there": "",
    "reviewed-both-same-text": "",
    "reviewed-here-edited-there": "",
    "reviewed-both-other-texts": "",
    "pinned-both-change": "",
    "pinned-here-edited-there": "",
    "pinned-down-here-edited-there": "",
    "pinned-unpinned-here-raised-there": "",
    "pinned-unpinned-here-lowered-there": "",
    "pinned-with-its-text": "",
    "sensitive-marked-here-edited-there": "",
    "sensitive-lifted-here-edited-there": "",
    "sensitive-lifted-here-tagged-there": "",
    "sensitive-both-change": "",
    "source-user-here-edited-there": "",
    "source-user-with-its-text": "",
    "source-both-change": "",
    "source-agent-there-edited-here": "",
    "provenance-stays-with-the-earlier": "",
    "provenance-both-change": "agent",
    "provenance-one-side-changes": "",
    "approved-here-edited-there": "",
    "approved-before-edited-there": "",
    "approved-here-tagged-there": "",
    "approved-edited-and-approved-here": "",
    "approved-both-the-earlier-stands": "",
    "approved-both-other-texts": "",
    "approved-taken-away-here": "",
    "approved-taken-away-here-renewed-there": "",
    "approved-without-a-digest": "",
    "approved-forged-for-the-merged-text": "",
    "approved-both-edit-alike-and-approve": "",
    "body-both-change-apart": "",
    "body-both-change-one-line": "body",
    "body-both-change-alike": "",
    "body-both-add-at-the-end": "body",
    "body-removed-here-changed-there": "body",
    "body-one-side-removes-one-adds": "",
    "body-and-a-field": "",
    "body-and-a-summary-conflict": "summary body",
    "body-both-begin": "body",
    "body-two-conflicts": "body",
    "body-conflict-keeps-what-both-wrote": "body",
    "case-07-crlf-as-in-ours": "",
    "case-07-crlf-in-theirs": "",
    "case-07-crlf-conflict": "summary body",
    "case-04-bom-as-in-ours": "",
    "case-04-bom-in-theirs": "",
    "form-comments-of-ours": "",
    "form-conflict-above-a-comment": "summary",
    "form-quotes-of-theirs": "",
    "form-flow-mapping": "",
    "form-no-front-matter": "",
    "form-front-matter-added-there": "",
    "form-front-matter-removed-here": "title",
    "form-no-last-line-end": "",
    "added-same-title": "",
    "added-same-title-other-body": "body",
    "added-same-title-other-case": "title",
    "added-other-titles": "title",
    "added-other-headings": "title",
    "added-other-titles-no-last-line-end": "title",
    "unparsable-ours-merges-by-lines": "",
    "unparsable-theirs-in-conflict": "body",
    "unparsable-duplicate-keys": "",
    "unparsable-base-only": "",
    "unparsable-invalid-utf8": "",
    "case-75-conflict-in-ours-body": "",
}


def merged(base: bytes, ours: bytes, theirs: bytes) -> Merged:
    return merge(base, ours, theirs, verbs=VERBS, path=PATH)


def note(data: bytes) -> Note:
    return entry.read(PATH, data, verbs=VERBS).note


# Cases


def test_every_case_is_expected() -> None:
    names = {folder.name for folder in FILES.iterdir()}

    assert names == EXPECTED.keys()


@pytest.mark.parametrize("case", EXPECTED)
def test_case_merges_as_it_says(case: str) -> None:
    base, ours, theirs, expected = (
        (FILES / case / f"{side}.md").read_bytes() for side in ("base", "ours", "theirs", "merged")
    )

    result = merged(base, ours, theirs)

    assert result.data == expected
    assert result.conflicts == tuple(EXPECTED[case].split())


def test_case_75_a_conflict_in_a_body_is_found_in_the_merged_file() -> None:
    data = (FILES / "body-both-change-one-line" / "merged.md").read_bytes()

    problems = frontmatter.parse(data, PATH).problems

    assert [(problem.code, problem.line) for problem in problems] == [("conflict-markers", 10)]


def test_case_74_no_key_stands_twice() -> None:
    data = (FILES / "case-74-tags-under-two-branches" / "merged.md").read_bytes()

    assert data.count(b"tags:") == 1


@pytest.mark.parametrize("case", [case for case in EXPECTED if case.startswith("added-other")])
def test_notes_under_one_name_come_apart_again(case: str) -> None:
    ours, theirs = ((FILES / case / f"{side}.md").read_bytes() for side in ("ours", "theirs"))

    sides = split(merged(b"", ours, theirs).data)

    assert sides == (ours.rstrip(b"\n") + b"\n", theirs.rstrip(b"\n") + b"\n")


@pytest.mark.parametrize("case", ["scalar-one-side-changes", "tags-both-add", "links-both-add", "body-and-a-field"])
def test_merging_plain_notes_loads_nothing_heavy(case: str) -> None:
    code = (
        "import sys; from gitmem.notes.merge import merge; "
        "files = [open(f'{sys.argv[1]}/{side}.md', 'rb').read() for side in ('base', 'ours', 'theirs')]; "
        "merge(*files, verbs=('because',), path='decision/x.md'); "
        "print({'yaml', 'frontmatter', 'msgspec', 'subprocess', 'dataclasses', 'inspect', 'difflib'} & set(sys.modules))"
    )

    loaded = subprocess.run(
        [sys.executable, "-c", code, FILES / case], capture_output=True, text=True, check=True
    ).stdout

    assert loaded == "set()\n"


# Taking conflicts apart


def conflicted(folder: Path, style: str) -> bytes:
    """Returns what Git without the driver leaves of two branches' edits, in one of its styles."""
    for side, summary, tail in (("base", "A", "x"), ("ours", "B", "y"), ("theirs", "C", "z")):
        (folder / side).write_text(f"---\ntitle: T\nsummary: {summary}\n---\n\nOne.\n\nTwo {tail}.\n")
    options = [] if style == "merge" else [f"--{style}"]
    command = ["git", "merge-file", "-p", "-L", "HEAD", "-L", "base", "-L", "topic", *options, "ours", "base", "theirs"]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).stdout


@pytest.mark.parametrize("style", ["merge", "diff3", "zdiff3"])
def test_case_73_a_file_conflicted_without_the_driver_comes_apart(tmp_path: Path, style: str) -> None:
    data = conflicted(tmp_path, style)

    sides = split(data)

    assert data.count(b"<<<<<<< HEAD\n") == 2
    assert sides == ((tmp_path / "ours").read_bytes(), (tmp_path / "theirs").read_bytes())


def test_case_73_and_merges_field_by_field(tmp_path: Path) -> None:
    sides = split(conflicted(tmp_path, "merge"))

    result = merged((tmp_path / "base").read_bytes(), *(sides or ()))

    assert result.conflicts == ("summary", "body")
    assert b"summary: B\n# theirs: summary: C\n" in result.data


def test_case_07_a_conflict_with_crlf_comes_apart() -> None:
    data = b"a\r\n<<<<<<< HEAD\r\nb\r\n=======\r\nc\r\n>>>>>>> topic\r\nd"

    sides = split(data)

    assert sides == (b"a\r\nb\r\nd", b"a\r\nc\r\nd")


@pytest.mark.parametrize(
    "text",
    [
        "no conflict\n",
        "a heading\n=======\n\n>>>>>>> quoted deep\n",
        "<<<<<<< HEAD\nnever closed\n",
        "<<<<<<< HEAD\nno middle\n>>>>>>> topic\n",
        "<<<<<<< HEAD\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> topic\n=======\nc\n>>>>>>> topic\n",
        "<<<<<<< HEAD\nHeading\n=======\n=======\nb\n>>>>>>> topic\n",
        "<<<<<<<HEAD\na\n=======\nb\n>>>>>>>topic\n",
    ],
)
def test_what_is_no_clear_conflict_does_not_come_apart(text: str) -> None:
    assert split(text.encode()) is None


# Laws

LAW = settings(deadline=None)  # a busy machine is no failure
LINES = st.sampled_from(["One.", "Two.", "Three.", "Four.", "", "", "- item", "=======", "```", "# Head", "Ünï. 🚀"])
BODIES = st.lists(LINES, max_size=9).map("\n".join)
TEXTS = st.sampled_from(["plain", "a: b", "x # y", "no", "[a]", "'q", "two\nlines", "two\n# lines\n", "ä", "1.10"])
NAMES = st.sampled_from(["a-note", "A-Note", "b-note", "c-note", "[[d-note]]"])
NAME_LISTS = st.one_of(NAMES, st.lists(NAMES, min_size=1, max_size=4))
TARGETS = st.sampled_from(["a-note", "b-note", "c-note", "[[d-note]]"])
LINK = st.one_of(TARGETS, st.fixed_dictionaries({"to": TARGETS}, optional={"note": TEXTS, "weight": st.just("0.7")}))
TOUCH = st.sampled_from(["a.py@1111111", "a.py@2222222", "a.py", "b.py::f@3333333", "b.py::f", "src/@types/x.ts"])
DATES = st.sampled_from(["2026-01-01", "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z"])
FIELDS: dict[str, st.SearchStrategy[Value]] = {
    "title": st.sampled_from(["One title", "Another title", "Third: title"]),
    "summary": TEXTS,
    "tags": st.lists(st.sampled_from(["git", "Git", "a b", "a-b", "index"]), max_size=4),
    "aliases": NAME_LISTS,
    "status": st.sampled_from(["open", "resolved", "superseded"]),
    "source": st.sampled_from(["user", "agent"]),
    "agent": st.sampled_from(["one", "two"]),
    "created": DATES,
    "confirmed": DATES,
    "confirmed_by": st.just("agent"),
    "pinned": st.sampled_from(["0.1", "0.5", "0.9"]),
    "reviewed": DATES,
    "sensitive": st.sampled_from(["true", "false", "perhaps"]),
    "because": st.lists(LINK, max_size=3),
    "needs": st.one_of(LINK, st.lists(TARGETS, min_size=1)),
    "touches": st.lists(TOUCH, min_size=1, max_size=4),
    "distinct": NAME_LISTS,
    "ticket": st.one_of(TEXTS, st.none(), st.lists(TEXTS, max_size=2), st.dictionaries(NAMES, TEXTS, max_size=2)),
}
MARKS = ("source", "created", "confirmed", "confirmed_by", "pinned", "reviewed", "sensitive")


@st.composite
def edited(draw: st.DrawFn, fields: dict[str, Value], body: str) -> tuple[dict[str, Value], str]:
    """Draws what a branch makes of a note."""
    fields = dict(fields)
    for key in draw(st.lists(st.sampled_from(sorted(FIELDS)), max_size=5, unique=True)):
        fields[key] = draw(FIELDS[key])
    for key in draw(st.lists(st.sampled_from(sorted(FIELDS.keys() - {"title"})), max_size=2)):
        fields.pop(key, None)
    lines = body.split("\n")
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(lines)))
        lines[at : at + draw(st.integers(0, 2))] = draw(st.lists(LINES, max_size=2))
    return fields, "\n".join(lines)


def approved(draw: st.DrawFn, data: bytes, fields: dict[str, Value], body: str) -> bytes:
    """Draws whether a person approves the note, or somebody pretends that one did."""
    of = draw(st.sampled_from([None, entry.edit_digest(note(data)), "0000000"]))
    if of is None:
        return data
    approval: Value = {"by": draw(st.sampled_from(["Jane", "Kim"])), "at": draw(DATES), "of": of}
    return frontmatter.render(fields | {"approved": approval}, body)


def dressed(draw: st.DrawFn, data: bytes) -> bytes:
    """Draws how a file is written: comments, line ends, a byte-order mark."""
    if data.startswith(b"---\n") and draw(st.booleans()):
        data = data.replace(b"---\n", b"---\n# first\n\n", 1)
    if draw(st.integers(0, 5)) == 0:
        data = data.replace(b"\n", b"\r\n")
    return b"\xef\xbb\xbf" * (draw(st.integers(0, 5)) == 0) + data


@st.composite
def versions(draw: st.DrawFn) -> tuple[bytes, bytes, bytes]:
    """Draws base, ours and theirs of one note; the base may be empty."""
    start: dict[str, Value] = {"title": "One title", "type": "decision"}
    base = draw(edited(start, draw(BODIES)))
    files = []
    for fields, body in (base, draw(edited(*base)), draw(edited(*base))):
        files.append(dressed(draw, approved(draw, frontmatter.render(fields, body), fields, body)))
    return (b"" if draw(st.integers(0, 7)) == 0 else files[0], files[1], files[2])


def is_whole(data: bytes) -> bool:
    return data.startswith(b"<<<<<<< ours\n")


@LAW
@given(versions())
def test_an_unchanged_side_gives_the_other_exactly(files: tuple[bytes, bytes, bytes]) -> None:
    base, ours, theirs = files

    assert merged(base, ours, base) == Merged(ours, ())
    assert merged(base, base, theirs) == Merged(theirs, ())
    assert merged(base, ours, ours) == Merged(ours, ())


@LAW
@given(versions())
def test_what_parses_merges_to_what_parses(files: tuple[bytes, bytes, bytes]) -> None:
    result = merged(*files)

    document = frontmatter.parse(result.data, PATH)
    problems = {problem.code for problem in document.problems if problem.severity == "error"}
    assert is_whole(result.data) or (document.fields and problems <= {"conflict-markers"})
    assert bool(result.conflicts) or not problems


@LAW
@given(versions())
def test_no_line_that_a_side_wrote_is_lost(files: tuple[bytes, bytes, bytes]) -> None:
    base, ours, theirs = (set(note(data).body.split("\n")) for data in files)

    result = merged(*files)

    assert (ours | theirs) - base <= set(result.data.decode().replace("\r\n", "\n").split("\n"))


@LAW
@given(st.lists(LINES, max_size=9), st.lists(LINES, max_size=9))
def test_both_sides_of_added_texts_come_apart_again(ours: list[str], theirs: list[str]) -> None:
    texts = [[row for row in rows if row != "======="] for rows in (ours, theirs)]

    rows = conflict.merge_lines([], *texts).rows

    sides = tuple("".join(f"{row}\n" for row in text).encode() for text in texts)
    assert texts[0] == texts[1] or not all(texts) or split("".join(f"{row}\n" for row in rows).encode()) == sides


def said(data: bytes, conflicts: tuple[str, ...]) -> dict[str, object]:
    """Returns what a merged note says without regard to order and spelling, but where the sides contradict."""
    values: dict[str, object] = note(data)._asdict()
    links = {
        (link.verb, fold(link.to), link.note, link.weight) for link in note(data).links if link.verb not in conflicts
    }
    names = {key: {fold(name) for name in getattr(note(data), key)} for key in ("aliases", "distinct")}
    values |= names | {"links": links, "tags": set(note(data).tags), "touches": set(note(data).touches)}
    open_marks = ("approved", *MARKS) if conflicts else ()
    left = {"extra", "body", *conflicts, *open_marks}
    return {key: value for key, value in values.items() if key not in left}


@LAW
@given(versions())
def test_swapping_the_sides_swaps_only_conflicts(files: tuple[bytes, bytes, bytes]) -> None:
    base, ours, theirs = files

    here, there = merged(base, ours, theirs), merged(base, theirs, ours)

    assert sorted(here.conflicts) == sorted(there.conflicts)
    assert is_whole(here.data) or said(here.data, here.conflicts) == said(there.data, here.conflicts)
    if "body" not in here.conflicts:
        assert is_whole(here.data) or note(here.data).body == note(there.data).body


def marks(data: bytes) -> dict[str, str | float]:
    """Returns how much trust each mark of a note claims; more is more."""
    read = note(data)
    return {
        "source": read.source == "user",
        "created": read.created or "~",
        "confirmed": read.confirmed or "",
        "person": read.confirmed is not None and read.confirmed_by != "agent",
        "pinned": 0.5 if read.pinned is None else read.pinned,
        "reviewed": read.reviewed or "",
        "open": not read.sensitive,
    }


@LAW
@given(versions())
def test_trust_never_rises_above_what_was_said_of_the_text(files: tuple[bytes, bytes, bytes]) -> None:
    ours, theirs = files[1:]

    data = merged(*files).data

    text = entry.edit_digest(note(data))
    same = [side for side in (ours, theirs) if entry.edit_digest(note(side)) == text]
    for mark, claim in marks(data).items():
        least = min(marks(ours)[mark], marks(theirs)[mark])
        assert is_whole(data) or claim <= max([least, *(marks(side)[mark] for side in same)])


@LAW
@given(versions())
def test_an_approval_stands_only_where_it_was_valid_before(files: tuple[bytes, bytes, bytes]) -> None:
    base, ours, theirs = files

    data = merged(base, ours, theirs).data

    approval = note(data).approved
    valid = [note(side).approved for side in (ours, theirs) if is_valid(side)]
    taken = note(base).approved and not (note(ours).approved and note(theirs).approved)
    changed = data not in (ours, theirs)
    assert not changed or approval is None or (is_valid(data) and approval in valid and not taken)


def is_valid(data: bytes) -> bool:
    approval = note(data).approved
    return approval is not None and approval.of == entry.edit_digest(note(data))


@LAW
@given(st.binary(max_size=60), st.binary(max_size=60), st.binary(max_size=60))
def test_bytes_of_any_kind_merge_without_loss(base: bytes, ours: bytes, theirs: bytes) -> None:
    result = merged(base, ours, theirs).data

    written = {line for side in (ours, theirs) for line in side.splitlines()} - {b""}
    assert written - set(base.splitlines()) <= set(result.splitlines())


@LAW
@given(st.lists(LINES, max_size=9), st.lists(LINES, max_size=9))
def test_two_whole_files_come_apart_again(ours: list[str], theirs: list[str]) -> None:
    sides = tuple("".join(f"{row}\n" for row in rows if row != "=======").encode() for rows in (ours, theirs))

    assert split(conflict.whole(*sides)) == sides


# Merge bases, merged among themselves


def rendered(**fields: Value) -> bytes:
    return frontmatter.render({"title": "One title", "type": "decision"} | fields, "Text.")


def between(base: bytes, ours: bytes, theirs: bytes) -> bytes:
    return merge_bases(base, ours, theirs, verbs=VERBS, path=PATH, size=9).data


def test_a_field_that_both_merge_bases_changed_stands_in_neither_form() -> None:
    base, ours, theirs = (rendered(summary=said, tags=["git"]) for said in ("Old.", "Ours.", "Theirs."))

    fields = frontmatter.parse(between(base, ours, theirs), PATH).fields

    assert fields["summary"] == "<<<<<<<<< Ours. ========= Theirs. >>>>>>>>>" and fields["tags"] == ["git"]


def test_a_link_that_both_merge_bases_changed_conflicts_again() -> None:
    base = rendered(because=[{"to": "a-note", "note": "old"}])
    ours, theirs = rendered(), rendered(because=[{"to": "a-note", "note": "new"}])

    assert merged(between(base, ours, theirs), ours, theirs).conflicts == ("because",)
    assert merged(between(base, theirs, ours), ours, theirs).conflicts == ("because",)
    assert merged(between(base, ours, theirs), theirs, theirs) == Merged(theirs, ())


def test_a_pin_does_not_rise_through_merge_bases() -> None:
    base, ours, theirs = rendered(), rendered(pinned="0.2"), rendered(pinned="0.9")

    result = merged(between(base, ours, theirs), theirs, ours)

    assert frontmatter.parse(result.data, PATH).fields["pinned"] == "0.2" and not result.conflicts


def test_an_approval_that_one_merge_base_lost_stays_away() -> None:
    bare = rendered()
    given, other = ({"by": name, "at": "2026-06-01", "of": entry.edit_digest(note(bare))} for name in ("Jane", "Kim"))
    base, ours = rendered(approved=given), rendered(approved=other)

    result = merged(between(base, ours, bare), bare, ours)

    assert "approved" not in frontmatter.parse(result.data, PATH).fields


def test_two_notes_of_one_name_in_merge_bases_leave_no_base() -> None:
    ours, theirs = rendered(title="One"), rendered(title="Two")

    assert between(b"", ours, theirs) == b""


@LAW
@given(versions())
def test_what_conflicts_between_merge_bases_conflicts_between_what_came_of_them(
    files: tuple[bytes, bytes, bytes],
) -> None:
    _, ours, theirs = files

    direct = merged(*files)
    again = merged(between(*files), ours, theirs)

    assert set(direct.conflicts) <= set(again.conflicts)
    assert merged(between(*files), ours, ours) == Merged(ours, ())

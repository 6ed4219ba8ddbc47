"""Notes: the values in a file, and what is said about the values that are none."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.notes import entry as entries
from gitmem.notes import frontmatter, note, subset
from gitmem.notes.entry import read
from gitmem.notes.instant import instant, seconds
from gitmem.notes.note import Approval, Link, Note
from gitmem.notes.prose import first_sentence, mentions

ROOT = Path(__file__).parent.parent
FILES = ROOT / "tests" / "data" / "notes"
VERBS = ("because", "answers", "builds-on", "about", "needs", "replaces", "conflicts-with")
EMPTY = read("insight/empty.md", b"", verbs=VERBS).note

# Each file's title, type, and problems as "code line severity".
EXPECTED = {
    "case-01-colon": ("Split: core", "decision", ""),
    "case-01-colon-broken": ("Split the core", "insight", "unparsable 3 error"),
    "case-02-signs": ("*x* and `C:\\x`", "caution", ""),
    "case-02-backtick-broken": ("case-02-backtick-broken", "insight", "unparsable 3 error"),
    "case-02-star-broken": ("case-02-star-broken", "insight", "unparsable 2 error"),
    "case-03-stacked": ("Outer", "insight", ""),
    "case-03-stacked-broken": ("case-03-stacked-broken", "insight", "unparsable 2 error"),
    "case-04-bom": ("Marked", "decision", ""),
    "case-04-bom-broken": ("case-04-bom-broken", "insight", "unclosed-front-matter 1 error"),
    "case-05-wide": ("𝔘TF-16 pairs 🚀", "insight", ""),
    "case-05-latin1-broken": ("Latin", "insight", "invalid-utf8 6 error"),
    "case-05-utf16-broken": ("Wide heading", "insight", "utf-16 1 error"),
    "case-05-utf16-bare-broken": ("Wide heading", "insight", "utf-16 1 error"),
    "case-07-crlf": ("Windows", "insight", ""),
    "case-07-mixed": ("Mixed", "insight", ""),
    "case-07-crlf-broken": ("case-07-crlf-broken", "insight", "unparsable 3 error"),
    "case-08-typed-words": ("2026-01-01", "decision", ""),
    "case-08-null-title": ("Heading", "decision", "missing-title 2 warning"),
    "case-08-list-title-broken": (
        "case-08-list-title-broken",
        "decision",
        "bad-value 2 warning, bad-value 4 warning, bad-value 5 warning, bad-value 6 warning",
    ),
    "case-09-line": ("Late", "decision", ""),
    "case-09-line-broken": ("case-09-line-broken", "insight", "unparsable 4 error"),
    "case-10-tabs": ("Tabs", "insight", ""),
    "case-10-duplicate-keys-broken": ("Twice", "decision", "duplicate-key 5 error"),
    "case-10-tab-indent-broken": ("case-10-tab-indent-broken", "insight", "tab-indent 4 error"),
    "case-12-separators": ("One\u2028line", "insight", ""),
    "case-12-nul-broken": ("Nul", "insight", "nul 6 error"),
    "case-14-links": ("Links", "insight", ""),
    "case-14-link-shapes-broken": (
        "Shapes",
        "insight",
        "bad-value 3 warning, bad-value 3 warning, bad-value 7 warning",
    ),
    "case-75-conflict-shown": ("How conflicts look", "insight", ""),
    "case-75-conflict-front-broken": ("case-75-conflict-front-broken", "insight", "conflict-markers 3 error"),
    "case-75-conflict-body-broken": ("One", "decision", "conflict-markers 6 error"),
    "case-75-conflict-whole-broken": ("case-75-conflict-whole-broken", "insight", "conflict-markers 1 error"),
}


def entry(stem: str) -> note.Entry:
    return read(f"insight/{stem}.md", (FILES / f"{stem}.md").read_bytes(), verbs=VERBS)


def of(front: str, body: str = "") -> note.Entry:
    return read("insight/x.md", f"---\ntitle: x\n{front}\n---\n\n{body}".encode(), verbs=VERBS)


# The files of the cases


def test_every_file_of_a_case_has_its_reading():
    assert sorted(path.stem for path in FILES.glob("*.md")) == sorted(EXPECTED)


@pytest.mark.parametrize("stem", sorted(EXPECTED))
def test_case_files_read_as_expected(stem):
    title, kind, problems = EXPECTED[stem]

    found = entry(stem)

    assert (found.note.title, found.note.type) == (title, kind)
    assert ", ".join(f"{p.code} {p.line} {p.severity}" for p in found.problems) == problems
    assert all(p.path == found.path and p.message.endswith(".") and p.hint for p in found.problems)


def test_case_01_and_02_what_does_not_parse_keeps_its_text():
    data = (FILES / "case-02-backtick-broken.md").read_bytes()

    found = entry("case-02-backtick-broken")

    assert found.note.body == data.decode().removesuffix("\n")
    assert found.name == "case-02-backtick-broken"


def test_case_05_utf16_keeps_its_text():
    assert "# Wide heading" in entry("case-05-utf16-broken").note.body
    assert "# Wide heading" in entry("case-05-utf16-bare-broken").note.body


def test_case_07_line_ends_change_neither_fields_nor_body():
    found = entry("case-07-mixed").note

    assert (found.tags, found.body) == (("a", "b"), "One.\nTwo.\nThree.")


def test_case_08_scalars_are_the_text_that_is_written():
    found = entry("case-08-typed-words").note

    assert found.extra == {
        "version": "1.10",
        "sha": "0123456",
        "answer": "no",
        "time": "12:30:45",
        "content": "kept",
        "handler": "kept",
        "on": "kept",
        "nothing": None,
    }
    assert (found.sensitive, found.confidence) == (True, 0.5)


def test_case_12_odd_separators_are_ordinary():
    assert entry("case-12-separators").note.body == "A\u2028b\u2029c\x85d."
    assert entry("case-12-nul-broken").note.body == "A\ufffdb."


def test_case_14_links_are_what_stands_in_fields_and_mentions_what_stands_outside_code():
    found = entry("case-14-links").note

    assert found.links == (
        Link("because", "first", None, 1.0),
        Link("about", "second", None, 1.0),
        Link("about", "third", "why", 0.7),
    )
    assert mentions(found.body) == ("real", "shown", "part", "last")


# Fields


def test_no_key_of_ours_and_no_verb_goes_to_extra():
    front = "type: Decision\nTags: [a]\nbecause: y\nunknown: {a: [b]}\nstatus: Open"

    found = of(front).note

    assert found.extra == {"Tags": ["a"], "unknown": {"a": ["b"]}}
    assert (found.type, found.status) == ("decision", "open")
    assert found.links == (Link("because", "y", None, 1.0),)


def test_tags_are_lower_cased_joined_and_unique():
    assert of("tags: [Git, Two  Words, git, '']").note.tags == ("git", "two-words")
    assert of("tags: one").note.tags == ("one",)
    assert [p.code for p in of("tags: a, b").problems] == ["bad-value"]


@pytest.mark.parametrize(
    ("front", "to"),
    [
        ("because: x", "x"),
        ("because: [x]", "x"),
        ('because: "[[x]]"', "x"),
        ("because: [[x]]", "x"),
        ("because:\n  - [[x]]", "x"),
        ("because:\n  - '[[x|the x]]'", "x"),
        ("because: {to: '[[x]]'}", "x"),
    ],
)
def test_a_link_may_be_written_in_several_ways(front, to):
    found = of(front)

    assert found.note.links == (Link("because", to, None, 1.0),)
    assert not found.problems


@pytest.mark.parametrize(
    "front",
    ["created: soon", "created: [a]", "confidence: 2", "confidence: -1", "confidence: nan", "pinned: {a: b}",
     "summary: [a]", "tags: {a: b}", "touches: [{a: b}]", "approved: yes", "approved: {by: x}",
     "approved: {by: x, at: soon}", "because: {to: [a, b]}", "because: {to: x, weight: heavy}", "because: ''"],
)  # fmt: skip
def test_a_wrong_shape_is_a_problem_and_stays_out(front):
    found = of(front)

    assert [(p.code, p.line, p.severity) for p in found.problems] == [("bad-value", 3, "warning")]
    assert found.note._replace(title=EMPTY.title) == EMPTY


@pytest.mark.parametrize(
    ("front", "secret"),
    [("sensitive: true", True), ("sensitive: Yes", True), ("sensitive: off", False), ("sensitive: 0", False),
     ("sensitive:", False), ("sensitive: maybe", True), ("sensitive: [true]", True), ("other: true", False),
     ("sensitive: true\nsensitive: false", True), ("sensitive: true\na: b: c", True), ("sensitive: false\na: b: c", False)],
)  # fmt: skip
def test_a_doubtful_sensitive_keeps_the_secret(front, secret):
    assert of(front).note.sensitive is secret


def test_the_title_falls_back_and_only_front_matter_is_asked_for_one():
    assert read("a/x.md", b"text\n\n# The heading #\n", verbs=VERBS).note.title == "The heading"
    assert read("a/x.md", b"```\n# code\n```\n", verbs=VERBS).note.title == "x"
    assert read("x.md", b"", verbs=VERBS)[1:3] == (
        "x",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    )
    assert read("a/x.md", b"", verbs=VERBS).problems == ()
    assert [p.code for p in read("a/x.md", b"---\ntype: b\n---\n", verbs=VERBS).problems] == ["missing-title"]


def test_the_name_is_the_stem_in_nfc():
    assert read("a/cafe\u0301.notes.md", b"", verbs=VERBS).name == "café.notes"


def test_a_file_over_one_mebibyte_is_an_error_and_still_read():
    found = read("a/x.md", b"---\ntitle: x\n---\n" + b"a" * (1 << 20), verbs=VERBS)

    assert [(p.code, p.severity) for p in found.problems] == [("too-large", "error")]
    assert found.note.title == "x"


@given(st.from_regex(r"[0-9.+eE_ -]{1,6}|[Tt]rue|FALSE|yes|[01]|nan|inf", fullmatch=True))
def test_coercion_by_hand_agrees_with_msgspec(text):
    numbers, truths = entries._number(text), entries._truth(text)

    for ours, kind in ((numbers, float), (truths, bool)):
        try:
            theirs = msgspec.convert(text, kind, strict=False)
        except msgspec.ValidationError:
            continue
        assert ours == theirs or not 0 <= theirs < 1e9


@given(st.binary(max_size=60), st.sampled_from(["a/b.md", "b.md", "a/.md", "a/b"]))
def test_any_bytes_give_an_entry(data, path):
    found = read(path, b"---\n" + data + b"\n---\n" + data, verbs=VERBS)

    assert isinstance(found.note, Note)
    assert entries.edit_digest(found.note)
    assert note.summary(found.note) != ""


# Reading what was written

WORDS = st.from_regex(r"[a-z0-9][a-z0-9-]{0,8}", fullmatch=True)
LINES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r"), min_size=1, max_size=20).filter(
    lambda text: text == text.strip()
)
NAMES = st.lists(LINES.filter(lambda text: "[" not in text), max_size=3, unique=True).map(tuple)
SHARES = st.none() | st.floats(0, 1)
INSTANTS = st.none() | st.datetimes(timezones=st.just(UTC)).map(
    lambda moment: moment.replace(microsecond=0).isoformat().replace("+00:00", "Z")
)
OPTIONAL = st.none() | LINES
LINKS = st.lists(
    st.builds(
        Link,
        st.sampled_from(VERBS),
        LINES.filter(lambda text: "[" not in text),
        OPTIONAL,
        st.floats(0, 10, allow_subnormal=False) | st.just(1.0),
    ),
    max_size=5,
).map(lambda links: tuple(sorted(links, key=lambda link: VERBS.index(link.verb))))
NOTES = st.builds(
    Note,
    title=LINES,
    type=WORDS,
    summary=OPTIONAL,
    tags=st.lists(WORDS, max_size=3, unique=True).map(tuple),
    aliases=NAMES,
    domain=st.none() | WORDS,
    status=st.none() | WORDS,
    durability=st.none() | WORDS,
    source=st.none() | WORDS,
    agent=OPTIONAL,
    session=OPTIONAL,
    confidence=SHARES,
    created=INSTANTS,
    confirmed=INSTANTS,
    confirmed_by=OPTIONAL,
    approved=st.none() | st.builds(Approval, LINES, INSTANTS.filter(bool), st.none() | WORDS),
    pinned=SHARES,
    reviewed=INSTANTS,
    sensitive=st.booleans(),
    links=LINKS,
    touches=NAMES,
    buried=NAMES,
    suspects=NAMES,
    distinct=NAMES,
    extra=st.dictionaries(st.sampled_from(["version", "x y", "on"]), LINES | st.lists(LINES, max_size=2) | st.none()),
    body=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\0"), max_size=30),
)


@given(NOTES)
def test_reading_a_rendered_note_gives_the_note(written):
    found = read("a/b.md", entries.render(written, verbs=VERBS), verbs=VERBS)

    assert found.note == written
    assert all(problem.code == "conflict-markers" for problem in found.problems)


@given(NOTES)
def test_rewriting_a_note_with_its_own_fields_changes_no_byte(written):
    data = entries.render(written, verbs=VERBS)

    assert frontmatter.rewrite(data, entries.fields(written, verbs=VERBS), body=written.body) == data


def test_an_ordinary_new_note_is_read_without_yaml():
    written = EMPTY._replace(
        title="Commit through a private index, never through the user's",
        type="decision",
        tags=("git", "safety"),
        created="2026-11-30T11:29:00Z",
        confidence=0.7,
        links=(Link("because", "plain-files", None, 1.0), Link("because", "other", "why", 0.5)),
        touches=("gitmem/storage/git.py::commit_paths@3fa9c1d",),
        approved=Approval("Jane Doe <jane@example.org>", "2026-12-01T00:00:00Z", "1a2b3c4"),
        body="Body.",
    )

    front = entries.render(written, verbs=VERBS).decode().split("---\n")[1]

    assert subset.read(front, 2) is not None
    assert list(entries.fields(written, verbs=VERBS)) == [
        "title", "type", "tags", "confidence", "created", "approved", "because", "touches",
    ]  # fmt: skip


def test_reading_ordinary_notes_loads_no_library():
    program = (
        "import sys; from gitmem.notes import entry as note\n"
        "entry = note.read('a/b.md', sys.stdin.buffer.read(), verbs=('because',))\n"
        "assert entry.note.links and not entry.problems\n"
        "print(*{'yaml', 'frontmatter', 'msgspec', 'datetime', 'dataclasses', 'pathlib', 'json'} & sys.modules.keys())"
    )
    data = b"---\ntitle: x\ncreated: 2026-11-30\nconfidence: 0.7\nbecause:\n  - to: y\n    weight: 0.5\n---\n\nBody.\n"

    result = subprocess.run([sys.executable, "-c", program], input=data, capture_output=True, check=True, cwd=ROOT)

    assert result.stdout.split() == []


# Instants


@pytest.mark.parametrize(
    ("text", "normalised"),
    [
        ("2026-12-01", "2026-12-01T00:00:00Z"),
        ("2026-12-01 11:29", "2026-12-01T11:29:00Z"),
        ("2026-12-01T11:29:00", "2026-12-01T11:29:00Z"),
        ("2026-12-01t11:29:00.123456z", "2026-12-01T11:29:00Z"),
        ("2026-12-01T00:10:00+05:30", "2026-11-30T18:40:00Z"),
        ("2026-12-31T23:10:00 -0100", "2027-01-01T00:10:00Z"),
        ("2026-12-01T11:29:00+02", "2026-12-01T09:29:00Z"),
        ("2024-02-29", "2024-02-29T00:00:00Z"),
        ("2026-02-29", None),
        ("2026-13-45", None),
        ("0000-01-01", None),
        ("0001-01-01T00:00:00+01:00", None),
        ("9999-12-31T23:59:59-01:00", None),
        ("2026-12-01T24:00:00Z", None),
        ("2026-12-01T11:29:60Z", None),
        ("2026-12-01T11:29:00+99:00", None),
        ("2026-12", None),
        ("20261201", None),
        ("1764588540", None),
        ("２０２６-12-01", None),
        ("", None),
    ],
)
def test_instants_are_normalised_or_none(text, normalised):
    assert instant(text) == normalised


@given(st.datetimes(timezones=st.just(UTC)))
def test_seconds_are_those_of_the_calendar(moment):
    moment = moment.replace(microsecond=0)
    normalised = instant(moment.isoformat())

    assert normalised is not None
    assert instant(normalised) == normalised
    assert seconds(normalised) == (moment - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()


# Prose


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("[[a]] [[b|text]] [[a]] [[c#part]]", ("a", "b", "c")),
        ("`[[a]]` ``[[b]] ` ``  [[c]]", ("c",)),
        ("` [[a]]\n\n[[b]] `", ("a", "b")),
        ("`` [[a]] ` [[b]]", ("a", "b")),
        ("```\n[[a]]\n~~~\n[[b]]\n```\n[[c]]", ("c",)),
        ("````\n```\n[[a]]\n````\n[[b]]", ("b",)),
        ("```\nnever closed [[a]]", ()),
        ("`a\n```\n[[b]]\n```\n[[c]] `d", ("c",)),
        ("if [[ -f x ]]; [[]] [[ ]] [[#top]] [[a\nb]] [x] [[構築]]", ("構築",)),
        ("- [ ] a\n- [12:30]\n* [[deep]] [[[x]]]", ("deep", "x")),
    ],
)
def test_case_14_mentions_stand_outside_code(body, names):
    assert mentions(body) == names


def test_mentions_of_hostile_text_take_linear_time():
    body = "[[a]]" + " ".join("`" * length for length in range(1, 1400))

    assert mentions(body) == ("a",)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("", ""),
        ("One. Two.", "One."),
        ("# Head\n\nOne line\ngoes on. Then.", "One line goes on."),
        ("Head\n====\n\nOne", "One"),
        ("```\ncode. x\n```\n\nProse e.g. Git is v1.2 here! Yes", "Prose e.g. Git is v1.2 here!"),
        ("- first item\n- second", "first item"),
        ("1. [ ] to do. Later", "to do."),
        ("> quoted\n> text", "quoted text"),
        ("---\n\n| a | b |\n\n<!-- c -->\n\nText", "Text"),
        ("构建流程很慢。第二句。", "构建流程很慢。"),
        ("word " * 100, "word " * 58 + "word…"),
        ("x" * 400, "x" * 299 + "…"),
    ],
)
def test_the_first_sentence_is_that_of_the_first_prose(body, sentence):
    assert first_sentence(body) == sentence
    assert len(sentence) <= 300


def test_a_sensitive_note_has_no_fallback_summary():
    written = EMPTY._replace(body="The body.")

    assert note.summary(written) == "The body."
    assert note.summary(written._replace(sensitive=True)) is None
    assert note.summary(written._replace(sensitive=True, summary="Said")) == "Said"


def test_an_edit_of_what_was_approved_changes_the_digest():
    links = (Link("because", "a", None, 1.0), Link("about", "b", "why", 0.5))
    written = EMPTY._replace(title="x", links=links)

    digest = entries.edit_digest(written)

    assert len(digest) == 7
    assert digest == entries.edit_digest(written._replace(links=links[::-1], tags=("new",), status="archived"))
    edits = [written._replace(title="y"), written._replace(body="y"), written._replace(summary="y")]
    assert digest not in {entries.edit_digest(edited) for edited in [*edits, written._replace(links=links[:1])]}


def test_a_title_that_stands_twice_is_not_said_to_be_missing() -> None:
    entry = read("decision/a.md", b"---\ntitle: a\ntitle: b\ntype: decision\n---\n\nText.\n", verbs=())

    assert [problem.code for problem in entry.problems] == ["duplicate-key"]

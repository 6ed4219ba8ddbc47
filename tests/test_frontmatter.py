"""Front matter: what is read, what is written, and that nothing else changes."""

from pathlib import Path

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gitmem.errors import GitmemError
from gitmem.notes import frontmatter, literal, subset
from gitmem.notes.frontmatter import parse, render, rewrite

FILES = Path(__file__).parent / "data" / "notes"

TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
    st.text("ab \n\t'\"\\:#-?,[]{}&*!|>%@`~0.é\u2028\x85", max_size=12),
    st.sampled_from(["no", "null", "~", "1.10", "2026-01-01", "0123456", "12:30:45", "1e3", ".inf", "=", "<<", "---"]),
)
KEYS = st.one_of(
    st.sampled_from(["title", "tags", "aliases", "because", "created", "confidence", "content", "handler", "on", "1"]),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12).filter(lambda key: key != "<<"),
)
LEAVES = st.one_of(st.none(), TEXTS)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)
BODIES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\0"), max_size=60)


def both(front: str) -> tuple[object, object]:
    """Returns what the subset and what YAML read: fields, lines and problems."""
    reading = frontmatter._Reading("", 2)
    fields = frontmatter._load(front, reading)
    plain = subset.read(front, 2)
    return (plain and (*plain, [])), (fields, reading.lines, reading.problems)


def codes(data: bytes) -> list[tuple[str, int | None]]:
    return [(problem.code, problem.line) for problem in parse(data, "x.md").problems]


# Reading and writing


@given(st.dictionaries(KEYS, VALUES, max_size=5), BODIES)
@example({}, "\n")
@example({"a": "b"}, "---\n")
@example({"tags": []}, "no line end")
@example({"a": "x\n\ny\n"}, "\n\n")
def test_parse_after_render_is_the_identity(fields, body):
    document = parse(render(fields, body), "x.md")

    assert (document.fields, document.body) == (fields, body)
    assert list(document.fields) == list(fields)
    assert all(problem.code == "conflict-markers" for problem in document.problems)


@given(st.dictionaries(st.sampled_from(["title", "summary", "tags", "x"]), TEXTS | st.lists(TEXTS), max_size=4))
def test_other_parsers_read_the_same_text(fields):
    front = render(fields, "").decode().split("---\n", 1)[1].rsplit("---\n", 1)[0]

    read = yaml.load(front, Loader=yaml.CSafeLoader)

    assert (read or {}) == fields


def test_a_new_file_looks_like_the_design_says():
    fields = {
        "title": "Split: core",
        "summary": "Plain, it is",
        "tags": ["git", "no"],
        "created": "2026-11-30T11:29:00Z",
        "confidence": "0.7",
        "approved": {"by": "Jane Doe <jane@example.org>", "at": "2026-12-01", "of": "1234567"},
        "sensitive": "true",
        "because": ["plain-files", {"to": "other", "note": "why: so", "weight": "0.7"}],
        "version": "1.10",
        "long": "one\n\ntwo\n",
    }

    text = render(fields, "Body.").decode()

    assert text == (
        '---\ntitle: "Split: core"\nsummary: Plain, it is\ntags: [git, "no"]\ncreated: 2026-11-30T11:29:00Z\n'
        'confidence: 0.7\napproved: {by: Jane Doe <jane@example.org>, at: 2026-12-01, of: "1234567"}\nsensitive: true\n'
        'because:\n  - plain-files\n  - to: other\n    note: "why: so"\n    weight: 0.7\nversion: "1.10"\n'
        "long: |\n  one\n\n  two\n---\n\nBody.\n"
    )


def test_lines_and_body_line_count_from_the_file_s_first_line():
    data = b"\xef\xbb\xbf---\r\n# c\r\ntitle: x\r\ntags:\r\n  - a\r\nlate: y\r\n---\r\n\r\nBody\r\n"

    document = parse(data, "x.md")

    assert document.lines == {"title": 3, "tags": 4, "late": 6}
    assert (document.body, document.body_line) == ("Body", 9)


def test_half_a_character_is_refused():
    with pytest.raises(GitmemError) as refusal:
        render({"title": "x"}, "\ud800")

    assert refusal.value.code == "invalid-utf8"


# The subset and YAML agree

ATOMS = st.sampled_from(
    """a|b: c|x #y|x#y|#|# c|'q'|"q"|'it''s'|"e\\n"|[a, b]|[ a ]|[]|[,]|[a,]|{a: b}|{a: b, c: d}|{a: }|{}|-|-x|?|? x|:
    ::|a:b|a::b|http://x|~|null|nUll|yes|1.10|&x|*x|!t|!!str x|>|>-|>+|%x|@x|`x`|é|日本|😀|a, b|[a: b]|[a?]|[?a]
    [a:b]|['a', "b"]|["a, b"]|[a 'b']|{a: 'b', c: "d"}|{'a': b}|{a: b: c}|{at: 2026-12-01T11:29:00Z, by: J <a@b>}
    [a::b]|[a:]|[a#b]|[a #b]|]|<<|...|--- x|'a' # c|'a'# c|"a" b|[a] # c|[a]# c|[a] b|a 'b' c|a [b] {c}|a & b
    [[a]]|[-a]|[- a]|[a -b]|[null, ~]|''|""|a''b|"a'b"|x: # c|"a": b|a : b|x # y: z|\u2028|a\u2028b|\u00a0|\ufeff|\x7f
    \t|a\tb""".replace("\n    ", "|").split("|")
)
ENDS = st.sampled_from(["", "", "", " ", " # c", "# c"])
NAMES = st.sampled_from(["a", "b", "c", "k-1", "on", "null", "'q'", "a b", "é", "<<"])
MARGINS = st.sampled_from(["", "", " ", "  ", "  ", "    "])


@st.composite
def entries(draw):
    key = draw(st.sampled_from(["a", "b", "c", "d", "e"]))
    kind = draw(st.sampled_from(["scalar", "list", "block", "line"]))
    if kind == "scalar":
        return [f"{key}: {draw(ATOMS)}{draw(ENDS)}"]
    if kind == "list":
        margin, gap = draw(MARGINS), draw(st.sampled_from([" ", " ", "   "]))
        plain = st.builds(lambda atom: [f"{margin}-{gap}{atom}"], ATOMS)
        inner = st.builds(lambda extra, name, atom: f"{margin} {gap}{extra}{name}: {atom}", ENDS, NAMES, ATOMS)
        pairs = st.builds(lambda atom, rest: [f"{margin}-{gap}to: {atom}", *rest], ATOMS, st.lists(inner, max_size=2))
        rows = draw(st.lists(plain | pairs, max_size=3))
        return [f"{key}:{draw(ENDS)}", *(row for group in rows for row in group)]
    if kind == "block":
        row = st.builds(lambda margin, atom: margin + atom, MARGINS, ATOMS | st.just(""))
        return [f"{key}: {draw(st.sampled_from(['|', '|-', '>', '>-', '|+', '|1']))}", *draw(st.lists(row, max_size=4))]
    return [draw(MARGINS) + draw(NAMES) + draw(st.sampled_from([": ", ":", " : "])) + draw(ATOMS)]


@settings(max_examples=400)
@given(st.lists(entries() | st.sampled_from([[""], ["# c"], ["  # c"]]), max_size=5))
def test_the_subset_reads_as_yaml_does_or_not_at_all(groups):
    plain, full = both("".join(f"{row}\n" for group in groups for row in group))

    assert plain is None or plain == full


@given(st.dictionaries(KEYS, VALUES, max_size=5))
def test_the_subset_reads_what_we_write_as_yaml_does(fields):
    plain, full = both("".join(f"{row}\n" for key, value in fields.items() for row in literal.entry(key, value)))

    assert plain is None or plain == full
    assert full == (fields, full[1], [])


def test_the_subset_reads_an_ordinary_note():
    front = (
        "title: Commit through an index, never the user's  # c\ntags: [git, 'a b']\nsource:\ncreated: 2026-11-30T11:29:00Z\n"
        '# c\nbecause:\n  - plain-files\n\n  - to: x\n    note: "y: z"\napproved: {by: J D <j@x.org>, at: 2026-12-01}\n'
        "touches:\n- gitmem/git.py::commit@3fa9c1d\nlong: |\n  a\n\n   b\nfolded: >-\n  c\n  d\n"
    )

    plain, full = both(front)

    assert plain is not None
    assert plain == full


# Bytes of any kind


@given(st.binary(max_size=80))
def test_any_bytes_read_without_a_traceback(data):
    document = parse(data, "x.md")

    assert document.body_line >= 1


@settings(max_examples=300)
@example("", "{}", "---\n", "")
@example("", "a: b\n...", "---\n", "")
@given(
    st.sampled_from(["", "\ufeff", "\n", "\ufeff \r\n"]),
    st.text(max_size=40) | st.lists(ATOMS | entries().map("\n".join), max_size=4).map("\n".join),
    st.sampled_from(["---\n", "---\r\n", "---\r", "--- \n", "----\n", "...\n", "---", ""]),
    st.text(max_size=20),
)
def test_any_text_around_fences_reads_and_rewrites_or_is_refused(start, front, fence, rest):
    data = f"{start}---\n{front}\n{fence}{rest}".encode("utf-8", "surrogatepass")

    try:
        result = rewrite(data, {"title": "new: title", "tags": ["a", "b"]}, removed=["b"])
    except GitmemError as refusal:
        assert refusal.code in ("unparsable", "rewrite-aborted")
        assert refusal.code == "rewrite-aborted" or any(p.severity == "error" for p in parse(data, "").problems)
    else:
        before, after = parse(data, ""), parse(result, "")
        assert after.fields == {key: v for key, v in before.fields.items() if key != "b"} | {
            "title": "new: title",
            "tags": ["a", "b"],
        }
        assert after.body == before.body


def test_an_alias_bomb_is_named_and_never_expanded():
    rows = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 40)]

    document = parse("---\n{}\n---\n".format("\n".join(rows)).encode(), "x.md")

    assert document.fields == {}
    assert [(p.code, p.line) for p in document.problems] == [("unsupported-yaml", 2)]


@pytest.mark.parametrize("front", ["a: " + "[" * 3000, "- " * 3000, "a: " + "[" * 500 + "]" * 500, "? " * 2000 + "a"])
def test_deep_nesting_is_a_problem(front):
    document = parse(f"---\n{front}\n---\n".encode(), "x.md")

    assert [problem.code for problem in document.problems][:1] in (["unparsable"], ["not-a-mapping"])


@pytest.mark.parametrize(
    ("front", "code", "line"),
    [
        ("a: &x 1", "unsupported-yaml", 2),
        ("a: b\nc: !!str d", "unsupported-yaml", 3),
        ("<<: {a: b}", "unsupported-yaml", 2),
        ("a: b\n--- c", "unparsable", 3),
        ("- a", "not-a-mapping", 2),
        ("text", "not-a-mapping", 2),
        ("a: {b: 1,\n b: 2}", "duplicate-key", 3),
        ("[a]: b", "unparsable", 2),
        ("a: \x07", "unparsable", 2),
        ("%YAML 1.1\na: b", "unparsable", 3),
    ],
)
def test_what_notes_do_not_have_is_named_with_its_line(front, code, line):
    assert (code, line) in codes(f"---\n{front}\n---\n".encode())


# Surgical writing

BLOCKS = {
    "title": [
        "title: A plain one",
        'title:   "quoted"   # why',
        "title: 'it''s'",
        "title: two\n  lines",
        "title:",
        "title: ~",
    ],
    "tags": [
        "tags: [a,  b ]  # c",
        "tags: [a,\n  b]",
        "tags:\n- a\n# between\n-   b  # c",
        "tags:   # c\n    - a\n\n    - 'b'",
    ],
    "summary": [
        "summary: |\n  text\n\n  more",
        "summary: >-\n  folded\n  text",
        'summary: "two\n  lines"',
    ],
    "because": ["because:\n  # first\n  - to: x\n    note: y  # c\n  - z", "because: [x, {to: y}]", "because: {to: x}"],
    "custom": ["custom:\n  deep: [1, {a: b}]\n  other:\n    - c", "custom: 0123456", "'custom': no", "custom   : 1.10"],
}
COMMENTS = ["", "# a comment\n", "\n", " # indented\n", "# two\n\n# three\n"]
NEW = st.sampled_from(
    ["new", "new: odd # one", "", "no", "a\nb\n", ["a"], ["b", "a"], ["a", "c", "b"], [], {"to": "x"}, None]
)


@st.composite
def files(draw):
    """Returns a file in pieces: what comes before the fields, one piece for each field, and the rest."""
    keys = draw(st.permutations(sorted(BLOCKS)))[: draw(st.integers(1, 5))]
    pieces = {key: f"{draw(st.sampled_from(BLOCKS[key]))}\n" for key in keys}
    gaps = {key: draw(st.sampled_from(COMMENTS)) for key in keys}
    start = draw(st.sampled_from(["---\n", "\ufeff---\n", "\n--- \n", "---\n# top\n"]))
    rest = draw(
        st.sampled_from(["---\n", "---", "---\n\nBody\n", "---\nBody", "---\n\n\nA\n\n```\n---\n```", "--- \n\n \n"])
    )
    ends = draw(st.sampled_from(["\n", "\r\n", "mixed"]))

    def ended(text):
        if ends != "mixed":
            return text.replace("\n", ends)
        return (
            "".join(draw(st.sampled_from([row + "\r\n", row + "\n"])) for row in text.split("\n")[:-1])
            + text.split("\n")[-1]
        )

    return ended(start), {key: (ended(gaps[key]), ended(pieces[key])) for key in keys}, ended(rest)


def joined(start, pieces, rest):
    return (start + "".join(gap + piece for gap, piece in pieces.values()) + rest).encode()


@given(files())
def test_rewriting_nothing_changes_no_byte(file):
    data = joined(*file)
    fields = parse(data, "").fields

    result = rewrite(data, fields, removed=["absent"], body=parse(data, "").body)

    assert result == data


@settings(max_examples=300)
@given(files(), st.data())
def test_a_rewrite_changes_only_the_asked_field(file, data):
    start, pieces, rest = file
    key = data.draw(st.sampled_from(list(pieces)))
    value = data.draw(NEW)
    before = (
        start + "".join(g + p for g, p in list(pieces.values())[: list(pieces).index(key)]) + pieces[key][0]
    ).encode()
    after = ("".join(g + p for g, p in list(pieces.values())[list(pieces).index(key) + 1 :]) + rest).encode()

    result = rewrite(joined(*file), {key: value})

    assert result.startswith(before)
    assert result.endswith(after)
    assert parse(result, "").fields == parse(joined(*file), "").fields | {key: value}


@pytest.mark.parametrize("old", ["old", "'old'", "[old, b]", "", "\n  - old", "old\n  lines", "\n  a: b"])
@pytest.mark.parametrize("new", ["new", "a: b", ["c", "d"], {"to": "x"}, None])
def test_a_comment_behind_the_key_or_value_stays(old, new):
    first, _, more = old.partition("\n")
    front = f"x: {first}  # why\n" if not more else f"x: {first}\n{more}  # why\n" if first else f"x:  # why\n{more}\n"

    result = rewrite(f"---\n{front}---\n".encode(), {"x": new}).decode()

    assert "  # why\n" in result
    assert parse(result.encode(), "").fields == {"x": new}


@given(files(), st.data())
def test_a_removal_takes_only_the_field(file, data):
    start, pieces, rest = file
    key = data.draw(st.sampled_from(list(pieces)))
    left = {name: (gap, "" if name == key else piece) for name, (gap, piece) in pieces.items()}

    result = rewrite(joined(*file), {}, removed=[key])

    assert result.replace(b"\r\n", b"\n").split() == joined(start, left, rest).replace(b"\r\n", b"\n").split()
    assert parse(result, "").fields == {k: v for k, v in parse(joined(*file), "").fields.items() if k != key}


@given(
    files(), st.sampled_from([("status", "superseded"), ("replaces", ["a", {"to": "b", "note": "c"}]), ("zz", "a\nb")])
)
def test_a_new_field_is_only_added(file, change):
    key, value = change
    data = joined(*file)

    result = rewrite(data, {key: value})

    rows = [row for row in result.splitlines(keepends=True)]
    added = len(rows) - len(data.splitlines())
    places = [at for at in range(len(rows)) if b"".join(rows[:at] + rows[at + added :]) == data]
    assert places
    assert parse(result, "").fields == parse(data, "").fields | {key: value}
    endings = {row[len(row.rstrip(b"\r\n")) :] for row in data.splitlines(keepends=True)} - {b""}
    assert {row[len(row.rstrip(b"\r\n")) :] for row in rows} - {b""} <= endings


@given(files(), st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\0"), max_size=30))
def test_a_new_body_leaves_the_front_matter_alone(file, body):
    data = joined(*file)
    front = len(data) - len(file[2].encode())

    result = rewrite(data, {}, body=body)

    assert result[:front] == data[:front]
    assert (parse(result, "").fields, parse(result, "").body) == (parse(data, "").fields, body)


def test_a_list_that_grows_keeps_comments_and_form_of_its_items():
    data = (
        b"---\nbecause:  # why\n    # first\n    -   'x'  # ex\n    # about y\n    - to: y\n      note: z\n# end\n---\n"
    )

    result = rewrite(data, {"because": ["x", {"to": "y", "note": "z"}, "w"]})
    shorter = rewrite(data, {"because": [{"to": "y", "note": "z"}]})

    assert result == data.replace(b"# end", b"    - w\n# end")
    assert shorter == data.replace(b"    -   'x'  # ex\n", b"")


def test_the_empty_lines_of_a_kept_block_are_its_own():
    data = b"---\nsummary: |+\n  x\n\n\n# c\ncustom: y\n---\n"

    added = rewrite(data, {"tags": ["a"]})
    replaced = rewrite(data, {"summary": "z"})

    assert added == data.replace(b"# c", b"tags: [a]\n# c")
    assert replaced == b"---\nsummary: z\n# c\ncustom: y\n---\n"


def test_new_fields_follow_the_usual_order():
    data = b"---\ntitle: x\ncreated: 2026-11-30\nbecause: [y]\n---\n"

    result = rewrite(data, {"status": "open", "touches": ["a.py"], "answers": ["z"]})

    rows = b"title: x\nstatus: open\ncreated: 2026-11-30\ntouches:\n  - a.py\nbecause: [y]\nanswers:\n  - z\n"
    assert result == b"---\n" + rows + b"---\n"


@pytest.mark.parametrize("data", [b"", b"# Heading\r\n\r\nBody", b"\xef\xbb\xbf\nBody\n", b"Body"])
def test_a_file_without_front_matter_gains_one_above_its_text(data):
    result = rewrite(data, {"title": "x"})

    assert result.endswith(data.removeprefix(b"\xef\xbb\xbf"))
    assert result.startswith(b"\xef\xbb\xbf") == data.startswith(b"\xef\xbb\xbf")
    assert parse(result, "").fields == {"title": "x"}
    assert parse(result, "").body == parse(data, "").body


@pytest.mark.parametrize("data", [b"---\n{title: x, type: y}\n---\n", b"---\n? title\n: x\n---\n"])
def test_a_form_that_leaves_no_room_is_refused(data):
    with pytest.raises(GitmemError) as refusal:
        rewrite(data, {"title": "new"})

    assert refusal.value.code == "rewrite-aborted"
    assert parse(data, "").fields["title"] == "x"


@pytest.mark.parametrize("path", sorted(FILES.glob("*-broken.md")), ids=lambda path: path.stem)
def test_case_03_a_broken_file_is_never_rewritten(path):
    data = path.read_bytes()
    errors = [problem for problem in parse(data, path.name).problems if problem.severity == "error"]
    only_body = all(problem.code == "conflict-markers" for problem in errors) and parse(data, "").fields

    try:
        rewrite(data, {"title": "new"})
    except GitmemError as refusal:
        assert refusal.code == "unparsable"
        assert errors
    else:
        assert only_body

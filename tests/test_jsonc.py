"""JSON with comments, changed member by member: nothing else moves by a byte, and what was added can be taken out again."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.operations import jsonc

COMMENTED = """\
// on top
{
    "a": 1, // beside
    /* before */ "list": [
        "x", // one
    ],
    "empty": {}
    // below
}
"""
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(max_size=4).filter(lambda key: key != "ours"), PLAIN, max_size=4)
GAPS = st.sampled_from(["", " ", "\n", "\t", "\r\n", "// c\n", "/* c */"])


@st.composite
def spaced(draw: st.DrawFn, value: Any) -> str:
    """Returns a value as JSON with spaces, comments and trailing commas where they may stand."""
    if isinstance(value, dict):
        parts = [f"{_gap(draw)}{json.dumps(key)}{_gap(draw)}:{_part(draw, each)}" for key, each in value.items()]
    elif isinstance(value, list):
        parts = [_part(draw, each) for each in value]
    else:
        return json.dumps(value)
    trailing = draw(st.booleans())
    comma = "," if parts and trailing else ""
    inner = ",".join(parts) + comma + _gap(draw)
    return f"{{{inner}}}" if isinstance(value, dict) else f"[{inner}]"


def _gap(draw: st.DrawFn) -> str:
    return draw(GAPS)


def _part(draw: st.DrawFn, value: Any) -> str:
    return _gap(draw) + draw(spaced(value)) + _gap(draw)


def value(text: str) -> Any:
    return jsonc.plain(jsonc.parse(text))


def test_comments_and_trailing_commas_are_read() -> None:
    found = value(COMMENTED)

    assert found == {"a": 1, "list": ["x"], "empty": {}}


def test_a_member_is_added_in_the_manner_of_the_file() -> None:
    added = jsonc.put(COMMENTED, ("mcp", "ours"), {"k": [1]})

    lines = added.splitlines()
    assert lines[:6] == COMMENTED.splitlines()[:6]
    assert lines[6:] == [
        '    "empty": {},',
        '    "mcp": {',
        '        "ours": {',
        '            "k": [',
        "                1",
        "            ]",
        "        }",
        "    }",
        "    // below",
        "}",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}", '{\n  "o": 1\n}'),
        ("{ }\n", '{\n  "o": 1\n}\n'),
        ('{"a": 2}', '{"a": 2, "o": 1}'),
        ('{"a": 2,}', '{"a": 2, "o": 1,}'),
        ('{\r\n\t"a": 2\r\n}\r\n', '{\r\n\t"a": 2,\r\n\t"o": 1\r\n}\r\n'),
        ('{\n  "a": 2 // two\n}', '{\n  "a": 2, // two\n  "o": 1\n}'),
        ("{\n  // nothing\n}", '{\n  // nothing\n  "o": 1\n}'),
        ('\ufeff{"a": "}"}', '\ufeff{"a": "}", "o": 1}'),
    ],
)
def test_adding_keeps_every_other_byte(text: str, expected: str) -> None:
    assert jsonc.put(text, ("o",), 1) == expected


@pytest.mark.parametrize(
    "text", ['{"a" 1}', "{", '{"a": }', "[1 2]", '{"a": 1} x', '{"a": tru}', "{'a': 1}", "[" * 999]
)
def test_what_is_no_json_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(ValueError, match=r"^line 2: "):
        jsonc.parse("\n" + text)


@settings(max_examples=120, deadline=None)
@given(st.data(), OBJECTS)
def test_a_member_added_and_dropped_leaves_all_others(data: st.DataObject, known: dict[str, Any]) -> None:
    text = data.draw(spaced(known))

    added = jsonc.put(text, ("ours", "deep"), [1, {"x": 2}])
    dropped = jsonc.drop(added, ("ours",))

    assert value(added) == known | {"ours": {"deep": [1, {"x": 2}]}}
    assert value(dropped) == known
    for comment in ("// c", "/* c */"):
        assert added.count(comment) == dropped.count(comment) == text.count(comment)


@settings(max_examples=80, deadline=None)
@given(st.data(), st.lists(PLAIN, max_size=4), st.data())
def test_items_are_appended_and_dropped_by_their_places(
    data: st.DataObject, items: list[Any], places: st.DataObject
) -> None:
    text = data.draw(spaced({"hooks": {"on": items}}))
    added = jsonc.append(text, ("hooks", "on"), {"ours": True})

    gone = places.draw(st.integers(0, len(items)))
    left = jsonc.drop(added, ("hooks", "on"), [gone])

    assert value(added)["hooks"]["on"] == [*items, {"ours": True}]
    assert value(left)["hooks"]["on"] == [each for place, each in enumerate([*items, {"ours": True}]) if place != gone]

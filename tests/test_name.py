"""Names: what a title becomes, what a name may be, what a note's path is."""

import hashlib
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import GitmemError
from gitmem.notes.name import check_name, check_new_name, fold, is_note_path, is_reserved, name_for, slug

titles = st.text(max_size=200) | st.text(alphabet="aA-_ß İ#+é\u0301构ก็🚀\ufe0f", max_size=90)


def six(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:6]


def named(title: str, taken: dict[str, str] | None = None, created: str | None = None) -> str:
    return name_for(title, taken=taken or {}, created=created)


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Plain files over a database", "plain-files-over-a-database"),
        ("构建流程", "构建流程"),
        ("  Split: core & (edge) / rim… ", "split-core-edge-rim"),
        ('Don\'t "quote" {this} [or] that!?', "don-t-quote-this-or-that"),
        ("Cafe\u0301 Été", "café-été"),
        ("ที่นี่ ภาษาไทย", "ที่นี่-ภาษาไทย"),
        ("a_b.c-d", "a-b-c-d"),
    ],
)
def test_a_title_that_loses_nothing_is_its_slug(title: str, expected: str) -> None:
    assert named(title) == slug(title) == expected


@pytest.mark.parametrize(
    ("title", "bare"), [("C++", "c"), ("Fix #12", "fix-12"), ("Ship 🚀 it", "ship-it"), ("1️⃣", "1")]
)
def test_a_title_that_loses_something_carries_six_digits(title: str, bare: str) -> None:
    assert named(title) == f"{bare}-{six(title)}"


def test_case_15_titles_in_other_scripts_keep_files_of_their_own() -> None:
    names = {named(title) for title in ("构建流程", "发版流程", "ขั้นตอน", "сборка")}

    assert len(names) == 4


@pytest.mark.parametrize("title", ["🚀", "🎯", "", "   ", "-", "\u0301", "\u3164"])
def test_case_16_an_empty_slug_is_the_digits_alone(title: str) -> None:
    assert named(title) == six(title)


def test_case_17_long_titles_with_the_same_first_words_differ() -> None:
    start = "the quick brown fox jumps over the lazy dog and runs into the deep"

    first, second = named(f"{start} wood"), named(f"{start} water")

    assert first != second
    assert first.startswith("the-quick-brown-fox-jumps-over-the-lazy-dog-and-runs-into-the-")
    assert first == f"the-quick-brown-fox-jumps-over-the-lazy-dog-and-runs-into-the-{six(f'{start} wood')}"


def test_a_slug_of_one_long_word_is_cut_inside() -> None:
    assert named("构" * 64) == f"{'构' * 57}-{six('构' * 64)}"


@pytest.mark.parametrize("title", ["CON", "nul", "COM1", "lpt9", "Readme"])
def test_a_reserved_word_carries_six_digits(title: str) -> None:
    assert named(title) == f"{title.lower()}-{six(title)}"


def test_a_name_taken_by_another_title_carries_six_digits() -> None:
    assert named("A b", {"a-b": "A-b"}) == f"a-b-{six('A b')}"


@pytest.mark.parametrize("owner", ["Plan", "PLAN", "plan"])
def test_the_same_title_again_is_numbered_by_title_and_created(owner: str) -> None:
    name = named("Plan", {"plan": owner}, "2026-11-30T11:29:00Z")

    assert name == "plan-" + six("Plan\n2026-11-30T11:29:00Z")


def test_the_same_lossy_title_again_is_numbered_by_title_and_created() -> None:
    first = named("C++", {}, "2026-11-30")

    assert named("C++", {first: "C++"}, "2026-12-01") == "c-" + six("C++\n2026-12-01")


def test_a_collision_of_digits_gets_more_of_them() -> None:
    digest = hashlib.sha256(b"C++").hexdigest()

    assert named("C++", {f"c-{digest[:6]}": "C#"}) == f"c-{digest[:8]}"


def test_a_title_that_used_up_its_names_is_refused() -> None:
    taken: dict[str, str] = {}

    with pytest.raises(GitmemError) as refused:
        for _ in range(100):
            taken[fold(named("Plan", taken, "2026"))] = "Plan"

    assert refused.value.code == "duplicate-name"


def test_case_19_two_branches_name_without_coordination() -> None:
    assert named("Fix #1") == named("Fix #1") != named("Fix +1")


@given(titles)
def test_every_title_gets_a_legal_file_name(title: str) -> None:
    name = named(title)

    assert check_name(name) == name
    assert len(name) <= 64 + 7
    assert len(name.encode()) <= 180
    assert not name.startswith("-") and not name.endswith("-")
    assert not is_reserved(name)
    assert unicodedata.normalize("NFC", name) == name
    assert is_note_path(f"decision/{name}.md")
    assert name == named(title)


@given(st.lists(titles, max_size=8))
def test_different_titles_never_share_a_name(written: list[str]) -> None:
    taken: dict[str, str] = {}

    for title in {fold(title): title for title in written}.values():
        name = fold(named(title, taken))
        assert name not in taken
        taken[name] = title


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text))


@pytest.mark.parametrize(
    "text",
    [
        *("", "  ", "/etc/x", "../x", "a/../../x", "C:\\x", "C:x", "a\\..\\x", "%2e%2e", "x%2Fy", "a\x00b", "a\nb"),
        *("..", ".", ".hidden", "x" * 300, "构" * 90, "con", "NUL", "com1.txt", "a\x1b[2J", "\udcff", "readme"),
    ],
)
def test_case_21_a_name_that_could_leave_the_folder_is_refused(text: str) -> None:
    with pytest.raises(GitmemError) as refused:
        check_name(text)

    assert refused.value.code == "bad-name"
    assert refused.value.status == 3
    assert refused.value.message.endswith(".")
    assert "\x1b" not in refused.value.message


@pytest.mark.parametrize(
    "text", ["plain-files", "My Note (2)", "构建流程", "a..b", "2026.11", "Cafe\u0301", "con-3fa9c1"]
)
def test_case_21_a_stem_that_people_write_is_a_name(text: str) -> None:
    assert check_name(text) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize("text", ["My-Note", "a_b", "a--b", "-a", "a b", "a#", "x" * 90])
def test_a_new_name_is_what_a_slug_could_be(text: str) -> None:
    with pytest.raises(GitmemError) as refused:
        check_new_name(text)

    assert refused.value.hint is not None
    assert check_new_name("plain-files-3fa9c1") == "plain-files-3fa9c1"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        *[("decision/a.md", True), ("a.md", True), ("decision/deep/a.md", True), ("构建/流程.md", True)],
        *[("README.md", False), ("decision/readme.md", False), (".cache/a.md", False), ("decision/.a.md", False)],
        *[
            ("a.txt", False),
            ("config.toml", False),
            (".md", False),
            ("../a.md", False),
            ("/a.md", False),
            ("a//b.md", False),
        ],
        *[("a.MD", False), ("", False)],
    ],
)
def test_what_is_the_path_of_a_note(path: str, expected: bool) -> None:
    assert is_note_path(path) is expected

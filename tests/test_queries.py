"""User text is never query syntax, and words meet however they are spelled."""

import string

import pytest
from conftest import Project, answers, run, told, uncached
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.operations.recall import recall
from gitmem.search.query import Wanted

NOTES = {
    "atomic-write-json": "The function atomic_write_json writes aside, then renames.",
    "dec-0054": "DEC-0054 chose the multi-agent protocol.",
    "init-module": "The package's __init__ holds the version; pass --flag to print it.",
    "http-parser": "Responses go through parseHttpResponse before anything else.",
    "contract": "中文合約轉換 happens at night.",
    "gen-itgc": "重跑gen-itgc后 the report is whole.",
    "korean": "데이터베이스 연결 풀은 작게 유지한다.",
    "thai": "ระบบจัดการฐานข้อมูล ต้องสำรองทุกวัน",
    "coffee": "The café opens the résumé at nine.",
    "space": "The @nasa feed is tagged #orbit and sets a=b.",
    "windows": "On Windows the path C:\\x\\build is too long; see https://example.org/a/b for why it's so.",
}


@pytest.fixture
def library(project: Project) -> Project:
    for name, body in NOTES.items():
        project.note(name, body, title=f"Note {len(name)}")
    for number in range(20):
        project.note(f"filler-{number}", f"Filler number {number} speaks of nothing in particular.")
    return project


def first(project: Project, query: str) -> str | None:
    return next(iter(project.names(query)), None)


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("atomic_write_json", "atomic-write-json"),
        ("atomic write json", "atomic-write-json"),
        ("DEC-0054", "dec-0054"),
        ("dec 0054", "dec-0054"),
        ("multi-agent", "dec-0054"),
        ("__init__", "init-module"),
        ("--flag", "init-module"),
    ],
)
def test_case_42_identifiers_and_hyphens_are_found(library: Project, query: str, name: str) -> None:
    assert first(library, query) == name


@pytest.mark.parametrize(
    "query", ["parseHttpResponse", "parse_http_response", "http response", "ParseHTTPResponse", "parse-http-response"]
)
def test_case_43_one_identifier_in_every_spelling(library: Project, query: str) -> None:
    assert first(library, query) == "http-parser"


@pytest.mark.parametrize("mark", string.punctuation)
def test_case_44_punctuation_changes_no_meaning(library: Project, mark: str) -> None:
    queries = [f"{mark}orbit", f"orbit{mark}", f"{mark}orbit{mark}", f"orbit {mark} feed", f"feed {mark}orbit"]

    found = [first(library, query) for query in queries]

    assert found == ["space"] * len(queries)


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("https://example.org/a/b", "windows"),
        ("C:\\x\\build", "windows"),
        ("why it's so", "windows"),
        ("NOT orbit", "space"),
        ("orbit AND NOT feed", "space"),
        ('"orbit', "space"),
        ("title:orbit", "space"),
        ("terms:orbit^ OR *", "space"),
        ("orbit~ [a TO z] /x.*/", "space"),
        (">>>orbit", "space"),
        ("orbit " * 2000, "space"),
    ],
)
def test_case_44_operators_are_words(library: Project, query: str, name: str) -> None:
    assert first(library, query) == name


@pytest.mark.parametrize("query", ["", "   ", "\n", "(", ">>>", '"', "\\", "-", "\0", "¿?", "x" * 10_000])
def test_case_44_a_query_without_words_is_answered_with_none(library: Project, query: str) -> None:
    answer = recall(library.open(), query, Wanted())

    assert (answer["verdict"], answer["hits"]) == ("none", [])


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(query=st.text(max_size=80) | st.text(alphabet="ab_-.:/(\"'\\*^~[]{}!?&|+ 合約é🚀", max_size=40))
def test_case_44_any_text_is_a_query(library: Project, query: str) -> None:
    answer = recall(library.open(), query, Wanted())

    assert answer["verdict"] in ("strong", "weak", "none")
    assert bool(answer["hits"]) == (answer["verdict"] != "none")


@pytest.mark.parametrize(("query", "name"), [("@nasa", "space"), ("#orbit", "space"), ("a=b", "space")])
def test_case_46_signs_before_words_find_them(library: Project, query: str, name: str) -> None:
    done = run(library.root, "recall", query, "--json")

    assert done.returncode == 0
    assert told(done)["hits"][0]["name"] == name


def test_case_46_what_goes_wrong_is_never_told_as_none(library: Project) -> None:
    done = run(library.root, "recall", "orbit", "--since", "the day before", "--json")

    assert done.returncode in (2, 3)
    assert told(done)["error"]["code"]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("合約", "contract"),
        ("合約轉換", "contract"),
        ("itgc", "gen-itgc"),
        ("重跑", "gen-itgc"),
        ("데이터베이스", "korean"),
        ("연결 풀", "korean"),
        ("ฐานข้อมูล", "thai"),
        ("cafe", "coffee"),
        ("café", "coffee"),
        ("cafe\u0301", "coffee"),
        ("RESUME", "coffee"),
    ],
)
def test_case_48_every_script_is_found_by_its_parts(library: Project, query: str, name: str) -> None:
    assert first(library, query) == name


@pytest.mark.parametrize("query", ["anything", "the of and", "合約", "", "🚀"])
def test_case_51_an_empty_memory_answers_none(project: Project, query: str) -> None:
    done = run(project.root, "recall", query, "--json")

    assert done.returncode == 1
    assert told(done)["verdict"] == "none"
    assert told(done)["hits"] == []


def test_case_51_a_query_of_stop_words_alone_still_asks(library: Project) -> None:
    library.note("who", "The Who is a band, and The The is another.", title="The The")

    assert "who" in library.names("the the")
    assert answers(library.open()) == answers(uncached(library.open()))

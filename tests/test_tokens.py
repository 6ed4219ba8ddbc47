"""Terms: every spelling of a thing meets the others, and nothing else."""

from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.search.tokens import VERSION, Tokenizer

DATA = Path(__file__).parent / "data" / "tokens"

NOTES = {
    "camel": "parseHttpResponse",
    "snake": "snake_case_name",
    "kebab": "kebab-case",
    "server": "HTTPServer2",
    "path": "src/net/http.py",
    "version": "v1.4.25",
    "plus": "C++",
    "sharp": "C#",
    "dotnet": ".NET",
    "chinese": "中文合約轉換",
    "accent": "café",
    "mixed": "重跑gen-itgc后",
    "rocket": "🚀",
    "decision": "DEC-0054",
    "dunder": "__init__",
    "option": "--flag",
    "agents": "multi-agent",
    "writer": "atomic_write_json",
    "thai": "ภาษาไทย",
    "korean": "테스트를 돌린다",
    "hindi": "हिन्दी",
    "coder": "👩🏽‍💻",
    "letter": "grade c, step 2, chapter 25 of 4",
    "symbols": "a net and a plus sign",
}

# Query, and exactly the notes that answer it.
ANSWERS = [
    ("parseHttpResponse", {"camel", "server", "path"}),
    ("parse_http_response", {"camel", "server", "path"}),
    ("parse-http-response", {"camel", "server", "path"}),
    ("parsehttpresponse", {"camel"}),
    ("parsing responses", {"camel"}),
    ("http response", {"camel", "server", "path"}),
    ("snake_case_name", {"snake", "kebab"}),
    ("snakeCaseName", {"snake", "kebab"}),
    ("SNAKE_CASE_NAME", {"snake", "kebab"}),
    ("names", {"snake"}),
    ("kebabCase", {"snake", "kebab"}),
    ("kebab case", {"snake", "kebab"}),
    ("kebabcase", {"kebab"}),
    ("HTTPServer2", {"camel", "server", "path"}),
    ("http_server_2", {"camel", "server", "path"}),
    ("httpserver2", {"server"}),
    ("servers", {"server"}),
    ("src/net/http.py", {"camel", "server", "path", "symbols"}),
    ("src", {"path"}),
    ("http.py", {"camel", "server", "path"}),
    ("src\\net", {"path", "symbols"}),
    ("v1.4.25", {"version"}),
    ("1.4.25", {"version"}),
    ("version 1.4?", {"version"}),
    ("V1.4.25,", {"version"}),
    ("C++", {"plus"}),
    ("c++17", {"plus"}),
    ("c", {"letter"}),
    ("C#", {"sharp"}),
    ("c#", {"sharp"}),
    (".net", {"dotnet"}),
    ("ASP.NET", {"path", "symbols"}),
    ("中文合約轉換", {"chinese"}),
    ("合約", {"chinese"}),
    ("合", {"chinese"}),
    ("約合", set()),
    ("文章", set()),
    ("café", {"accent"}),
    ("cafe", {"accent"}),
    ("CAFE\u0301", {"accent"}),
    ("itgc", {"mixed"}),
    ("gen_itgc", {"mixed"}),
    ("重跑", {"mixed"}),
    ("重跑gen-itgc后", {"mixed"}),
    ("🚀", {"rocket"}),
    ("🚀\ufe0f launch", {"rocket"}),
    ("DEC-0054", {"decision"}),
    ("dec 0054", {"decision"}),
    ("dec0054", {"decision"}),
    ("__init__", {"dunder"}),
    ("init", {"dunder"}),
    ("--flag", {"option"}),
    ("flags", {"option"}),
    ("multiagent", {"agents"}),
    ("multi agent", {"agents"}),
    ("atomicWriteJson", {"writer"}),
    ("write json", {"writer"}),
    ("ไทย", {"thai"}),
    ("테스트", {"korean"}),
    ("हिन्दी", {"hindi"}),
    ("👩‍💻", {"coder"}),
    ("💻", {"coder"}),
]


def found(query: str) -> set[str]:
    tokenizer = Tokenizer()
    asked = set(tokenizer.query_terms(query))
    return {name for name, text in NOTES.items() if asked & set(tokenizer.terms(text))}


@pytest.mark.parametrize(("query", "names"), ANSWERS)
def test_case_42_43_48_every_spelling_finds_its_notes_and_nothing_unrelated(query: str, names: set[str]) -> None:
    assert found(query) == names


def test_case_44_operators_and_punctuation_are_never_terms() -> None:
    punctuation = "".join(chr(code) for code in range(33, 127) if not chr(code).isalnum())

    terms = Tokenizer().terms(f"{punctuation} {' '.join(punctuation)} >>> && || ->")

    assert terms == []


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("NOT foo AND (bar", ["foo", "bar"]),
        ("https://a/b", ["https", "b"]),
        ("C:\\x", ["c", "x"]),
        ("it's", ["it"]),
        ("don't", ["dont"]),
        ("the users' tests", ["user", "test"]),
        ("@nasa #tag k=b", ["nasa", "tag", "k", "b"]),
        ("what is it", ["what", "is", "it"]),
        ("", []),
    ],
)
def test_case_44_46_51_a_question_keeps_its_telling_words_or_all_of_them(query: str, terms: list[str]) -> None:
    assert Tokenizer().query_terms(query) == terms


def test_a_digest_is_found_by_its_first_seven_digits() -> None:
    terms = Tokenizer().terms("6ef7604f4f32815fb8497583b35e331ea432d562")

    assert terms == ["6ef7604f4f32815fb8497583b35e331ea432d562", "6ef7604"]


def test_ten_kilobytes_in_one_word_are_cut_to_short_terms() -> None:
    terms = Tokenizer().terms("x" * 10_000 + " " + "aB3" * 3_000)

    assert max(map(len, terms)) <= 64


def test_the_version_names_the_golden_terms() -> None:
    digest = sha256((DATA / "terms.txt").read_bytes()).hexdigest()

    assert digest[:12] == VERSION


def test_terms_of_the_sample_are_the_golden_ones() -> None:
    tokenizer = Tokenizer()
    sample = (DATA / "sample.txt").read_text(encoding="utf-8").split("\n")

    lines = [" ".join(tokenizer.terms(line)) for line in sample]

    assert "\n".join(lines) == (DATA / "terms.txt").read_text(encoding="utf-8")


@given(st.text(max_size=200))
def test_no_term_holds_white_space_or_is_empty(text: str) -> None:
    terms = Tokenizer().terms(text)

    assert all(term.split() == [term] for term in terms)


@given(st.text(max_size=80), st.text(max_size=80))
def test_terms_of_two_texts_are_the_terms_of_each(first: str, second: str) -> None:
    tokenizer = Tokenizer()

    together = tokenizer.terms(f"{first}\n{second}")

    assert together == Tokenizer().terms(first) + Tokenizer().terms(second)


@given(st.text(max_size=200))
def test_a_question_asks_only_for_terms_that_its_text_would_have_as_a_note(text: str) -> None:
    tokenizer = Tokenizer()

    asked = tokenizer.query_terms(text)

    assert set(asked) <= set(tokenizer.terms(text))
    assert len(asked) == len(set(asked))
    assert bool(asked) == bool(tokenizer.terms(text))


@given(st.from_regex(r"[a-z]{2,8}(_[a-z]{2,8}){1,3}", fullmatch=True))
def test_snake_kebab_and_camel_spellings_have_the_same_terms(name: str) -> None:
    parts = name.split("_")
    camel = parts[0] + "".join(part.capitalize() for part in parts[1:])

    spellings = [Tokenizer().terms(text) for text in (name, "-".join(parts), camel, name.upper())]

    assert spellings == [spellings[0]] * 4

"""The model: the tokenizers package and model2vec are the oracles for our own reading and adding."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.errors import GitmemError
from gitmem.search import embed
from gitmem.search.embed import SCALE, Model, load_user_model, split
from gitmem.search.packing import pack_model

ROOT = Path(__file__).parent.parent
FOLDER = str(ROOT / "gitmem" / "model")
SAMPLE = (ROOT / "tests" / "data" / "tokens" / "sample.txt").read_text(encoding="utf-8")
BENCH = Path(os.environ.get("GITMEM_BENCH") or ROOT.parent / "shared" / "bench")

TEXTS = [*SAMPLE.split("\n"), SAMPLE, SAMPLE * 3, "lock " * 700, "the writer lock", "x" * 101 + " y", "…!?" * 400]


@pytest.fixture(scope="module")
def model() -> Model:
    return Model.open(FOLDER)


@pytest.fixture(scope="module")
def loaded() -> Model:
    model = Model.open(FOLDER)
    model.pieces.load()
    return model


@pytest.fixture(scope="module")
def oracle() -> Any:  # model2vec ships no complete types
    from model2vec import StaticModel

    return StaticModel.from_pretrained(FOLDER)


def oracle_pieces(oracle: Any, texts: list[str]) -> list[list[int]]:
    """Returns what `StaticModel.encode` sums: characters cut first, tokens after."""
    characters = oracle.max_length * oracle.median_token_length
    found: list[list[int]] = oracle.tokenize([text[:characters] for text in texts])
    return found


def cosine(vector: bytes, floats: Any) -> float:
    """Returns the cosine to a float vector, 1 if both are zero."""
    import numpy

    ours = numpy.frombuffer(vector, numpy.int8).astype(float)
    lengths = float(numpy.linalg.norm(ours) * numpy.linalg.norm(floats))
    return float(ours @ floats) / lengths if lengths else float(not ours.any() and not floats.any())


def test_pieces_of_the_sample_are_the_oracles(model: Model, oracle: Any) -> None:
    found = [model.pieces(text) for text in TEXTS]

    assert found == oracle_pieces(oracle, TEXTS)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=300))
def test_pieces_of_any_text_are_the_oracles(model: Model, oracle: Any, text: str) -> None:
    assert model.pieces(text) == oracle_pieces(oracle, [text])[0]


@pytest.mark.parametrize("step", [23, pytest.param(1, marks=pytest.mark.full)])
def test_every_character_is_read_as_the_oracle_reads_it(loaded: Model, oracle: Any, step: int) -> None:
    codes = [*range(0x250), *(code for code in range(0x250, 0x110000, step) if not 0xD800 <= code < 0xE000)]
    texts = [" ".join(f"a{chr(code)}b" for code in codes[start : start + 64]) for start in range(0, len(codes), 64)]

    wrong = [text for text, ids in zip(texts, oracle_pieces(oracle, texts), strict=True) if loaded.pieces(text) != ids]

    assert wrong == []


def test_a_lone_surrogate_is_read_without_an_error(model: Model) -> None:
    assert model.pieces("lock \ud800 writer") == model.pieces("lock") + model.pieces("writer")


def test_the_loaded_vocabulary_answers_as_the_one_searched_in_place(model: Model, loaded: Model) -> None:
    assert [loaded.pieces(text) for text in TEXTS] == [model.pieces(text) for text in TEXTS]


@pytest.mark.skipif(
    not BENCH.is_dir(), reason=f"the retrieval sets are not in {BENCH}: set GITMEM_BENCH to their folder"
)
@pytest.mark.parametrize("name", ["beads_title", "beads_close", "design_title", "design_summary"])
def test_pieces_of_the_retrieval_sets_are_the_oracles(loaded: Model, oracle: Any, name: str) -> None:
    lines = [line for file in ("docs", "queries") for line in (BENCH / name / f"{file}.jsonl").open(encoding="utf-8")]
    texts = [json.loads(line)["text"] for line in lines]

    wrong = sum(loaded.pieces(text) != ids for text, ids in zip(texts, oracle_pieces(oracle, texts), strict=True))

    assert (wrong, len(texts) > 1_000) == (0, True)


def test_vectors_are_the_oracles_but_for_rounding(model: Model, oracle: Any) -> None:
    found = [cosine(model.vector(text), floats) for text, floats in zip(TEXTS, oracle.encode(TEXTS), strict=True)]

    assert min(found) > 0.999


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(max_codepoint=0x2FFF), max_size=100))
def test_vectors_of_any_text_are_the_oracles_but_for_rounding(model: Model, oracle: Any, text: str) -> None:
    assert cosine(model.vector(text), oracle.encode([text])[0]) > 0.999


def test_a_notes_vector_lies_halfway_between_its_opening_and_the_whole(model: Model, oracle: Any) -> None:
    title = "The writer of the index holds its lock for a few milliseconds"
    text = f"{title}\n\n" + "Readers never wait for the index. " * 40

    found = model.passage(text)

    first, whole = oracle.encode([title, text])
    assert cosine(found, first + whole) > 0.999


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("", ""),
        ("Fix", "Fix"),
        ("Fix\n\nThe lock.\n\nMore.", "Fix\n\nThe lock.\n\nMore."),
        ("Fix\n\n" + "lock " * 20 + "\n\nMore.", "Fix\n\n" + "lock " * 20),
        ("x" * 60 + "\n\nMore.", "x" * 60),
        ("lock " * 1_000, "lock " * 120),
    ],
)
def test_an_opening_ends_at_a_blank_line_but_says_something(text: str, first: str) -> None:
    opening, rest = split(text)

    assert opening == first
    assert opening + rest == text[: embed.READ]


def test_many_notes_have_the_vectors_that_each_has_alone(model: Model) -> None:
    texts = [f"{text}\n\n{number} {SAMPLE}" for number, text in enumerate(TEXTS * 4)]

    assert model.passages(texts) == [Model.open(FOLDER).passage(text) for text in texts]


def test_unknown_words_and_no_words_have_no_direction(model: Model) -> None:
    assert model.vector("") == model.passage("") == bytes(model.dims)


def test_a_vector_is_as_long_as_its_scale(model: Model) -> None:
    length = sum(part * part for part in memoryview(model.vector("the writer lock")).cast("b")) ** 0.5

    assert abs(length / SCALE - 1) < 0.01


def test_the_shipped_pack_is_what_packing_gives() -> None:
    assert (Path(FOLDER) / embed.PACK).read_bytes() == pack_model(FOLDER)


def test_only_one_kind_of_model_is_packed(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "model")
    (tmp_path / "model" / "config.json").write_text('{"normalize": false}')

    with pytest.raises(ValueError, match="only a normalised int8 table"):
        pack_model(str(tmp_path / "model"))


@pytest.mark.parametrize("name", ["pack.bin", "model.safetensors"])
@pytest.mark.parametrize("content", [None, b"", b"{}\n", b'{"format": 1}\n', b"not json\nat all"])
def test_a_damaged_or_missing_file_is_a_refusal(tmp_path: Path, name: str, content: bytes | None) -> None:
    for part in ("pack.bin", "model.safetensors"):
        shutil.copy(Path(FOLDER) / part, tmp_path / part)
    (tmp_path / name).unlink()
    if content is not None:
        (tmp_path / name).write_bytes(content)

    with pytest.raises(GitmemError) as refusal:
        Model.open(str(tmp_path))

    assert refusal.value.code == "model_unreadable"
    assert str(tmp_path) in refusal.value.message


def test_a_users_model_reads_as_the_shipped_one_from_the_same_files(model: Model, tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "own")

    own = load_user_model(str(tmp_path / "own"))

    assert own.dims == model.dims
    assert [own.passage(text) for text in TEXTS] == own.passages(TEXTS)
    assert all(_near(own.vector(text), model.vector(text)) for text in TEXTS)
    short = [text for text in TEXTS if len(text) < 500]  # of longer ones `Model.passage` reads more than 512 tokens
    assert all(_near(own.passage(text), model.passage(text)) for text in short)


def _near(one: bytes, other: bytes) -> bool:
    pairs = zip(memoryview(one).cast("b"), memoryview(other).cast("b"), strict=True)
    return max(abs(a - b) for a, b in pairs) <= 1


def test_a_users_models_fingerprint_follows_its_files(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "own")
    before = load_user_model(str(tmp_path / "own")).fingerprint

    (tmp_path / "own" / "config.json").write_text('{"normalize": true, "max_length": 100}')

    assert load_user_model(str(tmp_path / "own")).fingerprint != before


@pytest.mark.parametrize(
    "files",
    [
        None,
        {},
        {"config.json": "{}"},
        {"config.json": "{", "tokenizer.json": "{"},
        {"config.json": "{}", "tokenizer.json": "{}", "model.safetensors": ""},
    ],
)
def test_a_folder_without_a_model_is_a_refusal_and_nothing_is_fetched(
    tmp_path: Path, files: dict[str, str] | None
) -> None:
    folder = tmp_path / "minishlab" / "potion"
    for name, text in (files or {}).items():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)

    with pytest.raises(GitmemError) as refusal:
        load_user_model(str(folder))

    assert refusal.value.code == "model_unreadable"
    assert str(folder) in refusal.value.message


def test_a_question_needs_neither_numpy_nor_tokenizers() -> None:
    program = f"""
import sys
from gitmem.search.embed import Model
from gitmem.search.vectors import Vectors, pack
from gitmem.search.tokens import Tokenizer
from gitmem.search.bm25 import fused
model = Model.open({FOLDER!r})
Vectors(pack(model.passages(["one lock"] * 500))).nearest(model.vector("Ü lock"), 5)
Tokenizer().query_terms("parseHttpResponse")
print(*sorted({{"numpy", "tokenizers", "model2vec", "pathlib", "inspect", "dataclasses", "logging"}} & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}\n{program}"],
        capture_output=True,
        check=False,
        text=True,
    )

    assert (done.stdout.strip(), done.stderr) == ("", "")

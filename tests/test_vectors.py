"""Vectors: the nearest rows are the ones plain arithmetic gives, whatever the layout."""

import struct
from collections.abc import Iterable
from operator import mul

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.search.vectors import Vectors, pack

DIMS = 8
vectors = st.lists(st.binary(min_size=DIMS, max_size=DIMS), max_size=40)
query = st.binary(min_size=DIMS, max_size=DIMS)


def signed(vector: bytes) -> tuple[int, ...]:
    return struct.unpack(f"{len(vector)}b", vector)


def dot(one: bytes, other: bytes) -> int:
    return sum(map(mul, signed(one), signed(other)))


def ranked(rows: dict[int, bytes], asked: bytes, k: int) -> list[tuple[int, int]]:
    scored = sorted((-dot(asked, vector), row) for row, vector in rows.items() if dot(asked, vector) > 0)
    last = scored[min(k, len(scored)) - 1][0] if scored else 0
    return [(row, -score) for score, row in scored if score <= last]


def ranges(rows: Iterable[int]) -> list[range]:
    return [range(row, row + 1) for row in rows]


def some_vectors(count: int) -> list[bytes]:
    """Returns vectors of 256 components without a random source: digits of powers."""
    return [pow(7, 1_000 + 37 * number, 2**2048).to_bytes(256, "little") for number in range(count)]


@given(vectors, query)
def test_dots_are_those_of_plain_arithmetic(stored: list[bytes], asked: bytes) -> None:
    found = Vectors(pack(stored)).dots(asked, range(len(stored)))

    assert found == [dot(asked, vector) for vector in stored]


@given(vectors, vectors, query)
def test_loaded_vectors_give_the_same_products(stored: list[bytes], added: list[bytes], asked: bytes) -> None:
    both = Vectors(pack(stored), added), Vectors(pack(stored), added)
    both[1].load()
    rows = list(range(0, len(both[0]), 2))

    assert both[1].dots(asked, rows) == both[0].dots(asked, rows)
    assert both[1].nearest(asked, 5) == both[0].nearest(asked, 5)


@given(vectors, query, st.integers(1, 10))
def test_nearest_of_few_rows_is_exact_with_all_ties(stored: list[bytes], asked: bytes, k: int) -> None:
    found = Vectors(pack(stored)).nearest(asked, k)

    assert found == ranked(dict(enumerate(stored)), asked, k)


@given(vectors, query, st.data())
def test_nearest_looks_only_at_the_allowed_rows(stored: list[bytes], asked: bytes, data: st.DataObject) -> None:
    allowed = data.draw(st.sets(st.integers(0, len(stored) - 1)) if stored else st.just(set()))

    found = Vectors(pack(stored)).nearest(asked, 3, ranges(allowed))

    assert found == ranked({row: stored[row] for row in allowed}, asked, 3)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 900), st.integers(0, 60), st.sets(st.integers(0, 899), max_size=50))
def test_where_a_row_is_kept_changes_nothing(split: int, k: int, stale: set[int]) -> None:
    everything = some_vectors(900)
    live = sorted(set(range(900)) - stale)

    together = Vectors(pack(everything)).nearest(everything[5], k + 1, ranges(live))
    overlaid = Vectors(pack(everything[:split]), everything[split:]).nearest(everything[5], k + 1, ranges(live))
    rebuilt = Vectors(pack([everything[row] for row in live])).nearest(everything[5], k + 1)

    assert overlaid == together
    assert [(live[row], score) for row, score in rebuilt] == together


def test_coarse_search_keeps_the_rows_whose_signs_differ_least() -> None:
    stored = some_vectors(1_000)
    asked = stored[123]

    rows = Vectors(pack(stored))._coarse(asked, 400, None)

    def differing(vector: bytes) -> int:
        return sum((a > 0) != (b > 0) for a, b in zip(signed(vector), signed(asked), strict=True))

    limit = sorted(map(differing, stored))[399]
    assert rows == [row for row, vector in enumerate(stored) if differing(vector) <= limit]


@pytest.mark.parametrize("stored", [[], [b"\x01\x80"], [b"\0\0", b"\0\0"]])
def test_case_51_empty_small_and_blank_stores_answer(stored: list[bytes]) -> None:
    store = Vectors(pack(stored))

    assert len(store) == len(stored)
    assert store.dots(b"\x02\x01", []) == []
    assert store.nearest(b"\0\0", 5) == []
    assert store.nearest(b"\x7f\x7f", 5) == []
    assert store.nearest(b"\x81\x81", 5) == ranked(dict(enumerate(stored)), b"\x81\x81", 5)


def test_rows_come_back_as_they_were_put_in() -> None:
    stored = some_vectors(9)

    store = Vectors(memoryview(pack(stored[:5])), stored[5:])

    assert [store.row(number) for number in range(len(store))] == stored
    assert store.dims == 256


@pytest.mark.parametrize(
    "damage", [lambda file: file[:-1], lambda file: file + b"\0", lambda file: b"", lambda file: b"x" * 99]
)
def test_a_damaged_file_is_refused(damage) -> None:  # type: ignore[no-untyped-def]
    file = pack(some_vectors(3))

    with pytest.raises(ValueError, match="not a whole vector file"):
        Vectors(damage(file))


def test_vectors_of_another_length_are_refused() -> None:
    with pytest.raises(ValueError, match="another length"):
        Vectors(pack([b"\1\2"]), [b"\1\2\3"])

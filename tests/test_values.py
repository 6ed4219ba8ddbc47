"""A frozen value does what one of `typing.NamedTuple` does, which is why a checker may take it for one."""

import copy
import pickle
import typing
from collections.abc import Callable
from typing import Any

import pytest

from gitmem import values


class Light(values.NamedTuple):
    """What it is."""

    name: str
    size: int
    tags: tuple[str, ...] = ()
    seen: bool = False

    @property
    def label(self) -> str:
        return f"{self.name}:{self.size}"


class Usual(typing.NamedTuple):
    """What it is."""

    name: str
    size: int
    tags: tuple[str, ...] = ()
    seen: bool = False

    @property
    def label(self) -> str:
        return f"{self.name}:{self.size}"


class Long(values.NamedTuple):
    a: int
    b: int
    c: int
    d: int
    e: int
    f: int
    g: int
    h: int
    i: int
    j: int = 10


USES: list[Callable[[Any], object]] = [
    lambda kind: kind("a", 1),
    lambda kind: kind("a", size=1, seen=True),
    lambda kind: kind(seen=True, tags=("x",), size=2, name="b"),
    lambda kind: kind("a", 1)._replace(size=3),
    lambda kind: kind("a", 1)._asdict(),
    lambda kind: kind("a", 1).label,
    lambda kind: repr(kind("a", 1)).partition("(")[2],
    lambda kind: hash(kind("a", 1)),
    lambda kind: (kind._fields, kind._field_defaults, kind.__match_args__, kind.__doc__, kind.__module__),
    lambda kind: kind("a", 1) < kind("b", 0),
]
MISTAKES: list[Callable[[Any], object]] = [
    lambda kind: kind("a"),
    lambda kind: kind("a", 1, (), False, 5),
    lambda kind: kind("a", 1, name="b"),
    lambda kind: kind("a", 1, other="b"),
    lambda kind: kind("a", 1)._replace(other="b"),
]


@pytest.mark.parametrize("use", USES)
def test_a_value_answers_as_the_usual_one(use: Callable[[Any], object]) -> None:
    assert use(Light) == use(Usual)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_value_is_never_built_wrong(mistake: Callable[[Any], object]) -> None:
    with pytest.raises((TypeError, ValueError)):
        mistake(Light)


def test_a_value_cannot_be_changed() -> None:
    value = Light("a", 1)

    for field in ("name", "other"):
        with pytest.raises(AttributeError):
            setattr(value, field, "b")


def test_a_value_of_many_fields_is_built_by_place_and_by_name() -> None:
    assert Long(1, 2, 3, 4, 5, 6, g=7, h=8, i=9) == (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)


def test_a_value_survives_a_copy_and_a_pickle() -> None:
    value = Light("a", 1, tags=("x",))

    copies = [copy.copy(value), pickle.loads(pickle.dumps(value))]

    assert copies == [value, value]
    assert all(type(each) is Light for each in copies)

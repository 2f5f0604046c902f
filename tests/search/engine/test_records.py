"""Records: the same memory for Python, kernels and NumPy."""

from typing import Any

import numba
import numpy as np
import pytest
from numba.core.errors import TypingError

from semisplit.search.engine.toolkit.record import (
    Array,
    Record,
    address_of,
    copy_of,
    dtype_in,
    dtype_of,
    f4,
    f8,
    i4,
    i8,
    offset_of,
    part_of,
    record,
    size_of,
    u8,
)


@record
class Point(Record):
    x: i4
    y: f8


@record
class Shape(Record):
    small: i4
    large: i8
    bits: u8
    weight: f4
    points: Array[Point]


def test_records_are_laid_out_like_those_of_c() -> None:
    assert [offset_of(Point, name) for name in ("x", "y")] == [0, 8]
    assert size_of(Point) == dtype_of(Point).itemsize == 16
    assert dtype_in(Shape, "points") == dtype_of(Point)
    assert size_of(f4) == dtype_of(f4).itemsize == 4


def test_kernels_read_and_write_fields() -> None:
    @numba.njit  # type: ignore[untyped-decorator]
    def change(shape: Shape) -> int:
        shape.small += 1
        shape.large = -(2**40)
        shape.bits = shape.bits >> np.uint64(1)
        shape.weight = 0.5
        return shape.small

    shape = Shape()
    shape.small = 6
    shape.bits = 2**63  # type: ignore[assignment]
    assert change(shape) == 7
    assert (shape.small, shape.large, int(shape.bits), shape.weight) == (7, -(2**40), 2**62, 0.5)


def test_a_field_may_be_an_array_of_records() -> None:
    points = np.zeros(4, dtype_of(Point))

    @numba.njit  # type: ignore[untyped-decorator]
    def fill(shape: Shape) -> None:
        for i in range(4):
            shape.points[i].x = i
            shape.points[i].y = shape.points[i].x / 2

    shape = Shape()
    setattr(shape, "points", points.ctypes.data)  # noqa: B010
    fill(copy_of(shape))
    assert points["x"].tolist() == [0, 1, 2, 3]
    assert points["y"].tolist() == [0.0, 0.5, 1.0, 1.5]


def test_parts_of_arrays() -> None:
    numbers = np.arange(5, dtype="i4")

    @numba.njit  # type: ignore[untyped-decorator]
    def look(array: Array[i4]) -> tuple[int, int]:
        part = part_of(array, 3)
        return part[1], address_of(part, -1)

    assert look(Array[i4](numbers)) == (4, numbers.ctypes.data + 8)


def test_records_of_the_same_name_are_not_the_same() -> None:
    def define() -> type[Any]:
        @record
        class Point(Record):
            y: f8
            x: i4

        return Point

    @numba.njit  # type: ignore[untyped-decorator]
    def change(point: Point) -> None:
        point.x += 1

    points = Point(), define()()
    for point in points:
        change(point)
    assert [point.x for point in points] == [1, 1]
    assert [point.y for point in points] == [0.0, 0.0]


def test_there_are_no_other_fields() -> None:
    @numba.njit  # type: ignore[untyped-decorator]
    def misspelt(shape: Shape) -> int:
        return shape.smal  # type: ignore[attr-defined, no-any-return]

    with pytest.raises(TypingError, match="smal"):
        misspelt(Shape())


def test_memory_has_to_have_elements_of_the_right_size() -> None:
    @numba.njit  # type: ignore[untyped-decorator]
    def first(array: Array[i4]) -> int:
        return array[0]

    with pytest.raises(AssertionError):
        first(Array[i4](np.zeros(1, "i8")))

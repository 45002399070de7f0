# SPDX-License-Identifier: BSD-3-Clause
"""Rows of numbers between Python and the C library: numpy arrays where numpy is installed, lists otherwise."""

import array
import ctypes
from collections.abc import Sequence
from math import prod
from typing import Any

from sinew.errors import RobotInvalid

try:
    import numpy
except ImportError:  # everything works without, with lists
    numpy = None  # type: ignore[assignment]

Pointer = ctypes.POINTER(ctypes.c_double)


def shape_of(values: Any) -> tuple[int, ...]:
    """The shape of an array or of nested lists, by their first elements."""
    if numpy is not None and isinstance(values, numpy.ndarray):
        return values.shape
    if isinstance(values, Sequence) and not isinstance(values, (str, bytes)):
        return (len(values), *(shape_of(values[0]) if len(values) > 0 else ()))
    return ()


def _flat(values: Any, shape: tuple[int, ...]) -> list[float]:
    if not shape:
        return [float(values)]
    if len(values) != shape[0]:
        raise ValueError("rows differ in length")
    return [number for row in values for number in _flat(row, shape[1:])]


class Rows:
    """Numbers for the C library to read: one row of a shape such as (6,) or (4, 4), or a list of such rows."""

    def __init__(self, values: Any, shape: tuple[int, ...], what: str):
        try:
            if numpy is not None:
                self.numbers = numpy.ascontiguousarray(values, dtype=numpy.float64)
                found = self.numbers.shape
            else:
                values = list(values)
                found = shape_of(values)
                self.numbers = array.array("d", _flat(values, found))
        except (TypeError, ValueError) as error:
            raise RobotInvalid(f"{what} takes numbers, not {values!r:.80}: {error}") from error
        self.is_single = found == shape
        if not self.is_single and found[1:] != shape and found != (0,):
            wanted = " x ".join(map(str, shape))
            raise RobotInvalid(f"{what} takes {wanted} numbers, or rows of so many, not {' x '.join(map(str, found))}")
        self.count = 1 if self.is_single else found[0]

    @property
    def pointer(self) -> Any:
        return _pointer_to(self.numbers)

    def flat(self) -> Any:
        """All numbers in a row."""
        return self.numbers.reshape(-1) if numpy is not None else self.numbers


class Answer:
    """Room for `count` rows of a shape that the C library writes."""

    def __init__(self, count: int, *shape: int):
        self.count, self.shape = count, shape
        size = count * prod(shape)
        self.numbers: Any = numpy.zeros(size) if numpy is not None else array.array("d", bytes(8 * size))

    @property
    def pointer(self) -> Any:
        return _pointer_to(self.numbers)

    def rows(self, is_single: bool = False, first: int = 0, last: int | None = None) -> Any:
        """The rows, or the only one, as an array or nested lists; of each row the columns `first` to `last`."""
        table = nested(self.numbers, (self.count, *self.shape))
        if first > 0 or last is not None:
            table = table[:, first:last] if numpy is not None else [row[first:last] for row in table]
        return table[0] if is_single else table


def nested(numbers: Any, shape: tuple[int, ...]) -> Any:
    """Numbers in a row, given a shape."""
    if numpy is not None:
        return numpy.asarray(numbers).reshape(shape)
    if len(shape) == 1:
        return list(numbers)
    step = prod(shape[1:])
    return [nested(numbers[i * step:(i + 1) * step], shape[1:]) for i in range(shape[0])]


def _pointer_to(numbers: Any) -> Any:
    if numpy is not None:
        return numbers.ctypes.data_as(Pointer)
    return ctypes.cast((ctypes.c_double * len(numbers)).from_buffer(numbers), Pointer)

# SPDX-License-Identifier: BSD-3-Clause
"""Turns the bytes of a message into Python's values, and values into bytes."""

import array
import difflib
import math
import operator
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sinew.errors import MessageError, SchemaError
from sinew.schema import Enum, Field, Struct


class EnumName(str):
    """The name of an enum's value; `number` is what stands in the message. Unnamed numbers are their digits."""

    number: int

    def __new__(cls, name: str, number: int) -> "EnumName":
        made = super().__new__(cls, name)
        made.number = number
        return made

    def __getnewargs__(self) -> tuple[str, int]:
        return str(self), self.number

    def __int__(self) -> int:
        return self.number


class Message(Mapping):
    """A struct in the bytes of a message. Fields are decoded when asked for, as attributes or by key."""

    __slots__ = ("_struct", "_bytes", "_offset")

    def __init__(self, layout: Struct, content: bytes, offset: int = 0):
        self._struct = layout
        self._bytes = content
        self._offset = offset

    def __getitem__(self, name: str) -> Any:
        return self._decode(self._struct.fields[name])

    def __getattr__(self, name: str) -> Any:
        if name in Message.__slots__:  # asked for before it is set, as when unpickled
            raise AttributeError(name)
        try:
            member = self._struct.fields[name]
        except KeyError:
            raise AttributeError(_unknown(self._struct, name)) from None
        return self._decode(member)

    def __iter__(self) -> Iterator[str]:
        return iter(self._struct.fields)

    def __len__(self) -> int:
        return len(self._struct.fields)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._struct.fields]

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={value!r}" for name, value in self.items())
        return f"{self._struct.name}({inside})"

    def as_dict(self) -> dict[str, Any]:
        """All fields as plain values: numbers, texts, lists and dicts."""
        return {name: _plain(value) for name, value in self.items()}

    def numpy(self):
        """The bytes as numpy shows them: a structured array without dimensions, not a copy. Needs numpy."""
        import numpy

        if self._offset + self._struct.size > len(self._bytes):
            raise SchemaError(f"the message ends at byte {len(self._bytes)}: it is shorter than its schema says")
        return numpy.ndarray((), self._struct.numpy_dtype, self._bytes, self._offset)

    def _decode(self, member: Field) -> Any:
        start = self._offset + member.offset
        end = start + member.width * max(member.count, 1)
        if end > len(self._bytes):
            raise SchemaError(f"the message ends at byte {len(self._bytes)}, before the end of "
                              f"'{member.name}' at byte {end}: it is shorter than its schema says")
        if member.type == "char":
            return self._bytes[start:end].split(b"\0", 1)[0].decode("utf-8", errors="replace")
        if isinstance(member.type, Struct):
            parts = [Message(member.type, self._bytes, start + i * member.width)
                     for i in range(max(member.count, 1))]
            return parts if member.count else parts[0]
        values = struct.unpack_from(f"<{max(member.count, 1)}{member.code}", self._bytes, start)
        if isinstance(member.type, Enum):
            names = member.type.names
            values = tuple(EnumName(names.get(number, str(number)), number) for number in values)
        return list(values) if member.count else values[0]


def encode(layout: Struct, values: Mapping[str, Any]) -> bytes:
    """A message with these fields set and all others zero. Arrays may be shorter than their field."""
    content = bytearray(layout.size)
    _encode_struct(layout, values, content, 0, "")
    return bytes(content)


def _encode_struct(layout: Struct, values: Mapping[str, Any], content: bytearray, offset: int, path: str) -> None:
    if not isinstance(values, Mapping):
        raise MessageError(f"'{path.rstrip('.')}' is a {layout.name}: it takes a mapping, not {values!r:.80}")
    for name, value in values.items():
        if name not in layout.fields:
            raise MessageError(_unknown(layout, name, path))
        _encode_field(layout.fields[name], value, content, offset, path + name)


def _encode_field(member: Field, value: Any, content: bytearray, offset: int, path: str) -> None:
    start = offset + member.offset
    if member.type == "char":
        _encode_text(member, value, content, start, path)
        return
    elements = _elements(member, value, path) if member.count else [value]
    if member.count and _encode_at_once(member, elements, content, start):
        return
    for i, element in enumerate(elements):
        place = f"{path}[{i}]" if member.count else path
        if isinstance(member.type, Struct):
            _encode_struct(member.type, element, content, start + i * member.width, place + ".")
        else:
            number = _number(member, element, place)
            struct.pack_into("<" + member.code, content, start + i * member.width, number)


def _encode_at_once(member: Field, elements: Sequence[Any], content: bytearray, start: int) -> bool:
    """Encodes an array of numbers in one step; False when something about it needs a closer look."""
    if not isinstance(member.type, str):
        return False
    try:
        if member.code in "fd":
            elements = array.array("d", elements)
            # a sum is finite only when all its parts are
            if not math.isfinite(sum(elements)):
                return False
        struct.pack_into(f"<{len(elements)}{member.code}", content, start, *elements)
    except (TypeError, ValueError, OverflowError, struct.error):
        return False
    return True


def _elements(member: Field, value: Any, path: str) -> Sequence[Any]:
    try:
        elements = list(value)
    except TypeError:
        raise MessageError(f"'{path}' is an array of {member.count}: it takes a list, not {value!r:.80}") from None
    if isinstance(value, (str, bytes, Mapping)):
        raise MessageError(f"'{path}' is an array of {member.count}: it takes a list, not {value!r:.80}")
    if len(elements) > member.count:
        raise MessageError(f"'{path}' holds {member.count} values, not {len(elements)}")
    return elements


def _encode_text(member: Field, value: Any, content: bytearray, start: int, path: str) -> None:
    raw = value.encode("utf-8") if isinstance(value, str) else value
    if not isinstance(raw, (bytes, bytearray)):
        raise MessageError(f"'{path}' takes a text, not {value!r:.80}")
    bound = max(member.count, 1)
    if len(raw) > bound:
        raise MessageError(f"'{path}' holds {bound} bytes of text, not {len(raw)}")
    content[start:start + len(raw)] = raw


def _number(member: Field, value: Any, path: str) -> "int | float":
    if isinstance(member.type, Enum) and isinstance(value, str):
        return _enum_number(member.type, value, path)
    if member.code in "fd":
        return _real(member, value, path)
    try:
        number = operator.index(value)
    except TypeError:
        raise MessageError(f"'{path}' takes a whole number, not {value!r:.80}") from None
    bits = 8 * member.width
    lowest, highest = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if member.code.islower() else (0, (1 << bits) - 1)
    if not lowest <= number <= highest:
        raise MessageError(f"'{path}' cannot be {number}: it goes from {lowest} to {highest}")
    if isinstance(member.type, Enum) and number not in member.type.names:
        raise MessageError(f"'{path}' cannot be {number}: it is one of {', '.join(member.type.names.values())}")
    return number


def _enum_number(kind: Enum, value: str, path: str) -> int:
    if isinstance(value, EnumName):
        return value.number
    for number, name in kind.names.items():
        if name == value:
            return number
    raise MessageError(f"'{path}' cannot be '{value:.80}': it is one of {', '.join(kind.names.values())}")


def _real(member: Field, value: Any, path: str) -> float:
    if isinstance(value, (str, bytes)):
        raise MessageError(f"'{path}' takes a number, not {value!r:.80}")
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise MessageError(f"'{path}' takes a number, not {value!r:.80}") from None
    if not math.isfinite(number):
        raise MessageError(f"'{path}' cannot be {number}: what is not known is left out, never NaN or infinite")
    if member.code == "f" and abs(number) >= 3.4028235677973366e38:
        raise MessageError(f"'{path}' cannot be {number}: it is a float32")
    return number


def _plain(value: Any) -> Any:
    if isinstance(value, Message):
        return value.as_dict()
    if isinstance(value, list):
        return [_plain(element) for element in value]
    return str(value) if isinstance(value, EnumName) else value


def _unknown(layout: Struct, name: str, path: str = "") -> str:
    nearest = difflib.get_close_matches(str(name), layout.fields, n=1, cutoff=0.0)
    hint = f"; did you mean '{path}{nearest[0]}'?" if nearest else ""
    return f"{layout.name} has no field '{path}{name}'{hint}"

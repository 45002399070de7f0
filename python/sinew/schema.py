# SPDX-License-Identifier: BSD-3-Clause
"""Reads the schema text that a channel carries. It may come from anybody: everything is bounded and checked."""

import functools
import re
from dataclasses import dataclass, field
from typing import Any

from sinew.errors import SchemaError, Status

MAX_TEXT = 64 * 1024
MAX_TYPES = 256
MAX_FIELDS = 4096
MAX_MESSAGE_SIZE = 1 << 30

SCALARS = {  # schema name: (code of the struct module, width)
    "int8": ("b", 1), "int16": ("h", 2), "int32": ("i", 4), "int64": ("q", 8),
    "uint8": ("B", 1), "uint16": ("H", 2), "uint32": ("I", 4), "uint64": ("Q", 8),
    "float32": ("f", 4), "float64": ("d", 8), "char": ("s", 1),
}

_STRUCT = re.compile(r"struct +([A-Za-z_]\w{0,62}) +version +(\d{1,10}) +size +(\d{1,10})(?: .*)?", re.ASCII)
_ENUM = re.compile(r"enum +([A-Za-z_]\w{0,62}) +(uint(?:8|16|32|64))(?: .*)?", re.ASCII)
_VALUE = re.compile(r"  +(\d{1,20}) +([A-Za-z_]\w{0,62})(?: .*)?", re.ASCII)
_FIELD = re.compile(r"  +([A-Za-z_]\w{0,62})(?:\[(\d{1,10})\])? +([A-Za-z_]\w{0,62}) +at +(\d{1,10})(?: +(.*))?",
                    re.ASCII)


@dataclass(frozen=True)
class Enum:
    """Named values of an integer."""

    name: str
    code: str
    width: int
    names: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Field:
    """One member of a message."""

    name: str
    type: "str | Enum | Struct"  # a scalar's name, or a type described further up
    width: int                   # bytes of one element
    count: int                   # elements of an array; 0 for a single value
    offset: int                  # bytes from the start of its struct
    unit: str
    text: str

    @property
    def code(self) -> str:
        """The letter of the struct module; empty for a nested struct."""
        if isinstance(self.type, str):
            return SCALARS[self.type][0]
        return self.type.code if isinstance(self.type, Enum) else ""


@dataclass
class Struct:
    """A message, or a part of one."""

    name: str
    version: int
    size: int
    text: str
    fields: dict[str, Field] = field(default_factory=dict)

    @functools.cached_property
    def numpy_dtype(self) -> Any:
        """The dtype that lays these fields over a message's bytes. Needs numpy."""
        import numpy  # only here, since all else works without it

        formats = []
        for member in self.fields.values():
            if isinstance(member.type, Struct):
                element = member.type.numpy_dtype
            elif member.type == "char":
                element = numpy.dtype(f"S{max(member.count, 1)}")
            else:
                element = numpy.dtype("<" + member.code)
            is_array = member.count and member.type != "char"
            formats.append((element, (member.count,)) if is_array else element)
        return numpy.dtype({"names": list(self.fields), "formats": formats,
                            "offsets": [member.offset for member in self.fields.values()],
                            "itemsize": self.size})


@dataclass(frozen=True)
class Schema:
    """A schema text, understood. `message` is its last struct; those before are its parts."""

    message: Struct
    types: dict[str, "Enum | Struct"]


class _Reader:
    """Reads a schema line by line."""

    def __init__(self) -> None:
        self.types: dict[str, Enum | Struct] = {}
        self.current: Enum | Struct | None = None
        self.field_count = 0
        self.end_of_last = 0  # of the fields of the current struct [bytes]
        self.last_struct: Struct | None = None

    def read_line(self, line: str) -> None:
        head, _, text = line.partition(" : ")
        if head.startswith("  "):
            self.field_count += 1
            self.check(self.field_count <= MAX_FIELDS, f"more than {MAX_FIELDS} fields and values")
            if isinstance(self.current, Enum):
                self.read_value(self.current, head)
            else:
                self.read_field(head, text)
            return
        self.check(len(self.types) < MAX_TYPES, f"more than {MAX_TYPES} types")
        if head.startswith("struct "):
            self.read_struct(head, text)
        elif head.startswith("enum "):
            self.read_enum(head)
        else:
            raise SchemaError(f"'{head[:40]}' is neither 'struct' nor 'enum'", Status.DAMAGED)

    def read_struct(self, head: str, text: str) -> None:
        found = _STRUCT.fullmatch(head)
        self.check(found, "a struct reads 'struct NAME version N size N'")
        size = int(found[3])
        self.check(1 <= size <= MAX_MESSAGE_SIZE, f"size {size} is not within 1 to {MAX_MESSAGE_SIZE}")
        self.last_struct = Struct(found[1], int(found[2]), size, text)
        self.end_of_last = 0
        self.add_type(self.last_struct)

    def read_enum(self, head: str) -> None:
        found = _ENUM.fullmatch(head)
        self.check(found, "an enum reads 'enum NAME uintN'")
        self.add_type(Enum(found[1], *SCALARS[found[2]]))

    def add_type(self, new: "Enum | Struct") -> None:
        self.check(new.name not in self.types, f"type '{new.name}' is defined twice")
        self.types[new.name] = self.current = new

    def read_value(self, owner: Enum, head: str) -> None:
        found = _VALUE.fullmatch(head)
        self.check(found and int(found[1]) < 2**64, "an enum value reads '  NUMBER NAME'")
        owner.names.setdefault(int(found[1]), found[2])

    def read_field(self, head: str, text: str) -> None:
        owner = self.current
        self.check(isinstance(owner, Struct), "a field stands outside any struct")
        found = _FIELD.fullmatch(head)
        self.check(found, "a field reads '  TYPE[COUNT] NAME at OFFSET [UNIT]'")
        type_name, count, name, offset = found[1], int(found[2] or 0), found[3], int(found[4])
        self.check(found[2] is None or count > 0, f"'{type_name}[{found[2]}]' is no array type")
        unit = found[5].strip() if found[5] else ""
        unit = unit[1:-1] if len(unit) > 2 and unit[0] == "[" and unit[-1] == "]" else ""
        kind = type_name if type_name in SCALARS else self.types.get(type_name)
        # only types described further up can be used, so no type can contain itself
        self.check(kind is not None and kind is not owner, f"type '{type_name}' is not defined above")
        width = SCALARS[kind][1] if isinstance(kind, str) else kind.size if isinstance(kind, Struct) else kind.width
        end = offset + width * max(count, 1)
        self.check(end <= owner.size,
                   f"field '{name}' ends at byte {end}, beyond the {owner.size} bytes of '{owner.name}'")
        # in order and apart from each other, so that a short text cannot stand for more values than there are bytes
        self.check(offset >= self.end_of_last, f"field '{name}' begins at byte {offset}, before the end of the "
                                               f"field above it at {self.end_of_last}")
        self.end_of_last = end
        self.check(name not in owner.fields, f"field '{name}' is defined twice")
        owner.fields[name] = Field(name, kind, width, count, offset, unit, text)

    @staticmethod
    def check(is_right: object, complaint: str) -> None:
        if not is_right:
            raise SchemaError(complaint, Status.DAMAGED)


def parse_schema(text: str) -> Schema:
    """The schema that `text` describes; a refusal names the line."""
    if len(text) > MAX_TEXT:
        raise SchemaError(f"schema line 1: {len(text)} bytes are too long; the bound is {MAX_TEXT}", Status.DAMAGED)
    lines = text.removesuffix("\n").split("\n")
    if lines[0] != "sinew-schema 1":
        raise SchemaError("schema line 1: it must begin with 'sinew-schema 1'", Status.DAMAGED)
    reader = _Reader()
    for number, line in enumerate(lines[1:], start=2):
        try:
            reader.read_line(line)
        except SchemaError as complaint:
            raise SchemaError(f"schema line {number}: {complaint}", Status.DAMAGED) from None
    if reader.last_struct is None:
        raise SchemaError(f"schema line {len(lines)}: it describes no struct", Status.DAMAGED)
    return Schema(reader.last_struct, reader.types)

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reads the message structs in src/sinew/messages/*.h and writes what is derived from them.

The C++ struct is the one definition. From it come the schema text that every channel carries, compile-time
checks that the compiler lays the struct out as the schema says, the same structs for C, and the reference page.

Structs follow a narrow form, one member a line:
    std::int64_t stamp_ns = 0;   ///< When it was sampled.
    JointArray position{};       ///< [rad, m] A unit in brackets becomes the field's unit.
"""

import argparse
import pathlib
import re
import sys
from dataclasses import dataclass, field

SCALARS = {  # C++ name: (schema name, size, C name)
    "std::int8_t": ("int8", 1, "int8_t"), "std::uint8_t": ("uint8", 1, "uint8_t"),
    "std::int16_t": ("int16", 2, "int16_t"), "std::uint16_t": ("uint16", 2, "uint16_t"),
    "std::int32_t": ("int32", 4, "int32_t"), "std::uint32_t": ("uint32", 4, "uint32_t"),
    "std::int64_t": ("int64", 8, "int64_t"), "std::uint64_t": ("uint64", 8, "uint64_t"),
    "float": ("float32", 4, "float"), "double": ("float64", 8, "double"), "char": ("char", 1, "char"),
}


class Complaint(Exception):
    """A header that does not keep to the narrow form: file, line and what is wrong."""


@dataclass
class Enum:
    name: str
    base: str
    text: str
    values: list = field(default_factory=list)  # (name, number, text)


@dataclass
class Member:
    name: str
    type: str      # C++ name of the element type
    count: int     # 0: not an array
    unit: str
    text: str
    offset: int = 0


@dataclass
class Struct:
    name: str
    header: str
    text: str
    alignment: int
    version: int = 0
    members: list = field(default_factory=list)
    size: int = 0


class Definitions:
    """All enums and structs of the headers read so far, in order."""

    def __init__(self):
        self.headers = set()
        self.constants, self.aliases, self.enums, self.structs = {}, {}, {}, {}

    def read(self, path):
        """Reads a header, and first those of the same folder that it includes. Others than message headers are passed over."""
        text = path.read_text(encoding="utf-8")
        if path in self.headers or "kVersion = " not in text:
            return
        self.headers.add(path)
        for name in re.findall(r'#include "sinew/messages/(\w+\.h)"', text):
            self.read(path.parent / name)
        lines = text.splitlines()
        doc, i = [], 0
        while i < len(lines):
            line = lines[i].strip()
            if line.startswith("///"):
                doc.append(line[3:].strip())
            elif m := re.fullmatch(r"inline constexpr \S+ (k\w+) = (\d+);", line):
                self.constants[m[1]] = int(m[2])
            elif m := re.fullmatch(r"using (\w+) = (std::array<.*>);", line):
                self.aliases[m[1]] = m[2]
            elif m := re.fullmatch(r"enum class (\w+) : (std::uint\d+_t) \{", line):
                i = self.read_enum(path, lines, i, Enum(m[1], m[2], paragraph(doc)))
            elif m := re.fullmatch(r"struct alignas\((\d+)\) (\w+) \{", line):
                i = self.read_struct(path, lines, i, Struct(m[2], path.name, paragraph(doc), int(m[1])))
            elif line.startswith(("struct ", "enum ", "class ")):
                raise Complaint(f"{path}:{i + 1}: '{line}' is neither 'struct alignas(N) Name {{' nor 'enum class Name : std::uintN_t {{'")
            if not line.startswith("///"):
                doc = []
            i += 1

    def read_enum(self, path, lines, i, enum):
        while (line := line_after(path, lines, i)) != "};":
            i += 1
            m = re.fullmatch(r"(\w+) = (\d+),(?:\s*///< (.*))?", line)
            if not m:
                raise Complaint(f"{path}:{i + 1}: enumerator must read 'Name = number,  ///< text', not '{line}'")
            enum.values.append((m[1], int(m[2]), m[3] or ""))
        self.enums[enum.name] = enum
        return i + 1

    def read_struct(self, path, lines, i, struct):
        while (line := line_after(path, lines, i)) != "};":
            i += 1
            if not line:
                continue
            if m := re.fullmatch(r"static constexpr std::uint32_t kVersion = (\d+);", line):
                struct.version = int(m[1])
            elif line.startswith("///<") and struct.members:
                struct.members[-1].text += " " + line[4:].strip()
            else:
                struct.members.append(self.read_member(f"{path}:{i + 1}", line))
        if struct.version == 0:
            raise Complaint(f"{path}: struct {struct.name} has no kVersion")
        self.lay_out(path, struct)
        self.structs[struct.name] = struct
        return i + 1

    def read_member(self, where, line):
        m = re.fullmatch(r"([\w:]+(?:<[^>]+>)?) (\w+)(?: = [^;,]+|\{\});(?:\s*///< ?(.*))?", line)
        if not m:
            raise Complaint(f"{where}: member must read 'type name = value;  ///< text', not '{line}'")
        type_name, count = self.aliases.get(m[1], m[1]), 0
        if array := re.fullmatch(r"std::array<([\w:]+), (\w+)>", type_name):
            type_name = array[1]
            if array[2] not in self.constants and not array[2].isdigit():
                raise Complaint(f"{where}: '{array[2]}' is no known constant")
            count = self.constants[array[2]] if array[2] in self.constants else int(array[2])
        if type_name not in SCALARS and type_name not in self.enums and type_name not in self.structs:
            raise Complaint(f"{where}: type '{m[1]}' is no fixed-width number, enum, or struct defined before")
        text = m[3] or ""
        unit = re.match(r"\[([^\]]+)\] ?", text)
        if unit:
            text = text[unit.end():].strip()
        units = unit[1] if unit else ("ns" if m[2].endswith("_ns") else "")
        return Member(m[2], type_name, count, units, text)

    def lay_out(self, path, struct):
        offset = 0
        for member in struct.members:
            size, alignment = self.size_of(member.type)
            if offset % alignment:
                raise Complaint(f"{path}: {struct.name}.{member.name} would need hidden padding before it at "
                                f"offset {offset}; add a 'reserved' member")
            member.offset = offset
            offset += size * max(member.count, 1)
        if offset % struct.alignment:
            raise Complaint(f"{path}: {struct.name} would need hidden padding at its end ({offset} bytes, "
                            f"alignment {struct.alignment}); add a 'reserved' member")
        struct.size = offset

    def size_of(self, type_name):
        if type_name in SCALARS:
            return SCALARS[type_name][1], SCALARS[type_name][1]
        if type_name in self.enums:
            return self.size_of(self.enums[type_name].base)
        return self.structs[type_name].size, self.structs[type_name].alignment

    def schema_name(self, type_name):
        return SCALARS[type_name][0] if type_name in SCALARS else type_name

    def schema_text(self, struct):
        """The text that travels in a channel: the types the message uses, then the message itself."""
        out = ["sinew-schema 1"]
        for name in self.used_types(struct):
            if name in self.enums:
                enum = self.enums[name]
                out.append(f"enum {name} {SCALARS[enum.base][0]}" + tail(enum.text))
                out += [f"  {number} {value}" + tail(text) for value, number, text in enum.values]
            else:
                out += self.struct_lines(self.structs[name])
        return "\n".join(out + self.struct_lines(struct)) + "\n"

    def struct_lines(self, struct):
        lines = [f"struct {struct.name} version {struct.version} size {struct.size}" + tail(struct.text)]
        for m in struct.members:
            count = f"[{m.count}]" if m.count else ""
            unit = f" [{m.unit}]" if m.unit else ""
            lines.append(f"  {self.schema_name(m.type)}{count} {m.name} at {m.offset}{unit}" + tail(m.text))
        return lines

    def used_types(self, struct):
        used = []
        for member in struct.members:
            if member.type in self.structs:
                used += [t for t in self.used_types(self.structs[member.type]) if t not in used]
            if member.type not in SCALARS and member.type not in used:
                used.append(member.type)
        return used


def line_after(path, lines, i):
    if i + 1 == len(lines):
        raise Complaint(f"{path}: a struct or enum has no end")
    return lines[i + 1].strip()


def paragraph(doc):
    return " ".join(line for line in doc if line)


def tail(text):
    return f" : {text}" if text else ""


def headers_of(definitions):
    return sorted({s.header for s in definitions.structs.values()})


def cpp_header(definitions):
    out = ["// Generated by tools/generate_messages.py from the structs in sinew/messages; not to be edited.",
           "#pragma once", "", "#include <array>", "", '#include "sinew/messages/message_schema.h"']
    out += [f'#include "sinew/messages/{h}"' for h in headers_of(definitions)]
    out += ["", "namespace sinew {", ""]
    for struct in definitions.structs.values():
        out += [f"template <>", f"struct SchemaOf<{struct.name}> {{",
                f'  static constexpr std::string_view kText = R"schema({definitions.schema_text(struct)})schema";',
                f'  static constexpr MessageSchema kSchema{{"{struct.name}", {struct.name}::kVersion, '
                f"sizeof({struct.name}), schema_hash(kText), kText}};", "};", ""]
    names = ", ".join(f"&SchemaOf<{name}>::kSchema" for name in definitions.structs)
    out += ["/// Every message there is.", f"inline constexpr std::array<const MessageSchema*, {len(definitions.structs)}> "
            f"kAllMessages{{{names}}};", "", "}  // namespace sinew", ""]
    return "\n".join(out)


def cpp_checks(definitions):
    out = ["// Generated by tools/generate_messages.py: the compiler confirms the layout that the schemas state.",
           "#include <cstddef>", "", '#include "sinew/messages/schemas.h"', "", "namespace sinew {", ""]
    for s in definitions.structs.values():
        out.append(f"static_assert(sizeof({s.name}) == {s.size} && alignof({s.name}) == {s.alignment});")
        out += [f"static_assert(offsetof({s.name}, {m.name}) == {m.offset});" for m in s.members]
    return "\n".join(out + ["", "}  // namespace sinew", ""])


def c_header(definitions):
    out = ["/* Generated by tools/generate_messages.py: Sinew's messages for C. Not to be edited. */",
           "#ifndef SINEW_MESSAGES_H", "#define SINEW_MESSAGES_H", "", "#include <assert.h>", "#include <stddef.h>",
           "#include <stdint.h>", ""]
    out += [f"#define SINEW_{snake(name).upper()} {value}" for name, value in definitions.constants.items()] + [""]
    for e in definitions.enums.values():
        values = ", ".join(f"SINEW_{snake(e.name).upper()}_{snake(v).upper()} = {n}" for v, n, _ in e.values)
        out += [f"/** {e.text} */", f"enum sinew_{snake(e.name)} {{ {values} }};", ""]
    for s in definitions.structs.values():
        out += [f"/** {s.text} */", f"typedef struct sinew_{snake(s.name)} {{"]
        for m in s.members:
            count = f"[{m.count}]" if m.count else ""
            note = " ".join(x for x in (f"[{m.unit}]" if m.unit else "", m.text) if x)
            out.append(f"  {c_type(definitions, m.type)} {m.name}{count};" + (f" /**< {note} */" if note else ""))
        name = f"sinew_{snake(s.name)}"
        out += [f"}} {name};", f'static_assert(sizeof({name}) == {s.size}, "{name} is laid out as its schema says");', ""]
        text = definitions.schema_text(s).replace("\\", "\\\\").replace('"', '\\"')
        literal = " \\\n  ".join(f'"{line}\\n"' for line in text.splitlines())
        out += [f"#define SINEW_{snake(s.name).upper()}_SCHEMA \\\n  {literal}", ""]
    return "\n".join(out + ["#endif", ""])


def c_type(definitions, type_name):
    if type_name in SCALARS:
        return SCALARS[type_name][2]
    if type_name in definitions.enums:
        return SCALARS[definitions.enums[type_name].base][2]
    return f"sinew_{snake(type_name)}"


def snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.removeprefix("k")).lower()


def reference_page(definitions):
    out = ["# Messages", "", "Every struct that crosses a process, as `tools/generate_messages.py` reads it from "
           "`src/sinew/messages`. Little-endian, naturally aligned, no hidden padding.", ""]
    for e in definitions.enums.values():
        out += [f"## {e.name}", "", e.text, "", "| value | name | means |", "|---|---|---|"]
        out += [f"| {n} | `{v}` | {t} |" for v, n, t in e.values] + [""]
    for s in definitions.structs.values():
        out += [f"## {s.name}", "", f"{s.text} Version {s.version}, {s.size} bytes.", "",
                "| offset | type | field | unit | means |", "|---|---|---|---|---|"]
        for m in s.members:
            count = f"[{m.count}]" if m.count else ""
            out.append(f"| {m.offset} | {definitions.schema_name(m.type)}{count} | `{m.name}` | {m.unit} | {m.text} |")
        out.append("")
    return "\n".join(out)


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
    else:
        path.touch()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, help="the room whose headers define the messages")
    parser.add_argument("--out", type=pathlib.Path, help="folder for the generated sources")
    parser.add_argument("--page", type=pathlib.Path, help="write the reference page here")
    parser.add_argument("--check-page", type=pathlib.Path, help="fail when this reference page is out of date")
    arguments = parser.parse_args()

    definitions = Definitions()
    try:
        for header in sorted(arguments.folder.glob("*.h")):
            definitions.read(header)
    except (Complaint, OSError) as complaint:
        sys.exit(f"generate_messages: {complaint}")

    if arguments.out:
        write(arguments.out / "sinew/messages/schemas.h", cpp_header(definitions))
        write(arguments.out / "sinew/messages/schemas.cc", cpp_checks(definitions))
        write(arguments.out / "sinew_messages.h", c_header(definitions))
    if arguments.page:
        write(arguments.page, reference_page(definitions))
    if arguments.check_page and (not arguments.check_page.exists()
                                 or arguments.check_page.read_text(encoding="utf-8") != reference_page(definitions)):
        sys.exit(f"{arguments.check_page} is out of date: run "
                 f"tools/generate_messages.py --page {arguments.check_page} {arguments.folder}")


if __name__ == "__main__":
    main()

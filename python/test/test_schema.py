# SPDX-License-Identifier: BSD-3-Clause
"""Tests of sinew.schema."""

import random
import unittest

from sinew import SchemaError, parse_schema, remove
from sinew.channel import Place
from sinew.library import calls
from space_case import MIXED_SCHEMA, SpaceCase


SPOILERS = ["", "\n", " ", "9", "[", "]", "é", "struct", "enum", "  ", "at", "0", "-1", "float64", "\t", ":", " : "]


class SchemaTest(SpaceCase):
    """Reading schema texts."""

    def test_reads_every_kind_of_field(self):
        message = parse_schema(MIXED_SCHEMA).message
        self.assertEqual((message.name, message.version, message.size), ("Mixed", 3, 96))
        self.assertEqual(message.text, "A bit of everything.")
        self.assertEqual([f.offset for f in message.fields.values()], [0, 8, 16, 20, 21, 24, 40, 56, 88])
        self.assertEqual(message.fields["counts"].unit, "counts")
        self.assertEqual(message.fields["colour"].type.names, {0: "Red", 1: "Green"})

    def test_refuses_with_the_line_and_the_reason(self):
        cases = {
            "": "line 1: it must begin with 'sinew-schema 1'",
            "sinew-schema 1\n": "it describes no struct",
            "sinew-schema 1\nunion U\n": "line 2: 'union U' is neither 'struct' nor 'enum'",
            "sinew-schema 1\n  int8 x at 0\n": "line 2: a field stands outside any struct",
            "sinew-schema 1\nstruct A version 1 size 0\n": "size 0 is not within 1 to",
            "sinew-schema 1\nstruct A version 1 size 8\n  int64 x at 1\n": "field 'x' ends at byte 9, beyond the 8",
            "sinew-schema 1\nstruct A version 1 size 8\n  A x at 0\n": "type 'A' is not defined above",
            "sinew-schema 1\nstruct A version 1 size 8\n  int8[0] x at 0\n": "'int8[0]' is no array type",
            "sinew-schema 1\nstruct A version 1 size 8\n  int8 x at 0\n  int8 x at 1\n":
                "line 4: field 'x' is defined twice",
            "sinew-schema 1\nstruct A version 1 size 8\nstruct A version 1 size 8\n": "type 'A' is defined twice",
            "sinew-schema 1\nenum E int8\n": "an enum reads",
            "sinew-schema 1\n" + "x" * 70000: "too long",
        }
        for text, complaint in cases.items():
            with self.subTest(text=text[:60]), self.assertRaisesRegex(SchemaError, complaint.replace("[", r"\[")):
                parse_schema(text)

    def test_refuses_a_short_text_that_stands_for_endless_values(self):
        lines = ["sinew-schema 1", "struct S0 version 1 size 1", "  int8 x at 0"]
        for level in range(1, 30):
            lines.append(f"struct S{level} version 1 size 1")
            lines += [f"  S{level - 1} f{i} at 0" for i in range(8)]
        with self.assertRaisesRegex(SchemaError, "field 'f1' begins at byte 0, before the end of the field above it at 1"):
            parse_schema("\n".join(lines))

    def test_agrees_with_the_c_library_about_spoilt_texts(self):
        seeded = random.Random(1)
        agreed = {True: 0, False: 0}
        for _ in range(2000):
            spoilt = MIXED_SCHEMA.split(" ") if seeded.random() < 0.3 else list(MIXED_SCHEMA)
            between = " " if len(spoilt) < len(MIXED_SCHEMA) else ""
            for _ in range(seeded.randint(1, 4)):
                spoilt[seeded.randrange(len(spoilt))] = seeded.choice(SPOILERS)
            text = between.join(spoilt)
            try:
                is_schema = bool(parse_schema(text))
            except SchemaError:
                is_schema = False
            self.assertEqual(is_schema, self.is_taken_by_the_library(text), text)
            agreed[is_schema] += 1
        self.assertGreater(min(agreed.values()), 100)

    def is_taken_by_the_library(self, text: str) -> bool:
        status = calls().sinew_create(Place("spoilt", self.space, text).options(), None)
        if status == 0:
            remove("spoilt", self.space)
        return status == 0


if __name__ == "__main__":
    unittest.main()

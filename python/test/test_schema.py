# SPDX-License-Identifier: BSD-3-Clause
"""Tests of sinew.schema."""

import random
import unittest

from sinew import SchemaError, parse_schema
from space_case import MIXED_SCHEMA


class SchemaTest(unittest.TestCase):
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
            "sinew-schema 1\nstruct A version 1 size 8\n  int8 x at 0\n  int8 x at 1\n": "line 4: field 'x' is defined twice",
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
        with self.assertRaisesRegex(SchemaError, "values"):
            parse_schema("\n".join(lines))

    def test_survives_any_spoilt_text(self):
        seeded = random.Random(1)
        for _ in range(3000):
            spoilt = list(MIXED_SCHEMA)
            for _ in range(seeded.randint(1, 6)):
                place = seeded.randrange(len(spoilt))
                spoilt[place] = seeded.choice(["", "\n", " ", "9", "[", "]", "\0", "é", "struct", "  "])
            try:
                parse_schema("".join(spoilt))
            except SchemaError:
                pass


if __name__ == "__main__":
    unittest.main()

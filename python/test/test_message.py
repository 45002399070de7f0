# SPDX-License-Identifier: BSD-3-Clause
"""Tests of sinew.message: values to bytes and back, with and without numpy."""

import importlib.util
import subprocess
import sys
import unittest

from sinew import Message, MessageError, SchemaError, parse_schema
from sinew.message import encode
from space_case import MIXED_SCHEMA

MIXED = parse_schema(MIXED_SCHEMA).message
VALUES = {"small": -128, "large": 2**64 - 1, "ratio": 0.5, "colour": "Green", "colours": ["Red", "Green", "Red"],
          "label": "elbow é", "origin": {"x": 1.5, "y": -2.5}, "corners": [{"x": 1.0, "y": 0.0}, {"x": 0.0, "y": 3.0}],
          "counts": [1, -2, 32767, -32768]}


class MessageTest(unittest.TestCase):
    """Decoding and encoding."""

    def test_gives_back_what_was_encoded(self):
        message = Message(MIXED, encode(MIXED, VALUES))
        self.assertEqual(message.as_dict(), VALUES)
        self.assertEqual(encode(MIXED, message), encode(MIXED, VALUES))

    def test_gives_fields_as_attributes_and_by_key(self):
        message = Message(MIXED, encode(MIXED, VALUES))
        self.assertEqual(message.corners[1].y, 3.0)
        self.assertEqual(message["origin"]["x"], 1.5)
        self.assertEqual((message.colour, message.colour.number, int(message.colour)), ("Green", 1, 1))
        self.assertIn("counts", dir(message))
        self.assertIn("label='elbow é'", repr(message))
        with self.assertRaisesRegex(AttributeError, "did you mean 'label'"):
            message.lable

    def test_shows_the_digits_of_an_enum_number_without_a_name(self):
        raw = bytearray(encode(MIXED, VALUES))
        raw[20] = 200
        self.assertEqual(Message(MIXED, bytes(raw)).colour, "200")
        self.assertEqual(Message(MIXED, bytes(raw)).colour.number, 200)

    def test_says_where_a_short_message_ends(self):
        message = Message(MIXED, encode(MIXED, VALUES)[:20])
        self.assertEqual(message.ratio, 0.5)
        with self.assertRaisesRegex(SchemaError, "ends at byte 20, before the end of 'colour' at byte 21"):
            message.colour

    def test_refuses_what_a_field_cannot_hold(self):
        cases = [
            ({"smal": 1}, "Mixed has no field 'smal'; did you mean 'small'"),
            ({"origin": {"z": 1}}, "Point has no field 'origin.z'"),
            ({"small": 128}, "'small' cannot be 128: it goes from -128 to 127"),
            ({"large": -1}, "'large' cannot be -1: it goes from 0 to 18446744073709551615"),
            ({"small": 0.5}, "'small' takes a whole number, not 0.5"),
            ({"ratio": float("nan")}, "'ratio' cannot be nan"),
            ({"ratio": float("inf")}, "'ratio' cannot be inf"),
            ({"ratio": 1e39}, "'ratio' cannot be 1e.39: it is a float32"),
            ({"ratio": "0.5"}, "'ratio' takes a number, not '0.5'"),
            ({"corners": [{}, {"x": float("nan")}]}, r"'corners\[1\].x' cannot be nan"),
            ({"colour": "Blue"}, "'colour' cannot be 'Blue': it is one of Red, Green"),
            ({"colour": 7}, "'colour' cannot be 7: it is one of Red, Green"),
            ({"counts": [1, 2, 3, 4, 5]}, "'counts' holds 4 values, not 5"),
            ({"counts": [1, 2, 70000]}, r"'counts\[2\]' cannot be 70000: it goes from -32768 to 32767"),
            ({"counts": [1, 2.5]}, r"'counts\[1\]' takes a whole number, not 2.5"),
            ({"counts": 1}, "'counts' is an array of 4: it takes a list, not 1"),
            ({"label": "x" * 17}, "'label' holds 16 bytes of text, not 17"),
            ({"origin": 5}, "'origin' is a Point: it takes a mapping, not 5"),
        ]
        for values, complaint in cases:
            with self.subTest(values=values), self.assertRaisesRegex(MessageError, complaint):
                encode(MIXED, values)

    def test_refuses_what_an_array_of_reals_cannot_hold(self):
        layout = parse_schema("sinew-schema 1\nstruct A version 1 size 64\n  float64[4] d at 0\n  float32[4] f at 32\n")
        nan, infinite = float("nan"), float("inf")
        cases = [({"d": [0, nan]}, r"'d\[1\]' cannot be nan"),
                 ({"d": [infinite, -infinite]}, r"'d\[0\]' cannot be inf"),
                 ({"d": [0.0, "1"]}, r"'d\[1\]' takes a number"), ({"f": [1.0, 1e39]}, r"'f\[1\]' .* is a float32")]
        for values, complaint in cases:
            with self.subTest(values=values), self.assertRaisesRegex(MessageError, complaint):
                encode(layout.message, values)
        largest = [1.7e308, 1.7e308, True, 3]
        self.assertEqual(Message(layout.message, encode(layout.message, {"d": largest})).d, largest)

    def test_fills_up_short_arrays_with_zeros(self):
        self.assertEqual(Message(MIXED, encode(MIXED, {"counts": [5]})).counts, [5, 0, 0, 0])


WITH_NUMPY = """
import numpy
from test_message import MIXED, VALUES
from sinew import Message
from sinew.message import encode
content = encode(MIXED, {**VALUES, "counts": numpy.array([1, 2, 3, 4])})
view = Message(MIXED, content).numpy()
assert view["counts"].tolist() == [1, 2, 3, 4] and view["corners"]["y"].tolist() == [0.0, 3.0]
assert view["label"].item().decode() == "elbow \\u00e9" and view["large"] == 2**64 - 1
assert view.dtype.itemsize == 96 and not view.flags.writeable
assert numpy.shares_memory(view, numpy.frombuffer(content, numpy.uint8)), "it is a copy"
"""
WITHOUT_NUMPY = """
import sys
sys.modules["numpy"] = None
import unittest
from test_message import MIXED, MessageTest, Message, encode
try:
    Message(MIXED, encode(MIXED, {})).numpy()
    sys.exit("numpy was there")
except ImportError:
    pass
suite = unittest.defaultTestLoader.loadTestsFromTestCase(MessageTest)
sys.exit(not unittest.TextTestRunner().run(suite).wasSuccessful())
"""


class NumpyTest(unittest.TestCase):
    """Both kinds of machine: one that has numpy and one that has not."""

    def run_program(self, program: str) -> None:
        ended = subprocess.run([sys.executable, "-B", "-c", program], cwd=__file__.rpartition("/")[0] or ".",
                               capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stderr)

    def test_everything_else_works_without_numpy(self):
        self.run_program(WITHOUT_NUMPY)

    if importlib.util.find_spec("numpy"):
        def test_shows_the_message_without_a_copy(self):
            self.run_program(WITH_NUMPY)


if __name__ == "__main__":
    unittest.main()

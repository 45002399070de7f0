# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the Python package share."""

import os
import shutil
import unittest

MIXED_SCHEMA = """sinew-schema 1
enum Colour uint8 : Of things.
  0 Red
  1 Green : Like grass.
struct Point version 1 size 16
  float64 x at 0 [m]
  float64 y at 8 [m]
struct Mixed version 3 size 96 : A bit of everything.
  int8 small at 0
  uint64 large at 8 : Up to the top.
  float32 ratio at 16
  Colour colour at 20
  Colour[3] colours at 21
  char[16] label at 24
  Point origin at 40
  Point[2] corners at 56
  int16[4] counts at 88 [counts]
"""


class SpaceCase(unittest.TestCase):
    """A test with a space of its own, gone afterwards."""

    def setUp(self) -> None:
        self.space = f"python-test-{os.getpid()}"
        os.environ["SINEW_SPACE"] = self.space
        self.addCleanup(shutil.rmtree, f"/dev/shm/sinew-{self.space}", ignore_errors=True)

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Poses with free components, section 4.1.2 of the MDS-Ach paper. Usage: scenario.py BIN LIB [DEVICE]"""

import math
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from running_robot import DONE, MOVE_TOOL, REFUSED, UNREACHABLE, RobotCase, main  # noqa: E402
from sinew.message import encode  # noqa: E402

PITCH = 0b010000


class Orientation(RobotCase):
    def test_positions_with_free_orientation_then_x_and_pitch_alone(self):
        for position in ((0.35, 0.45, 0.25), (0.35, 0.10, -0.05), (0.45, 0.10, -0.05)):
            reply = self.robot.move_hand("left", position)
            self.assertEqual(reply.status, DONE, reply.reason)
            self.assertLess(math.dist(self.robot.hand("left")["position"], position), 1e-3)
        reply = self.robot.move_hand("left", (0.45, 0.0, 0.0), rpy=(0.0, math.pi / 2, 0.0), component_mask=PITCH | 1)
        self.assertEqual(reply.status, DONE, reply.reason)
        hand = self.robot.hand("left")
        self.assertAlmostEqual(hand["position"][0], 0.45, delta=1e-3)
        self.assertAlmostEqual(hand["rpy"][1], math.pi / 2, delta=5e-3)

    def test_what_cannot_be_is_said(self):
        self.assertEqual(self.robot.move_hand("left", (2.0, 0.0, 0.0)).status, UNREACHABLE)
        # Python refuses to send what is no number, so it is put as bytes
        schema = self.robot.requests.schema.message
        request = bytearray(encode(schema, {"verb": MOVE_TOOL, "arm": "left", "component_mask": 7, "speed": 1.0}))
        struct.pack_into("<d", request, schema.fields["position"].offset, math.nan)
        reply = self.robot.answer_to(self.robot.requests.put(bytes(request)))
        self.assertEqual(reply.status, REFUSED)
        self.assertIn("no finite number", reply.reason)
        reply = self.robot.move_hand("lift", (0.3, 0.2, 0.0))
        self.assertEqual(reply.status, REFUSED)
        self.assertIn("did you mean 'left'", reply.reason)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The left hand goes round the box of the MDS-Ach paper's section 8.3. Usage: scenario.py BIN LIB [DEVICE]"""

import math
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from running_robot import ABORTED, DONE, MOVE_TOOL, RobotCase, main  # noqa: E402

CORNERS = [(0.4, 0.45, 0.25), (0.4, -0.05, 0.25), (0.4, -0.05, -0.25), (0.4, 0.45, -0.25)]


class Box(RobotCase):
    def test_every_corner_is_met_within_a_millimetre(self):
        self.assertEqual(self.robot.move_hand("left", (0.3, 0.2, 0.0)).status, DONE)
        for corner in CORNERS:
            reply = self.robot.move_hand("left", corner)
            self.assertEqual(reply.status, DONE, reply.reason)
            self.assertLess(math.dist(self.robot.hand("left")["position"], corner), 1e-3)

    def test_a_killed_service_stops_the_hand_and_answers_when_it_is_back(self):
        number = self.robot.ask(verb=MOVE_TOOL, arm="left", position=CORNERS[2])
        while self.robot.replies.next(timeout=60).request != number:
            pass
        self.robot.kill("sinew-motion")
        while max(abs(velocity) for velocity in self.robot.state.newest().velocity) > 1e-6:
            time.sleep(0.05)
        self.assertGreater(math.dist(self.robot.hand("left")["position"], CORNERS[2]), 0.05)
        self.robot.start("sinew-motion", "--robot", "mds")
        reply = self.robot.answer_to(number)
        self.assertEqual(reply.status, ABORTED)
        self.assertIn("started anew", reply.reason)
        reply = self.robot.move_hand("left", CORNERS[0])
        self.assertEqual(reply.status, DONE, reply.reason)
        self.assertLess(math.dist(self.robot.hand("left")["position"], CORNERS[0]), 1e-3)

    def test_a_flood_of_nonsense_disturbs_no_motion_and_is_counted(self):
        number = self.robot.ask(verb=MOVE_TOOL, arm="left", position=CORNERS[1])
        while self.robot.replies.next(timeout=60).request != number:
            pass
        good = self.robot.requests.schema.message.size
        for i in range(5000):
            self.robot.requests.put(bytes([255]) * good)
        self.assertEqual(self.robot.answer_to(number).status, DONE)
        self.assertLess(math.dist(self.robot.hand("left")["position"], CORNERS[1]), 1e-3)
        health = self.robot.channel("health-motion")
        deadline = time.monotonic() + 30.0
        while health.newest().refusals < 5000:
            self.assertLess(time.monotonic(), deadline, f"only {health.newest().refusals} of 5000 are counted")
            time.sleep(0.1)

    def test_the_papers_forty_steps(self):
        reply = self.robot.move_hand("left", (0.3, 0.2, 0.0), is_legacy=1)
        self.assertEqual((reply.status, reply.steps), (DONE, 40), reply.reason)
        for got, printed in zip(self.robot.hand("left")["position"], (0.29986, 0.20049, 0.00014)):
            self.assertAlmostEqual(got, printed, delta=1e-3 if self.DEVICE != "ideal" else 2e-5)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Both hands to one place, section 4.2 of the MDS-Ach paper. Usage: scenario.py BIN LIB [DEVICE]"""

import math
import pathlib
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from running_robot import BLOCKED, DONE, SOLVE, UNREACHABLE, RobotCase, main  # noqa: E402

PLACE = (0.3, 0.2, 0.0)
NEAR_IT = (0.3, 0.18, 0.0)  # the right hand's limits end 4 mm short of PLACE


def is_of_both_arms(*names: str) -> bool:
    return sorted(name.split("_")[0] for name in names) == ["left", "right"]


class BothHands(RobotCase):
    def setUp(self):
        super().setUp()
        # every touch that began or ended in a step of the physics
        self.contacts = self.robot.channel("sensor/contacts", start="oldest") if self.DEVICE == "simulator" else None

    def touches(self) -> "list[str]":
        """What of the robot has touched anything, in physics, since it was started."""
        found = []
        while self.contacts is not None and self.contacts.wait(timeout=0.0):
            event = self.contacts.next(timeout=0.0)
            self.assertEqual(event.missed, 0)
            if event.is_touching and any(name.startswith("mds/") for name in (event.a, event.b)):
                found.append(f"{event.a} and {event.b}")
        return found

    def test_the_second_hand_is_told_what_is_in_its_way(self):
        self.assertEqual(self.robot.move_hand("left", PLACE).status, DONE)
        reply = self.robot.move_hand("right", NEAR_IT)
        self.assertEqual(reply.status, BLOCKED, reply.reason)
        links = re.findall(r"\b(?:left|right)_\w+", reply.reason)
        self.assertTrue(is_of_both_arms(*links), reply.reason)
        self.assertEqual(self.touches(), [])

    def test_programs_that_ask_nobody_are_stopped_by_the_guard(self):
        goals = {}
        for arm in ("left", "right"):
            reply = self.robot.carry_out(verb=SOLVE, arm=arm, position=PLACE)
            self.assertIn(reply.status, (DONE, UNREACHABLE), reply.reason)
            self.assertLess(reply.position_error, 0.005)
            goals[arm] = reply
        for arm, goal in goals.items():
            channel = self.robot.sinew.Channel.create(f"mds/ref/{arm}-program", self.robot.space,
                                                      schema="JointReference", exist_ok=True)
            self.addCleanup(channel.close)
            channel.put(stamp_ns=0, joint_mask=goal.joint_mask, position=list(goal.joints))
        safety = self.wait_until_held()
        self.assertEqual(safety.reason, "SelfCollision")
        self.assertTrue(is_of_both_arms(safety.link_a, safety.link_b), (safety.link_a, safety.link_b))
        apart = math.dist(self.robot.hand("left")["position"], self.robot.hand("right")["position"])
        self.assertGreater(apart, 0.01)
        self.assertEqual(self.touches(), [])

    def wait_until_held(self):
        """What `safety` says once the joints are held and rest."""
        deadline = time.monotonic() + 60.0
        while time.monotonic() < deadline:
            safety, state = self.robot.safety.newest(), self.robot.state.newest()
            if safety.held_mask and max(abs(v) for v in state.velocity) < 1e-3:
                return safety
            time.sleep(0.05)
        raise AssertionError("nothing was held")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Owner, queue, pause and speed on running processes. Usage: scenario.py BIN LIB [DEVICE]"""

import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import running_robot
from running_robot import ABORTED, DONE, MOVE_TOOL, PATIENCE, REFUSED, STOP

UP = [0.4, 0.45, 0.25]
DOWN = [0.4, 0.45, -0.25]


class Control(running_robot.RobotCase):
    def setUp(self):
        super().setUp()
        self.motion = self.robot.channel("motion")

    def wait_until(self, is_so):
        """The first state on `motion` of which that is true."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            state = self.motion.newest()
            if state is not None and is_so(state):
                return state
            time.sleep(0.02)
        raise AssertionError(f"it did not come to that: {self.motion.newest()}")

    def ask(self, verb, who, **fields):
        return self.robot.ask(verb=verb, who=who, **fields)

    def answer(self, verb, who, **fields):
        return self.robot.carry_out(verb=verb, who=who, **fields)

    def move(self, who, position, **fields):
        return self.ask(MOVE_TOOL, who, arm="left", position=position, **fields)

    def test_one_owner_at_a_time(self):
        self.assertEqual(self.answer("TakeControl", "ann").status, DONE)
        self.wait_until(lambda state: state.owner == "ann")
        refused = self.answer(MOVE_TOOL, "bob", arm="left", position=UP)
        self.assertEqual(refused.status, REFUSED)
        self.assertIn("'ann' has control", refused.reason)
        under_way = self.move("ann", DOWN, speed=0.2)
        self.wait_until(lambda state: state.request == under_way and state.progress > 0)
        self.assertEqual(self.answer("TakeControl", "bob").status, DONE)
        self.wait_until(lambda state: state.owner == "bob")
        # bob's first motion begins once ann's has come to rest
        self.assertEqual(self.robot.answer_to(self.move("bob", UP)).status, DONE)
        self.assertEqual(self.answer("LeaveControl", "bob").status, DONE)
        self.assertEqual(self.robot.answer_to(self.move("ann", DOWN)).status, DONE)

    def test_anybody_may_stop(self):
        self.assertEqual(self.answer("TakeControl", "ann").status, DONE)
        under_way = self.move("ann", DOWN, speed=0.2)
        self.wait_until(lambda state: state.request == under_way and state.progress > 0)
        self.ask(STOP, "bob")
        stopped = self.robot.answer_to(under_way)
        self.assertEqual(stopped.status, ABORTED)
        self.assertIn("of 'bob'", stopped.reason)

    def test_pause_and_speed_on_the_way(self):
        move = self.move("ann", DOWN, speed=0.3)
        self.wait_until(lambda state: state.request == move and state.progress > 0)
        self.assertEqual(self.answer("SetOverride", "ann", speed=0.5).status, DONE)
        self.assertEqual(self.answer("Pause", "ann").status, DONE)
        paused = self.wait_until(lambda state: state.phase == "Paused")
        self.assertLess(paused.progress, 1.0)
        time.sleep(0.5)
        self.assertEqual(self.motion.newest().progress, paused.progress)
        self.assertEqual(self.answer("SetOverride", "ann", speed=1.0).status, DONE)
        self.assertEqual(self.answer("Resume", "ann").status, DONE)
        self.assertEqual(self.robot.answer_to(move).status, DONE)

    def test_what_waits_has_its_turn(self):
        numbers = [self.move("ann", DOWN)]
        numbers += [self.move("ann", position, order="After") for position in (UP, DOWN)]
        self.wait_until(lambda state: state.queue_length == 2)
        for number in numbers:
            self.assertEqual(self.robot.answer_to(number).status, DONE)
        self.wait_until(lambda state: state.phase == "Idle" and state.queue_length == 0)


if __name__ == "__main__":
    running_robot.main()

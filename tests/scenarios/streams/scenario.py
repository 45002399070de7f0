#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Jogging, and a robot that follows another, as processes. Usage: scenario.py BIN LIB [DEVICE]"""

import pathlib
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from running_robot import ABORTED, PATIENCE, ROOT, RobotCase, RunningRobot, programs  # noqa: E402

ELBOW = 3


class Streams(unittest.TestCase):
    def setUp(self) -> None:
        self.panda = RunningRobot(RobotCase.BIN, RobotCase.DEVICE, "panda")
        self.addCleanup(self.panda.close)

    def start_follower(self) -> None:
        self.follower = RunningRobot(RobotCase.BIN, RobotCase.DEVICE, "yarc-industrial")
        self.addCleanup(self.follower.close)

    def jog(self, seconds: float, velocity: float, until=lambda: False) -> None:
        jog = self.panda.channel("jog")
        self.addCleanup(jog.close)
        velocities = [0.0] * 64
        velocities[ELBOW] = velocity
        end = time.monotonic() + seconds
        while time.monotonic() < end and not until():
            jog.put(stamp_ns=self.panda.state.newest().stamp_ns, lease_ns=400_000_000, frame="Joints",
                    joint_mask=1 << ELBOW, joint_velocity=velocities, speed=1.0, who="scenario")
            time.sleep(0.02)

    def wait_for_rest(self, robot: RunningRobot) -> None:
        deadline = time.monotonic() + PATIENCE
        still = 0
        while still < 20:
            self.assertLess(time.monotonic(), deadline, "never rests")
            still = still + 1 if max(abs(v) for v in robot.state.newest().velocity) < 1e-6 else 0
            time.sleep(0.02)

    def test_a_held_key_moves_a_joint_and_its_release_ends_that(self):
        begin = self.panda.state.newest().position[ELBOW]
        self.jog(PATIENCE, 0.3, lambda: self.panda.state.newest().position[ELBOW] > begin + 0.3)
        self.assertGreater(self.panda.state.newest().position[ELBOW], begin + 0.3)
        self.wait_for_rest(self.panda)
        jogging = self.panda.channel("jogging").newest()
        self.assertEqual(jogging.reason, "Silent", jogging.words)
        self.assertEqual(self.panda.safety.newest().state, "Running")

    def test_a_killed_motion_service_is_a_smooth_stop(self):
        begin = self.panda.state.newest().position[ELBOW]
        self.jog(PATIENCE, 0.3, lambda: self.panda.state.newest().position[ELBOW] > begin + 0.1)
        self.panda.kill("sinew-motion")
        self.wait_for_rest(self.panda)
        safety = self.panda.safety.newest()
        self.assertEqual(safety.state, "Running")
        self.assertEqual((safety.reason, safety.motion_end), ("WriterDead", "Orphaned"))

    def test_one_robot_follows_another_until_that_is_dead(self):
        self.start_follower()
        before = self.follower.state.newest().position[:6]
        done = subprocess.run([sys.executable, ROOT / "examples/12_master_slave.py", self.panda.space, "3"],
                              capture_output=True, text=True, check=False, env=self.environment())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("Accepted: follows 'panda'", done.stdout)
        self.assertIn("stopped by request", done.stdout)
        self.wait_for_rest(self.follower)
        after = self.follower.state.newest().position[:6]
        self.assertGreater(max(abs(a - b) for a, b in zip(before, after)), 1e-3, "it did not move")
        # a master that dies
        number = self.follower.ask(verb="FollowMaster", text="{master: panda}")
        time.sleep(0.5)
        self.panda.kill("sinew-controller")
        reply = self.follower.answer_to(number)
        self.assertEqual(reply.status, ABORTED)
        self.assertIn("master 'panda' has said nothing", reply.reason)
        self.wait_for_rest(self.follower)
        self.assertEqual(self.follower.safety.newest().state, "Running")

    def test_who_is_not_there_is_not_followed(self):
        number = self.panda.ask(verb="FollowMaster", text="{master: ur5e}")
        reply = self.panda.answer_to(number)
        self.assertEqual(reply.status, "Refused")
        self.assertIn("does not run in space", reply.reason)

    @staticmethod
    def environment() -> dict:
        import os
        return {**os.environ, "PYTHONPATH": str(ROOT / "python")}


if __name__ == "__main__":
    RobotCase.BIN, RobotCase.DEVICE = programs()
    unittest.main()

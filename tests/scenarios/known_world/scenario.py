#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A robot that was started in a world knows what stands there. Usage: scenario.py SINEW LIB"""

import json
import os
import pathlib
import subprocess
import sys
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
SINEW, LIBRARIES = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
del sys.argv[1:3]
os.environ["LD_LIBRARY_PATH"] = str(LIBRARIES)
sys.path.insert(0, str(ROOT / "python"))
import sinew as sinew_package  # noqa: E402

SPACE = f"known-world-{os.getpid()}"
# between the shoulders [m]: the top of the table is at -0.4065, from x = 0.4 on
ABOVE, WITHIN = (0.45, 0.25, -0.2), (0.45, 0.25, -0.45)
PATIENCE = 120.0  # [s]


def sinew(*words: str) -> subprocess.CompletedProcess:
    return subprocess.run([SINEW, *words, "--space", SPACE], capture_output=True, text=True, check=False, cwd=ROOT)


def told(*words: str) -> str:
    done = sinew(*words)
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


class AKnownWorld(unittest.TestCase):
    def setUp(self):
        self.addCleanup(self.stop)
        told("start", "mds", "--sim", "--world", "mds", "--no-web")
        self.robot = sinew_package.LiveRobot("mds", SPACE)
        self.addCleanup(self.robot.close)
        self.contacts = self.robot.channel("sensor/contacts", start="oldest")

    def stop(self):
        told("stop")
        self.assertFalse(pathlib.Path(f"/dev/shm/sinew-{SPACE}").exists(), "something stays behind")

    def touched(self) -> "list[str]":
        """What the robot has touched since the world began."""
        touches = []
        while self.contacts.wait(timeout=0.0):
            event = self.contacts.next(timeout=0.0)
            if event.is_touching and (event.a.startswith("mds/") or event.b.startswith("mds/")):
                touches.append(f"{event.a} and {event.b}")
        return touches

    def joints_at(self, position) -> "tuple[int, list[float]]":
        reply = self.robot.ask(verb="Solve", arm="left", position=position, component_mask=7)
        return reply.joint_mask, list(reply.joints)

    def wait_until(self, what: str, is_true) -> None:
        deadline = time.monotonic() + PATIENCE
        while not is_true():
            self.assertLess(time.monotonic(), deadline, f"never came true: {what}")
            time.sleep(0.05)

    def rests(self) -> bool:
        return max(abs(velocity) for velocity in self.robot.state.velocity) < 0.01

    def test_a_hand_driven_at_the_table_by_a_program_that_asks_nobody_never_touches_it(self):
        listed = told("console", "-c", "world list")
        self.assertIn("table", listed)
        self.assertNotIn("cube", listed, "what is to be grasped is not in the way of who grasps it")
        reference = sinew_package.Channel.create("mds/ref/blind", SPACE, schema="JointReference", exist_ok=True)
        self.addCleanup(reference.close)
        goals = {place: self.joints_at(place) for place in (ABOVE, WITHIN)}
        for place in (ABOVE, WITHIN):
            mask, joints = goals[place]
            reference.put(stamp_ns=0, joint_mask=mask, position=joints)
            held = place is WITHIN
            self.wait_until(f"the hand rests at {place}",
                            lambda: bool(self.robot.safety.held_mask) == held and self.rests()
                            and (held or self.is_at(mask, joints)))
            self.assertEqual(self.touched(), [])
        safety = self.robot.safety
        self.assertEqual((safety.state, safety.reason, safety.link_b), ("Running", "WorldCollision", "table"))
        # the motion service knows it, too, and says so before anything moves
        with self.assertRaises(sinew_package.MotionFailed) as refused:
            self.robot.ask(verb="MoveTool", arm="left", position=WITHIN, component_mask=7)
        self.assertIn("table", str(refused.exception))

    def is_at(self, mask: int, joints: "list[float]") -> bool:
        position = self.robot.position
        return all(abs(position[i] - joints[i]) < 5e-3 for i in range(len(position)) if mask >> i & 1)

    def test_what_somebody_says_of_the_world_outlives_simulator_and_motion(self):
        told("console", "-c", "world remove table")
        self.assertNotIn("table", told("console", "-c", "world list"))
        for role in ("simulator", "motion"):
            with self.subTest(role=role):
                before = self.pid(role)
                os.kill(before, 9)
                self.wait_until(f"{role} is back", lambda: self.pid(role) not in (0, before))
                self.wait_until("the world is told", lambda: sinew("console", "-c", "world list").returncode == 0)
                self.assertNotIn("table", told("console", "-c", "world list"))

    def pid(self, role: str) -> int:
        status = json.loads(sinew("status", "--json").stdout)
        return next(int(p["pid"]) for p in status["robots"][0]["processes"] if p["role"] == role)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

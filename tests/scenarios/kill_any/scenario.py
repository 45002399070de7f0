#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Anybody may die, at any moment of the box. Usage: scenario.py BIN LIB [ROUNDS]"""

import json
import math
import pathlib
import random
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from braking_judge import NOTICED, WATCHDOG, DeviceLog, Verdict, kill, limits_of, stands, wait_until  # noqa: E402
from running_robot import DONE, MOVE_TOOL, StartedRobot, programs  # noqa: E402

BIN, ROUNDS = programs()
ROUNDS = int(ROUNDS) if ROUNDS.isdigit() else 2
CORNERS = [(0.4, 0.45, 0.25), (0.4, -0.05, 0.25), (0.4, -0.05, -0.25), (0.4, 0.45, -0.25)]
SPEED = 0.4  # so slow that from half of a side its end is much further away than any braking distance


class AnybodyMayDie(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.robot = StartedRobot(BIN)
        cls.addClassCleanup(cls.robot.close)
        model = json.loads(cls.robot.run_sinew("model", "mds", "--json"))
        cls.limits = limits_of(model)
        cls.names = {joint["position"]: joint["name"] for joint in model["joints"] if joint["position"] is not None}

    def test_the_robot_stops_within_its_braking_distance_the_others_live_and_service_resumes(self):
        rng = random.Random(5)
        for number in range(ROUNDS):
            for victim in ("motion", "controller", "simulator"):
                with self.subTest(victim=victim, round=number):
                    self.kill_on_the_box(victim, rng.randrange(4), rng.uniform(0.05, 0.5))

    def pids(self) -> "dict[str, int]":
        status = json.loads(self.sinew("status", "--json"))
        return {process["role"]: int(process["pid"]) for process in status["robots"][0]["processes"]}

    def sinew(self, *words: str) -> str:
        """What it prints, also where it fails: 'status' does so for a robot that is not well."""
        return subprocess.run([BIN / "sinew", *words, "--space", self.robot.space],
                              capture_output=True, text=True, check=False).stdout

    def kill_on_the_box(self, victim: str, side: int, share: float):
        """Ends a process when that share of a side of the box is done."""
        start, goal = CORNERS[side], CORNERS[(side + 1) % 4]
        self.bring_to(start)
        before = self.pids()
        log = DeviceLog(self.robot)
        motion = self.robot.channel("motion")
        asked = self.robot.ask(verb=MOVE_TOOL, arm="left", position=goal, speed=SPEED)
        wait_until("the hand is on its way", lambda: motion.newest().request == asked and motion.newest().progress >= share)
        speeds = list(self.robot.channel("processed").newest().velocity)
        kill(before[victim])
        killed_ns = self.robot.channel("device/state").newest().message.stamp_ns
        wait_until(f"{victim} is brought back", lambda: self.pids()[victim] not in (0, before[victim]))
        now = self.pids()
        for role, pid in before.items():
            if role != victim:
                self.assertEqual(now[role], pid, f"{role} died with {victim}")
        time.sleep(1.0)  # whoever were to move on would have time for it
        wait_until("the joints rest", self.rests)
        states = log.close()
        if victim == "simulator":
            self.judge_new_device([state for state in states if state[2] == now["simulator"]])
        else:
            self.judge_way(states, killed_ns, speeds, NOTICED if victim == "motion" else WATCHDOG)
            self.assertGreater(math.dist(self.robot.hand("left")["position"], goal), 0.05, "it went on to its goal")
        self.bring_to(start)

    def judge_way(self, states: list, killed_ns: int, speeds: "list[float]", reaction: float):
        """No joint went further than one that goes on for the reaction's time and then brakes within its limits."""
        verdict = Verdict(states, killed_ns, speeds, self.limits, reaction)
        self.assertGreater(verdict.states, 500, "the device fell silent")
        self.assertLessEqual(verdict.way, verdict.bound, self.names.get(verdict.joint))
        print(f"killed at {max(map(abs, speeds)):.3f} rad/s: the way of the joint that went furthest of what it may was "
              f"{verdict.way:.4f} rad, of {verdict.bound:.4f}", file=sys.stderr)

    def judge_new_device(self, states: list):
        """A device that is new stays where it begins, whatever was wanted of the one before."""
        self.assertGreater(len(states), 500)
        self.assertTrue(stands(states, self.limits))

    def rests(self) -> bool:
        before = list(self.robot.channel("device/state").newest().position)
        time.sleep(0.2)
        after = list(self.robot.channel("device/state").newest().position)
        return max(abs(a - b) for a, b in zip(before, after)) < 1e-3

    def bring_to(self, corner: "tuple[float, float, float]"):
        """After a reset, where one is needed, the hand goes where it is sent."""
        def is_there() -> bool:
            if json.loads(self.sinew("read", "--once", "--json"))["state"] != "running":
                self.sinew("console", "-c", "reset")
                return False
            self.robot.open_channels()
            return self.robot.move_hand("left", corner).status == DONE
        wait_until(f"the hand is at {corner}", is_there)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Anybody may die, at any moment of a motion. Usage: scenario.py SINEW [ROUNDS]"""

import json
import os
import random
import signal
import subprocess
import sys
import time
import unittest

SINEW = sys.argv[1]
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 2
SPACE = f"kill-any-{os.getpid()}"
GOALS = ["0.3 0.2 0.0", "0.25 0.35 -0.1"]


def sinew(*words: str) -> subprocess.CompletedProcess:
    return subprocess.run([SINEW, *words, "--space", SPACE], capture_output=True, text=True, check=False)


def console(line: str, *more: str) -> subprocess.CompletedProcess:
    return sinew("console", "-c", line, *more)


def pids() -> "dict[str, int]":
    status = json.loads(sinew("status", "--json").stdout)
    return {process["role"]: int(process["pid"]) for process in status["robots"][0]["processes"]}


def read() -> dict:
    return json.loads(sinew("read", "--once", "--json").stdout)


def wait_until(what: str, is_true) -> None:
    deadline = time.monotonic() + 60.0
    while time.monotonic() < deadline:
        try:
            if is_true():
                return
        except (ValueError, KeyError, IndexError):  # it is only just coming back
            pass
        time.sleep(0.1)
    raise AssertionError(f"never came true: {what}")


def positions() -> "list[float]":
    return [joint["actual"] for joint in read()["joints"]]


def rests() -> bool:
    before = positions()
    time.sleep(0.2)
    return max(abs(a - b) for a, b in zip(before, positions())) < 1e-3


class AnybodyMayDie(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        started = sinew("start", "mds", "--sim", "--no-web")
        if started.returncode != 0:
            raise AssertionError(started.stderr)

    @classmethod
    def tearDownClass(cls):
        sinew("stop")

    def test_the_robot_stops_the_others_live_and_service_resumes(self):
        rng = random.Random(5)
        for number in range(ROUNDS):
            for victim in ("motion", "controller", "simulator"):
                with self.subTest(victim=victim, round=number):
                    self.kill_in_motion(victim, rng.uniform(0.1, 1.2), rng.choice(GOALS))

    def kill_in_motion(self, victim: str, after: float, goal: str):
        before = pids()
        mover = subprocess.Popen([SINEW, "console", "-c", f"ik left 3 {goal}", "--wait", "--space", SPACE],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(after)
        os.kill(before[victim], signal.SIGKILL)
        wait_until(f"{victim} is brought back", lambda: pids()[victim] not in (0, before[victim]))
        now = pids()
        for role, pid in before.items():
            if role != victim:
                self.assertEqual(now[role], pid, f"{role} died with {victim}")
        wait_until("the joints rest", rests)
        mover.kill()
        mover.wait()
        self.resume()

    def resume(self):
        """After a reset the hand goes where it is sent."""
        def is_running() -> bool:
            if read()["state"] == "running":
                return True
            console("reset")
            return False
        wait_until("a reset lets it run", is_running)
        wait_until("a motion is carried out", lambda: console("goto LEP -1.0", "--wait").returncode == 0)
        back = console("goto LEP -1.25", "--wait")
        self.assertEqual(back.returncode, 0, back.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

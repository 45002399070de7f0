#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A world that stands still, goes on and begins anew. Usage: scenario.py SINEW"""

import json
import os
import signal
import subprocess
import sys
import time
import unittest

SINEW = sys.argv[1]
SPACE = f"sim-control-{os.getpid()}"
PATIENCE = 60.0


def sinew(*words: str) -> subprocess.CompletedProcess:
    return subprocess.run([SINEW, *words, "--space", SPACE], capture_output=True, text=True, check=False)


def told(*words: str) -> str:
    done = sinew(*words)
    assert done.returncode == 0, f"{words}: {done.stderr}"
    return done.stdout


def read() -> dict:
    return json.loads(told("read", "--once", "--json"))


def clock() -> dict:
    return json.loads(told("channel", "echo", "mds/clock", "--json", "--once"))["message"]


def joint(name: str) -> float:
    return next(j["actual"] for j in read()["joints"] if name in (j["name"], j.get("alias")))


def wait_until(what: str, is_true) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_true():
        assert time.monotonic() < deadline, f"never came true: {what}"
        time.sleep(0.05)


class AWorldThatWaits(unittest.TestCase):
    def setUp(self):
        self.addCleanup(sinew, "stop")
        told("start", "mds", "--sim", "--no-web")

    def state(self) -> str:
        return read()["state"]

    def test_what_moves_waits_and_then_arrives(self):
        told("console", "-c", "goto LEP -0.4")
        wait_until("it moves", lambda: joint("LEP") > -1.2)
        self.assertIn("paused at", told("sim", "pause"))
        before, where = clock(), joint("LEP")
        self.assertEqual(before["rate"], 0)
        self.assertLess(where, -0.45, "it stood still too late to tell anything")
        # longer than any part would bear of a robot that has fallen silent
        time.sleep(2.0)
        after = clock()
        self.assertEqual(after["stamp_ns"], before["stamp_ns"])
        self.assertGreater(after["monotonic_ns"], before["monotonic_ns"])
        self.assertEqual(joint("LEP"), where)

        self.assertIn("100 steps taken", told("sim", "step", "100"))
        self.assertEqual(clock()["stamp_ns"], before["stamp_ns"] + 100_000_000)
        self.assertNotEqual(joint("LEP"), where)

        self.assertIn("goes on", told("sim", "resume"))
        wait_until("it arrives", lambda: abs(joint("LEP") + 0.4) < 2e-3)
        self.assertEqual(self.state(), "running")

    def test_a_hand_asked_for_while_all_stands_still_goes_when_it_goes_on(self):
        told("sim", "pause")
        mover = subprocess.Popen([SINEW, "console", "-c", "ik left 3 0.3 0.2 0.0", "--wait", "--space", SPACE],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(1.0)
        told("sim", "speed", "2")
        out, err = mover.communicate(timeout=PATIENCE)
        self.assertEqual(mover.returncode, 0, out + err)
        self.assertEqual(self.state(), "running")

    def test_it_goes_slower_faster_and_as_fast_as_it_can(self):
        for speed in ("0.1", "3", "max"):
            with self.subTest(speed=speed):
                told("sim", "speed", speed)
                first = clock()
                time.sleep(1.5)
                last = clock()
                rate = (last["stamp_ns"] - first["stamp_ns"]) / (last["monotonic_ns"] - first["monotonic_ns"])
                # how fast is the machine's matter; slow is ours
                if speed == "0.1":
                    self.assertLess(rate, 0.11)
                    self.assertEqual(last["rate"], 0.1)
                self.assertGreater(rate, 0.0)
                self.assertEqual(self.state(), "running")
        for nonsense in ("0", "-1", "nan", "1000", "fast"):
            refused = sinew("sim", "speed", nonsense)
            self.assertNotEqual(refused.returncode, 0)
            self.assertIn("is no speed; give 0.01 to 100, or max", refused.stderr)

    def test_everything_goes_back_to_where_it_started(self):
        home = joint("LEP")
        told("console", "-c", "goto LEP -0.5", "--wait")
        self.assertGreater(abs(joint("LEP") - home), 0.5)
        self.assertIn("its controller runs again", told("sim", "reset"))
        self.assertLess(abs(joint("LEP") - home), 2e-3)
        # what was wanted before is forgotten
        time.sleep(0.5)
        self.assertLess(abs(joint("LEP") - home), 2e-3)
        told("console", "-c", "goto LEP -1.0", "--wait")

    def test_a_simulator_that_dies_while_it_stands_still_is_noticed(self):
        told("sim", "pause")
        status = json.loads(told("status", "--json"))
        pid = next(p["pid"] for p in status["robots"][0]["processes"] if p["role"] == "simulator")
        os.kill(int(pid), signal.SIGKILL)
        wait_until("the controller is at fault", lambda: self.state() == "faulted")

    def test_a_robot_that_moves_in_a_world_that_stands_still_can_be_ended(self):
        told("console", "-c", "goto LEP -0.4")
        wait_until("it moves", lambda: joint("LEP") > -1.2)
        told("sim", "pause")
        told("stop")
        refused = sinew("sim", "resume")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn(f"no world runs in the space '{SPACE}'", refused.stderr)


if __name__ == "__main__":
    del sys.argv[1:]
    unittest.main()

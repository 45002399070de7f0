#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""An arm that has to find its switches first. Usage: scenario.py SINEW"""

import json
import math
import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
SINEW = sys.argv[1]
SPACE = f"homing-{os.getpid()}"
EDGES = {"base": 0.0, "shoulder": 120.99, "elbow": -95.62, "pitch": -89.89, "roll": 0.0}  # [deg]


def sinew(*words: str) -> subprocess.CompletedProcess:
    return subprocess.run([SINEW, *words, "--space", SPACE], capture_output=True, text=True, check=False, cwd=ROOT)


def safety() -> dict:
    return json.loads(sinew("status", "--json").stdout)["robots"][0]["safety"]


class Homing(unittest.TestCase):
    def setUp(self):
        self.addCleanup(sinew, "stop")
        # in the world hanoi it stands ready over the board, and takes itself to be at home
        started = sinew("start", "scorbot-er3:homing", "--sim", "--world", "hanoi", "--no-web")
        self.assertEqual(started.returncode, 0, started.stderr)

    def test_it_runs_once_it_has_found_its_switches(self):
        told = safety()
        self.assertEqual(told["state"], "starting", told)
        self.assertIn("not homed; 'home' lets it look for its references", told["text"])
        self.assertNotEqual(sinew("console", "-c", "goto base 0.2").returncode, 0)
        self.assertEqual(sinew("sim", "speed", "max").returncode, 0)
        homed = sinew("console", "-c", "home", "--wait")
        self.assertEqual(homed.returncode, 0, homed.stderr)
        self.assertEqual(safety()["state"], "running", "it comes back when the references are found")
        state = json.loads(sinew("channel", "echo", "scorbot-er3/state", "--json", "--once").stdout)
        for (joint, edge), position in zip(EDGES.items(), state["message"]["position"]):
            # a count of the wrist is half a degree
            self.assertAlmostEqual(math.degrees(position), edge, delta=0.6, msg=joint)
        moved = sinew("console", "-c", "goto base 0.2")
        self.assertEqual(moved.returncode, 0, moved.stderr)


if __name__ == "__main__":
    del sys.argv[1:]
    unittest.main(verbosity=2)

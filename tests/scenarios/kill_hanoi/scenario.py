#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The tower is finished, whoever dies meanwhile. Usage: scenario.py SINEW"""

import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
SINEW = sys.argv[1]
SPACE = f"kill-hanoi-{os.getpid()}"
PATIENCE = 300.0  # [s] on a machine that does other things as well


def sinew(*words: str) -> subprocess.CompletedProcess:
    return subprocess.run([SINEW, *words, "--space", SPACE], capture_output=True, text=True, check=False, cwd=ROOT)


def processes() -> "dict[str, dict]":
    status = json.loads(sinew("status", "--json").stdout)
    return {process["role"]: process for process in status["robots"][0]["processes"]}


class Solver:
    """sinew hanoi, and what it says."""

    def __init__(self, folder: str):
        self.told = pathlib.Path(folder) / "told"
        with open(self.told, "w", encoding="utf-8") as told:
            self.process = subprocess.Popen([SINEW, "hanoi", "--space", SPACE], stdout=told, stderr=told, cwd=ROOT)

    def words(self) -> str:
        return self.told.read_text(encoding="utf-8")

    def moves_begun(self) -> int:
        return len(re.findall(r"disc \d to peg \d", self.words()))


class TheTowerIsFinished(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        started = sinew("start", "scorbot-er3", "--sim", "--world", "hanoi", "--web", "127.0.0.1:0")
        if started.returncode != 0:
            raise AssertionError(started.stderr)
        sinew("sim", "speed", "4")

    @classmethod
    def tearDownClass(cls):
        sinew("stop")

    def wait_until(self, what: str, is_true) -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                if is_true():
                    return
            except (ValueError, KeyError, IndexError):  # it is only just coming back
                pass
            time.sleep(0.1)
        raise AssertionError(f"never came true: {what}\n{self.solver.words()}")

    def kill(self, role: str) -> None:
        before = processes()[role]["pid"]
        os.kill(int(before), signal.SIGKILL)
        self.wait_until(f"{role} is back", lambda: processes()[role]["pid"] not in (before, 0, None))

    def test_whoever_dies(self):
        rng = random.Random(3)
        with tempfile.TemporaryDirectory() as folder:
            self.solver = Solver(folder)
            for role in ("motion", "web", "controller"):
                self.wait_until("a disc is on its way", lambda: self.solver.moves_begun() > 0)
                time.sleep(rng.uniform(0.1, 1.5))
                self.assertIsNone(self.solver.process.poll(), self.solver.words())
                self.kill(role)
            self.wait_until("it says how to go on", lambda: "'sinew console -c reset' lets it" in self.solver.words())
            self.wait_until("it runs again", lambda: sinew("console", "-c", "reset").returncode == 0)
            seen = self.solver.moves_begun()
            self.wait_until("it goes on", lambda: self.solver.moves_begun() > seen)
            time.sleep(rng.uniform(0.1, 1.5))
            self.solver.process.kill()
            self.solver.process.wait()
            self.solver = Solver(folder)
            self.assertEqual(self.solver.process.wait(timeout=PATIENCE), 0, self.solver.words())
            self.assertIn("the tower stands on peg 3", self.solver.words())


if __name__ == "__main__":
    del sys.argv[1:]
    unittest.main(verbosity=2)

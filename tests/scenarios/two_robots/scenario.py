#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Two robots in one world, each with a controller of its own. Usage: scenario.py BIN LIB"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
BIN, LIBRARIES = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
del sys.argv[1:3]
os.environ["LD_LIBRARY_PATH"] = str(LIBRARIES)
sys.path.insert(0, str(ROOT / "python"))
import sinew  # noqa: E402

SPACE = f"two-robots-{os.getpid()}"
# the other robot stands across the board and looks at it
WORLD = """
robots:
  - {model: scorbot-er3, name: near, posture: ready}
  - {model: scorbot-er3, name: far, posture: ready, xyz: [1.4, 0, 0], rpy: [0, 0, 3.141592653589793]}
objects:
  - {name: board, kind: box, xyz: [0.5, 0.3, 0.01], size: [0.1, 0.1, 0.02]}
  - {name: cube, kind: box, xyz: [0.7, 0.3, 0.02], size: [0.04, 0.04, 0.04], mass: 0.05}
"""


class TwoRobots(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        (pathlib.Path(folder.name) / "world.yaml").write_text(WORLD)
        self.addCleanup(shutil.rmtree, f"/dev/shm/sinew-{SPACE}", True)
        self.simulator = self.start("sinew-simulator", "--world", folder.name)
        self.controllers = {name: self.start("sinew-controller", "--robot", "scorbot-er3", "--name", name)
                            for name in ("near", "far")}

    def start(self, program: str, *words: str) -> subprocess.Popen:
        ready, told = os.pipe()
        process = subprocess.Popen([BIN / program, *words, "--space", SPACE, "--ready-fd", str(told)],
                                   pass_fds=[told], cwd=ROOT)
        os.close(told)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        with os.fdopen(ready) as pipe:
            self.assertEqual(pipe.readline(), "ready\n", f"{program} did not come up")
        return process

    def position(self, robot: str) -> "list[float]":
        frame = sinew.Channel(f"{robot}/state", SPACE).newest()
        return frame.position[:frame.joint_count]

    def wait_for(self, robot: str, joint: int, goal: float) -> None:
        deadline = time.monotonic() + 120.0
        while abs(self.position(robot)[joint] - goal) > 2e-3:
            self.assertLess(time.monotonic(), deadline, f"{robot} is at {self.position(robot)}")
            time.sleep(0.05)

    def send(self, robot: str, joint: int, goal: float) -> None:
        channel = sinew.Channel.create(f"{robot}/ref/test", SPACE, schema="JointReference", exist_ok=True)
        self.addCleanup(channel.close)
        position = [0.0] * 64
        position[joint] = goal
        channel.put(stamp_ns=0, joint_mask=1 << joint, position=position)

    def test_each_goes_where_it_is_sent_and_the_other_stays(self):
        at_rest = self.position("far")
        self.send("near", 0, 0.5)
        self.wait_for("near", 0, 0.5)
        self.assertLess(max(abs(a - b) for a, b in zip(at_rest, self.position("far"))), 2e-3)
        self.send("far", 0, -0.4)
        self.send("near", 0, -0.3)
        self.wait_for("far", 0, -0.4)
        self.wait_for("near", 0, -0.3)

    def test_one_whose_controller_is_gone_does_not_stop_the_other(self):
        running = sinew.Channel("far/safety", SPACE).newest().state
        self.controllers["near"].kill()
        # a world that is late waits for its controllers
        for _ in range(20):
            self.simulator.send_signal(signal.SIGSTOP)
            time.sleep(0.02)
            self.simulator.send_signal(signal.SIGCONT)
            time.sleep(0.05)
        self.assertEqual(sinew.Channel("far/safety", SPACE).newest().state, running)
        self.send("far", 0, -0.4)
        self.wait_for("far", 0, -0.4)

    def test_both_are_of_one_time_and_one_world_and_each_knows_it_from_where_it_stands(self):
        truths = [sinew.Channel(f"{robot}/world_truth", SPACE).newest().message for robot in ("near", "far")]
        names = [[thing.name for thing in truth.objects[:truth.object_count]] for truth in truths]
        self.assertEqual(names, [["board", "cube"]] * 2)
        clocks = [sinew.Channel(f"{robot}/clock", SPACE).next(timeout=10.0).stamp_ns for robot in ("near", "far")]
        self.assertLess(abs(clocks[0] - clocks[1]), 5e9)
        places = {}
        for robot in ("near", "far"):
            world = sinew.Channel(f"{robot}/world", SPACE).newest().message
            self.assertEqual([thing.name for thing in world.objects[:world.object_count]], ["floor", "board"])
            places[robot] = list(world.objects[1].position)
        for wanted, found in (([0.5, 0.3, 0.01], places["near"]), ([0.9, -0.3, 0.01], places["far"])):
            self.assertLess(max(abs(a - b) for a, b in zip(wanted, found)), 1e-9, places)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

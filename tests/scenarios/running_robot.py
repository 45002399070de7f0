# SPDX-License-Identifier: BSD-3-Clause
"""A robot with its controller and motion service as processes of their own, for scenarios.

Usage of a scenario: scenario.py BIN LIB [DEVICE], where BIN holds the programs, LIB the libraries, and DEVICE is
what the controller is given: ideal (the default), or sim while a simulator runs.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

ACCEPTED, DONE, UNREACHABLE, BLOCKED, REFUSED, ABORTED = (
    "Accepted", "Done", "Unreachable", "Blocked", "Refused", "Aborted")
MOVE_JOINTS, MOVE_TOOL, SOLVE, STOP, ADD_OBJECT, REMOVE_OBJECT = (
    "MoveJoints", "MoveTool", "Solve", "Stop", "AddObject", "RemoveObject")
PATIENCE = 120.0  # [s] for a motion, on a machine that does other things as well


def programs() -> "tuple[pathlib.Path, str]":
    """Where the programs are, and the device that was asked for; makes the libraries known."""
    words = sys.argv[1:]
    del sys.argv[1:]
    if len(words) < 2:
        sys.exit(__doc__)
    os.environ["LD_LIBRARY_PATH"] = words[1]
    return pathlib.Path(words[0]), words[2] if len(words) > 2 else "ideal"


class RunningRobot:
    """Starts the processes, speaks on their channels, and leaves nothing behind."""

    def __init__(self, bin_path: pathlib.Path, device: str, robot: str = "mds", *more: "list[str]"):
        self.bin, self.robot = bin_path, robot
        self.space = f"scenario-{os.getpid()}"
        self.processes: "dict[str, subprocess.Popen]" = {}
        if device == "simulator":
            self.start("sinew-simulator", "--robot", robot)
        self.start("sinew-controller", "--robot", robot, "--driver", device)
        self.start("sinew-motion", "--robot", robot)
        for words in more:
            self.start(*words)
        self.open_channels()

    def open_channels(self) -> None:
        import sinew
        self.sinew = sinew
        self.state = self.channel("state")
        self.safety = self.channel("safety")
        self.requests = self.channel("request")
        self.replies = self.channel("reply", start="now")

    def channel(self, name: str, **options: object):
        return self.sinew.Channel(f"{self.robot}/{name}", self.space, **options)

    def start(self, program: str, *words: str) -> None:
        """Starts a program and waits until it says that it is ready."""
        ready, told = os.pipe()
        self.processes[program] = subprocess.Popen(
            [self.bin / program, *words, "--space", self.space, "--ready-fd", str(told)], pass_fds=[told], cwd=ROOT)
        os.close(told)
        with os.fdopen(ready) as pipe:
            line = pipe.readline()
        assert line == "ready\n", f"{program} did not come up"

    def kill(self, program: str) -> None:
        self.processes[program].kill()
        self.processes.pop(program).wait()

    def close(self) -> None:
        for process in reversed(list(self.processes.values())):
            process.terminate()
        for process in self.processes.values():
            process.wait(timeout=30)
        shutil.rmtree(f"/dev/shm/sinew-{self.space}", ignore_errors=True)

    def ask(self, **fields: object) -> int:
        """Puts a request; answers its number."""
        request = {"speed": 1.0, "who": "scenario", "component_mask": 7, **fields}
        return self.requests.put(stamp_ns=time.monotonic_ns(), **request)

    def answer_to(self, number: int):
        """The last reply to a request."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            reply = self.replies.next(timeout=PATIENCE)
            if reply.request == number and reply.status != ACCEPTED:
                return reply
        raise AssertionError(f"request {number} was not answered")

    def carry_out(self, **fields: object):
        return self.answer_to(self.ask(**fields))

    def move_hand(self, arm: str, position, **fields: object):
        return self.carry_out(verb=MOVE_TOOL, arm=arm, position=position, **fields)

    def hand(self, arm: str) -> dict:
        """Where a hand is, by forward kinematics of the measured joints."""
        import json
        frame = self.state.newest()
        model = json.loads(self.run_sinew("model", self.robot, "--json"))
        names = [joint["name"] for joint in model["joints"] if "mimic" not in joint]
        chain = next(c for c in model["chains"] if c["name"] == arm)
        q = [frame.position[names.index(name)] for name in chain["joints"]]
        return json.loads(self.run_sinew("fk", "--robot", self.robot, "--arm", arm, "--json", "--", *map(repr, q)))

    def run_sinew(self, *words: str) -> str:
        done = subprocess.run([self.bin / "sinew", *words], capture_output=True, text=True, cwd=ROOT, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout


class StartedRobot(RunningRobot):
    """A robot as 'sinew start' runs it, with all the processes that it asks for; simulated."""

    def __init__(self, bin_path: pathlib.Path, robot: str = "mds"):
        self.bin, self.robot = bin_path, robot
        self.space = f"scenario-{os.getpid()}"
        self.processes = {}
        self.run_sinew("start", robot, "--sim", "--no-web", "--space", self.space)
        self.open_channels()

    def close(self) -> None:
        # what is still open stays behind
        for channel in (self.state, self.safety, self.requests, self.replies):
            channel.close()
        self.run_sinew("stop", "--space", self.space)


class RobotCase(unittest.TestCase):
    """A test with a running robot of its own."""

    BIN = pathlib.Path()
    DEVICE = "ideal"
    MORE: "list[list[str]]" = []

    def setUp(self) -> None:
        self.robot = RunningRobot(self.BIN, self.DEVICE, "mds", *self.MORE)
        self.addCleanup(self.robot.close)


def main() -> None:
    """Runs the scenario's tests with the words of the command line."""
    RobotCase.BIN, RobotCase.DEVICE = programs()
    unittest.main()

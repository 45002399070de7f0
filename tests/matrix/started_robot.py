# SPDX-License-Identifier: BSD-3-Clause
"""A robot that `sinew start` runs in a world, brought to a known posture between the cases."""

import itertools
import json
import math
import os
import pathlib
import re
import subprocess
import tempfile
import time

import robots
from pose import angle_between
from web_client import WebClient

PATIENCE = 120.0   # [s] for whatever must come, on a machine that does other things as well
_RATE = 4.0        # of the world between cases
_NEAR = 0.02       # [rad, m] from a posture: there already
_BETWEEN_QUESTIONS = 0.014  # [s]
_BETWEEN_RESETS = 1.0       # [s]
_SETTLED_NS = 500_000_000   # after which the last word about jogs is about this one
_spaces = itertools.count()


class Hang(Exception):
    """Something that had to come did not."""


def wait_until(what: str, is_true, patience: float = PATIENCE) -> None:
    deadline = time.monotonic() + patience
    while not is_true():
        if time.monotonic() > deadline:
            raise Hang(f"never came true within {patience:.0f} s: {what}")
        time.sleep(0.01)


class StartedRobot:
    """One robot with all its processes in a space of its own, or in `space` beside another."""

    def __init__(self, sinew_program: pathlib.Path, robot: str, world: str, space: str = "", has_web: bool = True):
        self.program, self.world = sinew_program, world
        self.space = space or f"matrix-{os.getpid()}-{next(_spaces)}"
        self.name = pathlib.Path(robot.split(":")[0]).name
        self.model = robots.load(sinew_program, robot, self.name)
        self.is_alone = not space
        self._asked = 0.0
        self._data = tempfile.TemporaryDirectory(prefix="sinew-matrix-")
        self.folder = pathlib.Path(self._data.name)
        web = ["--web", "127.0.0.1:0", "--no-accounts"] if has_web else ["--no-web"]
        self.tell("start", robot, "--sim", "--world", world, *web, "--web-data", str(self.folder / "web"))
        self.web = WebClient(self._port()) if has_web else None
        self._open()

    def _open(self) -> None:
        import sinew
        self._channels = [sinew.Channel(f"{self.name}/{name}", self.space)
                          for name in ("state", "processed", "safety", "motion", "command", "simulation", "io", "jogging")]
        self.state, self.processed, self.safety, self.motion, self.command, self.simulation, self.io, self.jogging = (
            self._channels)
        self.facts = self.web.told("GET", "/api/robot") if self.web else {}
        wait_until("the robot says where it is", lambda: self.state.newest() is not None)
        self.make_ready()

    def _port(self) -> int:
        status = json.loads(self.tell("status", "--json"))
        own = next(robot for robot in status["robots"] if robot["name"] == self.name)
        note = next(process["note"] for process in own["processes"] if process["role"] == "web")
        return int(re.search(r"http://[0-9.]+:([0-9]+)", note).group(1))

    def run(self, *words: str, **options) -> subprocess.CompletedProcess:
        """`sinew` with these words in this robot's space."""
        return subprocess.run([self.program, *words, "--space", self.space], capture_output=True, text=True, check=False,
                              **options)

    def tell(self, *words: str) -> str:
        done = self.run(*words)
        if done.returncode != 0:
            raise RuntimeError(f"sinew {' '.join(words)}: {done.stdout}{done.stderr}")
        return done.stdout

    def close(self) -> None:
        for channel in self._channels:
            channel.close()
        self.run("stop") if self.is_alone else self.run("stop", self.name)
        self._data.cleanup()

    # ---- where it is ----

    @property
    def q(self) -> "list[float]":
        """Measured [rad, m]."""
        return self.state.newest().position[:len(self.model.joints)]

    @property
    def sent(self) -> "list[float]":
        """What the device was told [rad, m]."""
        return self.processed.newest().position[:len(self.model.joints)]

    @property
    def safety_state(self) -> str:
        return str(self.safety.newest().state)

    @property
    def safety_words(self) -> str:
        safety = self.safety.newest()
        return f"{safety.state}, {safety.reason}, by '{safety.who}', joint {safety.joint}, {safety.link_a} {safety.link_b}"

    @property
    def rests(self) -> bool:
        return max(map(abs, self.processed.newest().velocity), default=0.0) < 1e-6

    def went(self, wish):
        """Whether what a key moves has gone so far from here: a function that tells."""
        if wish.frame == "joints":
            begin = self.sent[wish.joint]
            return lambda: abs(self.sent[wish.joint] - begin) >= abs(wish.amount)
        arm = self.arm(wish.arm) if self.model.arms else None
        if arm is None:
            return lambda: False
        X = arm.pose(self.sent)
        if wish.axis < 3:
            return lambda: math.dist(arm.pose(self.sent).position, X.position) >= abs(wish.amount)
        return lambda: angle_between(arm.pose(self.sent).rotation, X.rotation) >= abs(wish.amount)

    def jog_refusal(self, since_ns: int) -> str:
        """Why a key is not obeyed; empty: it is, or nothing has been said since then (robot time)."""
        told = self.jogging.newest()
        if told is None or told.phase != "Refused":
            return ""
        # what is said again and again is said once
        is_meant = told.message.stamp_ns >= since_ns or self.now_ns - since_ns > _SETTLED_NS
        return told.words if is_meant else ""

    @property
    def now_ns(self) -> int:
        """Robot time."""
        return self.state.newest().message.stamp_ns

    def arm(self, name: str):
        return next(arm for arm in self.model.arms if arm.name == name)

    # ---- what is done to it between cases ----

    def set_rate(self, rate: float) -> None:
        """Robot seconds per second; 0: as fast as it can."""
        self.simulation.put(verb="Speed", speed=rate, who="matrix")

    def ask_controller(self, verb: str) -> None:
        self.command.put(stamp_ns=self.now_ns, verb=verb, who="matrix")

    def make_ready(self) -> None:
        """Running, at full override, nobody in control: homed if it must be, reset if it wants to be."""
        if self.safety_state == "Running":
            return
        asked = 0.0

        def runs() -> bool:
            nonlocal asked
            if time.monotonic() - asked > _BETWEEN_RESETS and self.safety_state != "Homing":
                asked = time.monotonic()
                is_lost = self.safety_state == "Starting" and self.model.robot.endswith(":homing")
                self.ask_controller("Home" if is_lost else "Reset")
            return self.safety_state == "Running"

        wait_until(f"it runs, and is not {self.safety_words}", runs)

    def ask(self, **fields):
        """A request of the matrix itself."""
        import sinew
        with sinew.LiveRobot(self.name, self.space, "matrix") as live:
            return live.ask(**fields)

    def bring(self, q: "list[float]") -> None:
        """To rest at q, from wherever it is."""
        import sinew
        self.set_rate(_RATE)
        if self.web:
            self.web.leave()
        self.ask(verb="Stop")
        self.make_ready()
        self.ask(verb="SetOverride", speed=1.0)
        wait_until("it rests", lambda: self.rests)
        try:
            self._go(q)
        except sinew.MotionFailed:
            self._begin_anew()
            self._go(q)

    def _begin_anew(self) -> None:
        """All back to where the world began."""
        self.simulation.put(verb="Reset", who="matrix")
        wait_until("the world has begun anew", lambda: self.safety_state != "Running")
        self.make_ready()

    def _go(self, q: "list[float]") -> None:
        joints = self.model.enabled
        if any(abs(self.sent[j.index] - q[j.index]) > 1e-9 for j in joints):
            self.ask(verb="MoveJoints", joint_mask=sum(1 << j.index for j in joints), joints=q)
        wait_until("it rests at the posture",
                   lambda: self.rests and all(abs(self.q[j.index] - q[j.index]) < _NEAR for j in joints))

    def is_clear(self, q: "list[float]") -> bool:
        """Whether the robot may stand so, in its world, as its web process says."""
        joints = {joint.name: q[joint.index] for joint in self.model.enabled}
        # it answers a hundred questions a second
        time.sleep(max(0.0, self._asked + _BETWEEN_QUESTIONS - time.monotonic()))
        self._asked = time.monotonic()
        answer = self.web.told("POST", "/api/solve", {"joints": joints})
        return bool(answer["reachable"] and answer["clear"])

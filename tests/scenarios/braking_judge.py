# SPDX-License-Identifier: BSD-3-Clause
"""How far a robot may move after one of its processes has died, and how far it did."""

import os
import pathlib
import signal
import threading
import time

from running_robot import PATIENCE
from sinew.errors import ChannelError

WATCHDOG = 0.1  # [s] after this silence a device brakes by itself
NOTICED = 0.05  # [s] by then the controller has noticed the death of who planned a motion, also on a busy machine
SLACK = 0.01  # [rad] by which a servo may swing over, and an encoder err


def wait_until(what: str, is_true) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            if is_true():
                return
        except (AssertionError, ValueError, KeyError, IndexError):  # it is only just coming back
            pass
        time.sleep(0.05)
    raise AssertionError(f"never came true: {what}")


def kill(pid: int) -> None:
    """Ends a process at once, and returns when it is dead: on a busy machine the system takes its time for that."""
    os.kill(pid, signal.SIGKILL)
    while True:
        try:
            stat = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            return
        if stat[0] in "ZX" and int(stat[17]) <= 1:
            return
        time.sleep(0.001)


class DeviceLog:
    """Every state that the device tells while it runs: the controller may be dead, this goes on."""

    def __init__(self, robot):
        self.channel = robot.channel("device/state", start="now")
        self.frames = []
        self.is_over = False
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()
        wait_until("the device tells where it is", lambda: self.frames)

    def listen(self) -> None:
        try:
            while not self.is_over:
                if self.channel.wait(0.1):
                    self.frames.append(self.channel.next())
        except ChannelError:  # removed: no more comes
            pass

    def close(self) -> list:
        """Robot time, positions and sender of each state."""
        self.is_over = True
        self.thread.join()
        self.channel.close()
        return [(frame.message.stamp_ns, list(frame.message.position), frame.sender_pid) for frame in self.frames]


def braking_distance(speed: float, limits: dict, reaction: float) -> float:
    """[rad] At most: faster by what its limits permit in the reaction's time, then braked with limited jerk."""
    acceleration, jerk = limits["acceleration"], limits["jerk"]
    fastest = min(limits["velocity"], speed + acceleration * reaction) + acceleration**2 / (2 * jerk)
    return fastest * reaction + 0.5 * fastest * (fastest / acceleration + 2 * acceleration / jerk)


class Verdict:
    """The joint that came nearest to its braking distance, or passed it."""

    def __init__(self, states: list, since_ns: int, speeds: "list[float]", limits: dict, reaction: float):
        there = max((state for state in states if state[0] <= since_ns), key=lambda state: state[0])[1]
        after = [state[1] for state in states if state[0] > since_ns]
        self.states = len(after)
        self.share, self.way, self.bound, self.joint = 0.0, 0.0, 0.0, None
        for i, of_joint in limits.items():
            way = max((abs(q[i] - there[i]) for q in after), default=0.0)
            bound = SLACK + braking_distance(abs(speeds[i]), of_joint, reaction)
            if way / bound > self.share:
                self.share, self.way, self.bound, self.joint = way / bound, way, bound, i


def stands(states: list, joints) -> bool:
    """Whether none of these joints moved by more than a servo swings."""
    return all(max(q[1][i] for q in states) - min(q[1][i] for q in states) < SLACK for i in joints)


def limits_of(model: dict) -> dict:
    """By position, of the joints that are in use."""
    return {joint["position"]: joint["limits"] for joint in model["joints"]
            if joint["enabled"] and joint["position"] is not None}

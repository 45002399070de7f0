# SPDX-License-Identifier: BSD-3-Clause
"""Parts of a robot written in Python, which stand in for Sinew's own: `processes:` in robot.yaml names them.

    processes:
      motion: python3 my_ik.py --robot {robot} --name {name} --space {space} --ready-fd {ready_fd}

A motion service with inverse kinematics or a planner of your own, on the channels `request` and `reply`:

    sinew.serve_motion(ik=my_ik)        # my_ik(target, now) -> joint positions, or None
    sinew.serve_motion(plan=my_plan)    # my_plan(start, goal) -> postures on the way, the goal last

A device of your own, on the channels `device/command` and `device/state`:

    sinew.serve_device(step=my_motors)  # my_motors(position, command, seconds) -> new position
"""

import argparse
import math
import os
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sinew.channel import Channel, Frame
from sinew.errors import Unreachable

Positions = Sequence[float]
_ARRIVED = 2e-3         # [rad, m] from where it was sent, once it rests …
_NEAR = 0.02            # [rad, m] … and when it rests for longer: counts of an encoder may be as wide
_RESTS = 1e-4           # [rad/s, m/s]
_MOVES = {"MoveTarget", "MoveTool", "MoveLine", "MoveJoints"}
_LEASE_NS = 100_000_000  # without a command for so long, a device stops by itself
_WATCHDOG = 2            # kFaultWatchdog of joints.h


@dataclass(frozen=True)
class Target:
    """Where the grip point shall be in the arm's base [m, rad]: roll about the hand's axis, pitch down-positive."""

    x: float
    y: float
    z: float
    roll: float
    pitch: float
    yaw: float

    @property
    def pose(self) -> "list[float]":
        """Seven numbers for sinew.Robot.ik(), x y z qw qx qy qz, of R = Rz(yaw) Ry(pitch) Rx(roll)."""
        cr, sr = math.cos(self.roll / 2), math.sin(self.roll / 2)
        cp, sp = math.cos(self.pitch / 2), math.sin(self.pitch / 2)
        cy, sy = math.cos(self.yaw / 2), math.sin(self.yaw / 2)
        return [self.x, self.y, self.z, cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy,
                cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy]


class Part:
    """What the supervisor told this process, and how it is told that we are ready."""

    def __init__(self) -> None:
        words = argparse.ArgumentParser()
        for word in ("--robot", "--name"):
            words.add_argument(word, required=True)
        words.add_argument("--space", default="default")
        words.add_argument("--ready-fd", type=int, default=0)
        told = words.parse_known_args()[0]
        self.robot, self.name, self.space, self._ready = told.robot, told.name, told.space, told.ready_fd
        self.is_running = True
        signal.signal(signal.SIGTERM, self._end)
        signal.signal(signal.SIGINT, self._end)

    def _end(self, *_: object) -> None:
        self.is_running = False

    def ready(self) -> None:
        """Says that this part works."""
        if self._ready:
            os.write(self._ready, b"ready\n")

    def channel(self, name: str, schema: str, **options: Any) -> Channel:
        """A channel of the robot, made when it is not there."""
        return Channel.create(f"{self.name}/{name}", self.space, schema=schema, exist_ok=True, **options)


class _Ended(Exception):
    """A motion that did not arrive: its status and reason."""


class MotionPart(Part):
    """A motion service: takes requests, has them solved and planned, moves the joints, and answers.

    The joints go from posture to posture by references, which the controller smooths and guards.
    """

    def __init__(self, ik: "Callable | None", plan: "Callable | None", hand: "dict[int, float]"):
        super().__init__()
        self._ik, self._plan, self._hand = ik or self._own_ik, plan or (lambda start, goal: [goal]), hand
        from sinew.robot import Robot
        self._arm = Robot(self.robot)
        self._size = len(self._arm.joints)
        self._requests = self.channel("request", "Request", depth=256, mode=0o660, start="now")
        self._replies = self.channel("reply", "Reply", depth=1024, sender="motion")
        self._reference = self.channel("ref/motion", "JointReference", depth=64, sender="motion")
        self._state, self._sent = self.channel("state", "JointState"), self.channel("processed", "JointCommand")
        self._safety = self.channel("safety", "Safety")
        self._next: "Frame | None" = None

    def run(self) -> None:
        # the reply channel counts as served once somebody writes it
        self._answer(0, "Done", "the motion service is up")
        self.ready()
        while self.is_running:
            request, self._next = self._next, None
            if request is None and self._requests.wait(timeout=0.1):
                request = self._requests.next()
            if request is not None:
                self._carry_out(request)

    def _carry_out(self, request: Frame) -> None:
        try:
            self._answer(request.sequence, *self._obey(request))
        except _Ended as ended:
            self._answer(request.sequence, *ended.args)
        except Exception as error:  # pylint: disable=broad-except # a student's function may do anything
            self._answer(request.sequence, "Refused", f"{type(error).__name__}: {error}")

    def _obey(self, request: Frame) -> tuple:
        verb = str(request.verb)
        if verb == "Stop":
            self._stand()
            return "Done", "stopped"
        if verb == "Solve":
            return "Done", "solved", self._solve(request)
        if verb not in _MOVES:
            return "Refused", f"this motion service does not know {verb}; it knows {', '.join(sorted(_MOVES))}, Solve, Stop"
        if verb == "MoveJoints":
            goal = {i: request.joints[i] for i in range(64) if request.joint_mask >> i & 1}
            self._go(self._checked(goal))
            return "Done", "reached"
        self._go_all(self._solve(request))
        if verb == "MoveTarget" and request.value >= 0.0:
            self._go({joint: factor * request.value for joint, factor in self._hand.items()}, may_fall_short=True)
        return "Done", "reached"

    def _solve(self, request: Frame) -> "list[float]":
        x, y, z = request.position
        roll, pitch, yaw = request.rpy
        if str(request.verb) == "MoveTarget":
            yaw = math.atan2(y, x)
        now = self._sent_now()[:self._size]
        found = self._ik(Target(x, y, z, roll, pitch, yaw), now)
        if found is None:
            raise _Ended("Unreachable", "the inverse kinematics found no joint positions for this target")
        found = [float(position) for position in found]
        if len(found) != self._size:
            raise _Ended("Refused", f"the inverse kinematics gave {len(found)} positions for {self._size} joints")
        self._checked(dict(enumerate(found)))
        return found

    def _own_ik(self, target: Target, now: Positions) -> "Positions | None":
        try:
            return list(self._arm.ik(target.pose, seed=now))
        except Unreachable:
            return None

    def _checked(self, goal: "dict[int, float]") -> "dict[int, float]":
        for joint, position in goal.items():
            if not math.isfinite(position):
                raise _Ended("Refused", f"joint {joint + 1} is wanted at {position}, which is no finite number")
            lower, upper = self._arm.limits[joint] if joint < self._size else (-math.inf, math.inf)
            if not lower - 1e-9 <= position <= upper + 1e-9:
                raise _Ended("Refused", f"joint {joint + 1} cannot go to {position:.4f}: its limits are "
                                        f"{lower:.4f} to {upper:.4f}")
        return goal

    def _go_all(self, goal: "list[float]") -> None:
        for posture in self._plan(self._sent_now()[:self._size], goal):
            self._go(self._checked(dict(enumerate(map(float, posture)))))

    def _go(self, goal: "dict[int, float]", may_fall_short: bool = False) -> None:
        self._put(goal)
        moved = time.monotonic()
        while self.is_running:
            if self._requests.wait(timeout=0.01):
                self._next = self._requests.next()
                if self._next.verb == "Stop" or str(self._next.verb) in _MOVES:
                    self._stand()
                    raise _Ended("Aborted", f"ended by request {self._next.sequence} of '{self._next.who}'")
                self._answer(self._next.sequence, "Refused", "another motion is being carried out")
                self._next = None
            safety, state = self._safety.newest(), self._state.newest()
            if safety.state != "Running":
                raise _Ended("Aborted", f"the robot is {safety.state}: {safety.reason}")
            if any(safety.held_mask >> joint & 1 for joint in goal):
                self._stand()
                raise _Ended("Blocked", f"the guard holds it: {safety.link_a} would come too near to {safety.link_b}")
            if max(abs(self._sent.newest().velocity[joint]) for joint in goal) > _RESTS:
                moved = time.monotonic()
            miss = max(abs(state.position[joint] - position) for joint, position in goal.items())
            rested = time.monotonic() - moved
            if rested > 0.1 and miss < _ARRIVED or rested > 0.5 and (may_fall_short or miss < _NEAR):
                return
            if rested > 3.0:
                raise _Ended("Aborted", f"a joint rests {miss:.4f} from where it was sent")
        raise _Ended("Aborted", "the motion service ends")

    def _put(self, goal: "dict[int, float]") -> None:
        positions = [0.0] * (max(goal) + 1)
        for joint, position in goal.items():
            positions[joint] = position
        self._reference.put(stamp_ns=self._sent.newest().message.stamp_ns, position=positions,
                            joint_mask=sum(1 << joint for joint in goal))

    def _stand(self) -> None:
        """Wants the joints where they are: the controller brakes them within their limits."""
        self._put(dict(enumerate(self._sent_now())))

    def _sent_now(self) -> "list[float]":
        sent = self._sent.newest() or self._sent.next(timeout=10.0)
        return sent.position[:sent.joint_count]

    def _answer(self, number: int, status: str, reason: str, joints: "Positions" = ()) -> None:
        state = self._state.newest()
        self._replies.put(stamp_ns=state.message.stamp_ns if state else 0, request=number, status=status,
                          reason=reason.encode()[:255], joint_mask=(1 << len(joints)) - 1, joints=list(joints))


class DevicePart(Part):
    """A device: takes commands of the controller, moves its motors, and tells where they are."""

    def __init__(self, step: Callable, start: Positions, rate: float):
        super().__init__()
        self._step, self._position, self._period = step, [float(p) for p in start], 1.0 / rate
        self._commands = self.channel("device/command", "JointCommand", start="now")
        self._requests = self.channel("device/request", "ControlRequest", start="now")
        self._states = self.channel("device/state", "JointState", sender="device")
        self._heard, self._is_tripped = 0, False

    def run(self) -> None:
        self._tell([0.0] * len(self._position))
        self.ready()
        due = time.monotonic()
        while self.is_running:
            due += self._period
            time.sleep(max(0.0, due - time.monotonic()))
            before = list(self._position)
            command = self._newest_command()
            if command is not None:
                wanted = command.position[:len(before)]
                self._position = [float(p) for p in self._step(before, wanted, self._period)]
            self._tell([(now - then) / self._period for now, then in zip(self._position, before)])

    def _newest_command(self) -> "Frame | None":
        """What to obey; nothing when the controller has fallen silent or wants the drives off."""
        while (request := self._requests.fresh()) is not None:
            self._is_tripped = self._is_tripped and request.verb != "Reset"
        command, now_ns = self._commands.newest(), time.monotonic_ns()
        if command is None:
            return None
        is_silent = now_ns - command.stamp_ns > _LEASE_NS
        self._is_tripped = self._is_tripped or is_silent and self._heard > 0
        self._heard = self._heard if is_silent else command.stamp_ns
        return command if command.is_enabled and not is_silent and not self._is_tripped else None

    def _tell(self, velocity: "list[float]") -> None:
        if not all(map(math.isfinite, self._position)):
            raise ValueError(f"the device's joints are at {self._position}: no finite numbers")
        count = len(self._position)
        self._states.put(stamp_ns=time.monotonic_ns(), measured_mask=(1 << count) - 1, joint_count=count,
                         position=self._position, velocity=velocity, fault_bits=_WATCHDOG if self._is_tripped else 0)


def serve_motion(ik: "Callable[[Target, Positions], Positions | None] | None" = None,
                 plan: "Callable[[Positions, Positions], Sequence[Positions]] | None" = None,
                 hand: "dict[int, float] | None" = None) -> None:
    """Runs a motion service until SIGTERM. `hand`: joints of the fingers, from 0, and their share of the hand's width;
    the sixth goes half of it, as on the SCORBOT, unless given."""
    MotionPart(ik, plan, {5: 0.5} if hand is None else hand).run()


def serve_device(step: "Callable[[Positions, Positions, float], Positions]", start: Positions, rate: float = 200.0) -> None:
    """Runs a device until SIGTERM, from the joint positions `start`, `rate` times a second: `control: {rate: 200}` in
    robot.yaml tells the controller the same."""
    DevicePart(step, start, rate).run()

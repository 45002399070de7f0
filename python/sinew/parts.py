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
_NEAR = 0.02            # [rad, m] from where it was sent, once it rests: counts of an encoder may be as wide
_STILL = 1e-3           # [rad, m] what is measured changes by less while a joint stands
_RESTS = 1e-4           # [rad/s, m/s]
_ARM_MOVES = {"MoveTarget", "MoveTool", "MoveLine", "MoveJoints"}
_MOVES = _ARM_MOVES | {"MoveGripper"}
_PASSED = 0.01          # [rad, m] from a posture on the way: the next one comes
_LINE_STEP = 0.01       # [m] between the places of a line that are solved
_LEASE_NS = 100_000_000  # without a command for so long, a device stops by itself
_ANSWERS = 0.5           # [s] a device with a time of its own waits so long for its controller
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


def _axes(w: float, x: float, y: float, z: float) -> "list[list[float]]":
    """The rotation matrix of a unit quaternion."""
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def _roll_pitch_yaw(axes: "list[list[float]]") -> "tuple[float, float, float]":
    """R = Rz(yaw) Ry(pitch) Rx(roll); no roll where the hand points straight up or down."""
    pitch = math.atan2(-axes[2][0], math.hypot(axes[0][0], axes[1][0]))
    if abs(abs(pitch) - math.pi / 2) < 1e-6:
        return 0.0, pitch, math.atan2(-axes[0][1], axes[1][1])
    return math.atan2(axes[2][1], axes[2][2]), pitch, math.atan2(axes[1][0], axes[0][0])


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
        # one answers what is asked of a robot
        self._replies = self.channel("reply", "Reply", depth=1024, sender="motion", alone=True)
        self._replies.open_to_put()
        self._reference = self.channel("ref/motion", "JointReference", depth=64, sender="motion")
        self._state, self._sent = self.channel("state", "JointState"), self.channel("processed", "JointCommand")
        self._safety = self.channel("safety", "Safety")
        self._waiting: "list[Frame]" = []

    def run(self) -> None:
        # the reply channel counts as served once somebody writes it
        self._answer(0, "Done", "the motion service is up")
        self.ready()
        while self.is_running:
            if not self._waiting and self._requests.wait(timeout=0.1):
                self._waiting.append(self._requests.next())
            if self._waiting:
                self._carry_out(self._waiting.pop(0))

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
            solved = self._solve(request)
            return "Done", "solved", solved, self._miss(request, solved)
        if verb not in _MOVES:
            return "Refused", f"this motion service does not know {verb}; it knows {', '.join(sorted(_MOVES))}, Solve, Stop"
        if verb == "MoveJoints":
            goal = {i: request.joints[i] for i in range(64) if request.joint_mask >> i & 1}
            self._go(self._checked(goal))
            return "Done", "reached"
        if verb == "MoveGripper":
            return self._grip(request.position[0])
        target = self._target(request)  # before it moves: it may be in the axes of the hand
        if verb == "MoveLine":
            self._follow(self._line(request))
        else:
            self._go_all(self._solve(request))
        if verb == "MoveTarget" and request.value >= 0.0:
            self._go({joint: factor * request.value for joint, factor in self._hand.items()}, may_fall_short=True)
        here = self._state.newest().position[:self._size]
        return "Done", "reached", here, self._miss_of(target, here)

    def _miss(self, request: Frame, joints: Positions) -> float:
        return self._miss_of(self._target(request), joints)

    def _miss_of(self, target: Target, joints: Positions) -> float:
        """How far the hand is from the target [m], by forward kinematics: whoever has solved it, it is measured."""
        return math.dist(self._arm.fk(joints).position, (target.x, target.y, target.z))

    def _grip(self, width: float) -> tuple:
        """The fingers go to that width, or until they hold something; the answer tells how far they are from it."""
        self._go({joint: factor * width for joint, factor in self._hand.items()}, may_fall_short=True)
        joint, factor = next(iter(self._hand.items()))
        reached = self._state.newest().position[joint] / factor
        return "Done", f"the hand is {1e3 * reached:.1f} mm open", (), abs(reached - width)

    def _target(self, request: Frame) -> Target:
        x, y, z = request.position
        roll, pitch, yaw = request.rpy
        if str(request.frame) == "User":
            raise _Ended("Refused", "this motion service knows the frames Base and Tool")
        if str(request.frame) == "Tool":  # along the axes of the hand, which keeps its orientation
            pose = self._arm.fk(self._sent_now()[:self._size])
            axes, here = _axes(*pose.quaternion), pose.position
            x, y, z = (here[i] + axes[i][0] * x + axes[i][1] * y + axes[i][2] * z for i in range(3))
            roll, pitch, yaw = _roll_pitch_yaw(axes)
        if str(request.verb) == "MoveTarget":
            yaw = math.atan2(y, x)
        return Target(x, y, z, roll, pitch, yaw)

    def _line(self, request: Frame) -> "list[list[float]]":
        """Postures along the straight line to where the request wants the hand, which is turned at once."""
        now = self._sent_now()[:self._size]
        start, goal = self._arm.fk(now).position, self._target(request)
        end = (goal.x, goal.y, goal.z)
        count = max(1, math.ceil(math.dist(start, end) / _LINE_STEP))
        postures = []
        for step in range(1, count + 1):
            x, y, z = (a + (b - a) * step / count for a, b in zip(start, end))
            now = self._solved(Target(x, y, z, goal.roll, goal.pitch, goal.yaw), now)
            postures.append(now)
        return postures

    def _follow(self, postures: "list[list[float]]") -> None:
        """From posture to posture without a stop; the controller smooths the corners."""
        for posture in postures[:-1]:
            goal = dict(enumerate(posture))
            self._put(goal)
            while max(abs(sent - wanted) for sent, wanted in zip(self._sent_now(), posture)) > _PASSED:
                self._look_out(goal)
        self._go(dict(enumerate(postures[-1])))

    def _solve(self, request: Frame) -> "list[float]":
        return self._solved(self._target(request), self._sent_now()[:self._size])

    def _solved(self, target: Target, now: Positions) -> "list[float]":
        found = self._ik(target, now)
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
        moved_ns, patient_until = self._state.newest().message.stamp_ns, time.monotonic() + 5.0
        stood_ns, stood = moved_ns, [math.inf] * len(goal)
        while True:
            self._look_out(goal)
            state = self._state.newest().message
            here = [state.position[joint] for joint in goal]
            if max(abs(self._sent.newest().velocity[joint]) for joint in goal) > _RESTS:
                moved_ns, patient_until = state.stamp_ns, time.monotonic() + 5.0
            if max(abs(now - then) for now, then in zip(here, stood)) > _STILL:
                stood_ns, stood = state.stamp_ns, here
            miss = max(abs(now - wanted) for now, wanted in zip(here, goal.values()))
            rested, still = (state.stamp_ns - moved_ns) * 1e-9, (state.stamp_ns - stood_ns) * 1e-9
            # one that flickers between two counts of its encoder stands, too
            if (rested > 0.2 and still > 0.2 or rested > 1.0) and (may_fall_short or miss < _NEAR):
                return
            # a machine with much to do may be late to begin
            if rested > 5.0 and time.monotonic() > patient_until:
                raise _Ended("Aborted", f"a joint rests {miss:.4f} from where it was sent")

    def _look_out(self, goal: "dict[int, float]") -> None:
        """Waits a moment; what ends the motion of the joints in `goal` is raised."""
        if not self.is_running:
            raise _Ended("Aborted", "the motion service ends")
        if self._requests.wait(timeout=0.01):
            self._hear(self._requests.next(), is_hand=set(goal) <= set(self._hand))
        safety = self._safety.newest()
        if safety.state != "Running":
            raise _Ended("Aborted", f"the robot is {safety.state}: {safety.reason}")
        if any(safety.held_mask >> joint & 1 for joint in goal):
            self._stand()
            raise _Ended("Blocked", f"the guard holds it: {safety.link_a} would come too near to {safety.link_b}")

    def _hear(self, request: Frame, is_hand: bool) -> None:
        """What comes while the hand, or the arm, moves: the same again takes its place, the other waits for it."""
        verb = str(request.verb)
        if verb not in _MOVES and verb != "Stop":
            self._answer(request.sequence, "Refused", "another motion is being carried out")
            return
        self._waiting.append(request)
        if verb == "Stop" or (verb == "MoveGripper") == is_hand:
            self._stand()
            raise _Ended("Aborted", f"ended by request {request.sequence} of '{request.who}'")

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

    def _answer(self, number: int, status: str, reason: str, joints: "Positions" = (), off: float = 0.0) -> None:
        state = self._state.newest()
        self._replies.put(stamp_ns=state.message.stamp_ns if state else 0, request=number, status=status,
                          reason=reason.encode()[:255], joint_mask=(1 << len(joints)) - 1, joints=list(joints),
                          position_error=off)


class DevicePart(Part):
    """A device: takes commands of the controller, moves its motors, and tells where they are.

    Its time is that of the wall, or, at another `speed` than 1, one of its own, which it tells on the channel `clock`: then
    it waits for the command that answers each state, so that neither is ahead of the other.
    """

    def __init__(self, step: Callable, start: Positions, rate: float = 200.0, speed: float = 1.0):
        super().__init__()
        if not (rate > 0.0 and speed > 0.0):
            raise ValueError(f"a device runs at a rate and a speed over zero, not at {rate} Hz and {speed}")
        self._step, self._position, self._period = step, [float(p) for p in start], 1.0 / rate
        self._speed, self._begin_ns, self._steps = speed, time.monotonic_ns(), 0
        self._clock = self.channel("clock", "Clock", sender="device") if speed != 1.0 else None
        self._commands = self.channel("device/command", "JointCommand", start="now")
        self._requests = self.channel("device/request", "ControlRequest", start="now")
        # a robot is one device
        self._states = self.channel("device/state", "JointState", sender="device", alone=True)
        self._states.open_to_put()
        self._heard, self._is_tripped = 0, False

    def now_ns(self) -> int:
        """Robot time."""
        return time.monotonic_ns() if self._clock is None else self._begin_ns + round(self._steps * self._period * 1e9)

    def _wait_for_answer(self) -> None:
        """Until the controller has answered the last state, or is taken for dead."""
        deadline = time.monotonic() + _ANSWERS
        while self.is_running and time.monotonic() < deadline:
            command = self._commands.newest()
            if command is not None and command.message.stamp_ns >= self.now_ns():
                return
            self._commands.wait(timeout=0.05)

    def run(self) -> None:
        self._tell([0.0] * len(self._position))
        self.ready()
        due = time.monotonic()
        while self.is_running:
            due += self._period / self._speed
            time.sleep(max(0.0, due - time.monotonic()))
            if self._clock is not None:
                due = max(due, time.monotonic() - self._period)  # what was late is not made up for
                self._wait_for_answer()
            self._steps += 1
            self.cycle()

    def cycle(self) -> None:
        """One step: the newest command goes to the motors, and where they are is told."""
        before = list(self._position)
        command = self._newest_command()
        if command is not None:
            moved = command.moved_mask
            wanted = [p if moved >> i & 1 else before[i] for i, p in enumerate(command.position[:len(before)])]
            self._position = [float(p) for p in self._step(before, wanted, self._period)]
        self._tell([(now - then) / self._period for now, then in zip(self._position, before)])

    def _newest_command(self) -> "Frame | None":
        """What to obey; nothing when the controller has fallen silent or wants the drives off."""
        while (request := self._requests.fresh()) is not None:
            self._is_tripped = self._is_tripped and request.verb != "Reset"
        command, now_ns = self._commands.newest(), self.now_ns()
        if command is None:
            return None
        is_silent = now_ns - command.message.stamp_ns > _LEASE_NS
        self._is_tripped = self._is_tripped or is_silent and self._heard > 0
        self._heard = self._heard if is_silent else command.message.stamp_ns
        return command if command.is_enabled and not is_silent and not self._is_tripped else None

    def _tell(self, velocity: "list[float]") -> None:
        if not all(map(math.isfinite, self._position)):
            raise ValueError(f"the device's joints are at {self._position}: no finite numbers")
        count, now_ns = len(self._position), self.now_ns()
        if self._clock is not None:
            self._clock.put(stamp_ns=now_ns, monotonic_ns=time.monotonic_ns(), rate=self._speed)
        self._states.put(stamp_ns=now_ns, measured_mask=(1 << count) - 1, joint_count=count,
                         position=self._position, velocity=velocity, fault_bits=_WATCHDOG if self._is_tripped else 0)


def serve_motion(ik: "Callable[[Target, Positions], Positions | None] | None" = None,
                 plan: "Callable[[Positions, Positions], Sequence[Positions]] | None" = None,
                 hand: "dict[int, float] | None" = None) -> None:
    """Runs a motion service until SIGTERM. `hand`: joints of the fingers, from 0, and their share of the hand's width;
    the sixth goes half of it, as on the SCORBOT, unless given."""
    MotionPart(ik, plan, {5: 0.5} if hand is None else hand).run()


def serve_device(step: "Callable[[Positions, Positions, float], Positions]", start: Positions, rate: float = 200.0,
                 speed: float = 1.0) -> None:
    """Runs a device until SIGTERM, from the joint positions `start`, `rate` times a second: `control: {rate: 200}` in
    robot.yaml tells the controller the same. A device that is only computed may have a time of its own, `speed` times as
    fast as the wall's: what is measured in seconds is in that time."""
    DevicePart(step, start, rate, speed).run()

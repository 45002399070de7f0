# SPDX-License-Identifier: BSD-3-Clause
"""One case under way: it asks by its way, looks at what the robot does, and notes what is wrong about it."""

import math

from pose import Pose, angle_between
from said import Answer
from started_robot import wait_until
from watch import Watch

_PLACE = 1e-3           # [m] of the flange
_ANGLE = math.radians(0.5)
_JOINT = 0.02           # [rad, m] measured, encoders included
_SENT = 1e-3            # [rad, m] where it was sent
_SLOWEST = 0.02         # of real time
MID = 0.1               # of its way: in mid-motion


class Refused(Exception):
    """What was asked for was not done; the words say why."""


class Trial:
    def __init__(self, robot, way, goals, speed: float, master):
        self.robot, self.way, self.goals, self.speed = robot, way, goals, speed
        self.master = master  # answers another robot in the same space
        self.watch = Watch(robot)
        self.wrong: "list[str]" = []
        self.note = ""  # what was asked for, for people
        self.has_begun = False

    def complain(self, words: str) -> None:
        self.wrong.append(words)

    def from_posture(self, q: "list[float]", rate: float) -> None:
        """Brings the robot there; from now on it is looked at."""
        self.robot.bring(q)
        self.robot.set_rate(rate)
        self.watch.begin()
        self.has_begun = True

    # ---- asking ----

    def begin(self, move):
        self.note = self.note or repr(move)
        return self.way.begin(move, self.speed)

    def do(self, move) -> Answer:
        return self.done(self.begin(move).wait())

    def done(self, answer: Answer) -> Answer:
        if not answer.is_done:
            raise Refused(answer.words)
        wait_until("it rests when it is said to be done", lambda: self.robot.rests)
        return answer

    def wait_mid(self, pending, goal_distance: float) -> bool:
        """Until it is on its way; False: it is over already."""
        start = self.robot.sent

        def is_mid() -> bool:
            return pending.is_over or max(abs(a - b) for a, b in zip(self.robot.sent, start)) > MID * goal_distance

        wait_until("it moves", is_mid)
        return not pending.is_over

    def slowly(self, seconds_of_motion: float, seconds_of_clock: float = 6.0) -> float:
        """A rate at which so short a motion takes long enough for somebody to do something in the middle of it."""
        return max(_SLOWEST, min(3.0, seconds_of_motion / seconds_of_clock))

    # ---- what must be true afterwards ----

    def expect_joints(self, goal: "dict[int, float]", tolerance: float = _JOINT) -> None:
        wait_until("measured positions settle", lambda: self.robot.rests)
        sent, q = self.robot.sent, self.robot.q
        for index, position in goal.items():
            name = self.robot.model.joints[index].name
            if abs(sent[index] - position) > _SENT:
                self.complain(f"joint {name} was sent to {sent[index]:.5f}, not to {position:.5f}")
            elif abs(q[index] - position) > tolerance:
                self.complain(f"joint {name} was sent to {position:.5f} but is at {q[index]:.5f}")

    def expect_flange(self, arm, goal: Pose, place: float = _PLACE) -> None:
        """Sent there exactly, and measured there but for what encoders and controllers leave."""
        for words, q, far in (("sent", self.robot.sent, place), ("measured", self.robot.q, place + self._blur(arm))):
            X = arm.pose(q)
            away = math.dist(X.position, goal.position)
            if away > far:
                self.complain(f"the flange was {words} {1e3 * away:.2f} mm from its goal")
            turn = angle_between(X.rotation, goal.rotation)
            if arm.turns_freely and turn > _ANGLE + (words == "measured") * _ANGLE:
                self.complain(f"the flange was {words} turned by {math.degrees(turn):.2f} deg from its goal")

    def _blur(self, arm) -> float:
        """[m] What a measured joint may be off moves the flange by: half a step of an encoder, or a motor that yields."""
        return 4e-3 if len(arm.indices) < 6 else 2e-3

    def expect_path(self, arm, away, what: str) -> None:
        """`away`: how far a place is from where the flange should go."""
        worst = max((away(X.position) for X in self.watch.places(arm)), default=0.0)
        if worst > _PLACE:
            self.complain(f"the flange was sent {1e3 * worst:.2f} mm beside {what}")

    def expect_moved(self, least: float) -> None:
        if self.watch.moved < least:
            self.complain(f"nothing moved: {self.watch.moved:.5f} rad or m at most")

    def expect_state(self, state: str) -> None:
        if self.robot.safety_state != state:
            self.complain(f"the controller is {self.robot.safety_words}, not {state}")

    def expect_output(self, number: int, is_on: bool) -> None:
        wait_until(f"output {number} is {'on' if is_on else 'off'}",
                   lambda: bool(self.robot.io.newest().outputs >> number & 1) == is_on)

    def expect_speed(self) -> None:
        """No joint faster than its share of the limits."""
        if self.watch.worst_rate > 1.02 * self.speed + 0.002:
            self.complain(f"joint {self.watch.worst_joint} went at {100 * self.watch.worst_rate:.1f} % of its speed, "
                          f"{100 * self.speed:.0f} % was asked for")

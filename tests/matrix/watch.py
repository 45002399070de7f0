# SPDX-License-Identifier: BSD-3-Clause
"""What a robot does during a case, from its channels: where it was sent, what the controller said."""

import math
import threading
import time

from pose import Pose, difference, length, scaled

_BETWEEN_LOOKS = 0.004  # [s]
_LIMIT_SLACK = 1e-6     # [rad, m]
_RATE_SLACK = 1.01      # of a limit, and
_RATE_OFFSET = 1e-4     # [rad/s, m/s]
BAD_STATES = ("Faulted",)


class Watch:
    """Looks from begin() to end()."""

    def __init__(self, robot):
        self.robot = robot
        self.sent: "list[list[float]]" = []
        self.stamps: "list[int]" = []
        self.states: "list[str]" = []
        self.worst_rate = 0.0  # share of the joints' velocity limits
        self.worst_joint = ""
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def begin(self) -> None:
        import sinew
        self._channels = [sinew.Channel(f"{self.robot.name}/{name}", self.robot.space) for name in ("processed", "safety")]
        self.refusals_before = self.robot.safety.newest().refusals
        self.first = self.robot.sent
        self._thread.start()

    def end(self) -> None:
        self._is_over.set()
        self._thread.join()
        for channel in self._channels:
            channel.close()

    def _look(self) -> None:
        processed, safety = self._channels
        while not self._is_over.is_set():
            while (told := safety.fresh()) is not None:
                if not self.states or self.states[-1] != told.state:
                    self.states.append(str(told.state))
            command = processed.fresh()
            if command is not None:
                self._take(command.message)
            time.sleep(_BETWEEN_LOOKS)

    def _take(self, command) -> None:
        count = len(self.robot.model.joints)
        self.sent.append(command.position[:count])
        self.stamps.append(command.stamp_ns)
        velocity = command.velocity
        for joint in self.robot.model.joints:
            rate = (abs(velocity[joint.index]) - _RATE_OFFSET) / joint.velocity
            if rate > self.worst_rate:
                self.worst_rate, self.worst_joint = rate, joint.name

    def worst_rate_since(self, index: int) -> float:
        """Share of the joints' velocity limits, by differences of what was sent."""
        worst = 0.0
        for (q, t), (r, u) in zip(zip(self.sent[index:], self.stamps[index:]), zip(self.sent[index + 1:], self.stamps[index + 1:])):
            if u > t:
                worst = max([worst] + [abs(b - a) / (u - t) * 1e9 / j.velocity
                                       for a, b, j in zip(q, r, self.robot.model.joints)])
        return worst

    @property
    def moved(self) -> float:
        """How far any joint was sent away from where it was [rad, m]."""
        return max((abs(a - b) for q in self.sent for a, b in zip(q, self.first)), default=0.0)

    @property
    def seconds(self) -> float:
        """Robot time."""
        return (self.stamps[-1] - self.stamps[0]) * 1e-9 if self.stamps else 0.0

    def places(self, arm) -> "list[Pose]":
        """Where the arm's flange was sent."""
        return [arm.pose(q) for q in self.sent]

    def complaints(self) -> "list[str]":
        """What must never be, whatever was asked for."""
        found = [f"the controller said {state}" for state in self.states if state in BAD_STATES]
        if self.worst_rate > _RATE_SLACK:
            found.append(f"joint {self.worst_joint} was sent at {self.worst_rate:.2f} of its velocity limit")
        for joint in self.robot.model.joints:
            far = [q[joint.index] for q in self.sent if not joint.has_room(q[joint.index], -_LIMIT_SLACK)]
            if far:
                found.append(f"joint {joint.name} was sent to {far[0]:.4f}, its limits are {joint.lower:.4f} to {joint.upper:.4f}")
        safety = self.robot.safety.newest()
        # pieces of a stream that come late are made up for: that is the machine's doing
        if safety.refusals > self.refusals_before and safety.last_refusal != "Late":
            found.append(f"the controller refused {safety.refusals - self.refusals_before} inputs, the last of "
                         f"'{safety.refused_who}': {safety.last_refusal}, joint {safety.refused_joint}, "
                         f"{safety.refused_value:.6g}, bound {safety.refused_bound:.6g}")
        return found


def away_from_segment(p, a, b) -> float:
    """How far p is from the line between a and b [m]."""
    ab, ap = difference(b, a), difference(p, a)
    size = sum(x * x for x in ab)
    share = max(0.0, min(1.0, sum(x * y for x, y in zip(ab, ap)) / size)) if size else 0.0
    return length(difference(ap, scaled(ab, share)))


def away_from_lines(p, corners) -> float:
    return min(away_from_segment(p, a, b) for a, b in zip(corners, corners[1:]))


def away_from_circle(p, centre, radius: float, axis) -> float:
    """Of a circle in the plane through `centre` across the unit vector `axis` [m]."""
    d = difference(p, centre)
    height = sum(x * y for x, y in zip(d, axis))
    in_plane = length(difference(d, scaled(axis, height)))
    return math.hypot(height, in_plane - radius)

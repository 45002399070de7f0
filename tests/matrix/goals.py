# SPDX-License-Identifier: BSD-3-Clause
"""Goals with room for them, whatever the robot: a few centimetres or degrees from a posture in which it may stand."""

import math
import random

from pose import Pose, added, scaled, turned
from robots import Arm

_MARGIN = 0.05        # [rad, m] from joint limits on a line
_LEAST_STRETCH = 0.04  # of a motion of the tool by a motion of the joints: below that it is near a singularity
_STEP = 0.005         # [m] between the places of a line that are solved
_MOST_TURN = 0.1      # [rad, m] of a joint over one step: more is near a singularity
_CLEAR_EVERY = 2      # steps of a line
_SAMPLES = 4          # of a joint motion
_MANY_SAMPLES = 16    # of many joints together
_SAMPLES_FROM_HOME = 50
_A_LITTLE = math.radians(10)
LENGTHS = (0.05, 0.03, 0.02)  # [m] of a line: the longest that fits
_AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


class NoRoom(Exception):
    """Nothing of that kind fits anywhere."""


class Goals:
    """Draws goals for one robot that runs. What was found about its postures is kept from case to case."""

    def __init__(self, robot):
        self.robot, self.model = robot, robot.model
        self._clear_starts: "dict[str, bool]" = {}
        self.random = random.Random(0)

    def draw_with(self, seed: str) -> None:
        self.random = random.Random(seed)

    def find(self, what: str, build, is_from_home: bool = False):
        """The first start posture, and what `build` makes of it; begins with home, or a drawn one."""
        starts = self.model.starts()
        first = self.random.randrange(len(starts)) if not is_from_home and self.random.random() < 0.5 else 0
        for name, q in starts[first:] + starts[:first]:
            if not self._may_start(name, q):
                continue
            found = build(q)
            if found is not None and self._is_brought(name, q):
                return q, found
        raise NoRoom(f"no posture of {self.model.robot} in '{self.robot.world}' has room for {what}")

    def _is_brought(self, name: str, q: "list[float]") -> bool:
        """Whether it could be moved there: what is planned keeps more distance than the guard asks for."""
        import sinew
        try:
            self.robot.bring(q)
        except sinew.MotionFailed as failed:
            if failed.status != "Blocked":
                raise
            self._clear_starts[name] = False
        return self._clear_starts[name]

    def arm(self) -> Arm:
        return self.random.choice(self.model.arms)

    # ---- joints ----

    def is_way_clear(self, q: "list[float]", goal: "list[float]", samples: int = _SAMPLES) -> bool:
        """Whether all joints in step get there."""
        return all(self.robot.is_clear([a + (b - a) * i / samples for a, b in zip(q, goal)]) for i in range(1, samples + 1))

    def is_roomy(self, q: "list[float]") -> bool:
        """Whether each joint may be moved a little: what is planned keeps more distance than the guard asks for."""
        for joint in self.model.enabled:
            for by in (_A_LITTLE, -_A_LITTLE):
                beside = list(q)
                beside[joint.index] += 0.1 * by if joint.is_length else by
                if joint.has_room(beside[joint.index], 0.0) and not self.robot.is_clear(beside):
                    return False
        return True

    def _may_start(self, name: str, q: "list[float]") -> bool:
        if name not in self._clear_starts:
            home = self.model.starts()[0][1]
            self._clear_starts[name] = self.is_roomy(q) and self.is_way_clear(home, q, _SAMPLES_FROM_HOME)
        return self._clear_starts[name]

    def joint_by(self, q: "list[float]", index: int, amount: float) -> "list[float] | None":
        """One joint moved by `amount`, in the direction that is drawn, or the other."""
        joint = self.model.joints[index]
        margin = 0.001 if joint.is_length else 0.02
        for by in self.random.sample((amount, -amount), 2):
            goal = list(q)
            goal[index] += by
            if joint.has_room(goal[index], margin) and self.is_way_clear(q, goal):
                return goal
        return None

    def joints_by(self, q: "list[float]", indices, amount: float, least: int = 1) -> "list[float] | None":
        """Many joints moved, each by `amount` at most (lengths: a tenth of that), as many as there is room for."""
        goal = list(q)
        count = 0
        for index in indices:
            by = amount * self.random.uniform(0.5, 1.0) * (0.1 if self.model.joints[index].is_length else 1.0)
            moved = self.joint_by(goal, index, by)
            if moved is not None:
                goal, count = moved, count + 1
        return goal if count >= least and self.is_way_clear(q, goal, _MANY_SAMPLES) else None

    # ---- lines ----

    def way(self, arm: Arm, q: "list[float]", corners: "list[Pose]", is_regular: bool = True) -> "list[float] | None":
        """Where the joints are after lines through all corners, unless one of them comes near a limit, a thing or, if the way
        must be regular, a singularity."""
        X, now, count = arm.pose(q), list(q), 0
        if is_regular and arm.stretch(q) < _LEAST_STRETCH:
            return None
        for goal in corners:
            distance = math.dist(X.position, goal.position)
            steps = max(1, math.ceil(distance / _STEP))
            for i in range(1, steps + 1):
                place = added(scaled(X.position, 1 - i / steps), scaled(goal.position, i / steps))
                moved = arm.reach(Pose(place, goal.rotation), now)
                if moved is None or not self._is_smooth(arm, now, moved):
                    return None
                if is_regular and arm.stretch(moved) < _LEAST_STRETCH:
                    return None
                now, count = moved, count + 1
                if count % _CLEAR_EVERY == 0 and not self.robot.is_clear(now):
                    return None
            X = goal
        return now if self.is_roomy(now) else None

    def _is_smooth(self, arm: Arm, before: "list[float]", after: "list[float]") -> bool:
        return all(abs(after[i] - before[i]) < _MOST_TURN and self.model.joints[i].has_room(after[i], _MARGIN)
                   for i in arm.indices)

    def directions(self) -> "list[tuple]":
        """Along the axes, either way, in drawn order."""
        both = [scaled(axis, sign) for axis in _AXES for sign in (1.0, -1.0)]
        return self.random.sample(both, len(both))

    def line(self, arm: Arm, q: "list[float]", frame: str = "base", is_regular: bool = True) -> "tuple | None":
        """A displacement along an axis of base or tool, and the pose where it ends."""
        X = arm.pose(q)
        for size in LENGTHS:
            for direction in self.directions():
                by = scaled(direction, size)
                in_base = turned(X.rotation, by) if frame == "tool" else by
                goal = Pose(added(X.position, in_base), X.rotation)
                if self.way(arm, q, [goal], is_regular) is not None:
                    return by, goal
        return None

    def corner(self, arm: Arm, q: "list[float]", shape) -> "tuple[Pose, ...] | None":
        """Poses that `shape` makes of two axes and a size, with a way through all of them that is free."""
        X = arm.pose(q)
        for size in LENGTHS:
            for first in self.directions():
                for second in self.directions():
                    if sum(a * b for a, b in zip(first, second)) != 0.0:
                        continue
                    points = tuple(Pose(added(X.position, by), X.rotation)
                                   for by in shape(scaled(first, size), scaled(second, size)))
                    if self.way(arm, q, list(points)) is not None:
                        return points
        return None

# SPDX-License-Identifier: BSD-3-Clause
"""What a robot is, as `sinew model --json` and the project's own kinematics tell."""

import json
import math
import pathlib
import random
import subprocess
from dataclasses import dataclass, field

from pose import Pose

_ITERATIONS = 12
_DRAWN = 24        # postures drawn beside the named ones
_AWAY = 0.2        # of its range: so far from its limits a drawn joint stays
_RANGE = math.pi   # [rad] of a joint without limits


@dataclass(frozen=True)
class Joint:
    name: str
    index: int        # in every row of positions
    lower: float      # [rad, m]
    upper: float
    velocity: float   # [rad/s, m/s]
    acceleration: float
    jerk: float
    is_enabled: bool
    is_length: bool

    def has_room(self, position: float, margin: float) -> bool:
        return self.lower + margin <= position <= self.upper - margin


@dataclass(frozen=True)
class Arm:
    name: str
    indices: "tuple[int, ...]"  # of its joints
    chain: object               # sinew.Robot

    @property
    def turns_freely(self) -> bool:
        """False: it has less than six joints, and its orientation comes as near as it can."""
        return len(self.indices) >= 6

    def pose(self, q: "list[float]") -> Pose:
        """Of the flange in the arm's base."""
        X = self.chain.fk([q[i] for i in self.indices])
        return Pose(tuple(map(float, X.position)), tuple(map(float, X.quaternion)))

    def stretch(self, q: "list[float]") -> float:
        """The smallest singular value of its Jacobian [m and rad by rad and m]: zero at a singularity."""
        rows = [[float(x) for x in row] for row in self.chain.jacobian([q[i] for i in self.indices])]
        if not self.turns_freely:
            rows = [list(column) for column in zip(*rows)]
        square = [[sum(a * b for a, b in zip(r, s)) for s in rows] for r in rows]
        return math.sqrt(_smallest_eigenvalue(square))

    def reach(self, X: Pose, q: "list[float]") -> "list[float] | None":
        """All positions with the flange at X, next to q; None: the arm cannot."""
        import sinew
        try:
            found = self.chain.ik(X.numbers, [q[i] for i in self.indices], nearest=not self.turns_freely)
        except sinew.Unreachable:
            return None
        result = list(q)
        for i, value in zip(self.indices, found):
            result[i] = float(value)
        return result


@dataclass(frozen=True)
class RobotModel:
    robot: str                       # as it is given to sinew
    name: str                        # prefix of its channels
    joints: "tuple[Joint, ...]"      # by index
    arms: "tuple[Arm, ...]"
    postures: "dict[str, list[float]]"
    grippers: "dict[str, dict]" = field(default_factory=dict)

    @property
    def enabled(self) -> "list[Joint]":
        return [joint for joint in self.joints if joint.is_enabled]

    def starts(self) -> "list[tuple[str, list[float]]]":
        """Postures to begin with: the named ones, then some that are drawn, the same every time."""
        middle = [_middle(joint) for joint in self.joints]
        home = [m if math.isnan(x) else x for x, m in zip(self.postures.get("home", middle), middle)]
        found = [("home", home)]
        found += [(name, [h if math.isnan(x) else x for x, h in zip(q, home)])
                  for name, q in self.postures.items() if name != "home"]
        random_of_robot = random.Random(self.robot)
        for number in range(_DRAWN):
            q = list(home)
            for joint in self.enabled:
                share = random_of_robot.uniform(_AWAY, 1.0 - _AWAY)
                low, high = _range_of(joint)
                q[joint.index] = low + share * (high - low)
            found.append((f"drawn-{number}", q))
        return found


def _solved(square: "list[list[float]]", right: "list[float]") -> "list[float]":
    """By elimination; a matrix that has no inverse is taken for one that nearly has none."""
    n = len(right)
    a = [row[:] + [r] for row, r in zip(square, right)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k: abs(a[k][i]))
        a[i], a[pivot] = a[pivot], a[i]
        a[i][i] = a[i][i] or 1e-18
        for k in range(i + 1, n):
            share = a[k][i] / a[i][i]
            a[k] = [x - share * y for x, y in zip(a[k], a[i])]
    found = [0.0] * n
    for i in reversed(range(n)):
        found[i] = (a[i][n] - sum(a[i][k] * found[k] for k in range(i + 1, n))) / a[i][i]
    return found


def _smallest_eigenvalue(square: "list[list[float]]") -> float:
    """Of a symmetric matrix without negative ones, by inverse iteration."""
    v = [1.0 + 0.1 * i for i in range(len(square))]
    size = 1.0
    for _ in range(_ITERATIONS):
        v = _solved(square, v)
        size = math.sqrt(sum(x * x for x in v))
        v = [x / size for x in v]
    return 1.0 / size


def _range_of(joint: Joint) -> "tuple[float, float]":
    return max(joint.lower, -_RANGE), min(joint.upper, _RANGE)


def _middle(joint: Joint) -> float:
    low, high = _range_of(joint)
    return min(max(0.0, low), high)


def _number(value: "float | None", otherwise: float) -> float:
    return otherwise if value is None else float(value)


def load(sinew_program: pathlib.Path, robot: str, name: str) -> RobotModel:
    """The model of a robot, by name, variant or folder."""
    import sinew
    told = subprocess.run([sinew_program, "model", robot, "--json"], capture_output=True, text=True, check=True)
    document = json.loads(told.stdout)
    own = sorted((j for j in document["joints"] if j["position"] is not None and "mimic" not in j), key=lambda j: j["position"])
    joints = tuple(Joint(j["name"], j["position"], _number(j["limits"]["lower"], -math.inf),
                         _number(j["limits"]["upper"], math.inf), _number(j["limits"]["velocity"], math.inf),
                         _number(j["limits"]["acceleration"], math.inf), _number(j["limits"]["jerk"], math.inf),
                         bool(j["enabled"]), j["kind"] == "prismatic") for j in own)
    index_of = {joint.name: joint.index for joint in joints}
    arms = []
    for chain in document["chains"]:
        kinematics = sinew.Robot(robot, chain["name"])
        arms.append(Arm(chain["name"], tuple(index_of[joint] for joint in kinematics.joints), kinematics))
    postures = {posture: [_number(x, math.nan) for x in q] for posture, q in document["postures"].items()}
    return RobotModel(robot, name, joints, tuple(arms), postures)

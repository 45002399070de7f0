# SPDX-License-Identifier: BSD-3-Clause
"""What may be asked of a robot, whoever asks it and by which way. Positions in SI, poses in the arm's base."""

from dataclasses import dataclass, field

from pose import Pose, Vector


@dataclass(frozen=True)
class ToPosture:
    """All joints to a posture of robot.yaml."""
    name: str
    q: "dict[int, float]"
    arm: str = ""


@dataclass(frozen=True)
class Joints:
    """Some joints to positions."""
    goal: "dict[int, float]"
    arm: str = ""


@dataclass(frozen=True)
class ToPose:
    """A joint move to a pose of the flange."""
    arm: str
    goal: Pose


@dataclass(frozen=True)
class Line:
    """Straight to a pose of the flange."""
    arm: str
    goal: Pose


@dataclass(frozen=True)
class LineBy:
    """Straight by a displacement along the axes of `frame`, base or tool."""
    arm: str
    by: Vector
    frame: str


@dataclass(frozen=True)
class LineInUser:
    """Straight to a pose given in a frame of the user's."""
    arm: str
    X_BU: Pose
    goal_in_user: Pose


@dataclass(frozen=True)
class Circle:
    arm: str
    via: Pose
    goal: Pose


@dataclass(frozen=True)
class Spline:
    arm: str
    points: "tuple[Pose, ...]"


@dataclass(frozen=True)
class Corners:
    """Lines from corner to corner; with a blend radius [m] they run into each other."""
    arm: str
    points: "tuple[Pose, ...]"
    blend: float = 0.0


@dataclass(frozen=True)
class GripperTo:
    """The gripper to a width [m], or, where it hangs on an output, open or closed."""
    name: str
    width: float
    is_open: "bool | None" = None
    joints: "dict[int, float]" = field(default_factory=dict)  # where it has them then


@dataclass(frozen=True)
class Output:
    name: str
    is_on: bool


@dataclass(frozen=True)
class Jog:
    """A key: one joint, or one axis of the tool in base or tool axes. `amount`: how far [rad, m]; its sign is the key."""
    amount: float
    joint: int = -1
    arm: str = ""
    frame: str = "joints"
    axis: int = -1  # x y z rx ry rz


@dataclass(frozen=True)
class Text:
    """A program of the robot language."""
    text: str
    arm: str

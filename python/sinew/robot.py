# SPDX-License-Identifier: BSD-3-Clause
"""Sums with a robot: where its tool is, and which joint positions bring it where it shall be.

    import sinew

    arm = sinew.Robot("ur5e")
    there = arm.fk([0, -1.57, 1.57, 0, 0, 0])
    print(there.position, there.quaternion)
    print(arm.ik(there, seed=[0, -1.5, 1.5, 0, 0, 0]))

All is in m and rad; poses are of the tool in the chain's base, quaternions w x y z. Rows of joints give rows of answers,
computed in one call during which other threads run. With numpy, answers are arrays; without, lists.
"""

import ctypes
import dataclasses
import os
import weakref
from ctypes import byref
from typing import Any

from sinew.errors import RobotInvalid, RobotStatus, Unreachable
from sinew.robot_library import Error, IkOptions, IkResult, JointInfo, Options, raise_for, reason_text, robot_calls
from sinew import tables
from sinew.tables import Answer, Rows, shape_of

_COMPONENTS = ("p_x", "p_y", "p_z", "t_x", "t_y", "t_z")
# as many as any arm has
_MOST_SOLUTIONS = 64


class Pose:
    """Where a tool is: `position` x y z [m], `quaternion` w x y z, and `matrix`, 4 x 4. For several postures at once,
    each has one row for each."""

    def __init__(self, position: Any, quaternion: Any):
        places, turns = Rows(position, (3,), "position"), Rows(quaternion, (4,), "quaternion")
        if places.count != turns.count or places.is_single != turns.is_single:
            raise RobotInvalid(f"{places.count} positions do not go with {turns.count} quaternions")
        self._is_single = places.is_single
        self._answer = Answer(places.count, 7)
        places_flat, turns_flat = places.flat(), turns.flat()
        for i in range(places.count):
            self._answer.numbers[7 * i:7 * i + 3] = places_flat[3 * i:3 * i + 3]
            self._answer.numbers[7 * i + 3:7 * i + 7] = turns_flat[4 * i:4 * i + 4]

    @classmethod
    def _of(cls, answer: Answer, is_single: bool) -> "Pose":
        pose = cls.__new__(cls)
        pose._answer, pose._is_single = answer, is_single
        return pose

    @property
    def position(self) -> Any:
        return self._answer.rows(self._is_single, 0, 3)

    @property
    def quaternion(self) -> Any:
        return self._answer.rows(self._is_single, 3, 7)

    @property
    def matrix(self) -> Any:
        matrices = Answer(self._answer.count, 4, 4)
        robot_calls().sinew_pose_to_matrix(self._answer.pointer, self._answer.count, matrices.pointer)
        return matrices.rows(self._is_single)

    def __repr__(self) -> str:
        if not self._is_single:
            return f"<{self._answer.count} poses>"
        x, y, z, *quaternion = self._answer.numbers
        return f"Pose(position=[{x:.6g}, {y:.6g}, {z:.6g}], quaternion=[{', '.join(f'{n:.6g}' for n in quaternion)}])"


@dataclasses.dataclass(frozen=True)
class IkBatch:
    """Answers of inverse kinematics, one row for each target: the nearest solution, or the nearest posture."""

    q: Any  #: Joint positions [rad, m].
    solved: Any  #: Whether they reach the target.
    reason: Any  #: Numbers of sinew_ik_reason; `reasons()` says them in words.
    position_error: Any  #: [m]
    rotation_error: Any  #: [rad]

    def __len__(self) -> int:
        return len(self.q)

    def reasons(self) -> list[str]:
        """Such as "solved", "out of reach", "joint limit"."""
        return [reason_text(int(reason)) for reason in self.reason]


class Robot:
    """A chain of a robot's joints: Robot("ur5e"), Robot("mds", "left"), Robot("arm.urdf", tip="tool0").

    Robots are found by name in ./robots and in the clone or installation that this package belongs to. Threads may share
    a Robot.
    """

    def __init__(self, robot: str | os.PathLike, arm: str | None = None, *, tool: str | None = None,
                 base: str | None = None, tip: str | None = None):
        words = [None if word is None else os.fsencode(word) for word in (robot, arm, tool, base, tip)]
        error = Error()
        self._handle = robot_calls().sinew_robot_open(byref(Options(*words)), byref(error))
        raise_for(error)
        self._close = weakref.finalize(self, robot_calls().sinew_robot_close, self._handle)
        self._size = robot_calls().sinew_robot_joint_count(self._handle)
        self._joints = [self._joint(i) for i in range(self._size)]

    def _joint(self, index: int) -> JointInfo:
        info = JointInfo()
        robot_calls().sinew_robot_joint(self._handle, index, byref(info))
        return info

    @property
    def name(self) -> str:
        return robot_calls().sinew_robot_name(self._handle).decode()

    @property
    def tip(self) -> str:
        """The link or tool at the chain's end."""
        return robot_calls().sinew_robot_tip(self._handle).decode()

    @property
    def method(self) -> str:
        """How inverse kinematics works: "numerical", "closed form: spherical wrist", …"""
        return robot_calls().sinew_robot_method(self._handle).decode()

    @property
    def remarks(self) -> list[str]:
        """What is odd about the robot's files."""
        found: list[str] = []
        while remark := robot_calls().sinew_robot_remark(self._handle, len(found)):
            found.append(remark.decode(errors="replace"))
        return found

    @property
    def joints(self) -> list[str]:
        """The joints' names, in the order of every row."""
        return [joint.name.decode() for joint in self._joints]

    @property
    def limits(self) -> Any:
        """Lowest and highest position of each joint [rad, m]; infinite where there is no limit."""
        flat = [bound for joint in self._joints for bound in (joint.lower, joint.upper)]
        return tables.nested(flat, (self._size, 2))

    def __repr__(self) -> str:
        return f"<Robot {self.name}: {self._size} joints to {self.tip}, {self.method}>"

    def fk(self, q: Any) -> Pose:
        """Where the tool is with the joints at `q`, a row or rows of them."""
        rows, error = Rows(q, (self._size,), f"fk of {self.name}"), Error()
        poses = Answer(rows.count, 7)
        robot_calls().sinew_robot_fk(self._handle, rows.pointer, rows.count, poses.pointer, byref(error))
        raise_for(error)
        return Pose._of(poses, rows.is_single)

    def jacobian(self, q: Any) -> Any:
        """How the tool moves with the joints: six rows, three linear and three angular, in axes of the base."""
        rows, error = Rows(q, (self._size,), f"jacobian of {self.name}"), Error()
        matrices = Answer(rows.count, 6, self._size)
        robot_calls().sinew_robot_jacobian(self._handle, rows.pointer, rows.count, matrices.pointer, byref(error))
        raise_for(error)
        return matrices.rows(rows.is_single)

    def ik(self, target: Any, seed: Any = None, all: bool = False, **options: Any) -> Any:
        """Joint positions within limits that bring the tool to `target`: those nearest to `seed` (mid-range unless given),
        or with `all` every solution, nearest first. Raises Unreachable with the reason when there is none.

        A target is a Pose, a pair of position and quaternion, seven numbers x y z qw qx qy qz, or a 4 x 4 matrix. Options:
        `dof` names the components that must agree, such as "p_x p_y p_z t_x"; `tool_axes` measures them along the target's
        axes; `nearest` lets an arm that cannot take the orientation come as near as it can; `posture` is where spare joints
        shall tend; `tolerance` [m, rad] is 1e-6.
        """
        pose = _pose_rows(target)
        if not pose.is_single:
            raise RobotInvalid(f"ik takes one pose, not {pose.count}: ik_batch takes many")
        asked = _Question(self._size, seed, 1, **options)
        solutions, result, error = Answer(_MOST_SOLUTIONS if all else 1, self._size), IkResult(), Error()
        robot_calls().sinew_robot_ik(self._handle, pose.pointer, byref(asked.options), solutions.pointer, solutions.count,
                                     byref(result), byref(error))
        if error.status == RobotStatus.UNREACHABLE:
            joint = self.joints[result.limit_joint] if result.limit_joint >= 0 else None
            raise Unreachable(error.text.decode(errors="replace"), reason_text(result.reason), solutions.rows()[0],
                              result.position_error, result.rotation_error, joint)
        raise_for(error)
        return solutions.rows()[:result.solution_count] if all else solutions.rows(True)

    def ik_batch(self, targets: Any, seeds: Any = None, **options: Any) -> IkBatch:
        """Inverse kinematics of many targets in one call, during which other threads run. Takes what ik() takes, in rows;
        `seeds` has a row for each target, or one for all."""
        poses = _pose_rows(targets)
        asked = _Question(self._size, seeds, poses.count, **options)
        q, results, error = Answer(poses.count, self._size), (IkResult * poses.count)(), Error()
        robot_calls().sinew_robot_ik_batch(self._handle, poses.pointer, poses.count, byref(asked.options), q.pointer,
                                           ctypes.cast(results, ctypes.POINTER(IkResult)), byref(error))
        raise_for(error)
        reason = _column(results, "reason")
        solved = reason == 0 if tables.numpy is not None else [one == 0 for one in reason]
        return IkBatch(q.rows(), solved, reason, _column(results, "position_error"), _column(results, "rotation_error"))


class _Question:
    """The options of inverse kinematics, checked, with the numbers that they point to."""

    def __init__(self, size: int, seed: Any, count: int, *, dof: Any = None, tool_axes: bool = False, nearest: bool = False,
                 posture: Any = None, tolerance: float = 1e-6):
        self.options = IkOptions(tolerance=tolerance, components=_bits_of(dof), in_tool_axes=tool_axes,
                                 accept_nearest=nearest)
        if posture is not None:
            self._posture = Rows(posture, (size,), "posture")
            self.options.posture = self._posture.pointer
        if seed is None:
            return
        self._seed = Rows(seed, (size,), "seed")
        if self._seed.is_single and count != 1:
            self._seed = Rows([self._seed.numbers] * count, (size,), "seed")
        if self._seed.count != count:
            raise RobotInvalid(f"{self._seed.count} seeds do not go with {count} targets")
        self.options.seed = self._seed.pointer


def _bits_of(dof: Any) -> int:
    if dof is None:
        return 0
    names = dof.replace(",", " ").split() if isinstance(dof, str) else list(dof)
    wrong = [name for name in names if name not in _COMPONENTS]
    if wrong or not names:
        raise RobotInvalid(f"dof names some of {' '.join(_COMPONENTS)}, not {dof!r}")
    return sum({1 << _COMPONENTS.index(name) for name in names})


def _pose_rows(target: Any) -> Rows | Any:
    """Rows of seven numbers from whatever says where a tool is."""
    if isinstance(target, Pose):
        return _PoseRows(target._answer, target._is_single)
    is_pair = isinstance(target, (tuple, list)) and len(target) == 2 and shape_of(target[0])[-1:] == (3,)
    if is_pair:
        return _pose_rows(Pose(target[0], target[1]))
    if shape_of(target)[-2:] == (4, 4):
        matrices, error = Rows(target, (4, 4), "a matrix"), Error()
        poses = Answer(matrices.count, 7)
        robot_calls().sinew_pose_from_matrix(matrices.pointer, matrices.count, poses.pointer, byref(error))
        raise_for(error)
        return _PoseRows(poses, matrices.is_single)
    return Rows(target, (7,), "a pose (x y z qw qx qy qz)")


@dataclasses.dataclass(frozen=True)
class _PoseRows:
    answer: Answer
    is_single: bool

    @property
    def count(self) -> int:
        return self.answer.count

    @property
    def pointer(self) -> Any:
        return self.answer.pointer


def _column(results: Any, field: str) -> Any:
    if tables.numpy is not None:
        return tables.numpy.frombuffer(results, dtype=tables.numpy.dtype(IkResult))[field].copy()
    return [getattr(result, field) for result in results]

# SPDX-License-Identifier: BSD-3-Clause
"""The kinematics of the MDS's arms as MDS-Ach's programs call them: getFkArm(), getIK() and their kin.

    import mds_ik as ik

    answer = ik.getIK([-0.45, 1.2, -0.25, -1.25, 0.0, -0.28], [0.3, 0.2, 0.0], ['p_x', 'p_y', 'p_z'], 'left')
    position = ik.getPosCurrentFromOrder(ik.getFkArm(answer[0], 'left'), ['p_x', 'p_y', 'p_z'])

Joints in the order shoulder pitch, roll, yaw, elbow pitch, wrist yaw, roll [rad]; poses in the frame between the
shoulders [m]. getIK() walks the steps that MDS-Ach walked, so that the digits of its paper come out; new programs
ask the motion service, which solves more, faster, and looks for collisions. Needs numpy.
"""

from collections.abc import Sequence

import numpy as np

ORDER = ["p_x", "p_y", "p_z", "t_x", "t_y", "t_z"]
DEFAULT_ERROR = (0.01, 0.01, 0.01)  # of differences [rad], of steps, of the goal [m, rad]
DEFAULT_STEPS = 1000

_SHOULDER, _UPPER_ARM, _FOREARM, _HAND = 0.24551, 0.282575, 0.3127375, 0.0635
_PI = np.pi
# what the solver may do with each joint, left arm; the right one's shoulder roll is the mirror image
_LOWER = {"left": [-_PI, 0.0, -_PI, -2.4, -_PI, -0.4712], "right": [-_PI, -_PI, -_PI, -2.4, -_PI, -0.4712]}
_UPPER = {"left": [_PI, _PI, _PI, 0.0, _PI, 0.4712], "right": [_PI, 0.0001, _PI, 0.0, _PI, 0.4712]}


def _turn(axis: int, angle: float) -> np.ndarray:
    """A rotation about x, y or z (0, 1, 2) as a 4 x 4 matrix."""
    matrix = np.identity(4)
    i, j = [(1, 2), (2, 0), (0, 1)][axis]
    matrix[i, i] = matrix[j, j] = np.cos(angle)
    matrix[j, i] = np.sin(angle)
    matrix[i, j] = -matrix[j, i]
    return matrix


def _shift(x: float, y: float, z: float) -> np.ndarray:
    matrix = np.identity(4)
    matrix[:3, 3] = (x, y, z)
    return matrix


def _check_arm(arm: str) -> str:
    if arm not in _LOWER:
        raise ValueError(f"there is no arm '{arm}': 'left' or 'right'")
    return arm


def getFkArm(joints: Sequence[float], arm: str) -> np.ndarray:
    """The pose of a hand as a 4 x 4 matrix."""
    side = 1.0 if _check_arm(arm) == "left" else -1.0
    return (_shift(0.0, side * _SHOULDER, 0.0) @ _turn(1, joints[0]) @ _turn(0, joints[1]) @ _shift(0.0, 0.0, -_UPPER_ARM)
            @ _turn(2, joints[2]) @ _turn(1, joints[3]) @ _shift(0.0, 0.0, -_FOREARM) @ _turn(2, joints[4])
            @ _turn(0, joints[5]) @ _shift(0.0, 0.0, -_HAND))


def getPosCurrentFromOrder(pose: np.ndarray, order: Sequence[str]) -> np.ndarray:
    """Of a pose, the components that `order` names: p_x, p_y, p_z [m], t_x, t_y, t_z [rad]."""
    unknown = [name for name in order if name not in ORDER]
    if unknown:
        raise ValueError(f"there is no component '{unknown[0]}': there are {', '.join(ORDER)}")
    components = [*pose[:3, 3], np.arctan2(pose[2, 1], pose[2, 2]),
                  np.arctan2(-pose[2, 0], np.hypot(pose[2, 1], pose[2, 2])), np.arctan2(pose[1, 0], pose[0, 0])]
    return np.array([components[ORDER.index(name)] for name in order])


def getIK(joints: Sequence[float], goal: Sequence[float], order: Sequence[str], arm: str,
          err: Sequence[float] = DEFAULT_ERROR, stepNum: int = DEFAULT_STEPS) -> list:
    """Joints that bring the components in `order` to `goal`, from `joints` on: [joints, steps], or [joints, -1].

    Steps of length err[1] towards the goal by the pseudoinverse of a Jacobian of differences err[0], until it is
    nearer than err[2]. Not found within `stepNum` steps: the last joints and -1.
    """
    lower, upper = np.array(_LOWER[_check_arm(arm)]), np.array(_UPPER[arm])
    q, goal = np.array(joints, dtype=float), np.array(goal, dtype=float)
    if len(goal) != len(order) or not np.all(np.isfinite(goal)) or not np.all(np.isfinite(q)):
        raise ValueError(f"a goal of {len(order)} finite numbers is wanted, one for each of {', '.join(order)}")

    def here(at: np.ndarray) -> np.ndarray:
        return getPosCurrentFromOrder(getFkArm(at, arm), order)

    for step in range(stepNum + 1):
        now = here(q)
        if np.linalg.norm(goal - now) < err[2]:
            return [q, step]
        jacobian = np.column_stack([(here(q + err[0] * unit) - now) / err[0] for unit in np.identity(6)])
        away = goal - now
        q = np.clip(q + np.linalg.pinv(jacobian) @ (away / np.linalg.norm(away) * err[1]), lower, upper)
    return [q, -1]

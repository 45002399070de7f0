# SPDX-License-Identifier: BSD-3-Clause
"""Poses: a position [m] and a unit quaternion w x y z. X_AB is the pose of B in A."""

import math
from dataclasses import dataclass

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]


def times(a: Quaternion, b: Quaternion) -> Quaternion:
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (aw * bw - ax * bx - ay * by - az * bz, aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw)


def inverse(q: Quaternion) -> Quaternion:
    return q[0], -q[1], -q[2], -q[3]


def turned(q: Quaternion, v: Vector) -> Vector:
    """R v"""
    return times(times(q, (0.0, *v)), inverse(q))[1:]


def added(a: Vector, b: Vector) -> Vector:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def scaled(a: Vector, factor: float) -> Vector:
    return a[0] * factor, a[1] * factor, a[2] * factor


def difference(a: Vector, b: Vector) -> Vector:
    return added(a, scaled(b, -1.0))


def length(v: Vector) -> float:
    return math.sqrt(sum(x * x for x in v))


def from_rpy(roll: float, pitch: float, yaw: float) -> Quaternion:
    """R = Rz(yaw) Ry(pitch) Rx(roll)"""
    cr, sr = math.cos(roll / 2), math.sin(roll / 2)
    cp, sp = math.cos(pitch / 2), math.sin(pitch / 2)
    cy, sy = math.cos(yaw / 2), math.sin(yaw / 2)
    return (cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy)


def to_rpy(q: Quaternion) -> Vector:
    w, x, y, z = q
    pitch = math.asin(max(-1.0, min(1.0, 2 * (w * y - x * z))))
    if abs(abs(pitch) - math.pi / 2) < 1e-6:
        return 0.0, pitch, math.atan2(2 * (w * z - x * y), 1 - 2 * (x * x + z * z))
    return (math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)), pitch,
            math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))


def angle_between(a: Quaternion, b: Quaternion) -> float:
    d = times(inverse(a), b)
    return 2 * math.atan2(math.sqrt(d[1] ** 2 + d[2] ** 2 + d[3] ** 2), abs(d[0]))


@dataclass(frozen=True)
class Pose:
    position: Vector = (0.0, 0.0, 0.0)
    rotation: Quaternion = (1.0, 0.0, 0.0, 0.0)

    def __mul__(self, X_BC: "Pose") -> "Pose":
        return Pose(added(self.position, turned(self.rotation, X_BC.position)), times(self.rotation, X_BC.rotation))

    def inverse(self) -> "Pose":
        R = inverse(self.rotation)
        return Pose(scaled(turned(R, self.position), -1.0), R)

    @property
    def rpy(self) -> Vector:
        return to_rpy(self.rotation)

    @property
    def numbers(self) -> "list[float]":
        """x y z qw qx qy qz, as sinew.Robot takes it."""
        return [*self.position, *self.rotation]

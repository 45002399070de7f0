// SPDX-License-Identifier: BSD-3-Clause
// Rotations as the robot has them: quaternions w x y z, and R = Rz(yaw) Ry(pitch) Rx(roll).

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number];
export type Mat3 = [Vec3, Vec3, Vec3];

export function matrixOf([w, x, y, z]: Quat): Mat3 {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
}

export function rpyOf(rotation: Mat3): Vec3 {
  const pitch = Math.atan2(-rotation[2][0], Math.hypot(rotation[0][0], rotation[1][0]));
  // straight up or down roll and yaw are one: all of it counts as yaw
  if (Math.hypot(rotation[0][0], rotation[1][0]) < 1e-9)
    return [0, pitch, Math.atan2(-rotation[0][1], rotation[1][1])];
  return [Math.atan2(rotation[2][1], rotation[2][2]), pitch, Math.atan2(rotation[1][0], rotation[0][0])];
}

export function quatOfRpy([roll, pitch, yaw]: Vec3): Quat {
  const [cr, sr] = [Math.cos(roll / 2), Math.sin(roll / 2)];
  const [cp, sp] = [Math.cos(pitch / 2), Math.sin(pitch / 2)];
  const [cy, sy] = [Math.cos(yaw / 2), Math.sin(yaw / 2)];
  return [
    cr * cp * cy + sr * sp * sy,
    sr * cp * cy - cr * sp * sy,
    cr * sp * cy + sr * cp * sy,
    cr * cp * sy - sr * sp * cy,
  ];
}

export function rpyOfQuat(q: Quat): Vec3 {
  return rpyOf(matrixOf(q));
}

/** A turn after another: R_AC = R_AB R_BC. */
export function quatTimes(a: Quat, b: Quat): Quat {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}

/** Pose of B in A. */
export interface Pose {
  p: Vec3;
  q: Quat;
}

/** X_AC = X_AB X_BC. */
export function poseTimes(a: Pose, b: Pose): Pose {
  return { p: plus(times(matrixOf(a.q), b.p), a.p), q: quatTimes(a.q, b.q) };
}

/** X_BA of X_AB. */
export function inversePose({ p, q }: Pose): Pose {
  const back: Quat = [q[0], -q[1], -q[2], -q[3]];
  return { p: scaled(times(matrixOf(back), p), -1), q: back };
}

export function times(m: Mat3, v: Vec3): Vec3 {
  return [dot(m[0], v), dot(m[1], v), dot(m[2], v)];
}

export function dot(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function plus(a: Vec3, b: Vec3): Vec3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

export function minus(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export function scaled(a: Vec3, s: number): Vec3 {
  return [a[0] * s, a[1] * s, a[2] * s];
}

export function length(a: Vec3): number {
  return Math.hypot(a[0], a[1], a[2]);
}

export function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

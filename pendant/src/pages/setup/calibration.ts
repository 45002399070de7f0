// SPDX-License-Identifier: BSD-3-Clause
// Tools and frames from touches: least squares, with how well it fits.
import { cross, dot, inversePose, length, matrixOf, minus, plus, poseTimes, rpyOf, scaled, times, type Mat3, type Pose, type Quat, type Vec3 } from '../../geometry';

/** The flange in the arm's base while the tip touched the point. */
export type Touch = Pose;

export interface ToolFit {
  /** Tip in the flange [m]. */
  offset: Vec3;
  /** The point that was touched, in the base [m]. */
  point: Vec3;
  /** How far the touches are from it [m]: root of the mean square, and the worst. */
  rms: number;
  worst: number;
  /** Largest angle between two of the orientations [rad]. */
  spread: number;
}

/** Solves A x = b of order n by elimination with pivots; null when A is singular for numbers of this size. */
export function solveLinear(a: readonly (readonly number[])[], b: readonly number[]): number[] | null {
  const n = b.length;
  const rows = a.map((row, i) => [...row, b[i]!]);
  const largest = Math.max(...a.flat().map(Math.abs));
  for (let k = 0; k < n; k += 1) {
    let pivot = k;
    for (let i = k + 1; i < n; i += 1) if (Math.abs(rows[i]![k]!) > Math.abs(rows[pivot]![k]!)) pivot = i;
    [rows[k], rows[pivot]] = [rows[pivot]!, rows[k]!];
    const lead = rows[k]![k]!;
    if (!(Math.abs(lead) > 1e-9 * largest)) return null;
    for (let i = 0; i < n; i += 1) {
      if (i === k) continue;
      const share = rows[i]![k]! / lead;
      for (let j = k; j <= n; j += 1) rows[i]![j]! -= share * rows[k]![j]!;
    }
  }
  return rows.map((row, k) => row[n]! / row[k]!);
}

/** Angle between two orientations [rad]. */
function angleBetween(a: Quat, b: Quat): number {
  const inner = Math.abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
  return 2 * Math.acos(Math.min(1, inner));
}

/**
 * The tip and the point from touches: R_i x + p_i = c for all i, unknown x and c. Needs four; null when the orientations do
 * not tell the tip, as when all are equal or turn about one axis.
 */
export function fitTool(touches: readonly Touch[]): ToolFit | null {
  if (touches.length < 4) return null;
  // normal equations of [R_i, -1] [x; c] = -p_i
  const normal = Array.from({ length: 6 }, () => new Array<number>(6).fill(0));
  const right = new Array<number>(6).fill(0);
  for (const { p, q } of touches) {
    const rotation = matrixOf(q);
    for (let row = 0; row < 3; row += 1) {
      const equation = [...rotation[row]!, row === 0 ? -1 : 0, row === 1 ? -1 : 0, row === 2 ? -1 : 0];
      for (let i = 0; i < 6; i += 1) {
        right[i]! += equation[i]! * -p[row]!;
        for (let j = 0; j < 6; j += 1) normal[i]![j]! += equation[i]! * equation[j]!;
      }
    }
  }
  const x = solveLinear(normal, right);
  if (!x || !x.every(Number.isFinite)) return null;
  const offset = x.slice(0, 3) as Vec3;
  const point = x.slice(3) as Vec3;
  const misses = touches.map(({ p, q }) => length(minus(plus(times(matrixOf(q), offset), p), point)));
  const rms = Math.sqrt(misses.reduce((sum, miss) => sum + miss * miss, 0) / misses.length);
  const spread = Math.max(...touches.flatMap((a) => touches.map((b) => angleBetween(a.q, b.q))));
  return { offset, point, rms, worst: Math.max(...misses), spread };
}

const kAxes: readonly Vec3[] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

/** A rotation by its axes x and z, which are unit vectors at right angles. */
function rotationOf(x: Vec3, z: Vec3): Mat3 {
  const y = cross(z, x);
  return [[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]]];
}

/** What is left of `v` beside the unit vector `axis`. */
function across(v: Vec3, axis: Vec3): Vec3 {
  return minus(v, scaled(axis, dot(v, axis)));
}

/**
 * The turn of a tool at the flange [rad] when its Z points along `direction` of the base while the flange is turned by `q`. How
 * the tool stands about its own axis is not told by that: its X is as near to the flange's X as can be, or to its Y.
 */
export function turnByAxis(q: Quat, direction: Vec3): Vec3 {
  const [w, x, y, z] = q;
  const along = times(matrixOf([w, -x, -y, -z]), direction);
  const axis = scaled(along, 1 / length(along));
  const near = length(across(kAxes[0]!, axis)) > 0.1 ? kAxes[0]! : kAxes[1]!;
  const aside = across(near, axis);
  return rpyOf(rotationOf(scaled(aside, 1 / length(aside)), axis));
}

export interface ToolPlaces {
  /** The tip of the tool at the flange, and the fixed point in the base that was touched with it [m]. */
  tip: Vec3;
  point: Vec3;
  /** The flange while a place further up on the tool's axis touched that point. */
  onAxis: Touch;
  /** The flange while a place on the side of the tool's X touched it. */
  towardsX: Touch;
}

/** The turn of a tool at the flange [rad]; null when the places are too near to each other, or all on one line. */
export function turnByPlaces({ tip, point, onAxis, towardsX }: ToolPlaces): Vec3 | null {
  // where on the tool the fixed point was
  const [axisPlace, xPlace] = [onAxis, towardsX].map((flange) => poseTimes(inversePose(flange), { p: point, q: [1, 0, 0, 0] }).p) as [Vec3, Vec3];
  const along = minus(tip, axisPlace);
  if (length(along) < 0.005) return null;
  const axis = scaled(along, 1 / length(along));
  const aside = across(minus(xPlace, tip), axis);
  if (length(aside) < 0.003) return null;
  return rpyOf(rotationOf(scaled(aside, 1 / length(aside)), axis));
}

export interface FrameFit {
  position: Vec3;
  rpy: Vec3;
}

/** A frame from its origin, a point on X and a point on the side of +Y; null when they are too near or on one line. */
export function fitFrame(origin: Vec3, onX: Vec3, towardsY: Vec3): FrameFit | null {
  const along = minus(onX, origin);
  const aside = minus(towardsY, origin);
  if (length(along) < 0.005 || length(aside) < 0.005) return null;
  const x = scaled(along, 1 / length(along));
  const beside = across(aside, x);
  if (length(beside) < 0.003) return null;
  const y = scaled(beside, 1 / length(beside));
  return { position: origin, rpy: rpyOf(rotationOf(x, cross(x, y))) };
}

// SPDX-License-Identifier: BSD-3-Clause
// How near things are to biting, as levels that the page colours.
import type { JointInfo, Live, RobotInfo } from '../link/protocol';

export type Level = 'clear' | 'near' | 'at';

/** Of a joint to the nearer of its limits: the last tenth is near, the last fiftieth is at the limit. */
export function limitLevel(joint: JointInfo, value: number): Level {
  const span = joint.upper - joint.lower;
  if (joint.kind === 'continuous' || !Number.isFinite(value) || !(span > 0)) return 'clear';
  const left = Math.min(value - joint.lower, joint.upper - value) / span;
  if (left <= 0.02) return 'at';
  return left <= 0.1 ? 'near' : 'clear';
}

/** A gripper rests at its ends; what counts is the arm. */
export function isOfArm(info: Pick<RobotInfo, 'arms'>, joint: string): boolean {
  return info.arms.length === 0 || info.arms.some((arm) => arm.joints.includes(joint));
}

/** What a jog said last stays there; it counts while somebody jogs. */
function isJogStoppedBy(live: Live, reason: string): boolean {
  return live.motion.phase === 'jogging' && live.jog.reason === reason;
}

/** Smallest singular values below these are near to a singularity, and at it [1]. */
const kNearSingular = 0.05;
const kAtSingular = 0.01;

/** Of any arm to a singularity. */
export function singularLevel(live: Live): Level {
  const least = Math.min(...Object.values(live.tools).map((tool) => tool.singular ?? Infinity));
  if (isJogStoppedBy(live, 'singularity') || least < kAtSingular) return 'at';
  return least < kNearSingular ? 'near' : 'clear';
}

/** Of links to each other or to objects: held back is "at"; less than three times the margin is "near". */
export function collisionLevel(live: Live): Level {
  if (live.safety.held.length > 0 || isJogStoppedBy(live, 'collision')) return 'at';
  if (live.near && live.near.distance < 3 * Math.max(live.near.margin, 0.005)) return live.near.distance <= live.near.margin ? 'at' : 'near';
  return 'clear';
}

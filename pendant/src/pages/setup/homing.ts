// SPDX-License-Identifier: BSD-3-Clause
// What motors count, and which offsets would make joints be where they are known to be.
import type { ActuatorInfo } from '../../link/protocol';

/** Counts of a motor at joint positions [rad, m]. */
export function countsOf(motor: ActuatorInfo, joints: Readonly<Record<string, number>>): number {
  const turned = Object.entries(motor.joints).reduce((sum, [name, share]) => sum + share * (joints[name] ?? 0), 0);
  return motor.scale * turned + motor.offset;
}

/** The offset with which the counts of now, seen at `measured`, mean that the joints are at `truth`. */
export function offsetFor(motor: ActuatorInfo, measured: Readonly<Record<string, number>>, truth: Readonly<Record<string, number>>): number {
  return countsOf(motor, measured) - countsOf({ ...motor, offset: 0 }, truth);
}

/** The motor whose row a joint's counts are shown in: the one that it alone turns, else the first. */
export function motorOf(joint: string, motors: readonly ActuatorInfo[]): ActuatorInfo | null {
  const own = motors.filter((motor) => motor.joints[joint]);
  return own.find((motor) => Object.keys(motor.joints).length === 1) ?? own[0] ?? null;
}

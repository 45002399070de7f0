// SPDX-License-Identifier: BSD-3-Clause
// What the picture shows while a recording is looked at, in place of the robot as it is.
import type { Vec3 } from './geometry';
import { signal } from './store';

export interface Playback {
  /** Joint positions by name [rad, m]. */
  joints: Readonly<Record<string, number>>;
  /** The two places that came too near to each other then. */
  contact: { a: Vec3; b: Vec3 } | null;
}

/** Null: the picture is live. */
export const playback = signal<Playback | null>(null);

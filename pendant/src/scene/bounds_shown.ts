// SPDX-License-Identifier: BSD-3-Clause
// Which bounds of the workspace the picture shows, and what becomes of a finger on them.
import type { Quat, Vec3 } from '../geometry';
import type { WorkspaceBound } from '../link/protocol';
import { signal } from '../store';

export interface DrawnBound {
  name: string;
  kind: string;
  position: Vec3;
  quaternion: Quat;
  /** Sides of a box [m]. */
  size: Vec3;
}

export type HandleMode = 'move' | 'turn' | 'size';

export interface BoundEvents {
  /** It was dragged or turned to here. */
  posed: (position: Vec3, quaternion: Quat) => void;
  /** One of a box's faces was dragged by so much [m] since the finger came down. */
  faced: (axis: 0 | 1 | 2, side: 1 | -1, by: number) => void;
  began: () => void;
  ended: () => void;
  /** A bound was tapped. */
  picked: (index: number) => void;
}

export interface BoundsShown {
  bounds: readonly DrawnBound[];
  chosen: number | null;
  /** Null: the chosen one has no handles. */
  mode: HandleMode | null;
  events: BoundEvents;
}

/** What the page wants to be shown; null: what is in force. */
export const boundsShown = signal<BoundsShown | null>(null);

export function drawnOf(bound: WorkspaceBound): DrawnBound {
  const [x, y, z] = bound.half_extents;
  return { name: bound.name, kind: bound.kind, position: bound.position, quaternion: bound.quaternion, size: [2 * x, 2 * y, 2 * z] };
}

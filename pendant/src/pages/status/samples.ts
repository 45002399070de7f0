// SPDX-License-Identifier: BSD-3-Clause
// The last minute of every joint, kept while the page is open, so that a plot has something to show at once.
import type { Live } from '../../link/protocol';

export type Quantity = 'position' | 'reference' | 'velocity' | 'difference';

const kLongest_s = 60;

export class Samples {
  private readonly times: number[] = [];
  private readonly q: number[][] = [];
  private readonly r: number[][] = [];

  /** A time that does not grow means that the robot has started anew: what was before is forgotten. */
  append(live: Live): void {
    const last = this.times[this.times.length - 1];
    if (last !== undefined && live.t <= last) {
      if (live.t === last) return;
      this.times.length = this.q.length = this.r.length = 0;
    }
    this.times.push(live.t);
    this.q.push(live.q);
    this.r.push(live.r);
    while ((this.times[0] ?? live.t) < live.t - kLongest_s) {
      this.times.shift();
      this.q.shift();
      this.r.shift();
    }
  }

  /** Seconds before the newest sample, and for each joint its curve, scaled. */
  curves(joints: readonly number[], quantity: Quantity, span: number, scale: (joint: number) => number): number[][] {
    const newest = this.times[this.times.length - 1] ?? 0;
    const first = Math.max(0, this.times.findIndex((t) => t >= newest - span));
    const x = this.times.slice(first).map((t) => t - newest);
    const curve = (joint: number) => x.map((_, i) => scale(joint) * this.value(first + i, joint, quantity));
    return [x, ...joints.map(curve)];
  }

  private value(at: number, joint: number, quantity: Quantity): number {
    const q = this.q[at]?.[joint] ?? NaN;
    const r = this.r[at]?.[joint] ?? NaN;
    if (quantity === 'position') return q;
    if (quantity === 'reference') return r;
    if (quantity === 'difference') return r - q;
    const before = Math.max(0, at - 1);
    const dt = this.times[at]! - this.times[before]!;
    return dt > 0 ? (q - (this.q[before]?.[joint] ?? NaN)) / dt : 0;
  }
}

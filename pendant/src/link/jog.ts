// SPDX-License-Identifier: BSD-3-Clause
// What is held down, as messages: one every 50 ms while something is, a stop when the last is let go. Time is an argument.
import type { Vec3 } from '../geometry';

export type JogFrame = 'joints' | 'base' | 'tool' | 'user';

/** What one key wishes for: joint velocities [rad/s, m/s], or a twist of the tool [m/s, rad/s]. */
export interface JogWish {
  frame: JogFrame;
  arm: string;
  tool: string;
  joints?: Record<string, number>;
  linear?: Vec3;
  angular?: Vec3;
  frame_rpy?: Vec3;
  speed: number;
}

export interface JogMessage extends Partial<JogWish> {
  op: 'jog';
  control: string;
  /** Which press: a refusal tells it again. */
  press?: number;
  stop?: true;
  step?: true;
}

export const kHeartbeat_ms = 50;

/** A page that has slept longer than this has lost its fingers: nothing that was held counts any more. */
export const kLongestNap_ms = 150;

export class JogMachine {
  private readonly held = new Map<string, JogWish>();
  private lastTick_ms: number | null = null;
  private presses = 0;

  /** The number of the press that is held; null: none. */
  get pressNumber(): number | null {
    return this.isActive ? this.presses : null;
  }

  /** A number for a press, or for a step, that this page has not used yet. */
  countPress(): number {
    this.presses += 1;
    return this.presses;
  }

  /** True while something is held down. */
  get isActive(): boolean {
    return this.held.size > 0;
  }

  /** `source` is the finger, key or stick: pressing again with the same one replaces its wish. */
  press(source: string, wish: JogWish, now_ms: number): void {
    if (!this.isActive) {
      this.lastTick_ms = now_ms;
      this.countPress();
    }
    this.held.delete(source);
    this.held.set(source, wish);
  }

  /** True when that was the last one, so that a stop is due. */
  release(source: string): boolean {
    return this.held.delete(source) && !this.isActive;
  }

  /** Everything is let go; true when there was something. */
  releaseAll(): boolean {
    const wasActive = this.isActive;
    this.held.clear();
    return wasActive;
  }

  /** The message that is due now; null when nothing is held. After a nap: a stop, and all is let go. */
  tick(now_ms: number, control: string): JogMessage | null {
    if (!this.isActive) return null;
    const slept = this.lastTick_ms !== null && now_ms - this.lastTick_ms > kLongestNap_ms;
    this.lastTick_ms = now_ms;
    if (slept) {
      this.releaseAll();
      return stopMessage(control);
    }
    return { op: 'jog', control, press: this.presses, ...this.merged() };
  }

  /** All wishes of the newest one's frame and arm together. */
  private merged(): JogWish {
    const all = [...this.held.values()];
    const newest = all[all.length - 1]!;
    const sum: JogWish = { ...newest };
    for (const wish of all.slice(0, -1)) {
      if (wish.frame !== newest.frame || wish.arm !== newest.arm) continue;
      if (sum.joints && wish.joints) sum.joints = { ...wish.joints, ...sum.joints };
      if (sum.linear || wish.linear) sum.linear = added(sum.linear, wish.linear);
      if (sum.angular || wish.angular) sum.angular = added(sum.angular, wish.angular);
    }
    return sum;
  }
}

/** Whether a refusal, of the press that it names, is about what is held now. What names no press is about anything. */
export function isOfPress(refused: number | null, held: number | null): boolean {
  return refused === null || refused === held;
}

export function stopMessage(control: string): JogMessage {
  return { op: 'jog', control, stop: true };
}

export function stepMessage(control: string, press: number, wish: JogWish): JogMessage {
  return { op: 'jog', control, press, ...wish, step: true };
}

function added(a: Vec3 = [0, 0, 0], b: Vec3 = [0, 0, 0]): Vec3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

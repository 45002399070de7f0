// SPDX-License-Identifier: BSD-3-Clause
// A key that something runs by, as messages: beats of its press while it is down, and one that it is let go. Time is an argument.
import { kLongestNap_ms } from './jog';

export interface HoldMessage {
  op: 'hold';
  press: number;
  control?: string;
  t?: number;
  released?: true;
}

/** A number for a press: nobody else has drawn it. */
export function drawPress(): number {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2)) as unknown as [number, number];
  return (high & 0x1fffff) * 2 ** 32 + low || 1;
}

export class HoldMachine {
  private held: number | null = null;
  private last_ms = 0;

  /** The press that is held; null: none. */
  get press(): number | null {
    return this.held;
  }

  /** The key goes down; what was held before must have been let go. */
  begin(press: number, now_ms: number): void {
    this.held = press;
    this.last_ms = now_ms;
  }

  /** The beat that is due; null when nothing is held. After a nap the finger does not count any more: it is let go. */
  beat(now_ms: number, control: string): HoldMessage | null {
    if (this.held === null) return null;
    const slept = now_ms - this.last_ms > kLongestNap_ms;
    this.last_ms = now_ms;
    if (slept) return this.end();
    return { op: 'hold', press: this.held, control, t: now_ms };
  }

  /** Lets go; what is to be said of it, if anything was held. */
  end(): HoldMessage | null {
    const press = this.held;
    this.held = null;
    return press === null ? null : { op: 'hold', press, released: true };
  }
}

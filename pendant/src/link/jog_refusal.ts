// SPDX-License-Identifier: BSD-3-Clause
// Whether what was jogged was refused. The robot's last word about jogs stays where it is: it may be of an older wish.
import type { Jog } from './protocol';

/** So long after a key went down, and still refused: that was about this key. */
const kSettled_ms = 400;
/** A step that nothing was heard of for so long is no longer waited for. */
const kForgotten_ms = 3000;

export class JogRefusal {
  private asked: { at_ms: number; wish: number; isStep: boolean } | null = null;

  /** A key went down, or a step was sent; `jog` is the robot's last word until now. */
  begin(jog: Jog | null, isStep: boolean, now_ms: number): void {
    this.asked = { at_ms: now_ms, wish: jog?.wish ?? 0, isStep };
  }

  /** No key is down any more; a step goes on. */
  release(): void {
    if (this.asked && !this.asked.isStep) this.asked = null;
  }

  /** Why what was asked for last is refused, once; null: it is not, or that was said. */
  hear(jog: Jog, now_ms: number): string | null {
    if (this.asked === null) return null;
    const { at_ms, wish, isStep } = this.asked;
    const isNew = jog.wish !== wish;
    if (jog.phase === 'refused' && (isNew || (!isStep && now_ms - at_ms > kSettled_ms))) {
      this.asked = null;
      return jog.words || jog.reason;
    }
    if ((isNew && jog.phase !== 'refused') || (isStep && now_ms - at_ms > kForgotten_ms)) this.asked = null;
    return null;
  }
}

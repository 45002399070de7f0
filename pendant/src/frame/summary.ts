// SPDX-License-Identifier: BSD-3-Clause
// What the robot does and why, in one line: of all that is true, what matters most.
import type { LinkState } from '../link/live';
import type { Live } from '../link/protocol';
import { W } from '../text';

export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'off';
export interface Summary {
  tone: Tone;
  title: string;
  why: string;
  canReset: boolean;
}

const kBusy = ['moving', 'jogging', 'planning', 'pausing', 'paused', 'braking', 'following'] as const;

/** "self collision", "SelfCollision" and "self-collision" are one. */
export function reasonKey(reason: string): string {
  return reason.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase().replace(/[\s-]+/g, '_');
}

export function causeAndRemedy(reason: string): [string, string] | null {
  return W.alarms[reasonKey(reason)] ?? null;
}

/** The server's words without what stands beside them: the state in front, and where the recording lies. */
export function cleanText(text: string, state: string): string {
  const words = text.replace(/; recorded in .*$/, '');
  return words.startsWith(`${state}: `) ? words.slice(state.length + 2) : words;
}

/** Whether nothing moves and nothing is about to, as far as the last news tells. */
export function restsNow(live: Live): boolean {
  const isAtRest = live.motion.phase === 'idle' && live.motion.program.phase !== 'running';
  return isAtRest && live.safety.state !== 'homing' && live.safety.state !== 'unknown';
}

export function summary(live: Live | null, link: LinkState): Summary {
  if (live === null || link === 'lost' || link === 'connecting')
    return { tone: 'off', title: W.state.offline, why: W.state.whyOffline, canReset: false };
  if (live.gone !== '') return { tone: 'off', title: W.state.offline, why: live.gone, canReset: false };
  const { state, text, reason, held, link_a, link_b } = live.safety;
  const cause = cleanText(text, state) || (causeAndRemedy(reason)?.[0] ?? '');
  if (link === 'stale') return { tone: 'warn', title: W.link.stale, why: W.state.whyStale, canReset: false };
  if (state === 'faulted' || state === 'stopped')
    return { tone: 'bad', title: W.state[state], why: cause, canReset: true };
  if (state === 'held') return { tone: 'warn', title: W.state.held, why: cause, canReset: true };
  // a controller that was started anew finds a device that had no commands meanwhile
  if (state === 'starting' && reasonKey(reason) === 'device_fault') return { tone: 'warn', title: W.state.starting, why: cause, canReset: true };
  if (state !== 'running') return { tone: 'busy', title: W.state[state], why: cause, canReset: false };
  if (held.length > 0)
    return { tone: 'warn', title: W.state.guarded, why: link_a ? W.state.near(link_a, link_b) : cause, canReset: false };
  return working(live);
}

function working(live: Live): Summary {
  const { motion, jog } = live;
  const phase = kBusy.find((one) => one === motion.phase);
  const runs = ['running', 'paused', 'at_breakpoint', 'at breakpoint', 'stepped'].includes(motion.program.phase);
  if (runs) {
    const isWaiting = motion.program.phase !== 'running';
    const place = W.state.program_line(motion.program.name, motion.program.line);
    const why = motion.program.message ? `${place}: ${motion.program.message}` : place;
    return { tone: isWaiting ? 'warn' : 'busy', title: isWaiting ? W.state.paused : W.state.program, why, canReset: false };
  }
  // what a jog said last stays there; it counts while somebody jogs
  if (motion.phase === 'jogging' && (jog.phase === 'slowed' || jog.phase === 'stopped'))
    return { tone: 'warn', title: jog.phase === 'slowed' ? W.move.slowed : W.move.stoppedAt, why: jog.words, canReset: false };
  if (phase) return { tone: phase === 'paused' ? 'warn' : 'busy', title: W.state[phase], why: '', canReset: false };
  return { tone: 'good', title: W.state.running, why: W.state.whyReady, canReset: false };
}

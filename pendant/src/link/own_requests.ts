// SPDX-License-Identifier: BSD-3-Clause
// What was asked for is answered twice: at once that it was taken, under a number, and later by an event that says what became of it.
// The event goes to everybody, and may come before the answer; who asked is told when it came to nothing.
import { fields, number, text, type Event } from './protocol';

export interface Outcome {
  request: number;
  /** "reached", "unreachable", "blocked", "refused", "aborted". */
  status: string;
  reason: string;
}

/** What an event says about a request; null: it is about something else. */
export function outcomeFrom(event: Event): Outcome | null {
  if (event.kind !== 'reply' || typeof event.more.request !== 'number') return null;
  const isReached = event.more.reached === true;
  return { request: event.more.request, status: isReached ? 'reached' : text(event.more.status), reason: text(event.more.reason) || event.text };
}

/** The number of what was asked for, in an answer; null: none was given. */
export function numberIn(answer: unknown): number | null {
  const given = fields(answer).request;
  return typeof given === 'number' ? number(given) : null;
}

const kMost = 64;

export class OwnRequests {
  private own: number[] = [];
  private early: Outcome[] = [];

  /** The newest number that was given to this page; -1: none. */
  get newest(): number {
    return this.own.reduce((most, one) => Math.max(most, one), -1);
  }

  /** An answer has come with this number; what is known already of its outcome comes back. */
  asked(request: number): Outcome | null {
    this.own = [...this.own, request].slice(-kMost);
    return this.early.find((one) => one.request === request) ?? null;
  }

  /** An outcome has come; null when it is not of this page, as far as is known. */
  heard(outcome: Outcome): Outcome | null {
    if (this.own.includes(outcome.request)) return outcome;
    this.early = [...this.early, outcome].slice(-kMost);
    return null;
  }
}

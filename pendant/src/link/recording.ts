// SPDX-License-Identifier: BSD-3-Clause
// Recordings as the server tells of them, and where one is at a time.
import type { Vec3 } from '../geometry';
import { fields, list, number, text, vec3OrNull } from './protocol';

export interface RecordingEntry {
  name: string;
  bytes: number;
  /** [s] Since 1970. */
  changed: number;
  /** Whose state it holds; null: not known. */
  robots: string[] | null;
  seconds: number | null;
  /** Of the stop that it was saved at; empty: it was recorded on purpose. */
  reason: string;
}

/** A change of what the controller did. */
export interface Mark {
  seconds: number;
  state: string;
  reason: string;
  text: string;
  isHeld: boolean;
  contact: { a: Vec3; b: Vec3 } | null;
}

export type Curve = 'positions' | 'processed' | 'wanted';
export const kCurves: readonly Curve[] = ['wanted', 'processed', 'positions'];

export interface Recording {
  robot: string;
  /** Grow, from 0; one for each row. */
  seconds: number[];
  positions: number[][];
  /** Rows are empty where it was not known yet. */
  processed: number[][];
  wanted: number[][];
  marks: Mark[];
}

export function recordingsFrom(value: unknown): RecordingEntry[] {
  return list(fields(value).recordings).map((one) => {
    const json = fields(one);
    return {
      name: text(json.name),
      bytes: number(json.bytes),
      changed: number(json.changed),
      robots: Array.isArray(json.robots) ? json.robots.map(text) : null,
      seconds: typeof json.seconds === 'number' ? json.seconds : null,
      reason: text(json.reason),
    };
  });
}

function rowsFrom(value: unknown, count: number): number[][] {
  const rows = list(value).map((row) => list(row).map((one) => number(one, NaN)));
  return Array.from({ length: count }, (_, i) => rows[i] ?? []);
}

function markFrom(value: unknown): Mark {
  const json = fields(value);
  const [a, b] = [vec3OrNull(json.point_a), vec3OrNull(json.point_b)];
  return {
    seconds: number(json.seconds),
    state: text(json.state),
    reason: text(json.reason),
    text: text(json.text),
    isHeld: json.held === true,
    contact: a && b ? { a, b } : null,
  };
}

export function recordingFrom(value: unknown): Recording {
  const json = fields(value);
  const seconds = list(json.seconds).map((one) => number(one));
  return {
    robot: text(json.robot),
    seconds,
    positions: rowsFrom(json.positions, seconds.length),
    processed: rowsFrom(json.processed, seconds.length),
    wanted: rowsFrom(json.wanted, seconds.length),
    marks: list(json.marks).map(markFrom),
  };
}

/** Up to the last that was heard: a device may have fallen silent before the controller said so. */
export function lengthOf({ seconds, marks }: Recording): number {
  return Math.max(seconds[seconds.length - 1] ?? 0, marks[marks.length - 1]?.seconds ?? 0);
}

/** The row that was newest at a time; the first one before the first. */
export function rowAt(seconds: readonly number[], time: number): number {
  let low = 0;
  let high = seconds.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (seconds[middle]! <= time) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

/** Where the slider goes by one row, or by `count` of them. */
export function stepped(recording: Recording, time: number, count: number): number {
  const row = Math.min(recording.seconds.length - 1, Math.max(0, rowAt(recording.seconds, time) + count));
  return recording.seconds[row] ?? 0;
}

/** The mark after `now`, which is the matter at a time, or the one before; null where there is none. Several may be at one time. */
export function markBeside({ marks }: Recording, time: number, now: Mark | null, by: 1 | -1): Mark | null {
  const i = now === null ? -1 : marks.indexOf(now);
  if (by < 0 && now !== null && now.seconds < time - 1e-6) return now;
  return marks[i + by] ?? null;
}

/** What was the matter at a time: the last mark up to it. */
export function markAt(recording: Recording, time: number): Mark | null {
  const past = recording.marks.filter((mark) => mark.seconds <= time + 1e-9);
  return past[past.length - 1] ?? null;
}

/** How grave a mark is, for its colour. */
export function toneOf(mark: Mark): 'good' | 'warn' | 'bad' | 'off' {
  if (mark.state === 'stopped' || mark.state === 'faulted') return 'bad';
  if (mark.state === 'held' || mark.isHeld) return 'warn';
  return mark.state === 'running' ? 'good' : 'off';
}

/** A curve of one joint, scaled; nothing where it was not known. */
export function curveOf(recording: Recording, curve: Curve, joint: number, scale: number): (number | null)[] {
  return recording[curve].map((row) => {
    const value = row[joint];
    return value === undefined || !Number.isFinite(value) ? null : value * scale;
  });
}

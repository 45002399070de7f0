// SPDX-License-Identifier: BSD-3-Clause
// Streams: motions that were recorded to be moved along again.
import { fields, list, number, text } from './protocol';

export interface StreamEntry {
  name: string;
  by: string;
  /** [s] Since 1970. */
  recorded: number;
  /** As it is trimmed [s]. */
  seconds: number;
  /** All that was recorded [s]. */
  whole: number;
  from: number;
  to: number;
}

/** What is being recorded now. */
export interface StreamRecording {
  name: string;
  by: string;
  seconds: number;
  /** How long it may become [s]. */
  most: number;
}

export interface StreamList {
  streams: StreamEntry[];
  recording: StreamRecording | null;
  undo: number;
  redo: number;
}

export interface StreamRows {
  period: number;
  joints: string[];
  positions: number[][];
}

export function streamsFrom(value: unknown): StreamList {
  const json = fields(value);
  const recording = fields(json.recording);
  return {
    streams: list(json.streams).map((one) => {
      const entry = fields(one);
      return {
        name: text(entry.name),
        by: text(entry.by),
        recorded: number(entry.recorded),
        seconds: number(entry.seconds),
        whole: number(entry.whole),
        from: number(entry.from),
        to: number(entry.to),
      };
    }),
    recording: text(recording.name) === '' ? null : { name: text(recording.name), by: text(recording.by), seconds: number(recording.seconds), most: number(recording.most) },
    undo: number(json.undo),
    redo: number(json.redo),
  };
}

export function streamRowsFrom(value: unknown): StreamRows {
  const json = fields(value);
  return {
    period: Math.max(1e-3, number(json.period, 0.04)),
    joints: list(json.joints).map(text),
    positions: list(json.positions).map((row) => list(row).map((one) => number(one))),
  };
}

/** Where the joints were at a time. */
export function jointsAt(rows: StreamRows, time: number): Record<string, number> | null {
  const row = rows.positions[Math.min(rows.positions.length - 1, Math.max(0, Math.round(time / rows.period)))];
  return row ? Object.fromEntries(rows.joints.map((name, i) => [name, row[i] ?? 0])) : null;
}

/** The next free name: s1, s2 … */
export function freeStreamName(all: readonly StreamEntry[]): string {
  const taken = new Set(all.map((one) => one.name));
  for (let n = 1; ; n += 1) if (!taken.has(`s${n}`)) return `s${n}`;
}

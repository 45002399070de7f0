// SPDX-License-Identifier: BSD-3-Clause
// The robot's alarms as the server keeps them: reading them, choosing among them, and as a table for others.
import { fields, list, number, numberOrNull, text, textOrNull } from './protocol';

export interface Alarm {
  number: number;
  /** When it began [s since 1970]. */
  time: number;
  level: 'alarm' | 'warning';
  state: string;
  reason: string;
  text: string;
  who: string | null;
  recording: string | null;
  /** How often, when it came again and again. */
  count: number;
  /** When it was over; null: it is not. */
  cleared: number | null;
  acknowledged_by: string | null;
  acknowledged: number | null;
}

export interface AlarmPage {
  alarms: Alarm[];
  has_more: boolean;
  unacknowledged: number;
  /** What could not be written to the robot's disk; null: nothing. */
  trouble: string | null;
}

export function alarmsFrom(value: unknown): AlarmPage {
  const json = fields(value);
  const alarms = list(json.alarms).map(fields).map((one): Alarm => ({
    number: number(one.number),
    time: number(one.time),
    level: one.level === 'warning' ? 'warning' : 'alarm',
    state: text(one.state),
    reason: text(one.reason),
    text: text(one.text),
    who: textOrNull(one.who),
    recording: textOrNull(one.recording),
    count: number(one.count, 1),
    cleared: numberOrNull(one.cleared),
    acknowledged_by: textOrNull(one.acknowledged_by),
    acknowledged: numberOrNull(one.acknowledged),
  }));
  return { alarms, has_more: json.has_more === true, unacknowledged: number(json.unacknowledged), trouble: textOrNull(json.trouble) };
}

/** All of the words typed are in what is shown of it. */
export function chosen(alarms: readonly Alarm[], filter: string, shown: (alarm: Alarm) => string[]): Alarm[] {
  const words = filter.toLowerCase().split(/\s+/).filter((word) => word !== '');
  return alarms.filter((alarm) => {
    const all = shown(alarm).join(' ').toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** One cell: quoted where it must be, and never a formula to the program that opens it. */
export function csvCell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

export function csvOf(rows: string[][]): string {
  return rows.map((row) => row.map(csvCell).join(',')).join('\r\n') + '\r\n';
}

const utc = (seconds: number | null) => (seconds === null ? '' : new Date(1000 * seconds).toISOString());

/** A table of all of them; `known` gives cause and remedy by the reason. */
export function alarmTable(alarms: readonly Alarm[], known: (reason: string) => [string, string] | null): string {
  const head = ['number', 'time', 'level', 'state', 'reason', 'text', 'cause', 'remedy', 'who', 'count', 'cleared', 'acknowledged_by', 'acknowledged', 'recording'];
  const rows = alarms.map((one) => [
    String(one.number), utc(one.time), one.level, one.state, one.reason, one.text, ...(known(one.reason) ?? ['', '']), one.who ?? '', String(one.count),
    utc(one.cleared), one.acknowledged_by ?? '', utc(one.acknowledged), one.recording ?? '',
  ]);
  return csvOf([head, ...rows]);
}

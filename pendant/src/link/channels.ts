// SPDX-License-Identifier: BSD-3-Clause
// The robot's channels and the numbers in them, for plots: what there is, what is asked for, what has come.
import { fields, list, number, text, type PlotMessage } from './protocol';

export interface ChannelField {
  name: string;
  /** Elements of an array; 0: a single number. */
  count: number;
  unit: string;
  text: string;
}
export interface ChannelInfo {
  name: string;
  message: string;
  text: string;
  fields: ChannelField[];
}

export function channelsFrom(value: unknown): ChannelInfo[] {
  return list(fields(value).channels).map(fields).map((one) => ({
    name: text(one.name),
    message: text(one.message),
    text: text(one.text),
    fields: list(one.fields).map(fields).map((field) => ({ name: text(field.name), count: number(field.count), unit: text(field.unit), text: text(field.text) })),
  }));
}

export interface ChannelCurve {
  channel: string;
  /** "position[3]" */
  path: string;
  unit: string;
}

/** What the server lets one page draw. */
export const kMostCurves = 16;
export const kMostChannels = 4;

export function mayAdd(curves: readonly ChannelCurve[], next: ChannelCurve): boolean {
  const channels = new Set([...curves, next].map((one) => one.channel));
  const isNew = !curves.some((one) => one.channel === next.channel && one.path === next.path);
  return isNew && curves.length < kMostCurves && channels.size <= kMostChannels;
}

/** The messages that lead from one choice to another: a channel that is no longer drawn gets an empty list, first. */
export function subscriptions(before: readonly ChannelCurve[], after: readonly ChannelCurve[]): { op: 'plot'; channel: string; fields: string[] }[] {
  const paths = (curves: readonly ChannelCurve[], channel: string) => curves.filter((one) => one.channel === channel).map((one) => one.path);
  const channels = [...new Set([...before, ...after].map((one) => one.channel))];
  return channels
    .map((channel) => ({ op: 'plot' as const, channel, fields: paths(after, channel), was: paths(before, channel) }))
    .filter((one) => one.fields.join() !== one.was.join())
    .sort((a, b) => a.fields.length - b.fields.length)
    .map(({ op, channel, fields: wanted }) => ({ op, channel, fields: wanted }));
}

const kLongest_s = 60;
const key = (channel: string, path: string) => `${channel} ${path}`;

/** The last minute of what was asked for. */
export class ChannelSamples {
  private times: number[] = [];
  private rows: Map<string, number>[] = [];

  append(message: PlotMessage): void {
    const last = this.times[this.times.length - 1];
    // the server was started anew
    if (last !== undefined && message.t < last) this.clear();
    if (message.t === last) return;
    const row = new Map<string, number>();
    for (const sample of message.samples) for (const [path, value] of Object.entries(sample.values)) row.set(key(sample.channel, path), value ?? NaN);
    this.times.push(message.t);
    this.rows.push(row);
    const first = this.times.findIndex((t) => t >= message.t - kLongest_s);
    if (first > 0) {
      this.times.splice(0, first);
      this.rows.splice(0, first);
    }
  }

  clear(): void {
    this.times = [];
    this.rows = [];
  }

  /** Seconds before the newest, and each curve; what is not known is a gap. */
  curves(wanted: readonly ChannelCurve[], span: number): (number | null)[][] {
    const newest = this.times[this.times.length - 1] ?? 0;
    const first = Math.max(0, this.times.findIndex((t) => t >= newest - span));
    const rows = this.rows.slice(first);
    const curve = (one: ChannelCurve) => rows.map((row) => {
      const value = row.get(key(one.channel, one.path));
      return value === undefined || Number.isNaN(value) ? null : value;
    });
    return [this.times.slice(first).map((t) => t - newest), ...wanted.map(curve)];
  }
}

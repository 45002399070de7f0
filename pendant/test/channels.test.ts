// SPDX-License-Identifier: BSD-3-Clause
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelsFrom, ChannelSamples, mayAdd, subscriptions, type ChannelCurve } from '../src/link/channels';
import { messageFrom, type PlotMessage } from '../src/link/protocol';

const curve = (channel: string, path: string): ChannelCurve => ({ channel, path, unit: '' });

test('channels are read; what is none is nothing', () => {
  const [one] = channelsFrom({ channels: [{ name: 'health', fields: [{ name: 'cycles', count: 0, unit: '', text: 'how many' }] }] });
  assert.equal(one!.fields[0]!.name, 'cycles');
  assert.deepEqual(channelsFrom(null), []);
});

test('only what changes is asked for, and what ends comes first', () => {
  const before = [curve('health', 'cycles'), curve('state', 'position[0]')];
  const after = [curve('state', 'position[0]'), curve('io', 'inputs')];
  assert.deepEqual(subscriptions(before, after), [{ op: 'plot', channel: 'health', fields: [] }, { op: 'plot', channel: 'io', fields: ['inputs'] }]);
  assert.deepEqual(subscriptions(after, after), []);
});

test('no more is drawn than the server lets a page draw, and nothing twice', () => {
  const four = ['a', 'b', 'c', 'd'].map((name) => curve(name, 'x'));
  assert.equal(mayAdd(four, curve('e', 'x')), false);
  assert.equal(mayAdd(four, curve('a', 'y')), true);
  assert.equal(mayAdd(four, curve('a', 'x')), false);
  assert.equal(mayAdd(Array.from({ length: 16 }, (_, i) => curve('a', `x[${i}]`)), curve('a', 'y')), false);
});

test('samples are the last minute; what has no number is a gap', () => {
  const samples = new ChannelSamples();
  const say = (t: number, value: number | null) => samples.append(messageFrom(JSON.stringify({ op: 'plot', t, samples: [{ channel: 'health', values: { cycles: value } }] })) as PlotMessage);
  for (let t = 0; t <= 100; t += 1) say(t, t === 99 ? null : t);
  const [x, y] = samples.curves([curve('health', 'cycles')], 60);
  assert.deepEqual([x![0], x!.at(-1)], [-60, 0]);
  assert.deepEqual(y!.slice(-3), [98, null, 100]);
  const [, none] = samples.curves([curve('health', 'other')], 10);
  assert.ok(none!.every((value) => value === null));
  say(5, 1);
  assert.equal(samples.curves([], 60)[0]!.length, 1, 'a server that was started anew');
});

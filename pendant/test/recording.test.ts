// SPDX-License-Identifier: BSD-3-Clause
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { curveOf, lengthOf, markAt, markBeside, recordingFrom, recordingsFrom, rowAt, stepped, toneOf } from '../src/link/recording';

const recorded = recordingFrom({
  robot: 'arm',
  seconds: [0, 0.1, 0.2, 0.3],
  positions: [[0, 1], [1, 2], [2, 3], [3, 4]],
  processed: [[], [1, 2], [2, 3], [3, 4]],
  wanted: [[], [9, 9]],
  marks: [
    { seconds: 0, state: 'running', reason: 'none', text: '', held: false },
    { seconds: 0.2, state: 'stopped', reason: 'self-collision', text: 'a would come near b', held: true, point_a: [1, 2, 3], point_b: [4, 5, 6] },
  ],
});

test('the row at a time is the newest up to it, and never outside', () => {
  const at = (time: number) => rowAt(recorded.seconds, time);
  assert.deepEqual([-1, 0, 0.05, 0.1, 0.15, 0.2999, 0.3, 99].map(at), [0, 0, 0, 1, 1, 2, 3, 3]);
  assert.equal(rowAt([], 1), 0);
  // against looking at every one of them
  const many = Array.from({ length: 997 }, (_, i) => i * 0.01 + 0.003 * Math.sin(i));
  for (let time = -0.1; time < 10.1; time += 0.0137) assert.equal(rowAt(many, time), Math.max(0, many.filter((one) => one <= time).length - 1));
});

test('stepping goes from row to row and stays within', () => {
  assert.equal(stepped(recorded, 0.1, 1), 0.2);
  assert.equal(stepped(recorded, 0.15, -1), 0);
  assert.equal(stepped(recorded, 0.3, 1), 0.3);
  assert.equal(stepped(recorded, 0, -5), 0);
  assert.equal(lengthOf(recorded), 0.3);
});

test('events lie beside a time, and one of them is the matter then', () => {
  const beside = (time: number, by: 1 | -1) => markBeside(recorded, time, markAt(recorded, time), by);
  assert.equal(beside(0, 1)?.seconds, 0.2);
  assert.equal(beside(0.2, 1), null);
  assert.equal(beside(0.2, -1)?.seconds, 0);
  assert.equal(beside(0.25, -1)?.seconds, 0.2);
  assert.equal(beside(0, -1), null);
  assert.equal(markAt(recorded, 0.19)?.state, 'running');
  assert.equal(markAt(recorded, 0.2)?.state, 'stopped');
  assert.deepEqual(markAt(recorded, 0.3)?.contact, { a: [1, 2, 3], b: [4, 5, 6] });
  assert.deepEqual(recorded.marks.map(toneOf), ['good', 'bad']);
});

test('each of several events at one time is gone to, on and back; one after the last row, too', () => {
  const busy = recordingFrom({
    seconds: [0, 0.1],
    marks: [['running', 0], ['stopped', 0.1], ['faulted', 0.1], ['stopped', 0.3]].map(([state, seconds]) => ({ seconds, state })),
  });
  const walk = (by: 1 | -1) => {
    const seen = [];
    for (let now = by > 0 ? markAt(busy, 0) : markAt(busy, 9); now; now = markBeside(busy, now.seconds, now, by)) seen.push(now.state);
    return seen;
  };
  assert.deepEqual(walk(1), ['running', 'stopped', 'faulted', 'stopped']);
  assert.deepEqual(walk(-1), ['stopped', 'faulted', 'stopped', 'running']);
  assert.equal(lengthOf(busy), 0.3);
});

test('what was not known is a gap and no zero', () => {
  assert.deepEqual(curveOf(recorded, 'processed', 0, 10), [null, 10, 20, 30]);
  assert.deepEqual(curveOf(recorded, 'wanted', 1, 1), [null, 9, null, null]);
  assert.deepEqual(curveOf(recorded, 'positions', 7, 1), [null, null, null, null]);
});

test('answers of other servers, and none, are no reason to fail', () => {
  assert.deepEqual(recordingsFrom(null), []);
  const [entry] = recordingsFrom({ recordings: [{ name: 'a.mcap', bytes: 5, changed: 7 }] });
  assert.deepEqual(entry, { name: 'a.mcap', bytes: 5, changed: 7, robots: null, seconds: null, reason: '' });
  const nothing = recordingFrom({ seconds: 'x', positions: 3, marks: [null] });
  assert.equal(lengthOf(nothing), 0);
  assert.equal(nothing.marks[0]?.state, '');
});

// SPDX-License-Identifier: BSD-3-Clause
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeStreamName, jointsAt, streamRowsFrom, streamsFrom } from '../src/link/stream';

test('a list is read as it is told, and what is missing promises nothing', () => {
  const all = streamsFrom({
    streams: [{ name: 'wave', by: 'ada', recorded: 5, seconds: 2, whole: 3, from: 0, to: 2, joints: ['a'] }],
    recording: { name: 'next', by: 'ada', seconds: 1.5, most: 300 }, undo: 2, redo: 1,
  });
  assert.equal(all.streams[0]?.whole, 3);
  assert.deepEqual(all.recording, { name: 'next', by: 'ada', seconds: 1.5, most: 300 });
  assert.deepEqual(streamsFrom(null), { streams: [], recording: null, undo: 0, redo: 0 });
  assert.equal(streamsFrom({ recording: null }).recording, null);
});

test('the ghost stands where the joints were, and within the stream', () => {
  const rows = streamRowsFrom({ period: 0.5, joints: ['a', 'b'], positions: [[0, 1], [2, 3], [4, 5]] });
  assert.deepEqual(jointsAt(rows, 0), { a: 0, b: 1 });
  assert.deepEqual(jointsAt(rows, 0.6), { a: 2, b: 3 });
  assert.deepEqual(jointsAt(rows, 99), { a: 4, b: 5 });
  assert.deepEqual(jointsAt(rows, -1), { a: 0, b: 1 });
  assert.equal(jointsAt(streamRowsFrom({}), 0), null);
});

test('a new stream gets a name that is free', () => {
  assert.equal(freeStreamName([]), 's1');
  assert.equal(freeStreamName(streamsFrom({ streams: [{ name: 's1' }, { name: 's3' }] }).streams), 's2');
});

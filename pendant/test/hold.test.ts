// SPDX-License-Identifier: BSD-3-Clause
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawPress, HoldMachine } from '../src/link/hold';
import { kHeartbeat_ms, kLongestNap_ms } from '../src/link/jog';

test('a held key is said again at each beat, with its press, the token and the time', () => {
  const hold = new HoldMachine();
  assert.equal(hold.beat(0, 'token'), null);
  hold.begin(42, 0);
  for (let now = 0; now < 1000; now += kHeartbeat_ms) {
    assert.deepEqual(hold.beat(now, 'token'), { op: 'hold', press: 42, control: 'token', t: now });
  }
});

test('letting go is said once, and nothing after it', () => {
  const hold = new HoldMachine();
  hold.begin(42, 0);
  assert.deepEqual(hold.end(), { op: 'hold', press: 42, released: true });
  assert.equal(hold.end(), null);
  assert.equal(hold.beat(10, 'token'), null);
  assert.equal(hold.press, null);
});

test('a page that has slept lets go', () => {
  const hold = new HoldMachine();
  hold.begin(42, 0);
  assert.deepEqual(hold.beat(kLongestNap_ms + 1, 'token'), { op: 'hold', press: 42, released: true });
  assert.equal(hold.press, null);
});

test('presses are whole numbers that JSON keeps, and differ', () => {
  const drawn = new Set(Array.from({ length: 1000 }, drawPress));
  assert.equal(drawn.size, 1000);
  for (const press of drawn) assert.ok(Number.isSafeInteger(press) && press >= 1);
});

// SPDX-License-Identifier: BSD-3-Clause
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOfPress, JogMachine, kHeartbeat_ms, kLongestNap_ms, stepMessage, type JogWish } from '../src/link/jog';

const joint = (name: string, velocity: number): JogWish => ({ frame: 'joints', arm: 'arm', tool: '', joints: { [name]: velocity }, speed: 1 });
const along = (axis: number, velocity: number): JogWish => {
  const linear: [number, number, number] = [0, 0, 0];
  linear[axis] = velocity;
  return { frame: 'base', arm: 'arm', tool: '', linear, angular: [0, 0, 0], speed: 1 };
};

test('nothing is sent while nothing is held', () => {
  const jog = new JogMachine();
  assert.equal(jog.tick(0, 't'), null);
  jog.press('a', joint('base', 1), 0);
  assert.equal(jog.release('a'), true);
  assert.equal(jog.tick(10, 't'), null);
});

test('a held key is said again at each beat, with the token', () => {
  const jog = new JogMachine();
  jog.press('a', joint('base', 0.5), 0);
  for (let now = 0; now < 1000; now += kHeartbeat_ms) {
    const message = jog.tick(now, 'token');
    assert.deepEqual(message?.joints, { base: 0.5 });
    assert.equal(message?.control, 'token');
    assert.equal(message?.stop, undefined);
  }
});

test('only letting go of the last key ends the jog', () => {
  const jog = new JogMachine();
  jog.press('a', joint('base', 1), 0);
  jog.press('b', joint('elbow', 1), 0);
  assert.equal(jog.release('a'), false);
  assert.deepEqual(jog.tick(10, 't')?.joints, { elbow: 1 });
  assert.equal(jog.release('b'), true);
  assert.equal(jog.release('b'), false);
});

test('two keys of one frame move together', () => {
  const jog = new JogMachine();
  jog.press('x', along(0, 0.1), 0);
  jog.press('z', along(2, -0.2), 0);
  assert.deepEqual(jog.tick(10, 't')?.linear, [0.1, 0, -0.2]);
  jog.press('q', joint('base', 1), 10);
  const newest = jog.tick(20, 't');
  assert.equal(newest?.frame, 'joints');
  assert.equal(newest?.linear, undefined);
});

test('opposite keys of one joint: the newer counts', () => {
  const jog = new JogMachine();
  jog.press('plus', joint('base', 1), 0);
  jog.press('minus', joint('base', -1), 0);
  assert.deepEqual(jog.tick(10, 't')?.joints, { base: -1 });
});

test('a page that has slept does not go on moving', () => {
  const jog = new JogMachine();
  jog.press('a', joint('base', 1), 0);
  assert.ok(jog.tick(50, 't')?.joints);
  const late = jog.tick(50 + kLongestNap_ms + 1, 't');
  assert.equal(late?.stop, true);
  assert.equal(jog.isActive, false);
  assert.equal(jog.tick(300, 't'), null);
});

test('a nap before the first press counts for nothing', () => {
  const jog = new JogMachine();
  jog.press('a', joint('base', 1), 0);
  jog.tick(0, 't');
  jog.release('a');
  jog.press('b', joint('base', 1), 60_000);
  assert.ok(jog.tick(60_001, 't')?.joints);
});

test('a step is said once, as one', () => {
  assert.deepEqual(stepMessage('t', 7, joint('base', 0.1)), { op: 'jog', control: 't', press: 7, step: true, ...joint('base', 0.1) });
});

test('each press has a number of its own, which its beats and refusals tell', () => {
  const jog = new JogMachine();
  assert.equal(jog.pressNumber, null);
  jog.press('a', joint('base', 1), 0);
  const first = jog.pressNumber;
  assert.equal(jog.tick(10, 't')?.press, first);
  jog.press('b', joint('elbow', 1), 20);
  assert.equal(jog.tick(30, 't')?.press, first, 'a second key joins in');
  jog.releaseAll();
  const step = jog.countPress();
  jog.press('a', joint('base', 1), 60);
  assert.equal(new Set([first, step, jog.pressNumber]).size, 3);
});

test('a refusal is of the press that it names, and of what is held where it names none', () => {
  assert.equal(isOfPress(null, 3), true);
  assert.equal(isOfPress(3, 3), true);
  assert.equal(isOfPress(2, 3), false, 'of a press that is over');
  assert.equal(isOfPress(2, null), false);
});

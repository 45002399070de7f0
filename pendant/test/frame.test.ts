// SPDX-License-Identifier: BSD-3-Clause
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collisionLevel, isOfArm, limitLevel, singularLevel } from '../src/frame/nearness';
import { causeAndRemedy, summary } from '../src/frame/summary';
import { matrixOf, quatOfRpy, rpyOf } from '../src/geometry';
import { retryDelay_ms } from '../src/link/backoff';
import { liveFrom, type JointInfo } from '../src/link/protocol';
import { placeFrom } from '../src/route';

const live = (safety: object, more: object = {}) => liveFrom({ safety: { state: 'running', ...safety }, ...more });

test('of all that is true the worst is said', () => {
  const stopped = live({ state: 'stopped', reason: 'requested', text: 'stopped: ada pressed stop; recorded in /x/y.mcap', held: ['base'] }, { jog: { phase: 'slowed' } });
  assert.deepEqual(summary(stopped, 'open'), { tone: 'bad', title: 'Stopped', why: 'ada pressed stop', canReset: true });
  assert.equal(summary(stopped, 'lost').tone, 'off');
  assert.equal(summary(live({}), 'open').tone, 'good');
  assert.equal(summary(live({ held: ['base'], link_a: 'hand', link_b: 'table' }), 'open').why, 'hand would come too near to table');
  assert.equal(summary(live({}, { motion: { phase: 'moving', program: { name: 'a', phase: 'running', line: 4 } } }), 'open').why, 'a, line 4');
});

test('each reason to stop has a cause and a remedy, however it is spelled', () => {
  for (const reason of ['self collision', 'SelfCollision', 'self_collision', 'self-collision']) assert.ok(causeAndRemedy(reason), reason);
  assert.equal(causeAndRemedy('none'), null);
});

test('a joint is near to its limit in the last tenth, and at it in the last fiftieth', () => {
  const joint: JointInfo = { name: 'a', kind: 'revolute', lower: -1, upper: 1, max_velocity: 1, is_enabled: true };
  assert.equal(limitLevel(joint, 0), 'clear');
  assert.equal(limitLevel(joint, 0.85), 'near');
  assert.equal(limitLevel(joint, -0.99), 'at');
  assert.equal(limitLevel(joint, 1.2), 'at');
  assert.equal(limitLevel({ ...joint, kind: 'continuous' }, 50), 'clear');
});

test('what the guard holds back is at a collision', () => {
  assert.equal(collisionLevel(live({ held: ['base'] })), 'at');
  assert.equal(collisionLevel(live({}, { near: { distance: 0.015, margin: 0.01 } })), 'near');
  assert.equal(collisionLevel(live({}, { near: { distance: 0.005, margin: 0.01 } })), 'at');
  assert.equal(collisionLevel(live({}, { near: { distance: 0.5, margin: 0.01 } })), 'clear');
  assert.equal(collisionLevel(live({})), 'clear');
});

test('the arm that is worst off tells how near a singularity is', () => {
  const tools = (...all: number[]) => live({}, { tools: Object.fromEntries(all.map((singular, i) => [`arm${i}`, { p: [0, 0, 0], q: [1, 0, 0, 0], singular }])) });
  assert.equal(singularLevel(tools(0.3, 0.2)), 'clear');
  assert.equal(singularLevel(tools(0.3, 0.03)), 'near');
  assert.equal(singularLevel(tools(0.001)), 'at');
  assert.equal(singularLevel(live({})), 'clear');
});

test('rotations go round through rpy and quaternion', () => {
  for (let i = 0; i < 200; i += 1) {
    const rpy: [number, number, number] = [Math.sin(i * 1.3) * 3, Math.sin(i * 0.7) * 1.5, Math.sin(i * 2.1) * 3];
    const matrix = matrixOf(quatOfRpy(rpy));
    const again = matrixOf(quatOfRpy(rpyOf(matrix)));
    matrix.flat().forEach((value, k) => assert.ok(Math.abs(value - again.flat()[k]!) < 1e-9));
  }
});

test('trying again slows down, and never stops', () => {
  assert.ok(retryDelay_ms(0, 0.5) <= 300);
  for (let i = 0; i < 100; i += 1) assert.ok(retryDelay_ms(i, 0.99) <= 6250 && retryDelay_ms(i, 0) > 0);
});

test('an address that leads nowhere leads to Move', () => {
  assert.deepEqual(placeFrom('#/program/a%20b.prog'), { page: 'program', part: 'a b.prog' });
  assert.deepEqual(placeFrom('#/nowhere'), { page: 'move', part: '' });
  assert.deepEqual(placeFrom('#/status/%E0%A4%A'), { page: 'status', part: '' });
});

test('a closed gripper is not near a limit of the arm; without arms every joint counts', () => {
  const arms = [{ name: 'arm', joints: ['base', 'elbow'], base: 'b', tip: 't', tools: [], toolPoses: {} }];
  assert.deepEqual(['base', 'elbow', 'gripper'].map((joint) => isOfArm({ arms }, joint)), [true, true, false]);
  assert.ok(isOfArm({ arms: [] }, 'gripper'));
});

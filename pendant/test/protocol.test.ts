// SPDX-License-Identifier: BSD-3-Clause
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { framesFrom, joinFrames, liveFrom, mayAs, messageFrom, robotFrom, sessionFrom, worldFrom } from '../src/link/protocol';

test('what cannot be read is as if it had not come', () => {
  for (const raw of ['', '{', 'null', '[]', '1', '"x"', '{"op":"dance"}', '{"op":1}']) assert.equal(messageFrom(raw), null, raw);
});

test('a live message without anything promises nothing', () => {
  const live = liveFrom({});
  assert.equal(live.safety.state, 'unknown');
  assert.deepEqual(live.q, []);
  assert.equal(live.control.holder, null);
  assert.equal(live.motion.override, 1);
});

test('a live message is read field by field', () => {
  const message = messageFrom(JSON.stringify({
    op: 'live', t: 2, q: [1, 2], r: [1, 2], tools: { arm: { p: [1, 2, 3], q: [1, 0, 0, 0] } },
    safety: { state: 'stopped', reason: 'requested', text: 'x', held: ['a'], point_a: [1, 2, 3], distance: 0.1 },
    motion: { phase: 'moving', override: 0.5, program: { name: 'a.prog', phase: 'running', line: 3 } },
    control: { holder: 'ada', client: 'c1' }, io: { inputs: { a: true, b: 0 } }, grippers: { g: 0.04 }, world: 7,
  }));
  assert.ok(message?.op === 'live');
  const { live } = message;
  assert.deepEqual(live.tools.arm?.p, [1, 2, 3]);
  assert.equal(live.safety.state, 'stopped');
  assert.deepEqual(live.safety.point_a, [1, 2, 3]);
  assert.equal(live.safety.point_b, null);
  assert.equal(live.motion.program.line, 3);
  assert.deepEqual(live.io.inputs, { a: true, b: 0 });
  assert.equal(live.world, 7);
});

test('numbers that are none become NaN in arrays and the value that promises nothing elsewhere', () => {
  const live = liveFrom({ q: [1, null, 'x'], safety: { state: 'flying', point_a: [1, 'y', 3] }, motion: { override: 'fast' } });
  assert.equal(live.q[0], 1);
  assert.ok(Number.isNaN(live.q[1]) && Number.isNaN(live.q[2]));
  assert.equal(live.safety.state, 'unknown');
  assert.equal(live.safety.point_a, null);
  assert.equal(live.motion.override, 1);
});

test('a robot is read as the server tells it', () => {
  const robot = robotFrom({
    robot: 'scorbot', postures: [{ name: 'home', joints: { a: 1 } }], grippers: [{ name: 'g', open_width: 0.075, closed_width: 0 }],
    joints: [{ name: 'a', kind: 'continuous', lower: null, upper: null, max_velocity: null, is_enabled: false }],
    arms: [{ name: 'arm', base: 'b', tip: 't', joints: ['a'], tools: [{ name: 'grip', link: 't' }] }],
    workspace: [{ name: 'cell', kind: 'keep_in', pose: { p: [0, 0, 1], q: [1, 0, 0, 0] }, half_extents: [1, 1, 1], links: ['hand'] }],
  });
  assert.equal(robot.name, 'scorbot');
  assert.deepEqual(robot.poses, [{ name: 'home', joints: { a: 1 } }]);
  assert.deepEqual(robot.grippers, [{ name: 'g', closed: 0, open: 0.075 }]);
  assert.ok(Number.isFinite(robot.joints[0]!.lower) && robot.joints[0]!.max_velocity > 0 && !robot.joints[0]!.is_enabled);
  assert.deepEqual(robot.arms[0]!.tools, ['grip']);
  assert.deepEqual(robot.workspace[0]!.position, [0, 0, 1]);
});

test('frames of robot.yaml stand beside the taught ones, which come first where names are the same', () => {
  const info = robotFrom({ frames: [{ name: 'table', arm: 'left', pose: { p: [1, 0, 0], q: [1, 0, 0, 0] } }, { name: 'table', arm: 'right', pose: { p: [2, 0, 0], q: [1, 0, 0, 0] } }] });
  assert.deepEqual(info.fixedFrames.map((one) => [one.name, one.arm, one.position[0]]), [['table', 'left', 1], ['table', 'right', 2]]);
  const own = framesFrom([{ name: 'table', arm: 'left', position: [3, 0, 0], rpy: [0, 0, 0] }, { name: 'bench', arm: '', position: [4, 0, 0], rpy: [0, 0, 0] }]);
  assert.deepEqual(joinFrames(info.fixedFrames, own).map((one) => [one.name, one.arm, one.position[0]]), [['table', 'left', 3], ['bench', '', 4], ['table', 'right', 2]]);
  assert.deepEqual(robotFrom({}).fixedFrames, []);
});

test('whoever does not say that it is simulated or emulated counts as real', () => {
  assert.equal(robotFrom({ mode: 'simulated' }).mode, 'simulated');
  assert.equal(robotFrom({ mode: 'emulated' }).mode, 'emulated');
  for (const mode of ['real', 'Simulated', '', undefined, 1]) assert.equal(robotFrom({ mode }).mode, 'real');
});

test('each role may what the ones before it may', () => {
  assert.ok(mayAs('expert', 'viewer') && mayAs('operator', 'operator'));
  assert.ok(!mayAs('operator', 'programmer') && !mayAs(null, 'viewer'));
  assert.equal(sessionFrom({ role: 'king' }).role, null);
});

test('objects of the world come with a pose beside or inside', () => {
  const [flat] = worldFrom({ objects: [{ name: 'a', shape: 'sphere', size: 0.1, p: [1, 2, 3], q: [0, 1, 0, 0], colour: [1, 0, 0, 1] }] });
  const [deep] = worldFrom([{ name: 'a', shape: 'sphere', size: [0.1], pose: { position: [1, 2, 3], quaternion: [0, 1, 0, 0] }, colour: '#ff0000' }]);
  assert.deepEqual(flat, deep);
});

test('an analog input stays a number, a digital one is on or off', () => {
  const { io } = liveFrom({ io: { inputs: { door: true, pressure: 3.25, level: 0, full: 1 }, outputs: { lamp: false, valve: 0.5, odd: 'on' } } });
  assert.deepEqual(io.inputs, { door: true, pressure: 3.25, level: 0, full: 1 });
  assert.deepEqual(io.outputs, { lamp: false, valve: 0.5, odd: false });
});

test('inputs and outputs have the names, numbers and kinds of robot.yaml; what is not said is digital and stays', () => {
  const info = robotFrom({ inputs: [{ name: 'door', number: 3, is_analog: false, is_off_at_stop: false }], outputs: [{ name: 'wire', number: 1, is_analog: true, is_off_at_stop: true }, {}] });
  assert.deepEqual(info.inputs, [{ name: 'door', number: 3, isAnalog: false, falls: false }]);
  assert.deepEqual(info.outputs, [{ name: 'wire', number: 1, isAnalog: true, falls: true }, { name: '', number: 0, isAnalog: false, falls: false }]);
  assert.deepEqual(robotFrom({}).inputs, []);
});

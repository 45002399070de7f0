// SPDX-License-Identifier: BSD-3-Clause
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matrixOf, times, type Vec3 } from '../src/geometry';
import {
  bodyOf, faceMoved, freeName, guardedBy, guarding, nameTrouble, newBound, ofKind, quatToNormal, rangeOf, sameDraft, setupFrom, withLimit, withoutLimits,
} from '../src/pages/setup/site';

const kAnswer = {
  limits: [
    { name: 'base', kind: 'revolute', is_enabled: true, made: { lower: -2, upper: 2, velocity: 1, acceleration: 3, jerk: null }, site: { upper: 1, jerk: 5 }, in_force: { lower: -2, upper: 2, velocity: 1 } },
    { name: 'turn', kind: 'continuous', is_enabled: true, made: { lower: null, upper: null, velocity: 2 }, site: {}, in_force: null },
  ],
  bounds: [
    { name: 'floor', kind: 'plane', source: 'robot', position: [0, 0, 0], normal: [0, 0, 1], guards: ['arm'] },
    { name: 'press', kind: 'keep_out', source: 'site', position: [1, 0, 0.5], rpy: [0, 0, 0.5], size: [0.4, 0.6, 1], of: [], except: [] },
  ],
  parts: { links: ['arm', 'hand'], tools: ['pen'] },
  most_bounds: 16, version: 'abc', is_running: true, is_in_force: false, problem: null,
};

test('what the server tells is told back to it', () => {
  const setup = setupFrom(kAnswer);
  assert.deepEqual(setup.fixed.map((one) => one.name), ['floor']);
  assert.deepEqual(setup.saved.limits, { base: { upper: 1, jerk: 5 } });
  assert.equal(setup.joints[1]!.made.upper, Infinity);
  assert.equal(setup.joints[1]!.inForce, null);
  assert.deepEqual(bodyOf(setup.saved, setup.version), {
    limits: { base: { upper: 1, jerk: 5 } },
    bounds: [{ name: 'press', kind: 'keep_out', position: [1, 0, 0.5], rpy: [0, 0, 0.5], size: [0.4, 0.6, 1], of: [], except: [] }],
    version: 'abc',
  });
  assert.equal(setupFrom(null).joints.length, 0);
});

test('a limit as made is no limit of the site, and a range keeps its ends apart', () => {
  const setup = setupFrom(kAnswer);
  const base = setup.joints[0]!;
  const narrow = withLimit(setup.saved, base, 'lower', -0.5);
  assert.deepEqual(narrow.limits.base, { upper: 1, jerk: 5, lower: -0.5 });
  assert.ok(!sameDraft(narrow, setup.saved));
  assert.ok(sameDraft(withLimit(narrow, base, 'lower', -2), setup.saved));
  assert.deepEqual(withoutLimits(setup.saved, 'base').limits, {});
  const { lowest, highest } = rangeOf(base, narrow.limits.base, 'upper');
  assert.ok(lowest > -0.5 && lowest < -0.49);
  assert.equal(highest, 2);
  assert.equal(rangeOf(base, undefined, 'velocity').highest, 1);
});

test('whom a bound concerns stays as it is when its kind changes', () => {
  const { parts } = setupFrom(kAnswer);
  const box = newBound('keep_out', 'a');
  assert.equal(guardedBy(box, parts), 'robot');
  const inside = ofKind(box, 'keep_in', parts);
  assert.equal(guardedBy(inside, parts), 'robot');
  assert.deepEqual(inside.of, ['arm', 'hand', 'pen']);
  const tool = guarding(box, 'tool', parts);
  assert.deepEqual(tool.of, ['pen']);
  assert.deepEqual(ofKind(tool, 'keep_in', parts).of, []);
  const some = { ...box, of: ['hand'] };
  assert.equal(guardedBy(some, parts), 'some');
  assert.deepEqual(ofKind(some, 'keep_in', parts).of, ['hand']);
});

test('z is turned to any direction', () => {
  for (const normal of [[0, 0, 1], [0, 0, -1], [1, 0, 0], [0, -1, 0], [0.6, 0, -0.8], [0.48, 0.6, 0.64]] as Vec3[]) {
    const z = times(matrixOf(quatToNormal(normal)), [0, 0, 1]);
    z.forEach((part, i) => assert.ok(Math.abs(part - normal[i]!) < 1e-9, `${normal}`));
  }
});

test('a dragged face leaves the face across where it is, and a box never vanishes', () => {
  const box = { ...newBound('keep_out', 'a'), position: [1, 0, 0] as Vec3, size: [0.4, 0.4, 0.4] as Vec3 };
  const wider = faceMoved(box, 0, 1, 0.2, [1, 0, 0]);
  assert.ok(Math.abs(wider.position[0] - wider.size[0] / 2 - 0.8) < 1e-9);
  assert.ok(Math.abs(wider.size[0] - 0.6) < 1e-9);
  const other = faceMoved(box, 0, -1, 0.2, [1, 0, 0]);
  assert.ok(Math.abs(other.position[0] + other.size[0] / 2 - 1.2) < 1e-9);
  assert.ok(faceMoved(box, 0, 1, -5, [1, 0, 0]).size[0] > 0);
});

test('names are there, short and each its own', () => {
  const a = newBound('plane', 'a');
  const b = newBound('plane', 'b');
  assert.equal(nameTrouble(a, [a, b]), '');
  assert.equal(nameTrouble({ ...a, name: ' b ' }, [b]), 'taken');
  assert.equal(nameTrouble({ ...a, name: '  ' }, []), 'empty');
  assert.equal(nameTrouble({ ...a, name: 'äöüäöüäöü' }, []), 'long');
  assert.equal(freeName('box', ['box 1', 'box 3']), 'box 2');
});

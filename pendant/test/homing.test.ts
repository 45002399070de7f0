// SPDX-License-Identifier: BSD-3-Clause
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ActuatorInfo } from '../src/link/protocol';
import { countsOf, motorOf, offsetFor } from '../src/pages/setup/homing';

const motors: ActuatorInfo[] = [
  { name: 'motor_1', scale: 600, joints: { base: 1 }, offset: 0 },
  { name: 'motor_3', scale: -480, joints: { shoulder: 1, elbow: 1 }, offset: -216 },
];

test('motors count what their joints turn together', () => {
  assert.equal(countsOf(motors[0]!, { base: 0.5 }), 300);
  assert.equal(countsOf(motors[1]!, { shoulder: 0.5, elbow: -0.25 }), -480 * 0.25 - 216);
});

test('with the new offset the same counts mean the true positions', () => {
  const measured = { base: 0.1, shoulder: 0.7, elbow: -0.4 };
  const truth = { base: 0, shoulder: 0.65, elbow: -0.3 };
  for (const motor of motors) {
    const mended = { ...motor, offset: offsetFor(motor, measured, truth) };
    assert.ok(Math.abs(countsOf(mended, truth) - countsOf(motor, measured)) < 1e-9);
    assert.ok(Math.abs(offsetFor(motor, measured, measured) - motor.offset) < 1e-9);
  }
});

test('a joint is shown with the motor that it alone turns, where there is one', () => {
  assert.equal(motorOf('base', motors)?.name, 'motor_1');
  assert.equal(motorOf('elbow', motors)?.name, 'motor_3');
  assert.equal(motorOf('roll', motors), null);
});

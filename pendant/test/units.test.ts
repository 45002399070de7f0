// SPDX-License-Identifier: BSD-3-Clause
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { durationText, kShopFloor, numberText, parseNumber, shown, typed } from '../src/units';

test('angles and lengths are shown as on the shop floor', () => {
  assert.equal(shown('angle', Math.PI / 2, kShopFloor), '90.0');
  assert.equal(shown('length', 0.1234, kShopFloor), '123.4');
  assert.equal(shown('length', 0.0254, { angle: 'deg', length: 'inch' }), '1.000');
});

test('there is no negative zero, and a minus sign is one', () => {
  assert.equal(numberText(-0.04, 1), '0.0');
  assert.equal(numberText(-1.5, 1), '−1.5');
  assert.equal(numberText(NaN, 1), '–');
});

test('what is shown can be typed again', () => {
  for (let i = -200; i <= 200; i += 7) {
    const value = (i * Math.PI) / 180;
    assert.ok(Math.abs(typed('angle', shown('angle', value, kShopFloor), kShopFloor)! - value) < 1e-9);
  }
});

test('what is no number is refused', () => {
  for (const text of ['', ' ', '-', '1.2.3', 'NaN', 'Infinity', '1e999', '0x10', '12a', '--1']) assert.equal(parseNumber(text), null, text);
  assert.equal(parseNumber(' 1,5 '), 1.5);
  assert.equal(parseNumber('.5'), 0.5);
});

test('durations are told as people say them', () => {
  assert.equal(durationText(12.34), '12.3 s');
  assert.equal(durationText(200), '3 min 20 s');
  assert.equal(durationText(3720), '1 h 02 min');
  assert.equal(durationText(NaN), '–');
});

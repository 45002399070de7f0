// SPDX-License-Identifier: BSD-3-Clause
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inversePose, length, matrixOf, minus, plus, poseTimes, quatOfRpy, quatTimes, scaled, times, type Vec3 } from '../src/geometry';
import { fitFrame, fitTool, solveLinear, turnByAxis, turnByPlaces, type Touch } from '../src/pages/setup/calibration';

/** Numbers from 0 to 1 that are the same at every run. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function touchesOf(tip: Vec3, point: Vec3, count: number, noise: number, random: () => number, tilt = 1): Touch[] {
  return Array.from({ length: count }, () => {
    const q = quatOfRpy([(random() - 0.5) * 2 * tilt, (random() - 0.5) * 2 * tilt, (random() - 0.5) * 6 * tilt]);
    const reach = times(matrixOf(q), tip);
    const shake: Vec3 = [(random() - 0.5) * noise, (random() - 0.5) * noise, (random() - 0.5) * noise];
    return { q, p: minus(minus(point, reach), shake) };
  });
}

test('exact touches give the tip exactly', () => {
  const random = seeded(7);
  for (let i = 0; i < 50; i += 1) {
    const tip: Vec3 = [random() * 0.2, random() * 0.2 - 0.1, 0.05 + random() * 0.2];
    const point: Vec3 = [0.3, random() * 0.4 - 0.2, 0.1];
    const fit = fitTool(touchesOf(tip, point, 4, 0, random))!;
    assert.ok(length(minus(fit.offset, tip)) < 1e-6 && length(minus(fit.point, point)) < 1e-6);
    assert.ok(fit.rms < 1e-6);
  }
});

test('touches that are off by a tenth of a millimetre give the tip to a tenth, and the residual says how well', () => {
  const random = seeded(21);
  const tip: Vec3 = [0.01, -0.02, 0.14];
  const fit = fitTool(touchesOf(tip, [0.3, 0.1, 0.05], 12, 0.0001, random))!;
  assert.ok(length(minus(fit.offset, tip)) < 0.0001, String(length(minus(fit.offset, tip))));
  assert.ok(fit.rms > 1e-6 && fit.rms < 0.0001);
  assert.ok(fit.worst >= fit.rms);
});

test('a touch that went wrong shows in the residual', () => {
  const random = seeded(3);
  const touches = touchesOf([0, 0, 0.1], [0.3, 0, 0.1], 5, 0, random);
  touches[2]!.p = [touches[2]!.p[0] + 0.01, touches[2]!.p[1], touches[2]!.p[2]];
  assert.ok(fitTool(touches)!.worst > 0.002);
});

test('touches that do not tell the tip are refused', () => {
  const random = seeded(5);
  assert.equal(fitTool(touchesOf([0, 0, 0.1], [0.3, 0, 0.1], 3, 0, random)), null);
  const same = touchesOf([0, 0, 0.1], [0.3, 0, 0.1], 6, 0, random, 0);
  assert.equal(fitTool(same), null);
  const oneAxis: Touch[] = [0, 1, 2, 3].map((i) => {
    const q = quatOfRpy([0, 0, i * 0.5]);
    return { q, p: minus([0.3, 0, 0.1], times(matrixOf(q), [0.02, 0, 0.1])) };
  });
  assert.equal(fitTool(oneAxis), null);
});

test('a frame from three points has its axes there', () => {
  const random = seeded(11);
  for (let i = 0; i < 50; i += 1) {
    const rpy: Vec3 = [random() * 2 - 1, random() * 2 - 1, random() * 6 - 3];
    const rotation = matrixOf(quatOfRpy(rpy));
    const origin: Vec3 = [0.2, -0.1, 0.05];
    const at = (v: Vec3): Vec3 => { const w = times(rotation, v); return [origin[0] + w[0], origin[1] + w[1], origin[2] + w[2]]; };
    const fit = fitFrame(origin, at([0.1 + random(), 0, 0]), at([random() - 0.5, 0.1 + random(), 0]))!;
    const found = matrixOf(quatOfRpy(fit.rpy));
    rotation.flat().forEach((value, k) => assert.ok(Math.abs(value - found.flat()[k]!) < 1e-9));
  }
});

test('points on a line, or on top of each other, make no frame', () => {
  assert.equal(fitFrame([0, 0, 0], [0.1, 0, 0], [0.2, 0, 0]), null);
  assert.equal(fitFrame([0, 0, 0], [0.001, 0, 0], [0, 0.1, 0]), null);
  assert.equal(fitFrame([0, 0, 0], [0.1, 0, 0], [0, 0, 0]), null);
});

test('linear equations are solved or refused', () => {
  assert.deepEqual(solveLinear([[0, 2], [1, 0]], [4, 3]), [3, 2]);
  assert.equal(solveLinear([[1, 2], [2, 4]], [1, 2]), null);
  assert.ok(length(scaled([1, 0, 0], 2)) === 2);
});

test('a tool that points somewhere has its Z there, whatever way the flange is turned', () => {
  const random = seeded(17);
  for (let i = 0; i < 100; i += 1) {
    const q = quatOfRpy([random() * 6 - 3, random() * 3 - 1.5, random() * 6 - 3]);
    for (const direction of [[0, 0, -1], [1, 0, 0], [0, 1, 0]] as Vec3[]) {
      const tool = matrixOf(quatTimes(q, quatOfRpy(turnByAxis(q, direction))));
      const z: Vec3 = [tool[0][2], tool[1][2], tool[2][2]];
      assert.ok(length(minus(z, direction)) < 1e-9);
    }
  }
  // a flange that points there already needs no turn, and one that points the other way a half one
  const down = quatOfRpy([Math.PI, 0, 0.3]);
  assert.ok(length(turnByAxis(down, [0, 0, -1])) < 1e-9);
  assert.ok(Math.abs(length(turnByAxis([1, 0, 0, 0], [0, 0, -1])) - Math.PI) < 1e-9);
});

test('two more touches tell how the tool is turned, from any posture', () => {
  const random = seeded(23);
  for (let i = 0; i < 100; i += 1) {
    const tip: Vec3 = [random() * 0.1, random() * 0.1, 0.1 + random() * 0.1];
    const point: Vec3 = [0.4, random() - 0.5, 0.2];
    const turn = quatOfRpy([random() * 2 - 1, random() * 2 - 1, random() * 6 - 3]);
    // the flange when the place `at` of the tool touches the point
    const touching = (at: Vec3): Touch => {
      const q = quatOfRpy([random() - 0.5, random() - 0.5, random() * 3]);
      const place = plus(tip, times(matrixOf(turn), at));
      return { q, p: minus(point, times(matrixOf(q), place)) };
    };
    const rpy = turnByPlaces({ tip, point, onAxis: touching([0, 0, -0.03 - random() * 0.1]), towardsX: touching([0.02 + random() * 0.1, 0, random() * 0.1 - 0.05]) })!;
    const found = matrixOf(quatOfRpy(rpy));
    matrixOf(turn).flat().forEach((value, k) => assert.ok(Math.abs(value - found.flat()[k]!) < 1e-9));
    assert.equal(turnByPlaces({ tip, point, onAxis: touching([0, 0, -0.001]), towardsX: touching([0.1, 0, 0]) }), null);
    assert.equal(turnByPlaces({ tip, point, onAxis: touching([0, 0, -0.1]), towardsX: touching([0, 0, 0.1]) }), null);
  }
});

test('poses and their inverses cancel', () => {
  const random = seeded(29);
  const any = () => ({ p: [random(), random(), random()] as Vec3, q: quatOfRpy([random(), random(), random()]) });
  for (let i = 0; i < 50; i += 1) {
    const [a, b] = [any(), any()];
    const back = poseTimes(inversePose(a), poseTimes(a, b));
    assert.ok(length(minus(back.p, b.p)) < 1e-12);
    back.q.forEach((value, k) => assert.ok(Math.abs(value - b.q[k]!) < 1e-12));
  }
});

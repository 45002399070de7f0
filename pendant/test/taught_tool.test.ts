// SPDX-License-Identifier: BSD-3-Clause
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cross, length, matrixOf, minus, plus, poseTimes, quatOfRpy, quatTimes, times, type Mat3, type Pose, type Quat, type Vec3 } from '../src/geometry';
import type { JogFrame, JogWish } from '../src/link/jog';
import type { ArmInfo, Live } from '../src/link/protocol';
import { chosenPose, flangeIn, flangeOfTool, numbersIn, wishOfFlange } from '../src/link/taught_tool';

function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
}

const random = seeded(41);
const any = (): Vec3 => [random(), random(), random()];
const anyPose = (): Pose => ({ p: any(), q: quatOfRpy(any()) });
const near = (a: Vec3, b: Vec3, bound = 1e-9) => assert.ok(length(minus(a, b)) < bound, `${a} is not ${b}`);

/** The axes in which a wish is given, seen from the base. */
function axesOf(wish: JogWish, turn: Quat): Mat3 {
  if (wish.frame === 'tool') return matrixOf(turn);
  return matrixOf(wish.frame === 'user' ? quatOfRpy(wish.frame_rpy!) : [1, 0, 0, 0]);
}

test('the tip moves as wished when the flange does as it is told', () => {
  for (let i = 0; i < 200; i += 1) {
    const X_FT = anyPose();
    const X_BF = anyPose();
    const X_BT = poseTimes(X_BF, X_FT);
    for (const frame of ['tool', 'base', 'user'] as JogFrame[]) {
      const wish: JogWish = { frame, arm: 'arm', tool: 'own', linear: any(), angular: any(), frame_rpy: any(), speed: 1 };
      const told = wishOfFlange(wish, X_FT, X_BF.q);
      assert.equal(told.tool, '');
      const wished = { v: times(axesOf(wish, X_BT.q), wish.linear!), w: times(axesOf(wish, X_BT.q), wish.angular!) };
      const flange = { v: times(axesOf(told, X_BF.q), told.linear!), w: times(axesOf(told, X_BF.q), told.angular!) };
      near(flange.w, wished.w);
      near(plus(flange.v, cross(flange.w, minus(X_BT.p, X_BF.p))), wished.v);
    }
  }
});

test('after a step the tip is where it was to be', () => {
  const turned = (v: Vec3): Quat => {
    const angle = length(v);
    const s = Math.sin(angle / 2) / angle;
    return [Math.cos(angle / 2), v[0] * s, v[1] * s, v[2] * s];
  };
  for (let i = 0; i < 200; i += 1) {
    const X_FT = anyPose();
    const X_BF = anyPose();
    const X_BT = poseTimes(X_BF, X_FT);
    for (const frame of ['tool', 'base'] as JogFrame[]) {
      const wish: JogWish = { frame, arm: 'arm', tool: 'own', linear: any(), angular: any(), speed: 1 };
      const told = wishOfFlange(wish, X_FT, X_BF.q, true);
      const step = (from: Pose, by: JogWish): Pose => ({
        p: plus(from.p, times(axesOf(by, from.q), by.linear!)),
        q: quatTimes(turned(times(axesOf(by, from.q), by.angular!)), from.q),
      });
      const tip = poseTimes(step(X_BF, told), X_FT);
      const wanted = step(X_BT, wish);
      near(tip.p, wanted.p);
      near(tip.q.slice(1) as Vec3, wanted.q.slice(1) as Vec3);
    }
  }
});

test('joints are no matter of tools', () => {
  const wish: JogWish = { frame: 'joints', arm: 'arm', tool: 'own', joints: { a: 1 }, speed: 1 };
  assert.equal(wishOfFlange(wish, anyPose(), [1, 0, 0, 0]), wish);
});

test('the flange is found behind the tool that the robot tells of, and any tool before it', () => {
  const [flange, hand, spike] = [anyPose(), anyPose(), { position: any(), rpy: any() }];
  const arm: ArmInfo = { name: 'arm', joints: [], base: '', tip: '', tools: ['hand'], toolPoses: { hand } };
  const told = { tools: { arm: { ...poseTimes(flange, hand), tool: 'hand', singular: null } } } as unknown as Live;
  near(flangeIn(told, arm)!.p, flange.p);
  near(flangeIn({ tools: { arm: { ...flange, tool: '', singular: null } } } as unknown as Live, arm)!.p, flange.p);
  assert.equal(flangeIn(null, arm), null);
  const own = [{ name: 'spike', arm: 'arm', mass: 0, centre: [0, 0, 0] as Vec3, ...spike }];
  near(chosenPose('spike', arm, own).p, spike.position);
  near(chosenPose('hand', arm, own).p, hand.p);
  near(chosenPose('', arm, own).p, [0, 0, 0]);
  near(poseTimes(flangeOfTool(flange, hand), hand).p, flange.p);
});

test('numbers in a user frame are those of the tool seen from it', () => {
  const X_BU = { p: [0.5, -0.2, 0.1] as const, q: quatOfRpy([0.1, -0.4, 1.2]) };
  const X_UT = { p: [0.03, 0.07, -0.02] as [number, number, number], q: quatOfRpy([-0.6, 0.2, 0.9]) };
  const frame = { p: [...X_BU.p] as [number, number, number], q: X_BU.q };
  const numbers = numbersIn(frame, poseTimes(frame, X_UT));
  [0.03, 0.07, -0.02, -0.6, 0.2, 0.9].forEach((value, i) => assert.ok(Math.abs(numbers[i]! - value) < 1e-9, `${i}: ${numbers[i]}`));
  // at the frame's own origin and turn all are zero
  numbersIn(frame, frame).forEach((value) => assert.ok(Math.abs(value) < 1e-9));
  numbersIn(null, { p: [1, 2, 3], q: [1, 0, 0, 0] }).forEach((value, i) => assert.ok(Math.abs(value - [1, 2, 3, 0, 0, 0][i]!) < 1e-12));
});

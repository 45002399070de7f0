// SPDX-License-Identifier: BSD-3-Clause
// Tools that were taught are known to the page and to programs; the robot knows its flange and the tools of robot.yaml. So what a
// taught tool is to do is said here as what the flange is to do.
import { cross, inversePose, matrixOf, minus, plus, poseTimes, quatOfRpy, rpyOfQuat, scaled, times, type Mat3, type Pose, type Quat, type Vec3 } from '../geometry';
import type { JogWish } from './jog';
import type { ArmInfo, Live, ToolInfo } from './protocol';

/** A taught tool at the flange. */
export function toolPose(tool: ToolInfo): Pose {
  return { p: tool.position, q: quatOfRpy(tool.rpy) };
}

/** Where the arm's flange is in its base; the live picture tells of the tool that is named first. */
export function flangeIn(now: Live | null, arm: ArmInfo): Pose | null {
  const shown = now?.tools[arm.name];
  if (!shown || !shown.p.every(Number.isFinite)) return null;
  const tool = arm.toolPoses[shown.tool];
  const isKnown = tool?.p.every(Number.isFinite) ?? false;
  return isKnown ? poseTimes(shown, inversePose(tool!)) : { p: shown.p, q: shown.q };
}

/** The chosen tool at the flange: a taught one, one of robot.yaml, or the flange itself. */
export function chosenPose(name: string, arm: ArmInfo, taught: readonly ToolInfo[]): Pose {
  const own = taught.find((tool) => tool.name === name);
  if (own) return toolPose(own);
  const known = arm.toolPoses[name];
  return known?.p.every(Number.isFinite) ? known : { p: [0, 0, 0], q: [1, 0, 0, 0] };
}

/** A tool's six numbers, place and roll, pitch, yaw, in a frame of the same base; null: in the base itself. */
export function numbersIn(X_BU: Pose | null, X_BT: Pose): number[] {
  const X_UT = X_BU ? poseTimes(inversePose(X_BU), X_BT) : X_BT;
  return [...X_UT.p, ...rpyOfQuat(X_UT.q)];
}

/** The flange when the tool is at `tool`. */
export function flangeOfTool(tool: Pose, X_FT: Pose): Pose {
  return poseTimes(tool, inversePose(X_FT));
}

function rotationOf(vector: Vec3): Mat3 {
  const angle = Math.hypot(...vector);
  const s = angle < 1e-12 ? 0 : Math.sin(angle / 2) / angle;
  return matrixOf([Math.cos(angle / 2), vector[0] * s, vector[1] * s, vector[2] * s]);
}

/** How the origin of the flange moves when its tool, `arm` away from it in the same axes, turns about its own tip. */
function swing(turn: Vec3, arm: Vec3, isStep: boolean): Vec3 {
  return isStep ? minus(arm, times(rotationOf(turn), arm)) : scaled(cross(turn, arm), -1);
}

/**
 * The wish for a tool as a wish for the flange. In the axes of the tool that is exact; in those of base or user it holds for the
 * moment, and is said anew with each message. `R_BF`: how the flange is turned now.
 */
export function wishOfFlange<T extends JogWish>(wish: T, X_FT: Pose, R_BF: Quat, isStep = false): T {
  if (wish.frame === 'joints') return wish;
  const linear = wish.linear ?? [0, 0, 0];
  const angular = wish.angular ?? [0, 0, 0];
  if (wish.frame === 'tool') {
    const R_FT = matrixOf(X_FT.q);
    const turn = times(R_FT, angular);
    return { ...wish, tool: '', linear: plus(times(R_FT, linear), swing(turn, X_FT.p, isStep)), angular: turn };
  }
  const R_BA = wish.frame === 'user' ? matrixOf(quatOfRpy(wish.frame_rpy ?? [0, 0, 0])) : matrixOf([1, 0, 0, 0]);
  const turn = times(R_BA, angular);
  const arm = times(matrixOf(R_BF), X_FT.p);
  return { ...wish, frame: 'base', tool: '', linear: plus(times(R_BA, linear), swing(turn, arm, isStep)), angular: turn };
}

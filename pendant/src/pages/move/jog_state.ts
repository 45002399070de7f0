// SPDX-License-Identifier: BSD-3-Clause
// What the jog keys mean at the moment: which frame, which arm, how far, how fast.
import type { Vec3 } from '../../geometry';
import type { JogFrame, JogWish } from '../../link/jog';
import type { ArmInfo, FrameInfo, JointInfo, RobotInfo, ToolInfo } from '../../link/protocol';
import { robot } from '../../robot';
import { jogSpeed } from '../../settings';
import { signal } from '../../store';

/** Fastest jog of a tool [m/s]: what manual modes of industrial robots allow. */
export const kFastestTool = 0.25;
/** Fastest turn of a tool by a jog key [rad/s]. */
export const kFastestTurn = 1.0;

export type StepSize = 'hold' | 'small' | 'middle' | 'large' | 'typed';
const kSteps: Record<Exclude<StepSize, 'hold' | 'typed'>, { length: number; angle: number }> = {
  small: { length: 0.0001, angle: (0.1 * Math.PI) / 180 },
  middle: { length: 0.001, angle: Math.PI / 180 },
  large: { length: 0.01, angle: (5 * Math.PI) / 180 },
};

export const frame = signal<JogFrame>('joints');
export const stepSize = signal<StepSize>('hold');
export const typedStep = signal({ length: 0.005, angle: (2 * Math.PI) / 180 });
export const armName = signal('');
export const toolName = signal('');
export const userFrameName = signal('');
// a tool belongs to its arm
armName.subscribe(() => (toolName.value = ''));

export function currentArm(info: RobotInfo | null): ArmInfo | null {
  return info?.arms.find((arm) => arm.name === armName.value) ?? info?.arms[0] ?? null;
}

/** The tools that an arm can be moved by, besides its flange: those of robot.yaml, then those that were taught. */
export function toolNames(arm: ArmInfo, own: readonly ToolInfo[]): string[] {
  return [...new Set([...arm.tools, ...own.filter((tool) => tool.arm === '' || tool.arm === arm.name).map((tool) => tool.name)])];
}

/** What one row of keys moves. */
export type Row = { kind: 'joint'; joint: JointInfo; index: number } | { kind: 'axis'; axis: number };

export function rows(info: RobotInfo, inFrame: JogFrame): Row[] {
  if (inFrame !== 'joints') return [0, 1, 2, 3, 4, 5].map((axis) => ({ kind: 'axis', axis }));
  const all: Row[] = info.joints.map((joint, index) => ({ kind: 'joint', joint, index }));
  return all.filter((row) => row.kind !== 'joint' || row.joint.is_enabled);
}

export function stepOf(size: StepSize): { length: number; angle: number } | null {
  if (size === 'hold') return null;
  return size === 'typed' ? typedStep.value : kSteps[size];
}

/** The wish of a key of a row: a speed, or with `step` how far. */
export function wishOf(row: Row, sign: 1 | -1, step: { length: number; angle: number } | null): JogWish {
  const info = robot.value;
  const arm = currentArm(info);
  const common = { frame: frame.value, arm: arm?.name ?? '', tool: toolName.value, speed: step ? jogSpeed.value : 1 };
  if (row.kind === 'joint') {
    const far = row.joint.kind === 'prismatic' ? step?.length : step?.angle;
    const amount = far ?? row.joint.max_velocity * jogSpeed.value;
    return { ...common, frame: 'joints', joints: { [row.joint.name]: sign * amount } };
  }
  const isTurn = row.axis >= 3;
  const amount = isTurn ? (step?.angle ?? kFastestTurn * jogSpeed.value) : (step?.length ?? kFastestTool * jogSpeed.value);
  const vector: Vec3 = [0, 0, 0];
  vector[row.axis % 3] = sign * amount;
  return {
    ...common,
    linear: isTurn ? [0, 0, 0] : vector,
    angular: isTurn ? vector : [0, 0, 0],
    ...(frame.value === 'user' ? { frame_rpy: userRpy(info) } : {}),
  };
}

/** The user frames of the arm that is moved. */
export function userFrames(info: RobotInfo | null): FrameInfo[] {
  const arm = currentArm(info)?.name;
  return (info?.frames ?? []).filter((one) => one.arm === '' || one.arm === arm);
}

/** The one that is chosen, or the first. */
export function userFrame(info: RobotInfo | null): FrameInfo | undefined {
  const own = userFrames(info);
  return own.find((one) => one.name === userFrameName.value) ?? own[0];
}

export function userRpy(info: RobotInfo | null): Vec3 {
  return userFrame(info)?.rpy ?? [0, 0, 0];
}

/** Jog speeds that the keys step through. */
export const kJogSpeeds = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1];

export function changeJogSpeed(by: 1 | -1): void {
  const at = kJogSpeeds.findIndex((one) => one >= jogSpeed.value - 1e-9);
  jogSpeed.value = kJogSpeeds[Math.min(kJogSpeeds.length - 1, Math.max(0, at + by))] ?? 0.25;
}

// SPDX-License-Identifier: BSD-3-Clause
// A gamepad as the three-axis joystick of old pendants: it jogs while the left shoulder button is held.
import { useEffect } from 'preact/hooks';
import type { JogWish } from '../../link/jog';
import type { Vec3 } from '../../geometry';
import { endJog, hasControl, may, robot, startJog, stop } from '../../robot';
import { jogSpeed } from '../../settings';
import { currentArm, frame, kFastestTool, kFastestTurn, rows, toolName, userRpy } from './jog_state';

const kDeadBand = 0.15;
const kShoulder = 4;
/** With it the left stick turns the tool about X and Y. */
const kOtherShoulder = 5;
const kStopButton = 1;
const kSource = 'gamepad';

/** A stick rests a little off its middle: what is less than the dead band is nothing, and from there on it grows from zero. */
export function stickValue(raw: number): number {
  const size = Math.abs(raw);
  if (!(size > kDeadBand)) return 0;
  return Math.sign(raw) * Math.min(1, (size - kDeadBand) / (1 - kDeadBand));
}

/** What the sticks mean: forwards is away from the base, left is left. While they turn, the left one tips the tool as it goes. */
export function twistOf([x, y, turn, z]: [number, number, number, number], isTurning: boolean, speed: number): { linear: Vec3; angular: Vec3 } {
  const v = kFastestTool * speed;
  const w = kFastestTurn * speed;
  if (isTurning) return { linear: [0, 0, -z * v], angular: [x * w, -y * w, -turn * w] };
  return { linear: [-y * v, -x * v, -z * v], angular: [0, 0, -turn * w] };
}

function wishOfPad(pad: Gamepad): JogWish | null {
  const info = robot.value;
  if (!info || !pad.buttons[kShoulder]?.pressed) return null;
  const [x = 0, y = 0, turn = 0, z = 0] = pad.axes.map(stickValue);
  if (x === 0 && y === 0 && turn === 0 && z === 0) return null;
  const arm = currentArm(info)?.name ?? '';
  const common = { arm, tool: toolName.value, speed: 1 };
  if (frame.value === 'joints') {
    const joints: Record<string, number> = {};
    const sticks = [x, -y, turn, -z];
    rows(info, 'joints').slice(0, 4).forEach((row, i) => {
      if (row.kind === 'joint' && sticks[i]) joints[row.joint.name] = sticks[i]! * row.joint.max_velocity * jogSpeed.value;
    });
    return { ...common, frame: 'joints', joints };
  }
  return {
    ...common,
    frame: frame.value,
    ...twistOf([x, y, turn, z], pad.buttons[kOtherShoulder]?.pressed === true, jogSpeed.value),
    ...(frame.value === 'user' ? { frame_rpy: userRpy(info) } : {}),
  };
}

export function useGamepad(): void {
  useEffect(() => {
    let isJogging = false;
    let wasStopped = false;
    const poll = () => {
      const pad = navigator.getGamepads?.().find((one) => one?.connected) ?? null;
      const wantsStop = pad?.buttons[kStopButton]?.pressed === true;
      if (wantsStop && !wasStopped) void stop();
      wasStopped = wantsStop;
      if (!may('operator')) return;
      const wish = pad && document.hasFocus() && !wantsStop ? wishOfPad(pad) : null;
      if (wish && (hasControl.value || !isJogging)) void startJog(kSource, wish);
      else if (!wish && isJogging) endJog(kSource);
      isJogging = wish !== null;
    };
    let timer: ReturnType<typeof setInterval> | undefined;
    const begin = () => (timer ??= setInterval(poll, 40));
    window.addEventListener('gamepadconnected', begin);
    if (navigator.getGamepads?.().some((pad) => pad !== null)) begin();
    return () => {
      window.removeEventListener('gamepadconnected', begin);
      clearInterval(timer);
      endJog(kSource);
    };
  }, []);
}

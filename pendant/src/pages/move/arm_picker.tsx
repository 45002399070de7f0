// SPDX-License-Identifier: BSD-3-Clause
import type { RobotInfo } from '../../link/protocol';
import { useSignal } from '../../store';
import { W } from '../../text';
import { Picker } from './jog_panel';
import { armName, currentArm } from './jog_state';

/** Which arm is meant by jogging, points and programs; nothing where there is only one. */
export function ArmPicker({ info }: { info: RobotInfo | null }) {
  useSignal(armName);
  const arm = currentArm(info);
  if (!info || !arm || info.arms.length < 2) return null;
  return <Picker label={W.move.arm} value={arm.name} onChange={(value) => (armName.value = value)} values={info.arms.map((one) => [one.name, one.name])} />;
}

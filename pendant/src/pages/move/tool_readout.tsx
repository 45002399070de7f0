// SPDX-License-Identifier: BSD-3-Clause
import { robot } from '../../robot';
import { units } from '../../settings';
import { useSignal } from '../../store';
import { W } from '../../text';
import { shown, symbol, type Kind } from '../../units';
import { LiveText } from '../../ui/parts';
import { armName, currentArm } from './jog_state';
import { toolNumbers } from './readings';

/** Where the tool is, in the arm's base. */
export function ToolReadout() {
  const info = useSignal(robot);
  const inUse = useSignal(units);
  useSignal(armName);
  const arm = currentArm(info);
  if (!arm) return null;
  return (
    <dl class="tool-readout" aria-label={`${W.move.toolAt} (${arm.name})`}>
      {W.move.axes.map((name, axis) => {
        const kind: Kind = axis < 3 ? 'length' : 'angle';
        return (
          <div key={name}>
            <dt>{name}</dt>
            <dd><LiveText pick={(now) => shown(kind, toolNumbers(now, arm.name, null)[axis] ?? NaN, inUse)} /><small>{symbol(kind, inUse)}</small></dd>
          </div>
        );
      })}
    </dl>
  );
}

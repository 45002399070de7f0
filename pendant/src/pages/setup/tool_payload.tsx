// SPDX-License-Identifier: BSD-3-Clause
// What a tool and what it carries weigh, and where the centre of that is.
import type { Vec3 } from '../../geometry';
import type { ArmInfo } from '../../link/protocol';
import { useSignal } from '../../store';
import { W } from '../../text';
import { NumberField, Panel } from '../../ui/parts';
import { changeDraft, draft } from './tool_draft';

export function PayloadPanel(_: { arm: ArmInfo }) {
  const { mass, centre } = useSignal(draft);
  return (
    <Panel title={`3 · ${W.payload.title}`}>
      <p>{W.payload.text}</p>
      <div class="three-fields four">
        <NumberField label={W.payload.mass} kind="plain" decimals={3} value={mass} lower={0} upper={1000} onChange={(value) => changeDraft({ mass: value })} />
        {(['X', 'Y', 'Z'] as const).map((axis, i) => (
          <NumberField key={axis} label={W.payload.centre(axis)} kind="length" value={centre[i]!} lower={-10} upper={10} onChange={(value) => changeDraft({ centre: centre.map((one, k) => (k === i ? value : one)) as Vec3 })} />
        ))}
      </div>
    </Panel>
  );
}

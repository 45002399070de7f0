// SPDX-License-Identifier: BSD-3-Clause
// How a tool is turned at its flange: by pointing it, by two more touches, or by numbers.
import { useState } from 'preact/hooks';
import type { Vec3 } from '../../geometry';
import type { ArmInfo } from '../../link/protocol';
import { flangeIn } from '../../link/taught_tool';
import { live } from '../../robot';
import { useSignal } from '../../store';
import { W } from '../../text';
import { Button, NumberField, Panel, Segmented } from '../../ui/parts';
import { fitTool, turnByAxis } from './calibration';
import { changeDraft, draft, recordTurn, touches, turnOfTouches, turnTouches } from './tool_draft';

type Method = 'flange' | 'align' | 'places';
type Direction = 'down' | 'ahead' | 'left';
const kDirections: Record<Direction, Vec3> = { down: [0, 0, -1], ahead: [1, 0, 0], left: [0, 1, 0] };

export function ToolTurnPanel({ arm, mayTeach }: { arm: ArmInfo; mayTeach: boolean }) {
  const [method, choose] = useState<Method>('align');
  const { rpy } = useSignal(draft);
  return (
    <Panel title={`2 · ${W.toolWizard.turn}`}>
      <Segmented<Method>
        name={W.toolWizard.turn} class="wide" value={method}
        onChange={(value) => { choose(value); if (value === 'flange') changeDraft({ rpy: [0, 0, 0] }); }}
        choices={(['align', 'places', 'flange'] as const).map((value) => ({ value, label: W.toolWizard.methods[value] }))}
      />
      {method === 'align' && <Align arm={arm} mayTeach={mayTeach} />}
      {method === 'places' && <Places arm={arm} mayTeach={mayTeach} />}
      {method === 'flange' && <p>{W.toolWizard.asFlange}</p>}
      <div class="three-fields" role="group" aria-label={W.toolWizard.turn} data-turn={rpy.map((value) => value.toFixed(6)).join(' ')}>
        {W.move.axes.slice(3).map((axis, i) => (
          <NumberField key={axis} label={axis} kind="angle" decimals={2} value={rpy[i]!} lower={-2 * Math.PI} upper={2 * Math.PI} onChange={(value) => changeDraft({ rpy: rpy.map((one, k) => (k === i ? value : one)) as Vec3 })} />
        ))}
      </div>
    </Panel>
  );
}

function Align({ arm, mayTeach }: { arm: ArmInfo; mayTeach: boolean }) {
  const [direction, point] = useState<Direction>('down');
  const take = () => {
    const flange = flangeIn(live.value, arm);
    if (flange) changeDraft({ rpy: turnByAxis(flange.q, kDirections[direction]) });
  };
  return (
    <>
      <p>{W.toolWizard.alignText(W.toolWizard.directions[direction])}</p>
      <Segmented<Direction> name={W.toolWizard.direction} class="wide" value={direction} onChange={point} choices={(['down', 'ahead', 'left'] as const).map((value) => ({ value, label: W.toolWizard.directions[value] }))} />
      <div class="row"><Button kind="main" icon="record" disabled={!mayTeach} onClick={take}>{W.toolWizard.pointsNow}</Button></div>
    </>
  );
}

function Places({ arm, mayTeach }: { arm: ArmInfo; mayTeach: boolean }) {
  const done = useSignal(turnTouches);
  const hasTip = fitTool(useSignal(touches)) !== null;
  const isOdd = done.onAxis !== null && done.towardsX !== null && hasTip && turnOfTouches() === null;
  return (
    <>
      <p>{W.toolWizard.placesText}</p>
      {!hasTip && <p class="note">{W.toolWizard.tipFirst}</p>}
      <ol class="touches">
        {(['onAxis', 'towardsX'] as const).map((which) => (
          <li key={which} class={done[which] ? 'done' : ''}>
            <strong>{W.toolWizard[which]}</strong>
            <span />
            <Button icon={done[which] ? 'check' : 'record'} label={`${W.setup.record}: ${W.toolWizard[which]}`} disabled={!mayTeach || !hasTip} onClick={() => recordTurn(which, arm)} />
          </li>
        ))}
      </ol>
      {isOdd && <p class="trouble">{W.setup.tooClose}</p>}
    </>
  );
}

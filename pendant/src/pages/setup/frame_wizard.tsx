// SPDX-License-Identifier: BSD-3-Clause
import { useState } from 'preact/hooks';
import type { Vec3 } from '../../geometry';
import type { RobotInfo } from '../../link/protocol';
import { rest } from '../../link/rest';
import { say } from '../../notices';
import { attempt, live, may, session } from '../../robot';
import { kept, units } from '../../settings';
import { useSelected, useSignal } from '../../store';
import { W } from '../../text';
import { shown, shownWithUnit } from '../../units';
import { Icon } from '../../ui/icons';
import { Button, Panel, TextField } from '../../ui/parts';
import { JogPanel } from '../move/jog_panel';
import { armName, currentArm } from '../move/jog_state';
import { toolIn } from '../move/readings';
import { fitFrame, type FrameFit } from './calibration';
import { TaughtFrames } from './frame_list';
import { ProgramLine } from './program_line';

const places = kept<(Vec3 | null)[]>('frameTouches', [null, null, null], (value) => Array.isArray(value) && value.length === 3);

export function FrameWizard({ info }: { info: RobotInfo }) {
  useSignal(armName);
  const arm = currentArm(info);
  const all = useSignal(places);
  const inUse = useSignal(units);
  const mayTeach = useSelected(session, () => may('programmer'));
  if (!arm) return <p class="hint">{W.move.noArm}</p>;
  const record = (at: number) => {
    const now = toolIn(live.value, arm.name);
    if (now) places.value = all.map((one, i) => (i === at ? now.p : one));
  };
  const [origin, onX, towardsY] = all;
  const isComplete = origin && onX && towardsY;
  const fit = isComplete ? fitFrame(origin, onX, towardsY) : null;
  return (
    <div class="wizard">
      <Panel title={W.setup.frameTitle}>
        <p>{W.setup.frameText}</p>
        <ol class="touches">
          {W.setup.frameTouch.map((name, i) => (
            <li key={name} class={all[i] ? 'done' : ''}>
              <strong>{name}</strong>
              <span>{all[i] ? all[i]!.map((value) => shown('length', value, inUse)).join('  ') : '–'}</span>
              <Button icon={all[i] ? 'check' : 'record'} label={`${W.setup.record}: ${name}`} disabled={!mayTeach} onClick={() => record(i)} />
            </li>
          ))}
        </ol>
      </Panel>
      <Panel title={W.move.jog} class="wizard-jog"><JogPanel info={info} /></Panel>
      <Panel title={W.setup.result}>
        {fit ? <FrameResult fit={fit} arm={arm.name} mayTeach={mayTeach} /> : <p class="hint">{isComplete ? <><Icon name="warn" /> {W.setup.tooClose}</> : W.nothingYet}</p>}
      </Panel>
      <TaughtFrames arm={arm.name} mayTeach={mayTeach} />
    </div>
  );
}

function FrameResult({ fit, arm, mayTeach }: { fit: FrameFit; arm: string; mayTeach: boolean }) {
  const inUse = useSignal(units);
  const [name, setName] = useState('table');
  const save = () => attempt(() => rest.put(`/api/frames/${encodeURIComponent(name)}`, { arm, position: fit.position, rpy: fit.rpy })).then((answer) => answer !== null && say('info', W.program.saved));
  const numbers = [...fit.position.map((value) => (value * 1000).toFixed(2)), ...fit.rpy.map((value) => ((value * 180) / Math.PI).toFixed(3))];
  return (
    <>
      <dl class="tiles">
        {W.move.axes.map((axis, i) => (
          <div key={axis}><dt>{axis}</dt><dd>{i < 3 ? shownWithUnit('length', fit.position[i]!, inUse) : shownWithUnit('angle', fit.rpy[i - 3]!, inUse)}</dd></div>
        ))}
      </dl>
      <form class="line-form" onSubmit={(event) => { event.preventDefault(); void save(); }}>
        <TextField label={W.setup.frameName} value={name} onChange={setName} />
        <Button kind="main" submit disabled={!mayTeach || name.trim() === ''}>{W.setup.saveFrame}</Button>
      </form>
      <ProgramLine line={`FRAME {${name}} = POSE(${numbers.join(', ')})`} />
    </>
  );
}

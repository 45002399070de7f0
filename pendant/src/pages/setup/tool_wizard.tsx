// SPDX-License-Identifier: BSD-3-Clause
// A tool in four steps: its tip by touching, how it is turned, what it weighs, and its name.
import type { ArmInfo, RobotInfo } from '../../link/protocol';
import { may, session } from '../../robot';
import { units } from '../../settings';
import { useSelected, useSignal } from '../../store';
import { W } from '../../text';
import { numberText, shown, shownWithUnit } from '../../units';
import { Button, NumberField, Panel } from '../../ui/parts';
import { JogPanel } from '../move/jog_panel';
import { armName, currentArm } from '../move/jog_state';
import { fitTool, type ToolFit } from './calibration';
import { changeDraft, draft, recordTouch, setTouches, touches } from './tool_draft';
import { PayloadPanel } from './tool_payload';
import { SaveToolPanel, TaughtTools } from './tool_list';
import { ToolTurnPanel } from './tool_turn';
import '../../style/wizards.css';

/** Turns of less than this between touches leave the tip in doubt [rad]. */
const kLeastSpread = 0.5;

export function ToolWizard({ info }: { info: RobotInfo }) {
  useSignal(armName);
  const arm = currentArm(info);
  const mayTeach = useSelected(session, () => may('programmer'));
  if (!arm) return <p class="hint">{W.move.noArm}</p>;
  return (
    <div class="wizard in-steps">
      <TipPanel arm={arm} mayTeach={mayTeach} />
      <Panel title={W.move.jog} class="wizard-jog"><JogPanel info={info} /></Panel>
      <ToolTurnPanel arm={arm} mayTeach={mayTeach} />
      <PayloadPanel arm={arm} />
      <SaveToolPanel arm={arm} mayTeach={mayTeach} />
      <TaughtTools arm={arm} mayTeach={mayTeach} />
    </div>
  );
}

function TipPanel({ arm, mayTeach }: { arm: ArmInfo; mayTeach: boolean }) {
  const all = useSignal(touches);
  const inUse = useSignal(units);
  const fit = fitTool(all);
  return (
    <Panel title={`1 · ${W.setup.toolTitle}`}>
      <p>{W.setup.toolText}</p>
      <ol class="touches">
        {all.map((touch, i) => (
          <li key={i}>
            <strong>{W.setup.touch(i + 1)}</strong>
            <span>{touch.p.map((value) => shown('length', value, inUse)).join('  ')}</span>
            <Button kind="quiet" icon="trash" label={`${W.remove} ${W.setup.touch(i + 1)}`} onClick={() => setTouches(all.filter((one) => one !== touch))} />
          </li>
        ))}
      </ol>
      <div class="row">
        <Button kind="main" size="large" icon="record" disabled={!mayTeach} onClick={() => recordTouch(arm)}>{W.setup.record}</Button>
        <span class="label" role="status">{all.length < 4 ? W.setup.touches(all.length) : W.toolWizard.enough(all.length)}</span>
        {all.length > 0 && <Button icon="reset" onClick={() => setTouches([])}>{W.setup.startOver}</Button>}
      </div>
      {fit ? <Fit fit={fit} /> : all.length >= 4 && <p class="trouble">{W.setup.spreadLow}</p>}
      <TipNumbers />
    </Panel>
  );
}

function Fit({ fit }: { fit: ToolFit }) {
  const inUse = useSignal(units);
  const quality = fit.rms < 0.0005 ? 'good' : fit.rms < 0.002 ? 'warn' : 'bad';
  return (
    <>
      <dl class="tiles" data-tool={fit.offset.map((value) => value.toFixed(6)).join(' ')}>
        <div class={quality}><dt>{W.setup.residual}</dt><dd>{numberText(fit.rms * 1000, 2)} mm <small>{W.setup.worst} {numberText(fit.worst * 1000, 2)} mm</small></dd></div>
        <div class={fit.spread < kLeastSpread ? 'warn' : 'good'}><dt>{W.setup.spread}</dt><dd>{shownWithUnit('angle', fit.spread, inUse)}</dd></div>
      </dl>
      {fit.spread < kLeastSpread && <p class="trouble">{W.setup.spreadLow}</p>}
    </>
  );
}

function TipNumbers() {
  const { position } = useSignal(draft);
  return (
    <div class="three-fields" role="group" aria-label={W.toolWizard.tip}>
      {(['X', 'Y', 'Z'] as const).map((axis, i) => (
        <NumberField key={axis} label={axis} kind="length" decimals={2} value={position[i]!} lower={-10} upper={10} onChange={(value) => changeDraft({ position: position.map((one, k) => (k === i ? value : one)) as typeof position })} />
      ))}
    </div>
  );
}

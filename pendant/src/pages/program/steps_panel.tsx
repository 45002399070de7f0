// SPDX-License-Identifier: BSD-3-Clause
import { useState } from 'preact/hooks';
import type { Step } from '../../link/protocol';
import { live, may, points, session } from '../../robot';
import { useSelected, useSignal } from '../../store';
import { W } from '../../text';
import { Icon, type IconName } from '../../ui/icons';
import { Button, Dialog } from '../../ui/parts';
import { editor, insert, insertPoint } from './editor_state';
import * as program from './program_state';
import { moveStep, removeStep, siblingsOf, stepAt, type Edit } from './steps';

export function StepsPanel() {
  const { tree } = useSignal(program.checked);
  const line = useSignal(program.cursorLine);
  const open = useSignal(program.name);
  const runs = useSelected(live, () => program.runningLine());
  const simulated = useSelected(program.runTime, () => program.runLine());
  const isKnown = useSelected(program.text, (text) => text === program.checkedText.value);
  const mayEdit = useSelected(session, () => may('programmer')) && isKnown;
  const [isInserting, setInserting] = useState(false);
  const chosen = stepAt(tree, line);
  const siblings = chosen ? siblingsOf(tree, chosen) : [];
  const at = chosen ? siblings.indexOf(chosen) : -1;
  const apply = (edit: Edit | null) => edit && editor.value?.replace(edit.text, edit.line);
  return (
    <section class="steps" aria-label={W.program.steps}>
      <div class="step-tree">
        {tree.length === 0 && open !== null && <p class="hint">{W.program.emptySteps}</p>}
        <Steps steps={tree} chosen={chosen} running={stepAt(tree, simulated || runs)} />
      </div>
      <div class="step-tools">
        <Button icon="plus" label={W.program.insert} disabled={!mayEdit || open === null} onClick={() => setInserting(true)} />
        <Button icon="up" label={W.program.up} disabled={!mayEdit || at <= 0} onClick={() => chosen && apply(moveStep(program.text.value, tree, chosen, -1))} />
        <Button icon="down" label={W.program.down} disabled={!mayEdit || at < 0 || at >= siblings.length - 1} onClick={() => chosen && apply(moveStep(program.text.value, tree, chosen, 1))} />
        <Button icon="trash" label={W.remove} disabled={!mayEdit || !chosen} onClick={() => chosen && apply(removeStep(program.text.value, chosen))} />
      </div>
      {isInserting && <InsertSheet onClose={() => setInserting(false)} />}
    </section>
  );
}

function iconOf(step: Step): IconName {
  const word = step.label.trim().toUpperCase();
  if (/^D?MOV/.test(word)) return 'move';
  if (word.startsWith('GRIPPER')) return 'hand';
  if (word.startsWith('WAIT') || word.startsWith('PAUSE')) return 'clock';
  if (/^(FOR|WHILE)/.test(word)) return 'reset';
  if (/^(SET|RESET|PULSE)/.test(word)) return 'link';
  return step.children.length > 0 ? 'program' : 'file';
}

function Steps({ steps, chosen, running }: { steps: readonly Step[]; chosen: Step | null; running: Step | null }) {
  if (steps.length === 0) return null;
  return (
    <ul>
      {steps.map((step) => (
        <li key={step.line}>
          <button
            type="button"
            class={`step ${step === running ? 'runs' : ''}`}
            aria-current={step === chosen ? 'true' : undefined}
            onClick={() => editor.value?.goTo(step.line)}
          >
            <Icon name={iconOf(step)} size={18} />
            <span>{step.label}</span>
          </button>
          <Steps steps={step.children} chosen={chosen} running={running} />
        </li>
      ))}
    </ul>
  );
}

function templates(point: string): [IconName, string, string][] {
  return [
    ['move', 'MOVEJ', `MOVEJ ${point}`],
    ['move', 'MOVEL_RPY', `MOVEL_RPY 300 0 200 0 90 0`],
    ['move', 'DMOVE', 'DMOVE 0 0 50 0 0 0 {B}'],
    ['hand', 'GRIPPER OPEN', 'GRIPPER OPEN'],
    ['hand', 'GRIPPER CLOSE', 'GRIPPER CLOSE'],
    ['clock', 'WAIT', 'WAIT 1'],
    ['link', 'SET', 'SET {out_1}'],
    ['program', 'IF', 'IF HOLDS()\nEND'],
    ['reset', 'FOR', 'FOR i = 1 TO 3\nEND'],
    ['file', 'SPEED', 'SPEED 50%'],
    ['file', 'PRINT', 'PRINT "here"'],
    ['file', '#', '# '],
  ];
}

function InsertSheet({ onClose }: { onClose: () => void }) {
  const all = useSelected(points, (list) => list.points.map((point) => point.name));
  const [point, setPoint] = useState(all[0] ?? 'p1');
  return (
    <Dialog title={W.program.insert} onClose={onClose}>
      {all.length > 0 && (
        <label class="field">
          <span class="field-name">{W.program.points}</span>
          <select value={point} onChange={(event) => setPoint(event.currentTarget.value)}>{all.map((one) => <option key={one}>{one}</option>)}</select>
        </label>
      )}
      <div class="insert-grid">
        {templates(point).map(([icon, word, line]) => (
          <Button key={word} icon={icon} onClick={() => { onClose(); (word === 'MOVEJ' ? insertPoint : insert)(line); }}>{word}</Button>
        ))}
      </div>
    </Dialog>
  );
}

// SPDX-License-Identifier: BSD-3-Clause
// The user frames that were taught: changed by numbers, deleted.
import { useState } from 'preact/hooks';
import type { FrameInfo } from '../../link/protocol';
import { rest } from '../../link/rest';
import { attempt, taught } from '../../robot';
import { units } from '../../settings';
import { useSelected, useSignal } from '../../store';
import { W } from '../../text';
import { shown, symbol } from '../../units';
import { Ask, Button, Dialog, NumberField, Panel, type Question } from '../../ui/parts';
import { TaughtUndo } from './taught_undo';

const pathOf = (name: string) => `/api/frames/${encodeURIComponent(name)}`;

/** Those of an arm. */
export function TaughtFrames({ arm, mayTeach }: { arm: string; mayTeach: boolean }) {
  const frames = useSelected(taught, (all) => all.frames);
  const inUse = useSignal(units);
  const [question, ask] = useState<Question | null>(null);
  const [changed, change] = useState<FrameInfo | null>(null);
  const own = frames.filter((frame) => frame.arm === '' || frame.arm === arm);
  const remove = ({ name }: FrameInfo) =>
    ask({ title: W.setup.taughtFrames, text: W.setup.deleteFrame(name), yes: W.remove, isDangerous: true, act: () => void attempt(() => rest.del(pathOf(name))) });
  return (
    <Panel title={W.setup.taughtFrames} actions={<TaughtUndo kind="frames" mayTeach={mayTeach} />}>
      {own.length === 0 ? <p class="hint">{W.setup.noFrames}</p> : (
        <ul class="touches" data-frames={own.length}>
          {own.map((frame) => (
            <li key={frame.name}>
              <strong>{frame.name}</strong>
              <span>{frame.position.map((value) => shown('length', value, inUse)).join('  ')} {symbol('length', inUse)}</span>
              <Button kind="quiet" icon="pen" label={`${W.setup.changeFrame} ${frame.name}`} disabled={!mayTeach} onClick={() => change(frame)} />
              <Button kind="quiet" icon="trash" label={`${W.remove} ${frame.name}`} disabled={!mayTeach} onClick={() => remove(frame)} />
            </li>
          ))}
        </ul>
      )}
      {changed && <ChangeFrame frame={changed} arm={arm} onClose={() => change(null)} />}
      {question && <Ask question={question} onDone={() => ask(null)} />}
    </Panel>
  );
}

function ChangeFrame({ frame, arm, onClose }: { frame: FrameInfo; arm: string; onClose: () => void }) {
  const [values, setValues] = useState([...frame.position, ...frame.rpy]);
  const submit = async (event: Event) => {
    event.preventDefault();
    const answer = await attempt(() => rest.put(pathOf(frame.name), { arm: frame.arm || arm, position: values.slice(0, 3), rpy: values.slice(3) }));
    if (answer !== null) onClose();
  };
  return (
    <Dialog title={`${W.setup.changeFrame} ${frame.name}`} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <div class="number-grid three">
          {W.move.axes.map((axis, i) => (
            <NumberField key={axis} label={axis} kind={i < 3 ? 'length' : 'angle'} value={values[i]!} onChange={(next) => setValues(values.map((one, k) => (k === i ? next : one)))} />
          ))}
        </div>
        <footer><Button onClick={onClose}>{W.cancel}</Button><Button kind="main" submit>{W.save}</Button></footer>
      </form>
    </Dialog>
  );
}

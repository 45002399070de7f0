// SPDX-License-Identifier: BSD-3-Clause
import { useState } from 'preact/hooks';
import type { Vec3 } from '../../geometry';
import type { WorldObject } from '../../link/protocol';
import { rest } from '../../link/rest';
import { attempt, ensureControl, fetchWorld, may, session, world } from '../../robot';
import { RobotView } from '../../scene/view';
import { units } from '../../settings';
import { useSelected, useSignal } from '../../store';
import { W } from '../../text';
import { UndoStack, type Change } from '../../undo';
import { shown, symbol } from '../../units';
import { Button, NumberField, Panel, Segmented, TextField } from '../../ui/parts';
import { worldYaml, yamlOf, type Shape } from './world_yaml';

const changes = new UndoStack();
const pathOf = (name: string) => `/api/world/${encodeURIComponent(name)}`;
const put = async (yaml: string) => void (await rest.post('/api/world', { yaml }));
const drop = async (name: string) => void (await rest.del(pathOf(name)));

export function Objects() {
  const all = useSignal(world);
  const inUse = useSignal(units);
  const mayChange = useSelected(session, () => may('programmer'));
  const [, redraw] = useState(0);
  const act = async (what: () => Promise<void>) => {
    if (await ensureControl()) await attempt(what);
    await fetchWorld();
    redraw((count) => count + 1);
  };
  const apply = (change: Change) => void act(() => changes.apply(change));
  const remove = (object: WorldObject) => {
    const yaml = yamlOf(object);
    apply({ label: `${W.remove} ${object.name}`, apply: () => drop(object.name), revert: () => (yaml ? put(yaml) : Promise.reject(new Error(W.setup.cannotReturn(object.name)))) });
  };
  return (
    <div class="wizard picture">
      <div class="wizard-side">
        <NewObject isTaken={(name) => all.some((one) => one.name === name)} mayChange={mayChange} add={(name, yaml) => apply({ label: `${W.setup.add} ${name}`, apply: () => put(yaml), revert: () => drop(name) })} />
        <Panel
          title={W.setup.objects}
          actions={<>
            <Button kind="quiet" icon="undo" label={changes.undoLabel ? `${W.undo}: ${changes.undoLabel}` : W.undo} disabled={!mayChange || changes.undoLabel === null} onClick={() => void act(() => changes.undo())} />
            <Button kind="quiet" icon="redo" label={changes.redoLabel ? `${W.redo}: ${changes.redoLabel}` : W.redo} disabled={!mayChange || changes.redoLabel === null} onClick={() => void act(() => changes.redo())} />
          </>}
        >
          {all.length === 0 && <p class="hint">{W.setup.noObjects}</p>}
          <ul class="point-list">
            {all.map((object) => (
              <li key={object.name}>
                <span class="point-main"><span class="point-words"><strong>{object.name}</strong><span>{object.shape}  {object.size.map((value) => shown('length', value, inUse)).join(' × ')} {symbol('length', inUse)}</span></span></span>
                <Button kind="quiet" icon="trash" label={`${W.remove} ${object.name}`} disabled={!mayChange} onClick={() => remove(object)} />
              </li>
            ))}
          </ul>
        </Panel>
      </div>
      <RobotView canDrag={false} />
    </div>
  );
}

const kSizes: Record<Shape, string[]> = {
  box: [W.setup.length, W.setup.width, W.setup.height],
  sphere: [W.setup.radius],
  cylinder: [W.setup.radius, W.setup.height],
  plane: [],
};

function NewObject(props: { mayChange: boolean; isTaken: (name: string) => boolean; add: (name: string, yaml: string) => void }) {
  const [shape, setShape] = useState<Shape>('box');
  const [name, setName] = useState('');
  const [size, setSize] = useState([0.1, 0.1, 0.1]);
  const [at, setAt] = useState<Vec3>([0.3, 0, 0.05]);
  const clean = name.trim();
  const submit = (event: Event) => {
    event.preventDefault();
    props.add(clean, worldYaml(clean, shape, size, at, [0, 0, 0]));
    setName('');
  };
  return (
    <Panel title={W.setup.add}>
      <form onSubmit={submit}>
        <Segmented<Shape> name={W.setup.shape} class="wide" value={shape} onChange={setShape} choices={(['box', 'sphere', 'cylinder', 'plane'] as const).map((value) => ({ value, label: W.setup[value] }))} />
        <div class="number-grid three">
          {kSizes[shape].map((label, i) => <NumberField key={label} label={label} kind="length" lower={0.001} upper={10} value={size[i] ?? 0.1} onChange={(value) => setSize(size.map((one, k) => (k === i ? value : one)))} />)}
        </div>
        <div class="number-grid three">
          {(['X', 'Y', 'Z'] as const).map((axis, i) => <NumberField key={axis} label={axis} kind="length" value={at[i] ?? 0} onChange={(value) => setAt(at.map((one, k) => (k === i ? value : one)) as Vec3)} />)}
        </div>
        <div class="row end">
          <TextField label={W.setup.objectName} value={name} onChange={setName} />
          <Button kind="main" icon="plus" submit disabled={!props.mayChange || clean === '' || props.isTaken(clean)}>{W.setup.add}</Button>
        </div>
      </form>
    </Panel>
  );
}

// SPDX-License-Identifier: BSD-3-Clause
import { useState } from 'preact/hooks';
import type { Point } from '../../link/protocol';
import { rest } from '../../link/rest';
import { attempt, fetchPoints, may, points, robot, session } from '../../robot';
import { units } from '../../settings';
import { useSelected, useSignal } from '../../store';
import { aimAtJoints, recordPoint, target } from '../../target';
import { W } from '../../text';
import { shown } from '../../units';
import { Icon } from '../../ui/icons';
import { Ask, Button, Dialog, TextField, type Question } from '../../ui/parts';
import { ArmPicker } from './arm_picker';
import { TargetFoot } from './goto_panel';
import { currentArm } from './jog_state';

/** The next free name: p1, p2 … */
export function freeName(all: readonly Point[]): string {
  const taken = new Set(all.map((point) => point.name));
  for (let n = 1; ; n += 1) if (!taken.has(`p${n}`)) return `p${n}`;
}

async function change(act: () => Promise<unknown>): Promise<void> {
  await attempt(act);
  await fetchPoints();
}

const replaceAll = (all: Point[]) => change(() => rest.put('/api/points', { points: all.map(({ name, arm, note, joints }) => ({ name, arm, note, joints })) }));

export function PointsPanel({ onInsert }: { onInsert?: (name: string) => void }) {
  const list = useSignal(points);
  const mayTeach = useSelected(session, () => may('programmer'));
  const [name, setName] = useState('');
  const info = useSignal(robot);
  const [question, ask] = useState<Question | null>(null);
  const record = async (as: string) => {
    if (await recordPoint(as, currentArm(info)?.name ?? '')) setName('');
    await fetchPoints();
  };
  const begin = async () => {
    // whether a name is free is known only to who knows all points
    await fetchPoints();
    const as = name.trim() || freeName(points.value.points);
    if (!points.value.points.some((one) => one.name === as)) return record(as);
    ask({ title: as, text: W.move.overwritePoint(as), yes: W.move.overwrite, isDangerous: true, act: () => void record(as) });
  };
  return (
    <div class="points">
      <form class="record" onSubmit={(event) => { event.preventDefault(); void begin(); }}>
        <ArmPicker info={info} />
        <TextField label={W.move.pointName} value={name} onChange={setName} placeholder={freeName(list.points)} />
        <Button kind="main" icon="record" submit disabled={!mayTeach}>{W.move.record}</Button>
      </form>
      <ul class="point-list">
        {list.points.map((point) => <PointRow key={point.name} point={point} all={list.points} mayTeach={mayTeach} onInsert={onInsert} />)}
      </ul>
      {list.points.length === 0 && <p class="hint">{W.move.noPoints}</p>}
      <div class="row">
        <Button icon="undo" label={W.undo} disabled={!mayTeach || list.undo === 0} onClick={() => void change(() => rest.post('/api/points/undo'))}>{W.undo}</Button>
        <Button icon="redo" label={W.redo} disabled={!mayTeach || list.redo === 0} onClick={() => void change(() => rest.post('/api/points/redo'))}>{W.redo}</Button>
      </div>
      <TargetFoot />
      {question && <Ask question={question} onDone={() => ask(null)} />}
    </div>
  );
}

function placeText(point: Point, inUse: typeof units.value): string {
  if (point.position) return point.position.map((value) => shown('length', value, inUse)).join('  ');
  const info = robot.value;
  return Object.entries(point.joints)
    .map(([name, value]) => shown(info?.joints.find((joint) => joint.name === name)?.kind === 'prismatic' ? 'length' : 'angle', value, inUse))
    .join('  ');
}

function PointRow({ point, all, mayTeach, onInsert }: { point: Point; all: Point[]; mayTeach: boolean; onInsert?: (name: string) => void }) {
  const inUse = useSignal(units);
  const isTarget = useSelected(target, (aim) => aim?.label === point.name);
  const [isRenaming, setRenaming] = useState(false);
  return (
    <li class={isTarget ? 'chosen' : ''}>
      <button type="button" class="point-main" aria-pressed={isTarget} onClick={() => aimAtJoints(point.name, point.joints)}>
        <Icon name="target" size={22} />
        <span class="point-words"><strong>{point.name}</strong><span>{placeText(point, inUse)}</span></span>
      </button>
      {onInsert && <Button kind="quiet" icon="plus" label={`${W.program.insert} ${point.name}`} onClick={() => onInsert(point.name)} />}
      <Button kind="quiet" icon="record" label={`${W.move.touchUp} ${point.name}`} disabled={!mayTeach} onClick={() => void change(() => recordPoint(point.name, point.arm))} />
      <Button kind="quiet" icon="pen" label={`${W.rename} ${point.name}`} disabled={!mayTeach} onClick={() => setRenaming(true)} />
      <Button kind="quiet" icon="trash" label={`${W.remove} ${point.name}`} disabled={!mayTeach} onClick={() => void replaceAll(all.filter((one) => one !== point))} />
      {isRenaming && <Rename point={point} all={all} onClose={() => setRenaming(false)} />}
    </li>
  );
}

function Rename({ point, all, onClose }: { point: Point; all: Point[]; onClose: () => void }) {
  const [name, setName] = useState(point.name);
  const isTaken = all.some((one) => one !== point && one.name === name.trim());
  const submit = (event: Event) => {
    event.preventDefault();
    if (isTaken || name.trim() === '') return;
    onClose();
    void replaceAll(all.map((one) => (one === point ? { ...point, name: name.trim() } : one)));
  };
  return (
    <Dialog title={`${W.rename} ${point.name}`} onClose={onClose}>
      <form onSubmit={submit}>
        <TextField label={W.move.pointName} value={name} onChange={setName} autoFocus />
        <footer><Button onClick={onClose}>{W.cancel}</Button><Button kind="main" submit disabled={isTaken || name.trim() === ''}>{W.save}</Button></footer>
      </form>
    </Dialog>
  );
}

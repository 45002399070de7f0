// SPDX-License-Identifier: BSD-3-Clause
// Boxes and planes that the robot keeps to, in numbers and in the picture.
import { useEffect, useRef, useState } from 'preact/hooks';
import { matrixOf, quatOfRpy, rpyOfQuat, times, type Quat, type Vec3 } from '../../geometry';
import { may, session } from '../../robot';
import { boundsShown, type BoundEvents, type HandleMode } from '../../scene/bounds_shown';
import { RobotView } from '../../scene/view';
import { units } from '../../settings';
import { signal, useSelected, useSignal } from '../../store';
import { W } from '../../text';
import { shown, symbol, type Units } from '../../units';
import { Icon, type IconName } from '../../ui/icons';
import { Button, NumberField, Panel, Segmented, TextField } from '../../ui/parts';
import {
  faceMoved, freeName, guardedBy, guarding, nameTrouble, newBound, ofKind, tidy, turnOf, unit, withBound,
  type Bound, type BoundKind, type Draft, type Setup,
} from './site';
import { SiteBar } from './site_bar';
import { change, draft, findings, followSetup, setup } from './site_state';

/** The bound that is looked at: its place among all, those of robot.yaml first. */
const chosen = signal<number | null>(null);
const mode = signal<HandleMode>('move');

const kKindIcons: Record<BoundKind, IconName> = { keep_out: 'close', keep_in: 'cube', plane: 'down' };

/** What a finger in the picture does to the chosen bound; one drag is one change. */
function eventsFor(base: Setup, mayChange: boolean): BoundEvents {
  let start: { draft: Draft; at: number; bound: Bound } | null = null;
  const preview = (next: Bound) => {
    if (start) draft.value = withBound(start.draft, start.at, tidy(next));
  };
  return {
    began: () => {
      const at = (chosen.value ?? -1) - base.fixed.length;
      const bound = draft.value.bounds[at];
      start = mayChange && bound ? { draft: draft.value, at, bound } : null;
    },
    posed: (position: Vec3, quaternion: Quat) => {
      if (!start) return;
      const isPlane = start.bound.kind === 'plane';
      preview({ ...start.bound, position, ...(isPlane ? { normal: times(matrixOf(quaternion), [0, 0, 1]) } : { rpy: rpyOfQuat(quaternion) }) });
    },
    faced: (axis, side, by) => {
      if (!start) return;
      const rows = matrixOf(quatOfRpy(start.bound.rpy));
      preview(faceMoved(start.bound, axis, side, by, [rows[0][axis], rows[1][axis], rows[2][axis]]));
    },
    ended: () => {
      if (start) change(`${W.site.change} ${start.bound.name}`, draft.value, start.draft);
      start = null;
    },
    picked: (index) => (chosen.value = index),
  };
}

/** Shows all bounds in the picture for as long as this page does. */
function useBoundsInPicture(base: Setup | null, now: Draft, at: number | null, handle: HandleMode, mayChange: boolean): void {
  const events = useRef<BoundEvents | null>(null);
  useEffect(() => {
    events.current = base ? eventsFor(base, mayChange) : null;
  }, [base, mayChange]);
  useEffect(() => {
    if (!base || !events.current) return;
    const bounds = [...base.fixed, ...now.bounds].map((bound) => ({ name: bound.name, kind: bound.kind, position: bound.position, quaternion: turnOf(bound), size: bound.size }));
    const isMine = at !== null && at >= base.fixed.length;
    boundsShown.value = { bounds, chosen: at, mode: isMine && mayChange ? handle : null, events: events.current };
  }, [base, now, at, handle, mayChange]);
  useEffect(() => () => void (boundsShown.value = null), []);
}

export function Workspace() {
  const base = useSignal(setup);
  const now = useSignal(draft);
  const picked = useSignal(chosen);
  const handle = useSignal(mode);
  const mayChange = useSelected(session, () => may('expert'));
  useEffect(followSetup, []);
  const count = (base?.fixed.length ?? 0) + now.bounds.length;
  const at = picked !== null && picked < count ? picked : null;
  useBoundsInPicture(base, now, at, handle, mayChange);
  const mine = base && at !== null ? at - base.fixed.length : -1;
  const bound = base && at !== null ? (mine < 0 ? base.fixed[at] : now.bounds[mine]) : undefined;
  return (
    <>
      <SiteBar />
      <div class="wizard picture bounds-page">
        <div class="wizard-side" tabIndex={0} role="region" aria-label={W.site.bounds}>
          {base && <BoundList base={base} now={now} at={at} mayChange={mayChange} />}
          {base && bound && mine < 0 && <FixedBound bound={bound} />}
          {base && bound && mine >= 0 && <BoundEditor key={mine} base={base} now={now} at={mine} bound={bound} mayChange={mayChange} />}
        </div>
        <div class="bounds-picture">
          <RobotView canDrag={false} />
          {bound && mine >= 0 && mayChange && <HandleChoice kind={bound.kind} value={handle} />}
        </div>
      </div>
    </>
  );
}

function HandleChoice({ kind, value }: { kind: BoundKind; value: HandleMode }) {
  const choices = (['move', 'turn', 'size'] as const).filter((one) => one !== 'size' || kind !== 'plane');
  return (
    <div class="bounds-handle">
      <Segmented<HandleMode> name={W.site.handle} value={choices.includes(value) ? value : 'move'} onChange={(next) => (mode.value = next)} choices={choices.map((one) => ({ value: one, label: W.site.handles[one] }))} />
    </div>
  );
}

function BoundList({ base, now, at, mayChange }: { base: Setup; now: Draft; at: number | null; mayChange: boolean }) {
  const inUse = useSignal(units);
  const wrong = useSignal(findings);
  const all = [...base.fixed, ...now.bounds];
  const add = (kind: BoundKind) => {
    const name = freeName(kind === 'plane' ? W.site.newPlane : W.site.newBox, all.map((one) => one.name));
    change(`${W.site.add} ${name}`, { ...now, bounds: [...now.bounds, newBound(kind, name)] });
    chosen.value = all.length;
  };
  const remove = (index: number) => {
    change(`${W.remove} ${all[index]!.name}`, { ...now, bounds: now.bounds.filter((_, i) => i !== index - base.fixed.length) });
    chosen.value = null;
  };
  const isFull = all.length >= base.mostBounds;
  return (
    <Panel title={W.site.bounds}>
      {mayChange && (
        <div class="row bound-add">
          <Button icon="plus" disabled={isFull} onClick={() => add('keep_out')}>{W.site.addBox}</Button>
          <Button icon="plus" disabled={isFull} onClick={() => add('plane')}>{W.site.addPlane}</Button>
        </div>
      )}
      {all.length === 0 && <p class="hint">{W.site.noBounds}</p>}
      <ul class="point-list">
        {all.map((bound, i) => {
          const isFixed = i < base.fixed.length;
          const isWrong = wrong.some((one) => one.about === 'bounds' && one.name === bound.name);
          return (
            <li key={i} class={i === at ? 'chosen' : ''}>
              <button type="button" class="point-main" aria-pressed={i === at} onClick={() => (chosen.value = i === at ? null : i)}>
                <Icon name={isWrong ? 'warn' : kKindIcons[bound.kind]} />
                <span class="point-words">
                  <strong>{bound.name}</strong>
                  <span>{W.site.kinds[bound.kind]}{isFixed ? ` · ${W.site.fixed}` : ` · ${sizeText(bound, inUse)}`}</span>
                </span>
              </button>
              {!isFixed && mayChange && <Button kind="quiet" icon="trash" label={`${W.remove} ${bound.name}`} onClick={() => remove(i)} />}
            </li>
          );
        })}
      </ul>
      {isFull && <p class="hint">{W.site.full(base.mostBounds)}</p>}
    </Panel>
  );
}

function sizeText(bound: Bound, inUse: Units): string {
  const values = bound.kind === 'plane' ? bound.position : bound.size;
  return `${values.map((value) => shown('length', value, inUse)).join(bound.kind === 'plane' ? ', ' : ' × ')} ${symbol('length', inUse)}`;
}

function FixedBound({ bound }: { bound: Bound }) {
  return (
    <Panel title={bound.name}>
      <p>{W.site.fixedText}</p>
      <p class="hint">{W.site.guards}: {bound.guards.join(', ')}</p>
    </Panel>
  );
}

const kAxes = ['X', 'Y', 'Z'] as const;
const kDirections: [string, Vec3][] = [['+X', [1, 0, 0]], ['−X', [-1, 0, 0]], ['+Y', [0, 1, 0]], ['−Y', [0, -1, 0]], ['+Z', [0, 0, 1]], ['−Z', [0, 0, -1]]];

function BoundEditor({ base, now, at, bound, mayChange }: { base: Setup; now: Draft; at: number; bound: Bound; mayChange: boolean }) {
  const [name, setName] = useState(bound.name);
  useEffect(() => setName(bound.name), [bound.name]);
  const put = (next: Bound) => change(`${W.site.change} ${bound.name}`, withBound(now, at, next));
  const others = [...base.fixed, ...now.bounds.filter((_, i) => i !== at)];
  const trouble = nameTrouble({ ...bound, name }, others);
  const commitName = () => {
    if (trouble === '' && name.trim() !== bound.name) put({ ...bound, name: name.trim() });
    else if (trouble !== '') setName(bound.name);
  };
  const who = guardedBy(bound, base.parts);
  const withPart = (part: 'position' | 'size', i: number, value: number) => put({ ...bound, [part]: bound[part].map((one, k) => (k === i ? value : one)) as Vec3 });
  return (
    <Panel title={bound.name}>
      <fieldset class="plain-set" disabled={!mayChange}>
        <form class={trouble ? 'odd' : ''} onSubmit={(event) => { event.preventDefault(); commitName(); }} onFocusOut={commitName}>
          <TextField label={W.site.name} value={name} onChange={setName} />
          {trouble && <p class="hint bad" role="alert"><Icon name="warn" /> {W.site.nameTrouble[trouble]}</p>}
        </form>
        {bound.kind !== 'plane' && (
          <Segmented<BoundKind> name={W.site.kind} class="wide" value={bound.kind} onChange={(kind) => put(ofKind(bound, kind, base.parts))} choices={(['keep_out', 'keep_in'] as const).map((value) => ({ value, label: W.site.kinds[value] }))} />
        )}
        <p class="hint">{W.site.kindText[bound.kind]}</p>
        <NumberRow label={bound.kind === 'plane' ? W.site.point : W.site.middle} names={kAxes} kind="length" values={bound.position} onChange={(i, value) => withPart('position', i, value)} />
        {bound.kind !== 'plane' && <NumberRow label={W.setup.size} names={W.site.sides} kind="length" lower={0.01} upper={100} values={bound.size} onChange={(i, value) => withPart('size', i, value)} />}
        {bound.kind !== 'plane' && <NumberRow label={W.site.turned} names={W.site.turns} kind="angle" values={bound.rpy} onChange={(i, value) => put({ ...bound, rpy: bound.rpy.map((one, k) => (k === i ? value : one)) as Vec3 })} />}
        {bound.kind === 'plane' && <FreeSide bound={bound} put={put} />}
        <div class="labelled">
          <span class="field-name">{W.site.guards}</span>
          <Segmented name={W.site.guards} class="wide" value={who} onChange={(next) => next !== 'some' && put(guarding(bound, next, base.parts))} choices={(['robot', 'tool', ...(who === 'some' ? (['some'] as const) : [])] as const).map((value) => ({ value, label: value === 'some' ? bound.of.join(', ') || W.site.allBut(bound.except.join(', ')) : W.site.guarded[value] }))} />
        </div>
      </fieldset>
    </Panel>
  );
}

function NumberRow(props: { label: string; names: readonly string[]; kind: 'length' | 'angle'; values: Vec3; lower?: number; upper?: number; onChange: (i: number, value: number) => void }) {
  return (
    <div class="labelled" role="group" aria-label={props.label}>
      <span class="field-name">{props.label}</span>
      <div class="number-grid three">
        {props.names.map((name, i) => <NumberField key={name} label={name} kind={props.kind} value={props.values[i]!} lower={props.lower} upper={props.upper} onChange={(value) => props.onChange(i, value)} />)}
      </div>
    </div>
  );
}

/** To which side of a plane the robot may go: along an axis, or as typed or turned in the picture. */
function FreeSide({ bound, put }: { bound: Bound; put: (next: Bound) => void }) {
  const isAlong = (direction: Vec3) => direction.every((part, i) => Math.abs(part - bound.normal[i]!) < 1e-6);
  return (
    <div class="labelled" role="group" aria-label={W.site.freeSide}>
      <span class="field-name">{W.site.freeSide}</span>
      <div class="chips">
        {kDirections.map(([label, direction]) => <Button key={label} pressed={isAlong(direction)} kind={isAlong(direction) ? 'main' : 'plain'} onClick={() => put({ ...bound, normal: direction })}>{label}</Button>)}
      </div>
      <div class="number-grid three">
        {kAxes.map((axis, i) => <NumberField key={axis} label={axis} kind="plain" decimals={3} lower={-1} upper={1} value={bound.normal[i]!} onChange={(value) => put({ ...bound, normal: unit(bound.normal.map((one, k) => (k === i ? value : one)) as Vec3) })} />)}
      </div>
    </div>
  );
}

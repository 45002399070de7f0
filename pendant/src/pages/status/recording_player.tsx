// SPDX-License-Identifier: BSD-3-Clause
// A recording that is open: the robot as it was, the slider with its events, and the curves, all at one time.
import { useEffect, useState } from 'preact/hooks';
import { isTyping } from '../../frame/keyboard';
import { curveOf, kCurves, lengthOf, markBeside, rowAt, toneOf, type Curve, type Mark, type Recording } from '../../link/recording';
import type { JointInfo } from '../../link/protocol';
import { robot } from '../../robot';
import { goTo } from '../../route';
import { RobotView } from '../../scene/view';
import { units } from '../../settings';
import { useSelected, useSignal } from '../../store';
import { W } from '../../text';
import { factor, shown, symbol, type Kind } from '../../units';
import { Button, Panel, Segmented } from '../../ui/parts';
import { kColours } from './plot_style';
import { RecordingPlot } from './recording_plot';
import * as state from './recording_state';
import { DownloadLink } from './recordings';

const kSpeeds = ['0.1', '0.5', '1', '2'] as const;
type Speed = (typeof kSpeeds)[number];

export function RecordingPlayer({ file, recording }: { file: string; recording: Recording }) {
  usePlayerKeys();
  return (
    <div class="player">
      <header class="player-head">
        <Button kind="main" icon="close" onClick={() => goTo('status', 'recordings')}>{W.recordings.back}</Button>
        <strong>{file}</strong>
        <StateThen />
        <DownloadLink file={file} />
      </header>
      <RobotView canDrag={false} isRecording />
      <Curves recording={recording} />
      <Transport recording={recording} />
    </div>
  );
}

/** Keys while a recording is open; those of a slider, a list or a field stay with it. */
function usePlayerKeys(): void {
  useEffect(() => {
    const down = (event: KeyboardEvent) => {
      const isTaken = event.target instanceof Element && event.target.closest('[role=tab], [role=radio], [role=dialog]') !== null;
      if (isTaken || isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
      if (by !== 0) event.shiftKey ? state.seek(state.time.value + by) : state.step(by);
      else if (event.code === 'KeyK') state.setPlaying(!state.isPlaying.value);
      else if (event.code === 'KeyM') toMark(1);
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', down);
    return () => window.removeEventListener('keydown', down);
  }, []);
}

function toMark(by: 1 | -1): void {
  const recording = state.recording.value;
  const mark = recording && markBeside(recording, state.time.value, state.mark.value, by);
  if (mark) state.seekMark(mark);
}

function secondsText(seconds: number): string {
  return `${seconds.toFixed(2)} s`;
}

function Transport({ recording }: { recording: Recording }) {
  const time = useSignal(state.time);
  const isPlaying = useSignal(state.isPlaying);
  const speed = useSignal(state.speed);
  const length = lengthOf(recording);
  const now = useSignal(state.mark);
  return (
    <footer class="transport">
      <div class="transport-keys">
        <Button icon="previous" label={W.recordings.markBack} disabled={!markBeside(recording, time, now, -1)} onClick={() => toMark(-1)} />
        <Button icon="stepBack" label={W.recordings.stepBack} onClick={() => state.step(-1)} />
        <Button kind="main" icon={isPlaying ? 'pause' : 'play'} label={isPlaying ? W.recordings.pause : W.recordings.play} onClick={() => state.setPlaying(!isPlaying)} />
        <Button icon="step" label={W.recordings.stepOn} onClick={() => state.step(1)} />
        <Button icon="next" label={W.recordings.markOn} disabled={!markBeside(recording, time, now, 1)} onClick={() => toMark(1)} />
      </div>
      <div class="timeline">
        <div class="timeline-marks" aria-hidden="true">
          {recording.marks.map((mark, i) => <i key={i} class={toneOf(mark)} style={{ left: `${(100 * mark.seconds) / Math.max(length, 1e-9)}%` }} />)}
        </div>
        <input
          type="range" min={0} max={length} step={stepOf(recording)} value={time} aria-label={W.recordings.time}
          aria-valuetext={`${secondsText(time)}${now ? `, ${now.state}` : ''}`}
          onInput={(event) => state.seek(Number(event.currentTarget.value))}
        />
      </div>
      <output class="transport-time" data-time={time.toFixed(4)}>{secondsText(time)} / {secondsText(length)}</output>
      <Segmented<Speed>
        name={W.recordings.speed}
        value={kSpeeds.find((one) => Number(one) === speed) ?? '1'}
        onChange={(value) => (state.speed.value = Number(value))}
        choices={kSpeeds.map((value) => ({ value, label: `${value}×` }))}
      />
    </footer>
  );
}

/** What was the matter at the slider. */
function StateThen() {
  const now = useSignal(state.mark);
  return <span class={`then ${now ? toneOf(now) : ''}`}>{now ? markWords(now) : ''}</span>;
}

function stepOf({ seconds }: Recording): number {
  return Math.max(0.001, (seconds[seconds.length - 1] ?? 0) / Math.max(1, seconds.length - 1));
}

function markWords(mark: Mark): string {
  return [mark.isHeld && mark.state === 'running' ? W.state.guarded.toLowerCase() : mark.state, mark.text].filter((one) => one !== '').join(': ');
}

function kindOf(joint: JointInfo): Kind {
  return joint.kind === 'prismatic' ? 'length' : 'angle';
}

/** The joints that move most come first: they are what one wants to see. */
function liveliest(recording: Recording, joints: { joint: JointInfo; i: number }[]): string[] {
  const range = (i: number) => {
    const values = curveOf(recording, 'positions', i, 1).filter((one): one is number => one !== null);
    return values.reduce((most, one) => Math.max(most, one), -Infinity) - values.reduce((least, one) => Math.min(least, one), Infinity);
  };
  const turning = joints.filter(({ joint }) => joint.kind !== 'prismatic');
  return [...turning].sort((a, b) => range(b.i) - range(a.i)).slice(0, 3).map(({ joint }) => joint.name);
}

function Curves({ recording }: { recording: Recording }) {
  const inUse = useSignal(units);
  const joints = useSelected(robot, (info) => info?.joints ?? null) ?? [];
  const all = joints.map((joint, i) => ({ joint, i })).filter(({ joint }) => joint.is_enabled);
  const [chosen, setChosen] = useState<string[]>(() => liveliest(recording, all));
  const [curves, setCurves] = useState<Curve[]>(['processed', 'positions']);
  const toggled = <T,>(list: T[], one: T): T[] => (list.includes(one) ? list.filter((other) => other !== one) : [...list, one]);
  const drawn = all.filter(({ joint }) => chosen.includes(joint.name));
  return (
    <Panel class="player-side">
      <div class="chips" role="group" aria-label={W.recordings.which}>
        {kCurves.map((curve) => (
          <button key={curve} type="button" class={`curve-key line-${curve}`} aria-pressed={curves.includes(curve)} onClick={() => setCurves(toggled(curves, curve))}><i />{W.recordings[curve]}</button>
        ))}
      </div>
      <div class="chips" role="group" aria-label={W.status.joints}>
        {all.map(({ joint, i }) => (
          <button key={joint.name} type="button" class="curve-key" aria-pressed={chosen.includes(joint.name)} onClick={() => setChosen(toggled(chosen, joint.name))}>
            <i style={{ background: kColours[i % kColours.length] }} />{joint.name}
          </button>
        ))}
      </div>
      <RecordingPlot
        key={`${chosen.join()} ${curves.join()} ${inUse.angle} ${inUse.length}`}
        recording={recording}
        curves={curves}
        joints={drawn.map(({ joint, i }) => ({ index: i, name: joint.name, colour: kColours[i % kColours.length]!, scale: factor(kindOf(joint), inUse) }))}
        unit={[...new Set(drawn.map(({ joint }) => symbol(kindOf(joint), inUse)))].join(', ')}
      />
      <Readings recording={recording} joints={drawn} />
      <Events recording={recording} />
    </Panel>
  );
}

/** The numbers at the slider. */
function Readings({ recording, joints }: { recording: Recording; joints: { joint: JointInfo; i: number }[] }) {
  const inUse = useSignal(units);
  const row = useSelected(state.time, (time) => rowAt(recording.seconds, time));
  if (joints.length === 0) return null;
  return (
    <table class="plain recorded-readings">
      <thead><tr><th scope="col">{W.recordings.joint}</th>{kCurves.map((curve) => <th key={curve} scope="col">{W.recordings[curve]}</th>)}</tr></thead>
      <tbody>
        {joints.map(({ joint, i }) => (
          <tr key={joint.name}>
            <th scope="row">{joint.name}</th>
            {kCurves.map((curve) => <td key={curve} data-curve={curve}>{shown(kindOf(joint), recording[curve][row]?.[i] ?? NaN, inUse)}<small> {symbol(kindOf(joint), inUse)}</small></td>)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Events({ recording }: { recording: Recording }) {
  const at = useSelected(state.mark, (mark) => (mark ? recording.marks.indexOf(mark) : -1));
  return (
    <section aria-label={W.recordings.events}>
      <h2>{W.recordings.events}</h2>
      {recording.marks.length === 0 && <p class="hint">{W.recordings.noEvents}</p>}
      <ul class="event-list">
        {recording.marks.map((mark, i) => (
          <li key={i}>
            <button type="button" class={`event-key ${toneOf(mark)}`} aria-current={i === at ? 'true' : undefined} onClick={() => state.seekMark(mark)}>
              <span class="when">{secondsText(mark.seconds)}</span><span>{markWords(mark)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

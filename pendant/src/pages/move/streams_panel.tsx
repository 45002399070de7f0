// SPDX-License-Identifier: BSD-3-Clause
// Record the robot's motion as it is jogged or led, look at it as a ghost, trim it, move along it again.
import { useEffect, useState } from 'preact/hooks';
import { freeStreamName, type StreamEntry } from '../../link/stream';
import { endHold, may, session } from '../../robot';
import { needsHold } from '../../settings';
import { useSelected, useSignal } from '../../store';
import { W } from '../../text';
import { durationText } from '../../units';
import { HoldKey } from '../../ui/hold_key';
import { Icon } from '../../ui/icons';
import { Button, Dialog, TextField } from '../../ui/parts';
import * as state from './stream_state';

/** In sight on every tab while something is recorded: it is made by jogging. */
export function RecordingBar() {
  const now = useSelected(state.streams, (all) => all.recording);
  const mayTeach = useSelected(session, () => may('programmer'));
  useEffect(() => state.watchStreams(), []);
  if (!now) return null;
  return (
    <div class="recording-bar" role="status" data-recording={now.name}>
      <i aria-hidden="true" />
      <span><strong>{W.streams.recording(now.name)}</strong><small>{durationText(now.seconds)} {W.streams.ofMost(durationText(Math.round(now.most)))}</small></span>
      <Button kind="main" disabled={!mayTeach} onClick={() => void state.endRecording(true)}>{W.streams.keep}</Button>
      <Button kind="quiet" icon="trash" label={W.streams.discard} disabled={!mayTeach} onClick={() => void state.endRecording(false)} />
    </div>
  );
}

export function StreamsPanel() {
  const all = useSignal(state.streams);
  const mayTeach = useSelected(session, () => may('programmer'));
  const [name, setName] = useState('');
  useEffect(() => () => state.choose(null), []);
  const begin = async () => {
    if (await state.record(name.trim() || freeStreamName(all.streams))) setName('');
  };
  return (
    <div class="points streams">
      <form class="record" onSubmit={(event) => { event.preventDefault(); void begin(); }}>
        <TextField label={W.streams.name} value={name} onChange={setName} placeholder={freeStreamName(all.streams)} />
        <Button kind="main" icon="record" submit disabled={!mayTeach || all.recording !== null}>{W.streams.record}</Button>
      </form>
      <ul class="point-list">{all.streams.map((entry) => <StreamRow key={entry.name} entry={entry} mayTeach={mayTeach} />)}</ul>
      {all.streams.length === 0 && <p class="hint">{W.streams.none}</p>}
      <div class="row">
        <Button icon="undo" disabled={!mayTeach || all.undo === 0} onClick={() => void state.undo()}>{W.undo}</Button>
        <Button icon="redo" disabled={!mayTeach || all.redo === 0} onClick={() => void state.redo()}>{W.redo}</Button>
      </div>
      <ChosenStream mayTeach={mayTeach} />
    </div>
  );
}

function StreamRow({ entry, mayTeach }: { entry: StreamEntry; mayTeach: boolean }) {
  const isChosen = useSelected(state.chosen, (name) => name === entry.name);
  const [isRenaming, setRenaming] = useState(false);
  const isTrimmed = entry.whole - entry.seconds > 1e-3;
  const facts = [durationText(entry.seconds), ...(isTrimmed ? [W.streams.trimmed(durationText(entry.whole))] : []), new Date(1000 * entry.recorded).toLocaleDateString()];
  return (
    <li class={isChosen ? 'chosen' : ''}>
      <button type="button" class="point-main" aria-pressed={isChosen} onClick={() => state.choose(isChosen ? null : entry.name)}>
        <Icon name="trace" size={22} />
        <span class="point-words"><strong>{entry.name}</strong><span>{facts.join(' · ')}</span></span>
      </button>
      <Button kind="quiet" icon="pen" label={`${W.rename} ${entry.name}`} disabled={!mayTeach} onClick={() => setRenaming(true)} />
      <Button kind="quiet" icon="trash" label={`${W.remove} ${entry.name}`} disabled={!mayTeach} onClick={() => void state.remove(entry.name)} />
      {isRenaming && <RenameStream entry={entry} onClose={() => setRenaming(false)} />}
    </li>
  );
}

function RenameStream({ entry, onClose }: { entry: StreamEntry; onClose: () => void }) {
  const [name, setName] = useState(entry.name);
  const isTaken = useSelected(state.streams, (all) => all.streams.some((one) => one.name !== entry.name && one.name === name.trim()));
  const submit = (event: Event) => {
    event.preventDefault();
    if (isTaken || name.trim() === '') return;
    onClose();
    void state.rename(entry.name, name.trim());
  };
  return (
    <Dialog title={`${W.rename} ${entry.name}`} onClose={onClose}>
      <form onSubmit={submit}>
        <TextField label={W.streams.name} value={name} onChange={setName} autoFocus />
        <footer><Button onClick={onClose}>{W.cancel}</Button><Button kind="main" submit disabled={isTaken || name.trim() === ''}>{W.save}</Button></footer>
      </form>
    </Dialog>
  );
}

function ChosenStream({ mayTeach }: { mayTeach: boolean }) {
  useSignal(state.chosen);
  useSignal(state.streams);
  const rows = useSignal(state.rows);
  const entry = state.chosenEntry();
  if (!entry) return null;
  if (!rows) return <p class="hint">{W.loading}</p>;
  return (
    <div class="target stream" data-stream={entry.name}>
      <GhostTime entry={entry} />
      {mayTeach && <TrimKeys entry={entry} />}
      <ReplayKey entry={entry} />
    </div>
  );
}

/** Moves the ghost along all that was recorded; what is trimmed off is hatched. */
function GhostTime({ entry }: { entry: StreamEntry }) {
  const time = useSignal(state.time);
  const share = (seconds: number) => `${(100 * seconds) / Math.max(entry.whole, 1e-9)}%`;
  return (
    <div class="stream-time">
      <Icon name="ghost" />
      <div class="stream-track">
        <i style={{ left: 0, width: share(entry.from) }} /><i style={{ left: share(entry.to), right: 0 }} />
        <input type="range" min={0} max={entry.whole} step={0.04} value={time} aria-label={W.streams.time} onInput={(event) => state.showAt(Number(event.currentTarget.value))} />
      </div>
      <output>{durationText(time)}</output>
    </div>
  );
}

function TrimKeys({ entry }: { entry: StreamEntry }) {
  const time = useSignal(state.time);
  const isWhole = entry.whole - entry.seconds < 1e-3;
  return (
    <div class="trim-keys">
      <Button disabled={time >= entry.to - 0.2 || time === entry.from} onClick={() => void state.trim(entry.name, time, entry.to)}>{W.streams.beginHere}</Button>
      <Button disabled={time <= entry.from + 0.2 || time === entry.to} onClick={() => void state.trim(entry.name, entry.from, time)}>{W.streams.endHere}</Button>
      <Button disabled={isWhole} onClick={() => void state.trim(entry.name, 0, entry.whole)}>{W.streams.whole}</Button>
      <Button icon="program" onClick={() => void state.makeProgram(entry.name)}>{W.streams.toProgram}</Button>
    </div>
  );
}

function ReplayKey({ entry }: { entry: StreamEntry }) {
  const holds = useSignal(needsHold);
  const mayMove = useSelected(session, () => may('operator'));
  const isRecording = useSelected(state.streams, (all) => all.recording !== null);
  if (!holds)
    return <Button kind="go" size="large" icon="play" disabled={!mayMove || isRecording} onClick={() => void state.replay(entry)}>{W.streams.replay}</Button>;
  return (
    <HoldKey class="go large" label={W.streams.holdToReplay} disabled={!mayMove || isRecording} onDown={() => state.replayWhileHeld(entry)} onUp={endHold}>
      <Icon name="play" /><span class="cap">{W.streams.holdToReplay}</span>
    </HoldKey>
  );
}

// SPDX-License-Identifier: BSD-3-Clause
import { useEffect } from 'preact/hooks';
import type { RecordingEntry } from '../../link/recording';
import { robot } from '../../robot';
import { goTo, place } from '../../route';
import { useSelected, useSignal } from '../../store';
import { W } from '../../text';
import { durationText } from '../../units';
import { Icon } from '../../ui/icons';
import { Button, Panel } from '../../ui/parts';
import { RecordingPlayer } from './recording_player';
import * as state from './recording_state';
import '../../style/recordings.css';

/** The list, or the recording that the address names. */
export function Recordings() {
  const file = useSelected(place, (now) => now.part.split('/').slice(1).join('/'));
  const hasRobot = useSelected(robot, (info) => info !== null);
  useEffect(() => {
    if (!hasRobot) return;
    if (file !== '') void state.open(file);
    else state.close();
  }, [file, hasRobot]);
  // wherever one goes from here, the picture is live
  useEffect(() => state.close, []);
  return file === '' ? <RecordingList /> : <OpenRecording file={file} />;
}

export function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function RecordingList() {
  const entries = useSignal(state.entries);
  const trouble = useSignal(state.trouble);
  useEffect(() => void state.fetchEntries(), []);
  return (
    <Panel title={W.recordings.title} actions={<Button icon="reset" onClick={() => void state.fetchEntries()}>{W.recordings.refresh}</Button>}>
      <p class="note">{W.recordings.text}</p>
      {trouble && <p class="trouble" role="alert">{trouble}</p>}
      {entries === null && !trouble && <p class="hint">{W.loading}</p>}
      {entries?.length === 0 && <p class="hint">{W.recordings.none}</p>}
      {entries !== null && entries.length > 0 && (
        <ul class="recording-list">{entries.map((entry) => <RecordingLine key={entry.name} entry={entry} />)}</ul>
      )}
    </Panel>
  );
}

function RecordingLine({ entry }: { entry: RecordingEntry }) {
  const own = useSelected(robot, (info) => info?.name ?? '');
  const isOther = entry.robots !== null && !entry.robots.includes(own);
  const facts = [
    new Date(1000 * entry.changed).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' }),
    ...(entry.seconds === null ? [] : [durationText(entry.seconds)]),
    sizeText(entry.bytes),
    ...(isOther && entry.robots!.length > 0 ? [W.recordings.ofRobot(entry.robots!.join(', '))] : []),
  ];
  return (
    <li class={isOther ? 'other' : ''}>
      <span class={`why ${entry.reason === '' ? '' : 'at-stop'}`}><Icon name={entry.reason === '' ? 'record' : 'warn'} />{entry.reason || W.recordings.onPurpose}</span>
      <span class="recording-words"><strong>{entry.name.replace(/\.mcap$/, '')}</strong><span>{facts.join(' · ')}</span></span>
      <Button kind="main" icon="play" label={W.recordings.openName(entry.name)} disabled={isOther} onClick={() => goTo('status', `recordings/${entry.name}`)}>{W.recordings.open}</Button>
      <DownloadLink file={entry.name} />
    </li>
  );
}

export function DownloadLink({ file }: { file: string }) {
  return <a class="key download" href={state.pathOf(file)} download={file} aria-label={W.recordings.downloadName(file)} title={W.recordings.download}><Icon name="download" /></a>;
}

function OpenRecording({ file }: { file: string }) {
  const recording = useSignal(state.recording);
  const trouble = useSignal(state.trouble);
  const share = useSignal(state.share);
  if (recording) return <RecordingPlayer file={file} recording={recording} />;
  return (
    <Panel title={file}>
      {trouble ? <p class="trouble" role="alert">{trouble}</p> : (
        <label class="coming">
          <span>{share === null ? W.recordings.reading : W.recordings.coming}</span>
          <progress max={1} value={share ?? undefined} />
        </label>
      )}
      <div class="row"><Button icon="close" onClick={() => goTo('status', 'recordings')}>{W.recordings.back}</Button></div>
    </Panel>
  );
}

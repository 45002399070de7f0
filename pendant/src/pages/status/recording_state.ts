// SPDX-License-Identifier: BSD-3-Clause
// The recording that is looked at, and where in it. While one is open the picture shows it; it is live again at once after.
import { markAt, lengthOf, recordingFrom, recordingsFrom, rowAt, stepped, type Mark, type Recording, type RecordingEntry } from '../../link/recording';
import { rest, wordsOf } from '../../link/rest';
import { playback } from '../../playback';
import { robot } from '../../robot';
import { signal } from '../../store';
import { W } from '../../text';

export const entries = signal<RecordingEntry[] | null>(null);
export const trouble = signal<string | null>(null);
/** How much of it has come, 0 to 1; null while the robot reads its file. */
export const share = signal<number | null>(null);
export const name = signal<string | null>(null);
export const recording = signal<Recording | null>(null);
export const time = signal(0);
/** What is the matter at that time. */
export const mark = signal<Mark | null>(null);
export const isPlaying = signal(false);
export const speed = signal(1);

export const pathOf = (file: string) => `/api/recordings/${encodeURIComponent(file)}`;

export async function fetchEntries(): Promise<void> {
  try {
    entries.value = recordingsFrom(await rest.get('/api/recordings'));
    trouble.value = null;
  } catch (error) {
    trouble.value = wordsOf(error);
  }
}

let asking: AbortController | null = null;

export async function open(file: string): Promise<void> {
  close();
  const mine = (asking = new AbortController());
  name.value = file;
  try {
    const answer = await rest.get(`${pathOf(file)}/curves`, { signal: mine.signal, onShare: (now) => (share.value = now) });
    if (mine.signal.aborted) return;
    const found = recordingFrom(answer);
    const joints = robot.value?.joints.length ?? 0;
    if (found.seconds.length === 0 || found.positions[0]?.length !== joints) throw new Error(W.recordings.otherRobot);
    recording.value = found;
    showAt(0);
  } catch (error) {
    if (!mine.signal.aborted) trouble.value = wordsOf(error);
  }
}

/** Back to live. */
export function close(): void {
  asking?.abort();
  asking = null;
  setPlaying(false);
  name.value = null;
  recording.value = null;
  share.value = null;
  trouble.value = null;
  time.value = 0;
  mark.value = null;
  playback.value = null;
}

/** `chosen`: of several marks at one time, the one that is looked at. */
export function showAt(next: number, chosen: Mark | null = null): void {
  const now = recording.value;
  if (!now) return;
  time.value = Math.min(Math.max(0, next), lengthOf(now));
  mark.value = chosen ?? markAt(now, time.value);
  const row = now.positions[rowAt(now.seconds, time.value)] ?? [];
  const joints: Record<string, number> = {};
  robot.value?.joints.forEach((joint, i) => (joints[joint.name] = row[i] ?? 0));
  playback.value = { joints, contact: mark.value?.contact ?? null };
}

/** As showAt(), by a hand: what plays halts. */
export function seek(next: number): void {
  setPlaying(false);
  showAt(next);
}

export function seekMark(chosen: Mark): void {
  setPlaying(false);
  showAt(chosen.seconds, chosen);
}

export function step(count: number): void {
  if (recording.value) seek(stepped(recording.value, time.value, count));
}

const kTick_ms = 33;
let timer: ReturnType<typeof setInterval> | undefined;

export function setPlaying(wanted: boolean): void {
  clearInterval(timer);
  const now = recording.value;
  isPlaying.value = wanted && now !== null;
  if (!isPlaying.value || !now) return;
  if (time.value >= lengthOf(now)) showAt(0);
  let last_ms = performance.now();
  timer = setInterval(() => {
    const now_ms = performance.now();
    showAt(time.value + ((now_ms - last_ms) / 1000) * speed.value);
    last_ms = now_ms;
    if (time.value >= lengthOf(now)) setPlaying(false);
  }, kTick_ms);
}

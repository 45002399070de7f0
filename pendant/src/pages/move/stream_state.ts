// SPDX-License-Identifier: BSD-3-Clause
// The streams of the robot, the one that is chosen, and the ghost that shows where it leads.
import { jointsAt, streamRowsFrom, streamsFrom, type StreamEntry, type StreamList, type StreamRows } from '../../link/stream';
import { fields, number, text } from '../../link/protocol';
import { rest } from '../../link/rest';
import { attempt, isWaiting, live, startHold, withControl } from '../../robot';
import { goTo } from '../../route';
import { jogSpeed } from '../../settings';
import { signal } from '../../store';
import { clearTarget, ghostRun } from '../../target';

export const streams = signal<StreamList>({ streams: [], recording: null, undo: 0, redo: 0 });
export const chosen = signal<string | null>(null);
/** All rows of the chosen one; null while they are not here. */
export const rows = signal<StreamRows | null>(null);
/** Where the ghost stands [s], from the begin of all that was recorded. */
export const time = signal(0);

const pathOf = (name: string) => `/api/streams/${encodeURIComponent(name)}`;

async function take(answer: Promise<unknown>): Promise<boolean> {
  const found = await attempt(() => answer);
  if (found === null) return false;
  streams.value = streamsFrom(found);
  if (chosen.value !== null && !chosenEntry()) choose(null);
  return true;
}

export function chosenEntry(): StreamEntry | null {
  return streams.value.streams.find((one) => one.name === chosen.value) ?? null;
}

export const fetchStreams = () => take(rest.get('/api/streams'));
export const record = (name: string) => take(rest.post('/api/streams/record', { name }));
export const endRecording = (keep: boolean) => take(rest.post('/api/streams/end', { keep }));
export const remove = (name: string) => take(rest.del(pathOf(name)));
export const trim = (name: string, from: number, to: number) => take(rest.put(pathOf(name), { from, to }));
export const undo = () => take(rest.post('/api/streams/undo'));
export const redo = () => take(rest.post('/api/streams/redo'));

export async function rename(name: string, next: string): Promise<void> {
  if (!(await take(rest.put(pathOf(name), { name: next })))) return;
  if (chosen.value === name) chosen.value = next;
}

/** Programs are where it can be touched up. */
export async function makeProgram(name: string): Promise<void> {
  const answer = await attempt(() => rest.post(`${pathOf(name)}/program`));
  if (answer !== null) goTo('program', text(fields(answer).program));
}

export function choose(name: string | null): void {
  chosen.value = name;
  rows.value = null;
  ghostRun.value = null;
  const entry = chosenEntry();
  if (!entry) return;
  clearTarget();
  void attempt(() => rest.get(pathOf(entry.name))).then((answer) => {
    if (answer === null || chosen.value !== entry.name) return;
    rows.value = streamRowsFrom(answer);
    showAt(entry.from);
  });
}

export function showAt(next: number): void {
  time.value = next;
  ghostRun.value = rows.value && jointsAt(rows.value, next);
}

let held: { key: string; request: number } | null = null;

/** Moves along the stream while the key is held; held again, it goes on. */
export function replayWhileHeld(entry: StreamEntry): void {
  const key = `${entry.name} ${entry.from} ${entry.to}`;
  void startHold('stream', async (hold) => {
    // it stands on its way to the begin, or on the stream itself
    if (held?.key === key && isWaiting(held.request - 1, held.request)) return rest.post('/api/resume', { request: held.request, hold });
    const answer = fields(await rest.post(`${pathOf(entry.name)}/run`, { speed: jogSpeed.value, hold }));
    held = { key, request: number(answer.request) };
  });
}

export const replay = (entry: StreamEntry) => withControl(() => rest.post(`${pathOf(entry.name)}/run`, { speed: jogSpeed.value }));

/** Keeps the list as the robot has it, until the function that comes back is called. */
export function watchStreams(): () => void {
  let seen: number | undefined;
  const end = live.subscribe((now) => {
    if (!now || now.streams === seen) return;
    seen = now.streams;
    void fetchStreams();
  });
  const timer = setInterval(() => {
    if (streams.value.recording) void fetchStreams();
  }, 500);
  void fetchStreams();
  return () => {
    end();
    clearInterval(timer);
    choose(null);
  };
}

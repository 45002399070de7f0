// SPDX-License-Identifier: BSD-3-Clause
// The program that is open: its text here and on the robot, its findings and steps, its simulated run.
import { checkFrom, fields, ghostRunFrom, list, number as numberOf, text as textOf, type CheckResult, type Finding, type GhostRun } from '../../link/protocol';
import { Refusal, rest, wordsOf } from '../../link/rest';
import { say } from '../../notices';
import { attempt, fetchPrograms, live, may, programNames, robot } from '../../robot';
import { signal } from '../../store';
import { ghostRun } from '../../target';
import { W } from '../../text';
import { currentArm } from '../move/jog_state';
import { draftOf, keepDraft } from './drafts';
import { withEnds } from './steps';

export const name = signal<string | null>(null);
export const text = signal('');
/** As the robot has it. */
export const saved = signal('');
export const checked = signal<CheckResult>({ findings: [], tree: [], formatted: null });
export const cursorLine = signal(1);
export const breakpoints = signal<number[]>([]);
export const run = signal<GhostRun | null>(null);
/** Where in the simulated run the ghost stands [s]; null: not shown. */
export const runTime = signal<number | null>(null);
export const isSimulating = signal(false);

/** Somebody has changed the program while it was changed here: what it is on the robot now. */
export interface Theirs {
  /** Empty: it was removed. */
  version: string;
  text: string;
  by: string | null;
  changed: number;
  breakpoints: number[];
}
export const conflict = signal<Theirs | null>(null);
/** Counts up when the text has changed without having been typed. */
export const replaced = signal(0);
/** The text that `checked` is about. */
export const checkedText = signal('');

/** Of what the robot has; empty: it has none. */
let version = '';

/** The arm that programs are for: the one that was chosen last, where there are several. */
export const arm = () => currentArm(robot.value)?.name ?? '';

export const pathOf = (program: string) => `/api/programs/${encodeURIComponent(program)}`;

function theirsFrom(answer: unknown): Theirs {
  const json = fields(answer);
  return {
    version: textOf(json.version), text: textOf(json.text), by: textOf(json.by) || null, changed: numberOf(json.changed),
    breakpoints: list(json.breakpoints).map((line) => numberOf(line)),
  };
}

/** The robot's text, as it is shown and goes on from here. */
function take(theirs: Theirs): void {
  version = theirs.version;
  saved.value = theirs.text;
  text.value = theirs.text;
  breakpoints.value = theirs.breakpoints;
  conflict.value = null;
}

let opening = 0;

/** False: there is none. What is asked for last counts, whichever answer comes first. */
export async function open(program: string): Promise<boolean> {
  const mine = ++opening;
  const answer = await attempt(() => rest.get(pathOf(program)));
  if (mine !== opening) return true;
  if (answer === null) return false;
  const theirs = theirsFrom(answer);
  take(theirs);
  const draft = draftOf(program);
  if (draft !== null && draft.text !== theirs.text) {
    text.value = draft.text;
    breakpoints.value = draft.breakpoints;
    // what it was a change of is not there any more: nobody's work is lost without a word
    if (draft.version !== theirs.version) conflict.value = theirs;
  }
  name.value = program;
  dropRun();
  await check();
  return true;
}

/** What is open stays open, although another was asked for meanwhile. */
export function stay(): void {
  opening += 1;
}

let checkTimer: ReturnType<typeof setTimeout> | undefined;

function keepOwn(): void {
  if (name.value === null) return;
  keepDraft(name.value, text.value === saved.value ? null : { text: text.value, version, breakpoints: breakpoints.value });
}

export function edit(next: string): void {
  if (next === text.value) return;
  text.value = next;
  dropRun();
  keepOwn();
  clearTimeout(checkTimer);
  checkTimer = setTimeout(() => void check(), 300);
}

/** Breakpoints of the text as it is here; those of a saved text are kept by the robot, for every browser. */
export async function mark(lines: number[]): Promise<void> {
  const isSame = lines.length === breakpoints.value.length && lines.every((line, i) => line === breakpoints.value[i]);
  if (isSame) return;
  breakpoints.value = lines;
  if (text.value !== saved.value) keepOwn();
  else if (name.value !== null && may('operator')) await orTheirs(() => rest.put(`${pathOf(name.value!)}/breakpoints`, { lines, version }));
}

/** Does it; when the robot has another version by now, that one is looked at. Null: it was not done. */
async function orTheirs<T>(act: () => Promise<T>): Promise<T | null> {
  const program = name.value;
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 409 && 'version' in error.body)) throw error;
    if (program === name.value) meet(theirsFrom(error.body));
    return null;
  }
}

/** The robot has another version than this page has gone on from. */
function meet(theirs: Theirs): void {
  if (theirs.version === version) {
    const isOther = theirs.breakpoints.join() !== breakpoints.value.join();
    if (!isOther || text.value !== saved.value) return;
    breakpoints.value = theirs.breakpoints;
    replaced.value += 1;
    return;
  }
  const isOwn = theirs.version !== '' && theirs.text === text.value;
  if (isOwn || (text.value === saved.value && theirs.version !== '')) {
    take(theirs);
    keepOwn();
    replaced.value += 1;
    if (!isOwn) say('info', W.program.changedBy(theirs.by ?? W.program.somebody));
    dropRun();
    void check();
    return;
  }
  if (text.value === saved.value) {
    say('warn', W.program.removedBy(name.value ?? ''));
    name.value = null;
    return;
  }
  conflict.value = theirs;
}

/** After somebody has changed a program, perhaps this one. */
async function lookAgain(): Promise<void> {
  const program = name.value;
  if (program === null || isSaving) return;
  try {
    const answer = await rest.get(pathOf(program));
    if (program === name.value && !isSaving) meet(theirsFrom(answer));
  } catch (error) {
    if (program === name.value && error instanceof Refusal && error.status === 404) meet({ version: '', text: '', by: null, changed: 0, breakpoints: [] });
  }
}

let seenPrograms: number | undefined;
live.subscribe((now) => {
  if (now === null || now.programs === seenPrograms) return;
  const isFirst = seenPrograms === undefined;
  seenPrograms = now.programs;
  if (!isFirst) void lookAgain();
});

/** What is on the robot takes the place of what was typed here; undo brings that back. */
export function takeTheirs(): void {
  const theirs = conflict.value;
  if (theirs === null || name.value === null) return;
  if (theirs.version === '') {
    keepDraft(name.value, null);
    conflict.value = null;
    name.value = null;
    return;
  }
  take(theirs);
  keepOwn();
  replaced.value += 1;
  dropRun();
  void check();
}

/** What was typed here goes on from what is on the robot; the next save puts it there, and what was there is in the history. */
export function keepMine(): void {
  const theirs = conflict.value;
  if (theirs === null) return;
  version = theirs.version;
  saved.value = theirs.text;
  conflict.value = null;
  keepOwn();
}

/** A finding of a file that is included stands at the first line, with that file's name. */
function ofThis(finding: Finding): Finding {
  if (finding.file === '' || finding.file === name.value) return finding;
  return { ...finding, line: 1, column: 1, end_column: null, message: `${finding.file}, ${W.program.line(finding.line)}: ${finding.message}` };
}

/** Asks the robot what it thinks of the text; an answer to an older text is not taken. */
export async function check(): Promise<CheckResult> {
  const asked = text.value;
  try {
    const answer = checkFrom(await rest.post('/api/programs/check', { name: name.value ?? '', text: asked, arm: arm() }));
    const result = { ...answer, findings: answer.findings.map(ofThis), tree: withEnds(answer.tree, asked.split('\n')) };
    if (asked === text.value) {
      checkedText.value = asked;
      checked.value = result;
    }
    return result;
  } catch (error) {
    // a later text is being checked already
    if (!(error instanceof Refusal && error.status === 409)) say('warn', wordsOf(error));
    return checked.value;
  }
}

let isSaving = false;

export async function save(): Promise<boolean> {
  const program = name.value;
  if (program === null) return false;
  if (conflict.value !== null) {
    say('warn', W.program.chooseFirst);
    return false;
  }
  const written = text.value;
  if (written === saved.value) return true;
  isSaving = true;
  const answer = await attempt(() => orTheirs(() => rest.put(pathOf(program), { text: written, version, breakpoints: breakpoints.value })));
  isSaving = false;
  if (answer === null || program !== name.value) return false;
  version = textOf(fields(answer).version);
  saved.value = written;
  keepOwn();
  return true;
}

/** Asks for something to be done with this program as it is here; when it is another on the robot by now, nothing is done. */
export function asMeant(path: string, more: object = {}): Promise<unknown> {
  return orTheirs(() => rest.post(path, { name: name.value, version, arm: arm(), ...more }));
}

/** Saved and without errors: only that is run or simulated. */
export async function makeReady(): Promise<boolean> {
  const result = await check();
  if (result.findings.some((finding) => finding.severity === 'error')) {
    say('warn', W.program.errorsLeft);
    return false;
  }
  return save();
}

export function fileName(typed: string): string {
  const clean = typed.trim().replace(/[^\w.-]+/g, '_');
  return clean === '' || clean.endsWith('.prog') ? clean : `${clean}.prog`;
}

export async function create(program: string): Promise<boolean> {
  if (programNames.value.includes(program)) return open(program);
  const first = '# \nUNITS (mm,deg,s)\nSPEED 30%\n';
  const isDone = await attempt(async () => {
    await rest.put(pathOf(program), { text: first, version: '' });
    return true;
  });
  if (!isDone) return false;
  await fetchPrograms();
  return open(program);
}

export async function remove(program: string): Promise<void> {
  const isGone = await attempt(async () => {
    await rest.del(pathOf(program));
    return true;
  });
  if (!isGone) return;
  keepDraft(program, null);
  name.value = null;
  await fetchPrograms();
}

/** Takes the removal of a program back. */
export async function restore(program: string): Promise<void> {
  if ((await attempt(() => rest.post(`${pathOf(program)}/restore`))) === null) return;
  await fetchPrograms();
  await open(program);
}

export async function simulate(): Promise<void> {
  if (!(await makeReady())) return;
  isSimulating.value = true;
  const answer = await attempt(() => asMeant('/api/programs/simulate'));
  isSimulating.value = false;
  if (answer === null) return;
  run.value = ghostRunFrom(answer);
  checked.value = { ...checked.value, findings: run.value.findings.map(ofThis) };
  showRunAt(0);
}

export function showRunAt(time: number): void {
  const ghost = run.value;
  if (!ghost || ghost.positions.length === 0) return;
  runTime.value = Math.min(Math.max(0, time), ghost.seconds);
  const row = ghost.positions[Math.min(ghost.positions.length - 1, Math.round(runTime.value / ghost.period))]!;
  ghostRun.value = Object.fromEntries(ghost.joints.map((joint, i) => [joint, row[i] ?? 0]));
}

/** The line that the shown instant of the simulated run is at. */
export function runLine(): number {
  const ghost = run.value;
  if (!ghost || runTime.value === null) return 0;
  return ghost.lines[Math.min(ghost.lines.length - 1, Math.round(runTime.value / ghost.period))] ?? 0;
}

export function dropRun(): void {
  run.value = null;
  runTime.value = null;
  ghostRun.value = null;
}

/** The last part of the path that the robot gives. */
export function isThisProgram(running: string): boolean {
  return name.value !== null && (running === name.value || running.endsWith(`/${name.value}`));
}

export function runningLine(): number {
  const program = live.value?.motion.program;
  if (!program || !isThisProgram(program.name)) return 0;
  return ['running', 'paused', 'at breakpoint', 'at_breakpoint', 'stepped', 'failed'].includes(program.phase) ? program.line : 0;
}

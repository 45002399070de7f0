// SPDX-License-Identifier: BSD-3-Clause
// The way of a dropped robot: read, shown, sent, reported. It outlives a change of tabs, so nothing is lost on the way.
import { dropped } from '../../frame/drop_guard';
import { rest, wordsOf } from '../../link/rest';
import { signal } from '../../store';
import { arranged, base64Of, descriptions, gather, nameFor, type Gathered } from './dropped_files';
import { reportFrom, type NewRobotReport } from './new_robot_report';

export interface NewRobot {
  stage: 'empty' | 'reading' | 'ready' | 'sending' | 'made';
  gathered: Gathered;
  /** Which of the descriptions is meant. */
  main: string;
  name: string;
  trouble: string;
  report: NewRobotReport | null;
}

const kNothing: NewRobot = { stage: 'empty', gathered: { files: [], leftOut: 0 }, main: '', name: '', trouble: '', report: null };

export const newRobot = signal<NewRobot>(kNothing);

function change(part: Partial<NewRobot>): void {
  newRobot.value = { ...newRobot.value, ...part };
}

/** Reads what was dropped or chosen. What was there before stays when this cannot be read. */
export async function takeFiles(from: readonly (File | FileSystemEntry)[]): Promise<void> {
  const before = newRobot.value;
  if (from.length === 0 || before.stage === 'reading' || before.stage === 'sending') return;
  change({ stage: 'reading', trouble: '' });
  try {
    const gathered = await gather(from);
    const main = descriptions(gathered.files)[0]!;
    newRobot.value = { ...kNothing, stage: 'ready', gathered, main, name: nameFor(gathered.files, main) };
  } catch (error) {
    newRobot.value = { ...before, trouble: wordsOf(error) };
  }
}

export function chooseMain(main: string): void {
  change({ main, name: nameFor(newRobot.value.gathered.files, main) });
}

export function chooseName(name: string): void {
  change({ name });
}

export function startOver(): void {
  newRobot.value = kNothing;
}

/** Sends the files; a refusal leaves all as it is, to be tried again. */
export async function makeRobot(): Promise<void> {
  const { gathered, main, name } = newRobot.value;
  change({ stage: 'sending', trouble: '' });
  // the page shows that it works before it does
  await new Promise((done) => setTimeout(done, 30));
  try {
    const files = arranged(gathered.files, main).map(({ path, bytes }) => ({ path, base64: base64Of(bytes) }));
    change({ stage: 'made', report: reportFrom(await rest.post('/api/robots', { name: name.trim(), main, files })) });
  } catch (error) {
    change({ stage: 'ready', trouble: wordsOf(error) });
  }
}

/** What was dropped on the page, whichever part of it was open. */
function takeDropped(): void {
  const from = dropped.value;
  if (from.length === 0) return;
  dropped.value = [];
  void takeFiles(from);
}
dropped.subscribe(takeDropped);
takeDropped();

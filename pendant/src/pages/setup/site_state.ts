// SPDX-License-Identifier: BSD-3-Clause
// What is set up on site, as the server has it, and what this page would make of it.
import { Refusal, rest, wordsOf } from '../../link/rest';
import { say } from '../../notices';
import { ensureControl, live } from '../../robot';
import { kept } from '../../settings';
import { signal } from '../../store';
import { W } from '../../text';
import { UndoStack } from '../../undo';
import { bodyOf, findingsFrom, sameDraft, setupFrom, type Draft, type Setup, type SiteFinding } from './site';

export const setup = signal<Setup | null>(null);
export const setupTrouble = signal('');
/** What is wrong with what was last to be saved. */
export const findings = signal<SiteFinding[]>([]);
export const busy = signal<'' | 'save' | 'restart'>('');
/** Changes that are not saved outlive a reload, as long as what they were made of is what is kept. */
const unsaved = kept<{ version: string; draft: Draft } | null>('siteDraft', null, (value) => {
  const found = value as { version?: unknown; draft?: Partial<Draft> } | null;
  return found === null || (typeof found.version === 'string' && Array.isArray(found.draft?.bounds) && typeof found.draft?.limits === 'object');
});
export const draft = signal<Draft>({ limits: {}, bounds: [] });
export const undoLabels = signal<[string | null, string | null]>([null, null]);

let stack = new UndoStack();

function tellUndo(): void {
  undoLabels.value = [stack.undoLabel, stack.redoLabel];
}

draft.subscribe((now) => {
  const base = setup.value;
  unsaved.value = !base || sameDraft(now, base.saved) ? null : { version: base.version, draft: now };
});

export async function fetchSetup(): Promise<void> {
  try {
    const found = setupFrom(await rest.get('/api/setup'));
    const isOther = found.version !== setup.value?.version;
    setup.value = found;
    setupTrouble.value = '';
    if (!isOther) return;
    const mine = unsaved.value?.version === found.version ? unsaved.value.draft : found.saved;
    stack = new UndoStack();
    findings.value = [];
    draft.value = mine;
    tellUndo();
  } catch (error) {
    setupTrouble.value = wordsOf(error);
  }
}

/** Keeps it fetched while somebody looks; the function that comes back ends that. */
export function followSetup(): () => void {
  let seen = live.value?.setup;
  void fetchSetup();
  return live.subscribe((now) => {
    if (!now || now.setup === seen) return;
    seen = now.setup;
    void fetchSetup();
  });
}

/** One change that can be taken back; `before`: where it began, when it has been shown on its way. */
export function change(label: string, next: Draft, before: Draft = draft.value): void {
  if (next === before) return;
  const put = (to: Draft) => async () => {
    draft.value = to;
  };
  void stack.apply({ label, apply: put(next), revert: put(before) }).then(tellUndo);
}

export const undo = () => stack.undo().then(tellUndo);
export const redo = () => stack.redo().then(tellUndo);

export function discard(): void {
  if (setup.value) change(W.site.discard, setup.value.saved);
  findings.value = [];
}

export async function save(): Promise<void> {
  const base = setup.value;
  if (!base || busy.value !== '' || !(await ensureControl())) return;
  busy.value = 'save';
  try {
    await rest.put('/api/setup', bodyOf(draft.value, base.version));
    findings.value = [];
    unsaved.value = null;
    await fetchSetup();
  } catch (error) {
    findings.value = error instanceof Refusal ? findingsFrom(error.body) : [];
    if (findings.value.length === 0) say('warn', wordsOf(error));
  } finally {
    busy.value = '';
  }
}

/** Starts controller and motion service anew; the robot is held then. */
export async function restart(): Promise<void> {
  if (busy.value !== '' || !(await ensureControl())) return;
  busy.value = 'restart';
  try {
    await rest.post('/api/setup/restart');
    say('info', W.site.restarted);
  } catch (error) {
    say('warn', wordsOf(error));
  } finally {
    busy.value = '';
    await fetchSetup();
  }
}

// SPDX-License-Identifier: BSD-3-Clause
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UndoStack, type Change } from '../src/undo';

function counting(start = 0) {
  const box = { value: start };
  const add = (by: number): Change => ({
    label: `add ${by}`,
    apply: async () => { box.value += by; },
    revert: async () => { box.value -= by; },
  });
  return { box, add };
}

test('undo takes back, redo does again, a new change forgets what was undone', async () => {
  const { box, add } = counting();
  const stack = new UndoStack();
  await stack.apply(add(1));
  await stack.apply(add(10));
  await stack.undo();
  assert.equal(box.value, 1);
  assert.equal(stack.redoLabel, 'add 10');
  await stack.redo();
  assert.equal(box.value, 11);
  await stack.undo();
  await stack.apply(add(100));
  assert.equal(stack.redoLabel, null);
  await stack.redo();
  assert.equal(box.value, 101);
});

test('a change that fails has not been made, and one that cannot be taken back stays', async () => {
  const { box, add } = counting();
  const stack = new UndoStack();
  await assert.rejects(stack.apply({ label: 'bad', apply: async () => { throw new Error('no'); }, revert: async () => undefined }));
  assert.equal(stack.undoLabel, null);
  await stack.apply({ ...add(1), revert: async () => { throw new Error('no'); } });
  await assert.rejects(stack.undo());
  assert.equal(stack.undoLabel, 'add 1');
  assert.equal(box.value, 1);
});

test('it remembers as many as it was told', async () => {
  const { box, add } = counting();
  const stack = new UndoStack(3);
  for (let i = 0; i < 5; i += 1) await stack.apply(add(1));
  for (let i = 0; i < 5; i += 1) await stack.undo();
  assert.equal(box.value, 2);
});

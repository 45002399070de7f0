// SPDX-License-Identifier: BSD-3-Clause
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Step } from '../src/link/protocol';
import { insertAfter, moveStep, removeStep, stepAt } from '../src/pages/program/steps';

const leaf = (line: number, label = ''): Step => ({ line, end_line: line, kind: 'move', label, children: [] });
const text = ['A', 'FOR i = 1 TO 2', '  B', '  # between', '  C', 'END', 'D', ''].join('\n');
const b = leaf(3);
const c = leaf(5);
const loop: Step = { line: 2, end_line: 6, kind: 'block', label: '', children: [b, c] };
const tree = [leaf(1), loop, leaf(7)];

test('a line belongs to the innermost step', () => {
  assert.equal(stepAt(tree, 3), b);
  assert.equal(stepAt(tree, 4), loop);
  assert.equal(stepAt(tree, 8), null);
});

test('a step moves among its siblings, and what stands between stays there', () => {
  const down = moveStep(text, tree, b, 1)!;
  assert.deepEqual(down.text.split('\n').slice(1, 6), ['FOR i = 1 TO 2', '  C', '  # between', '  B', 'END']);
  assert.equal(down.text.split('\n')[down.line - 1], '  B');
  assert.equal(moveStep(text, tree, b, -1), null);
  const block = moveStep(text, tree, loop, 1)!;
  assert.equal(block.text, ['A', 'D', 'FOR i = 1 TO 2', '  B', '  # between', '  C', 'END', ''].join('\n'));
  assert.equal(block.text.split('\n')[block.line - 1], 'FOR i = 1 TO 2');
});

test('down and up again is as before', () => {
  for (const step of [tree[0]!, loop]) {
    const down = moveStep(text, tree, step, 1)!;
    assert.notEqual(down.text, text);
    const swapped: Step[] = step === loop ? [leaf(1), leaf(2), { ...loop, line: 3, end_line: 7, children: [] }] : [{ ...loop, line: 1, end_line: 5, children: [] }, leaf(6), leaf(7)];
    const again = moveStep(down.text, swapped, swapped.find((one) => one.line === down.line)!, -1)!;
    assert.equal(again.text, text);
  }
});

test('deleting a block deletes all of it', () => {
  assert.equal(removeStep(text, loop).text, 'A\nD\n');
});

test('what is inserted is as deep as the step before it, or stands at the end', () => {
  const deep = insertAfter(text, b, 'IF x\nEND');
  assert.deepEqual(deep.text.split('\n').slice(2, 5), ['  B', '  IF x', '  END']);
  assert.equal(deep.line, 4);
  assert.equal(insertAfter('A\n', null, 'B').text, 'A\nB\n');
  assert.equal(insertAfter('', null, 'B').text, 'B\n');
  assert.equal(insertAfter('A', null, 'B').text, 'A\nB');
});

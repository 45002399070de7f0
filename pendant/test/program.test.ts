// SPDX-License-Identifier: BSD-3-Clause
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draftFrom } from '../src/pages/program/drafts';
import { difference, lineMatches, movedMarks } from '../src/pages/program/line_marks';

test('the difference of two texts, put in, makes one the other', () => {
  for (const [before, after] of [['', ''], ['abc', 'abc'], ['abc', 'axc'], ['aaa', 'aa'], ['aa', 'aaa'], ['x\ny\n', 'y\n'], ['', 'new'], ['old', '']] as const) {
    const { from, to, insert } = difference(before, after);
    assert.equal(before.slice(0, from) + insert + before.slice(to), after);
  }
});

test('marks go with their lines: moved, indented, inserted above, removed', () => {
  const before = 'A\nB\nC\nD';
  assert.deepEqual(movedMarks(before, 'A\nC\nB\nD', [2, 3]), [2, 3]);
  assert.deepEqual(movedMarks(before, 'A\nC\nB\nD', [2]), [3], 'B is on line 3 now');
  assert.deepEqual(movedMarks(before, 'A\nC\nB\nD', [3]), [2]);
  assert.deepEqual(movedMarks(before, '  A\n  B\n  C\n  D', [1, 4]), [1, 4]);
  assert.deepEqual(movedMarks(before, 'new\nA\nB\nC\nD', [1, 4]), [2, 5]);
  assert.deepEqual(movedMarks(before, 'A\nC\nD', [2, 4]), [3]);
  assert.deepEqual(movedMarks(before, '', [1, 2]), []);
});

test('equal lines are told apart by their neighbours', () => {
  assert.deepEqual(lineMatches(['P', 'X', 'P', 'Y', 'P'], ['P', 'X', 'P', 'Q', 'Y', 'P']), [0, 1, 2, 4, 5]);
  // each line has one place only
  const matches = lineMatches(['P', 'P', 'P'], ['P', 'Q']);
  assert.deepEqual([...matches].filter((line) => line >= 0), [0]);
});

test('a long text is matched, too', () => {
  const lines = Array.from({ length: 5000 }, (_, i) => `MOVE ${i}`);
  const turned = [...lines.slice(2500), ...lines.slice(0, 2500)];
  assert.deepEqual(movedMarks(lines.join('\n'), turned.join('\n'), [1, 2501]), [1, 2501].sort((a, b) => a - b));
});

test('a draft names the version that it changes; one of an older page does not', () => {
  assert.deepEqual(draftFrom('{"text":"A","version":"f0","breakpoints":[2]}'), { text: 'A', version: 'f0', breakpoints: [2] });
  assert.deepEqual(draftFrom('MOVEJ p1\n'), { text: 'MOVEJ p1\n', version: '', breakpoints: [] });
  assert.deepEqual(draftFrom('"quoted"'), { text: '"quoted"', version: '', breakpoints: [] });
});

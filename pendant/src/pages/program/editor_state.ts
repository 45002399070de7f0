// SPDX-License-Identifier: BSD-3-Clause
import { signal } from '../../store';
import type { ProgramEditor } from './editor';
import * as program from './program_state';
import { insertAfter, stepAt } from './steps';

/** The editor on the page; null while there is none. */
export const editor = signal<ProgramEditor | null>(null);
export const undoable = signal<[number, number]>([0, 0]);

export function insert(line: string): void {
  const at = program.cursorLine.value;
  // the steps of an older text say nothing about this one
  const isKnown = program.checkedText.value === program.text.value;
  const after = isKnown ? stepAt(program.checked.value.tree, at) : { line: at, end_line: at };
  const edit = insertAfter(program.text.value, after, line);
  editor.value?.replace(edit.text, edit.line);
}

const kInclude = 'INCLUDE "points.prog"';

/** A line that names a taught point; the program then takes in the file of points. */
export function insertPoint(line: string): void {
  insert(line);
  const text = program.text.value;
  if (!/^\s*include\s+"points\.prog"/im.test(text)) editor.value?.replace(`${kInclude}\n${text}`, program.cursorLine.value + 1);
}

// SPDX-License-Identifier: BSD-3-Clause
// Changes of a program's text by its steps: a step is the lines from its first to its last.
import type { Step } from '../../link/protocol';

/** Where each step ends: before the next one beside it; the last of a block before the line that closes it. */
export function withEnds(tree: readonly Step[], lines: readonly string[], end = lines.length): Step[] {
  return tree.map((step, i) => {
    const limit = (tree[i + 1]?.line ?? end + 1) - 1;
    const own = step.end_line > 0 ? step.end_line : lastOf(step, lines, limit);
    return { ...step, end_line: own, children: withEnds(step.children, lines, step.kind === 'clause' ? limit : own - 1) };
  });
}

/** A block ends at its END, which is the last line with words before what comes next; all else where its words end. */
function lastOf(step: Step, lines: readonly string[], limit: number): number {
  const isBlock = step.children.length > 0 || /^(if|loop|sub|clause)$/.test(step.kind);
  let last = step.line;
  for (let line = step.line + 1; line <= limit; line += 1) {
    const words = (lines[line - 1] ?? '').trim();
    const isContinued = isBlock || /^[-+0-9.;,([{]/.test(words);
    if (words !== '' && !words.startsWith('#') && isContinued) last = line;
  }
  return last;
}

/** The innermost step that a line belongs to. */
export function stepAt(tree: readonly Step[], line: number): Step | null {
  for (const step of tree)
    if (line >= step.line && line <= step.end_line) return stepAt(step.children, line) ?? step;
  return null;
}

/** The steps beside it, itself among them. */
export function siblingsOf(tree: readonly Step[], step: Step): readonly Step[] {
  if (tree.includes(step)) return tree;
  for (const one of tree) {
    const found = siblingsOf(one.children, step);
    if (found.length > 0) return found;
  }
  return [];
}

export interface Edit {
  text: string;
  /** Where the cursor belongs after it, from 1. */
  line: number;
}

export function removeStep(text: string, step: Step): Edit {
  const lines = text.split('\n');
  lines.splice(step.line - 1, step.end_line - step.line + 1);
  return { text: lines.join('\n'), line: Math.max(1, Math.min(step.line, lines.length)) };
}

/** Swaps a step with the one before it (-1) or after it (1); what stands between the two stays between. */
export function moveStep(text: string, tree: readonly Step[], step: Step, by: 1 | -1): Edit | null {
  const siblings = siblingsOf(tree, step);
  const other = siblings[siblings.indexOf(step) + by];
  if (!other) return null;
  const [first, second] = by > 0 ? [step, other] : [other, step];
  const lines = text.split('\n');
  const upper = lines.slice(first.line - 1, first.end_line);
  const between = lines.slice(first.end_line, second.line - 1);
  const lower = lines.slice(second.line - 1, second.end_line);
  lines.splice(first.line - 1, second.end_line - first.line + 1, ...lower, ...between, ...upper);
  return { text: lines.join('\n'), line: by > 0 ? first.line + lower.length + between.length : first.line };
}

/** Puts lines after a step, or at the end, as deep as the step is. */
export function insertAfter(text: string, step: Pick<Step, 'line' | 'end_line'> | null, fresh: string): Edit {
  const lines = text.split('\n');
  const isEndEmpty = lines[lines.length - 1]?.trim() === '';
  const at = step ? step.end_line : isEndEmpty ? lines.length - 1 : lines.length;
  const indent = step ? (/^\s*/.exec(lines[step.line - 1] ?? '')?.[0] ?? '') : '';
  lines.splice(at, 0, ...fresh.split('\n').map((line) => indent + line));
  return { text: lines.join('\n'), line: at + 1 };
}

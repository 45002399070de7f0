// SPDX-License-Identifier: BSD-3-Clause
// Where lines go when a text is replaced by another: marks on them go along.

const kMostCells = 4_000_000;

/** For each line, from 0, of `before` its line in `after`; -1: gone. Lines are the same when their words are. */
export function lineMatches(before: readonly string[], after: readonly string[]): number[] {
  const a = before.map((line) => line.trim());
  const b = after.map((line) => line.trim());
  const matches = a.map(() => -1);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) matches[head] = head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) {
    matches[a.length - 1 - tail] = b.length - 1 - tail;
    tail += 1;
  }
  matchMiddle(a, b, { head, endA: a.length - tail, endB: b.length - tail }, matches);
  return matches;
}

interface Middle {
  head: number;
  endA: number;
  endB: number;
}

function matchMiddle(a: readonly string[], b: readonly string[], { head, endA, endB }: Middle, matches: number[]): void {
  const rows = endA - head;
  const columns = endB - head;
  if (rows * columns <= kMostCells) {
    // the longest common subsequence
    const width = columns + 1;
    const best = new Uint32Array((rows + 1) * width);
    for (let i = rows - 1; i >= 0; i -= 1)
      for (let j = columns - 1; j >= 0; j -= 1)
        best[i * width + j] = a[head + i] === b[head + j] ? best[(i + 1) * width + j + 1]! + 1 : Math.max(best[(i + 1) * width + j]!, best[i * width + j + 1]!);
    for (let i = 0, j = 0; i < rows && j < columns; ) {
      if (a[head + i] === b[head + j]) matches[head + i++] = head + j++;
      else if (best[(i + 1) * width + j]! >= best[i * width + j + 1]!) i += 1;
      else j += 1;
    }
  }
  // what was moved past others
  const taken = new Set(matches);
  for (let i = head; i < endA; i += 1) {
    if (matches[i] !== -1 || a[i] === '') continue;
    for (let j = head; j < endB; j += 1)
      if (b[j] === a[i] && !taken.has(j)) {
        matches[i] = j;
        taken.add(j);
        break;
      }
  }
}

/** Lines with marks, from 1, after the text was replaced. */
export function movedMarks(before: string, after: string, marks: readonly number[]): number[] {
  if (marks.length === 0) return [];
  const matches = lineMatches(before.split('\n'), after.split('\n'));
  return marks.map((line) => (matches[line - 1] ?? -1) + 1).filter((line) => line > 0).sort((a, b) => a - b);
}

/** The part that differs, as a replacement within `before`. */
export function difference(before: string, after: string): { from: number; to: number; insert: string } {
  let head = 0;
  const most = Math.min(before.length, after.length);
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  return { from: head, to: before.length - tail, insert: after.slice(head, after.length - tail) };
}

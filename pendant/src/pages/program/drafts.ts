// SPDX-License-Identifier: BSD-3-Clause
// What was typed and not saved, kept in this browser: with the version that it is a change of.
import { fields, list, number, text as textOf } from '../../link/protocol';

export interface Draft {
  text: string;
  /** Of what the robot had when this was begun; empty: not known. */
  version: string;
  breakpoints: number[];
}

const kDraft = 'sinew.draft.';

export function draftFrom(kept: string): Draft {
  try {
    const json = JSON.parse(kept) as unknown;
    if (typeof json === 'object' && json !== null && 'text' in json)
      return { text: textOf(fields(json).text), version: textOf(fields(json).version), breakpoints: list(fields(json).breakpoints).map((line) => number(line)) };
  } catch {
    // an older page kept the text alone
  }
  return { text: kept, version: '', breakpoints: [] };
}

export function draftOf(program: string): Draft | null {
  try {
    const kept = localStorage.getItem(kDraft + program);
    return kept === null ? null : draftFrom(kept);
  } catch {
    return null;
  }
}

export function keepDraft(program: string, draft: Draft | null): void {
  try {
    if (draft === null) localStorage.removeItem(kDraft + program);
    else localStorage.setItem(kDraft + program, JSON.stringify(draft));
  } catch {
    // without storage a reload loses what was not saved
  }
}

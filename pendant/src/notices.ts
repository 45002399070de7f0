// SPDX-License-Identifier: BSD-3-Clause
import { signal } from './store';

export type NoticeKind = 'info' | 'warn' | 'alarm';
export interface Notice {
  number: number;
  kind: NoticeKind;
  text: string;
  count: number;
}

/** What is to be read now; it goes by itself, an alarm when it is put away. */
export const notices = signal<Notice[]>([]);
let lastNumber = 0;

/** Says something to whoever stands before the page; the same again only counts up. */
export function say(kind: NoticeKind, text: string): void {
  if (text === '') return;
  const again = notices.value.find((one) => one.kind === kind && one.text === text);
  const notice = { number: ++lastNumber, kind, text, count: (again?.count ?? 0) + 1 };
  notices.value = fewer([...notices.value.filter((one) => one !== again), notice]);
  if (kind !== 'alarm') setTimeout(() => putAway(notice.number), kind === 'warn' ? 8000 : 4000);
}

const kMost = 4;

/** The newest, and of the older ones alarms before all else. */
function fewer(all: Notice[]): Notice[] {
  if (all.length <= kMost) return all;
  const goes = all.find((one) => one.kind !== 'alarm') ?? all[0];
  return fewer(all.filter((one) => one !== goes));
}

export function putAway(number: number): void {
  notices.value = notices.value.filter((one) => one.number !== number);
}

/** What was said no longer holds. */
export function takeBack(text: string): void {
  notices.value = notices.value.filter((one) => one.text !== text);
}

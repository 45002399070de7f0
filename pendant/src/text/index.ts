// SPDX-License-Identifier: BSD-3-Clause
// The words of the page. A further language is a file like en.ts with the same shape, and a line in `kLanguages`.
import { en } from './en';

export type Words = typeof en;
export const kLanguages: Record<string, Words> = { en };
const kStored = 'sinew.language';

function wanted(): string {
  try {
    return localStorage.getItem(kStored) ?? navigator.language.slice(0, 2);
  } catch {
    return 'en';
  }
}

/** The language in use: the one that was chosen or is the browser's, where the page has it. */
export const language = kLanguages[wanted()] ? wanted() : 'en';
export const W: Words = kLanguages[language] ?? en;
if (globalThis.document) document.documentElement.lang = language;

/** Takes effect with the page loaded anew: words are used everywhere. */
export function chooseLanguage(next: string): void {
  try {
    localStorage.setItem(kStored, next);
  } catch {
    return;
  }
  location.reload();
}

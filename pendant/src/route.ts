// SPDX-License-Identifier: BSD-3-Clause
// Which page is shown: the part of the address after the #, so that a reload and a link lead to the same place.
import { signal } from './store';

export type Page = 'move' | 'program' | 'setup' | 'status' | 'learn';
export const kPages: readonly Page[] = ['move', 'program', 'setup', 'status', 'learn'];

export interface Place {
  page: Page;
  /** What of the page: a tab, a program. */
  part: string;
}

export function placeFrom(hash: string): Place {
  const [page, ...rest] = hash.replace(/^#\/?/, '').split('/');
  return { page: kPages.find((one) => one === page) ?? 'move', part: decoded(rest.join('/')) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

export const place = signal<Place>(placeFrom(globalThis.location?.hash ?? ''));

export function goTo(page: Page, part = ''): void {
  location.hash = part === '' ? `#/${page}` : `#/${page}/${encodeURIComponent(part)}`;
}

globalThis.addEventListener?.('hashchange', () => {
  place.value = placeFrom(location.hash);
});

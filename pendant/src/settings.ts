// SPDX-License-Identifier: BSD-3-Clause
// What belongs to this screen and not to the robot: theme, units, sizes of steps.
import { signal, type Signal } from './store';
import { kShopFloor, type Units } from './units';

export type Theme = 'auto' | 'bright' | 'dark';

/** A signal that outlives the page, where the browser allows that. */
export function kept<T>(name: string, otherwise: T, isValid: (value: unknown) => boolean): Signal<T> {
  const start = signal<T>(otherwise);
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(`sinew.${name}`) ?? 'null');
    if (isValid(stored)) start.value = stored as T;
  } catch {
    // without storage all begins anew
  }
  start.subscribe((value) => {
    try {
      localStorage.setItem(`sinew.${name}`, JSON.stringify(value));
    } catch {
      // private windows may refuse; the setting then lasts as long as the page
    }
  });
  return start;
}

const isOneOf = (...all: string[]) => (value: unknown) => all.includes(value as string);

export const theme = kept<Theme>('theme', 'auto', isOneOf('auto', 'bright', 'dark'));
export const units = kept<Units>('units', kShopFloor, (value) => {
  const known = value as Units | null;
  return isOneOf('deg', 'rad')(known?.angle) && isOneOf('mm', 'inch')(known?.length);
});
export const jogSpeed = kept<number>('jogSpeed', 0.25, (value) => typeof value === 'number' && value > 0 && value <= 1);
export const tourSeen = kept<boolean>('tourSeen', false, (value) => typeof value === 'boolean');
export const needsHold = kept<boolean>('needsHold', true, (value) => typeof value === 'boolean');

function applyTheme(): void {
  const dark = theme.value === 'dark' || (theme.value === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'bright';
  themeShown.value = dark ? 'dark' : 'bright';
}

/** The theme in force. */
export const themeShown = signal<'bright' | 'dark'>('bright');

export function followTheme(): void {
  applyTheme();
  theme.subscribe(applyTheme);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);
}

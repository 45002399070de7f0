// SPDX-License-Identifier: BSD-3-Clause
export interface Palette {
  sky: string;
  /** The sky of a recording. */
  past: string;
  light: string;
  bounce: string;
  grid: string;
  gridMajor: string;
  shadow: number;
  ghost: string;
  warn: string;
  bad: string;
  trace: string;
  object: string;
}

export const kPalettes: Record<'bright' | 'dark', Palette> = {
  bright: {
    sky: '#e9edee', past: '#efe3c8', light: '#ffffff', bounce: '#b9c2c4', grid: '#cdd5d7', gridMajor: '#b3bdc0', shadow: 0.22,
    ghost: '#7b3fd1', warn: '#c77700', bad: '#cf2a16', trace: '#0b7f98', object: '#8b979b',
  },
  dark: {
    sky: '#10181b', past: '#2a2110', light: '#dfeaee', bounce: '#2b3438', grid: '#1f2b2f', gridMajor: '#304046', shadow: 0.5,
    ghost: '#a981f2', warn: '#ffb03a', bad: '#ff5c46', trace: '#4fc6dd', object: '#5d6b70',
  },
};

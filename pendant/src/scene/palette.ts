// SPDX-License-Identifier: BSD-3-Clause
export interface Palette {
  /** Above, at the horizon, and the floor before the robot. */
  zenith: string;
  sky: string;
  floor: string;
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
    zenith: '#d3dee3', sky: '#eef2f3', floor: '#f4f6f6', past: '#efe3c8', light: '#ffffff', bounce: '#c3c8c6', grid: '#dde3e4', gridMajor: '#bfc9cc', shadow: 0.26,
    ghost: '#7b3fd1', warn: '#c77700', bad: '#cf2a16', trace: '#0b7f98', object: '#b9a07d',
  },
  dark: {
    zenith: '#0c1214', sky: '#1a2529', floor: '#202c31', past: '#2a2110', light: '#dfeaee', bounce: '#3a4549', grid: '#2b393e', gridMajor: '#41535a', shadow: 0.5,
    ghost: '#a981f2', warn: '#ffb03a', bad: '#ff5c46', trace: '#4fc6dd', object: '#8a7659',
  },
};

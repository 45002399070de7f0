// SPDX-License-Identifier: BSD-3-Clause
// Line drawings on a grid of 24.
const kPaths = {
  move: 'M12 3v18M3 12h18M12 3l-3 3M12 3l3 3M12 21l-3-3M12 21l3-3M3 12l3-3M3 12l3 3M21 12l-3-3M21 12l-3 3',
  program: 'M5 5h9M5 10h14M9 15h10M9 20h6M5 15v0M5 20v0',
  setup: 'M4 20l6-6M8 4l12 12M14.5 9.5L20 4M16 20l4-4-6-6-4 4zM4 8l4-4',
  status: 'M3 13h4l2.5-7 4 13 3-9 1.5 3h3',
  learn: 'M12 6c-2-1.6-5-2-8-2v14c3 0 6 .4 8 2 2-1.600 5-2 8-2V4c-3 0-6 .4-8 2zM12 6v14',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c1-4 4-6 8-6s7 2 8 6',
  hand: 'M8 13V6a1.600 1.600 0 0 1 3.200 0v5M11.200 11V4.600a1.600 1.600 0 0 1 3.200 0V11M14.400 11V6a1.600 1.600 0 0 1 3.200 0v8c0 4-2.400 7-6 7-3 0-4.400-1.400-6-4l-2-3.500c-.600-1.200.9-2.300 1.900-1.300L8 15',
  eye: 'M2.500 12C5 7.500 8.500 5.500 12 5.500s7 2 9.500 6.500c-2.500 4.500-6 6.500-9.500 6.500S5 16.500 2.500 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  link: 'M4 18v-3M9 18v-6M14 18V9M19 18V5',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  play: 'M7 4.500v15l12-7.500z',
  pause: 'M8 5v14M16 5v14',
  step: 'M5 5v14l9-7zM18 5v14',
  stepBack: 'M19 5v14l-9-7zM6 5v14',
  next: 'M5 5v14l7-7zM12 5v14l7-7z',
  previous: 'M19 5v14l-7-7zM12 5v14l-7-7z',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  ghost: 'M5 20V11a7 7 0 0 1 14 0v9l-2.300-2-2.300 2-2.400-2-2.300 2-2.300-2zM9.500 11v0M14.500 11v0',
  save: 'M5 4h11l3 3v13H5zM8 4v5h7V4M8 20v-6h8v6',
  undo: 'M8 5L4 9l4 4M4 9h9a6 6 0 0 1 0 12h-3',
  redo: 'M16 5l4 4-4 4M20 9h-9a6 6 0 0 0 0 12h3',
  target: 'M12 3v4M12 17v4M3 12h4M17 12h4M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8z',
  home: 'M4 11l8-7 8 7M6 9.500V20h12V9.500',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  untrash: 'M5 7h14M7 7l1 13h8l1-13M12 17v-7M9 13l3-3 3 3',
  pen: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  record: 'M12 18a6 6 0 1 0 0-12 6 6 0 0 0 0 12z',
  cube: 'M12 3l8 4.500v9L12 21l-8-4.500v-9zM4 7.500l8 4.500 8-4.500M12 12v9',
  axes: 'M7 17V4M7 17h13M7 17l-4 4',
  trace: 'M4 19c3 0 3-8 7-8s3-6 9-6',
  reset: 'M5 12a7 7 0 1 0 2.500-5.400M7 3v4h4',
  up: 'M6 14l6-6 6 6',
  down: 'M6 10l6 6 6-6',
  warn: 'M12 4l9 16H3zM12 10v5M12 18v0',
  check: 'M5 12.500l4.500 4.500L19 7',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.500 2',
  book: 'M6 4h12v16H6zM6 16h12',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
} as const;

export type IconName = keyof typeof kPaths;

export function Icon({ name, size = 24 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={kPaths[name]} />
    </svg>
  );
}

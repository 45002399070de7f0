// SPDX-License-Identifier: BSD-3-Clause
// The canvas of the picture. A browser takes long to open one, so that is begun while the code that draws is on its way.
export const kCanvas = { alpha: true, antialias: true, depth: true, stencil: false, powerPreference: 'low-power' } as const;

export function openCanvas(): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.setAttribute('aria-hidden', 'true');
  // whoever asks again gets this one
  canvas.getContext('webgl2', kCanvas);
  return canvas;
}

// SPDX-License-Identifier: BSD-3-Clause
import type uPlot from 'uplot';

export const kColours = ['#0b7f98', '#c2541a', '#6b35bd', '#2e8540', '#b3245f', '#8a6d00', '#3763c9', '#5f6b70'];

/** The library and its style, fetched when the first plot is drawn. */
export async function fetchPlot(): Promise<typeof uPlot> {
  const [code] = await Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')]);
  return code.default;
}

/** Time across, one quantity up, in the colours of the page. */
export function plotOptions(series: uPlot.Series[], unit: string, size: { width: number; height: number }): uPlot.Options {
  const css = getComputedStyle(document.documentElement);
  const ink = css.getPropertyValue('--ink-2').trim();
  const line = css.getPropertyValue('--line').trim();
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line }, font: '13px Inter, sans-serif', labelSize: 22, labelFont: '13px Inter, sans-serif' };
  return {
    ...size,
    legend: { show: false },
    scales: { x: { time: false } },
    axes: [{ ...axis, label: 's' }, { ...axis, label: unit, size: 64 }],
    series: [{}, ...series.map((one) => ({ points: { show: false }, ...one }))],
  };
}

// SPDX-License-Identifier: BSD-3-Clause
import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { themeShown } from '../../settings';
import { useSignal } from '../../store';
import { W } from '../../text';
import { fetchPlot, plotOptions } from './plot_style';

/** Curves that go on; `read` gives them ten times a second. For other curves it is made anew, by another key. */
export function PlotView(props: { series: { label: string; stroke: string }[]; unit: string; isFrozen: boolean; read: () => (number | null)[][] }) {
  const holder = useRef<HTMLDivElement>(null);
  const now = useRef(props);
  now.current = props;
  const theme = useSignal(themeShown);
  useEffect(() => {
    let plot: uPlot | null = null;
    let isGone = false;
    const read = () => now.current.read() as uPlot.AlignedData;
    const size = () => ({ width: holder.current?.clientWidth ?? 600, height: Math.max(240, holder.current?.clientHeight ?? 320) });
    void fetchPlot().then((Plot) => {
      if (isGone || !holder.current) return;
      plot = new Plot(plotOptions(props.series.map((one) => ({ ...one, width: 2 })), props.unit, size()), read(), holder.current);
      holder.current.dataset.plot = 'drawn';
    });
    const watcher = new ResizeObserver(() => plot?.setSize(size()));
    if (holder.current) watcher.observe(holder.current);
    const timer = setInterval(() => {
      if (!now.current.isFrozen && !document.hidden) plot?.setData(read());
    }, 100);
    return () => {
      isGone = true;
      clearInterval(timer);
      watcher.disconnect();
      plot?.destroy();
    };
  }, [theme]);
  return <div class="plot" ref={holder} role="img" aria-label={W.status.plots} />;
}

// SPDX-License-Identifier: BSD-3-Clause
// Curves of a recording with a line where the slider is; dragging over them moves the slider.
import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { curveOf, kCurves, toneOf, type Curve, type Recording } from '../../link/recording';
import { themeShown } from '../../settings';
import { useSignal } from '../../store';
import { W } from '../../text';
import { fetchPlot, plotOptions } from './plot_style';
import { seek, time } from './recording_state';

export interface JointCurve {
  index: number;
  name: string;
  colour: string;
  scale: number;
}

const kLine: Record<Curve, Partial<uPlot.Series>> = {
  wanted: { width: 1.5, dash: [2, 5] },
  processed: { width: 1.5, dash: [9, 5] },
  positions: { width: 2 },
};

/** A line that stands at a time, over the curves. */
function upright(plot: uPlot, name: string): (seconds: number) => void {
  const line = document.createElement('div');
  line.className = name;
  plot.over.append(line);
  return (seconds) => (line.style.transform = `translateX(${plot.valToPos(seconds, 'x').toFixed(1)}px)`);
}

function seekByDragging(plot: uPlot): void {
  const go = (event: PointerEvent) => seek(plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, 'x'));
  plot.over.addEventListener('pointerdown', (event) => {
    plot.over.setPointerCapture(event.pointerId);
    go(event);
  });
  plot.over.addEventListener('pointermove', (event) => {
    if (event.buttons !== 0) go(event);
  });
}

export function RecordingPlot(props: { recording: Recording; joints: JointCurve[]; curves: Curve[]; unit: string }) {
  const holder = useRef<HTMLDivElement>(null);
  const theme = useSignal(themeShown);
  useEffect(() => {
    let plot: uPlot | null = null;
    let isGone = false;
    const series: uPlot.Series[] = [];
    const columns: (number | null)[][] = [];
    for (const joint of props.joints)
      for (const curve of kCurves.filter((one) => props.curves.includes(one))) {
        series.push({ label: joint.name, stroke: joint.colour, ...kLine[curve] });
        columns.push(curveOf(props.recording, curve, joint.index, joint.scale));
      }
    const size = () => ({ width: holder.current?.clientWidth ?? 600, height: Math.max(160, holder.current?.clientHeight ?? 240) });
    let place = () => undefined as void;
    void fetchPlot().then((Plot) => {
      if (isGone || !holder.current) return;
      const options = { ...plotOptions(series, props.unit, size()), cursor: { drag: { x: false, y: false }, y: false } };
      const made = new Plot(options, [props.recording.seconds, ...columns], holder.current);
      const marks = props.recording.marks.slice(1).map((mark) => [upright(made, `plot-mark ${toneOf(mark)}`), mark.seconds] as const);
      const head = upright(made, 'plot-head');
      place = () => {
        marks.forEach(([put, seconds]) => put(seconds));
        head(time.value);
      };
      seekByDragging(made);
      plot = made;
      place();
      holder.current.dataset.plot = 'drawn';
    });
    const watcher = new ResizeObserver(() => {
      plot?.setSize(size());
      place();
    });
    if (holder.current) watcher.observe(holder.current);
    const end = time.subscribe(() => place());
    return () => {
      isGone = true;
      end();
      watcher.disconnect();
      plot?.destroy();
    };
  }, [theme]);
  return <div class="plot recorded-plot" ref={holder} role="img" aria-label={W.recordings.curves} />;
}

// SPDX-License-Identifier: BSD-3-Clause
// Any number of any channel of the robot, drawn as it comes.
import { useEffect, useState } from 'preact/hooks';
import { channelsFrom, ChannelSamples, mayAdd, subscriptions, type ChannelCurve, type ChannelInfo } from '../../link/channels';
import { rest } from '../../link/rest';
import { attempt, hello, link, plotted, robot } from '../../robot';
import { kept } from '../../settings';
import { signal, useSelected, useSignal } from '../../store';
import { W } from '../../text';
import { Button } from '../../ui/parts';
import { kColours } from './plot_style';
import { PlotView } from './plot_view';

const isCurve = (one: unknown) => typeof (one as ChannelCurve | null)?.channel === 'string' && typeof (one as ChannelCurve).path === 'string';
const curves = kept<ChannelCurve[]>('channelCurves', [], (value) => Array.isArray(value) && value.every(isCurve));
const channels = signal<ChannelInfo[] | null>(null);
const samples = new ChannelSamples();

/** Asks for what is chosen as long as it is shown, and anew after each reconnection. */
function follow(): () => void {
  let asked: ChannelCurve[] = [];
  const ask = (next: ChannelCurve[]) => {
    for (const message of subscriptions(asked, next)) link.send(message);
    asked = next;
  };
  ask(curves.value);
  const ends = [
    curves.subscribe(ask),
    hello.subscribe((now) => {
      asked = [];
      if (now) ask(curves.value);
    }),
    plotted.subscribe((message) => message && samples.append(message)),
  ];
  return () => {
    ask([]);
    ends.forEach((end) => end());
    samples.clear();
  };
}

const same = (a: ChannelCurve, b: ChannelCurve) => a.channel === b.channel && a.path === b.path;

export function ChannelPlots({ span, isFrozen }: { span: number; isFrozen: boolean }) {
  const chosen = useSignal(curves);
  useEffect(follow, []);
  useEffect(() => void attempt(async () => (channels.value = channelsFrom(await rest.get('/api/channels')))), []);
  const units = [...new Set(chosen.map((one) => one.unit).filter((unit) => unit !== ''))].join(' · ');
  return (
    <>
      <ChooseCurve chosen={chosen} />
      <div class="chips" role="group" aria-label={W.channelPlots.chosen}>
        {chosen.map((one, i) => (
          <button key={`${one.channel} ${one.path}`} type="button" class="curve-key" aria-label={W.channelPlots.remove(`${one.channel} ${one.path}`)} onClick={() => (curves.value = chosen.filter((other) => !same(one, other)))}>
            <i style={{ background: kColours[i % kColours.length] }} />{one.channel} · {one.path} <LastValue curve={one} /> ✕
          </button>
        ))}
      </div>
      {chosen.length === 0 ? <p class="hint">{W.channelPlots.none}</p> : (
        <PlotView
          key={chosen.map((one) => `${one.channel} ${one.path}`).join()}
          series={chosen.map((one, i) => ({ label: `${one.channel} ${one.path}`, stroke: kColours[i % kColours.length]! }))}
          unit={units}
          isFrozen={isFrozen}
          read={() => samples.curves(chosen, span)}
        />
      )}
    </>
  );
}

function LastValue({ curve }: { curve: ChannelCurve }) {
  const value = useSelected(plotted, (message) => message?.samples.find((one) => one.channel === curve.channel)?.values[curve.path] ?? null);
  return <output class="curve-value" data-curve={`${curve.channel} ${curve.path}`}>{value === null ? '–' : Number(value.toPrecision(5))}</output>;
}

function ChooseCurve({ chosen }: { chosen: ChannelCurve[] }) {
  const all = useSignal(channels);
  const joints = useSelected(robot, (info) => info?.joints.map((joint) => joint.name).join('\n') ?? '').split('\n');
  const [channel, setChannel] = useState('health');
  const [field, setField] = useState('');
  const [element, setElement] = useState(0);
  if (all === null) return <p class="hint">{W.loading}</p>;
  const info = all.find((one) => one.name === channel) ?? all[0];
  const chosenField = info?.fields.find((one) => one.name === field) ?? info?.fields[0];
  if (!info || !chosenField) return <p class="hint">{W.nothingYet}</p>;
  // arrays as long as the longest robot have a place for each joint
  const isOfJoints = chosenField.count >= 64;
  const count = isOfJoints ? joints.length : chosenField.count;
  const at = Math.min(element, Math.max(0, count - 1));
  const next: ChannelCurve = { channel: info.name, path: count > 0 ? `${chosenField.name}[${at}]` : chosenField.name, unit: chosenField.unit };
  return (
    <form class="line-form" onSubmit={(event) => { event.preventDefault(); if (mayAdd(chosen, next)) curves.value = [...chosen, next]; }}>
      <label class="field"><span class="field-name">{W.channelPlots.channel}</span>
        <select value={info.name} onChange={(event) => setChannel(event.currentTarget.value)}>{all.filter((one) => one.fields.length > 0).map((one) => <option key={one.name}>{one.name}</option>)}</select>
      </label>
      <label class="field"><span class="field-name">{W.channelPlots.field}</span>
        <select value={chosenField.name} onChange={(event) => setField(event.currentTarget.value)}>{info.fields.map((one) => <option key={one.name} value={one.name}>{one.name}{one.unit ? ` [${one.unit}]` : ''}</option>)}</select>
      </label>
      {count > 0 && (
        <label class="field"><span class="field-name">{W.channelPlots.element}</span>
          <select value={at} onChange={(event) => setElement(Number(event.currentTarget.value))}>{Array.from({ length: count }, (_, i) => <option key={i} value={i}>{isOfJoints ? (joints[i] ?? i) : i}</option>)}</select>
        </label>
      )}
      <Button icon="plus" submit disabled={!mayAdd(chosen, next)}>{W.channelPlots.add}</Button>
      {chosenField.text && <p class="note">{chosenField.text}</p>}
    </form>
  );
}

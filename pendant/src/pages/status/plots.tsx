// SPDX-License-Identifier: BSD-3-Clause
import { useState } from 'preact/hooks';
import { live, robot } from '../../robot';
import { units } from '../../settings';
import { useSignal } from '../../store';
import { W } from '../../text';
import { factor, symbol } from '../../units';
import { Button, Panel, Segmented } from '../../ui/parts';
import { ChannelPlots } from './channel_plots';
import { kColours } from './plot_style';
import { PlotView } from './plot_view';
import { Samples, type Quantity } from './samples';

const samples = new Samples();
live.subscribe((now) => {
  if (now) samples.append(now);
});

const kQuantities: Quantity[] = ['position', 'reference', 'velocity', 'difference'];

export function Plots() {
  const info = useSignal(robot);
  const inUse = useSignal(units);
  const [quantity, setQuantity] = useState<Quantity>('position');
  const [span, setSpan] = useState<'10' | '30' | '60'>('30');
  const [isFrozen, setFrozen] = useState(false);
  const [what, setWhat] = useState<'joints' | 'channels'>('joints');
  const enabled = info?.joints.map((joint, i) => ({ joint, i })).filter(({ joint }) => joint.is_enabled) ?? [];
  const [chosen, setChosen] = useState<string[]>(() => enabled.slice(0, 6).filter(({ joint }) => joint.kind !== 'prismatic').map(({ joint }) => joint.name));
  const shown = enabled.filter(({ joint }) => chosen.includes(joint.name));
  const scaleOf = (at: number) => factor(info?.joints[at]?.kind === 'prismatic' ? 'length' : 'angle', inUse);
  const toggle = (name: string) => setChosen(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name]);
  return (
    <Panel class="plots">
      <div class="row">
        <Segmented name={W.channelPlots.what} value={what} onChange={setWhat} choices={[{ value: 'joints', label: W.status.joints }, { value: 'channels', label: W.channelPlots.channels }]} />
        {what === 'joints' && <Segmented<Quantity> name={W.status.quantity} value={quantity} onChange={setQuantity} choices={kQuantities.map((value) => ({ value, label: W.status[value] }))} />}
        <Segmented name={W.status.span} value={span} onChange={setSpan} choices={(['10', '30', '60'] as const).map((value) => ({ value, label: `${value} s` }))} />
        <Button icon={isFrozen ? 'play' : 'pause'} pressed={isFrozen} onClick={() => setFrozen(!isFrozen)}>{isFrozen ? W.status.goOn : W.status.freeze}</Button>
      </div>
      {what === 'channels' ? <ChannelPlots span={Number(span)} isFrozen={isFrozen} /> : (
        <>
          <div class="chips" role="group" aria-label={W.status.joints}>
            {enabled.map(({ joint, i }) => (
              <button key={joint.name} type="button" class="curve-key" aria-pressed={chosen.includes(joint.name)} onClick={() => toggle(joint.name)}>
                <i style={{ background: kColours[i % kColours.length] }} />{joint.name}
              </button>
            ))}
          </div>
          <PlotView
            key={`${quantity} ${chosen.join()} ${inUse.angle} ${inUse.length}`}
            series={shown.map(({ joint, i }) => ({ label: joint.name, stroke: kColours[i % kColours.length]! }))}
            unit={`${[...new Set(shown.map(({ joint }) => symbol(joint.kind === 'prismatic' ? 'length' : 'angle', inUse)))].join(', ')}${quantity === 'velocity' ? ' /s' : ''}`}
            isFrozen={isFrozen}
            read={() => samples.curves(shown.map(({ i }) => i), quantity, Number(span), (at) => scaleOf(at))}
          />
        </>
      )}
    </Panel>
  );
}

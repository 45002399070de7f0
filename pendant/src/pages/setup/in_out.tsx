// SPDX-License-Identifier: BSD-3-Clause
import { useState } from 'preact/hooks';
import type { PortValue } from '../../link/protocol';
import { rest } from '../../link/rest';
import { live, may, session, withControl } from '../../robot';
import { useSelected } from '../../store';
import { W } from '../../text';
import { numberText } from '../../units';
import { Ask, NumberField, Panel, type Question } from '../../ui/parts';

/** Names and states as one array, so that the page is drawn anew only when one changes. */
function flat(all: Record<string, PortValue> | undefined): (string | PortValue)[] {
  return Object.entries(all ?? {}).flat();
}

function pairs(all: (string | PortValue)[]): [string, PortValue][] {
  return all.flatMap((one, i) => (i % 2 === 0 ? [[String(one), all[i + 1] as PortValue] as [string, PortValue]] : []));
}

const kDecimals = 3;
const wordOf = (value: PortValue) => (typeof value === 'number' ? numberText(value, kDecimals) : value ? W.setup.on : W.setup.off);
const put = (name: string, value: PortValue) => void withControl(() => rest.put(`/api/outputs/${encodeURIComponent(name)}`, { value }));

export function InOut() {
  const inputs = pairs(useSelected(live, (now) => flat(now?.io.inputs)));
  const outputs = pairs(useSelected(live, (now) => flat(now?.io.outputs)));
  const maySwitch = useSelected(session, () => may('operator'));
  const [question, ask] = useState<Question | null>(null);
  if (inputs.length + outputs.length === 0) return <p class="hint">{W.setup.noIo}</p>;
  const change = (name: string, isOn: boolean) =>
    ask({ title: W.setup.outputs, text: W.setup.forceSure(name, wordOf(isOn)), yes: wordOf(isOn), act: () => put(name, isOn) });
  return (
    <div class="wizard">
      <Panel title={W.setup.inputs}>
        <ul class="ports">{inputs.map(([name, value]) => <Port key={name} name={name} value={value} />)}</ul>
      </Panel>
      <Panel title={W.setup.outputs}>
        <ul class="ports">
          {outputs.map(([name, value]) =>
            typeof value === 'number' ? (
              <li key={name} class="analog" data-port={name}>
                <NumberField label={name} kind="plain" decimals={kDecimals} value={value} disabled={!maySwitch} onChange={(next) => put(name, next)} />
              </li>
            ) : (
              <li key={name} class={value ? 'on' : ''} data-port={name}>
                <button type="button" role="switch" aria-checked={value} disabled={!maySwitch} onClick={() => change(name, !value)}><PortFace name={name} value={value} /></button>
              </li>
            ),
          )}
        </ul>
      </Panel>
      {question && <Ask question={question} onDone={() => ask(null)} />}
    </div>
  );
}

function Port({ name, value }: { name: string; value: PortValue }) {
  return <li class={value === true ? 'on' : typeof value === 'number' ? 'analog' : ''} data-port={name}><PortFace name={name} value={value} /></li>;
}

function PortFace({ name, value }: { name: string; value: PortValue }) {
  return <>{typeof value !== 'number' && <span class="port-lamp" />}<strong>{name}</strong><span class="port-value">{wordOf(value)}</span></>;
}

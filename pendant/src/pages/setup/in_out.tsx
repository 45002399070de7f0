// SPDX-License-Identifier: BSD-3-Clause
import { useState } from 'preact/hooks';
import type { Live, PortInfo, PortValue, RobotInfo } from '../../link/protocol';
import { rest } from '../../link/rest';
import { live, may, session, withControl } from '../../robot';
import { useSelected } from '../../store';
import { W } from '../../text';
import { numberText } from '../../units';
import { Ask, NumberField, Panel, type Question } from '../../ui/parts';

const kDecimals = 3;
const wordOf = (value: PortValue | undefined) => (value === undefined ? W.setup.portSilent : typeof value === 'number' ? numberText(value, kDecimals) : value ? W.setup.on : W.setup.off);
const put = (name: string, value: PortValue) => void withControl(() => rest.put(`/api/outputs/${encodeURIComponent(name)}`, { value }));

/** Their values, in their order, as one array, so that the page is drawn anew only when one changes. */
function useValues(ports: readonly PortInfo[], of: (now: Live) => Record<string, PortValue>): (PortValue | undefined)[] {
  return useSelected(live, (now) => ports.map((port) => (now ? of(now)[port.name] : undefined)));
}

/** Inputs and outputs, by the names that robot.yaml gives them. `mayForce`: outputs can be set. */
export function InOut({ info, mayForce }: { info: RobotInfo; mayForce: boolean }) {
  const inputs = useValues(info.inputs, (now) => now.io.inputs);
  const outputs = useValues(info.outputs, (now) => now.io.outputs);
  const isOperator = useSelected(session, () => may('operator'));
  const [question, ask] = useState<Question | null>(null);
  if (inputs.length + outputs.length === 0) return <p class="hint">{W.setup.noIo}</p>;
  const change = (name: string, isOn: boolean) =>
    ask({ title: W.setup.outputs, text: W.setup.forceSure(name, wordOf(isOn)), yes: wordOf(isOn), act: () => put(name, isOn) });
  return (
    <div class="wizard">
      <Panel title={W.setup.inputs}>
        {inputs.length === 0 && <p class="hint">{W.setup.noInputs}</p>}
        <ul class="ports">{info.inputs.map((port, i) => <li key={port.name} class={classOf(inputs[i])} data-port={port.name}><PortFace port={port} value={inputs[i]} /></li>)}</ul>
      </Panel>
      <Panel title={W.setup.outputs}>
        {outputs.length === 0 && <p class="hint">{W.setup.noOutputs}</p>}
        <ul class="ports">
          {info.outputs.map((port, i) => (
            <li key={port.name} class={classOf(outputs[i])} data-port={port.name}>
              <Output port={port} value={outputs[i]} mayForce={mayForce && isOperator} change={change} />
            </li>
          ))}
        </ul>
        {info.outputs.some((port) => port.falls) && <p class="hint">{W.setup.portFallsText}</p>}
        {!mayForce && outputs.length > 0 && <p class="hint">{W.setup.forceWhere}</p>}
      </Panel>
      {question && <Ask question={question} onDone={() => ask(null)} />}
    </div>
  );
}

function Output({ port, value, mayForce, change }: { port: PortInfo; value: PortValue | undefined; mayForce: boolean; change: (name: string, isOn: boolean) => void }) {
  if (value === undefined || !mayForce) return <PortFace port={port} value={value} />;
  if (typeof value === 'number') return <NumberField label={port.name} kind="plain" decimals={kDecimals} value={value} onChange={(next) => put(port.name, next)} />;
  return <button type="button" role="switch" aria-checked={value} onClick={() => change(port.name, !value)}><PortFace port={port} value={value} /></button>;
}

const classOf = (value: PortValue | undefined) => (value === true ? 'on' : value === undefined ? 'silent' : typeof value === 'number' ? 'analog' : '');

function PortFace({ port, value }: { port: PortInfo; value: PortValue | undefined }) {
  return (
    <>
      {!port.isAnalog && <span class="port-lamp" />}
      <strong>{port.name}</strong>
      <small>{W.setup.portNumber(port.number, port.isAnalog)}{port.falls ? ` · ${W.setup.portFalls}` : ''}</small>
      <span class="port-value">{wordOf(value)}</span>
    </>
  );
}

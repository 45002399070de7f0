// SPDX-License-Identifier: BSD-3-Clause
// How far and how fast each joint may go: as the robot was made, and narrower where it stands.
import { useEffect } from 'preact/hooks';
import type { RobotInfo } from '../../link/protocol';
import { may, session } from '../../robot';
import { units } from '../../settings';
import { useSelected, useSignal } from '../../store';
import { W } from '../../text';
import { shown, symbol, type Kind } from '../../units';
import { Icon } from '../../ui/icons';
import { Button, NumberField, Panel } from '../../ui/parts';
import { JointReading } from '../move/readings';
import { kLimitKeys, limitOf, rangeOf, withLimit, withoutLimits, type Draft, type JointSetup, type LimitKey } from './site';
import { SiteBar } from './site_bar';
import { change, draft, findings, followSetup, setup } from './site_state';

export function Limits({ info }: { info: RobotInfo }) {
  const base = useSignal(setup);
  const now = useSignal(draft);
  const mayChange = useSelected(session, () => may('expert'));
  useEffect(followSetup, []);
  return (
    <>
      <SiteBar />
      <Panel title={W.setup.limits} actions={mayChange && Object.keys(now.limits).length > 0 ? <Button icon="reset" onClick={() => change(W.site.resetAll, { ...now, limits: {} })}>{W.site.resetAll}</Button> : undefined}>
        <p class="hint">{W.site.limitsText}</p>
        <div class="table-scroll" tabIndex={0} role="region" aria-label={W.setup.limits}>
          <table class="plain limits-table">
            <thead>
              <tr><th scope="col">{W.setup.joint}</th><th scope="col">{W.site.made}</th><th scope="col">{W.setup.lower}</th><th scope="col">{W.setup.upper}</th><th scope="col">{W.setup.fastest} /s</th><th scope="col">{W.status.now}</th><th scope="col"><span class="unseen">{W.site.reset}</span></th></tr>
            </thead>
            <tbody>
              {base?.joints.map((joint) => {
                const index = info.joints.findIndex((one) => one.name === joint.name);
                return <Row key={joint.name} joint={joint} now={now} mayChange={mayChange} info={info} index={index} />;
              })}
            </tbody>
          </table>
        </div>
      </Panel>
    </>
  );
}

function Row({ joint, now, mayChange, info, index }: { joint: JointSetup; now: Draft; mayChange: boolean; info: RobotInfo; index: number }) {
  const inUse = useSignal(units);
  const wrong = useSignal(findings).find((one) => one.about === 'limits' && one.name === joint.name);
  const kind: Kind = joint.kind === 'prismatic' ? 'length' : 'angle';
  const site = now.limits[joint.name];
  const unit = symbol(kind, inUse);
  const made = joint.kind === 'continuous' ? W.site.endless : `${shown(kind, joint.made.lower, inUse)} … ${shown(kind, joint.made.upper, inUse)} ${unit}`;
  const reading = info.joints[index];
  return (
    <tr class={joint.isEnabled ? '' : 'off'} data-joint={joint.name}>
      <th scope="row" class="strong">
        {joint.name}
        {site && <span class="narrowed">{W.site.narrowed}</span>}
        {wrong && <span class="hint bad"><Icon name="warn" size={18} /> {wrong.message}</span>}
      </th>
      <td class="made">{made}<br />{shown(kind, joint.made.velocity, inUse)} {unit}/s</td>
      {kLimitKeys.map((key) => <td key={key}><LimitField joint={joint} now={now} limit={key} kind={kind} mayChange={mayChange} /></td>)}
      <td class="wide-cell">{reading && <JointReading joint={reading} index={index} />}</td>
      <td>{mayChange && <Button kind="quiet" icon="reset" label={`${W.site.reset}: ${joint.name}`} disabled={!site} onClick={() => change(`${W.site.reset} ${joint.name}`, withoutLimits(now, joint.name))} />}</td>
    </tr>
  );
}

function LimitField({ joint, now, limit, kind, mayChange }: { joint: JointSetup; now: Draft; limit: LimitKey; kind: Kind; mayChange: boolean }) {
  const inUse = useSignal(units);
  const site = now.limits[joint.name];
  const value = limitOf(joint, site, limit);
  if (joint.kind === 'continuous' && limit !== 'velocity') return <>–</>;
  const isSet = site?.[limit] !== undefined;
  const unit = limit === 'velocity' ? `${symbol(kind, inUse)}/s` : symbol(kind, inUse);
  if (!mayChange) return <span class={isSet ? 'set' : ''}>{shown(kind, value, inUse)} {unit}</span>;
  const { lowest, highest } = rangeOf(joint, site, limit);
  // what is shown is rounded: the outermost number must be one that can be typed
  const slack = 1e-3;
  return (
    <div class={isSet ? 'limit set' : 'limit'}>
      <NumberField
        hideLabel
        label={`${joint.name}: ${W.site.limitNames[limit]} [${unit}]`}
        kind={kind}
        value={value}
        lower={lowest - slack}
        upper={highest + slack}
        onChange={(next) => change(`${joint.name}: ${W.site.limitNames[limit]}`, withLimit(now, joint, limit, Math.min(highest, Math.max(lowest, next))))}
      />
    </div>
  );
}

// SPDX-License-Identifier: BSD-3-Clause
import { causeAndRemedy, reasonKey, summary } from '../../frame/summary';
import { link, live, reset } from '../../robot';
import { useSelected, useSignal } from '../../store';
import { W } from '../../text';
import { Icon } from '../../ui/icons';
import { Button, Panel } from '../../ui/parts';
import { AlarmHistory } from './alarm_history';

/** What is wrong now, with cause and remedy, and what has happened. */
export function Alarms() {
  return (
    <>
      <Now />
      <AlarmHistory />
    </>
  );
}

function Now() {
  const linkState = useSignal(link.state);
  const [tone, title, why, canReset, reason] = useSelected(live, (all) => {
    const one = summary(all, linkState);
    return [one.tone, one.title, one.why, one.canReset, reasonKey(all?.safety.reason ?? '')];
  }) as [string, string, string, boolean, string];
  const known = tone === 'good' || tone === 'busy' ? null : causeAndRemedy(reason);
  return (
    <Panel class={`now ${tone}`}>
      <div class="now-head">
        <Icon name={tone === 'good' || tone === 'busy' ? 'check' : 'warn'} size={36} />
        <div><strong>{title}</strong><p>{why}</p></div>
        {canReset && <Button kind="main" icon="reset" onClick={() => void reset()}>{W.state.reset}</Button>}
      </div>
      {known && (
        <dl class="cause">
          <div><dt>{W.status.cause}</dt><dd>{known[0]}</dd></div>
          <div><dt>{W.status.remedy}</dt><dd>{known[1]}</dd></div>
        </dl>
      )}
    </Panel>
  );
}

// SPDX-License-Identifier: BSD-3-Clause
import { useEffect, useState } from 'preact/hooks';
import { causeAndRemedy } from '../../frame/summary';
import { alarmTable, chosen, type Alarm } from '../../link/alarms';
import { may, robot, session } from '../../robot';
import { goTo } from '../../route';
import { useSelected, useSignal } from '../../store';
import { W } from '../../text';
import { Button, Panel } from '../../ui/parts';
import * as state from './alarm_state';

const timeText = (seconds: number) => new Date(1000 * seconds).toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'medium' });

/** What the filter looks at: all that is shown. */
function wordsOfAlarm(alarm: Alarm): string[] {
  return [timeText(alarm.time), alarm.level, alarm.state, alarm.reason, alarm.text, alarm.who ?? '', alarm.acknowledged_by ?? '', ...(causeAndRemedy(alarm.reason) ?? [])];
}

async function download(): Promise<void> {
  const alarms = await state.everything();
  if (alarms === null) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([alarmTable(alarms, causeAndRemedy)], { type: 'text/csv' }));
  link.download = `${robot.value?.name ?? 'robot'}-alarms.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** What has happened, as the server has kept it: the same in every browser. */
export function AlarmHistory() {
  const page = useSignal(state.history);
  const mayAcknowledge = useSelected(session, () => may('operator'));
  const [filter, setFilter] = useState('');
  useEffect(state.follow, []);
  const shown = chosen(page?.alarms ?? [], filter, wordsOfAlarm);
  const newest = page?.alarms[0]?.number ?? 0;
  const open = page?.unacknowledged ?? 0;
  return (
    <Panel
      title={W.alarmLog.title}
      actions={(
        <>
          <Button icon="check" disabled={!mayAcknowledge || open === 0} onClick={() => void state.acknowledge({ up_to: newest })}>{W.alarmLog.acknowledgeAll(open)}</Button>
          <Button icon="file" disabled={newest === 0} onClick={() => void download()}>{W.alarmLog.export}</Button>
        </>
      )}
    >
      <label class="field"><span class="field-name">{W.status.filter}</span><span class="field-box"><input type="search" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} /></span></label>
      {page?.trouble && <p class="trouble" role="alert">{page.trouble}</p>}
      {page === null && <p class="hint">{W.loading}</p>}
      {page !== null && shown.length === 0 && <p class="hint">{newest === 0 ? W.alarmLog.none : W.alarmLog.noneChosen}</p>}
      {shown.length > 0 && (
        <ul class="alarm-list" data-alarms={newest}>
          {shown.map((alarm) => <AlarmLine key={alarm.number} alarm={alarm} mayAcknowledge={mayAcknowledge} />)}
        </ul>
      )}
      {page?.has_more && <Button onClick={() => void state.showMore()}>{W.alarmLog.more}</Button>}
    </Panel>
  );
}

function AlarmLine({ alarm, mayAcknowledge }: { alarm: Alarm; mayAcknowledge: boolean }) {
  const known = causeAndRemedy(alarm.reason);
  const facts = [
    timeText(alarm.time),
    ...(alarm.count > 1 ? [W.alarmLog.times(alarm.count)] : []),
    ...(alarm.who ? [W.alarmLog.by(alarm.who)] : []),
    alarm.cleared === null ? W.alarmLog.stillOn : W.alarmLog.over(timeText(alarm.cleared)),
  ];
  return (
    <li class={`alarm-line ${alarm.level} ${alarm.cleared === null ? 'on' : ''}`} data-alarm={alarm.number}>
      <p class="facts">{facts.join(' · ')}</p>
      <p class="what">{alarm.text}</p>
      {known && <p class="note"><b>{W.status.cause}</b>: {known[0]} <b>{W.status.remedy}</b>: {known[1]}</p>}
      <div class="alarm-tools">
        {alarm.acknowledged_by !== null
          ? <span class="seen">{W.alarmLog.seenBy(alarm.acknowledged_by, timeText(alarm.acknowledged ?? 0))}</span>
          : <Button size="small" icon="check" label={W.alarmLog.acknowledgeOne(alarm.number)} disabled={!mayAcknowledge} onClick={() => void state.acknowledge({ number: alarm.number })}>{W.alarmLog.acknowledge}</Button>}
        {alarm.recording !== null && <Button size="small" icon="play" onClick={() => goTo('status', `recordings/${alarm.recording}`)}>{W.alarmLog.recording}</Button>}
      </div>
    </li>
  );
}

// SPDX-License-Identifier: BSD-3-Clause
import { may, robot, session } from '../../robot';
import { goTo, place } from '../../route';
import { useSelected, useSignal } from '../../store';
import { W } from '../../text';
import { Tabs } from '../../ui/parts';
import { InOut } from '../setup/in_out';
import { About } from './about';
import { Alarms } from './alarms';
import { Backup } from './backup';
import { Health, LogTail } from './health';
import { Plots } from './plots';
import { Recordings } from './recordings';
import { Users } from './users';

const kParts = ['alarms', 'plots', 'recordings', 'io', 'health', 'log', 'users', 'backup', 'about'] as const;
type Part = (typeof kParts)[number];

export function StatusPage() {
  const part = useSelected(place, (now): Part => kParts.find((one) => one === now.part.split('/')[0]) ?? 'alarms');
  const info = useSignal(robot);
  const isExpert = useSelected(session, () => may('expert'));
  const shown = kParts.filter((one) => isExpert || (one !== 'users' && one !== 'backup'));
  return (
    <div class="sub-page">
      <Tabs<Part> name={W.pages.status} value={part} onChange={(next) => goTo('status', next)} tabs={shown.map((value) => ({ value, label: value === 'recordings' ? W.recordings.tab : W.status[value] }))} />
      <div class="sub-body" tabIndex={0}>
        {part === 'alarms' && <Alarms />}
        {part === 'plots' && <Plots />}
        {part === 'recordings' && <Recordings />}
        {part === 'io' && info && <InOut info={info} mayForce={false} />}
        {part === 'health' && <Health />}
        {part === 'log' && <LogTail />}
        {part === 'users' && <Users />}
        {part === 'backup' && <Backup />}
        {part === 'about' && <About />}
      </div>
    </div>
  );
}

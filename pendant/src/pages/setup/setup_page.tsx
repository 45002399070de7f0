// SPDX-License-Identifier: BSD-3-Clause
import { robot } from '../../robot';
import { goTo, place } from '../../route';
import { useSelected, useSignal } from '../../store';
import { W } from '../../text';
import { Tabs } from '../../ui/parts';
import { FrameWizard } from './frame_wizard';
import { HomingWizard } from './homing_wizard';
import { InOut } from './in_out';
import { Limits } from './limits';
import { NewRobotPanel } from './new_robot';
import { Objects } from './objects';
import { ToolWizard } from './tool_wizard';
import { Workspace } from './workspace';

const kParts = ['tool', 'frame', 'workspace', 'limits', 'io', 'objects', 'homing', 'robot'] as const;
type Part = (typeof kParts)[number];

export function SetupPage() {
  const part = useSelected(place, (now): Part => kParts.find((one) => one === now.part) ?? 'tool');
  const info = useSignal(robot);
  return (
    <div class="sub-page">
      <Tabs<Part> name={W.pages.setup} value={part} onChange={(next) => goTo('setup', next)} tabs={kParts.map((value) => ({ value, label: W.setup[value] }))} />
      {!info ? <p class="hint">{W.loading}</p> : (
        <div class="sub-body" tabIndex={0}>
          {part === 'tool' && <ToolWizard info={info} />}
          {part === 'frame' && <FrameWizard info={info} />}
          {part === 'workspace' && <Workspace />}
          {part === 'limits' && <Limits info={info} />}
          {part === 'io' && <InOut info={info} mayForce />}
          {part === 'objects' && <Objects />}
          {part === 'homing' && <HomingWizard info={info} />}
          {part === 'robot' && <NewRobotPanel />}
        </div>
      )}
    </div>
  );
}

// SPDX-License-Identifier: BSD-3-Clause
import { useEffect, useState } from 'preact/hooks';
import { robot, robotTrouble } from '../../robot';
import { RobotView } from '../../scene/view';
import { useSignal } from '../../store';
import { isDragging } from '../../target';
import { W } from '../../text';
import { Tabs } from '../../ui/parts';
import { useGamepad } from './gamepad';
import { GotoPanel } from './goto_panel';
import { JogPanel } from './jog_panel';
import { Nearness } from './nearness_view';
import { PointsPanel } from './points_panel';
import { RecordingBar, StreamsPanel } from './streams_panel';
import { ToolReadout } from './tool_readout';
import { useJogKeys } from './jog_keys';

type Part = 'jog' | 'goto' | 'points' | 'streams';

export function MovePage() {
  const info = useSignal(robot);
  const trouble = useSignal(robotTrouble);
  const [part, setPart] = useState<Part>('jog');
  const dragging = useSignal(isDragging);
  useEffect(() => {
    if (dragging) setPart('goto');
  }, [dragging]);
  useJogKeys();
  useGamepad();
  return (
    <>
      <div class="move-picture">
        <RobotView />
        <Nearness />
        <ToolReadout />
      </div>
      <aside class="move-side" aria-label={part === 'streams' ? W.streams.tab : W.move[part]}>
        <Tabs<Part>
          name={W.pages.move}
          value={part}
          onChange={setPart}
          tabs={[{ value: 'jog', label: W.move.jog }, { value: 'goto', label: W.move.goto }, { value: 'points', label: W.move.points }, { value: 'streams', label: W.streams.tab }]}
        />
        <RecordingBar />
        {!info && <p class="waiting">{trouble ?? W.loading}</p>}
        {info && part === 'jog' && <JogPanel info={info} />}
        {info && part === 'goto' && <GotoPanel info={info} />}
        {info && part === 'points' && <PointsPanel />}
        {info && part === 'streams' && <StreamsPanel />}
      </aside>
    </>
  );
}

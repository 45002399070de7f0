// SPDX-License-Identifier: BSD-3-Clause
// Where a joint or an axis is, drawn straight into the page at the rate of the robot's news.
import { useEffect, useRef } from 'preact/hooks';
import { isOfArm, limitLevel } from '../../frame/nearness';
import { poseTimes, quatOfRpy, type Pose } from '../../geometry';
import type { JogFrame } from '../../link/jog';
import type { JointInfo, Live, RobotInfo } from '../../link/protocol';
import { chosenPose, flangeIn, numbersIn } from '../../link/taught_tool';
import { live, robot, taught } from '../../robot';
import { units } from '../../settings';
import { useSignal } from '../../store';
import { target } from '../../target';
import { W } from '../../text';
import { shown, symbol, type Kind } from '../../units';
import { LiveText } from '../../ui/parts';
import { currentArm, toolName, userFrame, userFrameName } from './jog_state';

export function JointReading({ joint, index }: { joint: JointInfo; index: number }) {
  const inUse = useSignal(units);
  const kind: Kind = joint.kind === 'prismatic' ? 'length' : 'angle';
  return (
    <>
      <div class="reading-line">
        <span class="reading-name">{joint.name}</span>
        <span class="reading-value"><LiveText pick={(now) => shown(kind, now?.q[index] ?? NaN, inUse)} /><small>{symbol(kind, inUse)}</small></span>
      </div>
      <JointBar joint={joint} index={index} />
      <div class="reading-limits" aria-hidden="true">
        <span>{joint.kind === 'continuous' ? '' : shown(kind, joint.lower, inUse)}</span>
        <span>{joint.kind === 'continuous' ? '∞' : shown(kind, joint.upper, inUse)}</span>
      </div>
    </>
  );
}

function shareOf(joint: JointInfo, value: number): number {
  // a joint without limits is shown within its turn
  if (joint.kind === 'continuous') return (((value / (2 * Math.PI) + 0.5) % 1) + 1) % 1;
  const span = joint.upper - joint.lower;
  return span > 0 ? Math.min(1, Math.max(0, (value - joint.lower) / span)) : 0.5;
}

function JointBar({ joint, index }: { joint: JointInfo; index: number }) {
  const bar = useRef<HTMLDivElement>(null);
  const needle = useRef<HTMLDivElement>(null);
  const goal = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const look = () => {
      const value = live.value?.q[index];
      const aim = target.value?.joints?.[joint.name];
      if (needle.current) needle.current.hidden = value === undefined;
      if (value !== undefined && needle.current && bar.current) {
        needle.current.style.left = `${(100 * shareOf(joint, value)).toFixed(2)}%`;
        bar.current.dataset.level = robot.value && isOfArm(robot.value, joint.name) ? limitLevel(joint, value) : 'clear';
      }
      if (goal.current) {
        goal.current.hidden = aim === undefined;
        if (aim !== undefined) goal.current.style.left = `${(100 * shareOf(joint, aim)).toFixed(2)}%`;
      }
    };
    look();
    const ends = [live.subscribe(look), target.subscribe(look)];
    return () => ends.forEach((end) => end());
  }, [joint, index]);
  const zero = joint.kind === 'continuous' || (joint.lower < 0 && joint.upper > 0) ? shareOf(joint, 0) : null;
  return (
    <div class="bar" ref={bar} aria-hidden="true">
      {joint.kind !== 'continuous' && <><span class="bar-end low" /><span class="bar-end high" /></>}
      {zero !== null && <span class="bar-zero" style={{ left: `${100 * zero}%` }} />}
      <div class="bar-goal" ref={goal} hidden />
      <div class="bar-needle" ref={needle} />
    </div>
  );
}

/** Where the chosen tool is in the base of an arm. */
export function toolIn(now: Live | null, arm: string): Pose | null {
  const known = robot.value?.arms.find((one) => one.name === arm);
  const flange = known ? flangeIn(now, known) : null;
  return flange && poseTimes(flange, chosenPose(toolName.value, known!, taught.value.tools));
}

/** The tool's six numbers in a frame; in the tool's own frame they say nothing, so the base's are shown. */
export function toolNumbers(now: Live | null, arm: string, X_BU: Pose | null): number[] {
  const tool = toolIn(now, arm);
  return tool ? numbersIn(X_BU, tool) : [NaN, NaN, NaN, NaN, NaN, NaN];
}

export function AxisReading(props: { axis: number; name: string; inFrame: JogFrame; info: RobotInfo }) {
  const inUse = useSignal(units);
  useSignal(userFrameName);
  const kind: Kind = props.axis < 3 ? 'length' : 'angle';
  const arm = currentArm(props.info)?.name ?? '';
  const one = props.inFrame === 'user' ? userFrame(props.info) : undefined;
  const X_BU = one ? { p: one.position, q: quatOfRpy(one.rpy) } : null;
  return (
    <div class={`reading-line axis axis-${props.axis % 3}`}>
      <span class="reading-name"><i aria-hidden="true" />{props.name}</span>
      <span class="reading-value">{props.axis >= 3 && <small class="reading-kind">{W.move.axes[props.axis]} </small>}<LiveText pick={(now) => shown(kind, toolNumbers(now, arm, X_BU)[props.axis] ?? NaN, inUse)} /><small>{symbol(kind, inUse)}</small></span>
    </div>
  );
}


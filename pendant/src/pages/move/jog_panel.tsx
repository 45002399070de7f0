// SPDX-License-Identifier: BSD-3-Clause
import type { JogFrame } from '../../link/jog';
import type { RobotInfo } from '../../link/protocol';
import { say } from '../../notices';
import { endJog, link, may, moveGripper, session, startJog, stepJog, taught } from '../../robot';
import { jogSpeed, units } from '../../settings';
import { useSelected, useSignal } from '../../store';
import { W } from '../../text';
import { shownWithUnit } from '../../units';
import { HoldKey } from '../../ui/hold_key';
import { Icon } from '../../ui/icons';
import { Button, LiveText, NumberField, Segmented } from '../../ui/parts';
import { AxisReading, JointReading } from './readings';
import {
  armName, changeJogSpeed, currentArm, frame, rows, stepOf, stepSize, toolName, toolNames, typedStep, userFrameName, userFrames, wishOf,
  type Row, type StepSize,
} from './jog_state';

export function JogPanel({ info }: { info: RobotInfo }) {
  const inFrame = useSignal(frame);
  useSignal(armName);
  const hasArm = info.arms.length > 0;
  return (
    <div class="jog">
      <Segmented<JogFrame>
        name={W.move.frameName}
        class="wide"
        value={inFrame}
        onChange={(value) => (frame.value = value)}
        choices={(['joints', 'base', 'tool', 'user'] as const).map((value) => ({
          value, label: W.move.frames[value], disabled: value !== 'joints' && !hasArm,
        }))}
      />
      <FrameChoices info={info} inFrame={inFrame} />
      <StepChoice inFrame={inFrame} />
      <div class="jog-rows">
        {rows(info, inFrame).map((row, i) => (
          <JogRow key={row.kind === 'joint' ? row.joint.name : row.axis} row={row} place={i} inFrame={inFrame} info={info} />
        ))}
      </div>
      <SpeedChoice />
      <Grippers info={info} />
    </div>
  );
}

function FrameChoices({ info, inFrame }: { info: RobotInfo; inFrame: JogFrame }) {
  const arm = useSelected(armName, () => currentArm(info));
  const tool = useSignal(toolName);
  const user = useSignal(userFrameName);
  const own = useSelected(taught, (all) => all.tools);
  if (inFrame === 'joints' || !arm) return null;
  const tools = toolNames(arm, own);
  const frames = userFrames(info);
  const isOnlyChoice = info.arms.length < 2 && tools.length === 0 && (inFrame !== 'user' || frames.length === 0);
  if (isOnlyChoice) return null;
  return (
    <div class="frame-choices">
      {info.arms.length > 1 && (
        <Picker label={W.move.arm} value={arm.name} onChange={(value) => (armName.value = value)} values={info.arms.map((one) => [one.name, one.name])} />
      )}
      {tools.length > 0 && (
        <Picker label={W.move.tool} value={tool} onChange={(value) => (toolName.value = value)} values={[['', W.move.flange], ...tools.map((one): [string, string] => [one, one])]} />
      )}
      {inFrame === 'user' && frames.length > 0 && (
        <Picker label={W.move.userFrame} value={frames.some((one) => one.name === user) ? user : frames[0]!.name} onChange={(value) => (userFrameName.value = value)} values={frames.map((one) => [one.name, one.name])} />
      )}
    </div>
  );
}

export function Picker(props: { label: string; value: string; values: [string, string][]; onChange: (value: string) => void }) {
  return (
    <label class="field inline">
      <span class="field-name">{props.label}</span>
      <select value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
        {props.values.map(([value, label]) => <option key={value} value={value}>{label}</option>)}
      </select>
    </label>
  );
}

function StepChoice({ inFrame }: { inFrame: JogFrame }) {
  const size = useSignal(stepSize);
  const typed = useSignal(typedStep);
  const inUse = useSignal(units);
  const isTool = inFrame !== 'joints';
  const label = (value: Exclude<StepSize, 'hold' | 'typed'>) => {
    const step = stepOf(value)!;
    const angle = shownWithUnit('angle', step.angle, inUse).replace(/\.0(?= )/, '').replace(' °', '°');
    if (!isTool) return angle;
    return <>{shownWithUnit('length', step.length, inUse).replace(/\.0(?= )/, '')}<small>{angle}</small></>;
  };
  return (
    <div class="step-choice">
      <Segmented<StepSize>
        name={W.move.by}
        class="wide"
        value={size}
        onChange={(value) => (stepSize.value = value)}
        choices={[
          { value: 'hold', label: W.move.hold },
          { value: 'small', label: label('small') },
          { value: 'middle', label: label('middle') },
          { value: 'large', label: label('large') },
          { value: 'typed', label: <Icon name="pen" size={20} />, name: W.move.stepOther },
        ]}
      />
      {size === 'typed' && (
        <div class="typed-step">
          <NumberField label={W.move.stepLength} kind="length" value={typed.length} lower={0.00001} upper={0.5} onChange={(length) => (typedStep.value = { ...typed, length })} />
          <NumberField label={W.move.stepAngle} kind="angle" value={typed.angle} lower={0.0001} upper={1.6} onChange={(angle) => (typedStep.value = { ...typed, angle })} />
        </div>
      )}
    </div>
  );
}

const kRowKeys = ['QA', 'WS', 'ED', 'RF', 'TG', 'YH'];

function JogRow({ row, place, inFrame, info }: { row: Row; place: number; inFrame: JogFrame; info: RobotInfo }) {
  const name = row.kind === 'joint' ? row.joint.name : W.move.turns[row.axis]!;
  const keys = kRowKeys[place];
  return (
    <div class="jog-row" role="group" aria-label={name}>
      <JogKey row={row} sign={-1} label={W.move.minus(name)} shortcut={keys?.[1]} />
      <div class="jog-mid">
        {row.kind === 'joint' ? <JointReading joint={row.joint} index={row.index} /> : <AxisReading axis={row.axis} name={name} inFrame={inFrame} info={info} />}
      </div>
      <JogKey row={row} sign={1} label={W.move.plus(name)} shortcut={keys?.[0]} />
    </div>
  );
}

function JogKey({ row, sign, label, shortcut }: { row: Row; sign: 1 | -1; label: string; shortcut?: string }) {
  const mayMove = useSelected(session, () => may('operator'));
  const isHeard = useSelected(link.state, (now) => now === 'open' || now === 'stale');
  const size = useSignal(stepSize);
  const face = (
    <>
      <Icon name={sign > 0 ? 'plus' : 'minus'} size={28} />
      {shortcut && <span class="shortcut" aria-hidden="true">{shortcut}</span>}
    </>
  );
  return (
    <HoldKey
      class="jog-key"
      label={label}
      shortcut={shortcut}
      disabled={!mayMove || !isHeard}
      onDown={(source) => {
        const step = stepOf(size);
        if (step) void stepJog(wishOf(row, sign, step));
        else void startJog(source, wishOf(row, sign, null));
      }}
      onUp={endJog}
      onActivate={() => {
        const step = stepOf(size);
        if (step) void stepJog(wishOf(row, sign, step));
        else say('info', W.move.holdOrStep);
      }}
    >
      {face}
    </HoldKey>
  );
}

function SpeedChoice() {
  const speed = useSignal(jogSpeed);
  return (
    <div class="jog-speed" role="group" aria-label={W.move.speed}>
      <span class="label">{W.move.speed}</span>
      <Button icon="minus" label={W.move.slower} onClick={() => changeJogSpeed(-1)} disabled={speed <= 0.01} />
      <input
        type="range" min={1} max={100} step={1} value={Math.round(speed * 100)} aria-label={W.move.speed}
        onInput={(event) => (jogSpeed.value = Number(event.currentTarget.value) / 100)}
      />
      <Button icon="plus" label={W.move.faster} onClick={() => changeJogSpeed(1)} disabled={speed >= 1} />
      <output>{Math.round(speed * 100)} %</output>
    </div>
  );
}

function Grippers({ info }: { info: RobotInfo }) {
  const mayMove = useSelected(session, () => may('operator'));
  const inUse = useSignal(units);
  return (
    <>
      {info.grippers.map((gripper) => (
        <div class="gripper" key={gripper.name} role="group" aria-label={gripper.name}>
          <span class="label">{info.grippers.length > 1 ? gripper.name : W.move.gripper}</span>
          <LiveText class="reading" pick={(now) => shownWithUnit('length', now?.grippers[gripper.name] ?? NaN, inUse)} />
          <Button disabled={!mayMove} onClick={() => void moveGripper(gripper.name, gripper.open)}>{W.move.open}</Button>
          <Button disabled={!mayMove} onClick={() => void moveGripper(gripper.name, gripper.closed)}>{W.move.close}</Button>
        </div>
      ))}
    </>
  );
}

/** For the keys of the keyboard: the row that a key belongs to. */
export function rowOfCode(code: string, info: RobotInfo): { row: Row; sign: 1 | -1 } | null {
  const letter = code.startsWith('Key') ? code.slice(3) : '';
  const place = kRowKeys.findIndex((pair) => letter !== '' && pair.includes(letter));
  const row = place < 0 ? undefined : rows(info, frame.value)[place];
  return row ? { row, sign: kRowKeys[place]![0] === letter ? 1 : -1 } : null;
}


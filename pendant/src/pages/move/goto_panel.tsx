// SPDX-License-Identifier: BSD-3-Clause
import { useState } from 'preact/hooks';
import type { ArmInfo, JointInfo, RobotInfo } from '../../link/protocol';
import { quatOfRpy, type Vec3 } from '../../geometry';
import { endHold, home, live, may, session } from '../../robot';
import { needsHold } from '../../settings';
import { useSelected, useSignal } from '../../store';
import { aimAtJoints, aimAtPose, clearTarget, go, goWhileHeld, isStraight, jointsByName, kHomePose, target } from '../../target';
import { W } from '../../text';
import { HoldKey } from '../../ui/hold_key';
import { Icon } from '../../ui/icons';
import { Button, NumberField, Segmented } from '../../ui/parts';
import { ArmPicker } from './arm_picker';
import { armName, currentArm, toolName } from './jog_state';
import { toolNumbers } from './readings';

export function GotoPanel({ info }: { info: RobotInfo }) {
  const [by, setBy] = useState<'pose' | 'joints'>(info.arms.length > 0 ? 'pose' : 'joints');
  const arm = useSelected(armName, () => currentArm(info));
  return (
    <div class="goto">
      <NamedPoses info={info} />
      <ArmPicker info={info} />
      <section class="numbers" aria-label={W.move.numbers}>
        <Segmented
          name={W.move.numbers}
          class="wide"
          value={by}
          onChange={setBy}
          choices={[{ value: 'pose', label: W.move.pose, disabled: !arm }, { value: 'joints', label: W.move.jointsTab }]}
        />
        {by === 'pose' && arm ? <PoseNumbers arm={arm} key={arm.name} /> : <JointNumbers joints={info.joints.filter((joint) => joint.is_enabled)} />}
      </section>
      <TargetFoot />
    </div>
  );
}

function NamedPoses({ info }: { info: RobotInfo }) {
  const mayMove = useSelected(session, () => may('operator'));
  return (
    <section class="named" aria-label={W.move.named}>
      <h2>{W.move.named}</h2>
      <div class="chips">
        {info.poses.map((pose) => (
          <Button key={pose.name} icon={pose.name === kHomePose ? 'home' : 'target'} onClick={() => aimAtJoints(pose.name, pose.joints)}>{pose.name}</Button>
        ))}
        <Button icon="reset" title={W.move.homingHint} disabled={!mayMove} onClick={() => void home()}>{W.move.referenceRun}</Button>
      </div>
    </section>
  );
}

function NumberKeys({ onHere, onShow }: { onHere: () => void; onShow: () => void }) {
  return (
    <div class="row">
      <Button onClick={onHere}>{W.move.useCurrent}</Button>
      <Button icon="ghost" onClick={onShow}>{W.move.show}</Button>
    </div>
  );
}

function PoseNumbers({ arm }: { arm: ArmInfo }) {
  const here = () => toolNumbers(live.value, arm.name, null).map((value) => (Number.isFinite(value) ? value : 0));
  const [values, setValues] = useState<number[]>(here);
  const aim = (next: number[]) => {
    setValues(next);
    const quaternion = quatOfRpy(next.slice(3) as Vec3);
    void aimAtPose({ label: W.move.numbers, arm: arm.name, tool: toolName.value, position: next.slice(0, 3) as Vec3, quaternion });
  };
  return (
    <>
      <div class="number-grid three">
        {W.move.axes.map((name, axis) => (
          <NumberField key={name} label={name} kind={axis < 3 ? 'length' : 'angle'} value={values[axis] ?? 0} onChange={(value) => aim(values.map((one, i) => (i === axis ? value : one)))} />
        ))}
      </div>
      <NumberKeys onHere={() => setValues(here())} onShow={() => aim(values)} />
    </>
  );
}

function JointNumbers({ joints }: { joints: JointInfo[] }) {
  const here = () => jointsByName(live.value?.q ?? []);
  const [values, setValues] = useState<Record<string, number>>(here);
  const aim = (next: Record<string, number>) => {
    setValues(next);
    aimAtJoints(W.move.numbers, Object.fromEntries(joints.map((joint) => [joint.name, next[joint.name] ?? 0])));
  };
  return (
    <>
      <div class="number-grid three">
        {joints.map((joint) => (
          <NumberField
            key={joint.name}
            label={joint.name}
            kind={joint.kind === 'prismatic' ? 'length' : 'angle'}
            value={values[joint.name] ?? 0}
            lower={joint.kind === 'continuous' ? undefined : joint.lower}
            upper={joint.kind === 'continuous' ? undefined : joint.upper}
            onChange={(value) => aim({ ...values, [joint.name]: value })}
          />
        ))}
      </div>
      <NumberKeys onHere={() => setValues(here())} onShow={() => aim(values)} />
    </>
  );
}

/** The target and the key that goes there; nothing moves before it has been shown. */
export function TargetFoot() {
  const aim = useSignal(target);
  const straight = useSignal(isStraight);
  const holds = useSignal(needsHold);
  const mayMove = useSelected(session, () => may('operator'));
  if (!aim) return <p class="hint">{W.move.noTarget}</p>;
  const canGo = mayMove && aim.isReachable && (aim.joints !== null || aim.pose !== null);
  const standing = !aim.isReachable ? 'unreachable' : aim.isClear ? 'clear' : 'touches';
  return (
    <div class={`target ${standing}`} data-reachable={aim.isReachable} data-standing={standing}>
      <div class="target-words">
        <Icon name={standing === 'clear' ? 'ghost' : 'warn'} />
        <div>
          <strong>{aim.label}</strong>
          <span>{W.move.standing[standing]}{standing !== 'clear' && aim.why ? `: ${aim.why}` : ''}</span>
        </div>
        <Button kind="quiet" icon="close" label={W.move.clearTarget} onClick={clearTarget} />
      </div>
      {aim.pose && (
        <Segmented
          name={W.move.straight}
          class="wide"
          value={straight ? 'line' : 'joint'}
          onChange={(value) => (isStraight.value = value === 'line')}
          choices={[{ value: 'joint', label: W.move.jointMove }, { value: 'line', label: W.move.straight }]}
        />
      )}
      {holds ? (
        <HoldKey class="go large" label={W.move.holdToGo} disabled={!canGo} onDown={() => goWhileHeld(aim)} onUp={endHold}>
          <Icon name="play" /><span class="cap">{W.move.holdToGo}</span>
        </HoldKey>
      ) : (
        <Button kind="go" size="large" icon="play" disabled={!canGo} onClick={() => go(aim)}>{W.move.go}</Button>
      )}
    </div>
  );
}

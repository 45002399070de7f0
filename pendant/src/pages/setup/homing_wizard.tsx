// SPDX-License-Identifier: BSD-3-Clause
// Whether the joints know where they are, the reference run, the zero of the encoders, and the check of all that at home.
import { useEffect, useState } from 'preact/hooks';
import { fields, list, text, type JointInfo, type RobotInfo } from '../../link/protocol';
import { rest } from '../../link/rest';
import { endHold, home, live, may, session } from '../../robot';
import { units } from '../../settings';
import { useSelected, useSignal } from '../../store';
import { goWhileHeld, jointsByName, kHomePose } from '../../target';
import { W } from '../../text';
import { numberText, shown, shownWithUnit, symbol, type Kind } from '../../units';
import { HoldKey } from '../../ui/hold_key';
import { Icon } from '../../ui/icons';
import { Ask, Button, LiveText, NumberField, Panel, type Question } from '../../ui/parts';
import { countsOf, motorOf, offsetFor } from './homing';
import '../../style/wizards.css';

const kLook_ms = 700;
/** Nearer than this to its place a joint counts as there [rad, m]. */
const kThere = 0.005;

const kindOf = (joint: JointInfo): Kind => (joint.kind === 'prismatic' ? 'length' : 'angle');

/** What the device says of itself and of each joint; asked again and again while it is shown. */
interface DeviceWords {
  faults: string;
  joints: Record<string, string>;
}

function useDevice(): DeviceWords {
  const [words, setWords] = useState<DeviceWords>({ faults: '', joints: {} });
  useEffect(() => {
    let isShown = true;
    const look = async () => {
      const json = fields(await rest.get('/api/state').catch(() => null));
      const joints = Object.fromEntries(list(json.joints).map((one) => [text(fields(one).name), text(fields(one).state)]));
      if (isShown) setWords({ faults: text(fields(json.safety).device_faults), joints });
    };
    void look();
    const timer = setInterval(() => void look(), kLook_ms);
    return () => {
      isShown = false;
      clearInterval(timer);
    };
  }, []);
  return words;
}

export function HomingWizard({ info }: { info: RobotInfo }) {
  const device = useDevice();
  return (
    <div class="wizard" data-homing={device.faults.includes('homed') ? 'unknown' : 'known'}>
      <Known info={info} device={device} />
      <div class="wizard-side">
        <ReferenceRun info={info} />
        <Check info={info} />
      </div>
      <EncoderZero info={info} />
    </div>
  );
}

function Known({ info, device }: { info: RobotInfo; device: DeviceWords }) {
  const isKnown = !device.faults.includes('homed');
  const inUse = useSignal(units);
  return (
    <Panel title={`1 · ${W.homing.known}`}>
      <p class={isKnown ? 'verdict good' : 'verdict warn'} role="status"><Icon name={isKnown ? 'check' : 'warn'} /> {isKnown ? W.homing.isKnown : W.homing.notKnown}</p>
      {device.faults !== '' && <p class="trouble">{W.homing.faults(device.faults)}</p>}
      <div class="table-scroll" tabIndex={0}>
        <table class="plain">
          <thead><tr><th scope="col">{W.setup.joint}</th><th scope="col">{W.homing.now}</th><th scope="col">{W.homing.motor}</th><th scope="col">{W.homing.counts}</th><th scope="col">{W.homing.deviceSays}</th></tr></thead>
          <tbody>
            {info.joints.map((joint, i) => {
              const motor = motorOf(joint.name, info.actuators);
              return (
                <tr key={joint.name} class={joint.is_enabled ? '' : 'off'}>
                  <th scope="row" class="strong">{joint.name}</th>
                  <td><LiveText pick={(now) => shownWithUnit(kindOf(joint), now?.q[i] ?? NaN, inUse)} /></td>
                  <td>{motor?.name ?? W.homing.noMotor}</td>
                  <td>{motor ? <LiveText pick={(now) => numberText(countsOf(motor, jointsByName(now?.q ?? [])), 0)} /> : W.homing.noMotor}</td>
                  <td>{device.joints[joint.name] ?? ''}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function ReferenceRun({ info }: { info: RobotInfo }) {
  const mayMove = useSelected(session, () => may('operator'));
  const isHoming = useSelected(live, (now) => now?.safety.state === 'homing');
  const [question, ask] = useState<Question | null>(null);
  const [wasAsked, setAsked] = useState(false);
  const start = () =>
    ask({
      title: W.homing.run, text: W.homing.sure, yes: W.homing.start,
      act: () => void home().then((isDone) => setAsked(isDone)),
    });
  return (
    <Panel title={`2 · ${W.homing.run}`}>
      <p>{W.homing.why[info.mode]}</p>
      <div class="row"><Button kind="main" icon="reset" disabled={!mayMove || isHoming} onClick={start}>{W.homing.start}</Button></div>
      {isHoming ? <p class="works" role="status">{W.homing.running}</p> : wasAsked && <p class="note" role="status">{W.homing.asked}</p>}
      {question && <Ask question={question} onDone={() => ask(null)} />}
    </Panel>
  );
}

function Check({ info }: { info: RobotInfo }) {
  const posture = info.poses.find((pose) => pose.name === kHomePose);
  const mayMove = useSelected(session, () => may('operator'));
  const inUse = useSignal(units);
  const isThere = useSelected(live, (now) => posture !== undefined && info.joints.every((joint, i) => {
    const goal = posture.joints[joint.name];
    return goal === undefined || !joint.is_enabled || Math.abs((now?.q[i] ?? NaN) - goal) < kThere;
  }));
  if (!posture) return <Panel title={`3 · ${W.homing.check}`}><p class="hint">{W.homing.noHome}</p></Panel>;
  const aim = { label: posture.name, joints: posture.joints, pose: null, isReachable: true, isClear: true, why: '' };
  return (
    <Panel title={`3 · ${W.homing.check}`}>
      <p>{W.homing.checkText}</p>
      <div class="row">
        <HoldKey class="key go hold-wide" label={W.homing.goHome} disabled={!mayMove} onDown={() => goWhileHeld(aim)} onUp={endHold}><Icon name="home" /><span class="cap">{W.homing.goHome}</span></HoldKey>
      </div>
      <p class={isThere ? 'verdict good' : 'verdict'} role="status"><Icon name={isThere ? 'check' : 'target'} /> {isThere ? W.homing.atHome : W.homing.notHome}</p>
      <dl class="tiles small">
        {info.joints.map((joint, i) => posture.joints[joint.name] !== undefined && joint.is_enabled && (
          <div key={joint.name}><dt>{joint.name}</dt><dd><LiveText pick={(now) => shown(kindOf(joint), (now?.q[i] ?? NaN) - posture.joints[joint.name]!, inUse)} /> {symbol(kindOf(joint), inUse)}</dd></div>
        ))}
      </dl>
    </Panel>
  );
}

function EncoderZero({ info }: { info: RobotInfo }) {
  const [truth, setTruth] = useState<Record<string, number> | null>(null);
  const [measured, setMeasured] = useState<Record<string, number>>({});
  const begin = (to: (name: string, now: number) => number) => {
    const now = jointsByName(live.value?.q ?? []);
    setMeasured(now);
    setTruth(Object.fromEntries(Object.entries(now).map(([name, value]) => [name, to(name, value)])));
  };
  // what is not measured yet has no counts
  const isMeasured = useSelected(live, (now) => (now?.q.length ?? 0) > 0);
  const concerned = info.joints.filter((joint) => info.actuators.some((motor) => motor.joints[joint.name]));
  if (info.actuators.length === 0) return <Panel title={`4 · ${W.homing.zero}`}><p>{W.homing.noActuators}</p></Panel>;
  return (
    <Panel title={`4 · ${W.homing.zero}`} class="wide-panel">
      <p>{W.homing.zeroText}</p>
      <div class="row">
        <Button icon="target" disabled={!isMeasured} onClick={() => begin(() => 0)}>{W.homing.allZero}</Button>
        <Button icon="record" disabled={!isMeasured} onClick={() => begin((_, now) => now)}>{W.homing.asMeasured}</Button>
      </div>
      {truth && (
        <>
          <div class="many-fields">
            {concerned.map((joint) => (
              <NumberField key={joint.name} label={W.homing.truth(joint.name)} kind={kindOf(joint)} decimals={2} value={truth[joint.name] ?? 0} onChange={(value) => setTruth({ ...truth, [joint.name]: value })} />
            ))}
          </div>
          <Offsets info={info} measured={measured} truth={truth} />
        </>
      )}
    </Panel>
  );
}

function Offsets({ info, measured, truth }: { info: RobotInfo; measured: Record<string, number>; truth: Record<string, number> }) {
  const rows = info.actuators.map((motor) => ({ motor, next: offsetFor(motor, measured, truth) }));
  return (
    <>
      <div class="table-scroll" tabIndex={0}>
        <table class="plain">
          <thead><tr><th scope="col">{W.homing.motor}</th><th scope="col">{W.homing.offsetNow}</th><th scope="col">{W.homing.offsetNew}</th><th scope="col">{W.homing.change}</th></tr></thead>
          <tbody>
            {rows.map(({ motor, next }) => (
              <tr key={motor.name}><th scope="row" class="strong">{motor.name}</th><td>{numberText(motor.offset, 1)}</td><td>{numberText(next, 1)}</td><td>{numberText(next - motor.offset, 1)}</td></tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="note">{W.homing.copyText}</p>
      <pre class="code" tabIndex={0}>{rows.map(({ motor, next }) => `${motor.name}: offset_counts: ${next.toFixed(6)}`).join('\n')}</pre>
    </>
  );
}

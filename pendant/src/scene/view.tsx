// SPDX-License-Identifier: BSD-3-Clause
// The picture on a page. There is one scene; it moves to whichever page shows it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { quatOfRpy, type Pose, type Vec3 } from '../geometry';
import type { FrameInfo, Live, RobotInfo, Safety } from '../link/protocol';
import { rest, wordsOf } from '../link/rest';
import { chosenPose, toolPose } from '../link/taught_tool';
import { armName, currentArm, toolName } from '../pages/move/jog_state';
import { toolIn } from '../pages/move/readings';
import { playback } from '../playback';
import { link, live, robot, taught, world } from '../robot';
import { themeShown } from '../settings';
import { signal, useSelected, useSignal, type Signal } from '../store';
import { aimAtPose, ghostRun, isDragging, target, type Target } from '../target';
import { W } from '../text';
import { Icon, type IconName } from '../ui/icons';
import { boundsShown, drawnOf } from './bounds_shown';
import { openCanvas } from './canvas';
import type { CameraPreset, GhostKind, RobotScene } from './robot_scene';

let scene: RobotScene | null = null;
export const sceneTrouble = signal<string | null>(null);
const isFramesShown = signal(true);
const isTraceShown = signal(false);
const isWorldShown = signal(true);
const handleMode = signal<'translate' | 'rotate'>('translate');

let making: Promise<RobotScene | null> | null = null;

/** The picture, which is begun with the first call: its parts come beside each other. */
export function theScene(): Promise<RobotScene | null> {
  making ??= makeScene().catch((error: unknown) => {
    sceneTrouble.value = W.view.failed;
    console.warn(wordsOf(error));
    return null;
  });
  return making;
}

async function makeScene(): Promise<RobotScene> {
  const code = import('./robot_scene');
  const urdf = askForUrdf();
  const canvas = openCanvas();
  return connect(new (await code).RobotScene(canvas), urdf);
}

const askForUrdf = () => rest.text('/api/robot.urdf');

/** `asked`: the description, which is on its way. */
function connect(made: RobotScene, asked: Promise<string>): RobotScene {
  scene = made;
  asked.catch(() => undefined);
  let first: Promise<string> | null = asked;
  made.setTheme(themeShown.value);
  themeShown.subscribe((theme) => made.setTheme(theme));
  world.subscribe((objects) => made.setWorld(objects));
  const load = async (info: RobotInfo | null) => {
    if (!info) return;
    // what was asked for before the robot was known may have failed for that
    const urdf = first ? first.catch(askForUrdf) : askForUrdf();
    first = null;
    try {
      made.load(await urdf, info.arms);
      made.setWorld(world.value);
      showRecorded();
      // as it stands now
      made.look('free');
    } catch (error) {
      sceneTrouble.value = wordsOf(error);
    }
  };
  const showFrames = () => made.setFrames((robot.value?.frames ?? taught.value.frames).map((one) => ofArm(one, frameToPose(one))), taught.value.tools.map((one) => ofArm(one, toolPose(one))));
  for (const one of [taught, robot]) (one as Signal<unknown>).subscribe(showFrames);
  showFrames();
  const showTraced = () => {
    const arm = currentArm(robot.value);
    if (arm) made.traceAt(armIndex(arm.name), chosenPose(toolName.value, arm, taught.value.tools).p);
  };
  for (const one of [armName, toolName, taught, robot]) (one as Signal<unknown>).subscribe(showTraced);
  showTraced();
  const follow = (now: Live | null) => {
    if (!now || !robot.value || !made.element.isConnected || playback.value) return;
    made.setJoints(robot.value.joints.map((joint) => joint.name), now.q);
    made.moveWorld(now.objects);
    made.setContact(contactOf(now.safety));
  };
  const showGhost = () => {
    if (playback.value) made.setGhost(null);
    else if (ghostRun.value) made.setGhost(ghostRun.value);
    else made.setGhost(target.value?.joints ?? null, standingOf(target.value));
  };
  void load(robot.value);
  let loaded = robot.value?.name;
  robot.subscribe((info) => {
    if (info?.name !== loaded) void load(info);
    loaded = info?.name;
  });
  const showBounds = () => made.setBounds(boundsShown.value, robot.value?.workspace.map(drawnOf) ?? []);
  showBounds();
  boundsShown.subscribe(showBounds);
  robot.subscribe(showBounds);
  live.subscribe(follow);
  target.subscribe(showGhost);
  ghostRun.subscribe(showGhost);
  let wasRecorded = false;
  const showRecorded = () => {
    const then = playback.value;
    if (wasRecorded !== (then !== null)) {
      wasRecorded = then !== null;
      made.showRecorded(wasRecorded);
      showGhost();
    }
    if (!then) return follow(live.value);
    made.setJoints(Object.keys(then.joints), Object.values(then.joints));
    made.setContact(then.contact);
  };
  showRecorded();
  playback.subscribe(showRecorded);
  armName.subscribe(() => (isDragging.value = false));
  isDragging.subscribe((is) => (is ? startDrag(made, target.value) : made.handle.stop()));
  return made;
}

/** Which of the robot's arms is so called; the first when it is not said. */
function armIndex(name: string): number {
  return Math.max(0, robot.value?.arms.findIndex((one) => one.name === name) ?? 0);
}

const ofArm = ({ name, arm }: { name: string; arm: string }, { p, q }: Pose) => ({ name, arm: armIndex(arm), p, q });
const frameToPose = ({ position, rpy }: FrameInfo): Pose => ({ p: position, q: quatOfRpy(rpy) });

function standingOf(aim: Target | null): GhostKind {
  if (!aim?.isReachable && aim) return 'bad';
  return aim?.isClear === false ? 'touches' : 'clear';
}

/** Where the guard holds something back, the two places that it names. */
function contactOf(safety: Safety): { a: Vec3; b: Vec3 } | null {
  return safety.held.length > 0 && safety.point_a && safety.point_b ? { a: safety.point_a, b: safety.point_b } : null;
}

function startDrag(made: RobotScene, from: Target | null): void {
  const arm = currentArm(robot.value);
  const tool = arm && toolIn(live.value, arm.name);
  if (!arm || !tool) return;
  const start = from?.pose?.arm === arm.name ? { p: from.pose.position, q: from.pose.quaternion } : tool;
  made.startDrag(armIndex(arm.name), start.p, start.q, (position, quaternion) => {
    void aimAtPose({ label: W.move.drag, arm: arm.name, tool: toolName.value, position, quaternion });
  });
  made.handle.setMode(handleMode.value);
  made.invalidate();
}

function Toggle(props: { icon: IconName; label: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <button type="button" class="view-key" aria-pressed={props.isOn} aria-label={props.label} title={props.label} onClick={() => props.onChange(!props.isOn)}>
      <Icon name={props.icon} size={22} />
    </button>
  );
}

function HandleKeys() {
  const mode = useSignal(handleMode);
  const choose = (next: 'translate' | 'rotate') => {
    handleMode.value = next;
    scene?.handle.setMode(next);
    scene?.invalidate();
  };
  return (
    <>
      <Toggle icon="move" label={W.view.moveHandle} isOn={mode === 'translate'} onChange={() => choose('translate')} />
      <Toggle icon="reset" label={W.view.turnHandle} isOn={mode === 'rotate'} onChange={() => choose('rotate')} />
    </>
  );
}

/** `isRecording`: what it shows is not live, and is marked as such. */
export function RobotView({ canDrag = true, isRecording = false }: { canDrag?: boolean; isRecording?: boolean }) {
  const holder = useRef<HTMLDivElement>(null);
  const trouble = useSignal(sceneTrouble);
  const frames = useSignal(isFramesShown);
  const trace = useSignal(isTraceShown);
  const objects = useSignal(isWorldShown);
  const dragging = useSignal(isDragging);
  const info = useSignal(robot);
  const isHeard = useSelected(link.state, (now) => now === 'open');
  const [isReady, setReady] = useState(scene !== null);

  useEffect(() => {
    let isHere = true;
    void theScene().then((made) => {
      if (!made || !isHere || !holder.current) return;
      holder.current.append(made.element);
      setReady(true);
      made.invalidate();
      if (live.value && robot.value && !playback.value) made.setJoints(robot.value.joints.map((joint) => joint.name), live.value.q);
    });
    return () => {
      isHere = false;
      scene?.element.remove();
    };
  }, []);

  const cameras: [CameraPreset, string][] = [['free', W.view.free], ['front', W.view.front], ['side', W.view.side], ['top', W.view.top]];
  return (
    <div class={`view ${isRecording ? 'recorded' : isHeard ? '' : 'cut'}`} role="group" aria-label={isRecording ? W.recordings.viewName : W.view.name}>
      <div class="view-holder" ref={holder}>
        {trouble && <p class="view-trouble">{trouble}</p>}
        {!trouble && !isReady && <p class="view-trouble">{W.loading}</p>}
      </div>
      {!isRecording && !isHeard && <p class="view-cut" role="status"><Icon name="warn" /> {W.view.notLive}</p>}
      {isRecording && <p class="view-past" data-recorded><Icon name="clock" /> {W.recordings.notLive}</p>}
      <div class="view-keys left">
        {cameras.map(([preset, label]) => (
          <button key={preset} type="button" class="view-key word" onClick={() => scene?.look(preset)}>{label}</button>
        ))}
      </div>
      <div class="view-keys right">
        {canDrag && info !== null && info.arms.length > 0 && (
          <Toggle icon="target" label={W.move.dragName} isOn={dragging} onChange={(is) => (isDragging.value = is)} />
        )}
        {canDrag && dragging && <HandleKeys />}
        <Toggle icon="axes" label={W.view.frames} isOn={frames} onChange={(is) => { isFramesShown.value = is; scene?.show('frames', is); }} />
        <Toggle icon="trace" label={W.view.trace} isOn={trace} onChange={(is) => { isTraceShown.value = is; scene?.show('trace', is); }} />
        {!isRecording && <Toggle icon="cube" label={W.view.world} isOn={objects} onChange={(is) => { isWorldShown.value = is; scene?.show('world', is); }} />}
      </div>
    </div>
  );
}

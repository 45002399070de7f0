// SPDX-License-Identifier: BSD-3-Clause
// Where the robot is to go next: shown as a ghost before anything moves.
import { quatOfRpy, rpyOfQuat, type Quat, type Vec3 } from './geometry';
import { fields, number, text } from './link/protocol';
import { rest, wordsOf } from './link/rest';
import { flangeIn, flangeOfTool, toolPose } from './link/taught_tool';
import { say } from './notices';
import { attempt, isWaiting, live, robot, startHold, taught, withControl } from './robot';
import { jogSpeed } from './settings';
import { signal } from './store';
import { W } from './text';

/** What descriptions of robots call it, in every language of the page. */
export const kHomePose = 'home';

export interface Target {
  label: string;
  /** Joint positions of the ghost; null while they are not known, or when there are none. */
  joints: Record<string, number> | null;
  /** Set when the target is a pose of the tool in the arm's base. */
  pose: { arm: string; tool: string; position: Vec3; quaternion: Quat } | null;
  isReachable: boolean;
  /** False: something would touch there. */
  isClear: boolean;
  /** Why it cannot be, or what would touch what. */
  why: string;
}

export const target = signal<Target | null>(null);
/** Whether the tool goes along a straight line; else all joints arrive together. */
export const isStraight = signal(false);
/** Whether the handle is in the picture. */
export const isDragging = signal(false);
/** The joint positions of a simulated run, while it is shown. */
export const ghostRun = signal<Record<string, number> | null>(null);

/** Joints by name from the order of the robot's list. */
export function jointsByName(values: readonly number[]): Record<string, number> {
  const all: Record<string, number> = {};
  robot.value?.joints.forEach((joint, i) => {
    const value = values[i];
    if (value !== undefined && Number.isFinite(value)) all[joint.name] = value;
  });
  return all;
}

export function aimAtJoints(label: string, joints: Record<string, number>): void {
  isDragging.value = false;
  wanted = null;
  const shown: Target = { label, joints, pose: null, isReachable: true, isClear: true, why: '' };
  target.value = shown;
  void judged(shown).then((next) => {
    if (target.value === shown) target.value = next;
  });
}

/** What the robot thinks of standing there. */
async function judged(aim: Target): Promise<Target> {
  try {
    return { ...aim, ...verdictIn(await rest.post('/api/solve', { joints: aim.joints })) };
  } catch (error) {
    return { ...aim, isReachable: false, why: wordsOf(error) };
  }
}

function verdictIn(value: unknown): Pick<Target, 'isReachable' | 'isClear' | 'why'> {
  const answer = fields(value);
  return { isReachable: answer.reachable === true, isClear: answer.clear !== false, why: text(answer.why) };
}

interface Wanted {
  label: string;
  arm: string;
  tool: string;
  position: Vec3;
  quaternion: Quat;
}
let wanted: Wanted | null = null;
let isSolving = false;

/** Solves for a pose; while one is being solved only the newest further wish counts. */
export async function aimAtPose(next: Wanted): Promise<void> {
  wanted = next;
  if (isSolving) return;
  isSolving = true;
  try {
    while (wanted !== null) {
      const now: Wanted = wanted;
      wanted = null;
      target.value = await solved(now);
    }
  } finally {
    isSolving = false;
  }
}

async function solved(pose: Wanted): Promise<Target> {
  const before = target.value?.joints ?? null;
  try {
    const answer = fields(
      await rest.post('/api/solve', {
        ...inRobotsWords(pose), start: startOf(before),
      }),
    );
    const verdict = verdictIn(answer);
    const joints = verdict.isReachable
      ? Object.fromEntries(Object.entries(fields(answer.joints)).map(([name, value]) => [name, number(value)]))
      : before;
    return { label: pose.label, joints, pose, ...verdict };
  } catch (error) {
    return { label: pose.label, joints: before, pose, isReachable: false, isClear: true, why: wordsOf(error) };
  }
}

/** Where the search begins: at the last solution, so that the ghost does not jump, else where the robot is. */
function startOf(before: Record<string, number> | null): number[] | undefined {
  const now = jointsByName(live.value?.q ?? []);
  const start = robot.value?.joints.map(({ name }) => before?.[name] ?? now[name] ?? NaN);
  return start?.every(Number.isFinite) ? start : undefined;
}

export function clearTarget(): void {
  wanted = null;
  isDragging.value = false;
  target.value = null;
}

/** A pose of a taught tool as one of the flange, which the robot knows. */
function inRobotsWords({ arm, tool, position, quaternion }: Omit<Wanted, 'label'>): Omit<Wanted, 'label'> {
  const own = taught.value.tools.find((one) => one.name === tool);
  if (!own) return { arm, tool, position, quaternion };
  const flange = flangeOfTool({ p: position, q: quaternion }, toolPose(own));
  return { arm, tool: '', position: flange.p, quaternion: flange.q };
}

/** Whether a straight line of a taught tool would be none: the flange's line is the tip's only while nothing turns. */
function isBentLine(to: Target): boolean {
  const { pose } = to;
  if (!isStraight.value || !pose || !taught.value.tools.some((one) => one.name === pose.tool)) return false;
  const arm = robot.value?.arms.find((one) => one.name === pose.arm);
  const now = arm && flangeIn(live.value, arm);
  const goal = inRobotsWords(pose).quaternion;
  return !now || Math.abs(now.q.reduce((sum, value, i) => sum + value * goal[i]!, 0)) < 0.99999;
}

function moveBody(to: Target): Record<string, unknown> {
  if (to.pose && (isStraight.value || !to.joints)) {
    const { arm, tool, position, quaternion } = inRobotsWords(to.pose);
    return { kind: isStraight.value ? 'line' : 'pose', arm, tool, frame: 'base', position, rpy: rpyOfQuat(quaternion), speed: jogSpeed.value };
  }
  return { kind: 'joints', joints: to.joints ?? {}, speed: jogSpeed.value };
}

let held: { body: string; request: number } | null = null;

/** Goes to the target while the key is held; held again, the robot goes on. */
export function goWhileHeld(to: Target): void {
  if (isBentLine(to)) return say('warn', W.move.bentLine);
  const body = JSON.stringify(moveBody(to));
  void startHold('move', async (hold) => {
    if (held?.body === body && isWaiting(held.request)) return rest.post('/api/resume', { request: held.request, hold });
    const answer = fields(await rest.post('/api/move', { ...(JSON.parse(body) as object), hold }));
    held = { body, request: number(answer.request) };
  });
}

export function go(to: Target): void {
  if (isBentLine(to)) return say('warn', W.move.bentLine);
  void withControl(() => rest.post('/api/move', moveBody(to)));
}

/** Keeps where an arm is now under a name; true when that was done. */
export async function recordPoint(name: string, arm: string): Promise<boolean> {
  return (await attempt(async () => {
    await rest.post('/api/points/record', { name, arm });
    return true;
  })) === true;
}

export { quatOfRpy, rpyOfQuat };

// SPDX-License-Identifier: BSD-3-Clause
// The robot as this page knows it: everything comes from the server, and everything asked of it goes through here.
import { retryDelay_ms } from './link/backoff';
import { isOfPress, JogMachine, kHeartbeat_ms, stepMessage, stopMessage, type JogMessage, type JogWish } from './link/jog';
import { drawPress, HoldMachine } from './link/hold';
import { JogRefusal } from './link/jog_refusal';
import { LiveLink, type Loss } from './link/live';
import { outcomeFrom, OwnRequests, type Outcome } from './link/own_requests';
import {
  fields, framesFrom, joinFrames, number, pointsFrom, robotFrom, sessionFrom, text, toolsFrom, worldFrom,
  mayAs, type Event, type FrameInfo, type Hello, type Live, type PlotMessage, type PointList, type Refused, type RobotInfo, type Role,
  type ServerMessage, type Session, type ToolInfo, type WorldObject,
} from './link/protocol';
import { currentToken, Refusal, rest, setControlToken, whenAsked, whenSignedOut, wordsOf } from './link/rest';
import { heardWithin } from './link/stop_watch';
import { flangeIn, toolPose, wishOfFlange } from './link/taught_tool';
import { say, takeBack } from './notices';
import { signal } from './store';
import { W } from './text';

export const session = signal<Session | null>(null);
/** Whether there is something to show: the robot and what it does are known, or they are slow to come. */
export const isShowable = signal(false);
/** Whether the robot has not answered yet since this page was opened. */
export const isUnanswered = signal(false);
export const robot = signal<RobotInfo | null>(null);
export const robotTrouble = signal<string | null>(null);
export const hello = signal<Hello | null>(null);
export const live = signal<Live | null>(null);
export const world = signal<WorldObject[]>([]);
export const points = signal<PointList>({ points: [], undo: 0, redo: 0 });
export const programNames = signal<string[]>([]);
/** The newest of what plots of channels have asked for. */
export const plotted = signal<PlotMessage | null>(null);
/** Whether this page holds the control token. */
export const hasControl = signal(false);
/** Whether a jog key is down. */
export const isJogging = signal(false);
/** What a hold-to-run button of this page keeps going; null: nothing. */
export const holding = signal<string | null>(null);
/** Counts up when what is held no longer counts although no finger was lifted: keys then no longer look held. */
export const lettings = signal(0);

const jog = new JogMachine();
const jogRefusal = new JogRefusal();
const ownRequests = new OwnRequests();
let jogTimer: ReturnType<typeof setInterval> | undefined;
const hold = new HoldMachine();
let holdTimer: ReturnType<typeof setInterval> | undefined;
let pressKnown: (press: number) => void = () => undefined;
/** For the server to say that it knows a press. */
const kLongestAnswer_ms = 1000;

export const link = new LiveLink(hear, onLost);
// who does not see what the robot does lets go of it
link.state.subscribe((state) => state === 'stale' && letGoOfEverything());

function onLost({ wasOpen, isSessionOver }: Loss): void {
  hello.value = null;
  dropControl();
  // a socket that does not even open may have been refused
  if (!wasOpen || isSessionOver) void askWhoWeAre();
}

/** The server may have forgotten the session: then there is a login to be made. */
async function askWhoWeAre(): Promise<void> {
  const wasIn = session.value?.user != null;
  if (wasIn && (await fetchSession()) && session.value?.user === null) signedOut();
}

export function may(role: Role): boolean {
  return mayAs(session.value?.role ?? null, role);
}

function dropControl(): void {
  letGoOfEverything();
  setControlToken(null);
  hasControl.value = false;
}

function hear(message: ServerMessage): void {
  if (message.op === 'live') hearLive(message.live);
  else if (message.op === 'hello') hearHello(message);
  else if (message.op === 'event') hearEvent(message);
  else if (message.op === 'held') pressKnown(message.press);
  else if (message.op === 'plot') plotted.value = message;
  else hearRefusal(message);
}

function hearHello(message: Hello): void {
  hello.value = message;
  if (message.user === null) void askWhoWeAre();
  // the robot behind may be another one by now
  if (robot.value !== null) void fetchRobot();
}

function hearLive(next: Live): void {
  const before = live.value;
  live.value = next;
  const why = jogRefusal.hear(next.jog, performance.now());
  if (why !== null) say('warn', W.move.refused(why));
  if (next.world !== before?.world) void fetchWorld();
  if (next.points !== before?.points) void fetchPoints();
  if (next.programs !== before?.programs) void fetchPrograms();
  if (next.frames !== before?.frames) void fetchFrames();
  // another controller, perhaps with other limits
  if (before && next.setup !== before.setup && next.gone === '') void fetchRobot();
  // somebody else has taken over, or the server has forgotten us
  if (hasControl.value && hello.value && next.control.client !== hello.value.client && Date.now() > tokenSettles_ms) dropControl();
}

function hearEvent(event: Event): void {
  const outcome = outcomeFrom(event);
  const own = outcome && ownRequests.heard(outcome);
  if (own) tellOutcome(own);
  // who takes control sees that they have it
  const isOwn = (hello.value !== null && event.more.client === hello.value.client) || Date.now() < leftUntil_ms;
  if (event.kind === 'control' && !isOwn) say('info', event.text);
  // what the robot's state is stands at the top already, and alarms among the alarms
  else if (event.kind === 'notice' && event.more.state === undefined) say('info', event.text);
}

/** What this page asked for has come to nothing: it is told, unless the state at the top says so or it was replaced from here. */
function tellOutcome({ request, status, reason }: Outcome): void {
  if (status === 'reached') return;
  const isByStop = live.value?.safety.state !== 'running' || performance.now() - stopAsked_ms < 5000;
  if (status === 'aborted' && (isByStop || request < ownRequests.newest)) return;
  say('warn', reason === '' ? W.move.cameToNothing : W.move.refused(reason));
}

whenAsked((request) => {
  const known = ownRequests.asked(request);
  if (known) tellOutcome(known);
});

function hearRefusal(refused: Refused): void {
  // the refusal of a press that is over says nothing of the one that is held now
  const isOfNow = isOfPress(refused.press, refused.about === 'hold' ? hold.press : jog.pressNumber);
  if ((refused.about === 'jog' || refused.about === 'hold') && isOfNow) letGoOfEverything();
  if (refused.status === 409 && refused.holder === null && hasControl.value && isOfNow) dropControl();
  say('warn', refused.error);
}

/** Whoever asks for something hears why not. */
export async function attempt<T>(act: () => Promise<T>): Promise<T | null> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Refusal && error.status === 409 && error.holder) say('warn', W.control.heldBy(error.holder));
    else say('warn', wordsOf(error));
    return null;
  }
}

const retries = new Map<string, ReturnType<typeof setTimeout>>();

/** Fetches something; when that fails, what is known stays, and it is tried again. */
async function refresh(what: string, fetchIt: () => Promise<void>): Promise<void> {
  clearTimeout(retries.get(what));
  try {
    await fetchIt();
  } catch {
    if (session.value?.user != null) retries.set(what, setTimeout(() => void refresh(what, fetchIt), 2000));
  }
}

export const fetchWorld = () => refresh('world', async () => {
  world.value = worldFrom(await rest.get('/api/world'));
});
export const fetchPoints = () => refresh('points', async () => {
  points.value = pointsFrom(await rest.get('/api/points'));
});
/** Frames and tools that were taught on this robot. */
export const taught = signal<{ frames: FrameInfo[]; tools: ToolInfo[] }>({ frames: [], tools: [] });
/** How many changes of them can be taken back, and done again. */
export const taughtSteps = signal<Record<'frames' | 'tools', { undo: number; redo: number }>>({ frames: { undo: 0, redo: 0 }, tools: { undo: 0, redo: 0 } });

export const fetchFrames = () => refresh('frames', async () => {
  const [frames, tools] = await Promise.all([rest.get('/api/frames'), rest.get('/api/tools')]);
  const steps = (answer: unknown) => ({ undo: number(fields(answer).undo), redo: number(fields(answer).redo) });
  taughtSteps.value = { frames: steps(frames), tools: steps(tools) };
  taught.value = { frames: framesFrom(fields(frames).frames), tools: toolsFrom(fields(tools).tools) };
  if (robot.value) robot.value = { ...robot.value, frames: joinFrames(robot.value.fixedFrames, taught.value.frames) };
});
export const fetchPrograms = () => refresh('programs', async () => {
  const answer = fields(await rest.get('/api/programs'));
  const all = Array.isArray(answer.programs) ? answer.programs : [];
  programNames.value = all.map((one) => text(fields(one).name) || text(one)).filter((name) => name !== '');
});

/** False when the robot does not answer; who was in stays in. */
export async function fetchSession(): Promise<boolean> {
  try {
    session.value = sessionFrom(await rest.get('/api/session'));
    return true;
  } catch {
    return false;
  }
}

async function fetchRobot(): Promise<void> {
  try {
    const info = robotFrom(await rest.get('/api/robot'));
    robot.value = { ...info, frames: joinFrames(info.fixedFrames, taught.value.frames) };
    robotTrouble.value = null;
  } catch (error) {
    robotTrouble.value = wordsOf(error);
    setTimeout(() => void fetchRobot(), 2000);
  }
}

/** After the page has loaded, and after each login. */
export async function enter(): Promise<void> {
  for (let attempt = 0; !(await fetchSession()); attempt += 1) {
    isUnanswered.value = true;
    await new Promise((done) => setTimeout(done, retryDelay_ms(attempt, Math.random())));
  }
  isUnanswered.value = false;
  if (session.value?.user === null) return;
  showWhenKnown();
  link.restart();
  await fetchRobot();
}

/** For robot and state to come, before the page is drawn without them. */
const kLongestBlank_ms = 500;

/** A page that is drawn once, whole, is there sooner than one that is drawn piece by piece. */
function showWhenKnown(): void {
  if (isShowable.value) return;
  const look = () => (isShowable.value ||= robot.value !== null && live.value !== null);
  const ends = [robot.subscribe(look), live.subscribe(look)];
  const timer = setTimeout(() => (isShowable.value = true), kLongestBlank_ms);
  const end = isShowable.subscribe(() => {
    for (const one of [...ends, end]) one();
    clearTimeout(timer);
  });
}

/** Nothing that is known of the robot counts for who is not in. */
function signedOut(): void {
  dropControl();
  link.stop();
  robot.value = null;
  live.value = null;
}

whenSignedOut(() => {
  if (!session.value?.user) return;
  session.value = { ...session.value, user: null, role: null };
  signedOut();
});

export async function leave(): Promise<void> {
  await leaveControl();
  await attempt(() => rest.post('/api/logout'));
  signedOut();
  if (!(await fetchSession()) && session.value) session.value = { ...session.value, user: null, role: null };
}

let tokenSettles_ms = 0;
/** Until then, that nobody controls is what this page has done. */
let leftUntil_ms = 0;

/** The server has to know this page before it can give it control. */
async function helloSaid(): Promise<void> {
  if (hello.value !== null) return;
  await new Promise<void>((done) => {
    const end = hello.subscribe(() => finish());
    const timer = setTimeout(() => finish(), 3000);
    const finish = () => {
      end();
      clearTimeout(timer);
      done();
    };
  });
}

export async function takeControl(force = false): Promise<boolean> {
  await helloSaid();
  try {
    const answer = fields(await rest.post('/api/control/take', { force, client: hello.value?.client }));
    // the live messages that are on their way may still name the one before
    tokenSettles_ms = Date.now() + 1000;
    setControlToken(text(answer.token));
    hasControl.value = true;
    return true;
  } catch (error) {
    say('warn', error instanceof Refusal && error.holder ? W.control.heldBy(error.holder) : wordsOf(error));
    return false;
  }
}

export async function leaveControl(): Promise<void> {
  if (!hasControl.value) return;
  letGoOfEverything();
  leftUntil_ms = Date.now() + 2000;
  await attempt(() => rest.post('/api/control/leave'));
  setControlToken(null);
  hasControl.value = false;
}

/** Takes control where nobody has it; what moves asks for it first. */
export async function ensureControl(): Promise<boolean> {
  if (hasControl.value) return true;
  const holder = live.value?.control.holder;
  if (holder) {
    say('warn', W.control.heldBy(holder));
    return false;
  }
  return takeControl();
}

let isAsking = false;

/** A key was pressed without control: it asks for it, and the next press moves. */
async function askBeforeMoving(): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  try {
    if (await ensureControl()) say('info', W.control.youHaveNow);
  } finally {
    isAsking = false;
  }
}

let stopAsked_ms = -Infinity;

/** Comes with the first news, from now on, of a robot that does not run. */
function stoppedSeen(): Promise<void> {
  return new Promise((done) => {
    const end = live.subscribe((now) => {
      if (!now || !['stopped', 'faulted', 'held'].includes(now.safety.state)) return;
      end();
      done();
    });
  });
}

/** Stops the robot, now. Anybody may, with or without control. */
export async function stop(): Promise<void> {
  letGoOfEverything();
  stopAsked_ms = performance.now();
  // by both ways: calls may have to wait for others, and the socket may just be cut. The robot knows by its number that it is one press
  const press = drawPress();
  const ways: Promise<unknown>[] = link.send({ op: 'stop', press }) ? [stoppedSeen()] : [];
  let why = W.link.noAnswer;
  const called = rest.post('/api/stop', { press }, { keepalive: true });
  called.catch((error: unknown) => (why = wordsOf(error)));
  // a network that is cut swallows both without a word: only a sign that it was heard counts
  const { isHeard, late } = await heardWithin([...ways, called]);
  if (isHeard) return;
  const words = W.stop.notHeard(why);
  say('alarm', words);
  await late;
  takeBack(words);
}

export const reset = () => withControl(() => rest.post('/api/reset'));
export const home = () => withControl(() => rest.post('/api/home'));
export const pause = () => withControl(() => rest.post('/api/pause'));
export const resume = () => withControl(() => rest.post('/api/resume'));
export const setOverride = (share: number) => withControl(() => rest.post('/api/override', { share }));
export const moveGripper = (name: string, width: number) => withControl(() => rest.post('/api/gripper', { name, width }));

let asked_ms = -Infinity;

/** Whether something was asked for so lately that the robot may not show it yet. */
export function hasJustAsked(): boolean {
  return holding.value !== null || isJogging.value || performance.now() - asked_ms < 1000;
}

export async function withControl(act: () => Promise<unknown>): Promise<boolean> {
  asked_ms = performance.now();
  if (!(await ensureControl())) return false;
  asked_ms = performance.now();
  return (await attempt(async () => {
    await act();
    return true;
  })) === true;
}

// ---- jogging -----------------------------------------------------------------------------------------------------

/** A key goes down. `source` is the finger, key or stick. */
export async function startJog(source: string, wish: JogWish): Promise<void> {
  if (!hasControl.value) {
    // the first press asks for control; it must not move anything by the time the answer is here
    await askBeforeMoving();
    return;
  }
  if (!jog.isActive) jogRefusal.begin(live.value?.jog ?? null, false, performance.now());
  jog.press(source, wish, performance.now());
  isJogging.value = true;
  if (jogTimer === undefined) jogTimer = setInterval(beat, kHeartbeat_ms);
  beat();
}

export function endJog(source: string): void {
  if (jog.release(source)) jogOver();
}

export async function stepJog(wish: JogWish): Promise<void> {
  if (!(await ensureControl())) return;
  jogRefusal.begin(live.value?.jog ?? null, true, performance.now());
  link.send(inRobotsWords(stepMessage(currentToken() ?? '', jog.countPress(), wish)));
}

/** What a taught tool is to do, as what the robot can be told. */
function inRobotsWords(message: JogMessage): JogMessage {
  const tool = taught.value.tools.find((one) => one.name === message.tool);
  const arm = robot.value?.arms.find((one) => one.name === message.arm);
  const flange = arm ? flangeIn(live.value, arm) : null;
  if (!tool || !flange || message.stop) return message;
  return wishOfFlange(message as JogMessage & JogWish, toolPose(tool), flange.q, message.step);
}

function beat(): void {
  const message = jog.tick(performance.now(), currentToken() ?? '');
  if (message !== null && !message.stop && link.send({ ...inRobotsWords(message), t: performance.now() })) return;
  jogOver();
  lettings.value += 1;
}

function jogOver(): void {
  jog.releaseAll();
  jogRefusal.release();
  clearInterval(jogTimer);
  jogTimer = undefined;
  link.send(stopMessage(currentToken() ?? ''));
  isJogging.value = false;
}

// ---- hold to run -------------------------------------------------------------------------------------------------

/**
 * A key goes down: once its press is known to be held, `start` asks for what goes on by it. Only one thing is held at a time;
 * what was held before has been let go then, whatever it still waits for.
 */
export async function startHold(what: string, start: (press: number) => Promise<unknown>): Promise<void> {
  if (!hasControl.value) {
    await askBeforeMoving();
    return;
  }
  endHold();
  const press = drawPress();
  hold.begin(press, performance.now());
  holding.value = what;
  holdTimer = setInterval(sayHold, kHeartbeat_ms);
  const isKnown = new Promise<boolean>((known) => {
    pressKnown = (other) => other === press && known(true);
    setTimeout(() => known(false), kLongestAnswer_ms);
  });
  sayHold();
  const isHeard = await isKnown;
  if (hold.press !== press) return;
  if (!isHeard) {
    // what this page says comes late: perhaps its clock stood still
    letGoOfEverything();
    link.restart();
    return;
  }
  const begun = await attempt(async () => {
    try {
      return [await start(press)];
    } catch (error) {
      if (hold.press !== press) return [];
      throw error;
    }
  });
  if (begun === null && hold.press === press) endHold();
}

function sayHold(): void {
  const message = hold.beat(performance.now(), currentToken() ?? '');
  if (message !== null && link.send(message) && !message.released) return;
  endHold();
  lettings.value += 1;
}

export function endHold(): void {
  const message = hold.end();
  if (message !== null) link.send(message);
  clearInterval(holdTimer);
  holdTimer = undefined;
  holding.value = null;
}

/** Whether one of these requests stands still, as when its key was let go. */
export function isWaiting(...requests: number[]): boolean {
  const motion = live.value?.motion;
  return (motion?.phase === 'paused' || motion?.phase === 'pausing') && requests.includes(motion.request);
}

/** No finger counts any more: the page was left, covered or put to sleep. */
export function letGoOfEverything(): void {
  if (jog.isActive) jogOver();
  endHold();
  lettings.value += 1;
}

for (const name of ['blur', 'pagehide'] as const) globalThis.addEventListener?.(name, letGoOfEverything);
globalThis.document?.addEventListener('visibilitychange', () => {
  if (document.hidden) letGoOfEverything();
});
setInterval(() => link.send({ op: 'alive' }), 1000);

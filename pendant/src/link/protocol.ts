// SPDX-License-Identifier: BSD-3-Clause
// What the server says and what it is told: the types of REST and of the live socket, and their reading. A server that
// says less than expected, or more, is no reason to fail: what is missing gets a value that promises nothing.
import { rpyOfQuat, type Pose, type Quat, type Vec3 } from '../geometry';

export type Role = 'viewer' | 'operator' | 'programmer' | 'expert';
export const kRoles: readonly Role[] = ['viewer', 'operator', 'programmer', 'expert'];

/** Each role may all that the ones before it may. */
export function mayAs(role: Role | null, needed: Role): boolean {
  return role !== null && kRoles.indexOf(role) >= kRoles.indexOf(needed);
}

export interface Session {
  user: string | null;
  role: Role | null;
  accounts: 'on' | 'off';
  needs_first: boolean;
}

export type Mode = 'simulated' | 'emulated' | 'real';

export interface JointInfo {
  name: string;
  kind: 'revolute' | 'continuous' | 'prismatic';
  lower: number;
  upper: number;
  max_velocity: number;
  is_enabled: boolean;
}

export interface ArmInfo {
  name: string;
  joints: string[];
  base: string;
  tip: string;
  tools: string[];
  /** Where these tools are at the flange. */
  toolPoses: Record<string, Pose>;
}

export interface NamedPose {
  name: string;
  joints: Record<string, number>;
}

export interface FrameInfo {
  name: string;
  /** In whose base it is; empty: the first arm's. */
  arm: string;
  position: Vec3;
  rpy: Vec3;
}

/** A tool that was taught, at the flange of an arm. */
export interface ToolInfo extends FrameInfo {
  /** Of it and what it carries [kg]; zero: not said. */
  mass: number;
  /** Of that mass, in the tool [m]. */
  centre: Vec3;
}

export interface GripperInfo {
  name: string;
  /** Widths between the fingers [m]. */
  closed: number;
  open: number;
}

/** A box or plane that guards what its links may do. */
export interface WorkspaceBound {
  name: string;
  kind: string;
  position: Vec3;
  quaternion: Quat;
  half_extents: Vec3;
  links: string[];
}

/** What a motor counts: scale · Σ share · position + offset [counts]. */
export interface ActuatorInfo {
  name: string;
  scale: number;
  /** Shares of the joints, by name. */
  joints: Record<string, number>;
  offset: number;
}

export interface RobotInfo {
  name: string;
  mode: Mode;
  joints: JointInfo[];
  arms: ArmInfo[];
  grippers: GripperInfo[];
  poses: NamedPose[];
  /** Those of robot.yaml, which nobody changes here. */
  fixedFrames: FrameInfo[];
  /** These, and those that were taught. */
  frames: FrameInfo[];
  workspace: WorkspaceBound[];
  actuators: ActuatorInfo[];
  inputs: PortInfo[];
  outputs: PortInfo[];
}

/** An input or output, as robot.yaml names it. */
export interface PortInfo {
  name: string;
  /** The device's, from 0; digital and analog count apart. */
  number: number;
  isAnalog: boolean;
  /** An output that goes off when the robot is stopped. */
  falls: boolean;
}

export interface WorldObject {
  name: string;
  shape: string;
  size: number[];
  position: Vec3;
  quaternion: Quat;
  colour: string | null;
  link: string | null;
  mesh: string | null;
}

export type ControlState = 'starting' | 'homing' | 'running' | 'held' | 'stopped' | 'faulted' | 'unknown';

export interface Safety {
  state: ControlState;
  reason: string;
  text: string;
  who: string;
  held: string[];
  link_a: string;
  link_b: string;
  distance: number | null;
  margin: number | null;
  point_a: Vec3 | null;
  point_b: Vec3 | null;
}

export interface ProgramState {
  name: string;
  phase: string;
  line: number;
  /** The request that began it. */
  request: number;
  message: string;
}

export interface Motion {
  phase: string;
  /** The oldest that is being carried out; 0: none. */
  request: number;
  progress: number;
  remaining: number;
  override: number;
  queue_length: number;
  program: ProgramState;
}

export interface Jog {
  phase: string;
  reason: string;
  share: number;
  singular: number | null;
  words: string;
  /** When the wish was made that this is about [ns of the robot's clock]. */
  wish: number;
}

/** The two things of robot and world that are nearest to each other. */
export interface Nearest {
  a: string;
  b: string;
  distance: number;
  margin: number;
  point_a: Vec3 | null;
  point_b: Vec3 | null;
}

export interface Place {
  p: Vec3;
  q: Quat;
}

/** Of an input or output: on or off, or a number where it is analog. */
export type PortValue = boolean | number;

export interface Live {
  t: number;
  /** Why there is no robot behind this page; empty: there is one. */
  gone: string;
  q: number[];
  r: number[];
  /** Each arm's tool in its base; `singular`: the smallest singular value of its Jacobian. */
  tools: Record<string, Place & { tool: string; singular: number | null }>;
  near: Nearest | null;
  /** Where things are that a simulated world moves. */
  objects: Record<string, Place>;
  health: Record<string, unknown>;
  safety: Safety;
  motion: Motion;
  jog: Jog;
  control: { holder: string | null; client: string | null };
  io: { inputs: Record<string, PortValue>; outputs: Record<string, PortValue> };
  grippers: Record<string, number>;
  world: number;
  points: number;
  programs: number;
  frames: number;
  streams: number;
  setup: number;
  /** Counts up when the list of alarms has changed. */
  alarms: number;
  watchers: number;
}

export interface Hello {
  op: 'hello';
  client: string;
  robot: string;
  user: string | null;
  role: Role | null;
  version: string;
}
export interface Event {
  op: 'event';
  kind: string;
  t: number;
  text: string;
  more: Record<string, unknown>;
}
export interface Refused {
  op: 'refused';
  about: string;
  status: number;
  error: string;
  holder: string | null;
  /** The press of a key that it is about, where that was said. */
  press: number | null;
}
/** A press of a key is known to be held. */
export interface Held {
  op: 'held';
  press: number;
}
/** The newest values of the fields of channels that this page draws; null: there is no number. */
export interface PlotMessage {
  op: 'plot';
  /** The server's time [s]. */
  t: number;
  samples: { channel: string; values: Record<string, number | null> }[];
}
export type ServerMessage = Hello | { op: 'live'; live: Live } | Event | Refused | Held | PlotMessage;

export interface Finding {
  /** Of which file; empty: of the program itself. */
  file: string;
  line: number;
  column: number;
  end_column: number | null;
  severity: 'error' | 'warning' | 'note';
  message: string;
}
export interface Step {
  line: number;
  end_line: number;
  kind: string;
  label: string;
  children: Step[];
}
export interface CheckResult {
  findings: Finding[];
  tree: Step[];
  formatted: string | null;
}
export interface GhostRun {
  seconds: number;
  period: number;
  joints: string[];
  positions: number[][];
  lines: number[];
  findings: Finding[];
  /** What it takes for granted of things that only a run sees; empty: nothing. */
  assumption: string;
}

export interface Point {
  name: string;
  joints: Record<string, number>;
  arm: string;
  position: Vec3 | null;
  rpy: Vec3 | null;
  tool: string;
  note: string;
}
export interface PointList {
  points: Point[];
  undo: number;
  redo: number;
}

type Fields = Record<string, unknown>;

export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
export function number(value: unknown, otherwise = 0): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}
export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
export function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
function numbers(value: unknown): number[] {
  return list(value).map((one) => number(one, NaN));
}
export function vec3OrNull(value: unknown): Vec3 | null {
  const all = numbers(value);
  return all.length === 3 && all.every(Number.isFinite) ? (all as Vec3) : null;
}
function mapped<T>(value: unknown, read: (one: unknown) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(fields(value)).map(([name, one]) => [name, read(one)]));
}
function roleOf(value: unknown): Role | null {
  return kRoles.find((role) => role === value) ?? null;
}

export function sessionFrom(value: unknown): Session {
  const json = fields(value);
  return {
    user: textOrNull(json.user),
    role: roleOf(json.role),
    accounts: json.accounts === 'off' ? 'off' : 'on',
    needs_first: json.needs_first === true,
  };
}

function jointFrom(value: unknown): JointInfo {
  const json = fields(value);
  const kind = json.kind === 'prismatic' || json.kind === 'continuous' ? json.kind : 'revolute';
  return {
    name: text(json.name),
    kind,
    lower: number(json.lower, -Math.PI),
    upper: number(json.upper, Math.PI),
    max_velocity: number(json.max_velocity, kind === 'prismatic' ? 0.1 : 0.5),
    is_enabled: json.is_enabled !== false,
  };
}

function armFrom(value: unknown): ArmInfo {
  const json = fields(value);
  return {
    name: text(json.name),
    joints: list(json.joints).map(text),
    base: text(json.base),
    tip: text(json.tip),
    tools: list(json.tools).map((tool) => text(fields(tool).name) || text(tool)),
    toolPoses: Object.fromEntries(list(json.tools).map((tool) => [text(fields(tool).name), placeFrom(fields(tool).at_flange)])),
  };
}

function gripperFrom(value: unknown): GripperInfo {
  const json = fields(value);
  return { name: text(json.name), closed: number(json.closed_width), open: number(json.open_width, 0.1) };
}

interface AnyPose {
  position: Vec3;
  quaternion: Quat | null;
  rpy: Vec3 | null;
}

/** A pose as {p, q}, {position, rpy} or {position, quaternion}; nowhere in particular when it says none. */
function poseFrom(value: unknown): AnyPose {
  const outer = fields(value);
  const json = outer.pose === undefined ? outer : fields(outer.pose);
  const quaternion = numbers(json.q ?? json.quaternion);
  return {
    position: vec3OrNull(json.p ?? json.position) ?? [0, 0, 0],
    quaternion: quaternion.length === 4 && quaternion.every(Number.isFinite) ? (quaternion as Quat) : null,
    rpy: vec3OrNull(json.rpy),
  };
}

function namedPosesFrom(value: unknown): NamedPose[] {
  return list(value).map((one) => ({ name: text(fields(one).name), joints: mapped(fields(one).joints, (v) => number(v)) }));
}

/** Tools or frames that were taught. */
export function framesFrom(value: unknown): FrameInfo[] {
  return list(value).map((frame) => {
    const pose = poseFrom(frame);
    return { name: text(fields(frame).name), arm: text(fields(frame).arm), position: pose.position, rpy: pose.rpy ?? (pose.quaternion ? rpyOfQuat(pose.quaternion) : [0, 0, 0]) };
  });
}

/** Frames of an arm by their names: a taught one means its own, whatever robot.yaml calls so. */
export function joinFrames(fixed: readonly FrameInfo[], own: readonly FrameInfo[]): FrameInfo[] {
  const isTaken = (one: FrameInfo) => own.some((other) => other.name === one.name && (other.arm === '' || other.arm === one.arm));
  return [...own, ...fixed.filter((one) => !isTaken(one))];
}

export function toolsFrom(value: unknown): ToolInfo[] {
  const frames = framesFrom(value);
  return list(value).map((one, i) => {
    const json = fields(one);
    return { ...frames[i]!, arm: text(json.arm), mass: number(json.mass), centre: vec3OrNull(json.centre) ?? [0, 0, 0] };
  });
}

function boundFrom(value: unknown): WorkspaceBound {
  const json = fields(value);
  const pose = poseFrom(value);
  return {
    name: text(json.name),
    kind: text(json.kind),
    position: pose.position,
    quaternion: pose.quaternion ?? [1, 0, 0, 0],
    half_extents: vec3OrNull(json.half_extents) ?? [0.5, 0.5, 0.5],
    links: list(json.links).map(text),
  };
}

function portInfoFrom(value: unknown): PortInfo {
  const json = fields(value);
  return { name: text(json.name), number: number(json.number), isAnalog: json.is_analog === true, falls: json.is_off_at_stop === true };
}

export function robotFrom(value: unknown): RobotInfo {
  const json = fields(value);
  return {
    name: text(json.robot) || text(json.name),
    // whoever is in doubt stands before a real robot
    mode: json.mode === 'simulated' || json.mode === 'emulated' ? json.mode : 'real',
    joints: list(json.joints).map(jointFrom),
    arms: list(json.arms).map(armFrom),
    grippers: list(json.grippers).map(gripperFrom),
    poses: namedPosesFrom(json.postures ?? json.named_poses),
    fixedFrames: framesFrom(json.frames),
    frames: framesFrom(json.frames),
    workspace: list(json.workspace).map(boundFrom),
    inputs: list(json.inputs).map(portInfoFrom),
    outputs: list(json.outputs).map(portInfoFrom),
    actuators: list(json.actuators).map((one) => {
      const motor = fields(one);
      return { name: text(motor.name), scale: number(motor.scale), joints: mapped(motor.joints, (share) => number(share)), offset: number(motor.offset) };
    }),
  };
}

function colourFrom(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  const parts = numbers(value);
  if (parts.length < 3 || !parts.every(Number.isFinite)) return null;
  const hex = (part: number) => Math.round(Math.min(1, Math.max(0, part)) * 255).toString(16).padStart(2, '0');
  return `#${parts.slice(0, 3).map(hex).join('')}`;
}

export function worldFrom(value: unknown): WorldObject[] {
  return list(fields(value).objects ?? value).map((one) => {
    const json = fields(one);
    const pose = poseFrom(one);
    return {
      name: text(json.name),
      shape: text(json.kind) || text(json.shape),
      size: typeof json.size === 'number' ? [json.size] : numbers(json.size),
      position: pose.position,
      quaternion: pose.quaternion ?? [1, 0, 0, 0],
      colour: colourFrom(json.colour ?? json.color),
      link: textOrNull(json.link),
      mesh: textOrNull(json.mesh),
    };
  });
}

const kStates: readonly ControlState[] = ['starting', 'homing', 'running', 'held', 'stopped', 'faulted'];

function safetyFrom(value: unknown): Safety {
  const json = fields(value);
  return {
    state: kStates.find((state) => state === json.state) ?? 'unknown',
    reason: text(json.reason),
    text: text(json.text),
    who: text(json.who),
    held: list(json.held).map(text),
    link_a: text(json.link_a),
    link_b: text(json.link_b),
    distance: numberOrNull(json.distance),
    margin: numberOrNull(json.margin),
    point_a: vec3OrNull(json.point_a),
    point_b: vec3OrNull(json.point_b),
  };
}

function motionFrom(value: unknown): Motion {
  const json = fields(value);
  const program = fields(json.program);
  return {
    phase: text(json.phase) || 'idle',
    progress: number(json.progress),
    request: number(json.request),
    remaining: number(json.remaining),
    override: number(json.override, 1),
    queue_length: number(json.queue_length),
    program: {
      name: text(program.name),
      phase: text(program.phase) || 'none',
      line: number(program.line),
      request: number(program.request),
      message: text(program.message),
    },
  };
}

function jogFrom(value: unknown): Jog {
  const json = fields(value);
  return {
    phase: text(json.phase) || 'idle',
    reason: text(json.reason),
    share: number(json.share),
    singular: numberOrNull(json.singular),
    words: text(json.words),
    wish: number(json.wish),
  };
}

function placeFrom(value: unknown): Place {
  const json = fields(value);
  const q = numbers(json.q);
  return { p: vec3OrNull(json.p) ?? [NaN, NaN, NaN], q: q.length === 4 ? (q as Quat) : [1, 0, 0, 0] };
}

function nearestFrom(value: unknown): Nearest | null {
  const json = fields(value);
  if (typeof json.distance !== 'number') return null;
  return {
    a: text(json.a),
    b: text(json.b),
    distance: json.distance,
    margin: number(json.margin),
    point_a: vec3OrNull(json.point_a),
    point_b: vec3OrNull(json.point_b),
  };
}

function portFrom(value: unknown): PortValue {
  return typeof value === 'number' && Number.isFinite(value) ? value : value === true;
}

export function liveFrom(value: unknown): Live {
  const json = fields(value);
  const control = fields(json.control);
  const io = fields(json.io);
  return {
    t: number(json.t),
    q: numbers(json.q),
    r: numbers(json.r),
    gone: text(json.gone),
    tools: mapped(json.tools, (one) => ({ ...placeFrom(one), tool: text(fields(one).tool), singular: numberOrNull(fields(one).singular) })),
    near: nearestFrom(json.near),
    objects: mapped(json.objects, placeFrom),
    health: fields(json.health),
    safety: safetyFrom(json.safety),
    motion: motionFrom(json.motion),
    jog: jogFrom(json.jog),
    control: { holder: textOrNull(control.holder), client: textOrNull(control.client) },
    io: { inputs: mapped(io.inputs, portFrom), outputs: mapped(io.outputs, portFrom) },
    grippers: mapped(json.grippers, (width) => number(width, NaN)),
    world: number(json.world),
    points: number(json.points),
    programs: number(json.programs),
    frames: number(json.frames),
    streams: number(json.streams),
    setup: number(json.setup),
    alarms: number(json.alarms),
    watchers: number(json.watchers),
  };
}

/** A message of the live socket; nothing for what cannot be read, which is then as if it had not come. */
export function messageFrom(raw: string): ServerMessage | null {
  let json: Fields;
  try {
    json = fields(JSON.parse(raw));
  } catch {
    return null;
  }
  switch (json.op) {
    case 'hello':
      return {
        op: 'hello',
        client: text(json.client),
        robot: text(json.robot),
        user: textOrNull(json.user),
        role: roleOf(json.role),
        version: text(json.version),
      };
    case 'live':
      return { op: 'live', live: liveFrom(json) };
    case 'event':
      return { op: 'event', kind: text(json.kind), t: number(json.t), text: text(json.text), more: json };
    case 'held':
      return { op: 'held', press: number(json.press) };
    case 'refused':
      return {
        op: 'refused',
        about: text(json.about),
        status: number(json.status),
        error: text(json.error),
        holder: textOrNull(json.holder),
        press: numberOrNull(json.press),
      };
    case 'plot':
      return {
        op: 'plot',
        t: number(json.t),
        samples: list(json.samples).map(fields).map((one) => ({ channel: text(one.channel), values: mapped(one.values, numberOrNull) })),
      };
    default:
      return null;
  }
}

function findingFrom(value: unknown): Finding {
  const json = fields(value);
  const severity = json.severity === 'warning' || json.severity === 'note' ? json.severity : 'error';
  return {
    file: text(json.file),
    line: number(json.line, 1),
    column: number(json.column, 1),
    end_column: numberOrNull(json.end_column),
    severity,
    message: text(json.message),
  };
}

function stepFrom(value: unknown): Step {
  const json = fields(value);
  const line = number(json.line, 1);
  return {
    line,
    // 0: not said; the text tells
    end_line: number(json.end_line, 0),
    kind: text(json.kind),
    label: text(json.label),
    children: list(json.children).map(stepFrom),
  };
}

export function checkFrom(value: unknown): CheckResult {
  const json = fields(value);
  return {
    findings: list(json.findings).map(findingFrom),
    tree: list(json.tree).map(stepFrom),
    formatted: typeof json.formatted === 'string' ? json.formatted : null,
  };
}

export function ghostRunFrom(value: unknown): GhostRun {
  const outer = fields(value);
  const json = fields(outer.ghost);
  return {
    seconds: number(json.seconds),
    period: number(json.period, 0.05),
    joints: list(json.joints).map(text),
    positions: list(json.positions).map(numbers),
    lines: numbers(json.lines),
    findings: list(outer.findings).map(findingFrom),
    assumption: text(outer.assumption),
  };
}

export function pointsFrom(value: unknown): PointList {
  const json = fields(value);
  return {
    points: list(json.points).map((one) => {
      const point = fields(one);
      return {
        name: text(point.name),
        joints: mapped(point.joints, (v) => number(v)),
        arm: text(point.arm),
        position: vec3OrNull(point.position),
        rpy: vec3OrNull(point.rpy),
        tool: text(point.tool),
        note: text(point.note),
      };
    }),
    undo: number(json.undo),
    redo: number(json.redo),
  };
}

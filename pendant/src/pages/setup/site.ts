// SPDX-License-Identifier: BSD-3-Clause
// What is set up where the robot stands: limits and bounds. Values and their changes; nothing here knows the page.
import { length, quatOfRpy, scaled, type Quat, type Vec3 } from '../../geometry';
import { fields, list, number, text } from '../../link/protocol';

export type LimitKey = 'lower' | 'upper' | 'velocity';
export const kLimitKeys: readonly LimitKey[] = ['lower', 'upper', 'velocity'];
/** What is not said is as the robot was made. Others than these three are kept as they came. */
export type SiteLimits = Partial<Record<LimitKey | 'acceleration' | 'jerk', number>>;

export interface JointSetup {
  name: string;
  kind: 'revolute' | 'continuous' | 'prismatic';
  isEnabled: boolean;
  /** Infinite where there is none. */
  made: Record<LimitKey, number>;
  /** Null: what the controller runs with is not known. */
  inForce: Record<LimitKey, number> | null;
}

export type BoundKind = 'keep_out' | 'keep_in' | 'plane';

export interface Bound {
  name: string;
  kind: BoundKind;
  /** In the frame of the robot's root: the middle of a box, a point of a plane [m]. */
  position: Vec3;
  /** Of a box [rad]. */
  rpy: Vec3;
  /** Sides of a box [m]. */
  size: Vec3;
  /** Of a plane: towards where the robot may be; of unit length. */
  normal: Vec3;
  /** Only these links and tools; empty: as is usual for its kind. */
  of: string[];
  except: string[];
  /** Names of what it concerns, as the server understood it. */
  guards: string[];
}

/** What can be changed here. */
export interface Draft {
  limits: Record<string, SiteLimits>;
  bounds: Bound[];
}

export interface Setup {
  joints: JointSetup[];
  /** Bounds of robot.yaml: shown, never changed here. */
  fixed: Bound[];
  saved: Draft;
  parts: { links: string[]; tools: string[] };
  mostBounds: number;
  version: string;
  isRunning: boolean;
  isInForce: boolean;
  problem: string;
}

export interface SiteFinding {
  about: string;
  name: string;
  message: string;
}

const kSmallestSide = 0.001;
export const kLongestName = 16;

function vector(value: unknown, otherwise: Vec3 = [0, 0, 0]): Vec3 {
  const parts = list(value).map((one) => number(one, NaN));
  return parts.length === 3 && parts.every(Number.isFinite) ? (parts as Vec3) : otherwise;
}

function limitsFrom(value: unknown): Record<LimitKey, number> {
  const json = fields(value);
  return { lower: number(json.lower, -Infinity), upper: number(json.upper, Infinity), velocity: number(json.velocity, Infinity) };
}

function siteLimitsFrom(value: unknown): SiteLimits {
  const found: SiteLimits = {};
  for (const [key, one] of Object.entries(fields(value))) if (typeof one === 'number') found[key as LimitKey] = one;
  return found;
}

function boundFrom(value: unknown): Bound {
  const json = fields(value);
  const kind = text(json.kind);
  return {
    name: text(json.name),
    kind: kind === 'keep_in' || kind === 'plane' ? kind : 'keep_out',
    position: vector(json.position),
    rpy: vector(json.rpy),
    size: vector(json.size),
    normal: vector(json.normal, [0, 0, 1]),
    of: list(json.of).map(text),
    except: list(json.except).map(text),
    guards: list(json.guards).map(text),
  };
}

export function setupFrom(value: unknown): Setup {
  const json = fields(value);
  const limits: Record<string, SiteLimits> = {};
  const joints = list(json.limits).map((one): JointSetup => {
    const joint = fields(one);
    const site = siteLimitsFrom(joint.site);
    if (Object.keys(site).length > 0) limits[text(joint.name)] = site;
    const kind = text(joint.kind);
    return {
      name: text(joint.name),
      kind: kind === 'prismatic' || kind === 'continuous' ? kind : 'revolute',
      isEnabled: joint.is_enabled !== false,
      made: limitsFrom(joint.made),
      inForce: joint.in_force === null ? null : limitsFrom(joint.in_force),
    };
  });
  const bounds = list(json.bounds);
  const isOfSite = (one: unknown) => fields(one).source === 'site';
  const parts = fields(json.parts);
  return {
    joints,
    fixed: bounds.filter((one) => !isOfSite(one)).map(boundFrom),
    saved: { limits, bounds: bounds.filter(isOfSite).map(boundFrom) },
    parts: { links: list(parts.links).map(text), tools: list(parts.tools).map(text) },
    mostBounds: number(json.most_bounds, 16),
    version: text(json.version),
    isRunning: json.is_running === true,
    isInForce: json.is_in_force === true,
    problem: text(json.problem),
  };
}

export function findingsFrom(value: unknown): SiteFinding[] {
  return list(fields(value).findings).map((one) => ({ about: text(fields(one).about), name: text(fields(one).name), message: text(fields(one).message) }));
}

/** What PUT /api/setup takes. */
export function bodyOf(draft: Draft, version: string): unknown {
  const bounds = draft.bounds.map(({ name, kind, position, rpy, size, normal, of, except }) => ({
    name: name.trim(), kind, position, ...(kind === 'plane' ? { normal } : { rpy, size }), of, except,
  }));
  return { limits: draft.limits, bounds, version };
}

export function sameDraft(a: Draft, b: Draft): boolean {
  const plain = (draft: Draft) => JSON.stringify(bodyOf({ ...draft, limits: Object.fromEntries(Object.entries(draft.limits).sort()) }, ''));
  return plain(a) === plain(b);
}

// ---- limits --------------------------------------------------------------------------------------------------------

/** The limit that would be in force. */
export function limitOf(joint: JointSetup, site: SiteLimits | undefined, key: LimitKey): number {
  return site?.[key] ?? joint.made[key];
}

/** Between which values a limit can be set: narrower than made, and the lower one below the upper one. */
export function rangeOf(joint: JointSetup, site: SiteLimits | undefined, key: LimitKey): { lowest: number; highest: number } {
  if (key === 'velocity') return { lowest: 1e-4, highest: joint.made.velocity };
  const gap = 1e-3;
  if (key === 'lower') return { lowest: joint.made.lower, highest: limitOf(joint, site, 'upper') - gap };
  return { lowest: limitOf(joint, site, 'lower') + gap, highest: joint.made.upper };
}

/** With one limit set; as made is the same as not set. */
export function withLimit(draft: Draft, joint: JointSetup, key: LimitKey, value: number): Draft {
  const site: SiteLimits = { ...draft.limits[joint.name], [key]: value };
  // what is shown with one digit may be a hair off
  if (Math.abs(value - joint.made[key]) < 1e-6) delete site[key];
  const limits = { ...draft.limits, [joint.name]: site };
  if (Object.keys(site).length === 0) delete limits[joint.name];
  return { ...draft, limits };
}

export function withoutLimits(draft: Draft, joint: string): Draft {
  const limits = { ...draft.limits };
  delete limits[joint];
  return { ...draft, limits };
}

// ---- bounds --------------------------------------------------------------------------------------------------------

/** A name that nobody has: "box 2". */
export function freeName(word: string, taken: readonly string[]): string {
  for (let n = 1; ; ++n) if (!taken.includes(`${word} ${n}`)) return `${word} ${n}`;
}

export function newBound(kind: BoundKind, name: string): Bound {
  const base = { name, kind, rpy: [0, 0, 0] as Vec3, normal: [0, 0, 1] as Vec3, of: [], except: [], guards: [] };
  if (kind === 'keep_in') return { ...base, position: [0, 0, 0.6], size: [2, 2, 1.6] };
  if (kind === 'plane') return { ...base, position: [-0.6, 0, 0.4], size: [0, 0, 0], normal: [1, 0, 0] };
  return { ...base, position: [0.6, 0.4, 0.15], size: [0.3, 0.3, 0.3] };
}

export function withBound(draft: Draft, at: number, bound: Bound): Draft {
  return { ...draft, bounds: draft.bounds.map((one, i) => (i === at ? bound : one)) };
}

/** Why a bound cannot be as it is; empty: it can, as far as can be told here. */
export function nameTrouble(bound: Bound, others: readonly Bound[]): '' | 'empty' | 'long' | 'taken' {
  const name = bound.name.trim();
  if (name === '') return 'empty';
  // in bytes, as the file has it
  if (new TextEncoder().encode(name).length > kLongestName) return 'long';
  return others.some((one) => one !== bound && one.name.trim() === name) ? 'taken' : '';
}

export type Guarded = 'robot' | 'tool' | 'some';

/** Whom a bound concerns, in a word. */
export function guardedBy(bound: Bound, parts: Setup['parts']): Guarded {
  const isUsual = bound.of.length === 0 && bound.except.length === 0;
  if (isUsual) return bound.kind === 'keep_in' ? 'tool' : 'robot';
  const holds = (names: string[]) => bound.except.length === 0 && names.length === bound.of.length && names.every((name) => bound.of.includes(name));
  if (holds(parts.tools)) return 'tool';
  return holds(wholeRobot(parts)) ? 'robot' : 'some';
}

function wholeRobot(parts: Setup['parts']): string[] {
  return [...new Set([...parts.links, ...parts.tools])];
}

export function guarding(bound: Bound, who: 'robot' | 'tool', parts: Setup['parts']): Bound {
  const isUsual = (who === 'tool') === (bound.kind === 'keep_in');
  return { ...bound, of: isUsual ? [] : who === 'tool' ? parts.tools : wholeRobot(parts), except: [] };
}

/** The same bound of another kind; whom it concerned it concerns still. */
export function ofKind(bound: Bound, kind: BoundKind, parts: Setup['parts']): Bound {
  const who = guardedBy(bound, parts);
  const size = bound.size.every((side) => side >= kSmallestSide) ? bound.size : ([0.3, 0.3, 0.3] as Vec3);
  const changed = { ...bound, kind, size };
  return who === 'some' ? changed : guarding(changed, who, parts);
}

/** The rotation in which a bound is drawn: z along the normal of a plane. */
export function turnOf(bound: Bound): Quat {
  return bound.kind === 'plane' ? quatToNormal(bound.normal) : quatOfRpy(bound.rpy);
}

/** The shortest turn from z to a direction. */
export function quatToNormal(normal: Vec3): Quat {
  const [x, y, z] = unit(normal);
  // straight down: half a turn about x
  if (z < -1 + 1e-9) return [0, 1, 0, 0];
  const q: Quat = [1 + z, -y, x, 0];
  const size = Math.hypot(...q);
  return q.map((part) => part / size) as Quat;
}

export function unit(a: Vec3): Vec3 {
  const size = length(a);
  return size < 1e-9 ? [0, 0, 1] : scaled(a, 1 / size);
}

/** A box whose face on one side has been dragged by `by` [m] outwards; the face across stays where it is. */
export function faceMoved(bound: Bound, axis: 0 | 1 | 2, side: 1 | -1, by: number, outwards: Vec3): Bound {
  const size = [...bound.size] as Vec3;
  const before = size[axis];
  size[axis] = Math.max(kSmallestSide * 10, before + by);
  const shift = (size[axis] - before) / 2;
  const position = bound.position.map((one, i) => one + shift * side * outwards[i]!) as Vec3;
  return { ...bound, size, position };
}

/** To a tenth of a millimetre, or a hundredth of a degree: what a hand can mean. */
export function tidy(bound: Bound): Bound {
  const to = (step: number) => (value: number) => Math.round(value / step) * step;
  const fine = (values: Vec3, step: number) => values.map((value) => Number(to(step)(value).toFixed(7))) as Vec3;
  return { ...bound, position: fine(bound.position, 1e-4), size: fine(bound.size, 1e-4), rpy: fine(bound.rpy, Math.PI / 18000) };
}

// SPDX-License-Identifier: BSD-3-Clause
// The tool that is being measured: touches and numbers are kept over a reload, since between two touches one jogs.
import type { Vec3 } from '../../geometry';
import type { ArmInfo, ToolInfo } from '../../link/protocol';
import { rest } from '../../link/rest';
import { flangeIn } from '../../link/taught_tool';
import { say } from '../../notices';
import { attempt, live } from '../../robot';
import { kept } from '../../settings';
import { W } from '../../text';
import { fitTool, turnByPlaces, type Touch } from './calibration';

export interface ToolDraft {
  name: string;
  position: Vec3;
  rpy: Vec3;
  mass: number;
  centre: Vec3;
}

export const kNewTool: ToolDraft = { name: 'tool', position: [0, 0, 0], rpy: [0, 0, 0], mass: 0, centre: [0, 0, 0] };

function isNumbers(value: unknown): boolean {
  return Array.isArray(value) && value.length === 3 && value.every(Number.isFinite);
}

function isDraft(value: unknown): boolean {
  const one = value as ToolDraft | null;
  return typeof one?.name === 'string' && typeof one.mass === 'number' && isNumbers(one.position) && isNumbers(one.rpy) && isNumbers(one.centre);
}

export const touches = kept<Touch[]>('touches', [], Array.isArray);
/** The flange while a place on the tool's axis, and one on the side of its X, touched the same point. */
export const turnTouches = kept<{ onAxis: Touch | null; towardsX: Touch | null }>('turnTouches', { onAxis: null, towardsX: null }, (value) => typeof value === 'object' && value !== null);
export const draft = kept<ToolDraft>('toolDraft', kNewTool, isDraft);

export function changeDraft(part: Partial<ToolDraft>): void {
  draft.value = { ...draft.value, ...part };
}

/** A touch with the tip; four and more give where it is. */
export function recordTouch(arm: ArmInfo): void {
  const flange = flangeIn(live.value, arm);
  if (flange) setTouches([...touches.value, flange]);
}

export function setTouches(all: Touch[]): void {
  touches.value = all;
  const fit = fitTool(all);
  if (fit) changeDraft({ position: fit.offset });
}

/** A touch with another place of the tool; both together give how it is turned. */
export function recordTurn(which: 'onAxis' | 'towardsX', arm: ArmInfo): void {
  const flange = flangeIn(live.value, arm);
  if (!flange) return;
  turnTouches.value = { ...turnTouches.value, [which]: flange };
  const rpy = turnOfTouches();
  if (rpy) changeDraft({ rpy });
}

/** The turn that the touches give; null: they do not. */
export function turnOfTouches(): Vec3 | null {
  const { onAxis, towardsX } = turnTouches.value;
  const fit = fitTool(touches.value);
  return fit && onAxis && towardsX ? turnByPlaces({ tip: draft.value.position, point: fit.point, onAxis, towardsX }) : null;
}

export function editTool(tool: ToolInfo): void {
  startOver();
  draft.value = { name: tool.name, position: tool.position, rpy: tool.rpy, mass: tool.mass, centre: tool.centre };
}

export function startOver(): void {
  touches.value = [];
  turnTouches.value = { onAxis: null, towardsX: null };
  draft.value = kNewTool;
}

export async function saveTool(arm: ArmInfo): Promise<void> {
  const { name, ...tool } = draft.value;
  const answer = await attempt(() => rest.put(`/api/tools/${encodeURIComponent(name.trim())}`, { arm: arm.name, ...tool }));
  if (answer !== null) say('info', W.program.saved);
}

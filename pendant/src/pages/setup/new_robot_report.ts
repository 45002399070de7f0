// SPDX-License-Identifier: BSD-3-Clause
// What the server says of a robot that it has made.
import { fields, list, number, text } from '../../link/protocol';

export interface NewJoint {
  name: string;
  kind: string;
  /** Null: not known, or without end. */
  lower: number | null;
  upper: number | null;
  velocity: number | null;
}

export interface NewRobotReport {
  name: string;
  folder: string;
  /** The command that starts it. */
  start: string;
  joints: NewJoint[];
  arms: { name: string; base: string; tip: string; joints: string[]; tools: string[] }[];
  ignoredPairs: number;
  findings: { place: string; what: string; remedy: string }[];
  /** A picture as base64 of a PNG; empty: none could be drawn. */
  picture: string;
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

export function reportFrom(value: unknown): NewRobotReport {
  const json = fields(value);
  return {
    name: text(json.name),
    folder: text(json.folder),
    start: text(json.start),
    joints: list(json.joint_list).map((one) => {
      const joint = fields(one);
      return {
        name: text(joint.name), kind: text(joint.kind),
        lower: numberOrNull(joint.lower), upper: numberOrNull(joint.upper), velocity: numberOrNull(joint.velocity),
      };
    }),
    arms: list(json.chains).map((one) => {
      const arm = fields(one);
      return {
        name: text(arm.name), base: text(arm.base), tip: text(arm.tip),
        joints: list(arm.joints).map(text), tools: list(arm.tools).map((tool) => text(fields(tool).name)),
      };
    }),
    ignoredPairs: number(json.ignored_pairs),
    findings: list(json.findings).map((one) => {
      const finding = fields(one);
      return { place: text(finding.place), what: text(finding.what), remedy: text(finding.remedy) };
    }),
    picture: text(json.picture),
  };
}

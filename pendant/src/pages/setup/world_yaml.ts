// SPDX-License-Identifier: BSD-3-Clause
// Objects of the world as the robot is told of them: a line of YAML.
import { rpyOfQuat, type Vec3 } from '../../geometry';
import type { WorldObject } from '../../link/protocol';

export type Shape = 'box' | 'sphere' | 'cylinder' | 'plane';

const numbers = (all: readonly number[]) => `[${all.map((value) => Number(value.toFixed(6))).join(', ')}]`;

/** `{name: table, box: [1, 0.6, 0.05], at: [0.5, 0, 0.2], rpy: [0, 0, 0]}` */
export function worldYaml(name: string, shape: Shape, size: readonly number[], at: Vec3, rpy: Vec3): string {
  const extent = { box: numbers(size.slice(0, 3)), sphere: String(size[0]), cylinder: numbers(size.slice(0, 2)), plane: '' }[shape];
  return `{name: ${JSON.stringify(name)}, ${shape}: ${extent}, at: ${numbers(at)}, rpy: ${numbers(rpy)}}`;
}

/** To bring an object back that was deleted; null for shapes that live in files, or that a link carries. */
export function yamlOf(object: WorldObject): string | null {
  const shape = (['box', 'sphere', 'cylinder', 'plane'] as const).find((one) => one === object.shape);
  if (!shape || object.link !== null) return null;
  return worldYaml(object.name, shape, object.size, object.position, rpyOfQuat(object.quaternion));
}

// SPDX-License-Identifier: BSD-3-Clause
// Plain shapes as things are made: with edges that catch the light.
import * as THREE from 'three';
import { RoundedBoxGeometry } from 'three/examples/jsm/geometries/RoundedBoxGeometry.js';

const kBevel_m = 0.005;
const kSides = 48;

export function boxOf(a: number, b: number, c: number): THREE.BufferGeometry {
  const bevel = Math.min(kBevel_m, 0.15 * Math.min(a, b, c));
  return bevel < 1e-4 ? new THREE.BoxGeometry(a, b, c) : new RoundedBoxGeometry(a, b, c, 2, bevel);
}

/** About the y axis, as three.js has them. */
export function cylinderOf(radius: number, length: number): THREE.BufferGeometry {
  const bevel = Math.min(0.6 * kBevel_m, 0.2 * radius, 0.2 * length);
  const [r, h] = [radius - bevel, length / 2];
  // points that are there twice keep the faces flat
  const outline = [[0, -h], [r, -h], [r, -h], [radius, bevel - h], [radius, bevel - h], [radius, h - bevel], [radius, h - bevel], [r, h], [r, h], [0, h]];
  return new THREE.LatheGeometry(outline.map(([x, y]) => new THREE.Vector2(x, y)), kSides);
}

/** The same for the shapes that a URDF's reader has made, which are of size one and scaled. */
export function refine(mesh: THREE.Mesh): void {
  const { geometry, scale } = mesh;
  const { x, y, z } = scale;
  if (!(x > 0 && y > 0 && z > 0)) return;
  if (geometry instanceof THREE.BoxGeometry) mesh.geometry = boxOf(x, y, z);
  else if (geometry instanceof THREE.CylinderGeometry && x === z) mesh.geometry = cylinderOf(x, y);
  else return;
  geometry.dispose();
  scale.set(1, 1, 1);
}

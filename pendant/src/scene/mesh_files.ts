// SPDX-License-Identifier: BSD-3-Clause
// Reads shapes from files. It comes when a robot or a thing has such shapes: many have none.
import * as THREE from 'three';
import { ColladaLoader } from 'three/examples/jsm/loaders/ColladaLoader.js';
import { STLLoader } from 'three/examples/jsm/loaders/STLLoader.js';

export async function readMesh(path: string, material: THREE.Material): Promise<THREE.Object3D> {
  if (/\.stl(\?|$)/i.test(path)) return new THREE.Mesh(await new STLLoader().loadAsync(path), material);
  if (!/\.dae(\?|$)/i.test(path)) throw new Error(`${path} is neither STL nor Collada`);
  const read = await new ColladaLoader().loadAsync(path);
  if (!read) throw new Error(`${path} holds nothing`);
  return read.scene;
}

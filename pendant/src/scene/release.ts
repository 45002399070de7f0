// SPDX-License-Identifier: BSD-3-Clause
import * as THREE from 'three';

type Drawn = THREE.Object3D & { geometry?: THREE.BufferGeometry; material?: THREE.Material | THREE.Material[] };

/** Takes a thing out of the picture and gives back what the graphics card holds for it. Textures of labels go with them. */
export function release(root: THREE.Object3D): void {
  root.removeFromParent();
  root.userData.isReleased = true;
  root.traverse((one) => {
    const { geometry, material } = one as Drawn;
    // all labels share one geometry
    if (!(one instanceof THREE.Sprite)) geometry?.dispose();
    else one.material.map?.dispose();
    for (const each of Array.isArray(material) ? material : material ? [material] : []) each.dispose();
  });
}

/** The same for all that a group holds. */
export function releaseAll(group: THREE.Object3D): void {
  for (const one of [...group.children]) release(one);
}

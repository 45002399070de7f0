// SPDX-License-Identifier: BSD-3-Clause
import * as THREE from 'three';

const kMost = 900;
const kStep_m = 0.002;

/** Where the tool has been: a line of the last places, two millimetres apart at least. */
export class Trace {
  private readonly places = new Float32Array(3 * kMost);
  private readonly attribute = new THREE.BufferAttribute(this.places, 3);
  private readonly material = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.85 });
  private count = 0;
  private readonly last = new THREE.Vector3(NaN, NaN, NaN);
  readonly line: THREE.Line;

  constructor() {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', this.attribute);
    geometry.setDrawRange(0, 0);
    this.line = new THREE.Line(geometry, this.material);
    this.line.frustumCulled = false;
    this.line.visible = false;
  }

  append(place: THREE.Vector3): void {
    if (!this.line.visible || !(this.count === 0 || this.last.distanceTo(place) >= kStep_m)) return;
    this.last.copy(place);
    if (this.count === kMost) {
      this.places.copyWithin(0, 3);
      this.count -= 1;
    }
    this.places.set([place.x, place.y, place.z], 3 * this.count);
    this.count += 1;
    this.attribute.needsUpdate = true;
    this.line.geometry.setDrawRange(0, this.count);
  }

  setShown(isShown: boolean): void {
    this.line.visible = isShown;
    this.count = 0;
    this.last.set(NaN, NaN, NaN);
    this.line.geometry.setDrawRange(0, 0);
  }

  setColour(colour: string): void {
    this.material.color.set(colour);
  }
}

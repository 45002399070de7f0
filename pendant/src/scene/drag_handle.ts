// SPDX-License-Identifier: BSD-3-Clause
import * as THREE from 'three';
import { TransformControls } from 'three/examples/jsm/controls/TransformControls.js';
import type { Quat, Vec3 } from '../geometry';

export interface DragHandleEvents {
  changed: () => void;
  dragging: (isDragging: boolean) => void;
}

/** Arrows and rings in the picture that a finger can take. Poses are in the frame of the link it was started on. */
export class DragHandle {
  readonly root = new THREE.Group();
  private readonly controls: TransformControls;
  private readonly grip = new THREE.Object3D();
  private moved: ((p: Vec3, q: Quat) => void) | null = null;

  constructor(camera: THREE.Camera, canvas: HTMLElement, events: DragHandleEvents) {
    this.controls = new TransformControls(camera, canvas);
    this.controls.setSize(0.9);
    this.controls.setColors('#d4472f', '#2f9a55', '#2f74d4', '#b07cff');
    this.controls.setSpace('local');
    this.root.add(this.controls.getHelper());
    this.controls.addEventListener('change', events.changed);
    this.controls.addEventListener('dragging-changed', (event) => events.dragging(event.value === true));
    this.controls.addEventListener('objectChange', () => this.tell());
    this.stop();
  }

  start(frame: THREE.Object3D, p: Vec3, q: Quat, moved: (p: Vec3, q: Quat) => void): void {
    frame.add(this.grip);
    this.place(p, q);
    this.moved = moved;
    this.controls.attach(this.grip);
    this.controls.enabled = true;
  }

  place(p: Vec3, q: Quat): void {
    this.grip.position.set(...p);
    this.grip.quaternion.set(q[1], q[2], q[3], q[0]).normalize();
  }

  /** Where it is in the picture [px], from the left and from above; null: it is not there. */
  placeIn(camera: THREE.Camera, width: number, height: number): [number, number] | null {
    if (!this.grip.parent) return null;
    const seen = this.grip.getWorldPosition(new THREE.Vector3()).project(camera);
    return [((seen.x + 1) / 2) * width, ((1 - seen.y) / 2) * height];
  }

  setMode(mode: 'translate' | 'rotate'): void {
    this.controls.setMode(mode);
    this.controls.setSpace(mode === 'translate' ? 'world' : 'local');
  }

  stop(): void {
    this.controls.detach();
    this.controls.enabled = false;
    this.grip.removeFromParent();
    this.moved = null;
  }

  private tell(): void {
    const { position: p, quaternion: q } = this.grip;
    this.moved?.([p.x, p.y, p.z], [q.w, q.x, q.y, q.z]);
  }
}

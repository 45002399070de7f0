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
  /** Made when it is first needed. */
  private controls: TransformControls | null = null;
  private readonly grip = new THREE.Object3D();
  private moved: ((p: Vec3, q: Quat) => void) | null = null;

  constructor(private readonly camera: THREE.Camera, private readonly canvas: HTMLElement, private readonly events: DragHandleEvents) {}

  private made(): TransformControls {
    if (this.controls) return this.controls;
    const controls = (this.controls = new TransformControls(this.camera, this.canvas));
    controls.setSize(0.9);
    controls.setColors('#d4472f', '#2f9a55', '#2f74d4', '#b07cff');
    controls.setSpace('local');
    this.root.add(controls.getHelper());
    controls.addEventListener('change', this.events.changed);
    controls.addEventListener('dragging-changed', (event) => this.events.dragging(event.value === true));
    controls.addEventListener('objectChange', () => this.tell());
    return controls;
  }

  start(frame: THREE.Object3D, p: Vec3, q: Quat, moved: (p: Vec3, q: Quat) => void): void {
    const controls = this.made();
    frame.add(this.grip);
    this.place(p, q);
    this.moved = moved;
    controls.attach(this.grip);
    controls.enabled = true;
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
    this.controls?.setMode(mode);
    this.controls?.setSpace(mode === 'translate' ? 'world' : 'local');
  }

  stop(): void {
    this.controls?.detach();
    if (this.controls) this.controls.enabled = false;
    this.grip.removeFromParent();
    this.moved = null;
  }

  private tell(): void {
    const { position: p, quaternion: q } = this.grip;
    this.moved?.([p.x, p.y, p.z], [q.w, q.x, q.y, q.z]);
  }
}

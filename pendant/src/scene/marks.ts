// SPDX-License-Identifier: BSD-3-Clause
// Small things that mark places in the picture: frames, their names, and the two places that come too near to each other.
import * as THREE from 'three';
import type { Vec3 } from '../geometry';
import type { Place } from '../link/protocol';

export function axes(size: number): THREE.Object3D {
  const helper = new THREE.AxesHelper(size);
  helper.setColors(new THREE.Color('#d4472f'), new THREE.Color('#2f9a55'), new THREE.Color('#2f74d4'));
  const material = helper.material as THREE.LineBasicMaterial;
  material.depthTest = false;
  helper.renderOrder = 2;
  helper.userData.isAxes = true;
  return helper;
}

/** A frame with its name beside it. */
export function namedAxes(size: number, name: string, { p, q }: Place, colours: { ink: string; ground: string }): THREE.Object3D {
  const frame = new THREE.Group();
  const label = labelOf(name, colours.ink, colours.ground);
  label.position.set(0, 0, size * 1.25);
  frame.add(axes(size), label);
  label.userData.isAxes = true;
  frame.position.set(...p);
  frame.quaternion.set(q[1], q[2], q[3], q[0]).normalize();
  return frame;
}

/** The name on a small plate that faces the camera, of one size at any distance. */
export function labelOf(name: string, colour: string, ground: string): THREE.Sprite {
  const canvas = document.createElement('canvas');
  const height = 56;
  const font = '600 34px system-ui, sans-serif';
  const measure = canvas.getContext('2d')!;
  measure.font = font;
  canvas.width = Math.ceil(measure.measureText(name).width) + 36;
  canvas.height = height;
  const pen = canvas.getContext('2d')!;
  pen.fillStyle = ground;
  pen.globalAlpha = 0.9;
  pen.beginPath();
  pen.roundRect(0, 0, canvas.width, height, 14);
  pen.fill();
  pen.globalAlpha = 1;
  pen.font = font;
  pen.fillStyle = colour;
  pen.textBaseline = 'middle';
  pen.fillText(name, 18, height / 2 + 2);
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace;
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map, depthTest: false, sizeAttenuation: false, fog: false }));
  sprite.scale.set((0.028 * canvas.width) / height, 0.028, 1);
  sprite.renderOrder = 3;
  return sprite;
}

/** Two balls and a line between them; they are moved, not made anew. */
export class ContactMarks {
  readonly root = new THREE.Group();
  private readonly material = new THREE.MeshBasicMaterial({ depthTest: false });
  private readonly lineMaterial = new THREE.LineBasicMaterial({ depthTest: false });
  private readonly balls: THREE.Mesh[];
  private readonly ends = new THREE.BufferAttribute(new Float32Array(6), 3);

  constructor() {
    const ball = new THREE.SphereGeometry(0.012, 12, 8);
    this.balls = [new THREE.Mesh(ball, this.material), new THREE.Mesh(ball, this.material)];
    const line = new THREE.BufferGeometry();
    line.setAttribute('position', this.ends);
    const between = new THREE.Line(line, this.lineMaterial);
    for (const one of [...this.balls, between]) one.frustumCulled = false;
    this.root.add(...this.balls, between);
    this.root.visible = false;
  }

  setColour(colour: string): void {
    this.material.color.set(colour);
    this.lineMaterial.color.set(colour);
  }

  /** False when that changed nothing to be seen. */
  show(places: { a: Vec3; b: Vec3 } | null): boolean {
    const wasShown = this.root.visible;
    this.root.visible = places !== null;
    if (!places) return wasShown;
    this.balls[0]!.position.set(...places.a);
    this.balls[1]!.position.set(...places.b);
    this.ends.setXYZ(0, ...places.a);
    this.ends.setXYZ(1, ...places.b);
    this.ends.needsUpdate = true;
    return true;
  }
}

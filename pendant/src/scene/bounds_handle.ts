// SPDX-License-Identifier: BSD-3-Clause
import * as THREE from 'three';
import type { Quat, Vec3 } from '../geometry';
import type { BoundEvents, DrawnBound, HandleMode } from './bounds_shown';
import type { BoundsView } from './bounds_view';
import { DragHandle } from './drag_handle';

const kKnob_px = 11;
/** Where a finger takes a knob: 52 px across. */
const kHit_px = 26;
const kTap_px = 6;

interface Knob {
  axis: 0 | 1 | 2;
  side: 1 | -1;
  dot: THREE.Mesh;
}

interface KnobDrag {
  knob: Knob;
  pointer: number;
  from: THREE.Vector3;
  along: THREE.Vector3;
  start: number;
}

export interface BoundsHandleParts {
  camera: THREE.PerspectiveCamera;
  canvas: HTMLCanvasElement;
  view: BoundsView;
  changed: () => void;
  dragging: (isDragging: boolean) => void;
}

/** What a finger can do to the bounds in the picture: tap one; drag, turn, or pull at a face of the chosen one. */
export class BoundsHandle {
  readonly root = new THREE.Group();
  private readonly arrows: DragHandle;
  private readonly knobs: Knob[] = [];
  private readonly knobGroup = new THREE.Group();
  private readonly frame = new THREE.Group();
  private readonly ray = new THREE.Raycaster();
  private events: BoundEvents | null = null;
  private mode: HandleMode | null = null;
  private drag: KnobDrag | null = null;
  private isHeld = false;
  private tap: { x: number; y: number } | null = null;

  constructor(private readonly parts: BoundsHandleParts) {
    this.arrows = new DragHandle(parts.camera, parts.canvas, {
      changed: parts.changed,
      dragging: (isDragging) => this.hold(isDragging),
    });
    for (const axis of [0, 1, 2] as const) for (const side of [1, -1] as const) this.addKnob(axis, side);
    this.root.add(this.frame, this.arrows.root, this.knobGroup);
    // before the camera's own controls, which would turn the picture
    parts.canvas.addEventListener('pointerdown', (event) => this.down(event), { capture: true });
    parts.canvas.addEventListener('pointermove', (event) => this.move(event));
    for (const end of ['pointerup', 'pointercancel'] as const) parts.canvas.addEventListener(end, (event) => this.up(event));
  }

  setColour(colour: string): void {
    for (const { dot } of this.knobs) (dot.material as THREE.MeshBasicMaterial).color.set(colour);
  }

  /** Handles on `bound`, or none. While a finger holds one, what it has made comes back here and changes nothing. */
  show(bound: DrawnBound | null, mode: HandleMode | null, events: BoundEvents | null): void {
    this.events = events;
    const isSame = mode === this.mode && this.isHeld;
    this.mode = bound ? mode : null;
    this.knobGroup.visible = bound !== null && this.mode === 'size' && bound.kind !== 'plane';
    if (bound) this.placeKnobs(bound);
    if (isSame) return;
    const hasArrows = bound !== null && (this.mode === 'move' || this.mode === 'turn');
    if (!hasArrows) return this.arrows.stop();
    this.arrows.start(this.frame, bound.position, bound.quaternion, (p: Vec3, q: Quat) => this.events?.posed(p, q));
    this.arrows.setMode(this.mode === 'move' ? 'translate' : 'rotate');
  }

  /** Knobs keep their size on the screen. Called before each picture; answers where they are in it [px], for who looks from outside. */
  rescale(): string {
    if (!this.knobGroup.visible) return '';
    for (const { dot } of this.knobs) dot.scale.setScalar(this.perPixel(dot.position) * kKnob_px);
    return this.knobs.map((knob) => this.seen(knob).map(Math.round).join(',')).join(' ');
  }

  /** Where a knob is in the picture [px]. */
  private seen(knob: Knob): [number, number] {
    const { clientWidth: width, clientHeight: height } = this.parts.canvas;
    const { x, y } = knob.dot.position.clone().project(this.parts.camera);
    return [((x + 1) / 2) * width, ((1 - y) / 2) * height];
  }

  private perPixel(place: THREE.Vector3): number {
    const { camera, canvas } = this.parts;
    const height = 2 * camera.position.distanceTo(place) * Math.tan((camera.fov * Math.PI) / 360);
    return height / Math.max(canvas.clientHeight, 1);
  }

  private addKnob(axis: 0 | 1 | 2, side: 1 | -1): void {
    const dot = new THREE.Mesh(new THREE.SphereGeometry(1, 20, 14), new THREE.MeshBasicMaterial({ depthTest: false, transparent: true }));
    dot.renderOrder = 4;
    this.knobGroup.add(dot);
    this.knobs.push({ axis, side, dot });
  }

  private placeKnobs(bound: DrawnBound): void {
    const [w, x, y, z] = bound.quaternion;
    this.knobGroup.userData.turn = new THREE.Quaternion(x, y, z, w).normalize();
    for (const { axis, side, dot } of this.knobs) {
      dot.position.set(0, 0, 0).setComponent(axis, (side * bound.size[axis]) / 2);
      dot.position.applyQuaternion(this.knobGroup.userData.turn as THREE.Quaternion).add(new THREE.Vector3(...bound.position));
    }
  }

  private aim(event: PointerEvent): void {
    const box = this.parts.canvas.getBoundingClientRect();
    const place = new THREE.Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    this.ray.setFromCamera(place, this.parts.camera);
  }

  /** The knob nearest to the finger, within reach of it. */
  private knobAt(event: PointerEvent): Knob | null {
    const box = this.parts.canvas.getBoundingClientRect();
    const away = (knob: Knob) => {
      const [x, y] = this.seen(knob);
      return Math.hypot(x + box.left - event.clientX, y + box.top - event.clientY);
    };
    const [nearest] = [...this.knobs].sort((a, b) => away(a) - away(b));
    return nearest && away(nearest) <= kHit_px ? nearest : null;
  }

  private down(event: PointerEvent): void {
    this.tap = { x: event.clientX, y: event.clientY };
    const knob = this.knobGroup.visible ? this.knobAt(event) : null;
    if (!knob) return;
    event.stopImmediatePropagation();
    this.parts.canvas.setPointerCapture(event.pointerId);
    const along = new THREE.Vector3().setComponent(knob.axis, knob.side).applyQuaternion(this.knobGroup.userData.turn as THREE.Quaternion);
    this.drag = { knob, pointer: event.pointerId, from: knob.dot.position.clone(), along, start: 0 };
    this.aim(event);
    this.drag.start = this.reach();
    this.hold(true);
  }

  private move(event: PointerEvent): void {
    if (!this.drag || event.pointerId !== this.drag.pointer) return;
    this.aim(event);
    const by = this.reach() - this.drag.start;
    if (Number.isFinite(by)) this.events?.faced(this.drag.knob.axis, this.drag.knob.side, by);
  }

  private up(event: PointerEvent): void {
    const tap = this.tap;
    this.tap = null;
    if (this.drag?.pointer === event.pointerId) {
      this.drag = null;
      this.hold(false);
      return;
    }
    if (!tap || !this.events || this.isHeld || Math.hypot(event.clientX - tap.x, event.clientY - tap.y) > kTap_px) return;
    this.aim(event);
    const picked = this.parts.view.pick(this.ray);
    if (picked !== null) this.events.picked(picked);
  }

  /** How far along the knob's line the finger is: where the two lines come nearest. */
  private reach(): number {
    const { from, along } = this.drag!;
    const { origin, direction } = this.ray.ray;
    const between = from.clone().sub(origin);
    const slant = along.dot(direction);
    return (slant * direction.dot(between) - along.dot(between)) / Math.max(1 - slant * slant, 1e-6);
  }

  private hold(isHeld: boolean): void {
    if (isHeld === this.isHeld) return;
    this.isHeld = isHeld;
    this.parts.dragging(isHeld);
    if (isHeld) this.events?.began();
    else this.events?.ended();
  }
}

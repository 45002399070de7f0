// SPDX-License-Identifier: BSD-3-Clause
import * as THREE from 'three';
import type { URDFRobot } from 'urdf-loader';
import type { Quat, Vec3 } from '../geometry';
import type { Place, WorldObject } from '../link/protocol';
import { Ground } from './ground';
import { kPalettes, type Palette } from './palette';
import { release } from './release';
import { matt } from './robot_model';
import { boxOf, cylinderOf } from './shapes';

/** The floor, and the objects of the world. */
export class Surroundings {
  readonly root = new THREE.Group();
  readonly objects = new THREE.Group();
  private readonly ground = new Ground();
  private palette: Palette = kPalettes.bright;
  private robot: URDFRobot | null = null;
  private shown: readonly WorldObject[] = [];
  /** What is shown, and of what it was made. */
  private byName = new Map<string, { shape: THREE.Object3D; made: string }>();

  constructor() {
    this.root.add(this.ground.root, this.objects);
  }

  setPalette(palette: Palette): void {
    this.palette = palette;
    this.ground.setPalette(palette, false);
    this.setObjects(this.shown, () => undefined);
  }

  /** Things throw shadows from now on. */
  showShadows(): void {
    this.ground.showShadows();
  }

  /** The floor of a recording is another one. */
  showPast(isPast: boolean): void {
    this.ground.setPalette(this.palette, isPast);
  }

  /** Whose links carry things; null: what is carried stands in the world meanwhile. */
  setRobot(robot: URDFRobot | null): void {
    this.robot = robot;
    this.setObjects(this.shown, () => undefined);
  }

  /** `loaded` is called when a mesh has come. What has only moved is not made anew. */
  setObjects(objects: readonly WorldObject[], loaded: () => void): void {
    this.shown = objects;
    const before = this.byName;
    this.byName = new Map();
    for (const object of objects) {
      const made = JSON.stringify([object.shape, object.size, object.mesh, object.colour, this.palette.object]);
      const old = before.get(object.name);
      const shape = old?.made === made ? old.shape : this.shapeOf(object, loaded);
      if (!shape) continue;
      if (shape === old?.shape) before.delete(object.name);
      put(shape, object.position, object.quaternion);
      this.byName.set(object.name, { shape, made });
      const link = object.link === null ? undefined : this.robot?.links[object.link];
      (link ?? this.objects).add(shape);
    }
    for (const { shape } of before.values()) release(shape);
  }

  /** Things that have moved; true when one of them is shown and has. */
  move(places: Readonly<Record<string, Place>>): boolean {
    let hasMoved = false;
    for (const [name, { p, q }] of Object.entries(places)) {
      const shape = this.byName.get(name)?.shape;
      if (!shape || !p.every(Number.isFinite)) continue;
      const before = shape.position.clone();
      const turn = shape.quaternion.clone();
      put(shape, p, q);
      if (before.distanceTo(shape.position) > 1e-5 || Math.abs(turn.dot(shape.quaternion)) < 0.99999) hasMoved = true;
    }
    return hasMoved;
  }

  private shapeOf(object: WorldObject, loaded: () => void): THREE.Object3D | null {
    const [a = 0.1, b = a, c = b] = object.size;
    const material = matt(object.colour ?? colourOf(object.name, this.palette));
    const group = new THREE.Group();
    group.name = object.name;
    switch (object.shape) {
      case 'box':
        group.add(solid(boxOf(a, b, c), material));
        return group;
      case 'sphere':
        group.add(solid(new THREE.SphereGeometry(a, 32, 20), material));
        return group;
      case 'cylinder': {
        const cylinder = solid(cylinderOf(a, b), material);
        cylinder.rotation.x = Math.PI / 2;
        group.add(cylinder);
        return group;
      }
      case 'plane':
        // the page has a ground of its own
        if (object.name === 'floor' && Math.abs(object.position[2]) < 1e-3) return null;
        group.add(planeOf(this.palette));
        return group;
      case 'mesh':
        if (!object.mesh?.toLowerCase().includes('.stl')) {
          // a thing whose shape the page cannot have: a small box says that something is there
          group.add(solid(new THREE.BoxGeometry(0.04, 0.04, 0.04), material));
          return group;
        }
        void addMesh(object.mesh, material, group).then(() => {
          group.scale.setScalar(object.size[0] ?? 1);
          loaded();
        }, (error: unknown) => console.warn(error));
        return group;
      default:
        return null;
    }
  }
}

async function addMesh(path: string, material: THREE.Material, group: THREE.Object3D): Promise<void> {
  const { readMesh } = await import('./mesh_files');
  const read = await readMesh(path, material);
  // it may be gone by the time its mesh is here
  if (group.userData.isReleased) return release(read);
  group.add(withShadows(read));
}

function put(shape: THREE.Object3D, p: Vec3, [w, x, y, z]: Quat): void {
  shape.position.set(...p);
  shape.quaternion.set(x, y, z, w).normalize();
}

/** Objects without a colour of their own get one by their name, so that towers of discs can be told apart. */
function colourOf(name: string, palette: Palette): string {
  const digits = /(\d+)$/.exec(name)?.[1];
  return digits === undefined ? palette.object : kSeries[Number(digits) % kSeries.length]!;
}
const kSeries = ['#0b7f98', '#d9822b', '#6b35bd', '#2e8540', '#b3245f', '#c9a400', '#3763c9'];

function solid(geometry: THREE.BufferGeometry, material: THREE.Material): THREE.Object3D {
  return withShadows(new THREE.Mesh(geometry, material));
}

function withShadows(body: THREE.Object3D): THREE.Object3D {
  body.traverse((one) => (one.castShadow = one.receiveShadow = true));
  return body;
}

function planeOf(palette: Palette): THREE.Object3D {
  const material = new THREE.MeshBasicMaterial({ color: palette.object, transparent: true, opacity: 0.08, side: THREE.DoubleSide, depthWrite: false });
  return new THREE.Mesh(new THREE.PlaneGeometry(2.4, 2.4), material);
}

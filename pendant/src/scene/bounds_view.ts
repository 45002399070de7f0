// SPDX-License-Identifier: BSD-3-Clause
import * as THREE from 'three';
import type { DrawnBound } from './bounds_shown';
import { labelOf } from './marks';
import type { Palette } from './palette';
import { releaseAll } from './release';

const kPlaneSide = 1.8; // [m]

/** Bounds of the workspace as bodies of glass. Which side is forbidden is hatched, so that no colour has to tell it. */
export class BoundsView {
  readonly root = new THREE.Group();
  private hatches = new Map<string, THREE.Texture>();

  /** `isFaint`: for a look beside other things; `chosen` stands out. */
  draw(bounds: readonly DrawnBound[], chosen: number | null, isFaint: boolean, palette: Palette): void {
    releaseAll(this.root);
    bounds.forEach((bound, i) => {
      const shape = this.shapeOf(bound, i === chosen, isFaint, palette);
      shape.position.set(...bound.position);
      const [w, x, y, z] = bound.quaternion;
      shape.quaternion.set(x, y, z, w).normalize();
      shape.userData.bound = i;
      this.root.add(shape);
    });
  }

  /** The bound that a ray meets first; null: none. */
  pick(ray: THREE.Raycaster): number | null {
    const hits = ray.intersectObjects(this.root.children, true).filter((hit) => hit.object instanceof THREE.Mesh && hit.object.userData.isFace === true);
    for (let one: THREE.Object3D | null = hits[0]?.object ?? null; one; one = one.parent)
      if (typeof one.userData.bound === 'number') return one.userData.bound;
    return null;
  }

  private shapeOf(bound: DrawnBound, isChosen: boolean, isFaint: boolean, palette: Palette): THREE.Group {
    const group = new THREE.Group();
    const colour = bound.kind === 'keep_in' ? palette.trace : palette.bad;
    const strength = (isChosen ? 1.5 : 1) * (isFaint ? 0.35 : 1);
    if (bound.kind === 'plane') group.add(...this.plane(colour, strength, isChosen));
    else group.add(...this.box(bound, colour, strength, isChosen));
    if (!isFaint) {
      const label = labelOf(bound.name, colour, palette.sky);
      label.position.set(0, 0, bound.kind === 'plane' ? 0.06 : bound.size[2] / 2 + 0.05);
      group.add(label);
    }
    return group;
  }

  private box(bound: DrawnBound, colour: string, strength: number, isChosen: boolean): THREE.Object3D[] {
    const geometry = new THREE.BoxGeometry(...bound.size);
    const isInside = bound.kind === 'keep_in';
    // of a box to stay in, the walls across are seen from inside
    const side = isInside ? THREE.BackSide : THREE.FrontSide;
    const faces = new THREE.Mesh(geometry, glass(colour, (isInside ? 0.07 : 0.16) * strength, side));
    faces.userData.isFace = true;
    const hatch = new THREE.Mesh(hatchScaled(geometry.clone(), bound.size), this.hatched(colour, (isInside ? 0.12 : 0.5) * strength, side));
    return [faces, hatch, edgesOf(geometry, colour, isInside, isChosen, strength)];
  }

  private plane(colour: string, strength: number, isChosen: boolean): THREE.Object3D[] {
    const geometry = new THREE.PlaneGeometry(kPlaneSide, kPlaneSide);
    const faces = new THREE.Mesh(geometry, glass(colour, 0.12 * strength, THREE.DoubleSide));
    faces.userData.isFace = true;
    const hatch = new THREE.Mesh(hatchScaled(geometry.clone(), [kPlaneSide, kPlaneSide, 0]), this.hatched(colour, 0.4 * strength, THREE.DoubleSide));
    // an arrow to where the robot may be
    const arrow = new THREE.ArrowHelper(new THREE.Vector3(0, 0, 1), new THREE.Vector3(), 0.22, new THREE.Color(colour), 0.08, 0.05);
    return [faces, hatch, edgesOf(geometry, colour, false, isChosen, strength), arrow];
  }

  private hatched(colour: string, opacity: number, side: THREE.Side): THREE.Material {
    const map = this.hatches.get(colour) ?? hatchTexture(colour);
    this.hatches.set(colour, map);
    return new THREE.MeshBasicMaterial({ map, transparent: true, opacity, side, depthWrite: false });
  }
}

function glass(colour: string, opacity: number, side: THREE.Side): THREE.Material {
  return new THREE.MeshBasicMaterial({ color: colour, transparent: true, opacity, side, depthWrite: false });
}

function edgesOf(geometry: THREE.BufferGeometry, colour: string, isDashed: boolean, isChosen: boolean, strength: number): THREE.Object3D {
  const look = { color: colour, transparent: true, opacity: Math.min(1, (isChosen ? 1 : 0.8) * Math.max(strength, 0.5)) };
  const material = isDashed ? new THREE.LineDashedMaterial({ ...look, dashSize: 0.05, gapSize: 0.03 }) : new THREE.LineBasicMaterial(look);
  const lines = new THREE.LineSegments(new THREE.EdgesGeometry(geometry), material);
  lines.computeLineDistances();
  return lines;
}

/** Stripes of the same width on each face, whatever its size. */
function hatchScaled(geometry: THREE.BufferGeometry, [x, y, z]: readonly [number, number, number] | number[]): THREE.BufferGeometry {
  const perMetre = 12;
  const sides = [[z!, y!], [z!, y!], [x!, z!], [x!, z!], [x!, y!], [x!, y!]];
  const uv = geometry.getAttribute('uv');
  for (let i = 0; i < uv.count; ++i) {
    const [across, along] = z === 0 ? [x!, y!] : sides[Math.floor(i / 4)]!;
    uv.setXY(i, uv.getX(i) * across! * perMetre, uv.getY(i) * along! * perMetre);
  }
  return geometry;
}

function hatchTexture(colour: string): THREE.Texture {
  const side = 64;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = side;
  const pen = canvas.getContext('2d')!;
  pen.strokeStyle = colour;
  pen.lineWidth = 7;
  for (const shift of [-side, 0, side]) {
    pen.beginPath();
    pen.moveTo(shift - 8, side + 8);
    pen.lineTo(shift + side + 8, -8);
    pen.stroke();
  }
  const texture = new THREE.CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.anisotropy = 4;
  return texture;
}

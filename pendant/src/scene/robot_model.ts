// SPDX-License-Identifier: BSD-3-Clause
import * as THREE from 'three';
import URDFLoader, { type URDFRobot } from 'urdf-loader';
import { refine } from './shapes';

/** How bodies are painted: plainly. A browser without a graphics card draws finer paint several times as long. */
export function matt(colour: THREE.ColorRepresentation): THREE.MeshLambertMaterial {
  return new THREE.MeshLambertMaterial({ color: colour });
}

/** A robot from its URDF, whose mesh paths lead to the server. `ready` is called when all meshes are there. */
export function buildRobot(urdf: string, ready: () => void, paint: (robot: URDFRobot) => void = paintRobot): URDFRobot {
  const loader = new URDFLoader();
  loader.packages = '';
  loader.workingPath = '';
  const coming: Promise<void>[] = [];
  loader.loadMeshCb = (path, _, material, done) => {
    coming.push(fetchMesh(path, material).then((mesh) => done(mesh), (error: Error) => done(null as never, error)));
  };
  const robot = loader.parse(urdf);
  for (const mesh of meshes(robot)) refine(mesh);
  // it is shown where it says it is, also beyond its limits
  for (const joint of Object.values(robot.joints)) joint.ignoreLimits = true;
  paint(robot);
  void Promise.all(coming).then(() => {
    if (coming.length > 0) paint(robot);
    ready();
  });
  return robot;
}

async function fetchMesh(path: string, material: THREE.Material): Promise<THREE.Object3D> {
  const { readMesh } = await import('./mesh_files');
  return readMesh(path, material ?? new THREE.MeshLambertMaterial());
}

function meshes(root: THREE.Object3D): THREE.Mesh[] {
  const all: THREE.Mesh[] = [];
  root.traverse((one) => {
    if ((one as THREE.Mesh).isMesh) all.push(one as THREE.Mesh);
  });
  return all;
}

function colourOf(material: THREE.Material | THREE.Material[]): THREE.Color {
  const first = Array.isArray(material) ? material[0] : material;
  return (first as THREE.MeshPhongMaterial | undefined)?.color?.clone() ?? new THREE.Color('#b8c0c2');
}

export function paintRobot(robot: URDFRobot): void {
  for (const mesh of meshes(robot)) {
    if (mesh.userData.isPainted) continue;
    mesh.userData.isPainted = true;
    mesh.material = matt(colourOf(mesh.material));
    mesh.castShadow = true;
    mesh.receiveShadow = true;
  }
}

export function paintGhost(robot: URDFRobot, colour: string): void {
  const first = meshes(robot).find((mesh) => mesh.userData.ghost)?.userData.ghost as THREE.MeshLambertMaterial | undefined;
  const material =
    first ?? new THREE.MeshLambertMaterial({
      // a little behind: where the robot is already, the robot is seen
      polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 4,
      transparent: true, opacity: 0.42, depthWrite: false,
    });
  material.color.set(colour);
  material.emissive.set(colour);
  material.emissiveIntensity = 0.25;
  for (const mesh of meshes(robot)) {
    mesh.material = material;
    mesh.userData.ghost = material;
    mesh.castShadow = false;
    mesh.renderOrder = 1;
  }
}

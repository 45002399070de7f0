// SPDX-License-Identifier: BSD-3-Clause
// The picture of the robot. Drawn when something has changed, at most thirty times a second, so that an idle tablet sleeps.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { URDFRobot } from 'urdf-loader';
import type { Quat, Vec3 } from '../geometry';
import type { Place, WorldObject } from '../link/protocol';
import { BoundsHandle } from './bounds_handle';
import type { BoundsShown, DrawnBound } from './bounds_shown';
import { BoundsView } from './bounds_view';
import { DragHandle } from './drag_handle';
import { axes, ContactMarks, namedAxes } from './marks';
import { release } from './release';
import { buildRobot, paintGhost } from './robot_model';
import { Surroundings } from './surroundings';
import { kCanvas } from './canvas';
import { kPalettes, type Palette } from './palette';
import { Trace } from './trace';

/** How a ghost is painted: as one that can be, that would touch something, or that cannot be. */
export type GhostKind = 'clear' | 'touches' | 'bad';
/** A frame that was taught, of one of the arms. */
export interface NamedPlace extends Place {
  name: string;
  arm: number;
}

export interface ArmLinks {
  name: string;
  base: string;
  tip: string;
}

export type CameraPreset = 'free' | 'front' | 'side' | 'top';

const kFramePeriod_ms = 1000 / 30;
const kEmptyAfter_ms = 2000;
const kFinishAfter_ms = 500;

export class RobotScene {
  readonly element = document.createElement('div');
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(38, 1, 0.01, 100);
  private readonly orbit: OrbitControls;
  private readonly sun = new THREE.DirectionalLight(0xffffff, 2.4);
  private readonly sky = new THREE.HemisphereLight(0xffffff, 0x9aa4a8, 1.5);
  private readonly surroundings = new Surroundings();
  private readonly trace = new Trace();
  private readonly contact = new ContactMarks();
  private frames: THREE.Object3D[] = [];
  private isFramesShown = true;
  private robot: URDFRobot | null = null;
  private ghost: URDFRobot | null = null;
  private ghostKind: GhostKind = 'clear';
  private urdf = '';
  private palette: Palette = kPalettes.bright;
  private arms: ArmLinks[] = [];
  private traced: { arm: number; p: Vec3 } = { arm: 0, p: [0, 0, 0] };
  private dueTimer = 0;
  private lastDrawn_ms = 0;
  private drawnCount = 0;
  private readonly emptyFrom_ms = performance.now() + kEmptyAfter_ms;
  private isRecorded = false;
  private isWorldShown = true;
  private readonly bounds = new BoundsView();
  private readonly boundsHandle: BoundsHandle;
  private drawBounds: () => void = () => undefined;
  readonly handle: DragHandle;

  /** Throws where there is no WebGL. */
  constructor(canvas: HTMLCanvasElement) {
    this.renderer = new THREE.WebGLRenderer({ canvas, ...kCanvas });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    // asking for the errors of a shader waits until it is compiled, one after the other; ours are tried before they are shipped
    this.renderer.debug.checkShaderErrors = false;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    this.element.className = 'scene';
    this.element.append(this.renderer.domElement);
    this.camera.up.set(0, 0, 1);
    this.orbit = new OrbitControls(this.camera, this.renderer.domElement);
    this.orbit.addEventListener('change', () => this.invalidate());
    this.handle = new DragHandle(this.camera, this.renderer.domElement, {
      changed: () => this.invalidate(),
      dragging: (isDragging) => (this.orbit.enabled = !isDragging),
    });
    this.boundsHandle = new BoundsHandle({
      camera: this.camera,
      canvas: this.renderer.domElement,
      view: this.bounds,
      changed: () => this.invalidate(),
      dragging: (isDragging) => (this.orbit.enabled = !isDragging),
    });
    this.light();
    this.scene.add(this.surroundings.root, this.trace.line, this.contact.root, this.handle.root, this.bounds.root, this.boundsHandle.root);
    new ResizeObserver(() => this.resize()).observe(this.element);
    this.look('free');
  }

  /** Draws soon; many calls make one picture. */
  invalidate(): void {
    if (this.dueTimer !== 0) return;
    this.element.dataset.asked = String(this.drawnCount + 1);
    const wait_ms = Math.max(0, this.lastDrawn_ms + kFramePeriod_ms - performance.now());
    // the first one does not wait for its turn: a browser that is just painting the page gives none for half a second
    const hasDrawn = this.drawnCount > 0;
    this.dueTimer = window.setTimeout(() => (hasDrawn ? requestAnimationFrame(() => this.draw()) : this.draw()), wait_ms);
  }

  setTheme(theme: 'bright' | 'dark'): void {
    this.palette = kPalettes[theme];
    this.sky.color.set(this.palette.light);
    this.sky.groundColor.set(this.palette.bounce);
    this.surroundings.setPalette(this.palette);
    this.paintSky();
    this.trace.setColour(this.palette.trace);
    this.contact.setColour(this.palette.bad);
    this.drawFrames();
    if (this.ghost) paintGhost(this.ghost, this.ghostColour());
    this.drawBounds();
    this.boundsHandle.setColour(this.palette.trace);
    this.invalidate();
  }

  /** Shows the robot of a URDF; `arms` name the links between which tools are traced and dragged. */
  load(urdf: string, arms: ArmLinks[]): void {
    this.urdf = urdf;
    this.arms = arms;
    this.surroundings.setRobot(null);
    for (const one of this.frames) release(one);
    this.frames = [];
    this.handle.stop();
    if (this.robot) release(this.robot);
    this.dropGhost();
    const robot = buildRobot(urdf, () => {
      this.element.dataset.scene = 'loaded';
      this.invalidate();
    });
    this.robot = robot;
    this.scene.add(robot);
    this.surroundings.setRobot(robot);
    this.drawFrames();
    this.look('free');
    // asked for all at once, before anything waits for one of them
    this.renderer.compile(this.scene, this.camera);
  }

  /** Frames at the arms: `frames` in their bases, `tools` at their flanges. Each arm's base and flange are shown besides. */
  setFrames(frames: readonly NamedPlace[], tools: readonly NamedPlace[]): void {
    this.drawFrames = () => {
      for (const one of this.frames) release(one);
      const colours = { ink: this.palette.trace, ground: this.palette.sky };
      const plain = { p: [0, 0, 0] as Vec3, q: [1, 0, 0, 0] as Quat };
      const bases = new Set(this.arms.map((links) => links.base));
      const ofBase = (links: ArmLinks, arm: number) => {
        // arms at one base share its frame, and one base alone needs no name
        if (this.arms.findIndex((one) => one.base === links.base) !== arm) return null;
        return this.hang(links.base, bases.size > 1 ? namedAxes(0.14, links.name, plain, colours) : axes(0.14));
      };
      this.frames = this.arms.flatMap((links, arm) => [
        ofBase(links, arm),
        this.hang(links.tip, axes(0.09)),
        ...frames.filter((one) => one.arm === arm).map((one) => this.hang(links.base, namedAxes(0.1, one.name, one, colours))),
        ...tools.filter((one) => one.arm === arm).map((one) => this.hang(links.tip, namedAxes(0.06, one.name, one, colours))),
      ]).filter((one) => one !== null);
      this.show('frames', this.isFramesShown);
    };
    this.drawFrames();
  }

  private drawFrames: () => void = () => undefined;

  private hang(link: string, frame: THREE.Object3D): THREE.Object3D | null {
    const parent = this.robot?.links[link];
    if (parent) parent.add(frame);
    else release(frame);
    return parent ? frame : null;
  }

  /** The arm that is traced, and where at its flange. */
  traceAt(arm: number, p: Vec3): void {
    if (arm === this.traced.arm && p.every((value, i) => value === this.traced.p[i])) return;
    this.traced = { arm, p };
    this.trace.setShown(this.trace.line.visible);
  }

  setJoints(names: readonly string[], values: readonly number[]): void {
    if (!this.robot || !pose(this.robot, names, values)) return;
    const tip = this.robot.links[this.arms[this.traced.arm]?.tip ?? ''];
    if (tip) {
      this.robot.updateMatrixWorld(true);
      this.trace.append(tip.localToWorld(new THREE.Vector3(...this.traced.p)));
    }
    this.invalidate();
  }

  /** The target, or nothing. */
  setGhost(joints: Readonly<Record<string, number>> | null, kind: GhostKind = 'clear'): void {
    if (joints === null) {
      if (this.ghost) this.ghost.visible = false;
      this.invalidate();
      return;
    }
    if (!this.ghost && this.urdf) {
      const ghost = buildRobot(this.urdf, () => this.invalidate(), (robot) => paintGhost(robot, this.ghostColour()));
      this.ghost = ghost;
      this.scene.add(ghost);
    }
    if (!this.ghost || !this.robot) return;
    this.ghost.visible = true;
    for (const [name, joint] of Object.entries(this.robot.joints))
      this.ghost.joints[name]?.setJointValue(joints[name] ?? joint.angle);
    this.ghostKind = kind;
    paintGhost(this.ghost, this.ghostColour());
    this.invalidate();
  }

  setWorld(objects: readonly WorldObject[]): void {
    this.surroundings.setObjects(objects, () => this.invalidate());
    this.invalidate();
  }

  /** Where things are that the world moves. */
  moveWorld(places: Readonly<Record<string, Place>>): void {
    if (this.surroundings.move(places)) this.invalidate();
  }

  /** Bounds of the workspace: as the page has them, with handles, or, faintly, those in force. */
  setBounds(shown: BoundsShown | null, inForce: readonly DrawnBound[]): void {
    this.drawBounds = () => this.bounds.draw(shown?.bounds ?? inForce, shown?.chosen ?? null, shown === null, this.palette);
    this.drawBounds();
    const chosen = shown?.chosen === null ? undefined : shown?.bounds[shown.chosen];
    this.boundsHandle.show(chosen ?? null, shown?.mode ?? null, shown?.events ?? null);
    this.invalidate();
  }

  show(what: 'frames' | 'trace' | 'world', isShown: boolean): void {
    if (what === 'frames') {
      this.isFramesShown = isShown;
      for (const frame of this.frames) frame.traverse((one) => one.userData.isAxes && (one.visible = isShown));
    }
    if (what === 'trace') this.trace.setShown(isShown);
    if (what === 'world') {
      this.isWorldShown = isShown;
      this.surroundings.objects.visible = this.bounds.root.visible = isShown && !this.isRecorded;
    }
    this.invalidate();
  }

  /** The two places that come too near to each other. */
  setContact(places: { a: Vec3; b: Vec3 } | null): void {
    if (this.contact.show(places)) this.invalidate();
  }

  /** While a recording is shown, nothing is that belongs to now: no objects, no target, and the sky is another. */
  showRecorded(isRecorded: boolean): void {
    this.isRecorded = isRecorded;
    this.surroundings.objects.visible = this.bounds.root.visible = !isRecorded && this.isWorldShown;
    this.trace.setShown(this.trace.line.visible);
    this.paintSky();
    this.invalidate();
  }

  private paintSky(): void {
    const { past, sky, zenith } = this.palette;
    // the picture is seen through above the floor
    this.element.style.background = this.isRecorded ? past : `${sky} url(${gradientImage(zenith, sky)}) 0 0 / 100% 55% no-repeat`;
    this.surroundings.showPast(this.isRecorded);
    this.scene.fog = new THREE.Fog(this.isRecorded ? past : sky, 6, 16);
  }

  look(preset: CameraPreset): void {
    const box = new THREE.Box3();
    if (this.robot) box.setFromObject(this.robot);
    const sphere = box.isEmpty() ? new THREE.Sphere(new THREE.Vector3(0, 0, 0.3), 0.6) : box.getBoundingSphere(new THREE.Sphere());
    const away = { free: [1, -1.25, 0.75], front: [1, 0, 0.08], side: [0, -1, 0.08], top: [-0.001, 0, 1] }[preset];
    const narrow = Math.min(1, this.camera.aspect);
    const distance = (Math.max(sphere.radius, 0.3) * 1.05) / Math.sin((this.camera.fov * narrow * Math.PI) / 360);
    this.orbit.target.copy(sphere.center);
    this.camera.position.copy(sphere.center).addScaledVector(new THREE.Vector3(...away).normalize(), distance);
    this.orbit.update();
    this.invalidate();
  }

  /** Puts the handle at a pose in the arm's base, and calls with each pose that it is dragged to. */
  startDrag(armIndex: number, p: Vec3, q: Quat, moved: (p: Vec3, q: Quat) => void): void {
    const base = this.robot?.links[this.arms[armIndex]?.base ?? ''] ?? this.robot;
    if (base) this.handle.start(base, p, q, moved);
    this.invalidate();
  }

  private ghostColour(): string {
    return { clear: this.palette.ghost, touches: this.palette.warn, bad: this.palette.bad }[this.ghostKind];
  }

  private dropGhost(): void {
    if (this.ghost) release(this.ghost);
    this.ghost = null;
  }

  private light(): void {
    this.sun.position.set(2.1, -1.1, 3.2);
    this.sun.shadow.mapSize.set(1024, 1024);
    Object.assign(this.sun.shadow.camera, { left: -1.3, right: 1.3, top: 1.3, bottom: -1.3, near: 0.5, far: 7 });
    this.sun.shadow.bias = -0.0008;
    this.sun.shadow.normalBias = 0.006;
    this.sun.shadow.radius = 2;
    this.sky.position.set(0, 0, 1);
    // from behind: the far edges stand out
    const rim = new THREE.DirectionalLight(0xdfeeff, 0.9);
    rim.position.set(-2, 1.6, 1.4);
    const fill = new THREE.DirectionalLight(0xfff4e6, 0.45);
    fill.position.set(-0.6, -2.4, 0.9);
    this.scene.add(this.sun, this.sky, rim, fill);
  }

  /** Shadows come when the robot can be seen: without a graphics card they take as long as all else. */
  private finishSoon(): void {
    window.setTimeout(async () => {
      this.sun.castShadow = true;
      this.surroundings.showShadows();
      await this.renderer.compileAsync(this.scene, this.camera);
      this.element.dataset.finish = 'full';
      this.invalidate();
    }, kFinishAfter_ms);
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0) return;
    const isFirst = this.renderer.domElement.clientWidth === 0;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (isFirst) this.look('free');
    this.invalidate();
  }

  private draw(): void {
    this.dueTimer = 0;
    this.lastDrawn_ms = performance.now();
    if (!this.element.isConnected || document.hidden) return;
    // the ground alone is not worth a picture while the robot is on its way
    if (this.element.dataset.scene !== 'loaded' && performance.now() < this.emptyFrom_ms) return this.invalidate();
    this.element.dataset.knobs = this.boundsHandle.rescale();
    this.renderer.render(this.scene, this.camera);
    this.drawnCount += 1;
    if (this.drawnCount === 1) this.finishSoon();
    this.element.dataset.drawn = String(this.drawnCount);
    this.element.dataset.pose = poseText(this.robot);
    const { geometries, textures } = this.renderer.info.memory;
    this.element.dataset.memory = `${geometries} ${textures}`;
    this.element.dataset.frames = this.isFramesShown ? String(this.frames.length) : '0';
    const { clientWidth, clientHeight } = this.element;
    this.element.dataset.handle = this.handle.placeIn(this.camera, clientWidth, clientHeight)?.map(Math.round).join(' ') ?? '';
  }
}

/** From one colour above to another below, as a picture to be stretched (see style/frame.css). */
function gradientImage(above: string, below: string): string {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 64 });
  const pen = canvas.getContext('2d', { willReadFrequently: true })!;
  const colours = pen.createLinearGradient(0, 0, 0, canvas.height);
  colours.addColorStop(0, above);
  colours.addColorStop(1, below);
  pen.fillStyle = colours;
  pen.fillRect(0, 0, 1, canvas.height);
  return canvas.toDataURL();
}

/** What was drawn, for who cannot see it: "base=0.1000 shoulder=1.0472". */
function poseText(robot: URDFRobot | null): string {
  const moving = Object.values(robot?.joints ?? {}).filter((joint) => joint.jointType !== 'fixed');
  return moving.map((joint) => `${joint.urdfName}=${Number(joint.angle).toFixed(4)}`).join(' ');
}

/** Sets joint values; false when that changed nothing to be seen. */
function pose(robot: URDFRobot, names: readonly string[], values: readonly number[]): boolean {
  let isNew = false;
  names.forEach((name, i) => {
    const joint = robot.joints[name];
    const value = values[i];
    if (!joint || value === undefined || !Number.isFinite(value)) return;
    if (Math.abs(Number(joint.angle) - value) < 1e-5) return;
    joint.setJointValue(value);
    isNew = true;
  });
  return isNew;
}

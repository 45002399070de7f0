// SPDX-License-Identifier: BSD-3-Clause
import * as THREE from 'three';
import type { Palette } from './palette';

const kRadius_m = 5;

/** Blended as what can be seen through, but drawn before all else: edges of what stands on it are smooth then. */
const kUnderAll = {
  transparent: false, depthWrite: false, blending: THREE.CustomBlending,
  blendSrc: THREE.SrcAlphaFactor, blendDst: THREE.OneMinusSrcAlphaFactor, blendSrcAlpha: THREE.OneFactor, blendDstAlpha: THREE.OneMinusSrcAlphaFactor,
} as const;

/** The floor: a grid of 10 and 50 cm that fades into the distance, and takes shadows once there are any. */
export class Ground {
  readonly root = new THREE.Group();
  private readonly shadow = new THREE.ShadowMaterial({ opacity: 0.2, ...kUnderAll });
  private readonly floor: THREE.Mesh;
  private readonly grid = new THREE.ShaderMaterial({
    ...kUnderAll,
    uniforms: { floor: { value: new THREE.Color() }, line: { value: new THREE.Color() }, major: { value: new THREE.Color() }, radius: { value: kRadius_m } },
    vertexShader: 'varying vec2 at; void main() { at = position.xy; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
    fragmentShader: `
      uniform vec3 floor, line, major; uniform float radius; varying vec2 at;
      float lines(float step, float width) {
        vec2 cell = at / step;
        vec2 size = fwidth(cell);
        vec2 off = abs(fract(cell - 0.5) - 0.5) / size;
        vec2 drawn = (1.0 - smoothstep(width - 0.5, width + 0.5, off)) * (1.0 - smoothstep(0.25, 0.7, size));
        return max(drawn.x, drawn.y);
      }
      void main() {
        float far = length(at) / radius;
        vec3 colour = mix(floor, line, lines(0.1, 0.4));
        colour = mix(colour, major, lines(0.5, 0.6));
        gl_FragColor = vec4(colour, 1.0 - smoothstep(0.25, 1.0, far));
        #include <colorspace_fragment>
      }`,
  });

  constructor() {
    const disc = new THREE.CircleGeometry(kRadius_m, 64);
    const grid = new THREE.Mesh(disc, this.grid);
    this.floor = new THREE.Mesh(disc, this.shadow);
    this.floor.receiveShadow = true;
    this.floor.visible = false;
    grid.position.z = -0.002;
    this.floor.position.z = -0.001;
    grid.renderOrder = -2;
    this.floor.renderOrder = -1;
    this.root.add(grid, this.floor);
  }

  showShadows(): void {
    this.floor.visible = true;
  }

  /** `isPast`: it is that of a recording. */
  setPalette(palette: Palette, isPast: boolean): void {
    this.shadow.opacity = palette.shadow;
    this.grid.uniforms.floor!.value.set(isPast ? palette.past : palette.floor);
    this.grid.uniforms.line!.value.set(palette.grid);
    this.grid.uniforms.major!.value.set(palette.gridMajor);
  }
}

// SPDX-License-Identifier: BSD-3-Clause
import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';

const { version, dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string; dependencies: Record<string, string> };

/** The picture is a part of its own, so that the page stands without it; the browser is told of it before it has read the rest. */
const pictureEarly: Plugin = {
  name: 'picture-early',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle }) =>
      Object.values(bundle ?? {})
        .filter((part) => part.type === 'chunk' && part.name === 'robot_scene')
        .map((part) => ({ tag: 'link', attrs: { rel: 'modulepreload', crossorigin: true, href: `/${part.fileName}` }, injectTo: 'head' as const })),
  },
};

/** Reads of meshes come when they are needed (scene/mesh_files.ts); the reader of URDF would have them at once. */
const meshesLater: Plugin = {
  name: 'meshes-later',
  enforce: 'pre',
  resolveId: (source, importer) => (/(STL|Collada)Loader\.js$/.test(source) && importer?.includes('/urdf-loader/') ? '\0no-loader' : null),
  load: (id) => (id === '\0no-loader' ? 'export class STLLoader {} export class ColladaLoader {}' : null),
};

// The page is served by the robot itself, offline: nothing comes from elsewhere, and file names carry their hash.
export default defineConfig({
  base: '/',
  plugins: [pictureEarly, meshesLater],
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  define: { __VERSION__: JSON.stringify(version), __LIBRARIES__: JSON.stringify(dependencies) },
  build: {
    target: 'es2021',
    outDir: process.env.SINEW_PENDANT_DIST ?? 'dist',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1200,
  },
  server: { fs: { allow: ['..'] } },
});

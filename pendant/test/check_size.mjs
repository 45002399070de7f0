// SPDX-License-Identifier: BSD-3-Clause
// Fails when what the first view needs is larger than 300 kB compressed: index.html, and of the scripts and styles that it
// names all that they import, but not what they fetch later; the picture is fetched later and counts all the same.
//
//   node test/check_size.mjs DIST
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const kMost = 300_000;
const dist = process.argv[2] ?? 'dist';
const html = readFileSync(join(dist, 'index.html'), 'utf8');
const scene = readdirSync(join(dist, 'assets')).filter((name) => /^robot_scene-.*\.(js|css)$/.test(name));
if (scene.length === 0) throw new Error('no robot_scene in the build: has its name changed?');

const first = new Set();
function need(name) {
  if (first.has(name)) return;
  first.add(name);
  if (!name.endsWith('.js')) return;
  const code = readFileSync(join(dist, 'assets', name), 'utf8');
  for (const [, path] of code.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) need(basename(path));
}
for (const [, path] of html.matchAll(/(?:src|href)="\/assets\/([^"]+)"/g)) need(path);
scene.forEach(need);

const sizes = [['index.html', gzipSync(html).length], ...[...first].map((name) => [name, gzipSync(readFileSync(join(dist, 'assets', name))).length])];
const total = sizes.reduce((sum, [, size]) => sum + size, 0);
for (const [name, size] of sizes) console.log(String(size).padStart(8), name);
console.log(String(total).padStart(8), `bytes for the first view; at most ${kMost}`);
process.exit(total <= kMost ? 0 : 1);

// SPDX-License-Identifier: BSD-3-Clause
// Bundles each test with what it tests, and runs them all by Node's own test runner.
//
//   node test/run.mjs [FOLDER for the bundles]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const tests = readdirSync(here).filter((name) => name.endsWith('.test.ts'));
const outdir = process.argv[2] ?? mkdtempSync(join(tmpdir(), 'sinew-pendant-test-'));
await build({
  entryPoints: tests.map((name) => join(here, name)),
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node18',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
});
const bundles = tests.map((name) => join(outdir, name.replace(/\.ts$/, '.mjs')));
process.exit(spawnSync(process.execPath, ['--test', ...bundles], { stdio: 'inherit' }).status ?? 1);

// SPDX-License-Identifier: BSD-3-Clause
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { liveFrom, worldFrom } from '../src/link/protocol';
import { blocksOf } from '../src/pages/learn/markdown';
import { worldYaml, yamlOf } from '../src/pages/setup/world_yaml';
import { Samples } from '../src/pages/status/samples';

test('the Markdown of the labs becomes blocks', () => {
  const blocks = blocksOf('# Title\n\nWords\nof two lines.\n\n- one\n  and more\n- two\n\n```sh\nls -l\n\nrm\n```\n| a | b |\n|---|---|\n| 1 | 2 |\n');
  assert.deepEqual(blocks, [
    { kind: 'heading', level: 1, text: 'Title' },
    { kind: 'text', text: 'Words of two lines.' },
    { kind: 'list', isOrdered: false, items: ['one and more', 'two'] },
    { kind: 'code', text: 'ls -l\n\nrm' },
    { kind: 'table', rows: [['a', 'b'], ['1', '2']] },
  ]);
});

test('Markdown that breaks off ends', () => {
  for (const text of ['```', '```\na', '|', '| a', '-', '#', '1. ', 'a\n- b']) assert.ok(blocksOf(text).length <= 2, text);
});

test('objects are told as YAML, and told again when a deletion is taken back', () => {
  assert.equal(worldYaml('my table', 'box', [1, 0.6, 0.05], [0.5, 0, 0.2], [0, 0, 0]), '{name: "my table", box: [1, 0.6, 0.05], at: [0.5, 0, 0.2], rpy: [0, 0, 0]}');
  const [ball, carried] = worldFrom([
    { name: 'ball', shape: 'sphere', size: [0.1], position: [1, 0, 0], quaternion: [1, 0, 0, 0] },
    { name: 'disc', shape: 'cylinder', size: [0.1, 0.1], position: [1, 0, 0], link: 'hand' },
  ]);
  assert.equal(yamlOf(ball!), '{name: "ball", sphere: 0.1, at: [1, 0, 0], rpy: [0, 0, 0]}');
  assert.equal(yamlOf(carried!), null);
});

test('curves show the span that was asked for, and velocity is the slope', () => {
  const samples = new Samples();
  for (let i = 0; i <= 300; i += 1) samples.append(liveFrom({ t: i * 0.1, q: [i * 0.05], r: [i * 0.05 + 1] }));
  const [x, position] = samples.curves([0], 'position', 10, () => 2);
  assert.ok(Math.abs(x![0]! + 10) < 1e-9 && Math.abs(x!.at(-1)!) < 1e-9);
  assert.ok(Math.abs(position!.at(-1)! - 30) < 1e-9);
  assert.ok(Math.abs(samples.curves([0], 'velocity', 10, () => 1)[1]!.at(-1)! - 0.5) < 1e-9);
  assert.ok(Math.abs(samples.curves([0], 'difference', 10, () => 1)[1]![3]! - 1) < 1e-9);
});

test('a robot that starts anew starts its curves anew', () => {
  const samples = new Samples();
  samples.append(liveFrom({ t: 100, q: [1] }));
  samples.append(liveFrom({ t: 0.1, q: [2] }));
  assert.deepEqual(samples.curves([0], 'position', 60, () => 1), [[0], [2]]);
});

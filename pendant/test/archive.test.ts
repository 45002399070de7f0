// SPDX-License-Identifier: BSD-3-Clause
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { checksumOf, kMostEntries, readArchive } from '../src/pages/setup/archive';
import { arranged, base64Of, descriptions, isUseful, nameFor, type DroppedFile } from '../src/pages/setup/dropped_files';
import { zipOf, type ZipEntry } from './zip';

const inflate = async (packed: Uint8Array, size: number) => new Uint8Array(inflateRawSync(packed, { maxOutputLength: size + 1 }));
const read = (entries: ZipEntry[], change: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> = (bytes) => bytes, mostBytes = 1e6) =>
  readArchive(change(zipOf(entries)), { wants: isUseful, mostBytes, inflate });
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytesOf = (words: string) => new TextEncoder().encode(words);
const file = (path: string, words = ''): DroppedFile => ({ path, bytes: bytesOf(words) });

test('stored and deflated files come out as they went in', async () => {
  const long = 'meshes '.repeat(5000);
  const { files, leftOut } = await read([
    { path: 'arm/', words: '' },
    { path: 'arm/arm.urdf', words: '<robot/>' },
    { path: 'arm/meshes/a.stl', words: long, isPacked: true },
    { path: './arm/b.STL', words: '' },
    { path: 'arm/README.md', words: 'hello' },
    { path: '__MACOSX/arm/._a.stl', words: 'x' },
    { path: 'arm/.git/c.stl', words: 'x' },
  ]);
  assert.deepEqual(files.map((one) => [one.path, text(one.bytes)]), [['arm/arm.urdf', '<robot/>'], ['arm/meshes/a.stl', long], ['arm/b.STL', '']]);
  assert.equal(leftOut, 3);
});

test('a comment at the end of an archive does not matter', async () => {
  const { files } = await read([{ path: 'a.urdf', words: 'x' }], (bytes) => {
    const longer = new Uint8Array(bytes.length + 7);
    longer.set(bytes);
    longer.set(bytesOf('comment'), bytes.length);
    longer[bytes.length - 2] = 7;
    return longer;
  });
  assert.equal(files.length, 1);
});

test('paths that lead out of the archive are refused by name', async () => {
  for (const path of ['../a.stl', 'a/../../b.stl', '/etc/a.stl', 'C:/a.stl', 'a\\b.stl', 'a\0.stl', 'a/..'])
    await assert.rejects(read([{ path, words: 'x' }]), /leads out of it/, path);
});

test('a link is not followed, and not taken for a file', async () => {
  const { files, leftOut } = await read([{ path: 'a.urdf', words: 'x' }, { path: 'b.stl', words: '/etc/passwd', mode: 0o120777 }]);
  assert.deepEqual(files.map((one) => one.path), ['a.urdf']);
  assert.equal(leftOut, 1);
});

test('what is encrypted, packed otherwise, of several parts or too new is refused with a word', async () => {
  await assert.rejects(read([{ path: 'a.urdf', words: 'x', flags: 1 }]), /a\.urdf .* is encrypted/);
  await assert.rejects(read([{ path: 'a.urdf', words: 'x', method: 14 }]), /packed in a way that is not known/);
  await assert.rejects(read([{ path: 'a.urdf', words: 'x', size: 0xffffffff }]), /zip64/);
  const setEnd = (at: number, value: number) => (bytes: Uint8Array<ArrayBuffer>) => {
    new DataView(bytes.buffer).setUint16(bytes.length - 22 + at, value, true);
    return bytes;
  };
  await assert.rejects(read([{ path: 'a.urdf', words: 'x' }], setEnd(4, 1)), /several parts/);
  await assert.rejects(read([{ path: 'a.urdf', words: 'x' }], (bytes) => setEnd(10, 0xffff)(setEnd(8, 0xffff)(bytes))), /zip64/);
  await assert.rejects(read([{ path: 'a.urdf', words: 'x' }], (bytes) => setEnd(10, 30000)(setEnd(8, 30000)(bytes))), new RegExp(`30000 files, more than ${kMostEntries}`));
  await assert.rejects(read([{ path: 'a.urdf', words: 'x' }, { path: './a.urdf', words: 'y' }]), /twice/);
  // what nobody wants may be packed as it likes
  assert.equal((await read([{ path: 'a.urdf', words: 'x' }, { path: 'b.mp4', words: 'x', method: 14, flags: 1 }])).files.length, 1);
});

test('an archive that unpacks to more than is allowed is refused before it is unpacked, and one that lies while it is', async () => {
  const bomb = '0'.repeat(3e6);
  await assert.rejects(read([{ path: 'a.stl', words: bomb, isPacked: true }]), /3\.0 MB, more than 1 MB/);
  await assert.rejects(read([{ path: 'a.stl', words: bomb, isPacked: true, size: 1000 }]), /a\.stl .* is damaged/);
  await assert.rejects(read([{ path: 'a.stl', words: 'abc', isPacked: true, size: 1000 }]), /a\.stl .* is damaged/);
});

test('damage anywhere is refused or harmless, never something else', async () => {
  const whole = zipOf([{ path: 'a.urdf', words: '<robot name="x"/>'.repeat(4), isPacked: true }, { path: 'm/b.stl', words: 'solid' }]);
  let refused = 0;
  for (let at = 0; at < whole.length; at += 1) {
    for (const flip of [0x01, 0x80, 0xff]) {
      const bytes = whole.slice();
      bytes[at]! ^= flip;
      try {
        const { files } = await readArchive(bytes, { wants: isUseful, mostBytes: 1e6, inflate });
        for (const one of files) assert.ok(one.bytes.length <= 1e6);
      } catch (error) {
        refused += 1;
        assert.match((error as Error).message, /archive|packed|leads out|MB/, `byte ${at}`);
      }
    }
    await assert.rejects(readArchive(whole.slice(0, at), { wants: isUseful, mostBytes: 1e6, inflate }), /archive/, `cut at ${at}`);
  }
  assert.ok(refused > whole.length, String(refused));
  for (const nothing of ['', 'PK', 'hello '.repeat(100)]) await assert.rejects(readArchive(bytesOf(nothing), { wants: isUseful, mostBytes: 1, inflate }), /no zip archive/);
});

test('the checksum is that of zip', () => {
  assert.equal(checksumOf(bytesOf('123456789')), 0xcbf43926);
  assert.equal(checksumOf(new Uint8Array(0)), 0);
});

test('the likeliest description comes first', () => {
  const files = [file('a/deep/x.urdf'), file('b.xacro'), file('a/x.urdf'), file('a/x.stl')];
  assert.deepEqual(descriptions(files), ['a/x.urdf', 'a/deep/x.urdf', 'b.xacro']);
});

test('a robot is named as its description says, in letters that a folder may have', () => {
  const name = (words: string, path = 'my arm.urdf') => nameFor([file(path, words)], path);
  assert.equal(name('<?xml?><robot\n xmlns:x="y" name="KUKA KR 60/3">'), 'KUKA_KR_60_3');
  assert.equal(name('<robot name="$(arg name)">', 'x/ur5e.urdf.xacro'), 'ur5e');
  assert.equal(name('nothing'), 'my_arm');
  assert.equal(name('<robot name="???">'), 'robot');
  assert.equal(name(`<robot name="${'n'.repeat(80)}">`).length, 48);
});

test('meshes are put where the description looks for them', () => {
  const paths = (words: string, main: string, ...others: string[]) => arranged([file(main, words), ...others.map((path) => file(path))], main).map((one) => one.path).sort();
  const mesh = (name: string) => `<mesh filename="${name}"/>`;
  // beside the description, sought in a package
  assert.deepEqual(paths(mesh('package://arm/meshes/A.stl'), 'arm.urdf', 'a.stl'), ['arm.urdf', 'arm/meshes/A.stl']);
  // found already: by the package's folder, from a folder above, or from the description's own
  assert.deepEqual(paths(mesh('package://arm/meshes/a.stl'), 'arm/urdf/arm.urdf', 'arm/meshes/a.stl'), ['arm/meshes/a.stl', 'arm/urdf/arm.urdf']);
  assert.deepEqual(paths(mesh('package://arm/meshes/a.stl'), 'src/arm/arm.urdf', 'src/arm/meshes/a.stl'), ['src/arm/arm.urdf', 'src/arm/meshes/a.stl']);
  assert.deepEqual(paths(mesh('../meshes/a.stl'), 'urdf/arm.urdf', 'meshes/a.stl'), ['meshes/a.stl', 'urdf/arm.urdf']);
  // the content of a package without its folder
  assert.deepEqual(paths(mesh('package://arm/meshes/a.stl'), 'urdf/arm.urdf', 'meshes/a.stl'), ['arm/meshes/a.stl', 'urdf/arm.urdf']);
  // in doubt, or leading elsewhere: left alone
  assert.deepEqual(paths(mesh('meshes/a.stl'), 'arm.urdf', 'x/a.stl', 'y/a.stl'), ['arm.urdf', 'x/a.stl', 'y/a.stl']);
  for (const name of ['package://../a.stl', '../../a.stl', 'file:///etc/a.stl', '/etc/a.stl', 'package://$(arg x)/a.stl'])
    assert.deepEqual(paths(mesh(name), 'arm.urdf', 'x/a.stl'), ['arm.urdf', 'x/a.stl'], name);
});

test('bytes go as base64 at every length', () => {
  for (const length of [0, 1, 2, 3, 0x5fff, 0x6000, 0x6001, 100_000]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 37) & 0xff);
    assert.deepEqual(Uint8Array.from(atob(base64Of(bytes)), (letter) => letter.charCodeAt(0)), bytes, String(length));
  }
});

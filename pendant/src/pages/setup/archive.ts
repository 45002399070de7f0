// SPDX-License-Identifier: BSD-3-Clause
// Files out of a zip archive that somebody has dropped: the table at its end counts. Everything is bounded before it is
// unpacked, and what cannot be read is refused with a word.
import { W } from '../../text';

export interface PackedFile {
  path: string;
  bytes: Uint8Array<ArrayBuffer>;
}

export interface ArchiveOptions {
  /** Which files are of use; the others are not unpacked. */
  wants: (path: string) => boolean;
  /** Of all unpacked files together [bytes]. */
  mostBytes: number;
  /** Undoes "deflate"; for where the browser's is not at hand. */
  inflate?: (packed: Uint8Array<ArrayBuffer>, size: number) => Promise<Uint8Array<ArrayBuffer>>;
}

export interface Unpacked {
  files: PackedFile[];
  /** How many files were not of use. */
  leftOut: number;
}

/** Entries of one archive, those that nobody wants included. */
export const kMostEntries = 20_000;

export class BadArchive extends Error {}

const kEndSize = 22;
const kEntrySize = 46;
const kLocalSize = 30;

interface Entry {
  path: string;
  flags: number;
  method: number;
  checksum: number;
  packedSize: number;
  size: number;
  localAt: number;
  isLink: boolean;
}

/** The record at the end of the archive, which may be followed by a comment. */
function endOf(view: DataView): number {
  const first = Math.max(0, view.byteLength - kEndSize - 0xffff);
  for (let at = view.byteLength - kEndSize; at >= first; at -= 1) {
    if (view.getUint32(at, true) === 0x06054b50 && at + kEndSize + view.getUint16(at + 20, true) <= view.byteLength) return at;
  }
  throw new BadArchive(W.newRobot.noArchive);
}

/** A path that stays inside its archive: names with '/' between them. */
function checkedPath(path: string): string {
  const isOutside = path.startsWith('/') || /^[A-Za-z]:/.test(path) || path.includes('\\') || path.includes('\0') || path.split('/').includes('..');
  if (isOutside) throw new BadArchive(W.newRobot.pathOut(path));
  return path.replace(/^(\.\/)+/, '');
}

function entryAt(view: DataView, at: number): { entry: Entry; next: number } {
  if (at + kEntrySize > view.byteLength || view.getUint32(at, true) !== 0x02014b50) throw new BadArchive(W.newRobot.damaged);
  const nameSize = view.getUint16(at + 28, true);
  const next = at + kEntrySize + nameSize + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  if (next > view.byteLength) throw new BadArchive(W.newRobot.damaged);
  const name = new Uint8Array(view.buffer, view.byteOffset + at + kEntrySize, nameSize);
  const entry = {
    path: checkedPath(new TextDecoder().decode(name)),
    flags: view.getUint16(at + 8, true),
    method: view.getUint16(at + 10, true),
    checksum: view.getUint32(at + 16, true),
    packedSize: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    localAt: view.getUint32(at + 42, true),
    // the mode of a Unix file is in the upper half: a link is not followed
    isLink: (view.getUint32(at + 38, true) >>> 28) === 0xa,
  };
  if ([entry.packedSize, entry.size, entry.localAt].includes(0xffffffff)) throw new BadArchive(W.newRobot.tooNew);
  return { entry, next };
}

function entriesOf(view: DataView): Entry[] {
  const end = endOf(view);
  const count = view.getUint16(end + 10, true);
  if (view.getUint16(end + 4, true) !== 0 || view.getUint16(end + 8, true) !== count) throw new BadArchive(W.newRobot.inParts);
  if (count === 0xffff || view.getUint32(end + 16, true) === 0xffffffff) throw new BadArchive(W.newRobot.tooNew);
  if (count > kMostEntries) throw new BadArchive(W.newRobot.tooManyEntries(count, kMostEntries));
  const entries: Entry[] = [];
  for (let at = view.getUint32(end + 16, true), i = 0; i < count; i += 1) {
    const { entry, next } = entryAt(view, at);
    entries.push(entry);
    at = next;
  }
  return entries;
}

let table: Uint32Array | null = null;

/** CRC-32 as zip has it. */
export function checksumOf(bytes: Uint8Array): number {
  table ??= Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value >>> 0;
  });
  let sum = 0xffffffff;
  for (const byte of bytes) sum = table[(sum ^ byte) & 0xff]! ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}

/** The browser's own; never more than `size` bytes are kept. */
async function inflateInBrowser(packed: Uint8Array<ArrayBuffer>, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const bytes = new Uint8Array(size);
  for (let at = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return at === size ? bytes : bytes.slice(0, at);
    if (at + value.length > size) {
      await reader.cancel();
      throw new BadArchive(W.newRobot.damaged);
    }
    bytes.set(value, at);
    at += value.length;
  }
}

async function unpacked(all: Uint8Array<ArrayBuffer>, entry: Entry, inflate: NonNullable<ArchiveOptions['inflate']>): Promise<PackedFile> {
  const damaged = new BadArchive(W.newRobot.fileDamaged(entry.path));
  if (entry.flags & 1) throw new BadArchive(W.newRobot.encrypted(entry.path));
  if (entry.method !== 0 && entry.method !== 8) throw new BadArchive(W.newRobot.method(entry.path));
  const view = new DataView(all.buffer, all.byteOffset, all.byteLength);
  if (entry.localAt + kLocalSize > all.length || view.getUint32(entry.localAt, true) !== 0x04034b50) throw damaged;
  const at = entry.localAt + kLocalSize + view.getUint16(entry.localAt + 26, true) + view.getUint16(entry.localAt + 28, true);
  if (at + entry.packedSize > all.length) throw damaged;
  const packed = all.subarray(at, at + entry.packedSize);
  const bytes = entry.method === 0 ? packed : await inflate(packed, entry.size).catch(() => { throw damaged; });
  if (bytes.length !== entry.size || checksumOf(bytes) !== entry.checksum) throw damaged;
  return { path: entry.path, bytes };
}

/** The files of an archive that are wanted. Throws BadArchive with words for people. */
export async function readArchive(all: Uint8Array<ArrayBuffer>, options: ArchiveOptions): Promise<Unpacked> {
  const inside = entriesOf(new DataView(all.buffer, all.byteOffset, all.byteLength)).filter((entry) => !entry.path.endsWith('/'));
  const wanted = inside.filter((entry) => !entry.isLink && options.wants(entry.path));
  const total = wanted.reduce((sum, entry) => sum + entry.size, 0);
  if (total > options.mostBytes) throw new BadArchive(W.newRobot.tooLarge(total, options.mostBytes));
  if (new Set(wanted.map((entry) => entry.path)).size !== wanted.length) throw new BadArchive(W.newRobot.twice);
  const files: PackedFile[] = [];
  for (const entry of wanted) files.push(await unpacked(all, entry, options.inflate ?? inflateInBrowser));
  return { files, leftOut: inside.length - wanted.length };
}

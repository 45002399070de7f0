// SPDX-License-Identifier: BSD-3-Clause
// Zip archives for tests, and such as no program would write.
import { deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  path: string;
  words: string;
  isPacked?: boolean;
  /** Said otherwise than it is. */
  size?: number;
  flags?: number;
  method?: number;
  mode?: number;
}

function checksum(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}

/** Numbers of 2 or 4 bytes, one after the other, the lowest byte first. */
function fieldsOf(...all: [size: 2 | 4, value: number][]): number[] {
  return all.flatMap(([size, value]) => Array.from({ length: size }, (_, i) => (value >>> (8 * i)) & 0xff));
}

export function zipOf(entries: readonly ZipEntry[]): Uint8Array<ArrayBuffer> {
  const parts: number[] = [];
  const table: number[] = [];
  for (const entry of entries) {
    const plain = new TextEncoder().encode(entry.words);
    const name = new TextEncoder().encode(entry.path);
    const packed: Uint8Array = entry.isPacked ? Uint8Array.from(deflateRawSync(plain)) : plain;
    const common: [2 | 4, number][] = [
      [2, entry.flags ?? 0], [2, entry.method ?? (entry.isPacked ? 8 : 0)], [2, 0], [2, 0], [4, checksum(plain)],
      [4, packed.length], [4, entry.size ?? plain.length], [2, name.length], [2, 0],
    ];
    table.push(...fieldsOf([4, 0x02014b50], [2, 0x0314], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, (entry.mode ?? 0o100644) << 16], [4, parts.length]), ...name);
    parts.push(...fieldsOf([4, 0x04034b50], [2, 20], ...common), ...name, ...packed);
  }
  const end = fieldsOf([4, 0x06054b50], [2, 0], [2, 0], [2, entries.length], [2, entries.length], [4, table.length], [4, parts.length], [2, 0]);
  return Uint8Array.from([...parts, ...table, ...end]);
}

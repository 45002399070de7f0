// SPDX-License-Identifier: BSD-3-Clause
// What somebody has dropped or chosen, as the files of a robot: folders are walked, archives unpacked, and each mesh put where
// the description looks for it.
import { W } from '../../text';
import { BadArchive, readArchive, type PackedFile } from './archive';

export type DroppedFile = PackedFile;

/** As many as the server takes in one call, which carries them as base64. */
export const kMostFiles = 500;
export const kMostBytes = 12_000_000;

const kUseful = /\.(urdf|xacro|xml|ya?ml|stl|dae|obj|mtl)$/i;

/** Descriptions and meshes; hidden files and what a system adds to its archives are not. */
export function isUseful(path: string): boolean {
  return kUseful.test(path) && !path.split('/').some((part) => part.startsWith('.') || part === '__MACOSX');
}

export function isDescription(path: string): boolean {
  return /\.(urdf|xacro)$/i.test(path);
}

/** A path with characters that the server takes; the others become '_'. */
export function plainPath(path: string): string {
  return path.replace(/[^A-Za-z0-9_\-. +/]/g, '_');
}

export interface Gathered {
  files: DroppedFile[];
  leftOut: number;
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

/** All files under an entry of a drop, with their paths. */
async function walk(entry: FileSystemEntry, found: File[], paths: string[]): Promise<void> {
  if (isDirectory(entry)) {
    const reader = entry.createReader();
    // a folder is told in parts
    for (;;) {
      const part = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
      if (part.length === 0) return;
      for (const inner of part) await walk(inner, found, paths);
    }
  }
  found.push(await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail)));
  paths.push(entry.fullPath.replace(/^\//, ''));
}

/** Reads files, and those inside archives. Throws words for people. */
export async function gather(from: readonly (File | FileSystemEntry)[]): Promise<Gathered> {
  const found: File[] = [];
  const paths: string[] = [];
  for (const one of from) {
    if (one instanceof File) {
      found.push(one);
      paths.push(one.webkitRelativePath || one.name);
    } else {
      await walk(one, found, paths);
    }
  }
  const all: Gathered = { files: [], leftOut: 0 };
  for (const [i, file] of found.entries()) await take(file, paths[i]!, all);
  checkAmount(all.files);
  return all;
}

async function take(file: File, path: string, all: Gathered): Promise<void> {
  const isArchive = /\.zip$/i.test(path);
  if (!isArchive && !isUseful(path)) {
    all.leftOut += 1;
    return;
  }
  const left = kMostBytes - total(all.files);
  // an archive that holds a few useful files may be larger than they are
  if (file.size > (isArchive ? 16 * kMostBytes : left)) throw new BadArchive(W.newRobot.tooLarge(file.size, isArchive ? 16 * kMostBytes : kMostBytes));
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (!isArchive) {
    all.files.push({ path: plainPath(path), bytes });
    return;
  }
  const inside = await readArchive(bytes, { wants: isUseful, mostBytes: left });
  all.files.push(...inside.files.map((one) => ({ ...one, path: plainPath(one.path) })));
  all.leftOut += inside.leftOut;
}

function total(files: readonly DroppedFile[]): number {
  return files.reduce((sum, file) => sum + file.bytes.length, 0);
}

function checkAmount(files: readonly DroppedFile[]): void {
  if (!files.some((file) => isDescription(file.path))) throw new BadArchive(W.newRobot.noDescription);
  if (files.length > kMostFiles) throw new BadArchive(W.newRobot.tooManyFiles(files.length, kMostFiles));
}

/** The descriptions among the files, the likeliest first: a URDF before a xacro, then the shortest path. */
export function descriptions(files: readonly DroppedFile[]): string[] {
  const rank = (path: string) => (/\.urdf$/i.test(path) ? 0 : 1_000) + path.length;
  return files.map((file) => file.path).filter(isDescription).sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}

function textOf(files: readonly DroppedFile[], path: string): string {
  const file = files.find((one) => one.path === path);
  return file ? new TextDecoder().decode(file.bytes) : '';
}

/** A name for the robot: what its description says, else what the file is called. */
export function nameFor(files: readonly DroppedFile[], main: string): string {
  const said = /<robot\b[^>]*?\sname\s*=\s*["']([^"'$]+)["']/.exec(textOf(files, main))?.[1];
  const stem = main.split('/').pop()!.replace(/(\.urdf)?\.(urdf|xacro)$/i, '');
  return (said ?? stem).trim().replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^_+|_+$/g, '').slice(0, 48) || 'robot';
}

const kMeshName = /filename\s*=\s*["']([^"']+\.(?:stl|dae|obj))["']/gi;

/** Where a description looks for a mesh, as a path among the files; null: nowhere among them. */
function placeOf(name: string, main: string): string | null {
  const inPackage = /^(?:package|model):\/\/(.+)$/.exec(name)?.[1];
  if (inPackage !== undefined) return inPackage;
  if (name.includes('://') || name.startsWith('/') || name.includes('$')) return null;
  const parts = main.split('/').slice(0, -1);
  for (const part of name.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return null;
    } else if (part !== '.' && part !== '') {
      parts.push(part);
    }
  }
  return parts.join('/');
}

/** Whether the server would find `place` when it reads `main`: from there, or in a folder above it. */
function isFound(place: string, main: string, paths: ReadonlySet<string>): boolean {
  const above = main.split('/').slice(0, -1);
  for (let depth = above.length; depth >= 0; depth -= 1) if (paths.has([...above.slice(0, depth), place].join('/'))) return true;
  return false;
}

/**
 * Puts meshes where the description `main` looks for them, when only one of the files has that name: many a URDF lies beside
 * meshes that it seeks in a package.
 */
export function arranged(files: readonly DroppedFile[], main: string): DroppedFile[] {
  const all = new Map(files.map((file) => [file.path, file.bytes]));
  for (const [, name] of textOf(files, main).matchAll(kMeshName)) {
    const place = placeOf(name!.trim(), main);
    const isOdd = place === null || place !== plainPath(place) || place.split('/').some((part) => part === '..' || part === '');
    if (isOdd || isFound(place, main, new Set(all.keys()))) continue;
    const base = place.split('/').pop()!.toLowerCase();
    const alike = files.filter((file) => file.path.split('/').pop()!.toLowerCase() === base);
    if (alike.length !== 1) continue;
    all.delete(alike[0]!.path);
    all.set(place, alike[0]!.bytes);
  }
  return [...all].map(([path, bytes]) => ({ path, bytes }));
}

/** Bytes as base64, in parts that a call can take. */
export function base64Of(bytes: Uint8Array): string {
  const parts: string[] = [];
  // a multiple of three, so that only the last part is padded
  for (let at = 0; at < bytes.length; at += 0x6000) parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + 0x6000))));
  return parts.join('');
}

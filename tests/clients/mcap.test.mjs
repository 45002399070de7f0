// SPDX-License-Identifier: BSD-3-Clause
// Recordings opened by @mcap/core, which Foxglove and Lichtblick read with.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";

import { McapIndexedReader, McapStreamReader } from "@mcap/core";
import { decompress as unzstd } from "fzstd";
import lz4 from "lz4js";

import { interrupted, remove_space, sinew, started } from "./sinew.mjs";

const folder = mkdtempSync(join(tmpdir(), "sinew-mcap-"));
const decompressHandlers = {
  lz4: (bytes, size) => Uint8Array.from(lz4.decompress(bytes, Number(size))),
  zstd: (bytes, size) => unzstd(bytes, new Uint8Array(Number(size))),
};
const kCount = 12;

/** All of a file by its index: definitions, and messages by time. */
async function read_indexed(path) {
  const file = await open(path);
  const readable = {
    size: async () => BigInt((await file.stat()).size),
    read: async (offset, size) => {
      const bytes = new Uint8Array(Number(size));
      await file.read(bytes, 0, Number(size), Number(offset));
      return bytes;
    },
  };
  const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
  const messages = [];
  for await (const message of reader.readMessages()) messages.push(message);
  await file.close();
  return { reader, messages };
}

/** One field of a message in our own encoding, found by the schema text that travels in the file. */
function field_of(schema_text, data, name) {
  const [, type, count, offset] = schema_text.match(new RegExp(`^  (\\w+?)(\\[\\d+\\])? ${name} at (\\d+)`, "m"));
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const read = { float64: [8, "getFloat64"], uint32: [4, "getUint32"], int64: [8, "getBigInt64"] }[type];
  const at = (i) => view[read[1]](Number(offset) + i * read[0], true);
  return count === undefined ? at(0) : Array.from({ length: Number(count.slice(1, -1)) }, (_, i) => at(i));
}

/** Records kCount messages. */
async function record(name, ...words) {
  const path = join(folder, name);
  const recorder = await started("record", "arm/state", "-o", path, ...words);
  for (let i = 0; i < kCount; ++i)
    await sinew("channel", "put", "arm/state", "joint_count=2", `stamp_ns=${i + 1}`, `position=${i}.5,${1 - i}`);
  assert.equal(await interrupted(recorder), 0);
  return path;
}

beforeEach(async () => {
  remove_space();
  await sinew("channel", "mk", "arm/state", "--message", "JointState", "--depth", "1024");
});

after(() => {
  remove_space();
  rmSync(folder, { recursive: true, force: true });
});

for (const compression of ["none", "lz4", "zstd"]) {
  test(`a recording with compression ${compression} opens by its index`, async () => {
    const { reader, messages } = await read_indexed(await record(`${compression}.mcap`, "--compression", compression));
    assert.equal(reader.statistics.messageCount, BigInt(kCount));
    const channel = [...reader.channelsById.values()].find((one) => one.topic === "arm/state");
    const schema = reader.schemasById.get(channel.schemaId);
    assert.deepEqual([schema.name, schema.encoding, channel.messageEncoding], ["JointState", "sinew", "sinew"]);
    assert.ok(reader.chunkIndexes.every((chunk) => chunk.compression === (compression === "none" ? "" : compression)));
    const text = new TextDecoder().decode(schema.data);
    messages.forEach((message, i) => {
      assert.equal(message.sequence, i + 1);
      assert.equal(field_of(text, message.data, "stamp_ns"), BigInt(i + 1));
      assert.equal(field_of(text, message.data, "joint_count"), 2);
      assert.deepEqual(field_of(text, message.data, "position").slice(0, 3), [i + 0.5, 1 - i, 0]);
    });
    assert.equal(messages.length, kCount);
  });
}

test("a recording in JSON needs nothing of ours", async () => {
  const { reader, messages } = await read_indexed(await record("json.mcap", "--encoding", "json"));
  const schema = reader.schemasById.get(reader.channelsById.get(messages[0].channelId).schemaId);
  assert.equal(schema.encoding, "jsonschema");
  const properties = JSON.parse(new TextDecoder().decode(schema.data)).properties;
  messages.forEach((message, i) => {
    const state = JSON.parse(new TextDecoder().decode(message.data));
    assert.deepEqual(Object.keys(state), Object.keys(properties));
    assert.deepEqual(state.position.slice(0, 2), [i + 0.5, 1 - i]);
    assert.equal(state.stamp_ns, i + 1);
  });
  assert.equal(messages.length, kCount);
});

test("every checksum holds when a file is read as a stream", async () => {
  const reader = new McapStreamReader({ decompressHandlers, validateCrcs: true });
  reader.append(readFileSync(await record("stream.mcap")));
  const kinds = {};
  for (let next; (next = reader.nextRecord()); ) kinds[next.type] = (kinds[next.type] ?? 0) + 1;
  assert.ok(reader.done());
  assert.equal(kinds.Message, kCount);
  assert.deepEqual([kinds.Header, kinds.DataEnd, kinds.Footer], [1, 1, 1]);
});

// SPDX-License-Identifier: BSD-3-Clause
// A running robot seen, and moved, by clients that others made.
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";

import protocol_of_foxglove from "@foxglove/ws-protocol";
import { McapIndexedReader } from "@mcap/core";
import { Param, Ros, Topic, UrdfModel } from "roslib";
import { WebSocket } from "ws";

import { Robot, until } from "./robot.mjs";

const { FoxgloveClient } = protocol_of_foxglove;
const kTopics = ["/joint_states", "/joint_references", "/tf", "/robot_description", "/diagnostics", "/motion", "/world"];

let robot;
before(async () => {
  robot = await Robot.start("scorbot-er3");
});
after(() => Robot.stop());

/** A client of Foxglove's own library, with all that it was told. */
class Foxglove {
  static async open(protocol = FoxgloveClient.SUPPORTED_SUBPROTOCOL) {
    const self = new Foxglove();
    self.socket = new WebSocket(robot.url(), [protocol]);
    self.client = new FoxgloveClient({ ws: self.socket });
    self.statuses = [];
    self.newest = new Map();
    self.topics = new Map();
    self.client.on("error", (error) => assert.fail(error));
    self.client.on("serverInfo", (info) => (self.info = info));
    self.client.on("advertise", (channels) => (self.channels = channels));
    self.client.on("status", (status) => self.statuses.push(status));
    self.client.on("parameterValues", (values) => (self.parameters = values));
    self.client.on("fetchAssetResponse", (response) => (self.asset = response));
    self.client.on("time", (time) => (self.time = time.timestamp));
    self.client.on("message", ({ subscriptionId, timestamp, data }) => {
      const message = JSON.parse(new TextDecoder().decode(data));
      self.newest.set(self.topics.get(subscriptionId), { message, timestamp });
    });
    await until("channels are advertised", () => self.channels);
    return self;
  }

  subscribe(topic) {
    const channel = this.channels.find((one) => one.topic === topic);
    this.topics.set(this.client.subscribe(channel.id), topic);
  }

  /** The newest message on a topic, once there is one that `is_wanted`. */
  async heard(topic, is_wanted = () => true) {
    const { message } = await until(`${topic} is heard`, () => {
      const newest = this.newest.get(topic);
      return newest && is_wanted(newest.message) ? newest : undefined;
    });
    return message;
  }

  publish(topic, message) {
    this.own ??= new Map();
    if (!this.own.has(topic)) this.own.set(topic, this.client.advertise({ topic, encoding: "json", schemaName: "" }));
    this.client.sendMessage(this.own.get(topic), new TextEncoder().encode(JSON.stringify(message)));
  }

  async said(words) {
    return await until(`status with '${words}'`, () => this.statuses.find((one) => one.message.includes(words)));
  }

  close() {
    this.client.close();
  }
}

async function open_ros(path) {
  const ros = new Ros({ url: robot.url(path) });
  await once(ros, "connection");
  return ros;
}

function heard(ros, name, type, is_wanted = () => true) {
  return new Promise((resolve) => {
    const topic = new Topic({ ros, name, messageType: type });
    topic.subscribe((message) => {
      if (!is_wanted(message)) return;
      topic.unsubscribe();
      resolve(message);
    });
  });
}

/** What a call with callbacks answers. */
function answered(call) {
  return new Promise((resolve, reject) => call(resolve, (why) => reject(new Error(why))));
}

function assert_joints(message, joints) {
  assert.deepEqual(message.name, Object.keys(joints));
  message.name.forEach((name, i) => assert.ok(Math.abs(message.position[i] - joints[name]) < 5e-3, `${name}: ${message.position[i]}`));
}

/** Whether it stands still: nobody who may not has moved it. */
async function assert_unmoved(before) {
  const now = await robot.joints();
  for (const name of Object.keys(before)) assert.ok(Math.abs(now[name] - before[name]) < 5e-3, `${name} has moved`);
}

const is_near = (name, wanted) => (message) => Math.abs(message.position[message.name.indexOf(name)] - wanted) < 0.01;

for (const protocol of ["foxglove.websocket.v1", "foxglove.sdk.v1"]) {
  test(`a client that offers ${protocol} is greeted`, async () => {
    const foxglove = await Foxglove.open(protocol);
    assert.equal(foxglove.socket.protocol, protocol);
    assert.equal(foxglove.info.metadata.robot, "scorbot-er3");
    assert.deepEqual(foxglove.channels.map((channel) => channel.topic), kTopics);
    for (const channel of foxglove.channels) {
      assert.equal(channel.encoding, "json");
      assert.equal(JSON.parse(channel.schema).type, "object");
    }
    foxglove.close();
  });
}

test("Foxglove sees joints, transforms and the description", async () => {
  const foxglove = await Foxglove.open();
  for (const topic of kTopics) foxglove.subscribe(topic);
  assert_joints(await foxglove.heard("/joint_states"), await robot.joints());

  const { transforms } = await foxglove.heard("/tf");
  const children = new Map(transforms.map((one) => [one.child_frame_id, one]));
  assert.equal(children.size, transforms.length, "each link hangs on one other");
  for (const one of transforms) {
    let frame = one;
    while (frame.parent_frame_id !== "world") frame = children.get(frame.parent_frame_id);
    const { x, y, z, w } = one.rotation;
    assert.ok(Math.abs(Math.hypot(x, y, z, w) - 1) < 1e-9);
  }

  const { data } = await foxglove.heard("/robot_description");
  assert.match(data, /<robot name=/);
  for (const link of children.keys()) assert.ok(data.includes(`"${link}"`), link);
  foxglove.client.getParameters(["/robot_description"], "mine");
  await until("parameters come", () => foxglove.parameters);
  assert.equal(foxglove.parameters.id, "mine");
  assert.deepEqual(foxglove.parameters.parameters, [{ name: "/robot_description", value: data }]);

  const { status } = await foxglove.heard("/diagnostics");
  assert.deepEqual([status[0].level, status[0].hardware_id, status[0].message], [0, "scorbot-er3", "running"]);
  assert.equal((await foxglove.heard("/motion")).phase, "idle");
  assert.ok(Array.isArray((await foxglove.heard("/world")).entities));
  assert.equal(typeof foxglove.time, "bigint");
  foxglove.close();
});

test("without the token of control Foxglove moves nothing", async () => {
  const foxglove = await Foxglove.open();
  const joints = await robot.joints();
  foxglove.publish("/joint_command", { name: ["base"], position: [joints.base + 0.3] });
  assert.equal((await foxglove.said("may not move 'scorbot-er3'")).level, 2);
  foxglove.publish("/sinew/auth", { session: "", control: "A".repeat(43) });
  await foxglove.said("control");
  foxglove.publish("/joint_command", { name: ["base"], position: [joints.base + 0.3] });
  await until("the second is refused", () => foxglove.statuses.filter((one) => one.message.includes("may not move")).length === 2);
  await assert_unmoved(joints);
  foxglove.close();
});

test("with the token of control Foxglove moves the robot", async () => {
  const foxglove = await Foxglove.open();
  const wanted = (await robot.joints()).base + 0.25;
  foxglove.publish("/sinew/auth", { session: "", control: await robot.take_control() });
  await foxglove.said("control the robot");
  foxglove.subscribe("/joint_states");
  foxglove.publish("/joint_command", { name: ["base"], position: [wanted] });
  await foxglove.heard("/joint_states", is_near("base", wanted));
  await foxglove.said("/joint_command: reached");
  foxglove.close();
});

test("a token that has been taken over moves nothing any more", async () => {
  const foxglove = await Foxglove.open();
  foxglove.publish("/sinew/auth", { session: "", control: await robot.take_control() });
  await foxglove.said("control the robot");
  await robot.take_control();
  const joints = await robot.joints();
  foxglove.publish("/joint_command", { name: ["base"], position: [joints.base - 0.3] });
  await foxglove.said("may not move 'scorbot-er3'");
  await assert_unmoved(joints);
  foxglove.close();
});

test("no path leads out of the robot's meshes", async () => {
  const foxglove = await Foxglove.open();
  for (const uri of ["package://sinew/../../../etc/passwd", "file:///etc/passwd", "package://sinew/", "/etc/passwd"]) {
    foxglove.asset = undefined;
    foxglove.client.fetchAsset(uri, 7);
    const { status, requestId, error } = await until("an answer comes", () => foxglove.asset);
    assert.deepEqual([status, requestId, error], [1, 7, "the robot's description names no such file"]);
  }
  foxglove.close();
});

for (const path of ["/", "/rosbridge"]) {
  test(`roslib at ${path} sees joints, transforms and the description`, async () => {
    const ros = await open_ros(path);
    assert_joints(await heard(ros, "/joint_states", "sensor_msgs/JointState"), await robot.joints());
    const { transforms } = await heard(ros, "/tf", "tf2_msgs/msg/TFMessage");
    const { topics, types } = await answered((done, failed) => ros.getTopics(done, failed));
    assert.deepEqual(topics, kTopics);
    assert.equal(types[0], "sensor_msgs/msg/JointState");
    const description = await answered((done, failed) => new Param({ ros, name: "/robot_description" }).get(done, failed));
    assert.equal((await heard(ros, "/robot_description", "std_msgs/String")).data, description);
    const urdf = new UrdfModel({ string: description });
    assert.deepEqual(Object.keys(urdf.links).sort(), transforms.map((one) => one.child_frame_id).sort());
    assert.deepEqual(await answered((done, failed) => ros.getNodes(done, failed)), ["/scorbot-er3"]);
    ros.close();
  });
}

test("roslib hears as seldom as it wants", async () => {
  const ros = await open_ros("/rosbridge");
  const counts = { "/joint_states": 0, "/joint_references": 0 };
  const pauses = { "/joint_states": 1000, "/joint_references": 0 };
  const begun = performance.now();
  for (const name of Object.keys(counts))
    new Topic({ ros, name, messageType: "sensor_msgs/JointState", throttle_rate: pauses[name] }).subscribe(() => ++counts[name]);
  await until("many have come", () => counts["/joint_references"] >= 20 && counts["/joint_states"] >= 2);
  const most = 1 + Math.ceil((performance.now() - begun) / pauses["/joint_states"]);
  ros.close();
  assert.ok(counts["/joint_states"] <= most, `${counts["/joint_states"]} came, at most ${most} were wanted`);
});

test("without the token of control roslib moves nothing", async () => {
  const ros = await open_ros("/rosbridge");
  const statuses = [];
  // roslib names a status after the message that caused it
  const emit = ros.emit.bind(ros);
  ros.emit = (name, ...rest) => {
    if (String(name).startsWith("status")) statuses.push(rest[0]);
    return emit(name, ...rest);
  };
  const joints = await robot.joints();
  const command = new Topic({ ros, name: "/joint_command", messageType: "sensor_msgs/JointState" });
  command.publish({ name: ["base"], position: [joints.base + 0.3] });
  const refused = await until("a refusal comes", () => statuses.find((one) => one.level === "error"));
  assert.match(refused.msg, /may not move 'scorbot-er3'/);
  assert.match(refused.id, /^publish:\/joint_command/);
  await assert_unmoved(joints);
  ros.close();
});

test("with the token of control roslib moves the robot, and anybody stops it", async () => {
  const ros = await open_ros("/rosbridge");
  const wanted = (await robot.joints()).base - 0.2;
  ros.authenticate("", "", "", await robot.take_control(), 0, "", 0);
  new Topic({ ros, name: "/joint_command", messageType: "sensor_msgs/JointState" }).publish({ name: ["base"], position: [wanted] });
  await heard(ros, "/joint_states", "sensor_msgs/JointState", is_near("base", wanted));

  const other = await open_ros("/rosbridge");
  new Topic({ ros: other, name: "/stop", messageType: "std_msgs/Empty" }).publish({});
  const { status } = await heard(ros, "/diagnostics", "diagnostic_msgs/DiagnosticArray", (one) => one.status[0].level === 2);
  assert.equal(status[0].values[0].value, "stopped");
  other.close();
  ros.close();
});

test("what led to a stop can be fetched, and played by a page", async () => {
  // the robot has been stopped above
  const recordings = await until("it is recorded", async () => {
    const { json } = await robot.call("GET", "/api/recordings");
    return json.recordings.length > 0 ? json.recordings : undefined;
  });
  const path = `/api/recordings/${recordings[0].name}`;
  const { status, bytes } = await robot.fetch("GET", path);
  assert.deepEqual([status, bytes.length], [200, recordings[0].bytes]);
  const readable = {
    size: async () => BigInt(bytes.length),
    read: async (offset, size) => new Uint8Array(bytes.subarray(Number(offset), Number(offset + size))),
  };
  const reader = await McapIndexedReader.Initialize({ readable });
  const topics = [...reader.channelsById.values()].map((channel) => channel.topic);
  assert.ok(topics.includes("scorbot-er3/state"), topics.join());

  const { json } = await robot.call("GET", `${path}/curves`);
  assert.equal(json.robot, "scorbot-er3");
  assert.ok(json.seconds.length > 10 && json.seconds.length <= 6000);
  assert.equal(json.positions.length, json.seconds.length);
  assert.equal(json.positions[0].length, 6);
});

test("no path leads out of the recordings", async () => {
  for (const name of ["..%2f..%2fetc%2fpasswd", "..", "../../etc/passwd", ".hidden.mcap", "none.mcap", "%00.mcap", "a/b.mcap"]) {
    const { status, bytes } = await robot.fetch("GET", `/api/recordings/${name}`);
    assert.ok([400, 403, 404].includes(status), `${name}: ${status} ${bytes.toString().slice(0, 100)}`);
  }
});

test("a page of somebody else is not let in", async () => {
  for (const origin of ["https://example.org", "null"]) {
    const socket = new WebSocket(robot.url(), ["foxglove.websocket.v1"], { origin });
    const [, answer] = await once(socket, "unexpected-response");
    assert.equal(answer.statusCode, 403);
  }
});

test("a client that talks nonsense is told so, and stays", async () => {
  const foxglove = await Foxglove.open();
  foxglove.socket.send("{");
  await foxglove.said("is no JSON object");
  foxglove.socket.send(new Uint8Array([9, 9]));
  await foxglove.said("no binary message of kind 9");
  foxglove.subscribe("/joint_states");
  await foxglove.heard("/joint_states");
  foxglove.close();
});

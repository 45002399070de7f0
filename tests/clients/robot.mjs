// SPDX-License-Identifier: BSD-3-Clause
// A simulated robot with its web process, and the calls that tests make.
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { remove_space, sinew } from "./sinew.mjs";

/** What the robot keeps goes here. */
const folder = mkdtempSync(join(tmpdir(), "sinew-clients-"));
process.env.XDG_STATE_HOME = folder;

export class Robot {
  /** Starts one; anybody on this machine is who started it. */
  static async start(model) {
    await sinew("start", model, "--sim", "--web", "127.0.0.1:0", "--no-accounts", "--web-data", join(folder, "web"));
    // status fails, and tells all the same, when a robot is not well
    const told = await sinew("status", "--json").catch((failed) => failed.stdout);
    const web = JSON.parse(told).robots[0].processes.find((one) => one.role === "web");
    const robot = new Robot(model, Number(web.note.match(/:(\d+)/)[1]));
    // on a machine that does other things as well, a device may have missed its controller at first
    await until("the robot runs", async () => {
      const { json } = await robot.call("GET", "/api/state");
      if (json.safety?.state === "running") return true;
      await sinew("console", "-c", "reset").catch(() => {});
      return false;
    });
    return robot;
  }

  constructor(model, port) {
    this.model = model;
    this.port = port;
  }

  url(path = "/") {
    return `ws://127.0.0.1:${this.port}${path}`;
  }

  /** Status and JSON of a call. */
  async call(method, path, body, headers) {
    const { status, bytes } = await this.fetch(method, path, body, headers);
    return { status, json: bytes.length === 0 ? {} : JSON.parse(bytes.toString()) };
  }

  /** Status and bytes of a call. */
  fetch(method, path, body = undefined, headers = {}) {
    return new Promise((resolve, reject) => {
      const asked = request({ port: this.port, host: "127.0.0.1", method, path, headers: { "Content-Type": "application/json", ...headers } });
      asked.on("error", reject);
      asked.on("response", async (answer) => {
        const parts = [];
        for await (const part of answer) parts.push(part);
        resolve({ status: answer.statusCode, bytes: Buffer.concat(parts) });
      });
      asked.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  async joints() {
    const { json } = await this.call("GET", "/api/state");
    return Object.fromEntries(json.joints.map((joint) => [joint.name, joint.actual]));
  }

  async take_control() {
    const { status, json } = await this.call("POST", "/api/control/take", { force: true });
    if (status !== 200) throw new Error(`control: ${status} ${JSON.stringify(json)}`);
    return json.token;
  }

  /** Ends whatever has been started. */
  static async stop() {
    await sinew("stop").catch(() => {});
    remove_space();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Waits until `is_true` answers something that counts as true, and gives that back. */
export async function until(what, is_true) {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const found = await is_true();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`never came true: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

// SPDX-License-Identifier: BSD-3-Clause
// The program sinew, as a person types it, in a space of its own.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { promisify } from "node:util";

const run_file = promisify(execFile);

export const space = `clients-${process.pid}`;

/** Runs sinew; answers what it printed on stdout. */
export async function sinew(...words) {
  const { stdout } = await run_file(process.env.SINEW, [...words, "--space", space], { maxBuffer: 1 << 24 });
  return stdout;
}

/** Starts sinew; answers the process once it has said something on stderr. */
export async function started(...words) {
  const child = spawn(process.env.SINEW, [...words, "--space", space], { stdio: ["ignore", "ignore", "pipe"] });
  await once(child.stderr, "data");
  return child;
}

/** Ends a process as Ctrl-C does; answers its exit status. */
export async function interrupted(child) {
  child.kill("SIGINT");
  const [status] = await once(child, "exit");
  return status;
}

export function remove_space() {
  rmSync(`/dev/shm/sinew-${space}`, { recursive: true, force: true });
}

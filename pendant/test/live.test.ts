// SPDX-License-Identifier: BSD-3-Clause
// The live socket on a network that loses, swallows and refuses; with a socket and a clock of the test's own.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { kDead_ms, kOpening_ms, kSessionOver, kStale_ms, LiveLink, type Loss } from '../src/link/live';
import { patienceFor_ms } from '../src/link/rest';

class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  isClosed = false;
  sent: string[] = [];
  onopen: () => void = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;
  onclose: (event: { code: number }) => void = () => undefined;

  constructor() {
    FakeSocket.all.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.isClosed = true;
  }
  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen();
  }
  say(message: object): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

const losses: Loss[] = [];
let link: LiveLink;
let now_ms = 0;

interface Timer {
  due_ms: number;
  every_ms: number | null;
  act: () => void;
}
let timers = new Map<number, Timer>();
let lastTimer = 0;
const begin = (act: () => void, ms: number, isRepeated: boolean) => {
  timers.set(++lastTimer, { due_ms: now_ms + ms, every_ms: isRepeated ? ms : null, act });
  return lastTimer;
};
const real = { setTimeout, setInterval, clearTimeout, clearInterval, now: performance.now };

/** Time goes by in small steps, and what is due is done. */
function wait(ms: number): void {
  for (const end_ms = now_ms + ms; now_ms < end_ms; ) {
    now_ms += 25;
    for (const [number, timer] of [...timers]) {
      if (timer.due_ms > now_ms || !timers.has(number)) continue;
      if (timer.every_ms === null) timers.delete(number);
      else timer.due_ms += timer.every_ms;
      timer.act();
    }
  }
}

beforeEach(() => {
  timers = new Map();
  const clear = (number: number) => timers.delete(number);
  performance.now = () => now_ms;
  Object.assign(globalThis, {
    setTimeout: (act: () => void, ms: number) => begin(act, ms, false), setInterval: (act: () => void, ms: number) => begin(act, ms, true),
    clearTimeout: clear, clearInterval: clear,
    WebSocket: FakeSocket, location: { protocol: 'http:', host: 'robot' },
  });
  FakeSocket.all = [];
  losses.length = 0;
  link = new LiveLink(() => undefined, (how) => losses.push(how));
  link.start();
});
afterEach(() => {
  link.stop();
  const { now, ...rest } = real;
  performance.now = now;
  Object.assign(globalThis, rest);
});

test('a socket that falls silent is said to be, and after a while replaced by a new one', () => {
  const first = FakeSocket.all[0]!;
  first.open();
  assert.equal(link.state.value, 'open');
  wait(kStale_ms + 300);
  assert.equal(link.state.value, 'stale');
  assert.equal(FakeSocket.all.length, 1);
  wait(kDead_ms);
  assert.ok(first.isClosed);
  assert.ok(FakeSocket.all.length >= 2, 'a new one is opened');
  assert.deepEqual(losses[0], { wasOpen: true, isSessionOver: false });
  // what the dead one still says is not heard
  first.say({ op: 'live' });
  assert.notEqual(link.state.value, 'open');
  FakeSocket.all[FakeSocket.all.length - 1]!.open();
  assert.equal(link.state.value, 'open');
});

test('a socket that is heard stays', () => {
  const only = FakeSocket.all[0]!;
  only.open();
  for (let i = 0; i < 40; i += 1) {
    wait(500);
    only.say({ op: 'live' });
    assert.equal(link.state.value, 'open');
  }
  assert.equal(FakeSocket.all.length, 1);
});

test('a socket that never opens is given up for a new one', () => {
  wait(kOpening_ms + 1000);
  assert.ok(FakeSocket.all.length >= 2);
  assert.equal(losses[0]?.wasOpen, false);
});

test('that the session is over is told', () => {
  FakeSocket.all[0]!.open();
  FakeSocket.all[0]!.onclose({ code: kSessionOver });
  assert.deepEqual(losses, [{ wasOpen: true, isSessionOver: true }]);
});

test('who stops the link in answer to its loss has no new socket', () => {
  link.stop();
  link = new LiveLink(() => undefined, () => link.stop());
  link.start();
  const count = FakeSocket.all.length;
  FakeSocket.all[count - 1]!.onclose({ code: kSessionOver });
  wait(20_000);
  assert.equal(FakeSocket.all.length, count);
});

test('every call ends; those that take long are waited for longer', () => {
  assert.equal(patienceFor_ms('/api/stop'), 10_000);
  assert.equal(patienceFor_ms('/api/programs/run'), 10_000);
  for (const path of ['/api/programs/simulate', '/api/recordings/a.mcap/curves', '/api/setup', '/api/robots']) assert.ok(patienceFor_ms(path) > 60_000, path);
});

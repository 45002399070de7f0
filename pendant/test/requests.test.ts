// SPDX-License-Identifier: BSD-3-Clause
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JogRefusal } from '../src/link/jog_refusal';
import { numberIn, outcomeFrom, OwnRequests } from '../src/link/own_requests';
import { liveFrom, messageFrom, type Event, type Jog } from '../src/link/protocol';
import { heardWithin } from '../src/link/stop_watch';

const reply = (request: number, status: string, reason = ''): Event =>
  messageFrom(JSON.stringify({ op: 'event', kind: 'reply', text: reason, request, status, reached: status === 'reached', reason })) as Event;
const outcome = (request: number, status: string) => outcomeFrom(reply(request, status))!;

test('a refusal is of this page when its number is, whichever comes first', () => {
  const own = new OwnRequests();
  assert.equal(own.asked(7), null);
  assert.equal(own.heard(outcome(7, 'unreachable'))?.status, 'unreachable');
  assert.equal(own.heard(outcome(8, 'refused')), null, 'of somebody else, or not known yet');
  assert.equal(own.asked(8)?.status, 'refused', 'the event came before the answer');
  assert.equal(own.asked(9), null);
  assert.equal(own.newest, 9);
});

test('it remembers so many requests, not all', () => {
  const own = new OwnRequests();
  for (let i = 0; i < 1000; i += 1) own.asked(i);
  assert.equal(own.heard(outcome(3, 'refused')), null);
  assert.equal(own.heard(outcome(999, 'refused'))?.request, 999);
});

test('only replies are outcomes, and their reason is kept', () => {
  assert.equal(outcomeFrom({ op: 'event', kind: 'notice', t: 0, text: 'a', more: { request: 1 } }), null);
  assert.deepEqual(outcomeFrom(reply(4, 'blocked', 'the press is in the way')), { request: 4, status: 'blocked', reason: 'the press is in the way' });
  assert.equal(numberIn({ request: 12 }), 12);
  assert.equal(numberIn({ ok: true }), null);
  assert.equal(numberIn(null), null);
});

const jog = (phase: string, wish: number, words = ''): Jog => liveFrom({ jog: { phase, wish, words } }).jog;

test('a refused step is told once, and only when the word is about it', () => {
  const watch = new JogRefusal();
  watch.begin(jog('refused', 5, 'old'), true, 0);
  assert.equal(watch.hear(jog('refused', 5, 'old'), 1000), null, 'the word of an older wish stays where it is');
  assert.equal(watch.hear(jog('refused', 6, 'not homed'), 1100), 'not homed');
  assert.equal(watch.hear(jog('refused', 6, 'not homed'), 1200), null);
});

test('a key that is held and still refused is told of although the word is the same as before', () => {
  const watch = new JogRefusal();
  watch.begin(jog('refused', 5, 'not homed'), false, 0);
  assert.equal(watch.hear(jog('refused', 5, 'not homed'), 100), null);
  assert.equal(watch.hear(jog('refused', 5, 'not homed'), 500), 'not homed');
});

test('a jog that is carried out is not refused by what comes later', () => {
  const watch = new JogRefusal();
  watch.begin(jog('idle', 5), false, 0);
  assert.equal(watch.hear(jog('moving', 6), 50), null);
  assert.equal(watch.hear(jog('refused', 7, 'of somebody else'), 900), null);
  watch.begin(jog('moving', 6), false, 1000);
  watch.release();
  assert.equal(watch.hear(jog('refused', 8, 'too late'), 1100), null);
});

test('a stop is heard by either way, and not by a way that fails', async () => {
  const never = new Promise<void>(() => undefined);
  assert.equal((await heardWithin([never, Promise.resolve()], 1e6)).isHeard, true);
  assert.equal((await heardWithin([Promise.reject(new Error('cut')), Promise.resolve()], 1e6)).isHeard, true);
  assert.equal((await heardWithin([Promise.reject(new Error('cut'))], 1e6)).isHeard, false, 'all have failed');
  assert.equal((await heardWithin([never], 5)).isHeard, false, 'a network that swallows all');
});

test('a stop that is heard late is known of', async () => {
  let answer: () => void = () => undefined;
  const { isHeard, late } = await heardWithin([new Promise<void>((done) => (answer = done))], 5);
  assert.equal(isHeard, false);
  answer();
  await late;
});

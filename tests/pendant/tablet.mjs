// SPDX-License-Identifier: BSD-3-Clause
// A tablet at a robot that speaks https with a certificate of its own: fingers instead of a mouse, and all that passes is encrypted.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { assert, ready, scenarios, settled, startBrowser, startRobot, takeControl, until, visit } from './pendant.mjs';

const robot = await startRobot({ options: ['--web-tls'] });
const browser = await startBrowser();
const page = await visit(browser, robot, { size: { width: 800, height: 1280 }, more: { hasTouch: true, isMobile: true, ignoreHTTPSErrors: true } });
const cdp = await page.context().newCDPSession(page);
const sockets = [];
let isTouched = false;
page.on('websocket', (socket) => sockets.push(socket.url()));
const forwards = page.getByRole('button', { name: 'base forwards' });
const backwards = page.getByRole('button', { name: 'base backwards' });

/** As the page may ask: nobody else knows the certificate. */
const get = (path) => page.evaluate(async (path) => (await fetch(path)).json(), path);
const base = async () => (await get('/api/state')).joints.find((one) => one.name === 'base').actual;

async function middleOf(key) {
  const box = await key.boundingBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
/** All fingers that are on the glass from now on. */
async function touch(type, ...points) {
  const isLift = points.length === 0;
  // who has no finger on the glass can lift none
  if (!isLift || isTouched) await cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points.map((point, id) => ({ ...point, id })) });
  isTouched = !isLift;
}

async function rests() {
  let [last, count] = [await base(), 0];
  await until('the base rests', async () => {
    const now = await base();
    count = Math.abs(now - last) < 2e-4 ? count + 1 : 0;
    last = now;
    return count >= 6;
  });
  return last;
}

/** Puts a finger on a key until the base moves: a machine that is too busy may let the page miss its beat, and then the jog ends. */
async function holdUntilMoving(key) {
  await key.scrollIntoViewIfNeeded();
  const from = await rests();
  const at = await middleOf(key);
  await until('the base moves', async () => {
    await touch('touchEnd');
    await ready(page);
    await touch('touchStart', at);
    await until('the key is held, or let go again', async () => Math.abs((await base()) - from) > 0.01 || (await page.locator('.jog-key.held').count()) === 0);
    return Math.abs((await base()) - from) > 0.01 && (await page.locator('.jog-key.held').count()) === 1;
  });
  return { from, at };
}

async function stands() {
  const stood = await rests();
  await page.waitForTimeout(500);
  assert.ok(Math.abs((await base()) - stood) < 1e-3, 'it stands');
}

/** What the server sends first on a socket of that kind, opened by the page. */
function firstWords(path, protocol) {
  return page.evaluate(([path, protocol]) => new Promise((done, fail) => {
    const socket = new WebSocket(`wss://${location.host}${path}`, protocol ? [protocol] : []);
    socket.onmessage = (message) => { done([socket.protocol, message.data]); socket.close(); };
    socket.onerror = () => fail(new Error('no socket'));
    if (!protocol) socket.onopen = () => socket.send(JSON.stringify({ op: 'subscribe', topic: '/joint_states', type: 'sensor_msgs/JointState' }));
  }), [path, protocol]);
}

await scenarios([
  ['the page comes by https, with the certificate whose fingerprint was told', async () => {
    assert.match(robot.url, /^https:/);
    await page.locator('[data-page=move]').waitFor();
    const { hostname, port } = new URL(robot.url);
    // it is trusted because it is known, and for that address
    const socket = connect({ host: hostname, port: Number(port), ca: readFileSync(join(robot.data, 'certificate.pem')) });
    await new Promise((done, fail) => socket.once('secureConnect', done).once('error', fail));
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    assert.ok(robot.said.toUpperCase().includes(fingerprint256), `${fingerprint256} is not in: ${robot.said}`);
  }],
  ['what is live comes by an encrypted socket', async () => {
    await page.reload();
    await page.locator('[data-link=open]').waitFor();
    assert.ok(sockets.length > 0 && sockets.every((url) => url.startsWith('wss://')), sockets.join(' '));
    assert.equal(await page.evaluate(() => isSecureContext), true);
  }],
  ['viewers connect by it, too', async () => {
    const [protocol, hello] = await firstWords('/', 'foxglove.websocket.v1');
    assert.equal(protocol, 'foxglove.websocket.v1');
    assert.equal(JSON.parse(hello).op, 'serverInfo');
    const [, published] = await firstWords('/rosbridge');
    assert.deepEqual(JSON.parse(published).topic, '/joint_states');
  }],
  ['a finger on a key moves the joint, and lifted it stops it', async () => {
    await takeControl(page);
    await holdUntilMoving(forwards);
    await touch('touchEnd');
    await stands();
    assert.equal(await page.locator('.jog-key.held').count(), 0);
  }],
  ['a finger that slides off its key lets go, although it is still on the glass', async () => {
    const { at } = await holdUntilMoving(backwards);
    for (let i = 1; i <= 6; i += 1) await touch('touchMove', { x: at.x, y: at.y - 30 * i });
    await until('the key looks free', async () => (await page.locator('.jog-key.held').count()) === 0);
    await stands();
    await touch('touchEnd');
  }],
  ['fingers that the system takes away let go', async () => {
    await holdUntilMoving(forwards);
    await touch('touchCancel');
    await until('the key looks free', async () => (await page.locator('.jog-key.held').count()) === 0);
    await stands();
  }],
  ['a held key neither scrolls nor opens a menu', async () => {
    const { at } = await holdUntilMoving(backwards);
    const before = await page.evaluate(() => [...document.querySelectorAll('*')].map((one) => one.scrollTop).join());
    for (let i = 1; i <= 4; i += 1) await touch('touchMove', { x: at.x, y: at.y - 3 * i });
    assert.equal(await page.evaluate(() => [...document.querySelectorAll('*')].map((one) => one.scrollTop).join()), before);
    assert.equal(await page.evaluate(() => document.getSelection().toString()), '');
    await touch('touchEnd');
    await stands();
  }],
  ['a second finger on STOP stops the robot while the first one jogs', async () => {
    const { at } = await holdUntilMoving(forwards);
    await touch('touchStart', at, await middleOf(page.getByRole('button', { name: 'Stop the robot now' })));
    await until('the robot is stopped', async () => (await get('/api/state')).safety.state === 'stopped');
    await touch('touchEnd');
    await page.getByText('Stopped', { exact: true }).first().waitFor();
    await ready(page);
    await stands();
  }],
  ['tapped, the pages change', async () => {
    for (const name of ['Status', 'Move']) {
      await page.getByRole('link', { name, exact: true }).tap();
      await page.locator(`[data-page=${name.toLowerCase()}]`).waitFor();
    }
    await settled(page);
  }],
  ['the page had no errors, and nothing that it said by its socket was refused', async () => assert.deepEqual([page.errors, page.refusals], [[], []])],
], async () => {
  await browser.close();
  robot.end();
});

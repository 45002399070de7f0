// SPDX-License-Identifier: BSD-3-Clause
// What the tests of the pendant share: a robot of their own with real processes and the simulator, and a real browser.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const here = dirname(fileURLToPath(import.meta.url));
// the libraries lie beside the page
const require = createRequire(join(here, '../../pendant/package.json'));
const { chromium } = require('playwright-core');
const axeFile = require.resolve('axe-core/axe.min.js');
export { assert };

const run = promisify(execFile);
const sinew = process.argv[2];
export const screenshots = process.argv[3];
if (!sinew) throw new Error('usage: node NAME.mjs PATH/OF/sinew [FOLDER FOR SCREENSHOTS]');

/** Starts a robot in a space of its own; `end` leaves nothing behind. */
export async function startRobot({ model = 'scorbot-er3', accounts = false, options = [] } = {}) {
  const space = `pendant-${process.pid}-${Math.floor(Math.random() * 1e6)}`;
  const data = mkdtempSync(join(tmpdir(), 'sinew-pendant-'));
  const words = ['start', model, '--space', space, '--web', '127.0.0.1:0', '--web-data', data, '--timeout', '120', ...options];
  if (!accounts) words.push('--no-accounts');
  // what is saved at stops belongs to the test, too
  const { stdout, stderr } = await run(sinew, words, { env: { ...process.env, XDG_STATE_HOME: join(data, 'state') } });
  const said = stdout + stderr;
  const url = /https?:\/\/[\d.]+:\d+/.exec(said)?.[0];
  assert.ok(url, `no address in: ${said}`);
  const end = () => {
    execFileSync(sinew, ['kill', '--space', space], { stdio: 'ignore' });
    rmSync(data, { recursive: true, force: true });
    rmSync(`/dev/shm/sinew-${space}`, { recursive: true, force: true });
  };
  process.once('SIGTERM', () => {
    end();
    process.exit(1);
  });
  return { url, space, said, data, end, sinew: (...args) => run(sinew, [...args, '--space', space]), sinewOnly: (...args) => run(sinew, args) };
}

/** A cable between a browser and the robot that can be cut: from then on nothing passes, and nobody is told. Mended, it is there for
 * what is connected anew. */
export async function startCable(robot) {
  const { hostname, port } = new URL(robot.url);
  const ends = new Set();
  let isCut = false;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    // what was lost on the way is missing for ever
    let isBroken = isCut;
    for (const [from, to] of [[near, far], [far, near]]) {
      ends.add(from);
      from.on('data', (bytes) => {
        isBroken ||= isCut;
        if (!isBroken) to.write(bytes);
      });
      from.on('close', () => isBroken || to.destroy());
      from.on('error', () => undefined);
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const end = () => {
    for (const one of ends) one.destroy();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, cut: () => (isCut = true), mend: () => (isCut = false), end };
}

/** A browser, with or without the picture: drawn without a graphics card it takes a core of its own. */
export function startBrowser({ hasPicture = false } = {}) {
  const picture = hasPicture ? ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] : ['--disable-3d-apis'];
  return chromium.launch({ executablePath: '/usr/bin/chromium', headless: true, args: ['--no-sandbox', ...picture] });
}

/**
 * A page of a visitor of its own, who has seen the tour; errors in it fail the test at its end. `more`: of the browser's context;
 * `prepare`: done with the page before it is opened. What the server says by the live socket goes to all of `page.hearers`, what
 * the page says to all of `page.sayings`, both in their order, and refusals are kept in `page.refusals`.
 */
export async function visit(browser, robot, { hash = '', size = { width: 1280, height: 800 }, scheme = 'light', settings = {}, more = {}, prepare = () => undefined } = {}) {
  const context = await browser.newContext({ viewport: size, colorScheme: scheme, ...more });
  const stored = { tourSeen: true, ...settings };
  await context.addInitScript((all) => {
    for (const [name, value] of Object.entries(all)) if (localStorage.getItem(`sinew.${name}`) === null) localStorage.setItem(`sinew.${name}`, JSON.stringify(value));
  }, stored);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.errors = [];
  page.on('pageerror', (error) => page.errors.push(error.message));
  page.refusals = [];
  page.hearers = [(message) => message.op === 'refused' && page.refusals.push(message)];
  page.sayings = [];
  page.on('websocket', (socket) => {
    const tell = (all) => ({ payload }) => {
      const message = JSON.parse(String(payload));
      for (const one of all) one(message);
    };
    socket.on('framereceived', tell(page.hearers));
    socket.on('framesent', tell(page.sayings));
  });
  await prepare(page);
  await page.goto(robot.url + (hash ? `/#/${hash}` : ''));
  return page;
}

/** Keeps pictures of a page in both sizes, where a folder for them is given. */
export async function picture(page, name) {
  if (!screenshots) return;
  mkdirSync(screenshots, { recursive: true });
  const before = page.viewportSize();
  for (const [shape, size] of [['landscape', { width: 1280, height: 800 }], ['portrait', { width: 800, height: 1280 }]]) {
    await page.setViewportSize(size);
    await settled(page);
    await page.screenshot({ path: join(screenshots, `${name}-${shape}.png`) });
  }
  await page.setViewportSize(before);
}

/** GET of the state, as anybody on this machine may ask. */
export async function state(robot) {
  return (await fetch(`${robot.url}/api/state`)).json();
}

export async function joint(robot, name) {
  const found = (await state(robot)).joints.find((one) => one.name === name);
  return found.actual;
}

/** Waits until `holds` says true. A test's own time limit is the only one. */
export async function until(what, holds, patience_s = 60) {
  for (const end = Date.now() + 1000 * patience_s; Date.now() < end; ) {
    if (await holds()) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  assert.fail(`in vain: ${typeof what === 'function' ? what() : what}`);
}

/** Where a joint stands once it has stood for a while. */
export async function rested(robot, name) {
  let last = await joint(robot, name);
  let count = 0;
  await until(`${name} rests`, async () => {
    const now = await joint(robot, name);
    count = Math.abs(now - last) < 2e-4 ? count + 1 : 0;
    last = now;
    return count >= 6;
  });
  return last;
}

/** Brings the robot to rest and ready: it may be stopped, or this machine may have been too busy to simulate it in time. */
export async function ready(page) {
  await takeControl(page);
  await until('the robot is ready', async () => {
    const reset = page.locator('.state').getByRole('button', { name: /^Reset/ });
    if ((await reset.count()) > 0) await reset.click({ timeout: 2000 }).catch(() => undefined);
    return (await page.locator('.state.good').count()) > 0;
  });
}

/** What a machine that was too busy to simulate, plan or answer in time makes of a motion. Anything else is a fault of ours. */
function isLate({ reason, device_faults: faults }) {
  return ['stale state', 'motion broken'].includes(reason) || (reason === 'device fault' && faults === 'watchdog');
}
const kLateWords = /too late|not continued in time|does not say where its joints are/;

/** Waits until `holds` or the motion is over; answers what ended it early, or nothing. */
async function watchMotion(page, robot, holds) {
  for (let idle = 0; idle < 30; await new Promise((done) => setTimeout(done, 50))) {
    if (await holds()) return null;
    const { safety, motion } = await state(robot);
    if (safety.state !== 'running') return { isLate: isLate(safety), why: safety.text };
    idle = motion?.phase === 'idle' ? idle + 1 : 0;
  }
  const why = (await page.locator('.notice.warn').allInnerTexts()).join('; ');
  return { isLate: kLateWords.test(why), why: why || 'the motion has ended elsewhere, and nobody said why' };
}

/** Goes to the target that is shown, until `holds`, which is told what was asked for. Again only when this machine was too busy. */
export async function goUntil(page, robot, what, holds) {
  for (;;) {
    await ready(page);
    const answered = page.waitForResponse((answer) => answer.url().endsWith('/api/move'));
    await page.getByRole('button', { name: 'Go', exact: true }).click();
    const answer = await answered;
    const asked = answer.request().postDataJSON();
    const ended = answer.ok() ? await watchMotion(page, robot, () => holds(asked)) : { isLate: kLateWords.test(await answer.text()), why: await answer.text() };
    if (!ended) return;
    assert.ok(ended.isLate, `${what}: ${ended.why}`);
    console.log(`   once more: ${ended.why}`);
  }
}

/** Waits until what the page shows is there: nothing is on its way, and the picture, where there is one, has all its shadows and rests. */
export async function settled(page) {
  await page.waitForFunction(() => {
    const scene = document.querySelector('.scene');
    const isStill = document.getAnimations().every((one) => one.playState !== 'running' || one.effect?.getComputedTiming().iterations === Infinity);
    const isLoading = [...document.querySelectorAll('.waiting, .view-trouble')].some((one) => one.textContent.startsWith('Loading'));
    return (!scene || scene.dataset.finish === 'full') && isStill && !isLoading && document.fonts.status === 'loaded';
  });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  // a robot that moves is drawn for ever
  const rests = () => { const scene = document.querySelector('.scene'); return !scene || scene.dataset.asked === scene.dataset.drawn; };
  await page.waitForFunction(rests, null, { timeout: 2000 }).catch(() => undefined);
}

export async function takeControl(page, { force = false } = {}) {
  const chip = page.locator('[data-control]');
  await chip.waitFor();
  if (force) {
    await page.locator('[data-control=other]').click();
    await page.getByRole('button', { name: 'Take over', exact: true }).click();
    return page.locator('[data-control=mine]').waitFor();
  }
  // a key that jogs may take it meanwhile: only a chip that says that nobody has it is pressed
  await until('this page has control', async () => {
    if ((await chip.getAttribute('data-control')) === 'mine') return true;
    if ((await chip.getAttribute('data-control')) !== 'free') return false;
    await chip.click();
    return page.locator('[data-control=mine]').waitFor({ timeout: 10_000 }).then(() => true, () => false);
  });
}

/** What axe-core finds serious or critical in a page. */
export async function serious(page) {
  // as a script of the page it would be refused
  await page.evaluate(readFileSync(axeFile, 'utf8'));
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return violations.filter((one) => one.impact === 'serious' || one.impact === 'critical').map((one) => `${one.id}: ${one.help}: ${one.nodes[0].html.slice(0, 160)}`);
}

/** Runs scenarios one after the other, tells each, and always cleans up. */
export async function scenarios(all, cleanUp) {
  try {
    for (const [name, act] of all) {
      const begun = Date.now();
      await act();
      console.log(`ok ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
    }
  } finally {
    await cleanUp();
  }
}

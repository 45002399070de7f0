// SPDX-License-Identifier: BSD-3-Clause
// The handle in the picture, dragged in a real browser: the ghost follows by inverse kinematics, and what is out of reach is shown as such.
import { assert, goUntil, joint, ready, rested, scenarios, startBrowser, startRobot, until, visit } from './pendant.mjs';

const robot = await startRobot();
const browser = await startBrowser({ hasPicture: true });
const page = await visit(browser, robot, { settings: { needsHold: false } });

/** Where the handle is on the screen [px]. */
async function handle() {
  const box = await page.locator('.scene').boundingBox();
  let place = '';
  await until('the handle is drawn', async () => (place = await page.locator('.scene').getAttribute('data-handle')) !== '');
  const [x, y] = place.split(' ').map(Number);
  return { x: box.x + x, y: box.y + y };
}

const drawn = () => page.locator('.scene').getAttribute('data-drawn').then(Number);

/** Waits until nothing is left to be drawn. */
async function drawnOut() {
  let before = -1;
  await until('the picture rests', async () => {
    const last = before;
    before = await drawn();
    await page.waitForTimeout(300);
    return before === last && (await drawn()) === before;
  });
}

async function drag(by, { release = true } = {}) {
  const from = await handle();
  await page.mouse.move(from.x, from.y);
  // the handle looks for the pointer when it is drawn
  await drawnOut();
  await page.mouse.down();
  await page.mouse.move(from.x + by.x, from.y + by.y, { steps: 8 });
  if (release) await page.mouse.up();
}

await scenarios([
  ['the handle stands at the tool', async () => {
    await page.locator('[data-scene=loaded][data-finish=full]').waitFor();
    await ready(page);
    await page.getByRole('button', { name: 'Drag a target in the picture' }).click();
    await handle();
    await page.getByRole('tab', { name: 'Go to', selected: true }).waitFor();
  }],
  ['dragged a little, the ghost follows and nothing moves', async () => {
    const before = await rested(robot, 'base');
    const from = await handle();
    await drag({ x: 25, y: 15 });
    await page.locator('[data-reachable=true]').getByText('Drag', { exact: true }).waitFor();
    await until('the handle is drawn under the finger', async () => {
      const to = await handle();
      return Math.hypot(to.x - from.x - 25, to.y - from.y - 15) < 6;
    });
    assert.ok(Math.abs((await joint(robot, 'base')) - before) < 1e-3);
  }],
  ['out of reach it says so, while it is dragged, and the key is locked', async () => {
    await drag({ x: -260, y: -160 }, { release: false });
    await page.locator('[data-reachable=false]').getByText(/^Out of reach/).waitFor();
    assert.ok(await page.getByRole('button', { name: 'Go', exact: true }).isDisabled());
    // and back under the same finger
    const now = await handle();
    await page.mouse.move(now.x + 255, now.y + 160, { steps: 8 });
    await page.locator('[data-reachable=true]').waitFor();
    await page.mouse.up();
  }],
  ['the robot goes where the ghost is', async () => {
    await page.locator('[data-reachable=true]').waitFor();
    const isAt = async (name, goal) => Math.abs((await joint(robot, name)) - goal) < 0.01;
    await goUntil(page, robot, 'it is there', async ({ joints }) => (await isAt('base', joints.base)) && isAt('elbow', joints.elbow));
  }],
  ['a picture that changes for hours takes no more of the graphics card', async () => {
    const ask = (method, path, body, control) => fetch(robot.url + path, { method, headers: { 'Content-Type': 'application/json', 'X-Sinew-Control': control ?? '' }, body: JSON.stringify(body) });
    const memory = () => page.locator('.scene').getAttribute('data-memory');
    const names = () => page.evaluate(() => document.documentElement.dataset.theme);
    await page.locator('[data-control=mine]').click();
    await page.locator('[data-control=free]').waitFor();
    const { token } = await (await ask('POST', '/api/control/take', {})).json();
    /** All that is made anew: things of the world, colours, frames, ghost. */
    const round = async (i) => {
      const added = await ask('POST', '/api/world', { yaml: `{name: thing, box: [0.1, 0.1, 0.${1 + (i % 3)}], at: [0.9, 0.9, 0.2], rpy: [0, 0, 0]}`, wait: true }, token);
      assert.ok(added.ok, await added.text());
      await ask('PUT', '/api/frames/bench', { arm: 'arm', position: [0.3, 0.01 * i, 0.1], rpy: [0, 0, 0] });
      for (const scheme of ['dark', 'light']) {
        await page.emulateMedia({ colorScheme: scheme });
        await until('the theme has changed', async () => (await names()) === (scheme === 'dark' ? 'dark' : 'bright'));
        await drawnOut();
      }
      assert.ok((await ask('DELETE', '/api/world/thing', {}, token)).ok);
      await until('it is gone', async () => !(await (await fetch(`${robot.url}/api/world`)).json()).objects.some((one) => one.name === 'thing'));
      await drawnOut();
    };
    for (let i = 0; i < 2; ++i) await round(i);
    const before = await memory();
    for (let i = 2; i < 6; ++i) await round(i);
    let now = '';
    await until(() => `as many geometries and textures as before: ${before}, not ${now}`, async () => (now = await memory()) === before);
    await ask('POST', '/api/control/leave', {}, token);
  }],
  ['the page had no errors', async () => assert.deepEqual(page.errors, [])],
], async () => {
  await browser.close();
  robot.end();
});

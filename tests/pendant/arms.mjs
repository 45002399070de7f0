// SPDX-License-Identifier: BSD-3-Clause
// A robot with two arms: the one that is chosen counts for points, targets, programs and the picture.
import { assert, picture, scenarios, startBrowser, startRobot, takeControl, until, visit } from './pendant.mjs';

const robot = await startRobot({ model: 'mds' });
const browser = await startBrowser({ hasPicture: true });
const page = await visit(browser, robot, { settings: { needsHold: false } });
const json = async (path) => (await fetch(robot.url + path)).json();

await scenarios([
  ['a point is recorded with the arm that is chosen', async () => {
    await takeControl(page);
    await page.getByRole('tab', { name: 'Points' }).click();
    for (const [arm, name] of [['right', 'p1'], ['left', 'p2']]) {
      await page.getByRole('combobox', { name: 'Arm' }).selectOption(arm);
      await page.getByRole('button', { name: 'Record point' }).click();
      await page.locator('.point-main').filter({ hasText: name }).waitFor();
    }
    const { points } = await json('/api/points');
    assert.deepEqual(points.map((one) => [one.name, one.arm]), [['p1', 'right'], ['p2', 'left']]);
    assert.deepEqual(await page.locator('.notice.warn').allInnerTexts(), []);
  }],
  ['a name that is taken is asked about before it is written over', async () => {
    await page.getByLabel('Name of the point').fill('p1');
    await page.getByRole('button', { name: 'Record point' }).click();
    await page.getByRole('dialog').getByText(/There is a point p1 already/).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await json('/api/points')).points[0].arm, 'right');
  }],
  ['the handle stands at the hand of the arm that is chosen', async () => {
    await page.getByRole('tab', { name: 'Go to' }).click();
    await page.locator('[data-scene=loaded]').waitFor();
    const places = {};
    for (const arm of ['left', 'right']) {
      await page.getByRole('combobox', { name: 'Arm' }).selectOption(arm);
      const asked = page.waitForRequest((request) => request.url().endsWith('/api/solve') && request.postDataJSON().arm === arm);
      await page.getByRole('button', { name: 'Drag a target in the picture' }).click();
      await until('the handle is drawn', async () => (places[arm] = await page.locator('.scene').getAttribute('data-handle')) !== '');
      await page.getByRole('button', { name: 'From here' }).click();
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await asked;
      if (arm === 'right') await picture(page, 'move-two-arms');
      await page.getByRole('button', { name: 'Drag a target in the picture' }).click();
      await until('the handle is gone', async () => (await page.locator('.scene').getAttribute('data-handle')) === '');
    }
    assert.notEqual(places.left, places.right);
  }],
  ['programs are looked at, simulated and run for that arm', async () => {
    const text = 'UNITS (mm,deg,s)\nWAIT 0.1\n';
    const put = await fetch(`${robot.url}/api/programs/two.prog`, { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ text }) });
    assert.ok(put.ok, await put.text());
    const armOf = (path) => page.waitForRequest((request) => request.url().endsWith(path)).then((request) => request.postDataJSON().arm);
    const checked = armOf('/api/programs/check');
    await page.goto(`${robot.url}/#/program/two.prog`);
    assert.equal(await checked, 'right');
    await page.locator('.findings.good').waitFor();
    const simulated = armOf('/api/programs/simulate');
    await page.getByRole('button', { name: 'Simulate' }).click();
    assert.equal(await simulated, 'right');
    const run = armOf('/api/programs/run');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    assert.equal(await run, 'right');
  }],
  ['the page had no errors', async () => assert.deepEqual(page.errors, [])],
], async () => {
  await browser.close();
  robot.end();
});

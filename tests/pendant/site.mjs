// SPDX-License-Identifier: BSD-3-Clause
// Limits and workspace in a real browser: drawn, dragged, taken back, saved, in force after a restart, and kept to.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { assert, ready, rested, scenarios, screenshots, startBrowser, startRobot, until, visit } from './pendant.mjs';

const robot = await startRobot();
const browser = await startBrowser({ hasPicture: true });
const page = await visit(browser, robot, { hash: 'setup/workspace', settings: { needsHold: false } });
const bar = page.locator('.site-bar');
const standing = (what) => page.locator(`.site-bar[data-standing=${what}]`).waitFor();
const number = (group, name) => page.getByRole('group', { name: group }).getByLabel(new RegExp(`^${name}`));
const setup = async () => (await fetch(`${robot.url}/api/setup`)).json();
if (screenshots) mkdirSync(screenshots, { recursive: true });

async function keep(name) {
  if (screenshots) await page.screenshot({ path: join(screenshots, `${name}.png`) });
}

async function type(field, value) {
  await field.fill(String(value));
  await field.press('Enter');
}

/** Has control, also when this machine was too busy for the page's own heartbeat and the server still thinks of its last. */
async function control() {
  await until('the page controls', async () => {
    if ((await page.locator('[data-control=mine]').count()) > 0) return true;
    await page.locator('[data-control]').click({ timeout: 3000 }).catch(() => undefined);
    await page.getByRole('dialog').getByRole('button', { name: 'Take over' }).click({ timeout: 1000 }).catch(() => undefined);
    return (await page.locator('[data-control=mine]').count()) > 0;
  });
}

/** Presses a key that needs control, until it is seen to have worked. */
async function press(key, seen) {
  await until(`'${key}' works`, async () => {
    await control();
    await bar.getByRole('button', { name: key }).click({ timeout: 3000 }).catch(() => undefined);
    return seen.waitFor({ timeout: 10_000 }).then(() => true, () => false);
  }, 120);
}

/** Millimetres as the page shows them. */
const shown = async (field) => Number((await field.inputValue()).replace('−', '-'));

await scenarios([
  ['a box is drawn, and dragging its handle moves it', async () => {
    await page.locator('[data-scene=loaded]').waitFor();
    await control();
    await standing('in_force');
    await page.getByRole('button', { name: 'Box', exact: true }).click();
    await standing('changed');
    await page.getByLabel('Name').fill('press');
    await page.getByLabel('Name').press('Enter');
    for (const [axis, value] of [['X', 150], ['Y', 400], ['Z', 250]]) await type(number('Middle', axis), value);
    for (const [side, value] of [['Length', 300], ['Width', 200], ['Height', 500]]) await type(number('Size', side), value);
    await page.getByRole('radio', { name: 'Size' }).click();
    const sizes = () => Promise.all(['Length', 'Width', 'Height'].map((side) => shown(number('Size', side))));
    const before = await sizes();
    const box = await page.locator('.scene canvas').boundingBox();
    const scene = page.locator('.scene');
    await until('there are knobs', async () => ((await scene.getAttribute('data-knobs')) ?? '') !== '');
    // the one on the top
    const [x, y] = (await scene.getAttribute('data-knobs')).split(' ')[4].split(',').map(Number);
    await page.mouse.move(box.x + x + 4, box.y + y - 3);
    await page.mouse.down();
    await page.mouse.move(box.x + x + 4, box.y + y - 43, { steps: 4 });
    await page.mouse.up();
    await until('the box is higher', async () => (await sizes())[2] > before[2] + 10);
    const pulled = await sizes();
    assert.ok(Math.abs(pulled[0] - before[0]) < 0.11 && Math.abs(pulled[1] - before[1]) < 0.11, 'nothing else is');
    const bottom = (await shown(number('Middle', 'Z'))) - pulled[2] / 2;
    assert.ok(Math.abs(bottom - (250 - before[2] / 2)) < 0.2, 'the face across has stayed');
    await keep('site-box-landscape');
    // one pull is one change
    await bar.getByRole('button', { name: /^Undo/ }).click();
    await until('it is as before', async () => (await sizes()).every((one, i) => Math.abs(one - before[i]) < 0.11));
    await bar.getByRole('button', { name: /^Redo/ }).click();
    await until('it is higher again', async () => Math.abs((await sizes())[2] - pulled[2]) < 0.11);
    await bar.getByRole('button', { name: /^Undo/ }).click();
  }],
  ['what is not saved survives a reload', async () => {
    await page.reload();
    await standing('changed');
    await page.locator('.point-list').getByText('press', { exact: true }).waitFor();
    assert.deepEqual((await setup()).bounds, []);
  }],
  ['a box in which the robot stands is refused, with the link', async () => {
    await page.locator('.point-list').getByText('press', { exact: true }).click();
    await type(number('Middle', 'Y'), 0);
    await type(number('Middle', 'X'), 0);
    await type(number('Middle', 'Z'), 450);
    await press('Save', page.locator('.site-findings').getByText(/link \w+ is .*it now/));
    await keep('site-refused-landscape');
    for (let i = 0; i < 3; ++i) await bar.getByRole('button', { name: /^Undo/ }).click();
    assert.equal(await shown(number('Middle', 'Y')), 400);
  }],
  ['it is saved, and waits for a restart', async () => {
    await press('Save', page.locator('.site-bar[data-standing=waits]'));
    assert.equal((await setup()).bounds[0].name, 'press');
    assert.equal((await setup()).is_in_force, false);
    await keep('site-waits-landscape');
  }],
  ['limits are narrowed, and only narrowed', async () => {
    await page.getByRole('tab', { name: 'Joint limits' }).click();
    const upper = page.locator('[data-joint=base]').getByLabel(/upper limit/);
    await upper.fill('400');
    await page.locator('[data-joint=base] .field.odd').waitFor();
    await upper.press('Enter');
    assert.ok((await shown(upper)) < 200, 'what cannot be is not taken');
    await type(upper, 60);
    await page.locator('[data-joint=base]').getByText('narrowed').waitFor();
    await keep('site-limits-landscape');
    await press('Save', page.locator('.site-bar[data-standing=waits]'));
  }],
  ['after the restart it is in force', async () => {
    await press('Restart now', page.getByRole('dialog'));
    await page.getByRole('dialog').getByRole('button', { name: 'Restart now' }).click();
    await standing('in_force');
    await control();
    assert.equal((await setup()).is_in_force, true);
    await ready(page);
  }],
  ['the robot keeps to it, and the page says why', async () => {
    // the box stands at the left: the arm would sweep into it
    await page.goto(`${robot.url}/#/move`);
    await page.locator('[data-scene=loaded]').waitFor();
    await keep('site-move-landscape');
    const before = await rested(robot, 'base');
    const token = await (await fetch(`${robot.url}/api/control/take`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ force: true }) })).json();
    const ask = async (path, body) => {
      const answer = await fetch(robot.url + path, { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Sinew-Control': token.token }, body: JSON.stringify(body) });
      return { status: answer.status, text: await answer.text() };
    };
    const move = async (joints) => {
      let answer;
      // a machine that is too busy to simulate in time stops the robot
      await until('the robot is ready to be asked', async () => {
        await ask('/api/reset', {});
        await page.waitForTimeout(300);
        answer = await ask('/api/move', { kind: 'joints', joints, wait: true });
        return !/reset it|is held|is stopped|starting/.test(answer.text);
      });
      return answer;
    };
    const beyond = await move({ base: 1.4 });
    assert.ok(beyond.status === 409 || beyond.status === 422, beyond.text);
    assert.match(beyond.text, /joint 'base' cannot go to .* its limits are/);
    // within its limits, but with the arm in the box
    const inside = await move({ base: 1.0, shoulder: 0.3, elbow: -0.3, pitch: -0.2 });
    assert.ok(inside.status === 409 || inside.status === 422, inside.text);
    assert.match(inside.text, /workspace press/);
    assert.ok(Math.abs((await rested(robot, 'base')) - before) < 0.02);
  }],
  ['both sizes are fit to be looked at', async () => {
    await page.goto(`${robot.url}/#/setup/workspace`);
    await page.locator('.point-list').getByText('press', { exact: true }).waitFor();
    await page.setViewportSize({ width: 800, height: 1280 });
    await page.locator('.point-list').getByText('press', { exact: true }).click();
    await page.waitForTimeout(600);
    await keep('site-box-portrait');
    assert.deepEqual(page.errors, []);
  }],
], async () => {
  await browser.close();
  robot.end();
});

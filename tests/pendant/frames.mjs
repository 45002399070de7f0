// SPDX-License-Identifier: BSD-3-Clause
// A user frame taught by three touches of a simulated arm, seen in readings and picture, changed and deleted.
import { assert, picture, ready, scenarios, startBrowser, startRobot, state, until, visit } from './pendant.mjs';

const robot = await startRobot({ model: 'ur5e' });
const browser = await startBrowser({ hasPicture: true });
const page = await visit(browser, robot, { hash: 'setup/frame' });

/** The frame that is to be found, in the base [m]; it is turned by 90° about Z: its X is the base's Y. */
const origin = [0.4, 0.1, 0.4];
const places = [origin, [0.4, 0.25, 0.4], [0.3, 0.15, 0.4]];
let token;

async function ask(method, path, body) {
  const answer = await fetch(robot.url + path, { method, headers: { 'Content-Type': 'application/json', 'X-Sinew-Control': token ?? '' }, body: JSON.stringify(body) });
  return { status: answer.status, body: await answer.json().catch(() => null) };
}

/** The flange at a place, pointing down; a machine that is too busy may hold the robot, and then it is asked again. */
async function goTo(position) {
  let why = '';
  await until(() => `the flange is there ${why}`, async () => {
    if ((await state(robot)).safety.state !== 'running') await ask('POST', '/api/reset', {});
    const moved = await ask('POST', '/api/move', { kind: 'pose', arm: '', tool: '', position, rpy: [Math.PI, 0, 0], speed: 0.6, wait: true });
    why = JSON.stringify(moved.body);
    return moved.status === 200;
  });
  let last = '';
  await until('the page sees the robot rest there', async () => {
    const before = last;
    last = await page.locator('.tool-readout, .reading-value').allInnerTexts().then((all) => all.join());
    await page.waitForTimeout(300);
    return last !== '' && last === before;
  });
}

const frames = async () => (await (await fetch(`${robot.url}/api/frames`)).json()).frames;

await scenarios([
  ['three touches make a frame', async () => {
    await ready(page);
    await page.locator('[data-control=mine]').click();
    await page.locator('[data-control=free]').waitFor();
    token = (await ask('POST', '/api/control/take', {})).body.token;
    for (const [i, name] of ['Origin', 'On X', 'Towards Y'].entries()) {
      await goTo(places[i]);
      await page.getByRole('button', { name: `Record touch: ${name}` }).click();
      await page.locator('.touches li.done').nth(i).waitFor();
    }
    await page.getByLabel('Name of the frame').fill('bench');
    await page.getByRole('button', { name: 'Save the frame' }).click();
    await until('the robot has it', async () => (await frames()).some((one) => one.name === 'bench'));
    const [found] = await frames();
    const { position, rpy } = found.pose ?? found;
    console.log(`   at ${position} turned ${rpy}`);
    assert.ok(Math.hypot(...position.map((value, i) => value - origin[i])) < 2e-3, `at ${position}`);
    assert.ok(Math.abs(rpy[2] - Math.PI / 2) < 0.02 && Math.hypot(rpy[0], rpy[1]) < 0.02, `turned ${rpy}`);
    await page.locator('[data-frames="1"]').getByText('bench').waitFor();
    await picture(page, 'setup-frame-taught');
  }],
  ['in it the readings are those of the frame: at its origin they are zero', async () => {
    await page.goto(`${robot.url}/#/move`);
    await page.getByRole('radio', { name: 'User', exact: true }).click();
    await goTo(origin);
    const reading = async (name) => Number((await page.getByRole('group', { name, exact: true }).locator('.reading-value').innerText()).replace('−', '-').replace(/[^\d.-]/g, ''));
    for (const axis of ['X', 'Y', 'Z']) assert.ok(Math.abs(await reading(axis)) < 3, `${axis}: ${await reading(axis)} mm`);
    // the flange points down with its X along the base's, which is -Y of the frame
    assert.ok(Math.abs(Math.abs(await reading('about Z')) - 90) < 2, `yaw ${await reading('about Z')}`);
    await goTo(places[1]);
    assert.ok(Math.abs((await reading('X')) - 150) < 3, `X ${await reading('X')}`);
  }],
  ['it is drawn, with the base; the key hides them', async () => {
    await page.locator('[data-scene=loaded]').waitFor();
    // base, flange, bench
    await until('three frames are drawn', async () => (await page.locator('.scene').getAttribute('data-frames')) === '3');
    await picture(page, 'move-frames');
    await page.getByRole('button', { name: 'Frames', exact: true }).click();
    await until('none is drawn', async () => (await page.locator('.scene').getAttribute('data-frames')) === '0');
    await page.getByRole('button', { name: 'Frames', exact: true }).click();
  }],
  ['it is changed by numbers, and deleted', async () => {
    await page.goto(`${robot.url}/#/setup/frame`);
    await page.getByRole('button', { name: 'Change bench' }).click();
    const field = page.getByRole('dialog').getByRole('textbox', { name: /^X/ });
    await field.fill('350');
    await field.press('Tab');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await until('the robot has it', async () => Math.abs(((await frames())[0].pose ?? (await frames())[0]).position[0] - 0.35) < 1e-6);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete bench' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await until('it is gone', async () => (await frames()).length === 0);
    await page.getByText('No frames were taught yet.').waitFor();
  }],
  ['the page had no errors', async () => assert.deepEqual(page.errors, [])],
], async () => {
  await browser.close();
  robot.end();
});

// SPDX-License-Identifier: BSD-3-Clause
// Teaching and programming in a real browser: points, findings, simulation, running, a reload in the middle.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, joint, ready, rested, scenarios, startBrowser, startRobot, state, takeControl, until, visit } from './pendant.mjs';

const robot = await startRobot();
const browser = await startBrowser();
const page = await visit(browser, robot, { settings: { needsHold: false } });
const editor = page.locator('.cm-content');
const phase = () => page.locator('[data-program-phase]').getAttribute('data-program-phase');

async function step(name) {
  const key = page.getByRole('button', { name });
  const before = await rested(robot, 'base');
  await until('a step is made', async () => {
    await ready(page);
    await key.click();
    await page.waitForTimeout(500);
    return Math.abs((await joint(robot, 'base')) - before) > 0.02;
  });
  await rested(robot, 'base');
}

async function write(text) {
  await editor.click();
  await page.keyboard.press('Control+a');
  // whole, so that no completion comes between
  await page.keyboard.insertText(text);
}

/** Presses into the margin beside a line of the text, where breakpoints are. */
async function touchMargin(line) {
  const text = await page.locator('.cm-line').nth(line - 1).boundingBox();
  const margin = await page.locator('.cm-breakpoints').boundingBox();
  await page.mouse.click(margin.x + margin.width / 2, text.y + text.height / 2);
}

await scenarios([
  ['three points are taught where the robot stands', async () => {
    await takeControl(page);
    await page.getByRole('radio', { name: '5°' }).click();
    for (const name of ['p1', 'p2', 'p3']) {
      await page.getByRole('tab', { name: 'Jog' }).click();
      await step(name === 'p3' ? 'base backwards' : 'base forwards');
      await page.getByRole('tab', { name: 'Points' }).click();
      await page.getByRole('button', { name: 'Record point' }).click();
      await page.locator('.point-list').getByText(name, { exact: true }).waitFor();
    }
  }],
  ['deleting a point can be taken back', async () => {
    await page.getByRole('button', { name: 'Delete p2' }).click();
    await page.locator('.point-list').getByText('p2', { exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('.point-list').getByText('p2', { exact: true }).waitFor();
  }],
  ['a program with an error says where and why, and is not run', async () => {
    await page.goto(`${robot.url}/#/program`);
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByLabel('Name of the program').fill('three');
    await page.getByRole('button', { name: 'OK' }).click();
    await editor.waitFor();
    await write('INCLUDE "points.prog"\nSPEED 60%\nMOVEX p1\n');
    await page.locator('.findings.bad').getByText(/^Line 3: /).waitFor();
    await page.locator('.cm-lint-marker-error').waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('There are errors; the program is not run.').waitFor();
  }],
  ['mended, it is simulated before it runs', async () => {
    await write('INCLUDE "points.prog"\nSPEED 60%\nMOVEJ p1\nMOVEJ p2\nMOVEJ p3\n');
    await page.locator('.findings.good').waitFor();
    await page.locator('.step').filter({ hasText: 'MOVEJ p2' }).waitFor();
    const before = await rested(robot, 'base');
    await page.getByRole('button', { name: 'Simulate' }).click();
    await page.locator('[data-simulated]').waitFor();
    assert.ok(Number(await page.locator('[data-simulated]').getAttribute('data-simulated')) > 0);
    assert.ok(Math.abs((await joint(robot, 'base')) - before) < 1e-3, 'only the ghost has moved');
    await page.locator('.ghost-slider').getByRole('button', { name: 'Close' }).click();
  }],
  ['steps and text are kept in step', async () => {
    await page.locator('.step').filter({ hasText: 'MOVEJ p2' }).click();
    await page.locator('.step-tools').getByRole('button', { name: 'Down' }).click();
    await page.locator('.step').nth(4).filter({ hasText: 'MOVEJ p2' }).waitFor();
    assert.match(await editor.innerText(), /MOVEJ p3\s+MOVEJ p2/);
    await page.locator('.program-bar').getByRole('button', { name: 'Undo' }).click();
    await page.locator('.step').nth(3).filter({ hasText: 'MOVEJ p2' }).waitFor();
  }],
  ['it runs, to its last point', async () => {
    await ready(page);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await until('the program ends', async () => (await phase()) === 'ended');
    const last = (await (await fetch(`${robot.url}/api/points`)).json()).points.find((point) => point.name === 'p3');
    assert.ok(Math.abs((await rested(robot, 'base')) - last.joints.base) < 0.01);
  }],
  ['a breakpoint halts the program before its line; going on ends it', async () => {
    await touchMargin(4);
    await page.locator('.cm-dot:visible').waitFor();
    const { points } = await (await fetch(`${robot.url}/api/points`)).json();
    const base = (name) => points.find((point) => point.name === name).joints.base;
    const isWaiting = async () => ['at breakpoint', 'at_breakpoint'].includes(await phase());
    // a machine that is too busy to simulate the robot in time makes it fail, and then all begins anew
    const isWell = async () => (await state(robot)).safety.state === 'running' && (await phase()) !== 'failed';
    await until('it waits at the breakpoint, goes on and ends', async () => {
      await ready(page);
      if (!(await isWaiting())) await page.getByRole('button', { name: 'Run', exact: true }).click();
      await until('it waits or fails', async () => (await isWaiting()) || !(await isWell()));
      const stood = await rested(robot, 'base');
      if (!(await isWell())) return false;
      await page.getByText('At a breakpoint').waitFor();
      assert.match(await page.locator('.cm-running').innerText(), /MOVEJ p2/);
      assert.ok(Math.abs(stood - base('p1')) < 0.01, 'line 3 is done, line 4 is not');
      await page.getByRole('button', { name: 'Go on', exact: true }).click();
      await until('it ends or fails', async () => (await phase()) === 'ended' || !(await isWell()));
      return (await phase()) === 'ended';
    }, 300);
    assert.ok(Math.abs(base('p1') - base('p2')) > 0.03);
    assert.ok(Math.abs((await rested(robot, 'base')) - base('p3')) < 0.01);
    await touchMargin(4);
    await until('the breakpoint is gone', async () => (await page.locator('.cm-dot:visible').count()) === 0);
  }],
  ['a backup is one file, and a restore brings all of it back', async () => {
    const get = async (path) => (await fetch(robot.url + path)).json();
    const before = { points: await get('/api/points'), program: await get('/api/programs/three.prog') };
    await page.goto(`${robot.url}/#/status/backup`);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download backup' }).click()]);
    const file = join(robot.data, 'kept.json');
    await download.saveAs(file);
    // somebody spoils it all
    const put = (path, body) => page.evaluate(async ([path, body]) => (await fetch(path, { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })).ok, [path, body]);
    assert.ok(await put('/api/points', { points: [] }));
    assert.ok(await put('/api/programs/three.prog', { text: 'STOP\n' }));
    assert.ok(await put('/api/programs/other.prog', { text: 'STOP\n' }));
    // what is no backup is refused and changes nothing
    const wrong = join(robot.data, 'wrong.json');
    writeFileSync(wrong, '{"hello": 1}');
    await page.locator('input[type=file]').setInputFiles(wrong);
    await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
    await page.locator('.notice.warn').first().waitFor();
    assert.equal((await get('/api/points')).points.length, 0);
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
    await page.getByText('Restored.').waitFor();
    assert.deepEqual((await get('/api/points')).points, before.points.points);
    assert.equal((await get('/api/programs/three.prog')).text, before.program.text);
    assert.equal((await get('/api/programs')).programs.some((one) => one.name === 'other.prog'), false);
    await page.goto(`${robot.url}/#/program/three.prog`);
    await page.reload();
    await until('the page shows it', async () => /MOVEJ p3/.test(await editor.innerText()));
    await page.goto(`${robot.url}/#/move`);
    await page.getByRole('tab', { name: 'Points' }).click();
    await page.locator('.point-list').getByText('p2', { exact: true }).waitFor();
    await page.goto(`${robot.url}/#/program/three.prog`);
    await editor.waitFor();
  }],
  ['a reload in the middle of a program loses nothing', async () => {
    await write('INCLUDE "points.prog"\nSPEED 10%\nFOR i = 1 TO 50\n  MOVEJ p1\n  MOVEJ p2\nEND\n');
    await page.locator('.findings.good').waitFor();
    await ready(page);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await until('the program runs', async () => (await phase()) === 'running');
    await page.reload();
    await until('the page shows that it runs', async () => (await phase()) === 'running');
    await page.locator('.cm-running').waitFor();
    assert.match(await editor.innerText(), /MOVEJ p1/);
    assert.equal((await state(robot)).motion.phase === 'idle', false);
    await page.getByRole('button', { name: 'Stop the robot now' }).click();
    await until('the robot is stopped', async () => (await state(robot)).safety.state === 'stopped');
    await ready(page);
  }],
  ['the page had no errors', async () => assert.deepEqual(page.errors, [])],
], async () => {
  await browser.close();
  robot.end();
});

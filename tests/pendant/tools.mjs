// SPDX-License-Identifier: BSD-3-Clause
// A tool measured on a simulated arm: the tip touches one point from several sides, and what the page finds is compared with the
// tool that was made up.
import { assert, picture, ready, scenarios, startBrowser, startRobot, state, takeControl, until, visit } from './pendant.mjs';

const robot = await startRobot({ model: 'ur5e' });
const browser = await startBrowser();
const page = await visit(browser, robot, { hash: 'setup/tool' });

/** The tool that is to be found: its tip at the flange [m], its turn there [rad], the point that is touched [m]. */
const tool = { tip: [0.031, -0.017, 0.142], rpy: [0.35, -0.2, 0.6] };
const point = [0.4, 0.15, 0.4];
let token;

async function ask(path, body) {
  const answer = await fetch(robot.url + path, { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Sinew-Control': token ?? '' }, body: JSON.stringify(body) });
  return { status: answer.status, body: await answer.json() };
}

function rotation([roll, pitch, yaw]) {
  const [cr, sr, cp, sp, cy, sy] = [Math.cos(roll), Math.sin(roll), Math.cos(pitch), Math.sin(pitch), Math.cos(yaw), Math.sin(yaw)];
  return [[cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr], [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr], [-sp, cp * sr, cp * cr]];
}
const rpyOf = (m) => [Math.atan2(m[2][1], m[2][2]), Math.atan2(-m[2][0], Math.hypot(m[0][0], m[1][0])), Math.atan2(m[1][0], m[0][0])];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const apply = (m, v) => m.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);
const minus = (a, b) => a.map((value, i) => value - b[i]);
const plus = (a, b) => a.map((value, i) => value + b[i]);
const distance = (a, b) => Math.hypot(...minus(a, b));

/** Brings the arm to rest with its encoders at `joints`, as somebody would who looks at the tip: drives leave a little behind. */
async function settle(joints) {
  const goal = { ...joints };
  let refusal = '';
  await until(() => `the tip is at the point ${refusal}`, async () => {
    if ((await state(robot)).safety.state !== 'running') await ask('/api/reset', {});
    const moved = await ask('/api/move', { kind: 'joints', joints: goal, speed: 0.6, wait: true });
    refusal = moved.status === 200 ? '' : moved.body.error ?? moved.body.reason ?? JSON.stringify(moved.body);
    if (moved.status !== 200) return false;
    let [before, now] = [null, null];
    await until('the arm rests', async () => {
      [before, now] = [now, Object.fromEntries((await state(robot)).joints.map((one) => [one.name, one.actual]))];
      return before !== null && Object.keys(joints).every((name) => Math.abs(now[name] - before[name]) < 1e-5);
    });
    const isThere = Object.keys(joints).every((name) => Math.abs(now[name] - joints[name]) < 3e-5);
    for (const name of Object.keys(joints)) goal[name] += joints[name] - now[name];
    return isThere;
  });
}

/** The flange so turned that the place `at` of the tool (seen from the flange) touches the point. */
async function touch(at, rpy) {
  const solved = await ask('/api/solve', { arm: '', tool: '', position: minus(point, apply(rotation(rpy), at)), rpy });
  assert.ok(solved.body.reachable && solved.body.clear, JSON.stringify(solved.body));
  await settle(solved.body.joints);
  // the page's picture of the robot is at most a few frames old
  await page.waitForTimeout(300);
}

const down = Math.PI;
const sides = [[down, 0, 0], [down + 0.45, 0, 0.2], [down - 0.35, 0.3, -0.3], [down, -0.5, 0.9], [down + 0.3, 0.35, 1.6]];
/** A place of the tool at the flange, given in the tool's own axes from its tip. */
const place = (at) => plus(tool.tip, apply(rotation(tool.rpy), at));

await scenarios([
  ['a tip is found within a tenth of a millimetre from five touches', async () => {
    token = (await ask('/api/control/take', { force: true })).body.token;
    for (const [i, rpy] of sides.entries()) {
      await touch(tool.tip, rpy);
      await page.getByRole('button', { name: 'Record touch', exact: true }).click();
      await page.getByText(`Touch ${i + 1}`, { exact: true }).waitFor();
    }
    const found = (await page.locator('[data-tool]').getAttribute('data-tool')).split(' ').map(Number);
    console.log(`   off by ${(1000 * distance(found, tool.tip)).toFixed(4)} mm`);
    assert.ok(distance(found, tool.tip) < 1e-4, `found ${found}`);
  }],
  ['two more touches tell how it is turned', async () => {
    await page.getByRole('radio', { name: 'By two touches' }).click();
    for (const [name, at, rpy] of [['Place on the axis', [0, 0, -0.08], sides[1]], ['Place towards X', [0.05, 0, -0.02], sides[2]]]) {
      await touch(place(at), rpy);
      await page.getByRole('button', { name: `Record touch: ${name}` }).click();
    }
    const found = (await page.locator('[data-turn]').getAttribute('data-turn')).split(' ').map(Number);
    assert.ok(distance(found, tool.rpy) < 0.002, `found ${found}`);
  }],
  ['it is kept with its weight, and programs have it', async () => {
    await page.getByLabel('Mass, kg').fill('1.25');
    await page.getByLabel('Centre Z').fill('-40');
    await page.getByLabel('Name of the tool').fill('spike');
    await picture(page, 'setup-tool-measured');
    await page.getByRole('button', { name: 'Save the tool' }).click();
    await page.locator('.touches').getByText('spike', { exact: true }).waitFor();
    const { tools } = await (await fetch(`${robot.url}/api/tools`)).json();
    assert.equal(tools[0].mass, 1.25);
    assert.deepEqual(tools[0].centre, [0, 0, -0.04]);
    assert.ok(distance(tools[0].position, tool.tip) < 1e-4 && distance(tools[0].rpy, tool.rpy) < 0.002);
    const text = 'INCLUDE "tools.prog"\nUNITS (mm,deg,s)\nTOOL {spike}\nMOVEL OFFSET(HERE(), 0, 0, 20)\n';
    const { body } = await ask('/api/programs/check', { name: 'x.prog', text });
    assert.deepEqual(body.findings.filter((one) => one.severity === 'error'), []);
  }],
  ['a reload loses nothing, and a tool can be taken up again', async () => {
    await page.reload();
    await page.getByText('5 touches').waitFor();
    await page.getByRole('button', { name: 'New tool' }).click();
    assert.equal(await page.getByLabel('Mass, kg').inputValue(), '0.000');
    await page.getByRole('button', { name: 'Change spike' }).click();
    assert.equal(await page.getByLabel('Mass, kg').inputValue(), '1.250');
  }],
  ['pointing it straight down gives the same axis', async () => {
    // the flange so turned that the tool's Z points down
    const z = apply(rotation(tool.rpy), [0, 0, 1]);
    const beside = minus([1, 0, 0], z.map((value) => value * z[0]));
    const ahead = beside.map((value) => value / Math.hypot(...beside));
    await touch(tool.tip, rpyOf([ahead, cross(z.map((value) => -value), ahead), z.map((value) => -value)]));
    await page.getByRole('radio', { name: 'By pointing' }).click();
    await page.getByRole('button', { name: 'It points there now' }).click();
    const found = (await page.locator('[data-turn]').getAttribute('data-turn')).split(' ').map(Number);
    assert.ok(distance(apply(rotation(found), [0, 0, 1]), z) < 1e-4, `found ${found}`);
  }],
  ['jogged by the tool, the arm turns about its tip', async () => {
    await page.goto(`${robot.url}/#/move`);
    await takeControl(page, { force: true });
    await page.getByRole('radio', { name: 'Tool', exact: true }).click();
    await page.locator('.frame-choices select').selectOption('spike');
    await page.getByRole('radio', { name: /10 mm/ }).click();
    const numbers = async () => (await page.locator('.tool-readout dd').allInnerTexts()).map((words) => parseFloat(words.replace('−', '-')));
    const before = await numbers();
    await until('the tool has turned', async () => {
      await ready(page);
      await page.getByRole('button', { name: 'about X forwards' }).click();
      await page.waitForTimeout(2500);
      return distance((await numbers()).slice(3), before.slice(3)) > 3;
    });
    const moved = distance((await numbers()).slice(0, 3), before.slice(0, 3));
    assert.ok(moved < 0.5, `the tip has moved by ${moved} mm`);
  }],
  ['the page had no errors', async () => assert.deepEqual(page.errors, [])],
], async () => {
  await browser.close();
  robot.end();
});

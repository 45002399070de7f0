// SPDX-License-Identifier: BSD-3-Clause
// The robot's motion recorded as it is jogged, trimmed, taken back, replayed, and made a program of, in a real browser.
import { assert, joint, ready, rested, scenarios, startBrowser, startRobot, state, takeControl, until, visit } from './pendant.mjs';

const robot = await startRobot();
const browser = await startBrowser();
const page = await visit(browser, robot, { settings: { needsHold: false, jogSpeed: 0.5 } });
const tab = (name) => page.getByRole('tab', { name, exact: true }).click();
const list = async () => (await fetch(`${robot.url}/api/streams`)).json();
const rows = async (name) => (await fetch(`${robot.url}/api/streams/${name}`)).json();
const slider = page.getByRole('slider', { name: 'Time in the stream' });
let recorded;

/** Jogs by a held key for a while; a machine that is too busy may need more than one press. */
async function jog(key, name, far) {
  const from = await rested(robot, name);
  await until(`${name} moves`, async () => {
    await ready(page);
    await page.keyboard.down(key);
    await page.waitForTimeout(700);
    await page.keyboard.up(key);
    return Math.abs((await rested(robot, name)) - from) > far;
  });
}

/** Waits for all motion to be over, and says where a joint stands. */
async function done(name) {
  await until('the motion is over', async () => (await state(robot)).motion.phase === 'idle');
  return rested(robot, name);
}

await scenarios([
  ['what is jogged is recorded, in sight on every tab', async () => {
    await takeControl(page);
    await ready(page);
    await tab('Streams');
    await page.getByLabel('Name of the stream').fill('wave');
    await page.getByRole('button', { name: 'Record', exact: true }).click();
    await page.locator('[data-recording=wave]').waitFor();
    await tab('Jog');
    await page.locator('[data-recording=wave]').waitFor();
    await jog('q', 'base', 0.05);
    await jog('s', 'shoulder', 0.05);
    await page.getByRole('button', { name: 'Stop and keep' }).click();
    await page.locator('[data-recording]').waitFor({ state: 'detached' });
    recorded = await rows('wave');
    const [base] = [recorded.joints.indexOf('base')];
    assert.ok(Math.abs(recorded.positions.at(-1)[base] - (await joint(robot, 'base'))) < 0.01);
    assert.ok(Math.abs(recorded.positions.at(-1)[base] - recorded.positions[0][base]) > 0.05);
  }],
  ['a name that is taken is refused, and while one is recorded no second one can be', async () => {
    const name = page.getByLabel('Name of the stream');
    const record = page.getByRole('button', { name: 'Record', exact: true });
    await tab('Streams');
    await name.fill('wave');
    await record.click();
    await page.locator('.notice.warn').getByText(/wave/).waitFor();
    await name.fill('other');
    await record.click();
    await page.locator('[data-recording=other]').waitFor();
    await until('no second one can be asked for', async () => record.isDisabled());
    await page.getByRole('button', { name: 'Throw the recording away' }).click();
    await page.locator('[data-recording]').waitFor({ state: 'detached' });
    assert.deepEqual((await list()).streams.map((one) => one.name), ['wave']);
  }],
  ['it is replayed: to its begin, then along it', async () => {
    await tab('Streams');
    await page.locator('.point-main').filter({ hasText: 'wave' }).click();
    await page.locator('[data-stream=wave]').waitFor();
    const base = recorded.joints.indexOf('base');
    const begin = recorded.positions[0][base];
    const end = recorded.positions.at(-1)[base];
    let nearest = Infinity;
    await until('the replay ends where the stream does', async () => {
      await ready(page);
      await page.getByRole('button', { name: 'Replay', exact: true }).click();
      await until('it begins', async () => (await state(robot)).motion.phase !== 'idle' || (await state(robot)).safety.state !== 'running');
      await until('it is over', async () => {
        nearest = Math.min(nearest, Math.abs((await joint(robot, 'base')) - begin));
        return (await state(robot)).motion.phase === 'idle';
      });
      return nearest < 0.02 && Math.abs((await rested(robot, 'base')) - end) < 0.01;
    }, 180);
    const shoulder = recorded.joints.indexOf('shoulder');
    assert.ok(Math.abs((await rested(robot, 'shoulder')) - recorded.positions.at(-1)[shoulder]) < 0.01);
  }],
  ['trimmed, it ends where it was said to; nothing is lost', async () => {
    const whole = (await list()).streams[0].whole;
    // as a browser writes it: 1.8 and not 1.80
    await slider.fill(String(Number((Math.round(whole / 2 / 0.04) * 0.04).toFixed(2))));
    await page.getByRole('button', { name: 'End here' }).click();
    await until('it is trimmed', async () => (await list()).streams[0].seconds < 0.6 * whole);
    assert.equal((await list()).streams[0].whole, whole);
    assert.equal((await rows('wave')).positions.length, recorded.positions.length);
  }],
  ['trimming and deleting can be taken back', async () => {
    await page.getByRole('button', { name: 'Delete wave' }).click();
    await page.locator('.point-main').filter({ hasText: 'wave' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('.point-main').filter({ hasText: 'wave' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await until('all of it is there', async () => { const one = (await list()).streams[0]; return one && one.seconds === one.whole; });
  }],
  ['STOP ends a replay', async () => {
    await page.locator('.point-main').filter({ hasText: 'wave' }).click();
    await page.locator('[data-stream=wave]').waitFor();
    await ready(page);
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await until('it moves', async () => (await state(robot)).motion.phase !== 'idle');
    await page.getByRole('button', { name: 'Stop the robot now' }).click();
    await until('the robot is stopped', async () => (await state(robot)).safety.state === 'stopped');
    await done('base');
    await ready(page);
  }],
  ['who has no control does not replay, and no viewer records', async () => {
    const status = await page.evaluate(async () => (await fetch('/api/streams/wave/run', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })).status);
    assert.equal(status, 409);
  }],
  ['as a program it has no errors and runs', async () => {
    if ((await page.locator('[data-stream=wave]').count()) === 0) await page.locator('.point-main').filter({ hasText: 'wave' }).click();
    await page.getByRole('button', { name: 'To a program' }).click();
    await page.locator('[data-page=program]').waitFor();
    await page.locator('.cm-content').getByText('MOVEJ').first().waitFor();
    await page.locator('.findings.good').waitFor();
    await ready(page);
    await until('the program ends', async () => {
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await until('it is over', async () => ['ended', 'failed'].includes(await page.locator('[data-program-phase]').getAttribute('data-program-phase')));
      if ((await page.locator('[data-program-phase]').getAttribute('data-program-phase')) === 'ended') return true;
      await ready(page);
      return false;
    }, 180);
    const base = recorded.joints.indexOf('base');
    assert.ok(Math.abs((await rested(robot, 'base')) - recorded.positions.at(-1)[base]) < 0.02);
  }],
  ['a reload shows the same streams', async () => {
    await page.goto(`${robot.url}/#/move`);
    await page.reload();
    await tab('Streams');
    await page.locator('.point-main').filter({ hasText: 'wave' }).waitFor();
  }],
  ['the page had no errors', async () => assert.deepEqual(page.errors, [])],
], async () => {
  await browser.close();
  robot.end();
});

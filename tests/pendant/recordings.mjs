// SPDX-License-Identifier: BSD-3-Clause
// What was saved at a stop, looked at in a real browser: the robot as it was, the slider, the curves, and live again at once.
import { readFileSync } from 'node:fs';
import { assert, goUntil, joint, ready, rested, scenarios, startBrowser, startRobot, state, takeControl, until, visit } from './pendant.mjs';

const robot = await startRobot();
const browser = await startBrowser({ hasPicture: true });
const page = await visit(browser, robot, { settings: { needsHold: false } });
const time = async () => Number(await page.locator('[data-time]').getAttribute('data-time'));
const slider = page.getByRole('slider', { name: 'Time in the recording' });
/** "−12.5 °" of a row of the table of readings, in degrees. */
async function reading(name, curve) {
  const text = await page.locator('.recorded-readings tr').filter({ hasText: name }).locator(`[data-curve=${curve}]`).innerText();
  return Number(text.replace('−', '-').replace(/[^\d.-]/g, ''));
}
/** The angle of a joint of the picture [rad]. */
async function pictured(name) {
  await page.locator('[data-scene=loaded][data-pose]').waitFor();
  const words = (await page.locator('.scene').getAttribute('data-pose')).split(' ');
  return Number(words.find((word) => word.startsWith(`${name}=`)).split('=')[1]);
}
let file;

/** The simulated device says nothing for a while, as on a machine that is too busy: a fault. */
async function silence() {
  const { stdout } = await robot.sinew('status', '--json');
  const { pid } = JSON.parse(stdout).robots[0].processes.find((one) => one.role === 'simulator');
  process.kill(pid, 'SIGSTOP');
  await until('the controller misses its device', async () => (await state(robot)).safety.state === 'faulted').finally(() => process.kill(pid, 'SIGCONT'));
}

await scenarios([
  ['a stop on the way leaves a recording, after a fault that was reset', async () => {
    await ready(page);
    await silence();
    await ready(page);
    await page.getByRole('tab', { name: 'Go to' }).click();
    await page.getByRole('button', { name: 'ready', exact: true }).click();
    await page.locator('[data-reachable=true]').waitFor();
    const before = await joint(robot, 'shoulder');
    await goUntil(page, robot, 'the shoulder moves', async () => Math.abs((await joint(robot, 'shoulder')) - before) > 0.05);
    await page.keyboard.press('Escape');
    await until('the robot is stopped', async () => (await state(robot)).safety.state === 'stopped');
  }],
  ['it is in the list, with when, why, length and size', async () => {
    const get = async (path) => (await fetch(`${robot.url}/api/recordings${path}`)).json();
    const isOfStop = async ({ name, reason }) => reason && (await get(`/${name}/curves`)).marks.some((mark) => /asked for it/.test(mark.text));
    await until('the stop is saved', async () => {
      for (const one of (await get('')).recordings) if (file === undefined && (await isOfStop(one))) file = one.name;
      return file !== undefined;
    });
    const { reason } = (await get('')).recordings.find((one) => one.name === file);
    await page.goto(`${robot.url}/#/status/recordings`);
    const line = page.locator('.recording-list li').filter({ hasText: file.replace('.mcap', '') });
    await page.getByRole('button', { name: 'Look again' }).click();
    await line.getByText(reason, { exact: true }).waitFor();
    assert.match(await line.innerText(), /\d s · \d+(\.\d)? [kM]B/);
  }],
  ['opened, the picture shows the robot as it was, marked as no live one', async () => {
    await page.getByRole('button', { name: `Look at ${file}` }).click();
    await page.locator('[data-recorded]').getByText('NOT LIVE').waitFor();
    await page.locator('.recorded-plot[data-plot=drawn]').waitFor();
    assert.equal(await time(), 0);
    // live, and STOP, are still in sight
    await page.locator('.state').getByText('Stopped', { exact: true }).waitFor();
    assert.ok(await page.getByRole('button', { name: 'Stop the robot now' }).isVisible());
    await until('the picture is at the begin of the recording', async () => Math.abs((await pictured('shoulder')) - ((await reading('shoulder', 'positions')) * Math.PI) / 180) < 2e-3);
  }],
  ['the slider moves the picture and the readings', async () => {
    await slider.focus();
    await page.keyboard.press('End');
    const end = await time();
    assert.ok(end > 0.5, `${end} s`);
    const stood = await rested(robot, 'shoulder');
    assert.ok(Math.abs(((await reading('shoulder', 'positions')) * Math.PI) / 180 - stood) < 0.01, 'at its end it is where the robot stopped');
    assert.ok(Math.abs((await reading('shoulder', 'processed')) - (await reading('shoulder', 'positions'))) < 2);
    await until('the picture is at the end', async () => Math.abs((await pictured('shoulder')) - stood) < 0.01);
    await page.keyboard.press('Home');
    assert.equal(await time(), 0);
  }],
  ['the stop is an event: a mark on the slider, and a place to go to', async () => {
    assert.ok((await page.locator('.timeline-marks i.bad').count()) >= 2);
    // the first one is the fault
    const stop = page.locator('.event-key.bad').filter({ hasText: 'asked for it' }).last();
    await stop.click();
    const at = await time();
    assert.ok(at > 0 && (await stop.innerText()).includes(`${at.toFixed(2)} s`));
    await page.locator('.then.bad').getByText(/^stopped: .* asked for it/).waitFor();
    assert.equal(await stop.getAttribute('aria-current'), 'true');
  }],
  ['each event shows itself, also where several are at one time', async () => {
    for (const key of await page.locator('.event-key').all()) {
      await key.click();
      const words = await key.locator('span').last().innerText();
      await until(() => `it says ${words}`, async () => (await page.locator('.then').innerText()) === words);
      assert.equal(await page.locator('.event-key[aria-current=true]').count(), 1);
    }
    await page.locator('.event-key.bad').filter({ hasText: 'asked for it' }).last().click();
  }],
  ['frame by frame, by keys and by buttons', async () => {
    const { seconds } = await (await fetch(`${robot.url}/api/recordings/${file}/curves`)).json();
    const at = await time();
    const row = seconds.findLastIndex((one) => one <= at + 1e-9);
    const isAtRow = async (i) => Math.abs((await time()) - seconds[i]) < 1e-3;
    await page.getByRole('button', { name: 'One frame back' }).click();
    assert.ok(await isAtRow(row - 1), `${await time()} ${seconds[row - 1]}`);
    await page.locator('h1').evaluate(() => document.activeElement.blur());
    await page.keyboard.press('ArrowRight');
    assert.ok(await isAtRow(row), `${await time()} ${seconds[row]}`);
    await page.keyboard.press('Shift+ArrowLeft');
    assert.ok(Math.abs((await time()) - Math.max(0, seconds[row] - 1)) < 1e-3);
    // on from event to event: there may be others on the way
    const count = await page.locator('.event-key').count();
    for (let i = 0; i < count && (await time()) < at; i += 1) await page.keyboard.press('m');
    assert.equal(await time(), at);
  }],
  ['the curves move the slider, too', async () => {
    const over = await page.locator('.recorded-plot .u-over').boundingBox();
    await page.mouse.click(over.x + 0.25 * over.width, over.y + over.height / 2);
    const early = await time();
    await page.mouse.move(over.x + 0.25 * over.width, over.y + over.height / 2);
    await page.mouse.down();
    await page.mouse.move(over.x + 0.75 * over.width, over.y + over.height / 2, { steps: 5 });
    await page.mouse.up();
    const late = await time();
    assert.ok(Math.abs(late - 3 * early) < 0.1 * late, `${early} ${late}`);
    const head = await page.locator('.plot-head').boundingBox();
    assert.ok(Math.abs(head.x - (over.x + 0.75 * over.width)) < 4, 'the line stands where the slider is');
    assert.ok(Math.abs(Number(await slider.inputValue()) - late) < 0.02);
  }],
  ['it plays in its time, and halts at its end', async () => {
    await slider.focus();
    await page.keyboard.press('Home');
    await page.getByRole('radio', { name: '2×' }).click();
    await page.getByRole('button', { name: 'Play' }).click();
    const begun = Date.now();
    await until('it plays', async () => (await time()) > 0.3);
    const played = await time();
    assert.ok(played < ((Date.now() - begun) / 1000) * 2 + 0.5, 'no faster than said');
    await page.getByRole('button', { name: 'Play' }).waitFor({ timeout: 60_000 });
    assert.equal(await time(), Number(Number(await slider.getAttribute('max')).toFixed(4)));
  }],
  ['the robot can be reset and moved meanwhile; the picture stays with the recording', async () => {
    await slider.focus();
    await page.keyboard.press('Home');
    const then = await pictured('base');
    await ready(page);
    await page.waitForTimeout(300);
    assert.equal(await pictured('base'), then);
  }],
  ['a reload leads to the same recording', async () => {
    await page.reload();
    await page.locator('[data-recorded]').waitFor();
    await page.locator('.recorded-plot[data-plot=drawn]').waitFor();
  }],
  ['its file is downloaded, byte by byte', async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: `Download ${file}` }).click()]);
    assert.equal(download.suggestedFilename(), file);
    const bytes = readFileSync(await download.path());
    assert.ok(bytes.subarray(1, 5).toString() === 'MCAP');
    const listed = (await (await fetch(`${robot.url}/api/recordings`)).json()).recordings.find((one) => one.name === file);
    assert.equal(bytes.length, listed.bytes);
  }],
  ['leaving goes back to live at once', async () => {
    await page.locator('a[href="#/move"]').click();
    await page.locator('[data-page=move]').waitFor();
    await page.locator('[data-recorded]').waitFor({ state: 'detached' });
    await takeControl(page);
    await until('the picture is live', async () => Math.abs((await pictured('shoulder')) - (await joint(robot, 'shoulder'))) < 2e-3);
  }],
  ['one of another robot, or none, says so', async () => {
    await page.goto(`${robot.url}/#/status/recordings/none.mcap`);
    await page.getByRole('alert').getByText("there is no recording 'none.mcap'").waitFor();
    await page.getByRole('button', { name: 'Back to live' }).click();
    await page.locator('.recording-list').waitFor();
  }],
  ['the page had no errors', async () => assert.deepEqual(page.errors, [])],
], async () => {
  await browser.close();
  robot.end();
});

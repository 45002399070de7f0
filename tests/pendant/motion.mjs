// SPDX-License-Identifier: BSD-3-Clause
// Jogging and stopping in a real browser, against the real processes and the simulator.
import { assert, joint, ready, rested, scenarios, startBrowser, startCable, startRobot, state, takeControl, until, visit } from './pendant.mjs';

const robot = await startRobot();
const browser = await startBrowser();
const page = await visit(browser, robot);
const forwards = page.getByRole('button', { name: 'base forwards' });

async function press(key) {
  const box = await key.boundingBox();
  const { mouse } = key.page();
  await mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await mouse.down();
}

/** Where a named pose has a joint. */
async function placeIn(pose, name) {
  const { postures } = await (await fetch(`${robot.url}/api/robot`)).json();
  return postures.find((one) => one.name === pose).joints[name];
}

/** On `who`'s page, holds "Hold to go" until the shoulder is on its way to a pose; answers where that has it. */
async function holdToGoUntilMoving(who) {
  const from = await rested(robot, 'shoulder');
  const [near, far] = [await placeIn('level', 'shoulder'), await placeIn('ready', 'shoulder')];
  const pose = Math.abs(from - near) > Math.abs(from - far) ? 'level' : 'ready';
  await who.getByRole('tab', { name: 'Go to' }).click();
  await who.getByRole('button', { name: pose, exact: true }).click();
  await who.locator('[data-reachable=true]').waitFor();
  await takeControl(who);
  await until('the shoulder moves', async () => {
    await who.mouse.up();
    // what was held before may be waiting: only a stop is in the way
    if ((await who.locator('.state').getByRole('button', { name: /^Reset/ }).count()) > 0) await ready(who);
    await press(who.getByRole('button', { name: 'Hold to go' }));
    await who.waitForTimeout(700);
    return Math.abs((await joint(robot, 'shoulder')) - from) > 0.03;
  });
  return pose === 'level' ? near : far;
}

async function standsShortOf(goal) {
  const stood = await rested(robot, 'shoulder');
  await new Promise((done) => setTimeout(done, 1500));
  assert.ok(Math.abs((await joint(robot, 'shoulder')) - stood) < 1e-3, 'it stands');
  assert.ok(Math.abs(stood - goal) > 0.1, `it went on to ${stood}, as if the key were held`);
}

/** Presses until the robot moves: a machine that is too busy may let the page miss its beat, and then the jog ends. */
async function jogUntilMoving(key, name) {
  const from = await joint(robot, name);
  await until(`${name} moves`, async () => {
    await page.mouse.up();
    await ready(page);
    await press(key);
    await page.waitForTimeout(400);
    return Math.abs((await joint(robot, name)) - from) > 0.01 && (await page.locator('.jog-key.held').count()) === 1;
  });
}

/**
 * How far the base may go on after a finger, a page or a network is gone [rad]: at 25 % of its speed 150 ms of silence and what was on
 * its way, then to a stop at 80 deg/s^2: 0.06 rad; the rest is for a reading that is older than it seems, on a machine that is busy.
 */
const kBrakes = 0.12;

/** A posture within all limits in which something would touch. */
async function touching() {
  for (const shoulder of [-0.6, 1.2, 2.2])
    for (const elbow of [-2.2, -1.6, 1.6]) for (const pitch of [-1.5, 1.5]) {
      const joints = { base: 0, shoulder, elbow, pitch };
      const answer = await (await fetch(`${robot.url}/api/solve`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ joints }) })).json();
      if (answer.reachable === true && answer.clear === false) return answer.joints;
    }
  assert.fail('no posture touches anything');
}

await scenarios([
  ['the first press without control asks for it and moves nothing', async () => {
    await page.locator('[data-control=free]').waitFor();
    const before = await rested(robot, 'base');
    await press(forwards);
    await page.locator('[data-control=mine]').waitFor();
    await page.waitForTimeout(300);
    await page.mouse.up();
    assert.ok(Math.abs((await rested(robot, 'base')) - before) < 1e-3);
  }],
  ['a held key moves the joint, and letting go stops it', async () => {
    await jogUntilMoving(forwards, 'base');
    await page.mouse.up();
    const stood = await rested(robot, 'base');
    await page.waitForTimeout(500);
    assert.ok(Math.abs((await joint(robot, 'base')) - stood) < 1e-3);
  }],
  ['sliding off the key lets it go', async () => {
    await jogUntilMoving(forwards, 'base');
    await page.mouse.move(300, 400, { steps: 4 });
    await rested(robot, 'base');
    assert.equal(await page.locator('.jog-key.held').count(), 0);
    await page.mouse.up();
  }],
  ['a window that loses the focus lets go', async () => {
    await jogUntilMoving(forwards, 'base');
    await page.evaluate(() => window.dispatchEvent(new Event('blur')));
    const at = await joint(robot, 'base');
    const stood = await rested(robot, 'base');
    // the finger is still down: a page that had not let go would turn it by 0.2 rad a second
    await page.waitForTimeout(1500);
    assert.ok(Math.abs((await joint(robot, 'base')) - stood) < 1e-3, 'it stands while the finger is still down');
    assert.ok(Math.abs(stood - at) < kBrakes, `went on by ${stood - at} rad`);
    assert.equal(await page.locator('.jog-key.held').count(), 0);
    await page.mouse.up();
  }],
  ['a page that was too busy to say that a key is held lets go, and the key looks so', async () => {
    await jogUntilMoving(forwards, 'base');
    await page.evaluate(() => { for (const end = performance.now() + 1000; performance.now() < end; ); });
    await until('the key looks free', async () => (await page.locator('.jog-key.held').count()) === 0);
    const stood = await rested(robot, 'base');
    await page.waitForTimeout(400);
    assert.ok(Math.abs((await joint(robot, 'base')) - stood) < 1e-3, 'it stands while the finger is still down');
    await page.mouse.up();
  }],
  ['a gamepad jogs while its shoulder button is held', async () => {
    await page.locator('[data-control=mine]').click();
    await page.locator('[data-control=free]').waitFor();
    const second = await visit(browser, robot);
    await second.evaluate(() => {
      window.pad = { connected: true, axes: [0, 0, 0, 0], buttons: Array.from({ length: 8 }, () => ({ pressed: false, value: 0 })) };
      navigator.getGamepads = () => [window.pad, null, null, null];
      window.dispatchEvent(new Event('gamepadconnected'));
    });
    const hold = (isHeld, x) => second.evaluate(([isHeld, x]) => { window.pad.buttons[4].pressed = isHeld; window.pad.axes[0] = x; }, [isHeld, x]);
    await takeControl(second);
    const before = await rested(robot, 'base');
    await hold(false, 1);
    await second.waitForTimeout(400);
    assert.ok(Math.abs((await joint(robot, 'base')) - before) < 1e-3, 'the stick alone moves nothing');
    await hold(true, 0.1);
    await second.waitForTimeout(400);
    assert.ok(Math.abs((await joint(robot, 'base')) - before) < 1e-3, 'a stick that rests a little off its middle moves nothing');
    await until('the stick moves the base', async () => {
      await hold(false, 0);
      await ready(second);
      await hold(true, -1);
      await second.waitForTimeout(500);
      return (await joint(robot, 'base')) < before - 0.02;
    });
    // the button B stops, whatever else is held
    await second.evaluate(() => (window.pad.buttons[1].pressed = true));
    await until('the robot is stopped', async () => (await state(robot)).safety.state === 'stopped');
    await second.evaluate(() => (window.pad.buttons[1].pressed = false));
    await hold(false, -1);
    await second.getByText('Stopped', { exact: true }).first().waitFor();
    await ready(second);
    const stood = await rested(robot, 'base');
    await second.waitForTimeout(400);
    assert.ok(Math.abs((await joint(robot, 'base')) - stood) < 1e-3, 'let go, it stops');
    assert.deepEqual(second.errors, []);
    await second.context().close();
    await page.locator('[data-control=free]').waitFor();
    await takeControl(page);
  }],
  ['a step goes as far as it says, once', async () => {
    await page.getByRole('radio', { name: '5°' }).click();
    await ready(page);
    const before = await rested(robot, 'base');
    await page.getByRole('button', { name: 'base backwards' }).click();
    await until('the step begins', async () => Math.abs((await joint(robot, 'base')) - before) > 0.01);
    const moved = (await rested(robot, 'base')) - before;
    assert.ok(Math.abs(moved + (5 * Math.PI) / 180) < 0.01, `moved ${moved}`);
    await page.getByRole('radio', { name: 'Hold', exact: true }).click();
  }],
  ['the Escape key stops the robot, and a reset lets it run again', async () => {
    await jogUntilMoving(forwards, 'base');
    await page.keyboard.press('Escape');
    await until('the robot is stopped', async () => (await state(robot)).safety.state === 'stopped');
    await page.mouse.up();
    await page.getByText('Stopped', { exact: true }).first().waitFor();
    await ready(page);
  }],
  ['a pose in which something would touch is shown as such, and why it is not gone to is said', async () => {
    const joints = await touching();
    const answer = await fetch(`${robot.url}/api/points`, { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ points: [{ name: 'inside', arm: 'arm', note: '', joints: Object.fromEntries(['base', 'shoulder', 'elbow', 'pitch', 'roll'].filter((one) => one in joints).map((one) => [one, joints[one]])) }] }) });
    assert.ok(answer.ok, await answer.text());
    const second = await visit(browser, robot, { settings: { needsHold: false } });
    await page.locator('[data-control=mine]').click();
    await ready(second);
    await second.getByRole('tab', { name: 'Points' }).click();
    await second.locator('.point-main').filter({ hasText: 'inside' }).click();
    await second.locator('[data-standing=touches]').getByText(/^Within reach, but not clear: .* too near/).waitFor();
    await second.getByRole('button', { name: 'Go', exact: true }).click();
    await second.locator('.notice.warn').getByText(/^Not done: /).waitFor();
    // and what lies beyond a limit cannot be asked for
    await second.getByRole('tab', { name: 'Go to' }).click();
    await second.getByRole('radio', { name: 'Joints', exact: true }).click();
    await second.context().close();
  }],
  ['Space stops the robot although the key that sent it still has the focus, and sends it nowhere', async () => {
    const second = await visit(browser, robot, { settings: { needsHold: false, jogSpeed: 0.05 } });
    let moves = 0;
    second.on('request', (request) => (moves += request.url().endsWith('/api/move') ? 1 : 0));
    await ready(second);
    await second.getByRole('tab', { name: 'Go to' }).click();
    await second.getByRole('button', { name: 'ready', exact: true }).click();
    await second.locator('[data-standing=clear]').waitFor();
    await second.getByRole('button', { name: 'Go', exact: true }).click();
    await until('it moves', async () => (await state(robot)).motion.phase !== 'idle');
    await second.keyboard.press('Space');
    await until('the robot is stopped', async () => (await state(robot)).safety.state === 'stopped');
    assert.equal(moves, 1);
    await second.getByText('Stopped', { exact: true }).first().waitFor();
    await ready(second);
    // while it rests, a space presses the button that has the focus
    await second.waitForTimeout(1500);
    await second.getByRole('tab', { name: 'Points' }).focus();
    await second.keyboard.press('Space');
    await second.getByRole('tab', { name: 'Points', selected: true }).waitFor();
    assert.equal((await state(robot)).safety.state, 'running');
    assert.deepEqual(second.errors, []);
    await second.context().close();
    await takeControl(page);
  }],
  ['STOP stops when the finger comes down, from any page and behind any sheet', async () => {
    await page.goto(`${robot.url}/#/status`);
    await page.getByRole('button', { name: 'This screen' }).click();
    await page.getByRole('dialog').waitFor();
    const stop = page.getByRole('button', { name: 'Stop the robot now' });
    await press(stop);
    await until('the robot is stopped', async () => (await state(robot)).safety.state === 'stopped');
    await page.mouse.up();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.goto(`${robot.url}/#/move`);
    await ready(page);
  }],
  ['STOP is heard though calls do not get through', async () => {
    await page.route('**/api/stop', (route) => route.abort());
    await page.getByRole('button', { name: 'Stop the robot now' }).click();
    await until('the robot is stopped', async () => (await state(robot)).safety.state === 'stopped');
    await page.unroute('**/api/stop');
    await page.getByText('Stopped', { exact: true }).first().waitFor();
    await ready(page);
  }],
  ['a network that is cut in mid-jog stops the robot within its braking distance', async () => {
    await page.locator('[data-control=mine]').click();
    await page.locator('[data-control=free]').waitFor();
    const cable = await startCable(robot);
    const far = await visit(browser, cable);
    await takeControl(far);
    const before = await joint(robot, 'base');
    await until('the far page jogs', async () => {
      await ready(far);
      await far.keyboard.up('a');
      await far.keyboard.down('a');
      await far.waitForTimeout(500);
      return Math.abs((await joint(robot, 'base')) - before) > 0.02;
    });
    cable.cut();
    const cutAt = await joint(robot, 'base');
    const stood = await rested(robot, 'base');
    await far.waitForTimeout(500);
    assert.ok(Math.abs((await joint(robot, 'base')) - stood) < 1e-3, 'it stands while the key is still down');
    assert.ok(Math.abs(stood - cutAt) < kBrakes, `went on by ${stood - cutAt} rad`);
    await far.keyboard.up('a');
    await far.getByText('NOT LIVE', { exact: false }).waitFor();
    // nobody hears this one, and that is said
    await far.getByRole('button', { name: 'Stop the robot now' }).click();
    await far.locator('.notice.alarm').getByText(/STOP did not reach the robot/).waitFor();
    assert.equal((await state(robot)).safety.state, 'running');
    // a socket that is dead is replaced: with the network comes the robot
    cable.mend();
    await far.locator('[data-link=open]').waitFor();
    await until('it is live again', async () => (await far.locator('.view-cut').count()) === 0);
    await far.context().close();
    cable.end();
    await until('control is free again', async () => (await page.locator('[data-control=free]').count()) > 0);
    await takeControl(page);
  }],
  ['a page that is closed while it jogs leaves a robot that stands', async () => {
    const second = await visit(browser, robot);
    await page.locator('[data-control=mine]').click();
    await page.locator('[data-control=free]').waitFor();
    const before = await rested(robot, 'base');
    await until('the second page jogs', async () => {
      await second.keyboard.up('q');
      await ready(second);
      await second.keyboard.down('q');
      await second.waitForTimeout(400);
      return Math.abs((await joint(robot, 'base')) - before) > 0.02;
    });
    const at = await joint(robot, 'base');
    await second.context().close();
    const stood = await rested(robot, 'base');
    assert.ok(Math.abs(stood - at) < kBrakes, `went on by ${stood - at} rad`);
    await page.locator('[data-control=free]').waitFor();
    await takeControl(page);
  }],
  ['a named pose is shown first and gone to while the key is held', async () => {
    await page.getByRole('tab', { name: 'Go to' }).click();
    await page.getByRole('button', { name: 'ready', exact: true }).click();
    await page.locator('[data-reachable=true]').waitFor();
    // a machine that is too busy may miss a beat, and then the robot waits for the key to be held anew
    await ready(page);
    await until('the shoulder is at 60°', async () => {
      if ((await page.locator('.state').getByRole('button', { name: /^Reset/ }).count()) > 0) await ready(page);
      await press(page.getByRole('button', { name: 'Hold to go' }));
      await page.waitForTimeout(2500);
      await page.mouse.up();
      return Math.abs((await rested(robot, 'shoulder')) - Math.PI / 3) < 0.02;
    }, 120);
  }],
  ['let go in the middle of a held motion, the robot stands short of its goal', async () => {
    const goal = await holdToGoUntilMoving(page);
    await page.mouse.up();
    await standsShortOf(goal);
  }],
  ['a page that is closed with the key down leaves a robot that stands', async () => {
    await page.locator('[data-control=mine]').click();
    await page.locator('[data-control=free]').waitFor();
    const second = await visit(browser, robot);
    await takeControl(second);
    const goal = await holdToGoUntilMoving(second);
    await second.context().close();
    await standsShortOf(goal);
  }],
  ['a network that is cut in the middle of a held motion leaves a robot that stands', async () => {
    const cable = await startCable(robot);
    const far = await visit(browser, cable);
    await until('control is free', async () => (await far.locator('[data-control=free]').count()) > 0);
    await takeControl(far);
    const goal = await holdToGoUntilMoving(far);
    cable.cut();
    await standsShortOf(goal);
    await far.context().close();
    cable.end();
  }],
  ['the page had no errors, and nothing that it said by its socket was refused', async () => assert.deepEqual([page.errors, page.refusals], [[], []])],
], async () => {
  await browser.close();
  robot.end();
});

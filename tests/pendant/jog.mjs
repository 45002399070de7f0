// SPDX-License-Identifier: BSD-3-Clause
// Every jog key of every frame, pressed and let go on the page: nothing is refused, nothing is complained of, and it is the release
// that stops the arm, not the end of its lease.
import { assert, joint, ready, scenarios, startBrowser, startRobot, state, takeControl, until, visit } from './pendant.mjs';

const robot = await startRobot({ model: 'ur5e' });
const browser = await startBrowser();
const page = await visit(browser, robot);

/** The robot's newest word about jogs, and every refusal by the motion service that the page was told of. */
let jog = { phase: 'idle', reason: 'none' };
const jogRefusals = new Set();
/** Where the robot was sent last, as the page knew it, and when it said that the key is let go. */
let newest = [];
let atRelease = [];
page.sayings.push((message) => message.op === 'jog' && message.stop && (atRelease = newest));
page.hearers.push((message) => {
  if (message.op !== 'live' || !message.jog) return;
  jog = message.jog;
  newest = message.r;
  if (jog.phase === 'refused') jogRefusals.add(jog.words);
});

const { joints: named } = await (await fetch(`${robot.url}/api/robot`)).json();
const names = named.map((one) => one.name);
const places = async () => {
  const { joints } = await state(robot);
  return names.map((name) => joints.find((one) => one.name === name).actual);
};
const farthest = (a, b) => Math.max(...a.map((value, i) => Math.abs(value - b[i])));

/** How far a joint may be sent on after the page has said that its key is let go [rad]: at a quarter of its speed it brakes within 0.1 rad, and
 * what the page knew is at most a frame old; the rest is for a machine that is busy. */
const kBrakes = 0.3;

async function rest() {
  let before = await places();
  let count = 0;
  await until('all joints rest', async () => {
    const now = await places();
    count = farthest(now, before) < 2e-4 ? count + 1 : 0;
    before = now;
    return count >= 4;
  });
  return before;
}

/** Presses a key until the arm is on its way by it, and lets go. Answers how it ended, and how far it went on. */
async function pressAndLetGo(key, name) {
  const from = await rest();
  const box = await key.boundingBox();
  await ready(page);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  // moving, or, where the arm cannot go that way, standing for a reason
  const isMoving = await until(`${name} moves`, async () => ['moving', 'slowed'].includes(jog.phase) && farthest(await places(), from) > 0.005 || jog.phase === 'stopped' || (await page.locator('.jog-key.held').count()) === 0, 5)
    .then(() => ['moving', 'slowed'].includes(jog.phase), () => false);
  await page.mouse.up();
  await rest();
  await until('the jog is over', async () => jog.phase === 'idle' || jog.phase === 'stopped');
  return { isMoving, reason: jog.reason, wentOn: farthest(newest, atRelease) };
}

const scenes = ['Joints', 'Base', 'Tool', 'User'].map((frame) => [`each key of the frame ${frame} moves the arm and stops it when it is let go`, async () => {
  await takeControl(page);
  await page.getByRole('radio', { name: frame, exact: true }).click();
  const rows = await page.locator('.jog-row').count();
  assert.equal(rows, 6);
  for (let row = 0; row < rows; row += 1) {
    const name = await page.locator('.jog-row').nth(row).getAttribute('aria-label');
    for (const way of ['forwards', 'backwards']) {
      const key = page.getByRole('button', { name: `${name} ${way}`, exact: true });
      let ended;
      // a machine that is too busy may let the page miss its beats: then the lease ends the jog, and it is pressed once more
      for (let tries = 0; tries < 30; tries += 1) {
        ended = await pressAndLetGo(key, name);
        if (ended.isMoving && ended.reason === 'none') break;
        console.log(`   ${frame}, ${name} ${way}: once more, ${JSON.stringify(ended)}`);
      }
      assert.ok(ended.isMoving, `${frame}, ${name} ${way} does not move: ${JSON.stringify(ended)}`);
      assert.equal(ended.reason, 'none', `${frame}, ${name} ${way} was ended by something else than its release`);
      assert.ok(ended.wentOn < kBrakes, `${frame}, ${name} ${way} went on by ${ended.wentOn} rad`);
      assert.deepEqual(page.refusals, [], `${frame}, ${name} ${way}`);
      assert.deepEqual(await page.locator('.notice.warn').allInnerTexts(), [], `${frame}, ${name} ${way}`);
    }
  }
}]);

await scenarios([
  ...scenes,
  ['keys that are pressed one after the other at once all move the arm', async () => {
    await page.getByRole('radio', { name: 'Joints', exact: true }).click();
    const [first, second] = [page.getByRole('button', { name: `${names[0]} forwards` }), page.getByRole('button', { name: `${names[0]} backwards` })];
    // a page that was too busy to say that a key is held lets go of it by itself: then once more
    for (let i = 0; i < 3; i += 1) await until('the second key moves the arm and is still held', async () => {
      await page.mouse.up();
      await rest();
      await ready(page);
      for (const key of [first, second]) {
        const box = await key.boundingBox();
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
        await page.mouse.down();
        await page.waitForTimeout(150);
        if (key === first) await page.mouse.up();
      }
      const from = await joint(robot, names[0]);
      await page.waitForTimeout(400);
      assert.deepEqual(page.refusals, [], 'no late answer to the first key has let the second one go');
      return (await joint(robot, names[0])) < from - 0.02 && (await page.locator('.jog-key.held').count()) === 1;
    });
    await page.mouse.up();
    await rest();
    assert.deepEqual(page.refusals, []);
  }],
  ['a refusal of a press that is over lets no newer one go', async () => {
    await page.locator('[data-control=mine]').click();
    await page.locator('[data-control=free]').waitFor();
    // the server's words may be added to here; what the page says goes to the robot as it is
    let tell;
    let press = 0;
    const second = await visit(browser, robot, {
      prepare: (one) => one.routeWebSocket('**/api/live', (socket) => {
        const server = socket.connectToServer();
        tell = (message) => socket.send(JSON.stringify(message));
        server.onMessage((message) => socket.send(message));
        socket.onMessage((message) => {
          press = JSON.parse(message).press ?? press;
          server.send(message);
        });
      }),
    });
    await until('a key is held and stays so', async () => {
      await second.mouse.up();
      await ready(second);
      const before = press;
      const box = await second.getByRole('button', { name: `${names[0]} forwards` }).boundingBox();
      await second.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await second.mouse.down();
      await until('it is said', async () => press !== before);
      tell({ op: 'refused', about: 'jog', status: 400, error: `of press ${before}`, press: before });
      await second.getByText(`of press ${before}`).first().waitFor();
      return (await second.locator('.jog-key.held').count()) === 1;
    });
    tell({ op: 'refused', about: 'jog', status: 400, error: 'of this press', press });
    await until('this one is let go', async () => (await second.locator('.jog-key.held').count()) === 0);
    await second.mouse.up();
    await rest();
    assert.deepEqual(second.errors, []);
    await second.context().close();
  }],
  ['nothing that was let go was refused by the motion service, and the page had no errors', async () => {
    assert.deepEqual([...jogRefusals], []);
    assert.deepEqual(page.errors, []);
  }],
], async () => {
  await browser.close();
  robot.end();
});

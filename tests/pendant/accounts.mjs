// SPDX-License-Identifier: BSD-3-Clause
// First start, login, roles and control between browsers, against the real processes.
import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assert, picture, ready, scenarios, serious, startBrowser, startRobot, takeControl, until, visit } from './pendant.mjs';

const robot = await startRobot({ accounts: true });
const browser = await startBrowser();
const admin = await visit(browser, robot);
let operator;

async function logIn(page, name, password) {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** As a program would ask that has the page's session, but not the page's manners. */
function ask(page, method, path, body, control) {
  return page.evaluate(async ([method, path, body, control]) => {
    const headers = { 'Content-Type': 'application/json', ...(control ? { 'X-Sinew-Control': control } : {}) };
    const answer = await fetch(path, { method, headers, body: JSON.stringify(body) });
    return { status: answer.status, body: await answer.json().catch(() => null) };
  }, [method, path, body, control]);
}

/** Opens the page while the robot does not answer who is there. */
async function logInLater(page) {
  let refused = 0;
  await page.route('**/api/session', (route) => (refused++ < 2 ? route.abort() : route.continue()));
  await page.goto(robot.url);
  await page.getByText('Trying to reach the robot.', { exact: false }).waitFor();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  assert.ok(refused > 2);
}

await scenarios([
  ['the first start is fit to be used', async () => {
    await admin.getByLabel('One-time code').waitFor();
    assert.deepEqual(await serious(admin), []);
    await picture(admin, 'first-start');
  }],
  ['a wrong code makes no account', async () => {
    await admin.getByLabel('One-time code').fill('0000-0000');
    await admin.getByLabel('Name').fill('ada');
    await admin.getByLabel('Password', { exact: true }).fill('correct horse');
    await admin.getByLabel('Password again').fill('correct horse');
    await admin.getByRole('button', { name: 'Make the account' }).click();
    await admin.getByRole('alert').waitFor();
  }],
  ['the code of the terminal makes the first account, an expert', async () => {
    const code = /code for the first account: (\S+)/.exec(robot.said)?.[1];
    assert.ok(code, robot.said);
    await admin.getByLabel('One-time code').fill(code);
    await admin.getByRole('button', { name: 'Make the account' }).click();
    await admin.locator('[data-page=move]').waitFor();
  }],
  ['an expert makes further accounts', async () => {
    await admin.goto(`${robot.url}/#/status/users`);
    for (const [name, role] of [['ben', 'operator'], ['vera', 'viewer']]) {
      const form = admin.locator('.line-form');
      await form.getByLabel('Name').fill(name);
      await form.getByLabel('Password').fill(`password of ${name}`);
      await form.getByLabel('Role').selectOption(role);
      await form.getByRole('button', { name: 'Add user' }).click();
      await admin.locator('.user-list').getByText(name).waitFor();
    }
  }],
  ['a wrong password is refused, the right one opens', async () => {
    operator = await visit(browser, robot);
    await logIn(operator, 'ben', 'wrong password');
    await operator.getByRole('alert').waitFor();
    await logIn(operator, 'ben', 'password of ben');
    await operator.locator('[data-page=move]').waitFor();
  }],
  ['control goes to one at a time; taking over is asked, done, and seen by both', async () => {
    await admin.goto(`${robot.url}/#/move`);
    await takeControl(admin);
    await operator.locator('[data-control=other]').waitFor();
    await operator.getByText('ada controls', { exact: true }).waitFor();
    await operator.locator('[data-control]').click();
    await operator.getByRole('dialog').getByText('Take control from ada?').waitFor();
    await operator.getByRole('button', { name: 'Take over', exact: true }).click();
    await operator.locator('[data-control=mine]').waitFor();
    await admin.locator('[data-control=other]').waitFor();
    await admin.getByText('ben controls', { exact: true }).waitFor();
  }],
  ['an operator may not write programs, whatever the page shows', async () => {
    assert.equal((await ask(operator, 'PUT', '/api/programs/mine.prog', { text: 'STOP' })).status, 403);
    assert.equal((await ask(operator, 'POST', '/api/users', { name: 'x', password: 'password of x', role: 'expert' })).status, 403);
  }],
  ['a viewer may watch and stop, not move', async () => {
    const viewer = await visit(browser, robot);
    await logIn(viewer, 'vera', 'password of vera');
    await viewer.locator('[data-page=move]').waitFor();
    assert.ok(await viewer.getByRole('button', { name: 'base forwards' }).isDisabled());
    assert.equal((await ask(viewer, 'POST', '/api/control/take', {})).status, 403);
    assert.equal((await ask(viewer, 'POST', '/api/move', { kind: 'joints', joints: { base: 0.2 } })).status, 403);
    // a machine that was too busy to simulate in time has a fault to show, and not a stop
    await until('the robot is stopped', async () => {
      await ready(operator);
      await viewer.getByRole('button', { name: 'Stop the robot now' }).click();
      return viewer.getByText('Stopped', { exact: true }).first().waitFor({ timeout: 5000 }).then(() => true, () => false);
    });
    await ready(operator);
    await viewer.context().close();
  }],
  ['what moves is refused without a session, and without the control token', async () => {
    const stranger = await fetch(`${robot.url}/api/move`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"kind":"joints","joints":{"base":0.2}}' });
    assert.equal(stranger.status, 401);
    const refused = await ask(admin, 'POST', '/api/move', { kind: 'joints', joints: { base: 0.2 } });
    assert.equal(refused.status, 409);
    assert.equal(refused.body.holder, 'ben');
  }],
  ['a refused account leaves what was typed', async () => {
    await admin.goto(`${robot.url}/#/status/users`);
    await admin.getByLabel('Name', { exact: true }).fill('ben');
    await admin.getByLabel('Password', { exact: true }).fill('another password');
    await admin.getByRole('button', { name: 'Add user' }).click();
    await admin.locator('.notice.warn').first().waitFor();
    assert.equal(await admin.getByLabel('Name', { exact: true }).inputValue(), 'ben');
  }],
  ['a session that is over leads to the login, whatever is in sight; what is not known is not painted', async () => {
    const third = await visit(browser, robot);
    await third.locator('[data-mode=unknown]').waitFor();
    await third.getByRole('heading', { name: 'Log in' }).waitFor();
    assert.deepEqual(await serious(third), []);
    await picture(third, 'login');
    await logIn(third, 'vera', 'password of vera');
    await third.locator('[data-mode=simulated]').waitFor();
    assert.equal((await ask(third, 'POST', '/api/logout', {})).status, 200);
    await third.getByRole('heading', { name: 'Log in' }).waitFor();
    await third.locator('[data-mode=unknown]').waitFor();
    assert.equal(await third.locator('.mode').count(), 0);
    await third.context().close();
  }],
  ['a robot that does not answer at once is asked again, not logged in to', async () => {
    const late = await visit(browser, { url: 'about:blank' });
    await logInLater(late);
    await late.context().close();
  }],
  ['what hangs on no motors is told by the server, as its robot.yaml has it', async () => {
    const model = join(dirname(fileURLToPath(import.meta.url)), '../../robots/scorbot-er3');
    for (const [word, words] of [['kind: ideal, emulated: true', 'EMULATED'], ['kind: ideal', 'SIMULATED']]) {
      const folder = mkdtempSync(join(tmpdir(), 'sinew-emulated-'));
      cpSync(model, folder, { recursive: true });
      appendFileSync(join(folder, 'robot.yaml'), `\ndriver: {${word}}\n`);
      const other = await startRobot({ model: folder, options: ['--device', '-', '--name', 'other'] });
      try {
        const page = await visit(browser, other);
        await page.locator('.mode').getByText(words, { exact: true }).waitFor();
        await page.context().close();
      } finally {
        other.end();
        rmSync(folder, { recursive: true });
      }
    }
  }],
  ['simulated, emulated and real are painted so that nobody takes one for another', async () => {
    const page = await visit(browser, robot);
    let mode = 'simulated';
    await page.route('**/api/robot', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), mode } });
    });
    await logIn(page, 'vera', 'password of vera');
    await page.locator('[data-page=move]').waitFor();
    const painted = new Set();
    for (const [next, words] of [['simulated', 'SIMULATED'], ['emulated', 'EMULATED'], ['real', 'REAL ROBOT'], ['something new', 'REAL ROBOT']]) {
      mode = next;
      await page.reload();
      await page.locator('.mode').getByText(words, { exact: true }).waitFor();
      const shown = await page.locator('[data-mode]').evaluate((band) => [band.dataset.mode, getComputedStyle(band).backgroundImage]);
      assert.equal(shown[0], next === 'something new' ? 'real' : next);
      painted.add(shown[1]);
    }
    assert.equal(painted.size, 3);
    await page.context().close();
  }],
  ['logging out leads to the login', async () => {
    await operator.getByRole('button', { name: 'This screen' }).click();
    await operator.getByRole('button', { name: 'Log out' }).click();
    await operator.getByRole('heading', { name: 'Log in' }).waitFor();
    await admin.locator('[data-control=free]').waitFor();
  }],
  ['the pages had no errors', async () => assert.deepEqual([...admin.errors, ...operator.errors], [])],
], async () => {
  await browser.close();
  robot.end();
});

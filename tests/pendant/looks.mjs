// SPDX-License-Identifier: BSD-3-Clause
// Every page in both sizes, looked at by axe-core and kept as pictures; and how soon the first view is there.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { assert, ready, scenarios, screenshots, serious, settled, startBrowser, startRobot, takeControl, until, visit } from './pendant.mjs';

const robot = await startRobot({ options: ['--world', 'hanoi'] });
const browser = await startBrowser({ hasPicture: true });
const sizes = { landscape: { width: 1280, height: 800 }, portrait: { width: 800, height: 1280 } };
const pages = ['move', 'program/wave.prog', 'setup/tool', 'setup/frame', 'setup/workspace', 'setup/limits', 'setup/io', 'setup/objects', 'setup/homing', 'setup/robot', 'status/alarms', 'status/plots', 'status/recordings', 'status/io', 'status/health', 'status/log', 'status/users', 'status/backup', 'status/about', 'learn', 'learn/03_inverse_kinematics'];
if (screenshots) mkdirSync(screenshots, { recursive: true });

async function keep(page, name) {
  if (screenshots) await page.screenshot({ path: join(screenshots, `${name}.png`) });
}

/** Keys that a glove can hit: none of those in sight is smaller than 48 px either way. Links within a text are as tall as it is. */
function smallTargets(page) {
  return page.evaluate(() => [...document.querySelectorAll('button, a[href], select, input, [role=tab], [role=radio], .cm-tooltip-autocomplete li')]
    .filter((one) => { const box = one.getBoundingClientRect(); return box.width > 1 && !one.closest('.unseen, .skip, p') && (box.width < 47.5 || box.height < 47.5); })
    .map((one) => `${one.outerHTML.slice(0, 100)} ${Math.round(one.getBoundingClientRect().width)}×${Math.round(one.getBoundingClientRect().height)}`));
}

async function open(page, hash) {
  await page.goto(`${robot.url}/#/${hash}`);
  await page.locator(`[data-page=${hash.split('/')[0]}]`).waitFor();
  if (/^(move|program|setup.objects|setup.workspace)/.test(hash)) await page.locator('[data-scene=loaded][data-finish=full]').waitFor();
  if (hash === 'status/plots') await page.locator('[data-plot=drawn]').waitFor();
  await settled(page);
}

const all = Object.entries(sizes).flatMap(([name, size]) => ['light', 'dark'].map((scheme) => [
  `all pages, ${name}, ${scheme}: no serious findings, no small targets`,
  async () => {
    const page = await visit(browser, robot, { size, scheme });
    await takeControl(page);
    await ready(page);
    const findings = [];
    for (const hash of pages) {
      await open(page, hash);
      // colours are another matter in each theme; names and sizes of targets are not
      findings.push(...(await serious(page)).map((one) => `${hash}: ${one}`), ...(await smallTargets(page)).map((one) => `${hash}: small: ${one}`));
      await keep(page, `${hash.replace('/', '-')}-${name}-${scheme}`);
    }
    assert.deepEqual([...new Set(findings)], []);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  },
]));

await scenarios([
  ['a program is there to be shown', async () => {
    const text = '# a wave\nUNITS (mm,deg,s)\nSPEED 40%\nFOR i = 1 TO 3\n  MOVEJ 20 60 -90 -60 0\n  MOVEJ -20 60 -90 -60 0\nEND\nGRIPPER OPEN\n';
    const answer = await fetch(`${robot.url}/api/programs/wave.prog`, { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ text }) });
    assert.ok(answer.ok, await answer.text());
  }],
  ['bounds are there to be seen', async () => {
    const ask = (method, path, body, control) => fetch(robot.url + path, { method, headers: { 'Content-Type': 'application/json', ...(control ? { 'X-Sinew-Control': control } : {}) }, body: JSON.stringify(body) });
    const { token } = await (await ask('POST', '/api/control/take', {})).json();
    const answer = await ask('PUT', '/api/setup', {
      limits: { base: { lower: -1.2, upper: 1.2, velocity: 0.25 } },
      bounds: [
        { name: 'press', kind: 'keep_out', position: [0.35, -0.45, 0.2], rpy: [0, 0, 0.3], size: [0.35, 0.3, 0.4] },
        { name: 'cell', kind: 'keep_in', position: [0, 0, 0.55], size: [1.6, 1.6, 1.3] },
        { name: 'aisle', kind: 'plane', position: [-0.7, 0, 0.6], normal: [1, 0, 0] },
      ],
    }, token);
    assert.ok(answer.ok, await answer.text());
    await ask('POST', '/api/control/leave', {}, token);
  }],
  ...all,
  ['the other parts of Move', async () => {
    for (const [name, size] of Object.entries(sizes)) {
      const page = await visit(browser, robot, { size });
      await page.locator('[data-scene=loaded]').waitFor();
      for (const tab of ['Go to', 'Points', 'Streams']) {
        await page.getByRole('tab', { name: tab }).click();
        if (tab === 'Go to') await page.getByRole('button', { name: 'ready', exact: true }).click();
        if (tab === 'Go to') await page.locator('[data-reachable]').waitFor();
        await settled(page);
        assert.deepEqual([...(await serious(page)), ...(await smallTargets(page))], [], tab);
        await keep(page, `move-${tab.toLowerCase().replace(' ', '')}-${name}`);
      }
      await page.context().close();
    }
  }],
  ['the tour leads through the pages in five steps, and does not come again', async () => {
    const page = await visit(browser, robot, { settings: { tourSeen: false } });
    await page.getByRole('button', { name: 'Start the tour' }).click();
    for (const [i, where] of ['move', 'move', 'move', 'program', 'status'].entries()) {
      await page.getByText(`Step ${i + 1} of 5`).waitFor();
      await page.locator(`[data-page=${where}]`).waitFor();
      if (i === 1) assert.deepEqual([...(await serious(page)), ...(await smallTargets(page))], []);
      if (i === 1) await keep(page, 'tour');
      await page.getByRole('complementary', { name: 'The tour' }).getByRole('button', { name: i < 4 ? 'Next' : 'Done' }).click();
    }
    await page.getByText('Step 5 of 5').waitFor({ state: 'detached' });
    await page.goto(`${robot.url}/#/move`);
    await page.reload();
    await page.locator('[data-page=move]').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Start the tour' }).count(), 0);
    await page.context().close();
  }],
  ['taking over is asked', async () => {
    const [first, second] = [await visit(browser, robot), await visit(browser, robot)];
    await takeControl(first);
    await second.locator('[data-control=other]').click();
    await second.getByRole('dialog').waitFor();
    assert.deepEqual([...(await serious(second)), ...(await smallTargets(second))], []);
    await keep(second, 'take-over');
    for (const one of [first, second]) await one.context().close();
  }],
  ['sheets are as fit to be used', async () => {
    const page = await visit(browser, robot);
    await page.getByRole('button', { name: 'This screen' }).click();
    assert.deepEqual(await serious(page), []);
    await keep(page, 'menu');
    await page.getByRole('button', { name: 'Keys and help' }).click();
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    assert.deepEqual(await serious(page), []);
    await keep(page, 'help');
    await page.context().close();
  }],
  ['an idle page draws nothing', async () => {
    const page = await visit(browser, robot);
    await page.locator('[data-scene=loaded]').waitFor();
    const drawn = () => page.locator('.scene').getAttribute('data-drawn');
    await until('the picture rests', async () => { const before = await drawn(); await page.waitForTimeout(1500); return before === (await drawn()); });
    await page.context().close();
  }],
], async () => {
  await browser.close();
  robot.end();
});

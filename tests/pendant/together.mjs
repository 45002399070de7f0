// SPDX-License-Identifier: BSD-3-Clause
// Two browsers at one robot: alarms, programs, breakpoints, tools and what was removed are the same in both, and nobody's
// work is lost without a word.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assert, ready, scenarios, startBrowser, startRobot, state, takeControl, until, visit } from './pendant.mjs';

const robot = await startRobot();
const browser = await startBrowser();
const settings = { needsHold: false };
const ada = await visit(browser, robot, { settings });
const eve = await visit(browser, robot, { settings });
const both = [ada, eve];

const get = async (path) => (await fetch(robot.url + path)).json();
const editorOf = (page) => page.locator('.cm-content');
const textOf = async (page) => (await page.locator('.cm-line').allInnerTexts()).join('\n').trim();
const alarmLines = (page) => page.locator('[data-alarm]');
const dots = (page) => page.locator('.cm-dot:visible');

async function put(page, path, body) {
  return page.evaluate(async ([path, body]) => {
    const answer = await fetch(path, { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
    return { status: answer.status, body: await answer.json() };
  }, [path, body]);
}

async function go(page, hash) {
  await page.goto(`${robot.url}/#/${hash}`);
}

async function write(page, text) {
  await editorOf(page).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

async function reads(page, text) {
  await until(() => `the page shows ${text}`, async () => (await textOf(page)) === text);
}

async function pressStop(page) {
  await page.getByRole('button', { name: 'Stop the robot now' }).click();
  await until('the robot is stopped', async () => (await state(robot)).safety.state === 'stopped');
}

const webProcess = async () => {
  // while a process is missing it says so by its exit code, too
  const { stdout } = await robot.sinew('status', '--json').catch((refused) => refused);
  return JSON.parse(stdout).robots[0].processes.find((process) => process.role === 'web');
};

await scenarios([
  ['a stop is an alarm in both, with who, cause and remedy', async () => {
    await takeControl(ada);
    await ready(ada);
    await pressStop(ada);
    for (const page of both) {
      await go(page, 'status/alarms');
      const line = alarmLines(page).filter({ hasText: 'asked for it' }).first();
      await line.waitFor();
      await line.getByText('Somebody pressed stop.').waitFor();
      await line.getByText('not over').waitFor();
    }
    // it went by two ways, and was one press
    await ada.waitForTimeout(500);
    const told = (await get('/api/alarms')).alarms;
    assert.equal(told.filter((one) => one.reason === 'requested').length, 1);
    assert.equal(told.find((one) => one.reason === 'requested').count, 1);
    const shown = async (page) => Promise.all((await alarmLines(page).all()).map((line) => line.getAttribute('data-alarm')));
    await until('both show the same', async () => (await shown(ada)).join() === (await shown(eve)).join() && (await shown(ada)).length >= told.length);
  }],
  ['a key that is held down is one stop, and the next press another', async () => {
    const stops = async () => (await get('/api/alarms')).alarms.filter((one) => one.reason === 'requested').length;
    const before = await stops();
    for (let press = 1; press <= 2; press += 1) {
      await ready(ada);
      // the second and further ones are repetitions of the same press
      for (let i = 0; i < 8; i += 1) await ada.keyboard.down('Escape');
      await until('it is listed', async () => (await stops()) === before + press);
      await ada.waitForTimeout(500);
      await ada.keyboard.up('Escape');
      assert.equal(await stops(), before + press);
    }
  }],
  ['acknowledged in one browser, it is so in the other', async () => {
    const line = (page) => alarmLines(page).filter({ hasText: 'asked for it' }).first();
    await line(eve).getByRole('button', { name: /^Acknowledge alarm/ }).click();
    for (const page of both) await line(page).getByText('Acknowledged by local').waitFor();
    await ready(ada);
    for (const page of both) await until('it is over', async () => /· over /.test(await line(page).innerText()));
  }],
  ['a filter chooses among them, and all of them are a table', async () => {
    await ada.getByRole('searchbox', { name: 'Filter' }).fill('no such words');
    await ada.getByText('No alarm has these words.').waitFor();
    await ada.getByRole('searchbox', { name: 'Filter' }).fill('pressed stop');
    await alarmLines(ada).first().waitFor();
    const [download] = await Promise.all([ada.waitForEvent('download'), ada.getByRole('button', { name: 'Download as CSV' }).click()]);
    const file = join(robot.data, 'alarms.csv');
    await download.saveAs(file);
    const rows = readFileSync(file, 'utf8').trim().split('\r\n');
    assert.match(rows[0], /^number,time,level/);
    assert.equal(rows.length - 1, (await get('/api/alarms?limit=200')).alarms.length);
    assert.ok(rows.some((row) => row.includes('Somebody pressed stop.')));
  }],
  ['alarms are there after a reload', async () => {
    const before = await alarmLines(eve).count();
    await eve.reload();
    await until('they are there again', async () => (await alarmLines(eve).count()) >= before);
  }],
  ['what one saves, the other sees; dots at its lines, too', async () => {
    assert.equal((await put(ada, '/api/programs/both.prog', { text: 'UNITS (mm,deg,s)\nSPEED 30%\nWAIT 1\nWAIT 2\n' })).status, 200);
    for (const page of both) {
      await go(page, 'program/both.prog');
      await editorOf(page).waitFor();
      await reads(page, 'UNITS (mm,deg,s)\nSPEED 30%\nWAIT 1\nWAIT 2');
    }
    await write(ada, 'UNITS (mm,deg,s)\nSPEED 30%\nWAIT 1\nWAIT 3\n');
    await ada.keyboard.press('Control+s');
    await reads(eve, 'UNITS (mm,deg,s)\nSPEED 30%\nWAIT 1\nWAIT 3');
    // a breakpoint by the keyboard
    await ada.locator('.cm-line').nth(3).click();
    await ada.keyboard.press('F9');
    for (const page of both) await until('one dot', async () => (await dots(page).count()) === 1);
    assert.deepEqual((await get('/api/programs/both.prog')).breakpoints, [4]);
    await eve.reload();
    await until('the dot is there after a reload', async () => (await dots(eve).count()) === 1);
  }],
  ['dots go with their lines when steps are moved, and back when that is undone', async () => {
    await ada.locator('.step').filter({ hasText: 'WAIT 3' }).click();
    await ada.locator('.step-tools').getByRole('button', { name: 'Up' }).click();
    await reads(ada, 'UNITS (mm,deg,s)\nSPEED 30%\nWAIT 3\nWAIT 1');
    await editorOf(ada).click();
    await ada.keyboard.press('Control+s');
    await until('it is on line 3', async () => (await get('/api/programs/both.prog')).breakpoints.join() === '3');
    await ada.locator('.program-bar').getByRole('button', { name: 'Undo' }).click();
    await reads(ada, 'UNITS (mm,deg,s)\nSPEED 30%\nWAIT 1\nWAIT 3');
    await editorOf(ada).click();
    await ada.keyboard.press('Control+s');
    await until('it is on line 4 again', async () => (await get('/api/programs/both.prog')).breakpoints.join() === '4');
  }],
  ['two who change it at once are asked, and both texts are there', async () => {
    await reads(eve, 'UNITS (mm,deg,s)\nSPEED 30%\nWAIT 1\nWAIT 3');
    await write(eve, '# of eve\nSPEED 30%\n');
    await write(ada, '# of ada\nSPEED 30%\n');
    await ada.keyboard.press('Control+s');
    await eve.locator('.conflict').waitFor();
    await eve.keyboard.press('Control+s');
    await eve.getByText('Choose first which one counts.').waitFor();
    assert.equal((await get('/api/programs/both.prog')).text, '# of ada\nSPEED 30%\n');
    await eve.locator('.conflict').getByRole('button', { name: 'See both' }).click();
    assert.match(await eve.locator('[data-text=theirs]').innerText(), /# of ada/);
    assert.match(await eve.locator('[data-text=mine]').innerText(), /# of eve/);
    await eve.getByRole('dialog').getByRole('button', { name: 'Take theirs' }).click();
    await reads(eve, '# of ada\nSPEED 30%');
    await eve.locator('.program-bar').getByRole('button', { name: 'Undo' }).click();
    await reads(eve, '# of eve\nSPEED 30%');
    await editorOf(eve).click();
    await eve.keyboard.press('Control+s');
    await reads(ada, '# of eve\nSPEED 30%');
  }],
  ['a draft of a text that is no more asks before it counts', async () => {
    await write(eve, '# draft\nSPEED 30%\n');
    const context = eve.context();
    await eve.close();
    assert.equal((await put(ada, '/api/programs/both.prog', { text: '# newer\nSPEED 30%\n' })).status, 200);
    await reads(ada, '# newer\nSPEED 30%');
    const back = await context.newPage();
    back.setDefaultTimeout(60_000);
    await go(back, 'program/both.prog');
    await back.locator('.conflict').waitFor();
    await reads(back, '# draft\nSPEED 30%');
    await back.locator('.conflict').getByRole('button', { name: 'Take theirs' }).click();
    await reads(back, '# newer\nSPEED 30%');
    await back.close();
  }],
  ['the server refuses a version that is no more', async () => {
    const { version } = await get('/api/programs/both.prog');
    const refused = await put(ada, '/api/programs/both.prog', { text: 'STOP\n', version: '0000000000000000' });
    assert.equal(refused.status, 409);
    assert.equal(refused.body.version, version);
    assert.equal(refused.body.text, '# newer\nSPEED 30%\n');
    assert.match(refused.body.error, /was changed meanwhile by local/);
  }],
  ['what was typed can be undone after another page and another program', async () => {
    assert.equal((await put(ada, '/api/programs/other.prog', { text: '# other\n' })).status, 200);
    await write(ada, '# typed\nSPEED 30%\n');
    await go(ada, 'program/other.prog');
    await reads(ada, '# other');
    await go(ada, 'move');
    await go(ada, 'program/both.prog');
    await reads(ada, '# typed\nSPEED 30%');
    await ada.locator('.program-bar').getByRole('button', { name: 'Undo' }).click();
    await reads(ada, '# newer\nSPEED 30%');
  }],
  ['an address leads to its program, whatever was open before and however late its text comes', async () => {
    // the text of this one takes its time
    await ada.route('**/api/programs/both.prog', async (route) => {
      await new Promise((done) => setTimeout(done, 700));
      await route.continue();
    });
    for (let i = 0; i < 3; i += 1) {
      await go(ada, 'program/other.prog');
      await reads(ada, '# other');
      await go(ada, 'move');
      await ada.locator('[data-page=move]').waitFor();
      await go(ada, 'program/both.prog');
      await reads(ada, '# newer\nSPEED 30%');
      assert.match(ada.url(), /both\.prog$/);
    }
    // asked for first, and there last: what was asked for last counts
    await go(ada, 'program/other.prog');
    await reads(ada, '# other');
    await go(ada, 'program/both.prog');
    await go(ada, 'program/other.prog');
    await ada.waitForTimeout(1500);
    await reads(ada, '# other');
    await ada.unroute('**/api/programs/both.prog');
  }],
  ['a removed program comes back', async () => {
    await go(ada, 'program/other.prog');
    await reads(ada, '# other');
    await ada.locator('.program-bar').getByRole('button', { name: 'Delete', exact: true }).click();
    await ada.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await until('it is gone', async () => !(await get('/api/programs')).programs.some((one) => one.name === 'other.prog'));
    await ada.getByRole('button', { name: 'Deleted programs' }).click();
    await ada.getByRole('button', { name: 'Bring back other.prog' }).click();
    await reads(ada, '# other');
  }],
  ['tools that were changed are brought back', async () => {
    await go(ada, 'setup/tool');
    const tool = (name) => ada.locator('.touches').getByText(name, { exact: true });
    assert.equal((await put(ada, '/api/tools/pen', { position: [0, 0, 0.1], rpy: [0, 0, 0] })).status, 200);
    await tool('pen').waitFor();
    await ada.getByRole('button', { name: 'Delete pen' }).click();
    await ada.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await tool('pen').waitFor({ state: 'detached' });
    const panel = ada.locator('section', { hasText: 'Tools of this arm' }).last();
    await panel.getByRole('button', { name: 'Undo' }).click();
    await tool('pen').waitFor();
    await panel.getByRole('button', { name: 'Redo' }).click();
    await tool('pen').waitFor({ state: 'detached' });
  }],
  ['an output that one switches is on for the other; both have the names of robot.yaml', async () => {
    const { inputs, outputs } = await get('/api/robot');
    const watcher = await eve.context().newPage();
    watcher.setDefaultTimeout(60_000);
    await ready(ada);
    await go(ada, 'setup/io');
    await go(watcher, 'status/io');
    for (const page of [ada, watcher]) {
      await page.locator(`[data-port=${inputs[0].name}]`).waitFor();
      const shown = await Promise.all((await page.locator('[data-port]').all()).map((port) => port.getAttribute('data-port')));
      assert.deepEqual(shown, [...inputs, ...outputs].map((port) => port.name));
    }
    assert.equal(await watcher.getByRole('switch').count(), 0, 'what is watched is not switched');
    await ada.getByRole('switch', { name: new RegExp(outputs[2].name) }).click();
    await ada.getByRole('dialog').getByRole('button', { name: 'on', exact: true }).click();
    for (const page of [ada, watcher]) await page.locator(`[data-port=${outputs[2].name}].on`).waitFor();
    assert.equal(await watcher.locator('[data-port].on').count(), 1);
    // a simulated robot hangs on no bus, and is no real one
    await go(watcher, 'status/health');
    await watcher.locator('.tiles > div').filter({ hasText: /bus load/i }).getByText('–', { exact: true }).waitFor();
    assert.equal((await get('/api/robot')).mode, 'simulated');
    await watcher.close();
  }],
  ['any number of any channel is drawn', async () => {
    await go(ada, 'status/plots');
    await ada.getByRole('radio', { name: 'Any channel' }).click();
    await ada.getByRole('combobox', { name: 'Channel', exact: true }).selectOption('health');
    await ada.getByRole('combobox', { name: 'Number', exact: true }).selectOption('cycles');
    await ada.getByRole('button', { name: 'Draw', exact: true }).click();
    await ada.getByRole('combobox', { name: 'Channel', exact: true }).selectOption('state');
    await ada.getByRole('combobox', { name: 'Number', exact: true }).selectOption('position');
    await ada.getByRole('combobox', { name: 'Of', exact: true }).selectOption('base');
    await ada.getByRole('button', { name: 'Draw', exact: true }).click();
    const value = async (curve) => Number(await ada.locator(`[data-curve^="${curve}"]`).innerText());
    await until('numbers come', async () => (await value('health cycles')) > 0);
    const at = await value('health cycles');
    await until('and go on', async () => (await value('health cycles')) > at);
    const base = (await state(robot)).joints.find((one) => one.name === 'base').actual;
    assert.ok(Math.abs((await value('state position')) - base) < 0.02);
    await ada.locator('[data-plot=drawn]').waitFor();
    await ada.reload();
    await ada.getByRole('radio', { name: 'Any channel' }).click();
    await until('they are drawn again after a reload', async () => (await value('health cycles')) > 0);
    await ada.getByRole('button', { name: 'Do not draw health cycles' }).click();
    await ada.locator('[data-curve="health cycles"]').waitFor({ state: 'detached' });
  }],
  ['alarms outlive a web process that is killed', async () => {
    await ready(ada);
    await pressStop(ada);
    const stops = async (url) => (await (await fetch(`${url}/api/alarms`)).json()).alarms.filter((one) => one.reason === 'requested');
    await until('it is listed', async () => (await stops(robot.url)).some((one) => one.cleared === null));
    const before = await stops(robot.url);
    const { pid } = await webProcess();
    process.kill(pid, 'SIGKILL');
    let url;
    await until('another one serves', async () => {
      const web = await webProcess();
      url = /http:\/\/[\d.]+:\d+/.exec(web?.note ?? '')?.[0];
      return web?.pid !== pid && url !== undefined && (await fetch(`${url}/api/alarms`).then((answer) => answer.ok).catch(() => false));
    });
    // the same stop is not listed twice, although another process looks at it now
    await until('the robot is seen again', async () => (await fetch(`${url}/api/state`)).ok);
    assert.deepEqual((await stops(url)).map((one) => [one.number, one.time, one.acknowledged_by]), before.map((one) => [one.number, one.time, one.acknowledged_by]));
  }],
  ['the pages had no errors', async () => assert.deepEqual(both.flatMap((page) => page.errors), [])],
], async () => {
  await browser.close();
  robot.end();
});

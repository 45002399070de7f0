// SPDX-License-Identifier: BSD-3-Clause
// A new robot dropped on the page: as a file, as a folder, as a zip; home and encoders.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { assert, picture, scenarios, startBrowser, startRobot, state, until, visit } from './pendant.mjs';

const robot = await startRobot();
const browser = await startBrowser();
const page = await visit(browser, robot, { hash: 'setup/robot' });
const folder = mkdtempSync(join(tmpdir(), 'sinew-dropped-'));
const stage = (name) => page.locator(`[data-new-robot=${name}]`);

/** A slide that carries a turning arm; its hand is a mesh in a package. */
function urdf(name) {
  return `<?xml version="1.0"?>
<robot name="${name}">
  <link name="base"><visual><geometry><box size="0.4 0.3 0.1"/></geometry></visual><collision><geometry><box size="0.4 0.3 0.1"/></geometry></collision></link>
  <link name="carriage"><visual><origin xyz="0 0 0.2"/><geometry><cylinder radius="0.05" length="0.4"/></geometry></visual></link>
  <link name="hand"><visual><geometry><mesh filename="package://${name}_description/meshes/hand.stl"/></geometry></visual></link>
  <joint name="slide" type="prismatic"><parent link="base"/><child link="carriage"/><origin xyz="0 0 0.05"/><axis xyz="1 0 0"/><limit lower="-0.1" upper="0.1" velocity="0.2" effort="50"/></joint>
  <joint name="turn" type="revolute"><parent link="carriage"/><child link="hand"/><origin xyz="0 0 0.4"/><axis xyz="0 0 1"/><limit lower="-1.5" upper="1.5" velocity="1" effort="5"/></joint>
</robot>`;
}

const kHand = `solid hand
${[[[0, 0, 0], [0, 0.1, 0], [0.3, 0, 0]], [[0, 0, 0], [0.3, 0, 0], [0, 0, 0.1]], [[0, 0, 0], [0, 0, 0.1], [0, 0.1, 0]], [[0.3, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]]
    .map((corners) => `facet normal 0 0 0\nouter loop\n${corners.map((at) => `vertex ${at.join(' ')}`).join('\n')}\nendloop\nendfacet`).join('\n')}
endsolid hand
`;

/** Files in a folder of their own; answers with its path. */
function lay(name, files) {
  for (const [path, words] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name, path)), { recursive: true });
    writeFileSync(join(folder, name, path), words);
  }
  return join(folder, name);
}

function zip(name, files) {
  const from = lay(name, files);
  const archive = join(folder, `${name}.zip`);
  execFileSync('/usr/bin/python3', ['-m', 'zipfile', '-c', archive, ...readdirSync(from).map((path) => join(from, path))]);
  return archive;
}

/** As a hand would drop them from the desktop. */
async function drop(...files) {
  const browserLink = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) await browserLink.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data });
  await browserLink.detach();
}

/** What the page tells of the robot, and that the robot can be used as it says. */
async function made(name, joints) {
  await stage('made').waitFor();
  await page.getByRole('heading', { name: `Report: ${name}` }).waitFor();
  const start = await page.locator('.program-line code').innerText();
  assert.ok(start.startsWith('sinew start ') && start.endsWith(`/${name}`), start);
  const { stdout } = await robot.sinewOnly('model', start.slice('sinew start '.length), '--json');
  assert.deepEqual(JSON.parse(stdout).joints.filter((one) => one.position !== null).map((one) => one.name), joints);
  for (const joint of joints) await page.getByRole('rowheader', { name: joint }).waitFor();
  assert.ok(await page.locator('.report-picture').evaluate((image) => image.complete && image.naturalWidth > 100), 'the picture is shown');
}

await scenarios([
  ['a URDF that is dropped on another page leads to a robot, and what it lacks is told', async () => {
    await page.goto(`${robot.url}/#/move`);
    await page.locator('[data-page=move]').waitFor();
    await drop(join(lay('single', { 'slider.urdf': urdf('slider') }), 'slider.urdf'));
    await stage('ready').waitFor();
    assert.ok(page.url().endsWith('#/setup/robot'), page.url());
    assert.equal(await page.getByLabel('Name of the robot').inputValue(), 'slider');
    await page.getByRole('button', { name: 'Make the robot' }).click();
    await made('slider', ['slide', 'turn']);
    await page.locator('.report-list .odd').filter({ hasText: 'hand.stl' }).first().waitFor();
    await picture(page, 'setup-new-robot');
  }],
  ['a name that is taken is refused, and nothing is lost', async () => {
    await page.getByRole('button', { name: 'Another robot' }).click();
    await page.getByLabel('Choose files').setInputFiles(join(folder, 'single/slider.urdf'));
    await page.getByRole('button', { name: 'Make the robot' }).click();
    await page.getByRole('alert').filter({ hasText: "there is a robot 'slider' already" }).waitFor();
    await page.getByLabel('Name of the robot').fill('slider-2');
    await page.getByRole('button', { name: 'Make the robot' }).click();
    await made('slider-2', ['slide', 'turn']);
  }],
  ['a zip with a mesh makes a robot that has the mesh', async () => {
    await page.getByRole('button', { name: 'Another robot' }).click();
    await drop(zip('packed', { 'packed_description/urdf/packed.urdf': urdf('packed'), 'packed_description/meshes/hand.stl': kHand, 'packed_description/README.md': 'hello' }));
    await stage('ready').waitFor();
    await page.getByText('1 other file is not needed.').waitFor();
    await page.getByRole('button', { name: 'Make the robot' }).click();
    await made('packed', ['slide', 'turn']);
    assert.ok(existsSync(join(robot.data, 'robots/packed/meshes/hand.stl')));
    assert.equal(await page.locator('.report-list .odd').filter({ hasText: 'missing' }).count(), 0);
  }],
  ['a folder, and a description that is chosen of two', async () => {
    await page.getByRole('button', { name: 'Another robot' }).click();
    await drop(lay('both', { 'a.urdf': urdf('first'), 'second.urdf': urdf('second'), 'hand.stl': kHand }));
    await stage('ready').waitFor();
    await page.getByLabel('Description').selectOption('both/second.urdf');
    assert.equal(await page.getByLabel('Name of the robot').inputValue(), 'second');
    await page.getByRole('button', { name: 'Make the robot' }).click();
    await made('second', ['slide', 'turn']);
    // the mesh lay beside the description, which seeks it in a package
    assert.ok(existsSync(join(robot.data, 'robots/second/meshes/hand.stl')));
  }],
  ['what was made is listed with what it takes, and deleted after a question', async () => {
    const made = page.locator('[data-dropped] li');
    await until('all four are listed', async () => (await made.count()) === 4);
    assert.deepEqual(await page.locator('[data-dropped] strong').allInnerTexts(), ['packed', 'second', 'slider', 'slider-2']);
    await picture(page, 'setup-dropped-robots');
    await page.getByRole('button', { name: 'Delete slider-2' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    assert.ok(existsSync(join(robot.data, 'robots/slider-2')));
    await page.getByRole('button', { name: 'Delete slider-2' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await until('it is gone', async () => (await made.count()) === 3 && !existsSync(join(robot.data, 'robots/slider-2')));
    await page.getByText(/^3 of 32 robots/).waitFor();
  }],
  ['a description that reads files of the machine is refused, and tells nothing of them', async () => {
    await page.getByRole('button', { name: 'Another robot' }).click();
    const spy = `<robot name="spy" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="/etc/passwd"/><link name="\${load_yaml('/etc/passwd')}"/></robot>`;
    await drop(join(lay('spy', { 'spy.xacro': spy }), 'spy.xacro'));
    await stage('ready').waitFor();
    await page.getByRole('button', { name: 'Make the robot' }).click();
    const said = await page.getByRole('alert').filter({ hasText: "outside of the robot's own folder" }).innerText();
    assert.ok(!said.includes('root:'), said);
    assert.ok(!existsSync(join(robot.data, 'robots/spy')));
  }],
  ['what is no robot is refused with a word, and the files stay', async () => {
    await drop(zip('empty', { 'readme.txt': 'hello' }));
    await page.getByRole('alert').filter({ hasText: 'no .urdf and no .xacro' }).waitFor();
    await drop(join(lay('cut', { 'cut.zip': 'PK\u0003\u0004 cut off' }), 'cut.zip'));
    await page.getByRole('alert').filter({ hasText: 'no zip archive' }).waitFor();
    await drop(join(lay('broken', { 'broken.urdf': '<robot name="broken"><link name="a"/>' }), 'broken.urdf'));
    await stage('ready').waitFor();
    await page.getByRole('button', { name: 'Make the robot' }).click();
    await page.getByRole('alert').filter({ hasText: 'broken.urdf' }).waitFor();
    await page.locator('.dropped-list').getByText('broken.urdf').waitFor();
    await picture(page, 'setup-new-robot-refused');
    assert.ok(!existsSync(join(robot.data, 'robots/broken')));
  }],
  ['home and encoders: what the joints know, and the offsets that a known pose gives', async () => {
    await page.goto(`${robot.url}/#/setup/homing`);
    await page.locator('[data-homing=known]').waitFor();
    await page.getByText('A simulated robot has absolute encoders').waitFor();
    await page.getByRole('row', { name: /^shoulder/ }).getByText('motor_2').waitFor();
    await page.getByRole('button', { name: 'As measured' }).click();
    const offsets = async () => (await page.locator('pre.code').innerText()).split('\n').map((line) => Number(line.split(' ').pop()));
    const before = await offsets();
    await page.getByLabel('shoulder, in truth').fill('0');
    await page.waitForTimeout(300);
    await page.getByLabel('shoulder, in truth').press('Enter');
    await until('the offsets follow', async () => (await offsets())[1] !== before[1]);
    const measured = (await state(robot)).joints.find((one) => one.name === 'shoulder').actual;
    // the shoulder turns motors 2 to 5
    const after = await offsets();
    assert.ok(Math.abs(after[0] - before[0]) < 1e-6);
    const perRadian = 3064.8 / (2 * Math.PI);
    assert.ok(Math.abs(after[1] - before[1] + perRadian * measured) < 0.5, `${before} ${after}`);
    await picture(page, 'setup-homing');
  }],
  ['the page had no errors', async () => assert.deepEqual(page.errors, [])],
], async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
  robot.end();
});

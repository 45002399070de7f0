// SPDX-License-Identifier: BSD-3-Clause
// How soon the first view is there: from the beginning of the navigation until the state of the robot is shown and the robot
// is drawn, in headless Chromium without a graphics card, each time with a profile that has seen nothing; and how much code,
// compressed, had to come for that. Against their bars: 2 s on two cores, 300 kB.
//
//   node bench/web/first_view.mjs SINEW [--loads N] [--json]
import { availableParallelism, cpus, loadavg } from 'node:os';
import { startBrowser, startRobot } from '../../tests/pendant/pendant.mjs';

const kMost_ms = 2000;
const kMost_bytes = 300_000;
const kBrowserUp_ms = 1500;
const words = process.argv.slice(3);
const loads = Number(words[words.indexOf('--loads') + 1]) || 5;
const isJson = words.includes('--json');

/** Runs in the page before anything else: notes when things are first to be seen. */
function watch() {
  localStorage.setItem('sinew.tourSeen', 'true');
  const seen = (window.firstSeen = {});
  const look = () => {
    if (!seen.state && document.querySelector('.state.good, .state.busy, .state.warn, .state.bad')) seen.state = performance.now();
    const scene = document.querySelector('.scene');
    const drawn = Number(scene?.dataset.drawn ?? 0);
    // all of its shapes are there, and then a picture was drawn
    if (scene?.dataset.scene === 'loaded') seen.loadedAt ??= drawn;
    if (!seen.robot && seen.loadedAt !== undefined && drawn > seen.loadedAt) seen.robot = performance.now();
    if (!seen.state || !seen.robot) return;
    observer.disconnect();
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { subtree: true, childList: true, attributes: true });
}

async function load(robot) {
  // a browser of its own: nothing is cached, compiled or warm
  const browser = await startBrowser({ hasPicture: true });
  try {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    // of a browser that has come up: its graphics take about half a second to start, whatever page is opened
    await page.waitForTimeout(kBrowserUp_ms);
    await page.addInitScript(watch);
    await page.goto(robot.url);
    await page.waitForFunction(() => window.firstSeen.state && window.firstSeen.robot, null, { timeout: 120_000 });
    return await page.evaluate(() => {
      const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
      const code = entries.filter((one) => /\.(js|css)$/.test(new URL(one.name).pathname) || one.entryType === 'navigation');
      return { ...window.firstSeen, bytes: code.reduce((sum, one) => sum + one.encodedBodySize, 0), files: code.length };
    });
  } finally {
    await browser.close();
  }
}

const robot = await startRobot();
const runs = [];
try {
  for (let i = 0; i < loads; i += 1) runs.push(await load(robot));
} finally {
  robot.end();
}
const shown = runs.map((run) => Math.max(run.state, run.robot)).sort((a, b) => a - b);
const result = {
  loads, cores: availableParallelism?.() ?? cpus().length, load: Number(loadavg()[0].toFixed(1)),
  best_ms: Math.round(shown[0]), median_ms: Math.round(shown[Math.floor(shown.length / 2)]), worst_ms: Math.round(shown[shown.length - 1]),
  state_ms: Math.round(Math.min(...runs.map((run) => run.state))), bar_ms: kMost_ms,
  code_bytes: Math.max(...runs.map((run) => run.bytes)), bar_bytes: kMost_bytes,
};
if (isJson) {
  console.log(JSON.stringify(result));
} else {
  const verdict = (is, most) => (is <= most ? 'kept' : 'NOT kept');
  console.log(`first view, ${loads} cold loads, ${result.cores} cores, load ${result.load}`);
  console.log(`  state and robot shown  best ${result.best_ms}  median ${result.median_ms}  worst ${result.worst_ms} ms (state alone ${result.state_ms}); bar ${kMost_ms} ms: ${verdict(result.median_ms, kMost_ms)}`);
  console.log(`  code, compressed       ${(result.code_bytes / 1000).toFixed(1)} kB; bar ${kMost_bytes / 1000} kB: ${verdict(result.code_bytes, kMost_bytes)}`);
}

// SPDX-License-Identifier: BSD-3-Clause
// How soon the first view is there: from the beginning of the navigation until the state of the robot and the robot itself can be
// seen, in headless Chromium without a graphics card, each time with a profile that has seen nothing; and how much code,
// compressed, had to come for that. Against their bars: 2 s on two cores, 300 kB.
//
// Seen is what the graphics have finished, not what they were asked for: a fence behind the first picture of the whole robot has been
// passed, and two frames of the page were begun since. Told twice: in a browser that has come up, and in one that is opened with the
// page, whose own graphics start meanwhile.
//
//   node bench/web/first_view.mjs SINEW [--loads N] [--json]
import { availableParallelism, cpus, loadavg } from 'node:os';
import { startBrowser, startRobot } from '../../tests/pendant/pendant.mjs';

const kMost_ms = 2000;
const kMost_bytes = 300_000;
/** For a browser to come up: its graphics take about half a second to start, whatever page is opened. */
const kBrowserUp_ms = 1500;
const words = process.argv.slice(3);
const loads = Number(words[words.indexOf('--loads') + 1]) || 5;
const isJson = words.includes('--json');

/** Runs in the page before anything else: notes when things are first to be seen. */
function watch() {
  localStorage.setItem('sinew.tourSeen', 'true');
  const seen = (window.firstSeen = {});
  let gl = null;
  const open = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
    const context = open.call(this, kind, ...more);
    if (kind === 'webgl2') gl ??= context;
    return context;
  };
  const onScreen = (name) => requestAnimationFrame(() => requestAnimationFrame(() => (seen[name] = performance.now())));
  const whenDrawn = () => {
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    const ask = () => (gl.clientWaitSync(fence, 0, 0) === gl.TIMEOUT_EXPIRED ? setTimeout(ask, 4) : onScreen('robot'));
    ask();
  };
  let [hasState, hasRobot, loadedAt] = [false, false, undefined];
  const look = () => {
    if (!hasState && document.querySelector('.state.good, .state.busy, .state.warn, .state.bad')) {
      hasState = true;
      onScreen('state');
    }
    const scene = document.querySelector('.scene');
    const drawn = Number(scene?.dataset.drawn ?? 0);
    // all of its shapes are there, and then a picture was drawn
    if (scene?.dataset.scene === 'loaded') loadedAt ??= drawn;
    if (!hasRobot && loadedAt !== undefined && drawn > loadedAt) {
      hasRobot = true;
      whenDrawn();
    }
    if (hasState && hasRobot) observer.disconnect();
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { subtree: true, childList: true, attributes: true });
}

async function load(robot, wait_ms) {
  // a browser of its own: nothing is cached, compiled or warm
  const browser = await startBrowser({ hasPicture: true });
  try {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    await page.waitForTimeout(wait_ms);
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
const atOnce = [];
try {
  for (let i = 0; i < loads; i += 1) {
    runs.push(await load(robot, kBrowserUp_ms));
    atOnce.push(await load(robot, 0));
  }
} finally {
  robot.end();
}
const sorted = (all) => all.map((run) => Math.round(Math.max(run.state, run.robot))).sort((a, b) => a - b);
const middle = (all) => all[Math.floor(all.length / 2)];
const [shown, shownAtOnce] = [sorted(runs), sorted(atOnce)];
const result = {
  loads, cores: availableParallelism?.() ?? cpus().length, load: Number(loadavg()[0].toFixed(1)),
  best_ms: shown[0], median_ms: middle(shown), worst_ms: shown[shown.length - 1],
  at_once_best_ms: shownAtOnce[0], at_once_median_ms: middle(shownAtOnce), at_once_worst_ms: shownAtOnce[shownAtOnce.length - 1],
  state_ms: Math.round(Math.min(...runs.map((run) => run.state))), bar_ms: kMost_ms,
  code_bytes: Math.max(...runs.map((run) => run.bytes)), bar_bytes: kMost_bytes,
};
if (isJson) {
  console.log(JSON.stringify(result));
} else {
  const verdict = (is, most) => (is <= most ? 'kept' : 'NOT kept');
  console.log(`first view, ${loads} cold loads, ${result.cores} cores, load ${result.load}`);
  console.log(`  state and robot shown  best ${result.best_ms}  median ${result.median_ms}  worst ${result.worst_ms} ms (state alone ${result.state_ms}); bar ${kMost_ms} ms: ${verdict(result.median_ms, kMost_ms)}`);
  console.log(`  browser opened with it best ${result.at_once_best_ms}  median ${result.at_once_median_ms}  worst ${result.at_once_worst_ms} ms: ${verdict(result.at_once_median_ms, kMost_ms)}`);
  console.log(`  code, compressed       ${(result.code_bytes / 1000).toFixed(1)} kB; bar ${kMost_bytes / 1000} kB: ${verdict(result.code_bytes, kMost_bytes)}`);
}

// SPDX-License-Identifier: BSD-3-Clause
import { useEffect, useState } from 'preact/hooks';
import { rest } from '../../link/rest';
import { endHold, holding, live, may, pause, resume, robot, session, startHold, withControl } from '../../robot';
import { needsHold } from '../../settings';
import { useSelected, useSignal } from '../../store';
import { W } from '../../text';
import { durationText } from '../../units';
import { HoldKey } from '../../ui/hold_key';
import { Icon, type IconName } from '../../ui/icons';
import { Button } from '../../ui/parts';
import { ArmPicker } from '../move/arm_picker';
import { armName } from '../move/jog_state';
import * as program from './program_state';

interface RunOptions {
  line?: number;
  hold?: number;
}

const isWaitingPhase = (phase: string | undefined) => ['paused', 'at_breakpoint', 'at breakpoint', 'stepped'].includes(phase ?? '');

async function begin(call: 'run' | 'step', options: RunOptions): Promise<unknown> {
  if (!(await program.makeReady())) return null;
  program.dropRun();
  await rest.post('/api/programs/breakpoints', { lines: program.breakpoints.value });
  return program.asMeant(`/api/programs/${call}`, options);
}

const start = (options: RunOptions = {}) => void withControl(() => begin('run', options));

const step = (isWaiting: boolean, options: RunOptions = {}) => (isWaiting ? rest.post('/api/programs/step', options) : begin('step', options));

export function RunBar() {
  const open = useSignal(program.name);
  const info = useSignal(robot);
  const chosen = useSignal(armName);
  useEffect(() => {
    if (program.name.value !== null) void program.check();
  }, [chosen]);
  const phase = useSelected(live, (now) => now?.motion.program.phase ?? 'none');
  const message = useSelected(live, (now) => now?.motion.program.message ?? '');
  const mayRun = useSelected(session, () => may('operator'));
  const mayEdit = useSelected(session, () => may('programmer'));
  const isBusy = useSignal(program.isSimulating);
  const line = useSignal(program.cursorLine);
  const isRunning = phase === 'running';
  const isWaiting = isWaitingPhase(phase);
  const canStart = mayRun && open !== null && !isRunning;
  const holds = useSignal(needsHold);
  const words: Record<string, string> = { running: W.program.running, paused: W.program.paused, at_breakpoint: W.program.atBreakpoint, 'at breakpoint': W.program.atBreakpoint, stepped: W.program.stepped, ended: W.program.ended, failed: W.program.failed };
  return (
    <footer class="run-bar" role="toolbar" aria-label={W.program.toolbar}>
      <Button icon="ghost" class="simulate" disabled={open === null || !mayEdit || isBusy} onClick={() => void program.simulate()}>{isBusy ? W.program.simulating : W.program.simulate}</Button>
      <ArmPicker info={info} />
      <GhostSlider />
      <span class={`run-phase ${phase}`} data-program-phase={phase} role="status">{words[phase] ?? ''}{message && phase !== 'none' ? `: ${message}` : ''}</span>
      <span class="bar-gap" />
      {holds ? (
        <>
          <ProgramKey what="from line" label={W.program.fromLine} disabled={!canStart} start={(hold) => begin('run', { line, hold })} />
          <ProgramKey what="step" label={W.program.step} icon="step" disabled={!canStart} start={(hold) => step(isWaiting, { hold })} />
        </>
      ) : (
        <>
          <Button disabled={!canStart} onClick={() => start({ line })}>{W.program.fromLine}</Button>
          <Button icon="step" disabled={!canStart} onClick={() => void withControl(() => step(isWaiting))}>{W.program.step}</Button>
        </>
      )}
      {isWaiting && <Button icon="close" disabled={!mayRun} onClick={() => void withControl(() => rest.post('/api/halt'))}>{W.program.end}</Button>}
      {isRunning && <Button icon="pause" disabled={!mayRun} onClick={() => void pause()}>{W.program.pause}</Button>}
      <RunKey isWaiting={isWaiting} isRunning={isRunning} isAllowed={mayRun && open !== null} />
    </footer>
  );
}

function RunKey({ isWaiting, isRunning, isAllowed }: { isWaiting: boolean; isRunning: boolean; isAllowed: boolean }) {
  const holds = useSignal(needsHold);
  if (!holds) {
    if (isWaiting) return <Button kind="go" icon="play" class="run" disabled={!isAllowed} onClick={() => void resume()}>{W.program.resume}</Button>;
    return <Button kind="go" icon="play" class="run" disabled={!isAllowed || isRunning} onClick={() => start()}>{W.program.run}</Button>;
  }
  const beginOrGoOn = async (hold: number) => {
    // as it is now: the finger may be quicker than the picture
    const program = live.value?.motion.program;
    if (program?.phase === 'running') return null;
    return isWaitingPhase(program?.phase) ? rest.post('/api/resume', { request: program?.request, hold }) : begin('run', { hold });
  };
  return <ProgramKey what="run" class="go run" icon="play" label={isWaiting ? W.program.resume : W.program.runHold} disabled={!isAllowed} start={beginOrGoOn} />;
}

/** A key that something of the program runs by, as long as it is held. */
function ProgramKey(props: { what: string; label: string; class?: string; icon?: IconName; disabled: boolean; start: (press: number) => Promise<unknown> }) {
  // what it has begun does not take it away from under the finger
  const isHeld = useSignal(holding) === props.what;
  return (
    <HoldKey class={props.class ?? ''} label={props.label} disabled={props.disabled && !isHeld} onDown={() => void startHold(props.what, props.start)} onUp={endHold}>
      {props.icon && <Icon name={props.icon} />}<span class="cap">{props.label}</span>
    </HoldKey>
  );
}

/** Moves through the simulated run; plays it in its own time. */
function GhostSlider() {
  const ghost = useSignal(program.run);
  const time = useSignal(program.runTime);
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => setPlaying(ghost !== null), [ghost]);
  useEffect(() => {
    if (!isPlaying || !ghost) return;
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      const next = (program.runTime.value ?? 0) + (now - last) / 1000;
      last = now;
      program.showRunAt(next);
      if (next >= ghost.seconds) setPlaying(false);
    }, 40);
    return () => clearInterval(timer);
  }, [isPlaying, ghost]);
  if (!ghost || time === null) return null;
  const play = () => {
    if (!isPlaying && time >= ghost.seconds) program.showRunAt(0);
    setPlaying(!isPlaying);
  };
  return (
    <>
      <div class="ghost-slider" data-simulated={ghost.seconds}>
        <Button icon={isPlaying ? 'pause' : 'play'} label={isPlaying ? W.program.halt : W.program.replay} onClick={play} />
        <input type="range" min={0} max={ghost.seconds} step={ghost.period} value={time} aria-label={W.program.time} onInput={(event) => { setPlaying(false); program.showRunAt(Number(event.currentTarget.value)); }} />
        <output>{durationText(time)} / {durationText(ghost.seconds)}</output>
        <Button kind="quiet" icon="close" label={W.close} onClick={program.dropRun} />
      </div>
      {ghost.assumption !== '' && <p class="ghost-hint hint">{ghost.assumption}</p>}
    </>
  );
}

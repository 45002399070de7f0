// SPDX-License-Identifier: BSD-3-Clause
// What is always in sight: mode, state and why, who controls, speed, connection, STOP.
import { useState } from 'preact/hooks';
import type { Live } from '../link/protocol';
import {
  hasControl, hello, leaveControl, link, live, may, reset, robot, session, setOverride, stop, takeControl,
} from '../robot';
import { useSelected, useSignal } from '../store';
import { W } from '../text';
import { durationText } from '../units';
import { Icon } from '../ui/icons';
import { Ask, Button, type Question } from '../ui/parts';
import { ScreenMenu } from './screen_menu';
import { summary } from './summary';

export function TopBar() {
  return (
    <header class="top">
      <RobotName />
      <StateBlock />
      <div class="top-tools">
        <ControlBlock />
        <SpeedBlock />
        <LinkBlock />
        <ScreenMenu />
      </div>
      <StopKey />
    </header>
  );
}

function RobotName() {
  const info = useSignal(robot);
  const words = info && { simulated: W.mode.simulatedLong, emulated: W.mode.emulatedLong, real: W.mode.realLong }[info.mode];
  return (
    <div class="robot-name">
      <span class="robot-word">{info?.name ?? W.product}</span>
      {info && <span class={`mode ${info.mode}`} title={words ?? ''}><span class="mode-word">{W.mode[info.mode]}</span></span>}
    </div>
  );
}

function StateBlock() {
  const linkState = useSignal(link.state);
  const now = useSelected(live, (all) => {
    const one = summary(all, linkState);
    return [one.tone, one.title, one.why, one.canReset];
  }) as [string, string, string, boolean];
  const isIn = useSelected(session, (who) => who?.user != null);
  const [tone, title, why, canReset] = isIn ? now : (['off', W.login.notIn, W.login.watch, false] as const);
  return (
    <div class={`state ${tone}`}>
      <span class="lamp" aria-hidden="true" />
      <div class="state-words" role="status" aria-live="polite">
        <strong class="state-title">{title}</strong>
        <span class="state-why" title={why}>{why}</span>
      </div>
      <Progress />
      {canReset && <Button kind="main" icon="reset" label={W.state.resetName} onClick={() => void reset()}>{W.state.reset}</Button>}
    </div>
  );
}

function Progress() {
  const [share, left] = useSelected(live, (all) => {
    const isMoving = all !== null && all.motion.phase === 'moving' && all.motion.remaining > 0.3;
    return isMoving ? [Math.round(all.motion.progress * 50) / 50, durationText(all.motion.remaining)] : [-1, ''];
  }) as [number, string];
  if (share < 0) return null;
  return (
    <div class="progress" title={W.state.left(left)}>
      <div class="progress-bar"><div style={{ width: `${100 * share}%` }} /></div>
      <span>{W.state.left(left)}</span>
    </div>
  );
}

function ControlBlock() {
  const isMine = useSignal(hasControl);
  const [question, ask] = useState<Question | null>(null);
  const [holder, watchers] = useSelected(live, (all: Live | null) => [all?.control.holder ?? null, all?.watchers ?? 0]) as [string | null, number];
  const role = useSelected(session, (now) => now?.role ?? null);
  const isIn = useSelected(hello, (now) => now !== null);
  const isKnown = useSelected(live, (all) => all !== null);
  const words = isMine ? W.control.you : holder ? W.control.other(holder) : isKnown ? W.control.nobody : W.control.title;
  const press = () => {
    if (isMine) void leaveControl();
    else if (!holder) void takeControl();
    else
      ask({
        title: W.control.takeOverTitle(holder), text: W.control.takeOverText(holder), yes: W.control.takeOverYes,
        isDangerous: true, act: () => void takeControl(true),
      });
  };
  const action = isMine ? W.control.leave : holder ? W.control.takeOver : W.control.take;
  const mayTake = role !== null && may('operator') && isIn;
  const whyNot = role === null ? W.login.notIn : isIn ? W.control.viewersOnly : W.link.lost;
  return (
    <>
      <button
        type="button"
        class={`chip control ${isMine ? 'mine' : holder ? 'other' : 'free'}`}
        onClick={press}
        disabled={!mayTake}
        title={mayTake ? `${action} · ${W.control.watchers(watchers)}` : whyNot}
        data-control={isMine ? 'mine' : holder ? 'other' : 'free'}
      >
        <Icon name="hand" />
        <span class="chip-words"><span class="chip-main">{words}</span> <span class="chip-sub">{mayTake ? action : whyNot}</span></span>
      </button>
      {question && <Ask question={question} onDone={() => ask(null)} />}
    </>
  );
}

const kShares = [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

export function nextShare(share: number, by: 1 | -1): number {
  if (by > 0) return kShares.find((one) => one > share + 0.004) ?? 1;
  return [...kShares].reverse().find((one) => one < share - 0.004) ?? kShares[0]!;
}

function SpeedBlock() {
  const share = useSelected(live, (all) => all?.motion.override ?? 1);
  const isKnown = useSelected(live, (all) => all !== null);
  const mayChange = useSelected(session, () => may('operator')) && isKnown;
  const percent = Math.round(100 * share);
  return (
    <div class="speed" role="group" aria-label={W.override.name}>
      <button type="button" class="speed-key" aria-label={`${W.override.title} −`} disabled={!mayChange || share <= 0.01} onClick={() => void setOverride(nextShare(share, -1))}>
        <Icon name="minus" />
      </button>
      <span class="speed-value">
        <span class="chip-sub">{W.override.title}</span>
        <output aria-label={W.override.name} data-override={isKnown ? percent : ''}>{isKnown ? <>{percent}<small> %</small></> : '–'}</output>
        <span class="speed-bar" aria-hidden="true"><span style={{ width: `${isKnown ? percent : 0}%` }} /></span>
      </span>
      <button type="button" class="speed-key" aria-label={`${W.override.title} +`} disabled={!mayChange || share >= 1} onClick={() => void setOverride(nextShare(share, 1))}>
        <Icon name="plus" />
      </button>
    </div>
  );
}

function LinkBlock() {
  const state = useSignal(link.state);
  return (
    <div class={`link ${state}`} role="img" aria-label={W.link[state]} title={W.link[state]} data-link={state}>
      <Icon name="link" size={20} />
    </div>
  );
}

function StopKey() {
  return (
    <button
      type="button"
      class="stop"
      aria-keyshortcuts="Escape Space"
      // a stop does not wait for the finger to be lifted
      onPointerDown={(event) => {
        if (event.button === 0) void stop();
      }}
      onClick={(event) => {
        if (event.detail === 0) void stop();
      }}
    >
      <span class="stop-word">{W.stop.button}</span>
      <span class="stop-keys">{W.stop.keys}</span>
      <span class="unseen">{W.stop.name}</span>
    </button>
  );
}

// SPDX-License-Identifier: BSD-3-Clause
// Keys that count everywhere. Those that jog belong to the Move page.
import { goTo, kPages } from '../route';
import { hasControl, hasJustAsked, leaveControl, link, live, stop, takeControl } from '../robot';
import { isHelpOpen } from './screen_menu';
import { restsNow } from './summary';

/** Whether letters and spaces are for what has the focus. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !/^(range|checkbox|radio|button|file)$/.test(target.type);
  return target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName);
}

/** Whether a space would press something. */
function hasFocusedKey(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('button, a, input, select, [role=slider], [role=tab], [role=radio]') !== null;
}

/** True only when the robot surely rests: then Escape may serve a text field or a sheet, and Space a button. */
function surelyRests(): boolean {
  return link.state.value === 'open' && live.value !== null && restsNow(live.value) && !hasJustAsked();
}

/** A button that was clicked keeps the focus, and a space would press it again: while the robot may move, it stops instead. */
function isForStop(event: KeyboardEvent): boolean {
  if (isSpaceTaken) return true;
  if (isTyping(event.target) && !(event.target instanceof HTMLSelectElement)) return false;
  // the same press going on: what it holds down is not its end
  if (event.repeat) return false;
  return !hasFocusedKey(event.target) || !surelyRests();
}

/** Whether the space bar is down to stop the robot: until it is up, it does nothing else. */
let isSpaceTaken = false;

function stopBySpace(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
  if (!isSpaceTaken) void stop();
  isSpaceTaken = true;
}

/** Whether the Escape key is down and has stopped the robot: as long as it is down, that is one press. */
let isEscapeTaken = false;

function onKeyUp(event: KeyboardEvent): void {
  if (event.key === 'Escape') isEscapeTaken = false;
  if (event.key !== ' ' || !isSpaceTaken) return;
  // some browsers press a button when the key comes up
  event.preventDefault();
  event.stopPropagation();
  isSpaceTaken = false;
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.key === 'Escape') {
    const isForThePage = isTyping(event.target) || document.querySelector('[role=dialog]') !== null;
    if (isForThePage && surelyRests()) return;
    if (!isEscapeTaken) void stop();
    isEscapeTaken = true;
    return;
  }
  if (event.key === ' ' && isForStop(event)) return stopBySpace(event);
  if (event.altKey && /^Digit[1-5]$/.test(event.code)) {
    event.preventDefault();
    goTo(kPages[Number(event.code.slice(5)) - 1]!);
    return;
  }
  if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.key === '?') isHelpOpen.value = !isHelpOpen.value;
  if (event.code === 'KeyC') void (hasControl.value ? leaveControl() : takeControl());
}

export function listenToKeys(): void {
  window.addEventListener('keydown', onKeyDown, { capture: true });
  window.addEventListener('keyup', onKeyUp, { capture: true });
  window.addEventListener('blur', () => (isSpaceTaken = isEscapeTaken = false));
}

export { isTyping };

// SPDX-License-Identifier: BSD-3-Clause
import { useEffect } from 'preact/hooks';
import { isTyping } from '../../frame/keyboard';
import type { JogFrame } from '../../link/jog';
import { endJog, may, robot, startJog, stepJog } from '../../robot';
import { rowOfCode } from './jog_panel';
import { changeJogSpeed, frame, stepOf, stepSize, wishOf } from './jog_state';

const kFrames: JogFrame[] = ['joints', 'base', 'tool', 'user'];

/** Keys of the keyboard that jog while they are down, as the help sheet says. */
export function useJogKeys(): void {
  useEffect(() => {
    const held = new Set<string>();
    const down = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (document.querySelector('[role=dialog]')) return;
      if (/^Digit[1-4]$/.test(event.code)) frame.value = kFrames[Number(event.code.slice(5)) - 1]!;
      if (event.key === '+' || event.key === '=') changeJogSpeed(1);
      if (event.key === '-' || event.key === '_') changeJogSpeed(-1);
      const info = robot.value;
      const meant = info ? rowOfCode(event.code, info) : null;
      if (!meant || !may('operator')) return;
      const step = stepOf(stepSize.value);
      if (step) {
        void stepJog(wishOf(meant.row, meant.sign, step));
        return;
      }
      held.add(event.code);
      void startJog(`key ${event.code}`, wishOf(meant.row, meant.sign, null));
    };
    const up = (event: KeyboardEvent) => {
      if (held.delete(event.code)) endJog(`key ${event.code}`);
    };
    const letGo = () => {
      for (const code of held) endJog(`key ${code}`);
      held.clear();
    };
    window.addEventListener('keydown', down);
    window.addEventListener('keyup', up);
    window.addEventListener('blur', letGo);
    return () => {
      letGo();
      window.removeEventListener('keydown', down);
      window.removeEventListener('keyup', up);
      window.removeEventListener('blur', letGo);
    };
  }, []);
}

// SPDX-License-Identifier: BSD-3-Clause
import { useEffect, useRef, useState } from 'preact/hooks';
import { rest } from '../../link/rest';
import { attempt, hasControl, live, may, session } from '../../robot';
import { goTo, place } from '../../route';
import { RobotView } from '../../scene/view';
import { useSelected, useSignal } from '../../store';
import { W } from '../../text';
import { Tabs } from '../../ui/parts';
import { PointsPanel } from '../move/points_panel';
import { ProgramEditor } from './editor';
import { editor, insertPoint, undoable } from './editor_state';
import { ProgramBar } from './program_bar';
import * as program from './program_state';
import { RunBar } from './run_bar';
import { StepsPanel } from './steps_panel';

export function ProgramPage() {
  const part = useSelected(place, (now) => now.part);
  const open = useSignal(program.name);
  const [side, setSide] = useState<'view' | 'points'>('view');
  useEffect(() => {
    if (part === program.name.value) program.stay();
    else if (part !== '') void program.open(part).then((isOpen) => !isOpen && goTo('program'));
  }, [part]);
  const known = useRef(open);
  useEffect(() => {
    // who comes by an address gets what it names, and not what was open before
    const isNews = known.current !== open;
    known.current = open;
    if (open !== null && part !== open && (isNews || part === '')) goTo('program', open);
  }, [open, part]);
  useEffect(() => () => program.dropRun(), []);
  return (
    <div class="program">
      <ProgramBar />
      <StepsPanel />
      <div class="program-text">{open === null ? <p class="hint">{W.program.noProgram}</p> : <EditorPane />}</div>
      <aside class="program-side">
        <Tabs name={W.program.view} value={side} onChange={setSide} tabs={[{ value: 'view', label: W.program.view }, { value: 'points', label: W.program.points }]} />
        {side === 'view' ? <RobotView canDrag={false} /> : <PointsPanel onInsert={(point) => insertPoint(`MOVEJ ${point}`)} />}
      </aside>
      <RunBar />
    </div>
  );
}

/** Keeps them, and tells them to this program if it runs. */
async function markLines(lines: number[]): Promise<void> {
  const isRunning = program.runningLine() > 0;
  await attempt(() => program.mark(lines));
  if (hasControl.value && isRunning) await attempt(() => rest.post('/api/programs/breakpoints', { lines }));
}

function EditorPane() {
  const holder = useRef<HTMLDivElement>(null);
  const open = useSignal(program.name);
  const mayEdit = useSelected(session, () => may('programmer'));
  useEffect(() => {
    if (!holder.current) return;
    const made = new ProgramEditor(holder.current, {
      changed: program.edit,
      cursor: (line) => (program.cursorLine.value = line),
      breakpoints: (lines) => void markLines(lines),
      save: () => void program.save(),
      history: (undo, redo) => (undoable.value = [undo, redo]),
    });
    editor.value = made;
    const findings = () => made.setFindings(program.checked.value.findings);
    const running = () => {
      const line = program.runTime.value !== null ? program.runLine() : program.runningLine();
      if (line !== shownLine) made.setRunning((shownLine = line), true);
    };
    let shownLine = 0;
    const ends = [program.checked.subscribe(findings), live.subscribe(running), program.runTime.subscribe(running), program.replaced.subscribe(() => made.change(program.text.value, program.breakpoints.value))];
    return () => {
      ends.forEach((end) => end());
      editor.value = null;
      made.destroy();
    };
  }, []);
  useEffect(() => {
    if (open !== null) editor.value?.open({ name: open, text: program.text.value, breakpoints: program.breakpoints.value, mayEdit });
    editor.value?.setFindings(program.checked.value.findings);
  }, [open, mayEdit]);
  return <div class="editor" ref={holder} />;
}

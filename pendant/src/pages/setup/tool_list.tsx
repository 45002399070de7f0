// SPDX-License-Identifier: BSD-3-Clause
// Saving a tool, and the tools that were taught.
import { useState } from 'preact/hooks';
import type { ArmInfo, ToolInfo } from '../../link/protocol';
import { rest } from '../../link/rest';
import { attempt, taught } from '../../robot';
import { units } from '../../settings';
import { useSelected, useSignal } from '../../store';
import { W } from '../../text';
import { shown, symbol } from '../../units';
import { Ask, Button, Panel, TextField, type Question } from '../../ui/parts';
import { ProgramLine } from './program_line';
import { TaughtUndo } from './taught_undo';
import { changeDraft, draft, editTool, saveTool, startOver } from './tool_draft';

const kDegrees = 180 / Math.PI;

export function SaveToolPanel({ arm, mayTeach }: { arm: ArmInfo; mayTeach: boolean }) {
  const { name, position, rpy } = useSignal(draft);
  const numbers = [...position.map((value) => (value * 1000).toFixed(2)), ...rpy.map((value) => (value * kDegrees).toFixed(3))];
  return (
    <Panel title={`4 · ${W.setup.saveTool}`}>
      <form class="line-form" onSubmit={(event) => { event.preventDefault(); void saveTool(arm); }}>
        <TextField label={W.setup.toolName} value={name} onChange={(value) => changeDraft({ name: value })} />
        <Button kind="main" submit disabled={!mayTeach || name.trim() === ''}>{W.setup.saveTool}</Button>
        <Button kind="quiet" onClick={startOver}>{W.toolWizard.another}</Button>
      </form>
      <ProgramLine line={`TOOL {${name}} = POSE(${numbers.join(', ')})`} />
    </Panel>
  );
}

export function TaughtTools({ arm, mayTeach }: { arm: ArmInfo; mayTeach: boolean }) {
  const tools = useSelected(taught, (all) => all.tools);
  const inUse = useSignal(units);
  const [question, ask] = useState<Question | null>(null);
  const own = tools.filter((tool) => tool.arm === '' || tool.arm === arm.name);
  const remove = (tool: ToolInfo) =>
    ask({
      title: W.toolWizard.taught, text: W.toolWizard.deleteSure(tool.name), yes: W.remove, isDangerous: true,
      act: () => void attempt(() => rest.del(`/api/tools/${encodeURIComponent(tool.name)}`)),
    });
  return (
    <Panel title={W.toolWizard.taught} actions={<TaughtUndo kind="tools" mayTeach={mayTeach} />}>
      {own.length === 0 ? <p class="hint">{W.toolWizard.noTools}</p> : (
        <ul class="touches">
          {own.map((tool) => (
            <li key={tool.name}>
              <strong>{tool.name}</strong>
              <span>{tool.position.map((value) => shown('length', value, inUse)).join('  ')} {symbol('length', inUse)}{tool.mass > 0 ? `, ${tool.mass.toFixed(2)} kg` : ''}</span>
              <Button kind="quiet" icon="pen" label={`${W.toolWizard.edit} ${tool.name}`} disabled={!mayTeach} onClick={() => editTool(tool)} />
              <Button kind="quiet" icon="trash" label={`${W.remove} ${tool.name}`} disabled={!mayTeach} onClick={() => remove(tool)} />
            </li>
          ))}
        </ul>
      )}
      {question && <Ask question={question} onDone={() => ask(null)} />}
    </Panel>
  );
}

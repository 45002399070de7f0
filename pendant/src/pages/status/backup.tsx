// SPDX-License-Identifier: BSD-3-Clause
import { useRef, useState } from 'preact/hooks';
import { rest, wordsOf } from '../../link/rest';
import { say } from '../../notices';
import { attempt, robot } from '../../robot';
import { W } from '../../text';
import { Ask, Button, Panel, type Question } from '../../ui/parts';

async function download(): Promise<void> {
  const answer = await attempt(() => rest.get('/api/backup'));
  if (answer === null) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([JSON.stringify(answer, null, 1)], { type: 'application/json' }));
  link.download = `sinew-${robot.value?.name ?? 'robot'}-${new Date().toISOString().slice(0, 10)}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}

export function Backup() {
  const file = useRef<HTMLInputElement>(null);
  const [question, ask] = useState<Question | null>(null);
  const restore = async (chosen: File) => {
    try {
      const content: unknown = JSON.parse(await chosen.text());
      ask({
        title: W.status.restore, text: W.status.restoreSure, yes: W.ok, isDangerous: true,
        act: () => void attempt(() => rest.post('/api/restore', { backup: content })).then((answer) => answer !== null && say('info', W.status.restored)),
      });
    } catch (error) {
      say('warn', `${chosen.name}: ${wordsOf(error)}`);
    }
  };
  return (
    <Panel title={W.status.backup}>
      <p>{W.status.backupText}</p>
      <div class="row">
        <Button kind="main" icon="save" onClick={() => void download()}>{W.status.backupGet}</Button>
        <Button icon="reset" onClick={() => file.current?.click()}>{W.status.restore}</Button>
        <input ref={file} type="file" accept="application/json,.json" hidden aria-label={W.status.restore} onChange={(event) => { const chosen = event.currentTarget.files?.[0]; if (chosen) void restore(chosen); event.currentTarget.value = ''; }} />
      </div>
      {question && <Ask question={question} onDone={() => ask(null)} />}
    </Panel>
  );
}

// SPDX-License-Identifier: BSD-3-Clause
import { useEffect, useState } from 'preact/hooks';
import { goTo, place } from '../../route';
import { useSelected } from '../../store';
import { W } from '../../text';
import { Icon } from '../../ui/icons';
import { Button, Panel } from '../../ui/parts';
import { Markdown } from './markdown';
import { startTour } from './tour_card';

/** The texts of the laboratory, kept in the page so that they are there without a network. */
const kTexts = import.meta.glob('../../../../labs/*/README.md', { query: '?raw', import: 'default' }) as Record<string, () => Promise<string>>;
const labs = Object.entries(kTexts)
  .map(([path, read]) => ({ folder: path.split('/').slice(-2)[0] ?? '', read }))
  .sort((a, b) => a.folder.localeCompare(b.folder));

const titleOf = (folder: string) => folder.replace(/^\d+_/, '').replace(/_/g, ' ').replace('hanoi', 'Hanoi');
const numberOf = (folder: string) => folder.slice(0, 2);

export function LearnPage() {
  const part = useSelected(place, (now) => now.part);
  const lab = labs.find((one) => one.folder === part);
  if (lab) return <Lab folder={lab.folder} read={lab.read} />;
  return (
    <div class="sub-page">
      <div class="sub-body learn" tabIndex={0}>
        <Panel title={W.learn.tour} class="tour-panel">
          <p>{W.learn.tourText}</p>
          <ol class="tour-steps">{W.learn.steps.map((step, i) => <li key={step.title}><b>{i + 1}</b>{step.title}</li>)}</ol>
          <div class="row"><Button kind="main" size="large" icon="play" onClick={startTour}>{W.learn.start}</Button></div>
        </Panel>
        <Panel title={W.learn.labs}>
          <p>{W.learn.labsText}</p>
          <ul class="labs">
            {labs.map(({ folder }) => (
              <li key={folder}><a href={`#/learn/${folder}`}><b>{numberOf(folder)}</b><span>{titleOf(folder)}</span><Icon name="book" size={20} /></a></li>
            ))}
          </ul>
        </Panel>
      </div>
    </div>
  );
}

function Lab({ folder, read }: { folder: string; read: () => Promise<string> }) {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    void read().then(setText);
  }, [folder]);
  return (
    <div class="sub-page">
      <div class="sub-body" tabIndex={0}>
        <div class="row"><Button icon="undo" onClick={() => goTo('learn')}>{W.learn.labs}</Button></div>
        <Panel>
          {text === null ? <p>{W.loading}</p> : <Markdown text={text} />}
          <p class="label">{W.learn.grade}</p>
          <pre class="code" tabIndex={0}>{`./sinew lab grade labs/${numberOf(folder)} my_solution.py`}</pre>
        </Panel>
      </div>
    </div>
  );
}

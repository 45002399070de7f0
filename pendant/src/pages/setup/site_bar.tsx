// SPDX-License-Identifier: BSD-3-Clause
import { useState } from 'preact/hooks';
import { may, session } from '../../robot';
import { useSelected, useSignal } from '../../store';
import { W } from '../../text';
import { Icon, type IconName } from '../../ui/icons';
import { Ask, Button, type Question } from '../../ui/parts';
import { sameDraft } from './site';
import { busy, discard, draft, findings, redo, restart, save, setup, setupTrouble, undo, undoLabels } from './site_state';

type Standing = 'trouble' | 'changed' | 'waits' | 'in_force' | 'unknown';
const kIcons: Record<Standing, IconName> = { trouble: 'warn', changed: 'pen', waits: 'clock', in_force: 'check', unknown: 'clock' };

/** Whether what is seen is saved, and whether what is saved is in force; and the keys for both. */
export function SiteBar() {
  const base = useSignal(setup);
  const trouble = useSignal(setupTrouble);
  const now = useSignal(draft);
  const doing = useSignal(busy);
  const wrong = useSignal(findings);
  const [undoLabel, redoLabel] = useSignal(undoLabels);
  const mayChange = useSelected(session, () => may('expert'));
  const [question, ask] = useState<Question | null>(null);
  const isChanged = base !== null && !sameDraft(now, base.saved);
  const standing: Standing = trouble || base?.problem ? 'trouble' : base === null ? 'unknown' : isChanged ? 'changed' : base.isInForce ? 'in_force' : 'waits';
  const words = trouble || (base?.problem ? W.site.problem(base.problem) : W.site.standing[standing as Exclude<Standing, 'trouble'>]);
  const isWaiting = doing !== '';
  return (
    <section class={`site-bar ${standing}`} aria-label={W.site.bar} data-standing={standing}>
      <div class="site-words">
        <Icon name={kIcons[standing]} size={28} />
        <p role="status">{doing === 'restart' ? W.site.restarting : doing === 'save' ? W.site.saving : words}{!mayChange && ` ${W.site.onlyExperts}`}</p>
      </div>
      {mayChange && (
        <div class="site-keys">
          <Button kind="quiet" icon="undo" label={undoLabel ? `${W.undo}: ${undoLabel}` : W.undo} disabled={undoLabel === null || isWaiting} onClick={() => void undo()} />
          <Button kind="quiet" icon="redo" label={redoLabel ? `${W.redo}: ${redoLabel}` : W.redo} disabled={redoLabel === null || isWaiting} onClick={() => void redo()} />
          <Button disabled={!isChanged || isWaiting} onClick={discard}>{W.site.discard}</Button>
          <Button kind={isChanged || base?.problem ? 'main' : 'plain'} icon="save" disabled={(!isChanged && !base?.problem) || isWaiting} onClick={() => void save()}>{W.site.save}</Button>
          {standing === 'waits' && (
            <Button kind="main" icon="reset" disabled={isWaiting} onClick={() => ask({ title: W.site.restart, text: W.site.restartSure, yes: W.site.restart, act: () => void restart() })}>{W.site.restart}</Button>
          )}
        </div>
      )}
      {wrong.length > 0 && (
        <ul class="site-findings" role="alert">
          {wrong.map((one, i) => <li key={i}><Icon name="warn" /> <span>{one.name !== '' && <strong>{one.name}: </strong>}{one.message}</span></li>)}
        </ul>
      )}
      {question && <Ask question={question} onDone={() => ask(null)} />}
    </section>
  );
}

// SPDX-License-Identifier: BSD-3-Clause
import { useEffect, useState } from 'preact/hooks';
import { fields, list, number, text as textOf } from '../../link/protocol';
import { rest } from '../../link/rest';
import { attempt, may, programNames, session } from '../../robot';
import { useSelected, useSignal } from '../../store';
import { W } from '../../text';
import { Icon } from '../../ui/icons';
import { Ask, Button, Dialog, TextField, type Question } from '../../ui/parts';
import { editor, undoable } from './editor_state';
import * as program from './program_state';

export function ProgramBar() {
  const names = useSignal(programNames);
  const open = useSignal(program.name);
  const mayEdit = useSelected(session, () => may('programmer'));
  const isSaved = useSelected(program.text, (text) => text === program.saved.value);
  const savedText = useSignal(program.saved);
  const [canUndo, canRedo] = useSignal(undoable);
  const [isNaming, setNaming] = useState(false);
  const [isHistory, setHistory] = useState(false);
  const [isRemoved, setRemoved] = useState(false);
  const [question, ask] = useState<Question | null>(null);
  const isClean = isSaved || savedText === program.text.value;
  return (
    <header class="program-bar">
      <label class="program-choice">
        <span class="unseen">{W.program.open}</span>
        <select value={open ?? ''} onChange={(event) => void program.open(event.currentTarget.value)}>
          <option value="" disabled selected={open === null}>{W.program.title} …</option>
          {names.map((one) => <option key={one} value={one}>{one}</option>)}
        </select>
      </label>
      <Button icon="plus" label={W.program.fresh} disabled={!mayEdit} onClick={() => setNaming(true)} />
      <Button icon="save" kind={isClean ? 'plain' : 'main'} label={W.save} disabled={!mayEdit || open === null || isClean} onClick={() => void program.save()} />
      <Button icon="untrash" label={W.program.removed} disabled={!mayEdit} onClick={() => setRemoved(true)} />
      <span class="bar-gap" />
      <Button icon="undo" label={W.undo} disabled={canUndo === 0} onClick={() => editor.value?.undo()} />
      <Button icon="redo" label={W.redo} disabled={canRedo === 0} onClick={() => editor.value?.redo()} />
      <Button icon="clock" label={W.program.history} disabled={open === null} onClick={() => setHistory(true)} />
      <Button
        icon="trash" label={W.remove} disabled={!mayEdit || open === null}
        onClick={() => ask({ title: W.remove, text: W.program.deleteSure(open!), yes: W.remove, isDangerous: true, act: () => void program.remove(open!) })}
      />
      <Findings />
      <Conflict />
      {isNaming && <NewProgram onClose={() => setNaming(false)} />}
      {isHistory && open !== null && <History name={open} onClose={() => setHistory(false)} />}
      {isRemoved && <Removed onClose={() => setRemoved(false)} />}
      {question && <Ask question={question} onDone={() => ask(null)} />}
    </header>
  );
}

function Conflict() {
  const theirs = useSignal(program.conflict);
  const mine = useSignal(program.text);
  const [isShown, setShown] = useState(false);
  if (theirs === null) return null;
  const isGone = theirs.version === '';
  const who = theirs.by ?? W.program.somebody;
  const when = theirs.changed > 0 ? new Date(1000 * theirs.changed).toLocaleString() : '';
  const choose = (act: () => void) => {
    setShown(false);
    act();
  };
  return (
    <div class="conflict" role="alert">
      <span>{isGone ? W.program.conflictGone : W.program.conflict(who, when)}</span>
      <Button onClick={() => choose(program.takeTheirs)}>{isGone ? W.program.letGo : W.program.takeTheirs}</Button>
      <Button onClick={() => choose(program.keepMine)}>{W.program.keepMine}</Button>
      {!isGone && <Button onClick={() => setShown(true)}>{W.program.seeBoth}</Button>}
      {isShown && (
        <Dialog title={W.program.seeBoth} onClose={() => setShown(false)} wide>
          <div class="two-texts">
            <section><h3>{W.program.theirs(who)}</h3><pre class="code" data-text="theirs" tabIndex={0}>{theirs.text}</pre></section>
            <section><h3>{W.program.mine}</h3><pre class="code" data-text="mine" tabIndex={0}>{mine}</pre></section>
          </div>
          <footer><Button onClick={() => choose(program.takeTheirs)}>{W.program.takeTheirs}</Button><Button onClick={() => choose(program.keepMine)}>{W.program.keepMine}</Button></footer>
        </Dialog>
      )}
    </div>
  );
}

/** Programs that were removed, to be brought back. */
function Removed({ onClose }: { onClose: () => void }) {
  const [all, setAll] = useState<{ name: string; when: string }[] | null>(null);
  useEffect(() => {
    void attempt(() => rest.get('/api/programs')).then((answer) =>
      setAll(list(fields(answer).removed).map(fields).map((one) => ({ name: textOf(one.name), when: new Date(1000 * number(one.changed)).toLocaleString() }))),
    );
  }, []);
  return (
    <Dialog title={W.program.removed} onClose={onClose}>
      {all === null ? <p>{W.loading}</p> : all.length === 0 ? <p>{W.nothingYet}</p> : (
        <ul class="removed-list">
          {all.map((one) => (
            <li key={one.name}><Button icon="undo" label={W.program.bringBack(one.name)} onClick={() => { onClose(); void program.restore(one.name); }}>{one.name}</Button> <small>{one.when}</small></li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function Findings() {
  const { findings, formatted } = useSignal(program.checked);
  const open = useSignal(program.name);
  const text = useSignal(program.text);
  if (open === null) return null;
  const worst = findings.some((one) => one.severity === 'error') ? 'bad' : findings.length > 0 ? 'warn' : 'good';
  const first = findings[0];
  return (
    <>
      {formatted !== null && formatted !== text && program.checkedText.value === text && <Button onClick={() => editor.value?.replace(formatted)}>{W.program.format}</Button>}
      <button type="button" class={`findings ${worst}`} data-findings={findings.length} disabled={!first} onClick={() => first && editor.value?.goTo(first.line)}>
        <Icon name={worst === 'good' ? 'check' : 'warn'} size={20} />
        <span role="status">{first ? `${W.program.line(first.line)}: ${first.message}` : W.program.clean}</span>
        {findings.length > 1 && <small>{W.program.findings(findings.length)}</small>}
      </button>
    </>
  );
}

function NewProgram({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const file = program.fileName(typed);
  const submit = (event: Event) => {
    event.preventDefault();
    if (file === '') return;
    onClose();
    void program.create(file);
  };
  return (
    <Dialog title={W.program.fresh} onClose={onClose}>
      <form onSubmit={submit}>
        <TextField label={W.program.name} value={typed} onChange={setTyped} autoFocus placeholder="pick.prog" />
        <footer><Button onClick={onClose}>{W.cancel}</Button><Button kind="main" submit disabled={file === ''}>{W.ok}</Button></footer>
      </form>
    </Dialog>
  );
}

function History({ name, onClose }: { name: string; onClose: () => void }) {
  const [all, setAll] = useState<{ number: string; when: string }[] | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  if (all === null) {
    void attempt(() => rest.get(`${program.pathOf(name)}/history`)).then((answer) =>
      setAll(list(fields(answer).versions).map((one) => ({ number: String(fields(one).number), when: new Date(1000 * number(fields(one).changed)).toLocaleString() }))),
    );
  }
  const look = async (number: string) => {
    const answer = await attempt(() => rest.get(`${program.pathOf(name)}/history/${number}`));
    setShown(typeof answer === 'string' ? answer : textOf(fields(answer).text));
  };
  return (
    <Dialog title={W.program.history} onClose={onClose} wide>
      {all === null ? <p>{W.loading}</p> : all.length === 0 ? <p>{W.nothingYet}</p> : (
        <div class="chips">{all.map((one) => <Button key={one.number} onClick={() => void look(one.number)}>{one.when}</Button>)}</div>
      )}
      {shown !== null && <pre class="code">{shown}</pre>}
      {shown !== null && <footer><Button kind="main" onClick={() => { onClose(); editor.value?.replace(shown); }}>{W.program.restore}</Button></footer>}
    </Dialog>
  );
}

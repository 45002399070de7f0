// SPDX-License-Identifier: BSD-3-Clause
// A new robot: files are dropped or chosen, looked through, sent, and what was found is told.
import { useRef } from 'preact/hooks';
import { isHovering } from '../../frame/drop_guard';
import { may, session } from '../../robot';
import { useSelected, useSignal } from '../../store';
import { W } from '../../text';
import { Icon } from '../../ui/icons';
import { Button, Panel, TextField } from '../../ui/parts';
import { Picker } from '../move/jog_panel';
import { descriptions } from './dropped_files';
import { DroppedRobotList } from './dropped_robots';
import { sizeText } from './file_size';
import { HowToStart, NewRobotFindings } from './new_robot_findings';
import { chooseMain, chooseName, makeRobot, newRobot, startOver, takeFiles, type NewRobot } from './new_robot_state';
import '../../style/wizards.css';

export function NewRobotPanel() {
  const now = useSignal(newRobot);
  const mayMake = useSelected(session, () => may('expert'));
  const isBusy = now.stage === 'reading' || now.stage === 'sending';
  return (
    <div class="wizard" data-new-robot={now.stage}>
      <div class="wizard-side">
        <Panel title={W.newRobot.title}>
          <p>{W.newRobot.text}</p>
          {!mayMake && <p class="trouble">{W.newRobot.onlyExpert}</p>}
          {(now.stage === 'empty' || now.stage === 'ready') && <DropZone disabled={!mayMake} />}
          {isBusy && <p class="works" role="status">{now.stage === 'reading' ? W.newRobot.reading : W.newRobot.sending}</p>}
          {now.trouble !== '' && <div class="said" role="alert"><Icon name="warn" /><p>{now.trouble}</p></div>}
          {now.gathered.files.length > 0 && <Files now={now} />}
          {now.stage === 'ready' && <Choices now={now} mayMake={mayMake} />}
          {now.stage === 'made' && <div class="row"><Button icon="reset" onClick={startOver}>{W.newRobot.another}</Button></div>}
        </Panel>
        {now.report && <HowToStart command={now.report.start} />}
        <DroppedRobotList made={now.report?.start ?? null} />
      </div>
      {now.report ? <NewRobotFindings report={now.report} /> : <Panel title={W.newRobot.report}><p class="hint">{W.newRobot.none}</p></Panel>}
    </div>
  );
}

function DropZone({ disabled }: { disabled: boolean }) {
  const isOver = useSignal(isHovering);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const taken = (event: { currentTarget: HTMLInputElement }) => {
    void takeFiles([...(event.currentTarget.files ?? [])]);
    // the same files may be chosen again, once they are mended
    event.currentTarget.value = '';
  };
  return (
    <div class={`drop-zone ${isOver ? 'over' : ''}`}>
      <Icon name="file" size={40} />
      <strong>{W.newRobot.drop}</strong>
      <div class="row">
        <Button icon="file" disabled={disabled} onClick={() => files.current?.click()}>{W.newRobot.choose}</Button>
        <Button disabled={disabled} onClick={() => folder.current?.click()}>{W.newRobot.chooseFolder}</Button>
      </div>
      {/* tablets know no such endings and would show nothing to choose, so all files are offered */}
      <input ref={files} type="file" multiple hidden aria-label={W.newRobot.choose} onChange={taken} />
      <input ref={folder} type="file" multiple hidden aria-label={W.newRobot.chooseFolder} onChange={taken} {...{ webkitdirectory: true }} />
    </div>
  );
}

function Files({ now }: { now: NewRobot }) {
  const { files, leftOut } = now.gathered;
  const total = files.reduce((sum, file) => sum + file.bytes.length, 0);
  return (
    <>
      <p class="label">{W.newRobot.files(files.length, sizeText(total))} {leftOut > 0 && W.newRobot.leftOut(leftOut)}</p>
      <ul class="dropped-list" tabIndex={0} aria-label={W.newRobot.files(files.length, sizeText(total))}>
        {files.map((file) => <li key={file.path}><span>{file.path}</span><small>{sizeText(file.bytes.length)}</small></li>)}
      </ul>
    </>
  );
}

function Choices({ now, mayMake }: { now: NewRobot; mayMake: boolean }) {
  const all = descriptions(now.gathered.files);
  const isNamed = /^[A-Za-z0-9_-]{1,48}$/.test(now.name.trim());
  return (
    <form class="line-form" onSubmit={(event) => { event.preventDefault(); if (isNamed && mayMake) void makeRobot(); }}>
      {all.length > 1 && <Picker label={W.newRobot.main} value={now.main} onChange={chooseMain} values={all.map((path) => [path, path])} />}
      <TextField label={W.newRobot.name} value={now.name} onChange={chooseName} />
      <Button kind="main" submit disabled={!isNamed || !mayMake}>{W.newRobot.make}</Button>
      <Button kind="quiet" onClick={startOver}>{W.setup.startOver}</Button>
      {!isNamed && <p class="trouble">{W.newRobot.nameHint}</p>}
    </form>
  );
}

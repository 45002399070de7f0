// SPDX-License-Identifier: BSD-3-Clause
import { useState } from 'preact/hooks';
import { leave, session } from '../robot';
import { needsHold, theme, units, type Theme } from '../settings';
import { signal, useSignal } from '../store';
import { chooseLanguage, kLanguages, language, W } from '../text';
import { Icon } from '../ui/icons';
import { Button, Dialog, Segmented } from '../ui/parts';
import { PasswordDialog } from './password_dialog';

/** Whether the sheet of keys is open. */
export const isHelpOpen = signal(false);

export function ScreenMenu() {
  const [isOpen, setOpen] = useState(false);
  const [isPassword, setPassword] = useState(false);
  const who = useSignal(session);
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" class="chip menu" aria-label={W.menu.title} title={W.menu.title} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name="menu" />
      </button>
      {isOpen && (
        <Dialog title={W.menu.title} onClose={close}>
          {who?.user && <p class="who"><Icon name="user" /> {W.menu.signedInAs(who.user, who.role ?? '')}</p>}
          <ScreenSettings />
          <footer class="menu-foot">
            <Button icon="book" onClick={() => { close(); isHelpOpen.value = true; }}>{W.menu.help}</Button>
            <Button onClick={() => void document.documentElement.requestFullscreen?.().catch(() => undefined)}>{W.menu.fullscreen}</Button>
            {who?.accounts === 'on' && who.user && <Button onClick={() => { close(); setPassword(true); }}>{W.menu.password}</Button>}
            {who?.accounts === 'on' && who.user && <Button kind="danger" onClick={() => { close(); void leave(); }}>{W.menu.logout}</Button>}
          </footer>
        </Dialog>
      )}
      {isPassword && <PasswordDialog onClose={() => setPassword(false)} />}
    </>
  );
}

function ScreenSettings() {
  const chosen = useSignal(theme);
  const inUse = useSignal(units);
  const holds = useSignal(needsHold);
  return (
    <div class="settings">
      <span>{W.menu.theme}</span>
      <Segmented<Theme>
        name={W.menu.theme}
        value={chosen}
        onChange={(value) => (theme.value = value)}
        choices={[{ value: 'auto', label: W.menu.auto }, { value: 'bright', label: W.menu.bright }, { value: 'dark', label: W.menu.dark }]}
      />
      {Object.keys(kLanguages).length > 1 && (
        <>
          <span>{W.menu.language}</span>
          <Segmented name={W.menu.language} value={language} onChange={chooseLanguage} choices={Object.entries(kLanguages).map(([value, words]) => ({ value, label: words.language }))} />
        </>
      )}
      <span>{W.menu.units}</span>
      <div class="pair">
        <Segmented
          name={`${W.menu.units}: mm`}
          value={inUse.length}
          onChange={(length) => (units.value = { ...inUse, length })}
          choices={[{ value: 'mm', label: 'mm' }, { value: 'inch', label: 'inch' }]}
        />
        <Segmented
          name={`${W.menu.units}: °`}
          value={inUse.angle}
          onChange={(angle) => (units.value = { ...inUse, angle })}
          choices={[{ value: 'deg', label: '°' }, { value: 'rad', label: 'rad' }]}
        />
      </div>
      <span>{W.menu.holdRun}</span>
      <Segmented
        name={W.menu.holdRun}
        value={holds ? 'yes' : 'no'}
        onChange={(value) => (needsHold.value = value === 'yes')}
        choices={[{ value: 'yes', label: W.menu.yes }, { value: 'no', label: W.menu.no }]}
      />
    </div>
  );
}

export function HelpSheet() {
  const isOpen = useSignal(isHelpOpen);
  if (!isOpen) return null;
  return (
    <Dialog title={W.help.title} onClose={() => (isHelpOpen.value = false)} wide>
      <table class="keys">
        <tbody>
          {W.help.rows.map(([keys, words]) => (
            <tr key={keys}>
              <th scope="row">{keys!.split(' ').map((key, i) => (/^[…,]$/.test(key) ? key : <kbd key={i}>{key.replace(',', '')}</kbd>))}</th>
              <td>{words}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3>{W.help.gamepad}</h3>
      <p>{W.help.gamepadText}</p>
      <p class="warning"><Icon name="warn" /> {W.help.safety}</p>
    </Dialog>
  );
}

// SPDX-License-Identifier: BSD-3-Clause
import { useState } from 'preact/hooks';
import { rest, wordsOf } from '../link/rest';
import { say } from '../notices';
import { W } from '../text';
import { Button, Dialog, TextField } from '../ui/parts';

export const kShortestPassword = 8;

/** What is wrong with a new password, or nothing. */
export function passwordTrouble(password: string, again: string): string | null {
  if (password.length < kShortestPassword) return W.login.short;
  return password === again ? null : W.login.mismatch;
}

export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const [old, setOld] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [trouble, setTrouble] = useState<string | null>(null);
  const submit = async (event: Event) => {
    event.preventDefault();
    const wrong = passwordTrouble(password, again);
    setTrouble(wrong);
    if (wrong) return;
    try {
      await rest.put('/api/password', { old, password });
      say('info', W.login.changed);
      onClose();
    } catch (error) {
      setTrouble(wordsOf(error));
    }
  };
  return (
    <Dialog title={W.menu.password} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <TextField label={W.login.password} type="password" value={old} onChange={setOld} autoComplete="current-password" autoFocus />
        <TextField label={W.menu.password} type="password" value={password} onChange={setPassword} autoComplete="new-password" />
        <TextField label={W.login.again} type="password" value={again} onChange={setAgain} autoComplete="new-password" />
        {trouble && <p class="trouble" role="alert">{trouble}</p>}
        <footer><Button onClick={onClose}>{W.cancel}</Button><Button kind="main" submit>{W.save}</Button></footer>
      </form>
    </Dialog>
  );
}

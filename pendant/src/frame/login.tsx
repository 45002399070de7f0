// SPDX-License-Identifier: BSD-3-Clause
import { useState } from 'preact/hooks';
import { rest, Refusal, wordsOf } from '../link/rest';
import { enter, session } from '../robot';
import { useSignal } from '../store';
import { W } from '../text';
import { Button, TextField } from '../ui/parts';
import { passwordTrouble } from './password_dialog';

export function Login() {
  const now = useSignal(session);
  return (
    <main class="login" id="page">
      <div class="login-card">
        <img src="/icon.svg" width="56" height="56" alt="" />
        {now?.needs_first ? <FirstStart /> : <LoginForm />}
      </div>
    </main>
  );
}

function useForm(act: () => Promise<void>) {
  const [trouble, setTrouble] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    try {
      setTrouble(null);
      await act();
    } catch (error) {
      setTrouble(error instanceof Refusal && error.status === 401 ? W.login.wrong : wordsOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { trouble, isBusy, submit: (event: Event) => void submit(event) };
}

function LoginForm() {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const form = useForm(async () => {
    await rest.post('/api/login', { name, password });
    await enter();
  });
  return (
    <form onSubmit={form.submit}>
      <h1>{W.login.title}</h1>
      <TextField label={W.login.name} value={name} onChange={setName} autoComplete="username" autoFocus />
      <TextField label={W.login.password} type="password" value={password} onChange={setPassword} autoComplete="current-password" />
      {form.trouble && <p class="trouble" role="alert">{form.trouble}</p>}
      <Button kind="main" size="large" submit disabled={form.isBusy || name === ''}>{W.login.enter}</Button>
    </form>
  );
}

function FirstStart() {
  const [code, setCode] = useState('');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const form = useForm(async () => {
    const wrong = passwordTrouble(password, again);
    if (wrong) throw new Error(wrong);
    await rest.post('/api/first', { code: code.trim(), name, password });
    await enter();
  });
  return (
    <form onSubmit={form.submit}>
      <h1>{W.login.firstTitle}</h1>
      <p>{W.login.firstText}</p>
      <TextField label={W.login.code} value={code} onChange={setCode} autoComplete="one-time-code" autoFocus />
      <TextField label={W.login.name} value={name} onChange={setName} autoComplete="username" />
      <div class="side-by-side">
        <TextField label={W.login.password} type="password" value={password} onChange={setPassword} autoComplete="new-password" />
        <TextField label={W.login.again} type="password" value={again} onChange={setAgain} autoComplete="new-password" />
      </div>
      {form.trouble && <p class="trouble" role="alert">{form.trouble}</p>}
      <p class="note">{W.login.roleNote}</p>
      <Button kind="main" size="large" submit disabled={form.isBusy || code === '' || name === ''}>{W.login.make}</Button>
    </form>
  );
}

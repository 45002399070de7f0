// SPDX-License-Identifier: BSD-3-Clause
import { useEffect, useState } from 'preact/hooks';
import { fields, kRoles, list, text, type Role } from '../../link/protocol';
import { rest } from '../../link/rest';
import { attempt, session } from '../../robot';
import { useSelected } from '../../store';
import { W } from '../../text';
import { Picker } from '../move/jog_panel';
import { Ask, Button, Panel, TextField, type Question } from '../../ui/parts';

interface User {
  name: string;
  role: string;
}

const pathOf = (name: string) => `/api/users/${encodeURIComponent(name)}`;

export function Users() {
  const [users, setUsers] = useState<User[]>([]);
  const me = useSelected(session, (now) => now?.user ?? '');
  const isOff = useSelected(session, (now) => now?.accounts === 'off');
  const [question, ask] = useState<Question | null>(null);
  const fetchUsers = async () => {
    const answer = await attempt(() => rest.get('/api/users'));
    if (answer !== null) setUsers(list(fields(answer).users).map((one) => ({ name: text(fields(one).name), role: text(fields(one).role) })));
  };
  const change = async (act: () => Promise<unknown>): Promise<boolean> => {
    const isDone = (await attempt(async () => { await act(); return true; })) === true;
    await fetchUsers();
    return isDone;
  };
  useEffect(() => {
    if (!isOff) void fetchUsers();
  }, []);
  if (isOff) return <Panel title={W.status.users}><p>{W.status.accountsOff}</p></Panel>;
  return (
    <>
      <Panel title={W.status.users}>
        <ul class="user-list">
          {users.map((user) => (
            <li key={user.name}>
              <strong>{user.name}</strong>
              <Picker label={W.status.role} value={user.role} values={kRoles.map((role) => [role, role])} onChange={(role) => void change(() => rest.put(pathOf(user.name), { role }))} />
              <Button
                kind="danger" icon="trash" label={`${W.remove} ${user.name}`} disabled={user.name === me}
                onClick={() => ask({ title: W.remove, text: W.status.removeUser(user.name), yes: W.remove, isDangerous: true, act: () => void change(() => rest.del(pathOf(user.name))) })}
              />
            </li>
          ))}
        </ul>
      </Panel>
      <NewUser add={(body) => change(() => rest.post('/api/users', body))} />
      <Audit />
      {question && <Ask question={question} onDone={() => ask(null)} />}
    </>
  );
}

function NewUser({ add }: { add: (body: { name: string; role: Role; password: string }) => Promise<boolean> }) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [role, setRole] = useState<Role>('operator');
  const submit = async (event: Event) => {
    event.preventDefault();
    // what was refused stays to be mended
    if (!(await add({ name, role, password }))) return;
    setName('');
    setPassword('');
  };
  return (
    <Panel title={W.status.add}>
      <form class="line-form" onSubmit={(event) => void submit(event)}>
        <TextField label={W.status.name} value={name} onChange={setName} />
        <TextField label={W.status.password} type="password" value={password} onChange={setPassword} autoComplete="new-password" />
        <Picker label={W.status.role} value={role} values={kRoles.map((one) => [one, one])} onChange={(next) => setRole(kRoles.find((one) => one === next) ?? 'operator')} />
        <Button kind="main" submit disabled={name === '' || password.length < 8}>{W.status.add}</Button>
      </form>
    </Panel>
  );
}

function Audit() {
  const [lines, setLines] = useState<string[]>([]);
  useEffect(() => {
    void rest.get('/api/audit').then(
      (answer) => setLines(list(fields(answer).events).map(fields).map((one) => `${text(one.time)}  ${text(one.user)}  ${text(one.address)}  ${text(one.what)}  ${text(one.outcome)}`)),
      () => undefined,
    );
  }, []);
  if (lines.length === 0) return null;
  return <Panel title={W.status.audit}><pre class="code" tabIndex={0} aria-label={W.status.audit}>{lines.slice(-200).reverse().join('\n')}</pre></Panel>;
}

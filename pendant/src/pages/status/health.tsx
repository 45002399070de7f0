// SPDX-License-Identifier: BSD-3-Clause
import { useEffect, useState } from 'preact/hooks';
import { fields, list, number, text } from '../../link/protocol';
import { rest, wordsOf } from '../../link/rest';
import { attempt, may, robot, session } from '../../robot';
import { useSelected } from '../../store';
import { W } from '../../text';
import { durationText } from '../../units';
import { Ask, Button, Panel, Segmented, TextField, type Question } from '../../ui/parts';

type Status = Record<string, unknown>;

/** /api/status, asked for every two seconds while it is looked at. */
export function useStatus(): { status: Status | null; trouble: string | null } {
  const [status, setStatus] = useState<Status | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  useEffect(() => {
    const look = async () => {
      try {
        setStatus(fields(await rest.get('/api/status')));
        setTrouble(null);
      } catch (error) {
        setTrouble(wordsOf(error));
      }
    };
    void look();
    const timer = setInterval(() => !document.hidden && void look(), 2000);
    return () => clearInterval(timer);
  }, []);
  return { status, trouble };
}

/** A measured value as people read it: the server's names end in their unit, seconds otherwise speak for themselves. */
export function valueText(name: string, value: unknown): string {
  // a device without a bus has no load of one
  if (name === 'bus_load' && !value) return '–';
  if (typeof value === 'boolean') return value ? W.menu.yes : W.menu.no;
  if (typeof value !== 'number') return text(value) || JSON.stringify(value ?? '');
  if (/_ns$/.test(name)) return secondsText(value * 1e-9);
  if (/_us$/.test(name)) return secondsText(value * 1e-6);
  if (/(wake|busy|latency|period)/.test(name) && Math.abs(value) < 10) return secondsText(value);
  if (/(^|_)age$/.test(name)) return secondsText(value);
  if (/uptime/.test(name)) return durationText(value);
  if (/(bytes|memory|rss)/.test(name)) return `${(value / 1048576).toFixed(1)} MiB`;
  if (name === 'rate') return `${value.toLocaleString()} Hz`;
  if (name === 'cpu') return `${value.toFixed(1)} %`;
  if (/(share|load)/.test(name) && value <= 1) return `${(100 * value).toFixed(1)} %`;
  return Number.isInteger(value) ? value.toLocaleString() : value.toPrecision(4);
}

function secondsText(seconds: number): string {
  const size = Math.abs(seconds);
  if (size < 1e-3) return `${(seconds * 1e6).toFixed(0)} µs`;
  if (size < 1) return `${(seconds * 1e3).toFixed(2)} ms`;
  return durationText(seconds);
}

/** The processes of the robot that this page belongs to. */
function processesOf(status: Status): Status[] {
  const robots = list(status.robots).map(fields);
  const own = robots.find((one) => text(one.name) === robot.value?.name) ?? robots[0];
  return list(fields(own).processes).map(fields);
}

const kShort = ['cpu', 'pid'];
const wordsOfName = (name: string) => kShort.includes(name) ? name.toUpperCase() : name.replace(/^is_/, '').replace(/_(ns|us|ms|bytes)$/, '').replace(/_/g, ' ');

export function Health() {
  const { status, trouble } = useStatus();
  if (!status) return <p class="hint">{trouble ?? W.loading}</p>;
  const all = processesOf(status);
  const health = Object.entries(all.map((one) => fields(one.health)).find((one) => one.cycles !== undefined) ?? {});
  return (
    <>
      <Panel title={W.status.health}>
        <dl class="tiles">
          {health.map(([name, value]) => (
            <div key={name}><dt>{wordsOfName(name)}</dt><dd>{valueText(name, value)}</dd></div>
          ))}
        </dl>
      </Panel>
      <Processes all={all} />
    </>
  );
}

function Processes({ all }: { all: Status[] }) {
  const isExpert = useSelected(session, () => may('expert'));
  const [question, ask] = useState<Question | null>(null);
  const columns = ['state', 'pid', 'uptime', 'cpu', 'memory_bytes', 'restarts'].filter((name) => all.some((one) => one[name] !== undefined));
  const restart = (name: string) =>
    ask({ title: W.status.restart, text: W.status.restartSure(name), yes: W.status.restart, isDangerous: true, act: () => void attempt(() => rest.post(`/api/processes/${encodeURIComponent(name)}/restart`)) });
  return (
    <Panel title={W.status.processes}>
      <div class="table-scroll">
        <table class="plain">
          <thead><tr><th scope="col">{W.status.name}</th>{columns.map((name) => <th scope="col" key={name}>{wordsOfName(name)}</th>)}{isExpert && <th scope="col"><span class="unseen">{W.status.restart}</span></th>}</tr></thead>
          <tbody>
            {all.map((one) => (
              <tr key={text(one.role)}>
                <th scope="row" class="strong">{text(one.role)}</th>
                {columns.map((name) => <td key={name}>{one[name] === undefined || one[name] === null ? '–' : name === 'pid' ? number(one[name]) : valueText(name, one[name])}</td>)}
                {isExpert && <td><Button size="small" icon="reset" label={`${W.status.restart} ${text(one.role)}`} onClick={() => restart(text(one.role))} /></td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {question && <Ask question={question} onDone={() => ask(null)} />}
    </Panel>
  );
}

const kRoles = ['controller', 'motion', 'simulator', 'web', 'supervisor'] as const;
type Process = (typeof kRoles)[number];

export function LogTail() {
  const [role, setRole] = useState<Process>('controller');
  const [lines, setLines] = useState<string[]>([]);
  const [filter, setFilter] = useState('');
  useEffect(() => {
    setLines([]);
    rest.get(`/api/log/${role}`).then((answer) => setLines(text(fields(answer).text).trimEnd().split('\n')), (error: unknown) => setLines([wordsOf(error)]));
  }, [role]);
  const shown = lines.filter((line) => line.toLowerCase().includes(filter.toLowerCase()));
  return (
    <Panel title={W.status.log} actions={<TextField label={W.status.filter} value={filter} onChange={setFilter} />} class="log-panel">
      <Segmented<Process> name={W.status.log} value={role} onChange={setRole} choices={kRoles.map((value) => ({ value, label: value }))} />
      <pre class="code log" tabIndex={0} aria-label={W.status.log}>{shown.join('\n') || W.nothingYet}</pre>
    </Panel>
  );
}

// SPDX-License-Identifier: BSD-3-Clause
// The robots that were dropped: how they are started, what they take of their quota, deleted.
import { useEffect, useState } from 'preact/hooks';
import { fields, list, number, text } from '../../link/protocol';
import { rest } from '../../link/rest';
import { attempt, may, session } from '../../robot';
import { useSelected } from '../../store';
import { W } from '../../text';
import { Ask, Button, Panel, type Question } from '../../ui/parts';
import { sizeText } from './file_size';

interface DroppedRobots {
  robots: { name: string; bytes: number; start: string }[];
  bytes: number;
  mostRobots: number;
  mostBytes: number;
}

function robotsFrom(value: unknown): DroppedRobots {
  const json = fields(value);
  const robots = list(json.robots).map(fields).map((one) => ({ name: text(one.name), bytes: number(one.bytes), start: text(one.start) }));
  return { robots, bytes: number(json.bytes), mostRobots: number(json.most_robots), mostBytes: number(json.most_bytes) };
}

/** `made`: the robot that was made last, so that it is looked anew when there is another. */
export function DroppedRobotList({ made }: { made: string | null }) {
  const mayChange = useSelected(session, () => may('expert'));
  const [known, setKnown] = useState<DroppedRobots | null>(null);
  const [question, ask] = useState<Question | null>(null);
  const look = async () => {
    const answer = await attempt(() => rest.get('/api/robots'));
    if (answer !== null) setKnown(robotsFrom(answer));
  };
  useEffect(() => {
    if (mayChange) void look();
  }, [made, mayChange]);
  const remove = async (name: string) => {
    await attempt(() => rest.del(`/api/robots/${encodeURIComponent(name)}`));
    await look();
  };
  const askFirst = (name: string) =>
    ask({ title: W.newRobot.dropped, text: W.newRobot.deleteRobot(name), yes: W.remove, isDangerous: true, act: () => void remove(name) });
  if (!mayChange || known === null) return null;
  return (
    <Panel title={W.newRobot.dropped}>
      {known.robots.length === 0 ? <p class="hint">{W.newRobot.noneDropped}</p> : (
        <ul class="touches" data-dropped={known.robots.length}>
          {known.robots.map(({ name, bytes, start }) => (
            <li key={name} title={start}>
              <strong>{name}</strong>
              <span>{sizeText(bytes)}</span>
              <Button kind="quiet" icon="trash" label={`${W.remove} ${name}`} onClick={() => askFirst(name)} />
            </li>
          ))}
        </ul>
      )}
      <p class="hint">{W.newRobot.quota(known.robots.length, known.mostRobots, sizeText(known.bytes), sizeText(known.mostBytes))}</p>
      {question && <Ask question={question} onDone={() => ask(null)} />}
    </Panel>
  );
}

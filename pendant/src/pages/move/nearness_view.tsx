// SPDX-License-Identifier: BSD-3-Clause
import { collisionLevel, isOfArm, limitLevel, singularLevel, type Level } from '../../frame/nearness';
import { live, robot } from '../../robot';
import { useSelected } from '../../store';
import { W } from '../../text';
import { Icon } from '../../ui/icons';

/** What is near to biting: limits, singularity, collision; nothing while all is clear. */
export function Nearness() {
  const [limit, singular, collision, names, pair] = useSelected(live, (now): [Level, Level, Level, string, string] => {
    const info = robot.value;
    if (!now || !info) return ['clear', 'clear', 'clear', '', ''];
    const near = info.joints.map((joint, i) => [joint.name, joint.is_enabled && isOfArm(info, joint.name) ? limitLevel(joint, now.q[i] ?? NaN) : 'clear'] as const).filter(([, level]) => level !== 'clear');
    const worst: Level = near.some(([, level]) => level === 'at') ? 'at' : near.length > 0 ? 'near' : 'clear';
    return [worst, singularLevel(now), collisionLevel(now), near.map(([name]) => name).join(', '), now.near ? `${now.near.a}, ${now.near.b}` : ''];
  });
  const all: [Level, string][] = [[collision, pair ? `${W.move.collision}: ${pair}` : W.move.collision], [singular, W.move.singular], [limit, names ? `${W.move.limit}: ${names}` : W.move.limit]];
  return (
    <div class="nearness" role="status">
      {all.filter(([level]) => level !== 'clear').map(([level, words]) => (
        <span key={words} class={`near ${level}`}><Icon name="warn" size={18} />{words}</span>
      ))}
    </div>
  );
}

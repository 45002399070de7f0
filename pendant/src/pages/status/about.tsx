// SPDX-License-Identifier: BSD-3-Clause
import { hello, robot } from '../../robot';
import { useSignal } from '../../store';
import { W } from '../../text';
import { Panel } from '../../ui/parts';

declare const __VERSION__: string;
declare const __LIBRARIES__: Record<string, string>;

export function About() {
  const info = useSignal(robot);
  const server = useSignal(hello);
  const rows: [string, string][] = [
    [W.status.robot, info ? `${info.name} (${W.mode[info.mode].toLowerCase()}), ${W.status.jointCount(info.joints.length)}` : '–'],
    [W.status.version, server?.version || '–'],
    [W.status.page, __VERSION__],
    [W.status.libraries, Object.entries(__LIBRARIES__).map(([name, version]) => `${name} ${version}`).join(', ')],
    [W.status.browser, navigator.userAgent],
    [W.status.licence, 'BSD-3-Clause'],
  ];
  return (
    <Panel title={W.product}>
      <table class="plain"><tbody>{rows.map(([name, value]) => <tr key={name}><th scope="row">{name}</th><td>{value}</td></tr>)}</tbody></table>
      <p class="note"><a href="/api/openapi.json">/api/openapi.json</a></p>
      <p class="note">{W.help.safety}</p>
    </Panel>
  );
}

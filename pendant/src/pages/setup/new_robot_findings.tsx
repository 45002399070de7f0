// SPDX-License-Identifier: BSD-3-Clause
// The report on a robot that was made: what it is, what is odd about it, how to start it.
import { say } from '../../notices';
import { units } from '../../settings';
import { useSignal } from '../../store';
import { W } from '../../text';
import { shown, symbol, type Kind, type Units } from '../../units';
import { Icon } from '../../ui/icons';
import { Button, Panel } from '../../ui/parts';
import type { NewJoint, NewRobotReport } from './new_robot_report';

export function NewRobotFindings({ report }: { report: NewRobotReport }) {
  return (
    <div class="wizard-side">
      <Panel title={`${W.newRobot.report}: ${report.name}`}>
        {report.picture !== '' && <img class="report-picture" src={`data:image/png;base64,${report.picture}`} alt={W.newRobot.picture(report.name)} />}
        <dl class="tiles small">
          <div><dt>{W.newRobot.joints}</dt><dd>{report.joints.length}</dd></div>
          <div><dt>{W.newRobot.arms}</dt><dd>{report.arms.length}</dd></div>
          <div class={report.findings.length > 0 ? 'warn' : 'good'}><dt>{W.newRobot.findings}</dt><dd>{report.findings.length}</dd></div>
          <div><dt>{W.newRobot.pairs}</dt><dd>{report.ignoredPairs}<small>{W.newRobot.pairsHint}</small></dd></div>
        </dl>
      </Panel>
      <Panel title={W.newRobot.findings}>
        {report.findings.length === 0 ? <p><Icon name="check" /> {W.newRobot.noFindings}</p> : (
          <ul class="report-list">
            {report.findings.map((finding, i) => (
              <li key={i} class="odd"><p class="where">{finding.place}</p><p>{finding.what}</p><p class="note">{finding.remedy}</p></li>
            ))}
          </ul>
        )}
      </Panel>
      <Panel title={W.newRobot.arms}>
        {report.arms.length === 0 ? <p>{W.newRobot.noArms}</p> : (
          <ul class="report-list">
            {report.arms.map((arm) => (
              <li key={arm.name}><strong>{arm.name}</strong> {W.newRobot.arm(arm.base, arm.tip)}<p class="note">{arm.joints.join(', ')}</p>{arm.tools.length > 0 && <p class="note">{W.newRobot.tool}: {arm.tools.join(', ')}</p>}</li>
            ))}
          </ul>
        )}
      </Panel>
      <Joints joints={report.joints} />
    </div>
  );
}

export function HowToStart({ command }: { command: string }) {
  const copy = () => void navigator.clipboard?.writeText(command).then(() => say('info', W.setup.copied), () => undefined);
  return (
    <Panel title={W.newRobot.startTitle}>
      <p>{W.newRobot.startText}</p>
      <div class="program-line"><code tabIndex={0}>{command}</code><Button onClick={copy}>{W.setup.copy}</Button></div>
    </Panel>
  );
}

function rangeText(joint: NewJoint, inUse: Units): string {
  if (joint.lower === null || joint.upper === null) return W.newRobot.noEnd;
  const kind: Kind = joint.kind === 'prismatic' ? 'length' : 'angle';
  return `${shown(kind, joint.lower, inUse)} … ${shown(kind, joint.upper, inUse)} ${symbol(kind, inUse)}`;
}

function Joints({ joints }: { joints: NewJoint[] }) {
  const inUse = useSignal(units);
  return (
    <Panel title={W.newRobot.joints}>
      <div class="table-scroll" tabIndex={0}>
        <table class="plain">
          <thead><tr><th scope="col">{W.setup.joint}</th><th scope="col">{W.newRobot.kind}</th><th scope="col">{W.newRobot.range}</th><th scope="col">{W.newRobot.fastest}</th></tr></thead>
          <tbody>
            {joints.map((joint) => {
              const kind: Kind = joint.kind === 'prismatic' ? 'length' : 'angle';
              return (
                <tr key={joint.name}>
                  <th scope="row" class="strong">{joint.name}</th><td>{joint.kind}</td><td>{rangeText(joint, inUse)}</td>
                  <td>{joint.velocity === null ? '–' : `${shown(kind, joint.velocity, inUse)} ${symbol(kind, inUse)}/s`}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

// SPDX-License-Identifier: BSD-3-Clause
import { say } from '../../notices';
import { W } from '../../text';
import { Button } from '../../ui/parts';

/** The result as a line that a program can begin with, in millimetres and degrees. */
export function ProgramLine({ line }: { line: string }) {
  const copy = () => void navigator.clipboard?.writeText(line).then(() => say('info', W.setup.copied), () => undefined);
  return (
    <div class="program-line">
      <span class="label">{W.setup.line}</span>
      <code>{line}</code>
      <Button onClick={copy}>{W.setup.copy}</Button>
    </div>
  );
}

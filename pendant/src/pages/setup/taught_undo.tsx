// SPDX-License-Identifier: BSD-3-Clause
import { rest } from '../../link/rest';
import { attempt, taughtSteps } from '../../robot';
import { useSelected } from '../../store';
import { W } from '../../text';
import { Button } from '../../ui/parts';

/** Takes back, and does again, what anybody has changed of the taught tools or frames: the robot keeps it, so every browser can. */
export function TaughtUndo({ kind, mayTeach }: { kind: 'tools' | 'frames'; mayTeach: boolean }) {
  const [undo, redo] = useSelected(taughtSteps, (all) => [all[kind].undo, all[kind].redo]) as [number, number];
  const step = (verb: 'undo' | 'redo') => void attempt(() => rest.post(`/api/${kind}/${verb}`));
  return (
    <>
      <Button kind="quiet" icon="undo" label={W.undo} disabled={!mayTeach || undo === 0} onClick={() => step('undo')} />
      <Button kind="quiet" icon="redo" label={W.redo} disabled={!mayTeach || redo === 0} onClick={() => step('redo')} />
    </>
  );
}

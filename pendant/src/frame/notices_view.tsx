// SPDX-License-Identifier: BSD-3-Clause
import { notices, putAway } from '../notices';
import { useSignal } from '../store';
import { W } from '../text';
import { Icon } from '../ui/icons';

export function NoticesView() {
  const all = useSignal(notices);
  return (
    <div class="notices" role="log" aria-live="assertive">
      {all.map((notice) => (
        <div key={notice.number} class={`notice ${notice.kind}`}>
          {notice.kind !== 'info' && <Icon name="warn" />}
          <span>{notice.text}{notice.count > 1 ? ` (${notice.count})` : ''}</span>
          <button type="button" aria-label={W.close} onClick={() => putAway(notice.number)}><Icon name="close" size={20} /></button>
        </div>
      ))}
    </div>
  );
}

// SPDX-License-Identifier: BSD-3-Clause
// Files that are dropped on the page: a browser would leave the page and open them, in mid-motion too. They are taken for a new
// robot instead.
import { session } from '../robot';
import { goTo } from '../route';
import { signal } from '../store';

/** What was dropped and not yet taken. */
export const dropped = signal<(File | FileSystemEntry)[]>([]);
/** Whether files hover over the page. */
export const isHovering = signal(false);

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') === true;
}

/** Must be asked while the event lasts; entries know their folders, files do not. */
function filesOf(data: DataTransfer): (File | FileSystemEntry)[] {
  const entries = [...data.items].map((item) => (item.kind === 'file' ? item.webkitGetAsEntry() : null));
  return entries.length > 0 && entries.every((one) => one !== null) ? entries : [...data.files];
}

export function guardDrops(): void {
  let leaving: ReturnType<typeof setTimeout> | undefined;
  addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    isHovering.value = session.value?.user != null;
    clearTimeout(leaving);
    // dragover comes again and again; when it no longer does, they are gone
    leaving = setTimeout(() => (isHovering.value = false), 250);
  });
  addEventListener('drop', (event) => {
    isHovering.value = false;
    // the editor takes a text that is dropped on it
    if (!hasFiles(event) || !event.dataTransfer || event.defaultPrevented) return;
    event.preventDefault();
    if (session.value?.user == null) return;
    dropped.value = filesOf(event.dataTransfer);
    goTo('setup', 'robot');
  });
}

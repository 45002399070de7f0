// SPDX-License-Identifier: BSD-3-Clause
// The alarms that the server keeps, as far back as somebody has asked for.
import { alarmsFrom, type Alarm, type AlarmPage } from '../../link/alarms';
import { rest } from '../../link/rest';
import { attempt, live } from '../../robot';
import { signal } from '../../store';

const kAtOnce = 100;

export const history = signal<AlarmPage | null>(null);

async function fetchPage(before: number, limit: number): Promise<AlarmPage> {
  return alarmsFrom(await rest.get(`/api/alarms?before=${before}&limit=${limit}`));
}

/** From the newest back to at least `count` of them. */
async function fetchNewest(count: number): Promise<AlarmPage> {
  const first = await fetchPage(0, kAtOnce);
  let alarms: Alarm[] = first.alarms;
  let hasMore = first.has_more;
  while (hasMore && alarms.length < count) {
    const next = await fetchPage(alarms[alarms.length - 1]!.number, kAtOnce);
    alarms = [...alarms, ...next.alarms];
    hasMore = next.has_more;
  }
  return { alarms, has_more: hasMore, unacknowledged: first.unacknowledged, trouble: first.trouble };
}

let asked = 0;

export async function refresh(count = history.value?.alarms.length ?? 0): Promise<void> {
  const mine = ++asked;
  const found = await attempt(() => fetchNewest(count));
  // of several answers on their way the last one counts
  if (found && mine === asked) history.value = found;
}

export const showMore = () => refresh((history.value?.alarms.length ?? 0) + kAtOnce);

/** All that the server has. */
export const everything = () => attempt(async () => (await fetchNewest(Infinity)).alarms);

export const acknowledge = (which: { number: number } | { up_to: number }) => attempt(() => rest.post('/api/alarms/acknowledge', which));

/** Keeps the list as the server has it while it is shown. */
export function follow(): () => void {
  let seen = live.value?.alarms;
  void refresh();
  return live.subscribe((now) => {
    if (now === null || now.alarms === seen) return;
    seen = now.alarms;
    void refresh();
  });
}

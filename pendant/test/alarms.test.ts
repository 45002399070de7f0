// SPDX-License-Identifier: BSD-3-Clause
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alarmsFrom, alarmTable, chosen, csvCell } from '../src/link/alarms';

const told = { number: 3, time: 10, level: 'alarm', state: 'stopped', reason: 'requested', text: 'stopped: ada asked for it', who: 'ada', count: 1, cleared: null };

test('alarms are read, and what is missing is nothing', () => {
  const page = alarmsFrom({ alarms: [told, {}], has_more: true, unacknowledged: 2 });
  assert.equal(page.alarms.length, 2);
  assert.equal(page.alarms[0]!.who, 'ada');
  assert.equal(page.alarms[0]!.cleared, null);
  assert.equal(page.alarms[1]!.recording, null);
  assert.equal(page.has_more, true);
  assert.deepEqual(alarmsFrom(null).alarms, []);
});

test('a filter wants all of its words, anywhere', () => {
  const { alarms } = alarmsFrom({ alarms: [told, { ...told, number: 2, text: 'held: wrist near table', who: null }] });
  const shown = (alarm: { text: string }) => [alarm.text];
  assert.deepEqual(chosen(alarms, ' ADA  stopped', shown).map((one) => one.number), [3]);
  assert.deepEqual(chosen(alarms, '', shown).length, 2);
  assert.deepEqual(chosen(alarms, 'ada table', shown), []);
});

test('a table for other programs quotes what it must and holds no formula', () => {
  assert.equal(csvCell('a,"b"'), '"a,""b"""');
  assert.equal(csvCell('=1+1'), "'=1+1");
  const table = alarmTable(alarmsFrom({ alarms: [told] }).alarms, () => ['why, so', 'do']);
  const [head, row, end] = table.split('\r\n');
  assert.match(head!, /^number,time,level/);
  assert.match(row!, /^3,1970-01-01T00:00:10.000Z,alarm,stopped,requested,stopped: ada asked for it,"why, so",do,ada,1,,,,$/);
  assert.equal(end, '');
});

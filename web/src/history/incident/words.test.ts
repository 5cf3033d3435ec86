import { expect, test } from 'vitest';
import { rangeOf, readIncidentSearch } from './search.ts';
import {
  countedText,
  distanceText,
  type IncidentChange,
  reachText,
  turnOf,
  turnText,
} from './words.ts';

const change = (more: Partial<IncidentChange>): IncidentChange => ({
  kind: 'feature',
  name: 'a',
  project: 'default',
  before: null,
  after: null,
  evaluations: null,
  features: [],
  eventIds: [],
  ...more,
});

test('the incident view says how long before or after the incident a change was made', () => {
  const at = '2026-11-17T14:00:00Z';
  expect(distanceText('2026-11-17T13:58:10Z', at)).toBe('2 min before');
  expect(distanceText('2026-11-17T15:05:00Z', at)).toBe('1 h 5 min after');
  expect(distanceText('2026-11-17T16:00:00Z', at)).toBe('2 h after');
  expect(distanceText('2026-11-17T14:00:20Z', at)).toBe('at that time');
});

test('the incident view says what was enabled and disabled', () => {
  const turns = [
    change({ before: 'disabled', after: 'enabled' }),
    change({ before: 'enabled', after: 'archived' }),
    change({ before: null, after: 'disabled' }),
    change({ before: 'enabled', after: null }),
    change({ before: 'enabled', after: 'enabled' }),
  ];
  expect(turns.map((each) => [turnText(each), turnOf(each)])).toEqual([
    ['Disabled → Enabled', 'enabled'],
    ['Enabled → Archived', 'disabled'],
    ['Not created → Disabled', 'changed'],
    ['Enabled → Deleted', 'disabled'],
    [undefined, 'changed'],
  ]);
});

test('a feature is shown as not evaluated only if its evaluations are known', () => {
  expect([null, 0, 1, 12_400].map((evaluations) => reachText(change({ evaluations })))).toEqual([
    undefined,
    'Not evaluated',
    '1 evaluation',
    '12,400 evaluations',
  ]);
});

test('the hours whose evaluations are counted have dates if they are on different days', () => {
  const hours = (evaluationsFrom: string, evaluationsTo: string) =>
    countedText({ evaluationsFrom, evaluationsTo }).replaceAll('\u202f', ' ');
  expect(hours('2026-11-17T13:00:00', '2026-11-17T15:00:00')).toBe(
    'Most evaluated first, from 1:00 PM to 3:00 PM',
  );
  expect(hours('2026-11-16T13:00:00', '2026-11-17T15:00:00')).toBe(
    'Most evaluated first, from Nov 16, 2026, 1:00 PM to Nov 17, 2026, 3:00 PM',
  );
});

test('the search parameters of an incident are read, and invalid ones are ignored', () => {
  const whole = {
    at: '2026-11-17T14:00:00Z',
    environment: 'production',
    window: 60,
    project: 'web-shop',
  };
  expect(readIncidentSearch(whole)).toEqual(whole);
  expect(readIncidentSearch({ at: 17, window: 7, environment: '' })).toEqual({});
  expect(rangeOf('2026-11-17T14:00:00Z', 30)).toEqual({
    from: '2026-11-17T13:30:00.000Z',
    to: '2026-11-17T14:30:00.000Z',
  });
});

import { expect, test } from 'vitest';
import { readCalendarSearch } from './calendar-search.ts';

test('the filters of the calendar are read from the URL, and invalid ones are ignored', () => {
  const search = { when: 'past', project: 'shop', feature: 7, state: 'failed' };
  expect(readCalendarSearch(search)).toEqual({ ...search, feature: '7' });
  expect(
    readCalendarSearch({ when: 'soon', project: '', environment: ['x'], state: 'lost', more: 1 }),
  ).toEqual({});
});

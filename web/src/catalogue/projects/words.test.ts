import { describe, expect, test } from 'vitest';
import { chosenProjects, type ListedProject, readProjectListSearch } from './list-search.ts';
import { comparedText, daysText, healthReason, modeOf } from './words.ts';

describe('the health summary', () => {
  test.each([
    [{ features: 0, stale: 0, potentiallyStale: 0 }, 'No features yet'],
    [{ features: 3, stale: 0, potentiallyStale: 0 }, 'Nothing to clean up'],
    [{ features: 1, stale: 1, potentiallyStale: 0 }, '1 of 1 feature needs cleanup (1 stale)'],
    [
      { features: 15, stale: 1, potentiallyStale: 8 },
      '9 of 15 features need cleanup (1 stale, 8 potentially stale)',
    ],
  ])('describes %j', (counts, sentence) => {
    expect(healthReason(counts)).toBe(sentence);
  });
});

describe('the figures of a project', () => {
  test.each([
    [7, 4, '+3 vs. previous 30 days'],
    [0, 44, '−44 vs. previous 30 days'],
    [1_500, 0, '+1,500 vs. previous 30 days'],
    [5, 5, 'Same as previous 30 days'],
  ])('compare %i with %i before as "%s"', (current, previous, text) => {
    expect(comparedText(current, previous)).toBe(text);
  });

  test.each([
    [1, '1 day'],
    [1.04, '1 day'],
    [2.46, '2.5 days'],
    [0.5, '0.5 days'],
  ])('show %f days as "%s"', (days, text) => {
    expect(daysText(days)).toBe(text);
  });
});

test('a project mode is shown by its name', () => {
  expect(modeOf('protected').label).toBe('Protected');
});

const project = (id: string, more: Partial<ListedProject> = {}): ListedProject =>
  ({ id, name: id, favorite: false, health: 100, owners: [], ...more }) as ListedProject;

describe('the list of projects', () => {
  const all = [
    project('web', { health: 40, description: 'The shop' }),
    project('app', { health: 90 }),
    project('zoo', { health: 70, favorite: true }),
  ];

  test('shows favorites first, and is then sorted by name', () => {
    expect(chosenProjects(all, {}).map(({ id }) => id)).toEqual(['zoo', 'app', 'web']);
  });

  test('is sorted as the search parameters say', () => {
    const sorted = chosenProjects(all, { sortBy: 'health', sortOrder: 'desc' });
    expect(sorted.map(({ id }) => id)).toEqual(['zoo', 'app', 'web']);
  });

  test('is filtered by every word of the search, also in descriptions', () => {
    expect(chosenProjects(all, { query: 'SHOP we' }).map(({ id }) => id)).toEqual(['web']);
  });

  test('ignores invalid search parameters', () => {
    expect(readProjectListSearch({ query: 42, sortBy: 'size', archived: 'yes' })).toEqual({
      query: '42',
    });
  });
});

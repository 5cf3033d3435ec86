import { describe, expect, test } from 'vitest';
import { chosenProjects, type ListedProject, readProjectListSearch } from './list-search.ts';
import { healthReason } from './words.ts';

describe('the health summary', () => {
  test.each([
    [{ features: 0, stale: 0, potentiallyStale: 0 }, 'There are no features yet.'],
    [{ features: 3, stale: 0, potentiallyStale: 0 }, 'No feature is stale or past its lifetime.'],
    [{ features: 1, stale: 1, potentiallyStale: 0 }, '1 of 1 feature should go: 1 marked stale.'],
    [
      { features: 15, stale: 1, potentiallyStale: 8 },
      '9 of 15 features should go: 1 marked stale, 8 past the lifetime of their type.',
    ],
  ])('describes %j', (counts, sentence) => {
    expect(healthReason(counts)).toBe(sentence);
  });
});

const project = (id: string, more: Partial<ListedProject> = {}): ListedProject =>
  ({ id, name: id, favorite: false, health: 100, owners: [], ...more }) as ListedProject;

describe('the list of projects', () => {
  const all = [
    project('web', { health: 40, description: 'The shop' }),
    project('app', { health: 90 }),
    project('zoo', { health: 70, favorite: true }),
  ];

  test('lists favorites first, then sorts by name', () => {
    expect(chosenProjects(all, {}).map(({ id }) => id)).toEqual(['zoo', 'app', 'web']);
  });

  test('is sorted as the search parameters say', () => {
    const sorted = chosenProjects(all, { sortBy: 'health', sortOrder: 'desc' });
    expect(sorted.map(({ id }) => id)).toEqual(['zoo', 'app', 'web']);
  });

  test('matches every word, also in descriptions', () => {
    expect(chosenProjects(all, { query: 'SHOP we' }).map(({ id }) => id)).toEqual(['web']);
  });

  test('ignores invalid search parameters', () => {
    expect(readProjectListSearch({ query: 42, sortBy: 'size', archived: 'yes' })).toEqual({
      query: '42',
    });
  });
});

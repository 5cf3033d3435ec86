import { expect, test } from 'vitest';
import { budgetWords, exceededWords, type Week, weekFigure, weekOf, weekWords } from './week.ts';

const aWeekAgo = {
  project: 'shop',
  date: '2026-11-09',
  week: '2026-46',
  health: 75,
  total: 10,
  stale: 2,
  potentiallyStale: 1,
  active: 7,
};

test('a project is compared with a week ago if it existed then', () => {
  const project = {
    health: 70,
    featureCount: 12,
    staleFeatureCount: 3,
    potentiallyStaleFeatureCount: 1,
  };
  expect(weekOf(project, aWeekAgo)).toEqual({ health: -5, features: 2, due: 1 });
  expect(weekOf(project, undefined)).toBeUndefined();
});

test.each([
  [{ health: -5, features: 2, due: 1 }, '−5 health, +2 features, +1 to clean up'],
  [{ health: 0, features: -1, due: 0 }, '−1 feature'],
  [{ health: 0, features: 0, due: 0 }, 'No change'],
  [undefined, 'No data from last week'],
])('the changes of a week %j are described as "%s"', (week, words) => {
  expect(weekWords(week)).toBe(words);
});

test('the figure of the week says "No change" only once', () => {
  const changedBy = (health: number): Week => ({ health, features: 0, due: 0 });
  expect(weekFigure([changedBy(0), undefined])).toEqual({
    value: 'No change',
    note: 'vs. last week',
  });
  expect(weekFigure([undefined, undefined])).toEqual({
    value: '–',
    note: 'No data from last week',
  });
  expect(weekFigure([changedBy(3), changedBy(0), changedBy(1), changedBy(-2)])).toEqual({
    value: '2 ▲ 1 ▼',
    note: '2 improved, 1 declined vs. last week',
  });
});

test('a project lists the limits it exceeds', () => {
  type Project = Parameters<typeof exceededWords>[0];
  const project = {
    health: 70,
    staleFeatureCount: 2,
    potentiallyStaleFeatureCount: 2,
    budget: { maxStale: 3, minHealth: 70 },
  } as Project;
  expect(exceededWords(project)).toEqual(['4 to clean up (max 3)']);
  expect(exceededWords({ ...project, budget: { maxStale: 4, minHealth: 71 } })).toEqual([
    'health 70% (min 71%)',
  ]);
  expect(budgetWords({ maxStale: 3, minHealth: 70 })).toBe('max 3 to clean up, min health 70%');
  expect(budgetWords({ maxStale: null, minHealth: null })).toBeUndefined();
});

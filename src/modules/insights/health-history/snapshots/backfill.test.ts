import { expect, test } from 'vitest';
import { presentOf, storedPresent } from './backfill.ts';

test('a backfill continues with the state that version 0.2.0 stored', () => {
  const feature = {
    project: 'default',
    type: 'release',
    stale: false,
    createdAt: 1_762_000_000_000,
    review: null,
  };
  const stored = JSON.parse(
    JSON.stringify({
      living: [['dark-mode', feature]],
      archived: [['old', feature]],
      lifetimes: [['release', 40]],
      archivedProjects: ['closed'],
    }),
  );
  const present = presentOf(stored);
  expect(present.active.get('dark-mode')).toEqual(feature);
  expect(storedPresent(present)).toEqual(stored);
});

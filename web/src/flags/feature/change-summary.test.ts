import { expect, test } from 'vitest';
import { changeSummary } from './change-summary.ts';

test('the save bar counts changes by environment, and dependencies for themselves', () => {
  const changes = [
    { environment: 'development' },
    { environment: 'production' },
    { environment: 'production' },
    {},
  ];
  expect(changeSummary(changes)).toBe('development 1, production 2, dependencies 1');
});

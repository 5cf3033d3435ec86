import { expect, test } from 'vitest';
import { changeSummary, productionWarning } from './change-summary.ts';

test('the save bar counts changes by environment, and dependencies separately', () => {
  const changes = [
    { environment: 'development' },
    { environment: 'production' },
    { environment: 'production' },
    {},
  ];
  expect(changeSummary(changes)).toBe('development 1, production 2, dependencies 1');
});

test.each([
  ['development', undefined],
  ['eu-live', 'Enabled in eu-live. Changes take effect immediately.'],
  // Not enabled there.
  ['us-live', undefined],
  // A dependency.
  [undefined, 'Enabled in eu-live. Changes take effect immediately.'],
])('a change in %s warns about enabled production environments', (environment, warning) => {
  const environments = [
    { name: 'development', type: 'development', enabled: true },
    { name: 'eu-live', type: 'production', enabled: true },
    { name: 'us-live', type: 'production', enabled: false },
  ];
  const change = environment === undefined ? {} : { environment };
  expect(productionWarning([change], environments)).toBe(warning);
});

import { expect, test } from 'vitest';
import { affectedInProduction, changeSummary } from './change-summary.ts';

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
  ['development', []],
  ['eu-live', ['eu-live']],
  // Not enabled there.
  ['us-live', []],
  // A dependency.
  [undefined, ['eu-live']],
])(
  'a change in environment %s affects the enabled production environments %j',
  (environment, affected) => {
    const environments = [
      { name: 'development', type: 'development', enabled: true },
      { name: 'eu-live', type: 'production', enabled: true },
      { name: 'us-live', type: 'production', enabled: false },
    ];
    const change = environment === undefined ? {} : { environment };
    expect(affectedInProduction([change], environments).map(({ name }) => name)).toEqual(affected);
  },
);

import { expect, test } from 'vitest';
import { createRegistrations } from './registrations.ts';

const scope = { environment: 'development', projects: 'all' } as const;
const seen = {
  ...{ scope, appName: 'shop', instanceId: 'one', isPublic: false, ip: null, seenMs: 0 },
  ...{ sdkVersion: null, sdkType: null, specVersion: null, strategies: null },
};
const registered = { ...seen, sdkVersion: 'sdk:1', strategies: ['default'] };

test('a report of usage keeps the registration of its instance', () => {
  const registrations = createRegistrations();
  registrations.remember(registered);
  registrations.remember(seen);
  expect(registrations.complete(seen)).toEqual(registered);
});

test('a registration with a public token does not replace that of a backend', () => {
  const registrations = createRegistrations();
  registrations.remember(registered);
  const invented = { ...registered, isPublic: true, sdkVersion: 'invented:1' };
  registrations.remember(invented);
  expect(registrations.complete(seen)).toEqual(registered);
  expect(registrations.complete({ ...seen, isPublic: true })).toEqual(invented);
  for (let nth = 0; nth < 6_000; nth += 1)
    registrations.remember({ ...invented, instanceId: `invented-${nth}` });
  expect(registrations.complete(seen)).toEqual(registered);
  expect(registrations.list().length).toBe(1_001);
});

test('long registrations are forgotten earlier than short ones, the oldest first', () => {
  const registrations = createRegistrations();
  const strategies = ['x'.repeat(1_500)];
  for (let nth = 0; nth < 5_000; nth += 1)
    registrations.remember({ ...registered, instanceId: `one-${nth}`, strategies });
  const text = JSON.stringify(registrations.list());
  expect(text.length).toBeLessThan(2_100_000);
  expect(text.length).toBeGreaterThan(1_900_000);
  expect(text).toContain('"one-4999"');
  expect(text).not.toContain('"one-0"');
});

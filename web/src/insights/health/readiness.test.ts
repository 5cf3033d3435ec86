import { expect, test } from 'vitest';
import { conclusionOf, cutText, progressOf, readinessOf } from './readiness.ts';

type RemovalFacts = Parameters<typeof readinessOf>[0];
type Environment = RemovalFacts['feature']['environments'][number];
type Strategy = Environment['strategies'][number];

const strategy = (more: Partial<Strategy> = {}) =>
  ({
    name: 'flexibleRollout',
    parameters: { rollout: '100' },
    constraints: [],
    segments: [],
    variants: [],
    disabled: false,
    ...more,
  }) as unknown as Strategy;

const production = (more: Partial<Environment> = {}) =>
  ({
    name: 'production',
    type: 'production',
    enabled: true,
    strategies: [strategy()],
    variants: [],
    ...more,
  }) as unknown as Environment;

const known = (
  feature: Partial<RemovalFacts['feature']> = {},
  more: Partial<RemovalFacts> = {},
): RemovalFacts => ({
  feature: {
    environments: [production()],
    children: [],
    lifecycle: { stage: 'completed', status: 'kept', enteredStageAt: '2026-01-01T00:00:00.000Z' },
    ...feature,
  },
  applications: ['shop'],
  code: { scans: [{ repository: 'shop', commit: null, scannedAt: '', references: 0 }], total: 0 },
  now: new Date('2026-11-16T12:00:00Z'),
  since: () => 'a while ago',
  ...more,
});

const statesOf = (given: RemovalFacts) =>
  Object.fromEntries(readinessOf(given).map(({ id, state }) => [id, state]));

test('a feature can be archived if it is decided, the same for all, unused, gone from code and has no dependencies', () => {
  const steps = readinessOf(known());
  expect(steps.every(({ state }) => state === 'done')).toBe(true);
  expect(conclusionOf(steps)).toBe('Ready to archive');
});

test.each<[string, Environment, 'done' | 'open']>([
  ['disabled', production({ enabled: false }), 'done'],
  ['enabled for everyone', production(), 'done'],
  [
    'a rollout of 50%',
    production({ strategies: [strategy({ parameters: { rollout: '50' } })] }),
    'open',
  ],
  [
    'a segment and everyone',
    production({ strategies: [strategy({ segments: [1] }), strategy()] }),
    'done',
  ],
  ['one segment', production({ strategies: [strategy({ segments: [1] })] }), 'open'],
  ['variants', production({ variants: [{ name: 'a' }] as Environment['variants'] }), 'open'],
  ['everyone, but disabled', production({ strategies: [strategy({ disabled: true })] }), 'done'],
])('the step "same for all users" takes into account: %s', (_words, environment, state) => {
  expect(statesOf(known({ environments: [environment] })).same).toBe(state);
});

test('the step "same for all users" is open if two production environments differ', () => {
  const environments = [production(), production({ name: 'eu', enabled: false })];
  expect(statesOf(known({ environments })).same).toBe('open');
});

test.each([
  ['2026-11-15T12:00:00.000Z', 'open'],
  ['2026-10-18T12:00:00.000Z', 'open'],
  ['2026-10-17T12:00:00.000Z', 'done'],
])('for a feature last seen at %s, the usage step is %s', (lastSeenAt, state) => {
  expect(statesOf(known({ environments: [production({ lastSeenAt })] })).unasked).toBe(state);
});

test('completed steps and blockers are counted, and unknown steps are mentioned', () => {
  const open = readinessOf(known({ children: ['child'] }, { code: { scans: [], total: 0 } }));
  expect(open.filter(({ state }) => state !== 'done').map(({ id }) => id)).toEqual([
    'code',
    'alone',
  ]);
  expect(progressOf(open)).toBe('3 of 5 done');
  expect(conclusionOf(open)).toBe('1 blocker left');
  expect(conclusionOf(readinessOf(known({}, { code: { scans: [], total: 0 } })))).toBe(
    'No known blockers',
  );
});

test('a truncated list of code references says so', () => {
  expect(cutText(50, 1212)).toBe('Showing 50 of 1,212');
  expect(cutText(50, 50)).toBeUndefined();
});

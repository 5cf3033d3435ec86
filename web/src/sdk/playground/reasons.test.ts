import { describe, expect, test } from 'vitest';
import { type ExplainedDecision, type Reason, reasonsOf } from './reasons.ts';

type Strategy = ExplainedDecision['strategies']['data'][number];

const strategy = (more: Partial<Strategy>): Strategy => ({
  id: 's1',
  name: 'flexibleRollout',
  disabled: false,
  parameters: {},
  constraints: [],
  segments: [],
  condition: { kind: 'everybody', result: true },
  result: { enabled: true, evaluationStatus: 'complete' },
  explanation: '',
  links: { edit: '' },
  ...more,
});

const decision = (more: Partial<ExplainedDecision>): ExplainedDecision => ({
  name: 'sale',
  projectId: 'shop',
  environment: 'production',
  context: {},
  isEnabled: true,
  isEnabledInCurrentEnvironment: true,
  hasUnsatisfiedDependency: false,
  parentDependencies: [],
  strategies: { result: true, data: [] },
  variant: null,
  variants: [],
  reason: 'no-strategies',
  explanation: '',
  ...more,
});

/** The tree as text, each reason after its parent. */
const linesOf = (reasons: readonly Reason[], depth = 0): string[] =>
  reasons.flatMap(({ verdict, words, note, reasons: inner }) => [
    `${'  '.repeat(depth)}${verdict}: ${words}${note === undefined ? '' : `; ${note}`}`,
    ...linesOf(inner, depth + 1),
  ]);

const country = {
  contextName: 'country',
  operator: 'IN' as const,
  values: ['DK', 'SE'],
  inverted: false,
  caseInsensitive: false,
};

describe('the explanation of a decision', () => {
  test('covers a feature without strategies', () => {
    expect(linesOf(reasonsOf(decision({})))).toEqual([
      'passed: It is switched on in production',
      'passed: It has no strategies: it is on for everybody',
    ]);
  });

  test('lists each strategy with its constraints, segments and rollout', () => {
    const data = [
      strategy({
        title: 'Nordics',
        constraints: [{ ...country, actual: 'DE', result: false }],
        segments: [
          { id: 3, name: 'Staff', result: false, constraints: [{ ...country, result: false }] },
        ],
        condition: {
          ...{ kind: 'rollout', result: false, percentage: 10, stickiness: 'userId' },
          ...{ field: 'userId', value: '7', bucket: 42 },
        },
        result: { enabled: false, evaluationStatus: 'complete' },
      }),
      strategy({ name: 'default', disabled: true }),
    ];
    const lines = linesOf(
      reasonsOf(decision({ isEnabled: false, strategies: { result: false, data } })),
    );
    expect(lines).toEqual([
      'passed: It is switched on in production',
      'failed: One of its 2 strategies matches',
      '  failed: Nordics (flexibleRollout)',
      '    failed: country is DK or SE; it is “DE”',
      '    failed: in the segment “Staff”',
      '      failed: country is DK or SE; the context has no country',
      '    failed: for 10% of those; userId “7” is in bucket 42 of 100',
      '  skipped: default; it is disabled',
      '    passed: for everybody',
    ]);
  });

  test.each([
    [
      { kind: 'users', result: false, userIds: ['1', '2'], userId: '7' },
      'failed: for 2 listed users; userId “7” is not among them',
    ],
    [
      { kind: 'addresses', result: false, addresses: ['10.0.0.1'] },
      'failed: for 1 listed address; the context has no remoteAddress',
    ],
    [
      { kind: 'rollout', result: true, percentage: 50, bucket: 3, byChance: true },
      'passed: for 50% of those; a random choice gave bucket 3 of 100; the next one may differ',
    ],
    [
      { kind: 'rollout', result: false, percentage: 50, stickiness: 'tenant' },
      'failed: for 50% of those; the context has no value for the stickiness tenant',
    ],
    [
      { kind: 'custom', result: 'unknown' },
      'unknown: as its type decides; only applications can evaluate it',
    ],
  ] as const)('describes the condition %j', (condition, line) => {
    const data = [strategy({ condition: condition as unknown as Strategy['condition'] })];
    const lines = linesOf(reasonsOf(decision({ strategies: { result: true, data } })));
    expect(lines.at(-1)?.trim()).toBe(line);
  });

  test('lists the parents', () => {
    const parentDependencies: ExplainedDecision['parentDependencies'] = [
      {
        ...{ feature: 'shop-v2', enabled: true, variants: ['blue'] },
        ...{ actual: { enabled: true, variant: 'red' }, reason: 'other-variant', result: false },
      },
      { enabled: true, reason: 'missing', result: false },
    ];
    const lines = linesOf(
      reasonsOf(decision({ parentDependencies, hasUnsatisfiedDependency: true })),
    );
    expect(lines.slice(1, 4)).toEqual([
      'failed: Its parents are as it requires',
      '  failed: shop-v2 is on with the variant blue; it is on with the variant red',
      '  failed: a feature that does not exist, or that you cannot see',
    ]);
  });

  test('describes the variant', () => {
    const variant = { name: 'blue', enabled: true };
    const choice = { stickiness: 'userId', group: 'sale', totalWeight: 1000, byChance: false };
    const lineOf = (variantChoice: ExplainedDecision['variantChoice']) =>
      linesOf(reasonsOf(decision({ variant, ...(variantChoice && { variantChoice }) }))).at(-1);
    expect(lineOf({ ...choice, field: 'userId', value: '7', bucket: 5, from: 1, to: 500 })).toBe(
      'passed: It gets the variant “blue”; userId “7” is in bucket 5 of 1000; the variant has 1 to 500',
    );
    expect(lineOf({ ...choice, override: { contextName: 'userId', value: '7' } })).toBe(
      'passed: It gets the variant “blue”; assigned to userId “7”',
    );
  });
});

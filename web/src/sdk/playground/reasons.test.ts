import { describe, expect, test } from 'vitest';
import { type ExplainedDecision, outcomeOf, type Reason, reasonsOf } from './reasons.ts';

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
      'passed: Enabled in production',
      'passed: No strategies: enabled for everyone',
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
      'passed: Enabled in production',
      'failed: At least one of 2 strategies matches',
      '  failed: Nordics (flexibleRollout)',
      '    failed: country is DK or SE; Actual: “DE”',
      '    failed: Segment “Staff”',
      '      failed: country is DK or SE; Not in context',
      '    failed: Rollout 10%; userId “7”: bucket 42 > 10%',
      '  skipped: default; Disabled',
      '    passed: Everyone',
    ]);
  });

  test.each([
    [
      { kind: 'users', result: false, userIds: ['1', '2'], userId: '7' },
      "failed: User is on the list (2); userId “7” isn't on the list",
    ],
    [
      { kind: 'addresses', result: false, addresses: ['10.0.0.1'] },
      'failed: IP address is on the list (1); No remoteAddress in context',
    ],
    [
      { kind: 'rollout', result: true, percentage: 50, bucket: 3, byChance: true },
      'passed: Rollout 50%; Random bucket 3 ≤ 50%; may differ next time',
    ],
    [
      { kind: 'rollout', result: false, percentage: 50, stickiness: 'tenant' },
      'failed: Rollout 50%; No value for stickiness tenant in context',
    ],
    [
      { kind: 'custom', result: 'unknown' },
      'unknown: Custom strategy; Only the application can evaluate this',
    ],
  ] as const)('describes the condition %j', (condition, line) => {
    const data = [strategy({ condition: condition as unknown as Strategy['condition'] })];
    const lines = linesOf(reasonsOf(decision({ strategies: { result: true, data } })));
    expect(lines.at(-1)?.trim()).toBe(line);
  });

  test('lists the parents of the feature', () => {
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
      'failed: Dependencies met',
      '  failed: shop-v2 is enabled with variant blue; Actual: enabled with variant red',
      "  failed: Parent doesn't exist or you don't have access to it",
    ]);
  });

  test('describes how the variant was chosen', () => {
    const variant = { name: 'blue', enabled: true };
    const choice = { stickiness: 'userId', group: 'sale', totalWeight: 1000, byChance: false };
    const lineOf = (variantChoice: ExplainedDecision['variantChoice']) =>
      linesOf(reasonsOf(decision({ variant, ...(variantChoice && { variantChoice }) }))).at(-1);
    expect(lineOf({ ...choice, field: 'userId', value: '7', bucket: 5, from: 1, to: 500 })).toBe(
      'passed: Variant “blue”; userId “7”: bucket 5, variant range 1–500 of 1000',
    );
    expect(lineOf({ ...choice, override: { contextName: 'userId', value: '7' } })).toBe(
      'passed: Variant “blue”; Override for userId “7”',
    );
  });
});

test('the drawer shows the same result as the list: unknown if only the application can decide', () => {
  const explained = decision({ isEnabled: false, reason: 'no-strategy-holds' });
  const outcome = { isEnabled: false, reason: 'no-strategy-holds', explanation: '' };
  expect(outcomeOf(explained, { isUnknown: true })).toEqual({ ...outcome, isUnknown: true });
  expect(outcomeOf(explained)).toEqual(outcome);
});

import { expect, test } from 'vitest';
import type { ExplainedDecision } from '../../sdk/playground/reasons.ts';
import { decisionWords } from './decision-words.ts';

const strategy = {
  id: '1',
  name: 'flexibleRollout',
  disabled: false,
  parameters: { rollout: '25', stickiness: 'default' },
  constraints: [],
  segments: [],
  condition: { kind: 'rollout', result: false },
  result: { enabled: false, evaluationStatus: 'complete' },
  explanation: "Doesn't match: userId “7” is in bucket 63 > 25%.",
  links: { edit: '' },
} as const;

const decision = {
  name: 'a',
  projectId: 'default',
  environment: 'production',
  isEnabled: false,
  isEnabledInCurrentEnvironment: true,
  hasUnsatisfiedDependency: false,
  parentDependencies: [],
  strategies: { result: false, data: [strategy] },
  variant: null,
  variants: [],
  reason: 'no-strategy-holds',
  explanation: "Strategy “flexibleRollout” doesn't match: …",
  context: {},
} as unknown as ExplainedDecision;

test('an explained strategy has the name on its card, and its explanation is not repeated', () => {
  expect(decisionWords(decision)).toEqual({
    whole: [],
    isHypothetical: false,
    strategies: ["“25% of everyone” doesn't match: userId “7” is in bucket 63 > 25%."],
  });
});

test('an explained strategy is named by its title, otherwise by its segment', () => {
  const segments = [{ id: 7, name: 'Beta', constraints: [], result: false }];
  const data = [
    { ...strategy, segments },
    { ...strategy, title: 'Friends' },
  ];
  const { whole, strategies } = decisionWords({
    ...decision,
    explanation: 'None of the 2 strategies match.',
    strategies: { result: false, data },
  } as unknown as ExplainedDecision);
  expect(whole).toEqual(['None of the 2 strategies match.']);
  expect(strategies.map((words) => words.split('”')[0])).toEqual([
    '“25% of segment Beta',
    '“Friends',
  ]);
});

test('a disabled feature shows what its strategies would do', () => {
  const { whole, strategies, isHypothetical } = decisionWords({ ...decision, reason: 'off' });
  expect(whole).toEqual(['The feature is disabled in production.']);
  expect(isHypothetical).toBe(true);
  expect(strategies).toHaveLength(1);
});

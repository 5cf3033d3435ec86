import { expect, test } from 'vitest';
import { countViews, type FeatureDecisions, rowsOf, viewOf } from './results.ts';

const decision = (isEnabled: boolean, variant?: string) => ({
  isEnabled,
  ...(variant !== undefined && { variant }),
  reason: 'off' as const,
  explanation: '',
});

const feature = (
  name: string,
  environments: Record<string, ReturnType<typeof decision>[]>,
): FeatureDecisions => ({ name, projectId: 'p', environments });

const on = feature('on', {
  a: [decision(true), decision(true)],
  b: [decision(true), decision(true)],
});
const off = feature('off', { a: [decision(false), decision(false)] });
const mixed = feature('mixed', { a: [decision(true), decision(false)] });
const variants = feature('variants', { a: [decision(true, 'x'), decision(true, 'y')] });

test.each([
  [on, 'on'],
  [off, 'off'],
  [mixed, 'differ'],
  [variants, 'differ'],
])('a feature is classified over all environments and contexts: $name', (decided, view) => {
  expect(viewOf(decided)).toBe(view);
});

test('playground results count the features of each class', () => {
  expect(countViews([on, off, mixed, variants])).toEqual({ on: 1, off: 1, differ: 2 });
});

test('playground results have a row for each feature and context', () => {
  const contexts = [
    { of: 0, values: {} },
    { of: 1, values: {} },
  ];
  const rows = rowsOf({ features: [on, off], contexts }, undefined);
  expect(rows.map((row) => `${row.feature.name} ${row.context} ${row.isFirst}`)).toEqual([
    'on 0 true',
    'on 1 false',
    'off 0 true',
    'off 1 false',
  ]);
  expect(rowsOf({ features: [on, off], contexts }, 'off')).toHaveLength(2);
});

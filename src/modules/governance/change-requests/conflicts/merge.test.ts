import { expect, test } from 'vitest';
import type { Json } from '../../../events/index.ts';
import { mergeChange } from './merge.ts';

const variant = (name: string, more: object = {}) => ({
  name,
  weight: 500,
  weightType: 'variable',
  stickiness: 'default',
  ...more,
});

const strategy = (more: object = {}) => ({
  id: 'x',
  title: 'Some users',
  parameters: { rollout: '10', stickiness: 'default' },
  constraints: [],
  variants: [],
  ...more,
});

const parameters = (rollout: string, stickiness = 'default') => ({
  parameters: { rollout, stickiness },
});

const changes = (rollout: string, enabled = true) => ({
  changes: [
    { action: 'updateStrategy', environment: 'production', payload: strategy(parameters(rollout)) },
    { action: 'updateEnabled', environment: 'development', payload: { enabled } },
  ],
});

test.each<[string, string, [base: unknown, current: unknown, payload: unknown], unknown]>([
  [
    'properties of a strategy',
    'updateStrategy',
    [strategy(), strategy({ title: 'Theirs' }), strategy(parameters('50'))],
    { merged: strategy({ title: 'Theirs', ...parameters('50') }) },
  ],
  [
    'properties of properties',
    'updateStrategy',
    [strategy(), strategy(parameters('10', 'userId')), strategy(parameters('50'))],
    { merged: strategy(parameters('50', 'userId')) },
  ],
  [
    'the same property of a strategy',
    'updateStrategy',
    [strategy(), strategy(parameters('20')), strategy(parameters('50'))],
    {
      merged: strategy(parameters('50')),
      obstacle: 'Both sides changed rollout',
    },
  ],
  [
    'constraints that the update removes by leaving them out',
    'updateStrategy',
    [strategy(), strategy({ constraints: [{ contextName: 'a' }] }), { id: 'x', title: 'Mine' }],
    {
      merged: { id: 'x', title: 'Mine', constraints: [{ contextName: 'a' }], variants: [] },
    },
  ],
  [
    'a default strategy',
    'updateDefaultStrategy',
    [strategy(), strategy({ title: 'Theirs' }), strategy(parameters('50'))],
    { merged: strategy({ title: 'Theirs', ...parameters('50'), segments: [] }) },
  ],
  [
    'variants with different names',
    'patchVariant',
    [
      { variants: [variant('a')] },
      { variants: [variant('a'), variant('theirs')] },
      { variants: [variant('a'), variant('mine', { weight: 100 })] },
    ],
    {
      merged: {
        variants: ['a', 'mine', 'theirs'].map((name) => variant(name, { weight: 0 })),
      },
    },
  ],
  [
    'a variant that one side removed and the other changed',
    'patchVariant',
    [
      { variants: [variant('a'), variant('b')] },
      { variants: [variant('a', { stickiness: 'userId' }), variant('b')] },
      { variants: [variant('b')] },
    ],
    { merged: { variants: [variant('b', { weight: 0 })] }, obstacle: 'Both sides changed a' },
  ],
  [
    'an order without the strategy that was removed',
    'reorderStrategy',
    [
      ['a', 'b', 'c'],
      ['a', 'c', 'd'],
      [
        { id: 'c', sortOrder: 0 },
        { id: 'b', sortOrder: 1 },
        { id: 'a', sortOrder: 2 },
      ],
    ],
    {
      merged: [
        { id: 'c', sortOrder: 0 },
        { id: 'a', sortOrder: 2 },
      ],
    },
  ],
  [
    'an order that both changed',
    'reorderStrategy',
    [['a', 'b'], ['b', 'a'], [{ id: 'a', sortOrder: 0 }]],
    { merged: [{ id: 'a', sortOrder: 0 }], obstacle: 'Both sides changed the order' },
  ],
  [
    'each part of a change set',
    'saveFeatureChanges',
    [[strategy(), null], [strategy({ title: 'Theirs' }), null], changes('50')],
    {
      merged: {
        changes: [
          {
            action: 'updateStrategy',
            environment: 'production',
            payload: strategy({ title: 'Theirs', ...parameters('50') }),
          },
          { action: 'updateEnabled', environment: 'development', payload: { enabled: true } },
        ],
      },
    },
  ],
  [
    'a removal with nothing',
    'deleteStrategy',
    [strategy(), strategy({ title: 'Theirs' }), { id: 'x' }],
    { obstacle: 'One side removes it' },
  ],
])('merges %s, or returns the obstacle', (_what, action, [base, current, payload], expected) => {
  const change = { action, base: base as Json, payload: payload as Json };
  expect(mergeChange(change, current as Json)).toEqual(expected);
});

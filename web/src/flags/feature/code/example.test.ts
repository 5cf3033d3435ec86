import { expect, test } from 'vitest';
import type { Constraint, Environment } from '../../strategy/strategy-sentence.ts';
import { exampleOf } from './example.ts';

const constraint = (
  changes: Partial<Constraint> & Pick<Constraint, 'contextName'>,
): Constraint => ({
  operator: 'IN',
  values: [],
  inverted: false,
  caseInsensitive: false,
  ...changes,
});

type Strategy = Environment['strategies'][number];

const strategy = (changes: Partial<Strategy>): Strategy => ({
  id: 'a',
  featureName: 'dark',
  name: 'flexibleRollout',
  title: null,
  disabled: false,
  sortOrder: 0,
  constraints: [],
  variants: [],
  parameters: {},
  segments: [],
  ...changes,
});

const known = {
  segments: new Map([
    [1, { constraints: [constraint({ contextName: 'country', values: ['DK', 'SE'] })] }],
  ]),
  fields: new Map([['plan', { legalValues: [{ value: 'free' }, { value: 'pro' }] }]]),
};

const contextOf = (...strategies: readonly Partial<Strategy>[]) =>
  exampleOf('dark', { variants: [], strategies: strategies.map(strategy) }, known).context;

test.each([
  ['nothing', [], { userId: '42' }],
  ['a segment', [{ segments: [1] }], { userId: '42', country: 'DK' }],
  [
    'a value that is allowed',
    [{ constraints: [constraint({ contextName: 'plan', operator: 'NOT_IN', values: ['free'] })] }],
    { userId: '42', plan: 'pro' },
  ],
  [
    'a single value',
    [{ constraints: [constraint({ contextName: 'age', operator: 'NUM_GTE', value: '18' })] }],
    { userId: '42', age: '18' },
  ],
  [
    'an address of a network',
    [
      {
        constraints: [
          constraint({
            contextName: 'remoteAddress',
            operator: 'IN_CIDR',
            values: ['10.1.0.0/16'],
          }),
        ],
      },
    ],
    { userId: '42', remoteAddress: '10.1.0.0' },
  ],
  ['a list of users', [{ parameters: { userIds: ' ada, bob' } }], { userId: 'ada' }],
  [
    'the stickiness',
    [{ parameters: { stickiness: 'company' } }],
    { userId: '42', company: 'example' },
  ],
  [
    'nothing that SDKs set themselves, or of disabled strategies',
    [
      { constraints: [constraint({ contextName: 'appName', values: ['shop'] })] },
      { disabled: true, segments: [1] },
    ],
    { userId: '42' },
  ],
])('the example context contains %s', (_, strategies, context) => {
  expect(contextOf(...(strategies as Partial<Strategy>[]))).toEqual(context);
});

const variant = (name: string, type?: string) => ({
  name,
  weight: 500,
  weightType: 'variable' as const,
  stickiness: 'default',
  ...(type !== undefined && { payload: { type, value: '1' } }),
});

test.each([
  ['json', [variant('blue', 'json'), variant('green', 'json')]],
  ['string', [variant('blue', 'json'), variant('green', 'number')]],
  [undefined, [variant('blue', 'json'), variant('green')]],
  [undefined, [variant('blue'), variant('green')]],
])('the example has the payload type that all variants share: %s', (payload, variants) => {
  const [first, ...others] = variants;
  const example = exampleOf(
    'dark',
    {
      variants: first ? [{ ...first, overrides: [] }] : [],
      strategies: [strategy({ variants: others })],
    },
    known,
  );
  expect(example).toMatchObject({ variants: ['blue', 'green'], payload });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyDefinition } from '../../../../test/support/evaluation/arbitrary.ts';
import { randomCases } from '../../../../test/support/random-cases.ts';
import {
  type ConstraintDefinition,
  compile,
  type Definition,
  type FeatureDefinition,
} from '../evaluation/index.ts';
import { contextOf, type FlatContext } from '../playground/index.ts';
import { type EvaluatedState, previewDecisions } from './index.ts';

const now = () => new Date('2026-01-01T00:00:00Z');
const environment = 'production';

const stateOf = ({ features, segments = [] }: Definition): EvaluatedState => ({
  features: new Map(
    features.map((definition) => [
      definition.name,
      {
        name: definition.name,
        project: 'default',
        type: 'release',
        description: null,
        stale: false,
        tags: [],
        definition,
      },
    ]),
  ),
  segments: new Map(
    segments.map(({ id, constraints }) => [
      id,
      { id, name: `Segment ${id}`, constraints: constraints ?? [] },
    ]),
  ),
});

const preview = (before: Definition, after: Definition, tried: readonly FlatContext[] = []) =>
  previewDecisions({ before: stateOf(before), after: stateOf(after) }, { environment, now, tried });

type Strategy = NonNullable<FeatureDefinition['strategies']>[number];

const feature = (
  strategies: readonly Strategy[],
  more: Partial<FeatureDefinition> = {},
): Definition => ({ features: [{ name: 'checkout', enabled: true, strategies, ...more }] });

const rollout = (percentage: number, more: Partial<Strategy> = {}): Strategy => ({
  name: 'flexibleRollout',
  parameters: { rollout: String(percentage), stickiness: 'default', groupId: 'checkout' },
  ...more,
});

const constrained = (...constraints: readonly ConstraintDefinition[]) =>
  feature([{ name: 'default', constraints }]);

describe('the preview of decisions', () => {
  test('reports who gets a feature when it is enabled', async () => {
    const constraints = [{ contextName: 'country', operator: 'IN', values: ['NO', 'SE'] }];
    const strategies = [{ name: 'default', constraints }];
    const { features, unchanged, isTruncated } = await preview(
      feature(strategies, { enabled: false }),
      feature(strategies),
    );
    expect([unchanged, isTruncated]).toEqual([[], false]);
    expect(features).toEqual([
      {
        name: 'checkout',
        project: 'default',
        cause: 'change',
        contexts: 2,
        changedContexts: 1,
        groups: [
          {
            before: { enabled: false, explanation: 'Disabled in production.' },
            after: { enabled: true, explanation: expect.stringContaining('matches') },
            payloadChanged: false,
            contexts: 1,
            tried: 0,
            where: [{ contextName: 'country', operator: 'IN', values: ['NO', 'SE'], more: 0 }],
            example: { environment, country: 'NO' },
          },
        ],
      },
    ]);
  });

  test('contains the exact share of users that a rollout adds', async () => {
    const { features } = await preview(feature([rollout(10)]), feature([rollout(35)]));
    expect(features[0]?.groups).toMatchObject([
      {
        before: { enabled: false },
        after: { enabled: true },
        share: { from: 25, to: 25 },
        where: [],
      },
    ]);
  });

  test('lists a changed feature as unchanged if its decisions stay the same', async () => {
    const [before, after] = [rollout(10), rollout(90)].map((strategy) =>
      feature([strategy], { enabled: false }),
    ) as [Definition, Definition];
    const found = await preview(before, after);
    expect(found).toMatchObject({ features: [], unchanged: ['checkout'], contexts: 1 });
    expect(await preview(before, before)).toMatchObject({ features: [], unchanged: [] });
  });

  test('includes changed variants and payloads', async () => {
    const of = (value: string, weight: number) =>
      feature([], {
        variants: [
          { name: 'blue', weight, payload: { type: 'string', value } },
          { name: 'red', weight: 1000 - weight },
        ],
      });
    const moved = await preview(of('a', 250), of('a', 500));
    expect(moved.features[0]?.groups).toMatchObject([
      { before: { variant: 'red' }, after: { variant: 'blue' }, share: { from: 25, to: 25 } },
    ]);
    const other = await preview(of('a', 1000), of('b', 1000));
    expect(other.features[0]?.groups).toMatchObject([
      { before: { variant: 'blue' }, after: { variant: 'blue' }, payloadChanged: true },
    ]);
  });

  test('treats a random rollout and its random variants as independent', async () => {
    const variants = ['blue', 'red'].map((name) => ({ name, weight: 500, stickiness: 'random' }));
    const parameters = { rollout: '20', stickiness: 'random' };
    const { features } = await preview(
      feature([], { enabled: false }),
      feature([{ name: 'flexibleRollout', parameters, variants }]),
    );
    expect(features[0]?.groups.map(({ after, share }) => [after.variant, share])).toEqual([
      ['blue', { from: 10, to: 10 }],
      ['red', { from: 10, to: 10 }],
    ]);
  });

  test('includes features that depend on a changed segment or parent', async () => {
    const of = (enabled: boolean, country: string): Definition => ({
      features: [
        { name: 'parent', enabled },
        { name: 'child', enabled: true, dependencies: [{ feature: 'parent' }] },
        { name: 'user', enabled: true, strategies: [{ name: 'default', segments: [1] }] },
        { name: 'stranger', enabled: true },
      ],
      segments: [
        { id: 1, constraints: [{ contextName: 'country', operator: 'IN', values: [country] }] },
      ],
    });
    const { features } = await preview(of(false, 'NO'), of(true, 'SE'));
    expect(features.map(({ name, cause }) => [name, cause])).toEqual([
      ['parent', 'change'],
      ['user', 'segment'],
      ['child', 'parent'],
    ]);
  });

  test('compares contexts that the user tried, and uses them as examples', async () => {
    const { features } = await preview(feature([rollout(0)]), feature([rollout(100)]), [
      { userId: 'ada', country: 'NO' },
    ]);
    expect(features[0]?.groups).toMatchObject([
      { tried: 1, example: { environment, userId: 'ada', country: 'NO' } },
    ]);
  });

  test('reports features with custom strategies and with expressions without an example', async () => {
    const found = await preview(
      constrained({ contextName: 'email', operator: 'REGEX', value: '^\\pL{3}$' }),
      feature([{ name: 'ourOwn' }]),
    );
    expect(found).toMatchObject({
      incomplete: ['checkout'],
      unmatched: [{ feature: 'checkout', contextName: 'email' }],
    });
  });

  test('represents unchanged values of a list by one context, and finds the added value', async () => {
    const values = Array.from({ length: 3_000 }, (_, index) => `customer ${index}`);
    const of = (list: readonly string[]) =>
      constrained({ contextName: 'customer', operator: 'IN', values: list });
    const { features } = await preview(of(values), of([...values, 'new']));
    expect(features).toMatchObject([
      { contexts: 3, changedContexts: 1, groups: [{ example: { customer: 'new' } }] },
    ]);
  });

  test('evaluates contexts that match strategies first if there are too many combinations', async () => {
    const constraints = Array.from({ length: 15 }, (_, index) => ({
      contextName: `field ${index}`,
      operator: 'IN',
      values: ['yes'],
    }));
    const { features, isTruncated } = await preview(
      constrained(...constraints),
      constrained(...constraints.slice(1)),
    );
    expect(isTruncated).toBe(true);
    expect(features[0]?.groups).toMatchObject([
      { before: { enabled: false }, after: { enabled: true } },
    ]);
  });
});

const field = 'field';

test.each<[string, Partial<ConstraintDefinition>, Partial<ConstraintDefinition>]>([
  ['IN', { values: ['a'] }, { values: ['a', 'b'] }],
  ['NOT_IN', { values: ['a'] }, { values: ['a', 'b'] }],
  ['STR_CONTAINS', { values: ['ab'] }, { values: ['a'] }],
  ['STR_STARTS_WITH', { values: ['ab'] }, { values: ['AB'] }],
  ['STR_ENDS_WITH', { values: ['a'] }, { values: ['a'], caseInsensitive: true }],
  ['NUM_EQ', { value: '1' }, { value: '1', inverted: true }],
  ['NUM_GT', { value: '1' }, { value: '1.001' }],
  ['NUM_GTE', { value: '1' }, { value: '2' }],
  ['NUM_LT', { value: '-1' }, { value: '-1.5' }],
  ['NUM_LTE', { value: '1' }, { value: '1e3' }],
  ['DATE_AFTER', { value: '2026-01-01T00:00:00Z' }, { value: '2026-01-01T00:00:01Z' }],
  ['DATE_BEFORE', { value: '2026-01-01T00:00' }, { value: '2027-01-01T00:00' }],
  ['SEMVER_EQ', { value: '1.0.0' }, { value: '1.0.0-rc.1' }],
  ['SEMVER_GT', { value: '1.0.0' }, { value: '1.0.1' }],
  ['SEMVER_GTE', { value: '1.0.0' }, { value: '1.0.0-rc.1' }],
  ['SEMVER_LT', { value: '1.0.0' }, { value: '0.0.0' }],
  ['SEMVER_LTE', { value: '1.0.0' }, { value: '1.0.0-0' }],
  ['REGEX', { value: '^[a-z]+@example\\.com$' }, { value: '^x' }],
  ['REGEX', { value: 'ab{2,3}(c|d)' }, { value: 'ab{3}(c|d)' }],
  ['IN_CIDR', { values: ['10.1.0.0/16'] }, { values: ['10.1.0.0/24'] }],
  ['IN_CIDR', { values: ['2001:db8::/32'] }, { values: ['2001:db8::/48'] }],
  ['IN_CIDR', { values: ['::ffff:10.0.0.1'] }, { values: ['::ffff:10.0.0.2'] }],
])('%s: the preview finds a context for which %j differs from %j', async (operator, one, other) => {
  const [before, after] = [one, other].map((each) =>
    constrained({ contextName: field, operator, ...each }),
  ) as [Definition, Definition];
  const { features } = await preview(before, after);
  const [group] = features[0]?.groups ?? [];
  const context = contextOf(group?.example ?? {});
  const [was, is] = [before, after].map(
    (each) => compile(each).evaluate('checkout', context).enabled,
  );
  expect(was).not.toBe(is);
  expect([was, is]).toEqual([group?.before.enabled, group?.after.enabled]);
});

/** The values in two definitions, from which contexts are made. */
const wordsOf = (...definitions: readonly Definition[]): string[] => [
  ...new Set(
    definitions.flatMap((definition) =>
      [
        ...JSON.stringify(definition).matchAll(
          /"(?:values|userIds|IPs|value)":(\[[^\]]*\]|"[^"]*")/g,
        ),
      ]
        .flatMap(([, value = '""']) => JSON.parse(value) as string | string[])
        .flatMap((value) => value.split(',').map((each) => each.trim())),
    ),
  ),
];

const contextFields = ['userId', 'sessionId', 'remoteAddress', 'plan', 'size'];

const anyCase = fc.tuple(anyDefinition, anyDefinition).chain(([before, after]) =>
  fc.record({
    before: fc.constant(before),
    after: fc.constant(after),
    context: fc.dictionary(
      fc.constantFrom(...contextFields),
      fc.constantFrom('', ...wordsOf(before, after)),
    ),
  }),
);

describe('the preview of any two states', () => {
  test('reports exactly the decisions that differ for contexts of named values', async () => {
    await fc.assert(
      fc.asyncProperty(anyCase, async ({ before, after, context }) => {
        const found = await preview(before, after);
        const sides = [compile(before, { now }), compile(after, { now })] as const;
        for (const { name, groups } of found.features) {
          for (const { example, ...group } of groups) {
            const decided = sides.map((side) => side.decideAll(contextOf(example)));
            if (decided.some(({ isDeterministic }) => !isDeterministic)) continue;
            for (const [at, side] of sides.entries()) {
              const { enabled, variant } = side.evaluate(name, contextOf(example));
              const { explanation, ...decision } = at === 0 ? group.before : group.after;
              expect({ enabled, ...(variant.enabled && { variant: variant.name }) }).toEqual(
                decision,
              );
            }
          }
        }
        if (found.isTruncated) return;
        const full = contextOf({ environment, ...context });
        const [one, other] = sides.map((side) => side.decideAll(full));
        if (!one?.isDeterministic || !other?.isDeterministic) return;
        const reported = new Set(found.features.map(({ name }) => name));
        for (const { name } of before.features) {
          const [was, is] = sides.map((side) => {
            const { enabled, variant } = side.evaluate(name, full);
            return JSON.stringify([enabled, variant]);
          });
          if (was !== is) expect([...reported]).toContain(name);
        }
      }),
      randomCases(3, 1_000),
    );
  });
});

import fc from 'fast-check';
import type { Context, Definition } from '../../../src/modules/sdk/evaluation/index.ts';

/** Only a few words, so that random constraints sometimes match. */
const word = fc.constantFrom('a', 'b', 'ab', 'B', 'ba', '😊');
const number = fc.constantFrom('-1', '0', '1', '1.0', '2', 'x');
const version = fc.constantFrom('1.0.0', '1.0.0-rc.1', '1.2.0', 'v1.0.0');
const instant = fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', 'never');
const address = fc.constantFrom('10.0.0.1', '10.1.0.0/16', '10.1.2.3', '::1', 'host');
const someValue = fc.oneof(word, number, version, instant, address);

const contextName = fc.constantFrom(
  'userId',
  'sessionId',
  'environment',
  'remoteAddress',
  'currentTime',
  'plan',
  'size',
);

const constraint = fc
  .record({
    contextName,
    inverted: fc.boolean(),
    caseInsensitive: fc.boolean(),
    kind: fc.oneof(
      fc.record({
        operator: fc.constantFrom(
          'IN',
          'NOT_IN',
          'STR_CONTAINS',
          'STR_STARTS_WITH',
          'STR_ENDS_WITH',
          'IN_CIDR',
        ),
        values: fc.array(someValue, { maxLength: 3 }),
      }),
      fc.record({
        operator: fc.constantFrom('NUM_EQ', 'NUM_GT', 'NUM_GTE', 'NUM_LT', 'NUM_LTE'),
        value: number,
      }),
      fc.record({ operator: fc.constantFrom('DATE_AFTER', 'DATE_BEFORE'), value: instant }),
      fc.record({
        operator: fc.constantFrom(
          'SEMVER_EQ',
          'SEMVER_GT',
          'SEMVER_GTE',
          'SEMVER_LT',
          'SEMVER_LTE',
        ),
        value: version,
      }),
      fc.record({ operator: fc.constantFrom('REGEX', 'LIKE'), value: fc.constantFrom('^a', '(b') }),
    ),
  })
  .map(({ kind, ...rest }) => ({ ...rest, ...kind }));

const stickiness = fc.constantFrom('default', 'random', 'userId', 'sessionId', 'plan');

const variant = fc.record(
  {
    name: fc.constantFrom('red', 'green', 'blue'),
    weight: fc.constantFrom(0, 1, 333, 500, 1000),
    stickiness,
    payload: fc.record({ type: fc.constant('string'), value: word }),
    overrides: fc.array(fc.record({ contextName, values: fc.array(someValue, { maxLength: 2 }) }), {
      maxLength: 2,
    }),
  },
  { requiredKeys: ['name', 'weight'] },
);
const variants = fc.array(variant, { maxLength: 3 });

const strategy = fc
  .record(
    {
      kind: fc.oneof(
        fc.record({ name: fc.constantFrom('default', 'applicationHostname', 'ourOwnType') }),
        fc.record({
          name: fc.constant('flexibleRollout'),
          parameters: fc.record(
            {
              rollout: fc.constantFrom('0', '1', '50', '99', '100', 'many'),
              stickiness,
              groupId: word,
            },
            { requiredKeys: ['rollout'] },
          ),
        }),
        fc.record({
          name: fc.constantFrom(
            'gradualRolloutUserId',
            'gradualRolloutSessionId',
            'gradualRolloutRandom',
          ),
          parameters: fc.record({ percentage: fc.constantFrom('0', '50', '100'), groupId: word }),
        }),
        fc.record({
          name: fc.constant('userWithId'),
          parameters: fc.record({ userIds: fc.constantFrom('', 'a', 'a, b,') }),
        }),
        fc.record({
          name: fc.constant('remoteAddress'),
          parameters: fc.record({ IPs: fc.constantFrom('', '10.0.0.1, ::1', '10.1.0.0/16, x') }),
        }),
      ),
      disabled: fc.boolean(),
      constraints: fc.array(constraint, { maxLength: 2 }),
      segments: fc.array(fc.constantFrom(1, 2, 3), { maxLength: 2 }),
      variants,
    },
    { requiredKeys: ['kind'] },
  )
  .map(({ kind, ...rest }) => ({ ...rest, ...kind }));

const names = ['one', 'two', 'three', 'four'];

const dependency = fc.record(
  {
    feature: fc.constantFrom(...names, 'nowhere'),
    enabled: fc.boolean(),
    variants: fc.array(fc.constantFrom('red', 'green', 'disabled'), { maxLength: 2 }),
  },
  { requiredKeys: ['feature'] },
);

const feature = (name: string) =>
  fc.record(
    {
      name: fc.constant(name),
      // Mostly enabled: disabled features test little.
      enabled: fc.constantFrom(true, true, true, true, false),
      impressionData: fc.boolean(),
      strategies: fc.array(strategy, { maxLength: 3 }),
      variants,
      dependencies: fc.oneof(
        { weight: 2, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(dependency, { maxLength: 2 }) },
      ),
    },
    { requiredKeys: ['name', 'enabled', 'strategies'] },
  );

export const anyDefinition: fc.Arbitrary<Definition> = fc.record({
  features: fc.tuple(...names.map(feature)),
  segments: fc.tuple(
    fc.record({ id: fc.constant(1), constraints: fc.array(constraint, { maxLength: 2 }) }),
    fc.record({ id: fc.constant(2), constraints: fc.array(constraint, { maxLength: 1 }) }),
  ),
});

export const anyContext: fc.Arbitrary<Context> = fc.record(
  {
    userId: fc.oneof(word, fc.uuid(), fc.constant('')),
    sessionId: fc.oneof(word, fc.uuid()),
    environment: word,
    remoteAddress: fc.constantFrom('10.0.0.1', '10.1.2.3', '::1', '::ffff:10.1.2.3', 'host'),
    currentTime: fc.constantFrom('2026-01-01T12:00:00Z', new Date('2026-01-02T00:00:00Z'), 'soon'),
    properties: fc.record(
      { plan: fc.oneof(someValue, fc.constantFrom(1, true, null)), size: number },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

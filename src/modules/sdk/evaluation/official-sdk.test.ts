import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyContext, anyDefinition } from '../../../../test/support/evaluation/arbitrary.ts';
import { heldSdk } from '../../../../test/support/evaluation/held-sdk.ts';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { type Context, compile, type Definition } from './index.ts';

type Feature = Definition['features'][number];
type Strategy = NonNullable<Feature['strategies']>[number];
type Constraint = NonNullable<Strategy['constraints']>[number];

/** Values that are invalid for the operator: the SDK inverts that to 'always', we to 'never'. */
const senseless = new Set(['x', 'v1.0.0', 'never', '(b']);

/** The SDK does not read dates of fields other than currentTime, and uses the time instead. */
const comparable = ({ contextName, operator, value }: Constraint) =>
  !senseless.has(value ?? '') && (!operator.startsWith('DATE') || contextName === 'currentTime');

/** Returns what both support: without our improvements, and without what SDKs disagree about. */
function common(definition: Definition): Definition {
  const constraints = (holder: { constraints?: Strategy['constraints'] }) => ({
    constraints: (holder.constraints ?? []).filter(comparable),
  });
  const strategy = (given: Strategy): Strategy => ({
    ...given,
    ...constraints(given),
    // The server omits disabled strategies.
    disabled: false,
    // Without a group, some SDKs use the feature's name, some nothing, and this one 'undefined'.
    parameters: { groupId: 'group', ...given.parameters },
  });
  const usual: Definition = {
    features: definition.features.map((feature) => ({
      ...feature,
      strategies: (feature.strategies ?? []).map(strategy),
    })),
    segments: definition.segments?.map((segment) => ({ ...segment, ...constraints(segment) })),
  };
  // Chance cannot be compared, and only this SDK hashes UTF-16 truncated to bytes instead of UTF-8.
  const text = JSON.stringify(usual)
    .replaceAll('"random"', '"userId"')
    .replaceAll('gradualRolloutRandom', 'gradualRolloutUserId')
    .replaceAll('😊', 'smile');
  return JSON.parse(text) as Definition;
}

const noon = '2026-01-01T12:00:00Z';

/** All stickiness fields are set; and no IPv4 mapped into IPv6, which the SDK does not unwrap. */
const complete = ({ remoteAddress, ...context }: Context): Context => ({
  ...context,
  userId: context.userId?.replace('😊', 'smile') || 'somebody',
  sessionId: context.sessionId?.replace('😊', 'smile') ?? 'session',
  // The SDK cannot compare a missing time or a Date as text.
  currentTime: typeof context.currentTime === 'string' ? context.currentTime : noon,
  properties: { ...context.properties, plan: 'b' },
  ...(remoteAddress && { remoteAddress: remoteAddress.replace('::ffff:', '') }),
});

test('the evaluator returns the same decisions as the official Node.js SDK', () => {
  const { sdk, hold } = heldSdk();
  const seen = { on: 0, off: 0, variants: 0 };
  fc.assert(
    fc.property(anyDefinition, anyContext, (anything, anybody) => {
      const definition = common(anything);
      const context = complete(anybody);
      hold(definition);
      const evaluator = compile(definition);
      for (const evaluation of evaluator.evaluateAll(context)) {
        expect(evaluator.explain(evaluation.name, context).evaluation).toEqual(evaluation);
        const asked = structuredClone(context) as Parameters<typeof sdk.isEnabled>[1];
        const { name, payload } = sdk.getVariant(evaluation.name, asked);
        expect(evaluation.enabled).toBe(sdk.isEnabled(evaluation.name, asked));
        expect(evaluation.variant.name).toBe(name);
        expect(evaluation.variant.payload).toEqual(payload);
        seen[evaluation.enabled ? 'on' : 'off'] += 1;
        if (evaluation.variant.enabled) seen.variants += 1;
      }
    }),
    randomCases(150, 3000),
  );
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(60);
});

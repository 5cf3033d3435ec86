import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyContext, anyDefinition } from '../../../../test/support/evaluation/arbitrary.ts';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { allAtOnce } from '../../../platform/slices.ts';
import { compile, createCompiler, type Definition, type Evaluator } from './index.ts';

const sources = { now: () => new Date('2026-01-01T00:00:00Z'), chance: () => 0.4 };

/** Definitions that share features and segments, like those of one server. */
const related = fc.array(anyDefinition, { minLength: 2, maxLength: 3 }).chain((definitions) =>
  fc.array(
    fc.record({
      features: fc.tuple(
        ...[0, 1, 2, 3].map((at) =>
          fc.constantFrom(...definitions.map(({ features }) => features[at])),
        ),
      ),
      segments: fc.constantFrom(...definitions.map(({ segments }) => segments)),
    }),
    { minLength: 2, maxLength: 5 },
  ),
) as fc.Arbitrary<Definition[]>;

describe('a compiler', () => {
  test('evaluates each definition independently of earlier ones', () => {
    fc.assert(
      fc.property(
        related,
        fc.array(anyContext, { minLength: 1, maxLength: 3 }),
        (definitions, contexts) => {
          const compiler = createCompiler(sources);
          const pairs: [Evaluator, Evaluator][] = definitions.map((definition) => [
            allAtOnce(compiler(definition)),
            compile(definition, sources),
          ]);
          for (const context of contexts) {
            for (const [shared, own] of pairs) {
              expect(shared.evaluateAll(context)).toEqual(own.evaluateAll(context));
            }
          }
        },
      ),
      randomCases(40, 2000),
    );
  });

  const feature = (name: string, segment?: number) => ({
    name,
    enabled: true,
    strategies: [{ name: 'default', ...(segment && { segments: [segment] }) }],
  });
  const segment = (id: number, value: string) => ({
    id,
    constraints: [{ contextName: 'userId', operator: 'IN', values: [value] }],
  });

  test('compiles only features that changed, and uses the segments of each definition', () => {
    const compiler = createCompiler();
    const features = [feature('same'), feature('other'), feature('first', 1)];
    const before = allAtOnce(compiler({ features, segments: [segment(1, 'ada')] }));
    const after = allAtOnce(
      compiler({
        features: features.map((each) => (each.name === 'other' ? feature('other') : each)),
        segments: [segment(1, 'grace')],
      }),
    );
    const isSame = features.map(({ name }) => before.decide(name, {}) === after.decide(name, {}));
    expect(isSame).toEqual([true, false, true]);
    expect(after.evaluate('first', { userId: 'grace' }).enabled).toBe(true);
    expect(before.evaluate('first', { userId: 'grace' }).enabled).toBe(false);
  });

  test('does not compile a segment that no feature uses', () => {
    const unread = {
      id: 1,
      get constraints(): never {
        throw new Error('It was compiled');
      },
    };
    expect(() => compile({ features: [feature('f', 2)], segments: [unread] })).not.toThrow();
    expect(() => compile({ features: [feature('f', 1)], segments: [unread] })).toThrow();
  });
});

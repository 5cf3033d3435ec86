import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyContext, anyDefinition } from '../../../../test/support/evaluation/arbitrary.ts';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { compile, type Evaluator } from './index.ts';

const names = ['one', 'two', 'three', 'four', 'nowhere'];
const now = () => new Date('2026-01-01T00:00:00Z');
const anyChance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const runs = randomCases(30, 5000);

describe('evaluation of any definition for any context', () => {
  test('the reasons of an explanation match its decision, even for random stickiness', () => {
    fc.assert(
      fc.property(anyDefinition, anyContext, (definition, context) => {
        const evaluator = compile(definition, { now });
        for (const name of names) {
          const { evaluation, ...why } = evaluator.explain(name, context);
          const feature = definition.features.find((one) => one.name === name);
          const parentsHold = why.parents.every(({ reason }) => reason === 'as-wanted');
          const strategyHolds =
            why.strategies.length === 0 || why.strategies.some(({ result }) => result === true);
          expect(evaluation.enabled).toBe(
            (feature?.enabled ?? false) && parentsHold && strategyHolds,
          );
          if (why.result !== 'unknown') expect(evaluation.enabled).toBe(why.result);

          expect(why.variant !== undefined).toBe(evaluation.variant.enabled);
          expect(evaluation.variant.name).toBe(why.variant?.variant ?? 'disabled');
          expect(evaluation.variant.feature_enabled).toBe(evaluation.enabled);
          const { bucket = 1, from = 1, to = 1 } = why.variant ?? {};
          expect(bucket >= from && bucket <= to).toBe(true);

          for (const { disabled, constraints, segments, condition, result } of why.strategies) {
            const parts = [...constraints, ...segments, condition].map((part) => part.result);
            expect(result === true).toBe(!disabled && parts.every((part) => part === true));
            if (disabled || parts.includes(false)) expect(result).toBe(false);
            if (condition.kind !== 'rollout') continue;
            const { bucket: place = 101, percentage } = condition;
            expect(condition.result).toBe(place <= percentage);
          }
        }
      }),
      runs,
    );
  });

  test('decisions do not depend on earlier contexts', () => {
    fc.assert(
      fc.property(
        anyDefinition,
        fc.array(anyContext, { minLength: 1, maxLength: 4 }),
        anyChance,
        (definition, contexts, chance) => {
          const sources = { now, chance: () => chance };
          const used: Evaluator = compile(definition, sources);
          for (const context of contexts) {
            const fresh = definition.features.map(({ name }) =>
              compile(definition, sources).evaluate(name, context),
            );
            expect(used.evaluateAll(context)).toEqual(fresh);
            expect(definition.features.map(({ name }) => used.evaluate(name, context))).toEqual(
              fresh,
            );
          }
        },
      ),
      runs,
    );
  });

  test('evaluations are shared and cannot be changed', () => {
    fc.assert(
      fc.property(anyDefinition, anyContext, (definition, context) => {
        for (const evaluation of compile(definition).evaluateAll(context)) {
          expect(Object.isFrozen(evaluation)).toBe(true);
          expect(Object.isFrozen(evaluation.variant)).toBe(true);
          expect(Object.isFrozen(evaluation.variant.payload)).toBe(true);
        }
      }),
    );
  });
});

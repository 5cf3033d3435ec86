import { RE2JS } from 're2js';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type ConstraintDefinition, compile, createCompiler } from './index.ts';

/** Each of its steps runs for each character: up to 50 ms for 400. */
const heavy = (nth = 0) => `(a|b)*?(a(a|b){200})[c${String.fromCodePoint(0x100 + nth)}]`;

const matching = (value: string, more: Partial<ConstraintDefinition> = {}) => ({
  contextName: 'email',
  operator: 'REGEX',
  value,
  ...more,
});

const feature = (name: string, ...constraints: ConstraintDefinition[]) => ({
  name,
  enabled: true,
  strategies: [{ name: 'default', constraints }],
});

const inverted = { inverted: true };
const asking = (email: string) => ({ properties: { email } });

afterEach(() => vi.restoreAllMocks());

describe('one evaluation', () => {
  test('matches a long text with only a few of many large expressions', () => {
    const constraints = Array.from({ length: 300 }, (_, nth) => matching(heavy(nth), inverted));
    const evaluator = compile({ features: [feature('many', ...constraints)] });
    const matcher = vi.spyOn(RE2JS.prototype, 'matcher');
    expect(evaluator.evaluate('many', asking('ab'.repeat(150))).enabled).toBe(false);
    expect(matcher.mock.calls.length).toBeLessThan(3);
  });

  test('limits the work per context, with the same decisions for the same context', () => {
    const evaluator = compile({
      features: Array.from({ length: 6 }, (_, nth) =>
        feature(`f${nth}`, matching(heavy(nth), inverted)),
      ),
    });
    const decided = (email: string) =>
      evaluator.evaluateAll(asking(email)).map(({ enabled }) => enabled);
    const long = decided('ab'.repeat(200));
    expect(long).toEqual([true, false, false, false, false, false]);
    expect(decided('a@b')).toEqual([true, true, true, true, true, true]);
    expect(decided('ab'.repeat(200))).toEqual(long);
  });

  test('reports the first feature that exceeds the limit', () => {
    const exhausted = vi.fn();
    const features = [
      feature('small', matching('b+')),
      feature('first', matching(heavy(1), inverted)),
      feature('second', matching(heavy(2), inverted)),
      feature('third', matching(heavy(3), inverted)),
    ];
    const evaluator = compile({ features }, { exhausted });
    evaluator.evaluateAll(asking('ab'.repeat(200)));
    expect(exhausted.mock.calls).toEqual([['second']]);
    evaluator.evaluateAll(asking('ab'));
    expect(exhausted).toHaveBeenCalledTimes(1);
  });

  test('matches 500 ordinary expressions within the limit', () => {
    const features = Array.from({ length: 500 }, (_, nth) =>
      feature(`f${nth}`, matching(`^(team|beta)-${nth}-[a-z0-9.]+@example\\.com$`, inverted)),
    );
    const decided = compile({ features }).evaluateAll(asking('somebody@example.com'));
    expect(decided.every(({ enabled }) => enabled)).toBe(true);
  });

  test('does not search long values in long texts', () => {
    const values = Array.from({ length: 250 }, (_, nth) => `${nth}b${'a'.repeat(1_990)}`);
    const constraint = { contextName: 'email', operator: 'STR_CONTAINS', values, ...inverted };
    const evaluator = compile({ features: [feature('parts', constraint)] });
    const includes = vi.spyOn(String.prototype, 'includes');
    expect(evaluator.evaluate('parts', asking('a'.repeat(4_000))).enabled).toBe(false);
    expect(includes).not.toHaveBeenCalled();
    expect(evaluator.evaluate('parts', asking('a'.repeat(30))).enabled).toBe(true);
  });
});

describe('a constraint that is not evaluated is false, inverted or not', () => {
  test.each([
    ['a text of more than 1,000 characters', matching('a'), 'a'.repeat(1_001)],
    ['a text too long for its expression', matching(heavy()), 'a'.repeat(600)],
    ['an expression too large, stored by an older version', matching('a{1000}'.repeat(9)), 'a'],
  ])('%s', (_, constraint, email) => {
    const features = [feature('plain', constraint), feature('not', { ...constraint, ...inverted })];
    const decided = compile({ features }).evaluateAll(asking(email));
    expect(decided.map(({ enabled }) => enabled)).toEqual([false, false]);
  });
});

describe('compiling', () => {
  test('takes one step for each expression and skips those that are too large', () => {
    const compiled = vi.spyOn(RE2JS, 'compile');
    const constraints = Array.from({ length: 30 }, (_, nth) => matching(heavy(nth)));
    const tooLarge = Array.from({ length: 30 }, (_, nth) => matching(`((a{9}){9}){9}{3}${nth}`));
    const steps = createCompiler()({
      features: [feature('stored', ...constraints), feature('worse', ...tooLarge)],
    });
    let most = 0;
    for (let step = steps.next(), before = 0; !step.done; step = steps.next()) {
      most = Math.max(most, compiled.mock.calls.length - before);
      before = compiled.mock.calls.length;
    }
    expect([compiled.mock.calls.length, most]).toEqual([30, 1]);
  });

  test('takes one step for each constraint of a segment', () => {
    let read = 0;
    const constraints = Array.from({ length: 30 }, (_, nth) => ({
      ...{ contextName: 'email', operator: 'IN' },
      get values() {
        read += 1;
        return [`${nth}`];
      },
    }));
    const steps = createCompiler()({
      features: [{ name: 'f', enabled: true, strategies: [{ name: 'default', segments: [1] }] }],
      segments: [{ id: 1, name: 'many', constraints }],
    });
    let most = 0;
    for (let step = steps.next(), before = 0; !step.done; step = steps.next()) {
      most = Math.max(most, read - before);
      before = read;
    }
    // Each is read for its key, its cost and its condition.
    expect([read, most]).toEqual([90, 3]);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  areDistributed,
  normalizeStoredVariants,
  normalizeVariants,
  weightFaults,
} from './variant-weights.ts';

const variable = (name: string, weight = 0) => ({ name, weight, weightType: 'variable' as const });
const fix = (name: string, weight: number) => ({ name, weight, weightType: 'fix' as const });

describe('the weights of valid variants', () => {
  test.each([
    ['no variants', [], []],
    ['one variant', [variable('a', 3)], [1000]],
    [
      'three variants, where the first gets the remainder',
      [variable('a'), variable('b'), variable('c')],
      [334, 333, 333],
    ],
    // Like the reference: the remaining thousandth goes to the first variant of the request, before sorting by
    // name.
    [
      'three variants in reverse order of their names',
      [variable('c'), variable('b'), variable('a')],
      [333, 333, 334],
    ],
    [
      'a fixed weight and two variable ones',
      [variable('a'), fix('b', 250), variable('c')],
      [375, 250, 375],
    ],
    ['a fixed weight of 1000 and a variable one', [fix('a', 1000), variable('b', 500)], [1000, 0]],
    ['only fixed weights', [fix('a', 1), fix('b', 999)], [1, 999]],
    [
      'fewer thousandths left than variants',
      [fix('a', 999), variable('b'), variable('c')],
      [999, 1, 0],
    ],
  ])('are normalized: %s', (_words, variants, weights) => {
    expect(weightFaults(variants, '/body/variants')).toEqual([]);
    expect(normalizeVariants(variants).map(({ weight }) => weight)).toEqual(weights);
  });

  const anyVariants = fc
    .uniqueArray(fc.string({ minLength: 1 }), { maxLength: 40 })
    .chain((names) =>
      fc.tuple(
        ...names.map((name) =>
          fc.record({
            name: fc.constant(name),
            weight: fc.integer({ min: 0, max: 1000 }),
            weightType: fc.constantFrom('variable' as const, 'fix' as const),
            stickiness: fc.constantFrom('default', 'userId'),
          }),
        ),
      ),
    );

  /** Random fixed weights rarely add up, so they are scaled until they do. */
  const fitting = anyVariants.map((variants) => {
    const fixed = variants.filter(({ weightType }) => weightType === 'fix');
    const sum = fixed.reduce((total, { weight }) => total + weight, 0);
    const scaled = variants.map((variant) =>
      variant.weightType === 'fix' && sum > 1000
        ? { ...variant, weight: Math.floor((variant.weight * 1000) / sum) }
        : variant,
    );
    if (fixed.length < variants.length || scaled.length === 0) return scaled;
    const rest = 1000 - scaled.reduce((total, { weight }) => total + weight, 0);
    return scaled.map((each, n) => (n === 0 ? { ...each, weight: each.weight + rest } : each));
  });

  test('add up to 1000 for random variants, sorted by name, with fixed weights and other properties unchanged', () => {
    fc.assert(
      fc.property(fitting, (variants) => {
        expect(weightFaults(variants, '')).toEqual([]);
        const shared = normalizeVariants(variants);
        const sum = shared.reduce((total, { weight }) => total + weight, 0);
        expect(sum).toBe(variants.length === 0 ? 0 : 1000);
        const byName = (list: typeof variants) =>
          [...list].sort((a, b) => a.name.localeCompare(b.name, 'en-US'));
        expect(shared.map(({ weight, ...rest }) => rest)).toEqual(
          byName(variants).map(({ weight, ...rest }) => rest),
        );
        const fixed = (list: typeof variants) =>
          list.filter(({ weightType }) => weightType === 'fix').map(({ weight }) => weight);
        expect(fixed(shared)).toEqual(fixed(byName(variants)));
        const shares = shared
          .filter(({ weightType }) => weightType === 'variable')
          .map(({ weight }) => weight);
        if (shares.length > 0) {
          expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
        }
        // What was stored is stored as it is, whichever variants got the remainder.
        expect(areDistributed(shared)).toBe(true);
        expect(normalizeStoredVariants(shared)).toEqual(shared);
        const again = normalizeVariants(shared);
        expect(normalizeVariants(again)).toEqual(again);
      }),
    );
  });

  test('are redistributed for stored variants with weights that would not be stored today', () => {
    const odd = [variable('b', 600), variable('a', 400)];
    expect(areDistributed(odd)).toBe(false);
    expect(normalizeStoredVariants(odd)).toEqual([variable('a', 500), variable('b', 500)]);
    expect(areDistributed([variable('a', 333), variable('b', 333)])).toBe(false);
    expect(areDistributed([fix('a', 999), fix('b', 1)])).toBe(true);
  });

  test('are rejected exactly if they cannot add up to 1000', () => {
    fc.assert(
      fc.property(anyVariants, (variants) => {
        const sum = variants.reduce(
          (total, { weight, weightType }) => total + (weightType === 'fix' ? weight : 0),
          0,
        );
        const allFixed = variants.every(({ weightType }) => weightType === 'fix');
        const cannot = sum > 1000 || (variants.length > 0 && allFixed && sum !== 1000);
        expect(weightFaults(variants, '').length > 0).toBe(cannot);
      }),
    );
  });
});

describe('the order of variant names', () => {
  const namesOf = (names: string) =>
    normalizeVariants(names.split(' ').map((name) => variable(name))).map(({ name }) => name);

  test.each([
    ['red blue', 'blue red'],
    ['B a', 'a B'],
    ['B b A a', 'a A b B'],
    ['z ä a é e', 'a ä e é z'],
    ['2 10 1', '1 10 2'],
    ['a-b ab a_b (x)', '(x) a_b a-b ab'],
    ['日 Ω z', 'z Ω 日'],
  ])('%s is sorted as %s, as a reader expects', (given, kept) => {
    expect(namesOf(given)).toEqual(kept.split(' '));
  });

  test('keeps the given order for names that compare equal, so that an import matches its export', () => {
    const [composed, decomposed] = ['\u00e9', 'e\u0301'];
    for (const names of [
      [composed, decomposed],
      [decomposed, composed],
    ]) {
      expect(
        normalizeVariants(names.map((name) => variable(name))).map(({ name }) => name),
      ).toEqual(names);
    }
  });
});

describe('invalid variants', () => {
  test('a duplicate name is reported at its second use', () => {
    expect(weightFaults([variable('a'), variable('b'), variable('a')], '/body/variants')).toEqual([
      { path: '/body/variants/2/name', message: "/body/variants/2/name 'a' is used twice" },
    ]);
  });

  test.each([
    ['more than 1000', [fix('a', 600), fix('b', 500), variable('c')], '1100'],
    ['less than 1000 without a variable one', [fix('a', 600), fix('b', 300)], '900'],
  ])('fixed weights of %s are rejected with their sum', (_words, variants, sum) => {
    expect(weightFaults(variants, '/body/variants')).toEqual([
      { path: '/body/variants', message: expect.stringContaining(sum) },
    ]);
  });
});

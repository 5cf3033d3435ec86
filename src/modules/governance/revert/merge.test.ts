import { describe, expect, test } from 'vitest';
import { takeBack, valueAt } from './merge.ts';

const variant = (name: string, weight: number, payload = 'x') => ({
  ...{ name, weight, weightType: 'fix', stickiness: 'default' },
  payload: { type: 'string', value: payload },
});

describe('variants', () => {
  const namesOf = (value: unknown) =>
    (value as { variants: { name: string }[] }).variants.map(({ name }) => name);

  test('are restored in their place, even if their names are numbers', () => {
    const before = { variants: [variant('a', 250), variant('B', 250), variant('c', 500)] };
    const after = { variants: [variant('B', 250), variant('c', 500), variant('d', 250)] };
    const now = { variants: [variant('B', 250), variant('c', 500, 'y'), variant('d', 250)] };
    const { value, clashes } = takeBack({ before, after }, now);
    expect([namesOf(value), clashes]).toEqual([['a', 'B', 'c'], []]);
    const numbers = (payload: string, other: string) => ({
      variants: [variant('-', 500, payload), variant('10', 250), variant('9', 250, other)],
    });
    const { value: merged } = takeBack(
      { before: numbers('1', '1'), after: numbers('2', '1') },
      numbers('2', '2'),
    );
    expect(merged).toEqual(numbers('1', '2'));
  });

  test('are a conflict if their merged weights could not be saved', () => {
    const variable = (name: string, weight: number) => ({
      ...variant(name, weight),
      weightType: 'variable',
    });
    const before = { variants: [variant('a', 200), variable('b', 800)] };
    const after = { variants: [variant('a', 200), variant('b', 800)] };
    const now = { variants: [variable('a', 200), variant('b', 800)] };
    const { value, clashes } = takeBack({ before, after }, now);
    expect(value).toEqual(now);
    expect(clashes).toMatchObject([{ path: ['variants'], now: now.variants }]);
  });
});

test('the variant names of a dependency are reverted as a whole', () => {
  const state = (...variants: string[]) => ({
    dependencies: [{ feature: 'parent', enabled: true, variants }],
  });
  const change = { before: state(), after: state('a') };
  const { value, clashes } = takeBack(change, state('b', 'a'));
  expect(value).toEqual(state('b', 'a'));
  const path = ['dependencies', 'parent', 'variants'];
  expect(clashes).toEqual([{ path, wanted: [], after: ['a'], now: ['b', 'a'] }]);
  expect(valueAt(state('b', 'a'), path)).toEqual(['b', 'a']);
  expect(takeBack(change, state('a')).value).toEqual(state());
});

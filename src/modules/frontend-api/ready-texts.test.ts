import { describe, expect, test, vi } from 'vitest';
import { createCompiler, type Outcome } from '../evaluation/index.ts';
import { createReadyTexts } from './ready-texts.ts';

const feature = (name: string, strategy: object = {}) => ({
  name,
  enabled: true,
  strategies: [{ name: 'default', ...strategy }],
});

const dated = {
  constraints: [
    { contextName: 'currentTime', operator: 'DATE_AFTER', value: '2020-01-01T00:00:00Z' },
  ],
};

const textOf = ({ evaluation }: Outcome) => (evaluation.enabled ? evaluation.name : '');

describe('a list of texts', () => {
  test('is kept once somebody asks again, and is then the same value for all who are told the same', () => {
    const evaluator = createCompiler()({ features: [feature('a'), feature('b')] });
    const texts = createReadyTexts('list', textOf);
    const bodyFor = (userId: string) => texts.all(evaluator, { userId }).body();
    expect(String(bodyFor('ada'))).toBe('{"list":[a,b]}');
    const kept = bodyFor('ada');
    expect(String(kept)).toBe('{"list":[a,b]}');
    expect(bodyFor('ada')).toBe(kept);
    expect(bodyFor('grace')).toBe(kept);
  });

  test('is shared also where the time decides, and decided anew', () => {
    let now = new Date('2030-01-01T00:00:00Z');
    const compile = createCompiler({ now: () => now });
    const evaluator = compile({ features: [feature('a'), feature('dated', dated)] });
    const texts = createReadyTexts('list', textOf);
    const first = texts.all(evaluator, {});
    expect(texts.all(evaluator, {}).body()).toBe(first.body());
    now = new Date('2010-01-01T00:00:00Z');
    const then = texts.all(evaluator, {});
    expect([String(then.body()), then.entityTag === first.entityTag]).toEqual([
      '{"list":[a]}',
      false,
    ]);
  });

  test('is made of texts that are made once, also where another feature changed', () => {
    const compile = createCompiler();
    const made = vi.fn(textOf);
    const texts = createReadyTexts('list', made);
    const same = feature('a');
    texts.all(compile({ features: [same, feature('b')] }), {}).body();
    const after = texts.all(compile({ features: [same, feature('c')] }), {});
    expect(String(after.body())).toBe('{"list":[a,c]}');
    expect(made.mock.calls.map(([{ evaluation }]) => evaluation.name)).toEqual(['a', 'b', 'c']);
  });
});

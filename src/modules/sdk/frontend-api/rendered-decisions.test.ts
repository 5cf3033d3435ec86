import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createCompiler, type Outcome } from '../evaluation/index.ts';
import { createDecisionRenderer } from './rendered-decisions.ts';

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

describe('the list of rendered decisions', () => {
  test('is cached at the second request and shared by all contexts with the same decisions', async () => {
    const evaluator = createCompiler()({ features: [feature('a'), feature('b')] });
    const texts = createDecisionRenderer('list', textOf);
    const bodyFor = async (userId: string) => (await texts.all(evaluator, { userId })).body();
    expect(String(await bodyFor('ada'))).toBe('{"list":[a,b]}');
    const kept = await bodyFor('ada');
    expect(String(kept)).toBe('{"list":[a,b]}');
    expect(await bodyFor('ada')).toBe(kept);
    expect(await bodyFor('grace')).toBe(kept);
  });

  test('is shared but evaluated again if it depends on the time', async () => {
    let now = new Date('2030-01-01T00:00:00Z');
    const compile = createCompiler({ now: () => now });
    const evaluator = compile({ features: [feature('a'), feature('dated', dated)] });
    const texts = createDecisionRenderer('list', textOf);
    const first = await texts.all(evaluator, {});
    expect((await texts.all(evaluator, {})).body()).toBe(first.body());
    now = new Date('2010-01-01T00:00:00Z');
    const then = await texts.all(evaluator, {});
    expect([String(then.body()), then.entityTag === first.entityTag]).toEqual([
      '{"list":[a]}',
      false,
    ]);
  });

  test('renders each decision once, even if another feature changes', async () => {
    const compile = createCompiler();
    const made = vi.fn(textOf);
    const texts = createDecisionRenderer('list', made);
    const same = feature('a');
    (await texts.all(compile({ features: [same, feature('b')] }), {})).body();
    const after = await texts.all(compile({ features: [same, feature('c')] }), {});
    expect(String(after.body())).toBe('{"list":[a,c]}');
    expect(made.mock.calls.map(([{ evaluation }]) => evaluation.name)).toEqual(['a', 'b', 'c']);
  });

  test('is rendered in slices if long, separately for concurrent requests', async () => {
    const users = ['ada', 'grace'] as const;
    const evaluator = createCompiler()({
      features: Array.from({ length: 20_000 }, (_, nth) =>
        feature(`f${nth}`, {
          constraints: [{ contextName: 'userId', operator: 'IN', values: [users[nth % 2]] }],
        }),
      ),
    });
    let made = 0;
    const texts = createDecisionRenderer('list', (outcome) => {
      made += 1;
      return textOf(outcome);
    });
    // A fast machine would make all of them in the first slice.
    let ms = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => {
      ms += 0.01;
      return ms;
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const both = users.map((userId) => texts.all(evaluator, { userId }));
    expect(made).toBeLessThan(5_000);
    const [ada, grace] = (await Promise.all(both)).map((list) => String(list.body()));
    const expected = (nth: number) =>
      `{"list":[${Array.from({ length: 10_000 }, (_, at) => `f${2 * at + nth}`).join()}]}`;
    expect(ada === expected(0) && grace === expected(1)).toBe(true);
  });
});

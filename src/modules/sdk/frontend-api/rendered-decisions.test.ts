import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { PreparedResponse } from '../../../platform/http/prepared-response.ts';
import { allAtOnce } from '../../../platform/slices.ts';
import { compile, createCompiler, type Outcome } from '../evaluation/index.ts';
import { createDecisionRenderer } from './rendered-decisions.ts';

const feature = (name: string, strategy: object = {}) => ({
  name,
  enabled: true,
  strategies: [{ name: 'default', ...strategy }],
});

const createDecisions = (render = ({ evaluation }: Outcome) => evaluation.name) =>
  createDecisionRenderer({
    listName: 'list',
    decide: (evaluator, context) => evaluator.decideEnabled(context),
    render,
  });

const bodyOf = async (response: Promise<PreparedResponse>) =>
  String(await (await response).plain());

describe('a list of decisions', () => {
  const constraints = [{ contextName: 'userId', operator: 'IN', values: ['grace'] }];
  const definition = () => ({ features: [feature('a'), feature('b', { constraints })] });

  test('contains the features enabled for the context', async () => {
    const evaluator = compile(definition());
    const decisions = createDecisions();
    expect(await bodyOf(decisions.all(evaluator, { userId: 'ada' }))).toBe('{"list":[a]}');
    expect(await bodyOf(decisions.all(evaluator, { userId: 'grace' }))).toBe('{"list":[a,b]}');
  });

  test('is decided again for each request if it depends on the time', async () => {
    let now = new Date('2030-01-01T00:00:00Z');
    const value = '2020-01-01T00:00:00Z';
    const dated = { constraints: [{ contextName: 'currentTime', operator: 'DATE_AFTER', value }] };
    const features = [feature('a'), feature('dated', dated)];
    const evaluator = compile({ features }, { now: () => now });
    const decisions = createDecisions();
    expect(await bodyOf(decisions.all(evaluator, {}))).toBe('{"list":[a,dated]}');
    now = new Date('2010-01-01T00:00:00Z');
    expect(await bodyOf(decisions.all(evaluator, {}))).toBe('{"list":[a]}');
  });

  test('is shared by all contexts with the same decisions if it is long', async () => {
    const evaluator = compile({
      features: Array.from({ length: 1_000 }, (_, nth) => feature(`f${nth}`)),
    });
    const decisions = createDecisions();
    const ada = await decisions.all(evaluator, { userId: 'ada' });
    expect(await decisions.all(evaluator, { userId: 'bob' })).toBe(ada);
  });

  test('has the same ETag on every instance', async () => {
    const tagFor = async (userId: string) =>
      (await createDecisions().all(compile(definition()), { userId })).entityTag;
    expect(await tagFor('ada')).toBe(await tagFor('bob'));
    expect(await tagFor('grace')).not.toBe(await tagFor('bob'));
  });

  test('renders an unchanged feature once, even after another one changes', async () => {
    const compiler = createCompiler();
    const render = vi.fn(({ evaluation }: Outcome) => evaluation.name);
    const decisions = createDecisions(render);
    const same = feature('a');
    await decisions.all(allAtOnce(compiler({ features: [same, feature('b')] })), {});
    const after = await decisions.all(allAtOnce(compiler({ features: [same, feature('c')] })), {});
    expect(String(await after.plain())).toBe('{"list":[a,c]}');
    expect(render.mock.calls.map(([{ evaluation }]) => evaluation.name)).toEqual(['a', 'b', 'c']);
  });

  test('is rendered in slices if it is long, with the decisions at the time of the request', async () => {
    const users = ['ada', 'grace'] as const;
    const evaluator = compile({
      features: Array.from({ length: 8_000 }, (_, nth) =>
        feature(`f${nth}`, {
          constraints: [{ contextName: 'userId', operator: 'IN', values: [users[nth % 2]] }],
        }),
      ),
    });
    let rendered = 0;
    const decisions = createDecisions(({ evaluation }) => {
      rendered += 1;
      return evaluation.name;
    });
    // Work that began in this turn of the event loop would be measured by the real clock.
    await new Promise(setImmediate);
    // A fast machine would render all of them in the first slice.
    let ms = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => {
      ms += 1;
      return ms;
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const both = users.map((userId) => decisions.all(evaluator, { userId }));
    expect(rendered).toBeLessThan(5_000);
    const [ada, grace] = await Promise.all(both.map(bodyOf));
    const expected = (nth: number) =>
      `{"list":[${Array.from({ length: 4_000 }, (_, at) => `f${2 * at + nth}`).join()}]}`;
    expect(ada === expected(0) && grace === expected(1)).toBe(true);
  });
});

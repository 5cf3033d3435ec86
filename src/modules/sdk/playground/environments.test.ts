import { beforeEach, describe, expect, test } from 'vitest';
import type { Actor } from '../../../platform/actor.ts';
import type { DefinedFeature, Snapshot } from '../snapshot/index.ts';
import { evaluate, evaluateAll } from './service.ts';

/** How often the dependencies of each feature were read: to estimate it, and to compile it. */
const looks = new Map<string, number>();
beforeEach(() => looks.clear());

const feature = (
  name: string,
  { dependencies = [], ...definition }: Partial<DefinedFeature['definition']> = {},
): DefinedFeature => ({
  ...{ name, project: 'default', type: 'release', description: '', stale: false, tags: [] },
  definition: {
    ...{ name, enabled: true, strategies: [], variants: [], ...definition },
    get dependencies() {
      looks.set(name, (looks.get(name) ?? 0) + 1);
      return dependencies;
    },
  },
});

function servicesWith(features: readonly DefinedFeature[], constraint: object = {}) {
  const byName = new Map(features.map((each) => [each.name, each]));
  const environment = { name: 'development', type: 'development', features: byName };
  const constraints = [{ contextName: 'plan', operator: 'IN', values: ['gold'], ...constraint }];
  const snapshot: Snapshot = {
    revision: 1,
    environments: new Map([['development', environment]]),
    segments: new Map([[7, { id: 7, name: 'Gold', constraints }]]),
  };
  return { snapshot, actor: { sees: 'all' } as Actor, clock: () => new Date(0) };
}

const ask = { environment: 'development', projects: '*' as const };
const askAll = { environments: ['development'], projects: '*' as const };

describe('the explainer of a feature', () => {
  const many = Array.from({ length: 1_000 }, (_, at) => feature(`f-${1_000 + at}`));

  test('is compiled only when the feature is rendered', async () => {
    const pieces = await evaluate({ ...ask, context: {} }, servicesWith(many));
    const before = new Map(looks);
    const answer = pieces[Symbol.iterator]();
    for (let text = ''; !text.includes('"name"'); text = String(answer.next().value));
    const compiled = [...looks].filter(([name, times]) => times > (before.get(name) ?? 0));
    expect(compiled.map(([name]) => name)).toEqual(['f-1000']);
  });

  test('is compiled once for all contexts, with parents and segments', async () => {
    const strategies = [{ name: 'default', segments: [7] }];
    const dependencies = [{ feature: 'parent' }, { feature: 'nosuch' }];
    const features = [feature('child', { dependencies }), feature('parent', { strategies })];
    const context = { plan: ['gold', 'tin'] };
    const pieces = await evaluateAll({ ...askAll, context }, servicesWith(features));
    const before = looks.get('child') ?? 0;
    const { features: told } = JSON.parse([...pieces].join(''));
    const once = (looks.get('child') ?? 0) - before;
    looks.clear();
    const one = await evaluateAll({ ...askAll, context: { plan: 'tin' } }, servicesWith(features));
    expect([...one].length).toBeGreaterThan(0);
    expect(once).toBe((looks.get('child') ?? 0) - before);
    const decided = (at: number) =>
      told[at].environments.development.map(({ isEnabled }: { isEnabled: boolean }) => isEnabled);
    expect([decided(0), decided(1)]).toEqual([
      [false, false],
      [true, false],
    ]);
    expect(told[0].environments.development[0].parentDependencies).toMatchObject([
      { feature: 'parent', reason: 'as-wanted' },
      { reason: 'missing' },
    ]);
  });
});

describe('a response that would be too long is rejected before it starts', () => {
  const values = (count: number) => Array.from({ length: count }, (_, at) => `value-${at}`);
  const contexts = { userId: values(100), plan: values(100) };
  const refusal = (more: Partial<DefinedFeature['definition']>, constraint: object = {}) =>
    evaluateAll(
      { ...askAll, context: contexts },
      servicesWith([feature('a', more)], constraint),
    ).then(
      (pieces) => (pieces[Symbol.iterator]().next().done ? 'empty' : 'begun'),
      ({ message }: Error) => message,
    );

  test('because of large definitions', async () => {
    const strategy = { name: 'default' };
    const constraint = { contextName: 'plan', operator: 'IN', values: values(1_000) };
    expect(await refusal({ strategies: [{ ...strategy, constraints: [constraint] }] })).toContain(
      'longer than 64 MB: 10000 evaluations',
    );
    const bySegment = { strategies: [{ ...strategy, segments: [7, 7, 7] }] };
    expect(await refusal(bySegment, { values: values(1_000) })).toContain('longer than 64 MB');
    expect(await refusal(bySegment)).toBe('begun');
  });

  test('because of a long context value repeated for each constraint', async () => {
    const long = 'x'.repeat(9_000);
    const constraint = { contextName: 'plan', operator: 'STR_CONTAINS', values: ['y'] };
    const strategies = [{ name: 'default', constraints: Array(10).fill(constraint) }];
    const features = Array.from({ length: 1_000 }, (_, at) => feature(`f-${at}`, { strategies }));
    const asked = evaluate({ ...ask, context: { plan: long } }, servicesWith(features));
    await expect(asked).rejects.toThrow('longer than 64 MB');
  });
});

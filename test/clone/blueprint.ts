import fc from 'fast-check';
import {
  completeStrategy,
  type SetStrategy,
} from '../../src/modules/catalogue/strategy-types/index.ts';
import {
  addDependency,
  createFeature,
  setVariants,
  switchFeatures,
} from '../../src/modules/flags/features/index.ts';
import { addStrategies } from '../../src/modules/flags/strategies/index.ts';
import { type TestApp, testActor } from '../support/app.ts';
import type { make } from '../support/make.ts';

/** What a random feature is made of; numbers point into the grounds. */
export interface Blueprint {
  readonly target: 'default' | 'narrow' | 'wide';
  readonly type: string;
  readonly description: string;
  readonly impressionData: boolean;
  readonly tags: readonly string[];
  readonly strategies: readonly {
    readonly environment: number;
    readonly wish: SetStrategy;
    readonly segments: readonly number[];
  }[];
  readonly variants: readonly (readonly string[])[];
  readonly parents: readonly number[];
  readonly on: readonly number[];
}

export interface Grounds {
  readonly environments: readonly string[];
  readonly segments: readonly number[];
  readonly parents: readonly string[];
}

/** Three projects with different environments, segments of two of them, parents in one. */
export async function prepareGrounds(to: ReturnType<typeof make>): Promise<Grounds> {
  await to.environment('staging');
  await to.environment('canary');
  await to.project('narrow', { environments: ['production'] });
  await to.project('wide', { environments: ['development', 'staging', 'canary'] });
  const segments: number[] = [];
  for (const project of [undefined, 'default', 'default']) {
    const name = `segment-${segments.length}`;
    segments.push((await to.segment(name, project ? { project } : {})).id);
  }
  const parents = ['parent-0', 'parent-1'];
  for (const parent of parents) await to.feature(parent);
  return { environments: ['development', 'production'], segments, parents };
}

const subset = (length: number) => fc.subarray(Array.from({ length }, (_, index) => index));
const text = fc
  .string({ maxLength: 20, unit: 'grapheme' })
  .filter((value) => !value.includes('\0'));
const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 });
const variant = (name: string) => ({
  name,
  weight: 0,
  weightType: 'variable' as const,
  stickiness: 'default',
});

const strategy: fc.Arbitrary<SetStrategy> = fc.record({
  name: fc.constantFrom('flexibleRollout', 'default', 'userWithId', 'gradualRolloutUserId'),
  title: text,
  disabled: fc.boolean(),
  sortOrder: fc.nat(9),
  parameters: fc.dictionary(
    fc.constantFrom('rollout', 'groupId', 'stickiness', 'userIds', 'own'),
    fc.constantFrom('10', '100', 'x'),
  ),
  constraints: fc.array(
    fc.record({
      contextName: fc.constantFrom('userId', 'region'),
      operator: fc.constantFrom('IN' as const, 'NOT_IN' as const, 'STR_CONTAINS' as const),
      values: fc.array(text, { maxLength: 3 }),
      inverted: fc.boolean(),
    }),
    { maxLength: 2 },
  ),
  variants: names.map((all) => all.map(variant)),
});

export const blueprints: fc.Arbitrary<Blueprint> = fc.record({
  target: fc.constantFrom('default', 'narrow', 'wide'),
  type: fc.constantFrom('release', 'experiment', 'kill-switch'),
  description: text,
  impressionData: fc.boolean(),
  tags: fc.uniqueArray(fc.constantFrom('one', 'two', 'drei', 'vier'), { maxLength: 3 }),
  strategies: fc.array(fc.record({ environment: fc.nat(1), wish: strategy, segments: subset(3) }), {
    maxLength: 4,
  }),
  variants: fc.array(names, { minLength: 2, maxLength: 2 }),
  parents: subset(2),
  on: subset(2),
});

/** Makes the feature below HTTP, through the services: it takes a third of the time. */
export async function build(
  { transact }: TestApp,
  grounds: Grounds,
  name: string,
  blueprint: Blueprint,
): Promise<void> {
  await transact(testActor, async (tx) => {
    const { type, description, impressionData } = blueprint;
    const tags = blueprint.tags.map((value) => ({ type: 'simple', value }));
    const wish = { project: 'default', name, type, description, impressionData, tags };
    const feature = await createFeature(tx, wish);
    const environmentAt = (index: number) => grounds.environments[index] as string;
    await addStrategies(
      tx,
      feature,
      blueprint.strategies.map(({ environment, wish, segments }) => ({
        ...completeStrategy({
          ...wish,
          segments: segments.map((index) => grounds.segments[index] as number),
        }),
        environment: environmentAt(environment),
      })),
    );
    const perEnvironment = new Map(
      blueprint.variants.map((all, index) => [
        environmentAt(index),
        all.map((each) => ({ ...variant(each), weight: 100, overrides: [] })),
      ]),
    );
    await setVariants(tx, feature, perEnvironment);
    for (const index of blueprint.parents) {
      const parent = grounds.parents[index] as string;
      await addDependency(tx, feature, { feature: parent, enabled: true, variants: ['v'] });
    }
    for (const index of blueprint.on) {
      await switchFeatures(tx, [feature], environmentAt(index), true);
    }
  });
}

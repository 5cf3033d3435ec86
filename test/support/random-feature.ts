import fc from 'fast-check';
import {
  completeStrategy,
  type SetStrategy,
} from '../../src/modules/catalogue/strategy-types/index.ts';
import { assemble, getTargetProject } from '../../src/modules/flags/features/index.ts';
import { unprintable } from '../../src/platform/unprintable.ts';
import { type TestApp, testActor } from './app.ts';
import type { make } from './make.ts';

/** The input for a random feature. Numbers are indexes into the fixture. */
export interface RandomFeature {
  readonly target: 'default' | 'narrow' | 'wide';
  readonly type: string;
  readonly description: string;
  readonly impressionData: boolean;
  readonly tags: readonly string[];
  readonly strategies: readonly {
    readonly environment: number;
    readonly input: SetStrategy;
    readonly segments: readonly number[];
  }[];
  readonly variants: readonly (readonly string[])[];
  readonly parents: readonly number[];
  readonly on: readonly number[];
}

export interface FeatureSetting {
  readonly environments: readonly string[];
  readonly segments: readonly number[];
  readonly parents: readonly string[];
}

/** Three projects with different environments, segments of two of them, parents in one. */
export async function prepareSetting(create: ReturnType<typeof make>): Promise<FeatureSetting> {
  await create.environment('staging');
  await create.environment('canary');
  await create.project('narrow', { environments: ['production'] });
  await create.project('wide', { environments: ['development', 'staging', 'canary'] });
  const segments: number[] = [];
  for (const project of [undefined, 'default', 'default']) {
    const name = `segment-${segments.length}`;
    segments.push((await create.segment(name, project ? { project } : {})).id);
  }
  const parents = ['parent-0', 'parent-1'];
  for (const parent of parents) await create.feature(parent);
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
  // As the API takes it: these features are created without it.
  title: text.map((value) => value.replaceAll(unprintable, '')),
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

export const randomFeatures: fc.Arbitrary<RandomFeature> = fc.record({
  target: fc.constantFrom('default', 'narrow', 'wide'),
  type: fc.constantFrom('release', 'experiment', 'kill-switch'),
  description: text,
  impressionData: fc.boolean(),
  tags: fc.uniqueArray(fc.constantFrom('one', 'two', 'drei', 'vier'), { maxLength: 3 }),
  strategies: fc.array(
    fc.record({ environment: fc.nat(1), input: strategy, segments: subset(3) }),
    {
      maxLength: 4,
    },
  ),
  variants: fc.array(names, { minLength: 2, maxLength: 2 }),
  parents: subset(2),
  on: subset(2),
});

/** Without HTTP, which takes three times as long. */
export async function createRandomFeature(
  { transact }: TestApp,
  setting: FeatureSetting,
  name: string,
  random: RandomFeature,
): Promise<void> {
  const { type, description, impressionData } = random;
  const environmentAt = (index: number) => setting.environments[index] as string;
  const feature = {
    ...{ name, type, description, impressionData },
    tags: random.tags.map((value) => ({ type: 'simple', value })),
  };
  const strategies = random.strategies.map(({ environment, input, segments }) => ({
    environment: environmentAt(environment),
    strategy: completeStrategy({
      ...input,
      segments: segments.map((index) => setting.segments[index] as number),
    }),
  }));
  const variants = random.variants.flatMap((names, index) =>
    names.length > 0
      ? [
          {
            environment: environmentAt(index),
            variants: names.map((each) => ({ ...variant(each), weight: 100, overrides: [] })),
          },
        ]
      : [],
  );
  const switches = random.on.map((index) => ({
    environment: environmentAt(index),
    enabled: true as const,
  }));
  const dependencies = random.parents.map((index) => ({
    feature: setting.parents[index] as string,
    enabled: true,
    variants: ['v'],
  }));
  await transact(testActor, async (tx) => {
    const target = await getTargetProject(tx, 'default', [feature]);
    await assemble(tx, target, [
      { feature, eventOrder: [strategies, variants, switches], dependencies },
    ]);
  });
}

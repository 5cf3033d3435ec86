import type { Db } from '../../../platform/db/database.ts';
import { grouped } from '../../../platform/grouped.ts';
import { createSlices } from '../../../platform/slices.ts';
import type { FeatureDefinition } from '../evaluation/index.ts';
import {
  type FeatureSelection,
  listDependencies,
  listFeatures,
  listStates,
  listStrategies,
  listTags,
} from './queries.ts';
import type { DefinedFeature } from './snapshot.ts';

/** A feature by environment, for each environment of its project. */
export type FeatureByEnvironment = ReadonlyMap<string, DefinedFeature>;

type Strategies = NonNullable<FeatureDefinition['strategies']>;
type StrategyRow = Omit<
  Awaited<ReturnType<typeof listStrategies>>[number],
  'feature' | 'environment'
>;

const strategyOf = (feature: string, { title, ...strategy }: StrategyRow): Strategies[number] => ({
  ...strategy,
  ...(title !== null && { title }),
  // SDKs need a groupId. The default is the name of the feature.
  ...('rollout' in strategy.parameters &&
    strategy.parameters.groupId === undefined && {
      parameters: { ...strategy.parameters, groupId: feature },
    }),
});

interface FeatureFacts extends Omit<DefinedFeature, 'definition'> {
  readonly impressionData: boolean;
  readonly parents: readonly {
    readonly feature: string;
    readonly enabled: boolean;
    readonly variants: readonly string[];
  }[];
}

interface FeatureInEnvironment {
  readonly enabled: boolean;
  readonly variants: NonNullable<FeatureDefinition['variants']>;
  /** In their order. */
  readonly strategies: readonly StrategyRow[];
}

/** A feature in an environment, as SDKs evaluate it. */
export function defineFeature(facts: FeatureFacts, state: FeatureInEnvironment): DefinedFeature {
  const { name, project, type, description, stale, tags, impressionData } = facts;
  const dependencies = facts.parents.map(({ feature, enabled, variants }) => ({
    feature,
    enabled,
    ...(variants.length > 0 && { variants }),
  }));
  const definition = {
    name,
    enabled: state.enabled,
    impressionData,
    strategies: state.strategies.map((strategy) => strategyOf(name, strategy)),
    variants: state.variants,
    ...(dependencies.length > 0 && { dependencies }),
  };
  return { name, project, type, description, stale, tags, definition };
}

/** The selected active features by name, in each environment. */
export async function readFeatures(
  db: Db,
  choice: FeatureSelection,
  environmentsOf: ReadonlyMap<string, readonly string[]>,
): Promise<Map<string, FeatureByEnvironment>> {
  const features = await listFeatures(db, choice);
  const states = new Map(
    (await listStates(db, choice)).map((state) => [`${state.name} ${state.environment}`, state]),
  );
  const strategies = grouped(
    await listStrategies(db, choice),
    ({ feature, environment }) => `${feature} ${environment}`,
  );
  const dependencies = grouped(await listDependencies(db, choice), ({ child }) => child);
  const tags = grouped(await listTags(db, choice), ({ name }) => name);
  const found = new Map<string, FeatureByEnvironment>();
  const slices = createSlices();
  for (const feature of features) {
    const { name } = feature;
    const facts = {
      ...feature,
      tags: (tags.get(name) ?? []).map(({ tag }) => tag),
      parents: (dependencies.get(name) ?? []).map(({ parent, enabled, variants }) => ({
        feature: parent,
        enabled,
        variants,
      })),
    };
    const byEnvironment = new Map<string, DefinedFeature>();
    for (const environment of environmentsOf.get(feature.project) ?? []) {
      const state = states.get(`${name} ${environment}`);
      const own = strategies.get(`${name} ${environment}`) ?? [];
      byEnvironment.set(
        environment,
        defineFeature(facts, {
          enabled: state?.enabled ?? false,
          variants: state?.variants ?? [],
          strategies: own.map(({ feature: _name, environment: _environment, ...row }) => row),
        }),
      );
    }
    found.set(name, byEnvironment);
    if (slices.isOver()) await slices.pause();
  }
  return found;
}

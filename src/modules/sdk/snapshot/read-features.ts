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

const strategyOf = ({
  title,
  feature,
  environment,
  ...strategy
}: Awaited<ReturnType<typeof listStrategies>>[number]): Strategies[number] => ({
  ...strategy,
  ...(title !== null && { title }),
  // SDKs need a groupId. The default is the name of the feature.
  ...('rollout' in strategy.parameters &&
    strategy.parameters.groupId === undefined && {
      parameters: { ...strategy.parameters, groupId: feature },
    }),
});

/** The selected living features by name, in each environment. */
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
  for (const { name, project, type, description, stale, impressionData } of features) {
    const shared = {
      ...{ name, project, type, description, stale },
      tags: (tags.get(name) ?? []).map(({ tag }) => tag),
    };
    const parents = (dependencies.get(name) ?? []).map(({ parent, enabled, variants }) => ({
      feature: parent,
      enabled,
      ...(variants.length > 0 && { variants }),
    }));
    const byEnvironment = new Map<string, DefinedFeature>();
    for (const environment of environmentsOf.get(project) ?? []) {
      const state = states.get(`${name} ${environment}`);
      const definition = {
        name,
        enabled: state?.enabled ?? false,
        impressionData,
        strategies: (strategies.get(`${name} ${environment}`) ?? []).map(strategyOf),
        variants: state?.variants ?? [],
        ...(parents.length > 0 && { dependencies: parents }),
      };
      byEnvironment.set(environment, { ...shared, definition });
    }
    found.set(name, byEnvironment);
    if (slices.isOver()) await slices.pause();
  }
  return found;
}

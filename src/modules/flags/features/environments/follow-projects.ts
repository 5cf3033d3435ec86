import type { Tx } from '../../../../platform/db/database.ts';
import { refuseTooMuch } from '../../../../platform/volume.ts';
import { listProjectsWith } from '../../../catalogue/projects/index.ts';
import {
  addStrategiesTo,
  countCharactersIn,
  listStrategiesIn,
  removeStrategiesIn,
} from '../../strategies/index.ts';
import {
  deleteEnvironmentState,
  type LockedFeature,
  listFeatureNames,
  listStatesIn,
  lockFeatures,
  setVariantsOf,
  switchFeatures,
} from '../index.ts';

/** All features of closed projects: nobody adds one, and nobody changes these. */
const lockFeaturesOf = async (tx: Tx, projects: readonly string[]): Promise<LockedFeature[]> =>
  lockFeatures(tx, await listFeatureNames(tx.db, projects));

/** Removes what the features of a project have in an environment that the project is about to lose. */
export async function removeEnvironmentStates(
  tx: Tx,
  { project, environment }: { readonly project: string; readonly environment: string },
): Promise<void> {
  const features = await lockFeaturesOf(tx, [project]);
  const names = features.map(({ name }) => name);
  await removeStrategiesIn(tx, features, environment);
  const states = await listStatesIn(tx.db, names, environment);
  const varied = new Set(
    states.filter(({ variants }) => variants.length > 0).map(({ featureName }) => featureName),
  );
  await setVariantsOf(
    tx,
    features
      .filter(({ name }) => varied.has(name))
      .map((feature) => ({ feature, variants: new Map([[environment, []]]) })),
  );
  await deleteEnvironmentState(tx, names, environment);
}

/**
 * Copies what features have in an environment to its copy, in the projects that got it. An archived feature
 * gets its strategies and variants too, but is not on: nor will it be when it is revived.
 */
export async function copyEnvironmentStates(
  tx: Tx,
  { source, copy }: { readonly source: string; readonly copy: { readonly name: string } },
): Promise<void> {
  const projects = await listProjectsWith(tx.db, copy.name);
  const features = new Map(
    (await lockFeaturesOf(tx, projects)).map((feature) => [feature.name, feature]),
  );
  if (features.size === 0) return;
  const names = [...features.keys()];
  refuseTooMuch(await countCharactersIn(tx.db, names, source));
  const strategies = await listStrategiesIn(tx.db, names, source);
  const states = await listStatesIn(tx.db, names, source);
  await addStrategiesTo(
    tx,
    strategies.flatMap(({ id, featureName, ...strategy }) => {
      const feature = features.get(featureName);
      return feature ? [{ feature, environment: copy.name, strategy }] : [];
    }),
  );
  const having = states.flatMap(({ featureName, ...state }) => {
    const feature = features.get(featureName);
    return feature ? [{ feature, ...state }] : [];
  });
  await setVariantsOf(
    tx,
    having
      .filter(({ variants }) => variants.length > 0)
      .map(({ feature, variants }) => ({ feature, variants: new Map([[copy.name, variants]]) })),
  );
  const on = having.filter(({ feature, enabled }) => enabled && !feature.archivedAt);
  await switchFeatures(
    tx,
    on.map(({ feature }) => feature),
    copy.name,
    true,
  );
}

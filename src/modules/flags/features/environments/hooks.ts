import type { Tx } from '../../../../platform/db/database.ts';
import { grouped } from '../../../../platform/grouped.ts';
import { refuseLargeTransaction } from '../../../../platform/volume.ts';
import { listProjectsWith } from '../../../catalogue/projects/index.ts';
import { addParts } from '../assemble/service.ts';
import { type LockedFeature, lockFeatures } from '../lock.ts';
import { listFeatureNames } from '../read/list-queries.ts';
import { countCharactersIn, listStrategiesIn } from '../strategies/read/queries.ts';
import { removeStrategiesIn } from '../strategies/remove/service.ts';
import { setVariantsOf } from '../variants/service.ts';
import { deleteEnvironmentState, listStatesIn } from './queries.ts';

/** The projects are locked: no one adds a feature. */
const lockFeaturesOf = async (tx: Tx, projects: readonly string[]): Promise<LockedFeature[]> =>
  lockFeatures(tx, await listFeatureNames(tx.db, projects));

/** Removes everything that the features of a project have in an environment that the project is about to lose. */
export async function removeEnvironmentStates(
  tx: Tx,
  { project, environment }: { readonly project: string; readonly environment: string },
): Promise<void> {
  const features = await lockFeaturesOf(tx, [project]);
  const names = features.map(({ name }) => name);
  await removeStrategiesIn(tx, features, environment);
  const states = await listStatesIn(tx.db, names, environment);
  const withVariants = new Set(
    states.filter(({ variants }) => variants.length > 0).map(({ featureName }) => featureName),
  );
  await setVariantsOf(
    tx,
    features
      .filter(({ name }) => withVariants.has(name))
      .map((feature) => ({ feature, variants: new Map([[environment, []]]) })),
  );
  await deleteEnvironmentState(tx, names, environment);
}

/**
 * Copies everything that features have in an environment to its copy, in the projects that got the copy.
 * Archived features get strategies and variants, too, but are not switched on.
 */
export async function copyEnvironmentStates(
  tx: Tx,
  { source, copy }: { readonly source: string; readonly copy: { readonly name: string } },
): Promise<void> {
  const features = await lockFeaturesOf(tx, await listProjectsWith(tx.db, copy.name));
  if (features.length === 0) return;
  const names = features.map(({ name }) => name);
  refuseLargeTransaction(await countCharactersIn(tx.db, names, source));
  const strategies = grouped(
    await listStrategiesIn(tx.db, names, source),
    ({ featureName }) => featureName,
  );
  const states = new Map(
    (await listStatesIn(tx.db, names, source)).map((state) => [state.featureName, state]),
  );
  const environment = copy.name;
  await addParts(
    tx,
    features.map((feature) => {
      const { variants = [], enabled = false } = states.get(feature.name) ?? {};
      return {
        feature,
        eventOrder: [
          (strategies.get(feature.name) ?? []).map(({ id, featureName, ...strategy }) => ({
            environment,
            strategy,
          })),
          variants.length > 0 ? [{ environment, variants }] : [],
          enabled && !feature.archivedAt ? [{ environment, enabled }] : [],
        ],
      };
    }),
  );
}

import type { Db, Tx } from '../../../../platform/db/database.ts';
import { invalidOperation, notFound } from '../../../../platform/errors.ts';
import { grouped } from '../../../../platform/grouped.ts';
import { demand, sees } from '../../../../platform/permission.ts';
import { lockForNewFeature, type Project } from '../../../catalogue/projects/index.ts';
import { recordEach } from '../../../events/index.ts';
import { listParents } from '../dependencies/queries.ts';
import { removeParents } from '../dependencies/service.ts';
import { featureArchived, featureDeleted, featureRevived } from '../events.ts';
import { refuseBeyondLimits } from '../limits.ts';
import {
  aboutFeature,
  factsOf,
  type LockedFeature,
  lockActiveFeature,
  lockActiveFeatures,
  lockArchivedFeature,
  lockArchivedFeatures,
  lockFeatures,
  refuseUnknown,
} from '../lock.ts';
import { deleteFeatures, findProjectOf, listActive, listOutsideChildren } from '../queries.ts';
import { listFeatureNames } from '../read/list-queries.ts';
import { archiveAt, reviveNow } from './queries.ts';

const namesOf = (features: readonly LockedFeature[]) => features.map(({ name }) => name);

/** `at`: when another installation archived it. */
export async function archiveFeature(
  tx: Tx,
  project: string,
  name: string,
  at: Date = tx.now,
): Promise<void> {
  await archive(tx, [await lockActiveFeature(tx, project, name)], at);
}

export async function archiveFeatures(
  tx: Tx,
  project: string,
  names: readonly string[],
): Promise<void> {
  await archive(tx, await lockActiveFeatures(tx, project, names));
}

const maxNames = 10;

/** The first names, and how many more there are. */
const quoted = (names: readonly string[]): string => {
  const some = names
    .slice(0, maxNames)
    .map((name) => `'${name}'`)
    .join(', ');
  return names.length > maxNames ? `${some} and ${names.length - maxNames} more` : some;
};

async function archive(
  tx: Tx,
  features: readonly LockedFeature[],
  at: Date = tx.now,
): Promise<void> {
  if (features.length === 0) return;
  const names = namesOf(features);
  const [[parent, children] = []] = grouped(
    await listOutsideChildren(tx.db, names),
    (edge) => edge.parent,
  );
  if (parent !== undefined && children) {
    const some = quoted(children.map(({ child }) => child));
    throw invalidOperation(
      `'${parent}' cannot be archived while other features depend on it: ${some}`,
    );
  }
  await removeParents(tx, features);
  await archiveAt(tx, names, at);
  await recordEach(tx, features, (feature) => featureArchived(aboutFeature(feature)));
}

/** Which of the features have children outside the list, and whether any has a parent. */
export async function previewArchiving(db: Db, project: string, names: readonly string[]) {
  refuseUnknown(await listActive(db, project, names), project, names);
  const children = await listOutsideChildren(db, names);
  return {
    parentsWithChildFeatures: [...new Set(children.map(({ parent }) => parent))],
    hasDeletedDependencies: (await listParents(db, names)).length > 0,
  };
}

export async function reviveFeature(tx: Tx, name: string): Promise<void> {
  const project = await findProjectOf(tx.db, name);
  if (project === undefined) throw notFound('archived feature', name);
  // The gate checked the project that the feature had then. It may have moved since.
  if (!sees(tx.actor, project)) throw notFound('archived feature', name);
  demand(tx.actor, 'UPDATE_FEATURE', project);
  const target = await lockForNewFeature(tx, project);
  await revive(tx, target, [await lockArchivedFeature(tx, name, { project })]);
}

export async function reviveFeatures(
  tx: Tx,
  project: string,
  names: readonly string[],
): Promise<void> {
  const target = await lockForNewFeature(tx, project);
  await revive(tx, target, await lockArchivedFeatures(tx, project, names));
}

async function revive(tx: Tx, project: Project, features: readonly LockedFeature[]): Promise<void> {
  if (features.length === 0) return;
  await refuseBeyondLimits(tx, project, features.length);
  await reviveNow(tx, namesOf(features));
  await recordEach(tx, features, (feature) => featureRevived(aboutFeature(feature)));
}

export async function deleteFeature(tx: Tx, name: string): Promise<void> {
  const feature = await lockArchivedFeature(tx, name, { purpose: 'delete' });
  if (!sees(tx.actor, feature.project)) throw notFound('archived feature', name);
  demand(tx.actor, 'DELETE_FEATURE', feature.project);
  await removeArchivedFeatures(tx, [feature]);
}

export async function deleteFeaturesInBulk(
  tx: Tx,
  project: string,
  names: readonly string[],
): Promise<void> {
  const features = await lockArchivedFeatures(tx, project, names, 'delete');
  await removeArchivedFeatures(tx, features);
}

/** The project is being deleted, so that all its features are archived. */
export async function removeFeaturesOf(tx: Tx, { id }: { readonly id: string }): Promise<void> {
  const names = await listFeatureNames(tx.db, [id]);
  await removeArchivedFeatures(tx, await lockFeatures(tx, names, 'delete'));
}

/** The features are locked for deletion. Everything that belongs to them is deleted, too. */
async function removeArchivedFeatures(tx: Tx, features: readonly LockedFeature[]): Promise<void> {
  if (features.length === 0) return;
  await deleteFeatures(tx, namesOf(features));
  await recordEach(tx, features, (feature) =>
    featureDeleted({ ...aboutFeature(feature), preData: factsOf(feature) }),
  );
}

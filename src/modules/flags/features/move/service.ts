import type { Tx } from '../../../../platform/db/database.ts';
import { invalidOperation, notFound, patternError } from '../../../../platform/errors.ts';
import { demand, sees } from '../../../../platform/permission.ts';
import {
  lockLivingProjects,
  namingBreach,
  type Project,
} from '../../../catalogue/projects/index.ts';
import { record } from '../../../events/index.ts';
import { aboutFeature, getLivingFeature, type LockedFeature } from '../lock.ts';
import { featureProjectChange } from './events.ts';
import { deleteStateOutside, findObstacles, updateProjectOf } from './queries.ts';

/** Locks both projects before the feature, as everywhere, and reads obstacles after all locks. */
export async function changeProjectOf(
  tx: Tx,
  { project, feature: name }: { readonly project: string; readonly feature: string },
  newProject: string,
): Promise<void> {
  if (!sees(tx.actor, newProject)) throw notFound('project', newProject);
  const locked = await lockLivingProjects(tx, [project, newProject]);
  const target = locked.find(({ id }) => id === newProject);
  if (!target) throw notFound('project', newProject);
  demand(tx.actor, 'MOVE_FEATURE_TOGGLE', newProject);
  const feature = await getLivingFeature(tx, project, name);
  if (newProject === project) return;
  const breach = namingBreach(target.featureNaming, name);
  if (breach !== undefined) throw patternError(breach);
  const reasons = await listReasons(tx, name, target);
  if (reasons.length > 0) {
    throw invalidOperation(
      `The feature '${name}' cannot be moved to the project '${newProject}': ${reasons.join('; ')}`,
    );
  }
  const fromPrivate = locked.some(({ id, mode }) => id === project && mode === 'private');
  await moveFeature(tx, feature, newProject, { fromPrivate });
}

/** Every reason why the feature cannot be moved. */
async function listReasons(tx: Tx, feature: string, target: Project): Promise<string[]> {
  const obstacles = await findObstacles(tx.db, feature, target.id);
  const { lostEnvironments, lostSegments, parents, children, featureCount } = obstacles;
  const { featureLimit } = target;
  return [
    ...reasonFor(
      lostEnvironments,
      'it is enabled, or has strategies or variants, in environments that the project does not have',
    ),
    ...reasonFor(lostSegments, 'its strategies use segments of its own project'),
    ...reasonFor(parents, 'it depends on other features'),
    ...reasonFor(children, 'other features depend on it'),
    ...(featureLimit !== null && featureCount >= featureLimit
      ? [`the project has reached its limit of ${featureLimit} features`]
      : []),
  ];
}

const reasonFor = (names: readonly string[], reason: string): string[] =>
  names.length > 0 ? [`${reason} (${names.join(', ')})`] : [];

/** The caller has checked that the project can take the feature. */
async function moveFeature(
  tx: Tx,
  feature: LockedFeature,
  project: string,
  { fromPrivate }: { readonly fromPrivate: boolean },
): Promise<void> {
  await updateProjectOf(tx, feature.name, project);
  await deleteStateOutside(tx, feature.name, project);
  const data = { newProject: project, ...(!fromPrivate && { oldProject: feature.project }) };
  record(tx, featureProjectChange({ ...aboutFeature({ ...feature, project }), data }));
}

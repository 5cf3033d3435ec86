import type { Tx } from '../../../../platform/db/database.ts';
import { invalidOperation, notFound, patternError } from '../../../../platform/errors.ts';
import { demand, sees } from '../../../../platform/permission.ts';
import {
  lockActiveProjects,
  namingBreach,
  type Project,
} from '../../../catalogue/projects/index.ts';
import { recordEach } from '../../../events/index.ts';
import { aboutFeature, type LockedFeature, lockActiveFeature } from '../lock.ts';
import { featureProjectChange } from './events.ts';
import { countFeaturesOf, deleteStateOutside, listObstacles, updateProjectOf } from './queries.ts';

/** Locks both projects before the feature, as everywhere, and reads obstacles after all locks. */
export async function changeProjectOf(
  tx: Tx,
  { project, feature: name }: { readonly project: string; readonly feature: string },
  newProject: string,
): Promise<void> {
  if (!sees(tx.actor, newProject)) throw notFound('project', newProject);
  const locked = await lockActiveProjects(tx, [project, newProject]);
  const target = locked.find(({ id }) => id === newProject);
  if (!target) throw notFound('project', newProject);
  demand(tx.actor, 'MOVE_FEATURE_TOGGLE', newProject);
  const feature = await lockActiveFeature(tx, project, name);
  if (newProject === project) return;
  const breach = namingBreach(target.featureNaming, name);
  if (breach !== undefined) throw patternError(breach);
  const { reasons } = await moveFeatures(tx, [feature], target, locked);
  const reason = reasons.get(name);
  if (reason !== undefined) {
    throw invalidOperation(
      `The feature '${name}' cannot be moved to the project '${newProject}': ${reason}`,
    );
  }
}

/**
 * Moves those of the features that lose nothing. The features, their projects and the new one are locked. Says of
 * every other feature why it stays; one that is there already does not move.
 */
export async function moveFeatures(
  tx: Tx,
  features: readonly LockedFeature[],
  target: Project,
  projects: readonly Project[],
): Promise<{ readonly moved: string[]; readonly reasons: ReadonlyMap<string, string> }> {
  const coming = features.filter(({ project }) => project !== target.id);
  if (coming.length === 0) return { moved: [], reasons: new Map() };
  const reasons = await listReasons(tx, coming, target);
  const moving = coming.filter(({ name }) => !reasons.has(name));
  const moved = moving.map(({ name }) => name);
  if (moved.length === 0) return { moved, reasons };
  await updateProjectOf(tx, moved, target.id);
  await deleteStateOutside(tx, moved, target.id);
  const hidden = new Set(projects.filter(({ mode }) => mode === 'private').map(({ id }) => id));
  await recordEach(tx, moving, (feature) =>
    featureProjectChange({
      ...aboutFeature({ ...feature, project: target.id }),
      formerProject: feature.project,
      data: {
        newProject: target.id,
        ...(!hidden.has(feature.project) && { oldProject: feature.project }),
      },
    }),
  );
  return { moved, reasons };
}

/** Every reason why a feature cannot be moved, for those that cannot. */
async function listReasons(
  tx: Tx,
  features: readonly LockedFeature[],
  target: Project,
): Promise<Map<string, string>> {
  const names = features.map(({ name }) => name);
  const obstacles = await listObstacles(tx.db, names, target.id);
  const { featureLimit, featureNaming } = target;
  let remaining =
    featureLimit === null ? Infinity : featureLimit - (await countFeaturesOf(tx.db, target.id));
  const reasons = new Map<string, string>();
  for (const { feature, lostEnvironments, lostSegments, parents, children } of obstacles) {
    const breach = namingBreach(featureNaming, feature);
    const found = [
      ...(breach === undefined ? [] : [breach]),
      ...reasonFor(
        lostEnvironments,
        'it is enabled, or has strategies or variants, in environments that the project does not have',
      ),
      ...reasonFor(lostSegments, 'its strategies use segments of its own project'),
      ...reasonFor(parents, 'it depends on other features'),
      ...reasonFor(children, 'other features depend on it'),
      ...(remaining <= 0 ? [`the project has reached its limit of ${featureLimit} features`] : []),
    ];
    if (found.length > 0) reasons.set(feature, found.join('; '));
    else remaining -= 1;
  }
  return reasons;
}

const reasonFor = (names: readonly string[], reason: string): string[] =>
  names.length > 0 ? [`${reason} (${names.join(', ')})`] : [];

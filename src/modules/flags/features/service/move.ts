import type { Tx } from '../../../../platform/db/database.ts';
import { record } from '../../../events/index.ts';
import { featureProjectChange } from '../move-events.ts';
import type { LockedFeature } from '../queries/lock.ts';
import { deleteStateOutside, updateProjectOf } from '../queries/reorganisation.ts';
import { placeOf } from './locked.ts';

/** Moves a feature, and no more: whether it may stand in the other project is the caller's to know. */
export async function moveFeature(
  tx: Tx,
  feature: LockedFeature,
  project: string,
  { fromPrivate }: { readonly fromPrivate: boolean },
): Promise<void> {
  await updateProjectOf(tx, feature.name, project);
  await deleteStateOutside(tx, feature.name, project);
  const data = { newProject: project, ...(!fromPrivate && { oldProject: feature.project }) };
  record(tx, featureProjectChange({ ...placeOf({ ...feature, project }), data }));
}

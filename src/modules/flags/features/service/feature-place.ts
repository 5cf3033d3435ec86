import type { Db } from '../../../../platform/db/database.ts';
import { notFound } from '../../../../platform/errors.ts';
import { findFeatureIn } from '../queries/feature-place.ts';

/** A feature of a project, archived or not, to be looked at. */
export async function getFeatureIn(db: Db, project: string, name: string) {
  const feature = await findFeatureIn(db, project, name);
  if (!feature) throw notFound('feature', name);
  return feature;
}

import type { Db } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';

/** Whether a project has a feature, living or archived, for those who only look at it. */
export const findFeatureIn = (db: Db, project: string, name: string) =>
  db
    .selectFrom('features')
    .where('name', '=', name)
    .where('project', '=', project)
    .select(['name', 'project', 'archived_at as archivedAt'])
    .executeTakeFirst();

/** What variants of a project stick to, unless they say otherwise (2.4). */
export async function findDefaultStickiness(db: Db, project: string): Promise<string> {
  const found = await db
    .selectFrom('projects')
    .where('id', '=', project)
    .select('default_stickiness as stickiness')
    .executeTakeFirst();
  return found?.stickiness ?? 'default';
}

/** A feature of a project, archived or not, to be looked at. */
export async function getFeatureIn(db: Db, project: string, name: string) {
  const feature = await findFeatureIn(db, project, name);
  if (!feature) throw notFound('feature', name);
  return feature;
}

import type { Db } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';

/** Active or archived. Locks nothing: for reads only. */
export const findFeatureIn = (db: Db, project: string, name: string) =>
  db
    .selectFrom('features')
    .where('name', '=', name)
    .where('project', '=', project)
    .select(['name', 'project', 'archived_at as archivedAt'])
    .executeTakeFirst();

/** The stickiness of variants that name none (section 2.4). */
export async function findDefaultStickiness(db: Db, project: string): Promise<string> {
  const found = await db
    .selectFrom('projects')
    .where('id', '=', project)
    .select('default_stickiness as stickiness')
    .executeTakeFirst();
  return found?.stickiness ?? 'default';
}

/** Active or archived. Locks nothing: for reads only. */
export async function getFeatureIn(db: Db, project: string, name: string) {
  const feature = await findFeatureIn(db, project, name);
  if (!feature) throw notFound('feature', name);
  return feature;
}

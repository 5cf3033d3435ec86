import type { Db } from '../../../../platform/db/database.ts';
import { effectiveStrategy } from '../../../catalogue/projects/index.ts';

/** What strategies and variants of a project get if they say nothing else. */
export async function readProjectDefaults(db: Db, project: string) {
  const rows = await db
    .selectFrom('projects')
    .innerJoin('project_environments as pe', 'pe.project', 'projects.id')
    .where('projects.id', '=', project)
    .select(['projects.default_stickiness as stickiness', 'pe.environment'])
    .select('pe.default_strategy as stored')
    .execute();
  return {
    defaultStickiness: rows[0]?.stickiness ?? 'default',
    /** By environment. Switching a feature on adds it where there is no enabled strategy. */
    defaultStrategies: new Map(
      rows.map(({ environment, stored, stickiness }) => [
        environment,
        effectiveStrategy(stored, stickiness),
      ]),
    ),
  };
}

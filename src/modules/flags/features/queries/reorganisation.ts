import { sql } from 'kysely';
import type { Tx } from '../../../../platform/db/database.ts';

export const updateProjectOf = (tx: Tx, name: string, project: string) =>
  tx.db.updateTable('features').set({ project }).where('name', '=', name).execute();

/** What features have in an environment that their project is about to lose. */
export const deleteEnvironmentState = (tx: Tx, names: readonly string[], environment: string) =>
  tx.db
    .deleteFrom('feature_environments')
    .where(sql<boolean>`feature_name = any(${names}::text[])`)
    .where('environment', '=', environment)
    .execute();

/** What is left of a feature in environments that a project lacks: when it was last seen there. */
export const deleteStateOutside = (tx: Tx, name: string, project: string) =>
  tx.db
    .deleteFrom('feature_environments')
    .where('feature_name', '=', name)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('project_environments as own')
            .where('own.project', '=', project)
            .whereRef('own.environment', '=', 'feature_environments.environment'),
        ),
      ),
    )
    .execute();

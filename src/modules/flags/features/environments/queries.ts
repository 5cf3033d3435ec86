import { sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';

/** What features have in an environment beside strategies; only those that have anything there. */
export const listStatesIn = (db: Db, names: readonly string[], environment: string) =>
  db
    .selectFrom('feature_environments')
    .where(sql<boolean>`feature_name = any(${names}::text[])`)
    .where('environment', '=', environment)
    .select(['feature_name as featureName', 'enabled', 'variants'])
    .execute();

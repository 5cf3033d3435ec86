import { sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';

/** Finds the oldest active feature of a project, and whether SDKs asked for any feature, archived ones included. */
export const findOnboarding = (db: Db, project: string) =>
  db
    .selectNoFrom([
      sql<string | null>`(
        select name from features where project = ${project} and archived_at is null
        order by created_at, name limit 1)`.as('firstFeature'),
      sql<boolean>`exists (
        select from features
        join feature_environments state on state.feature_name = features.name
        where features.project = ${project} and state.last_seen_at is not null)`.as('isSeen'),
    ])
    .executeTakeFirstOrThrow();

import { sql } from 'kysely';
import type { Tx } from '../../../../platform/db/database.ts';

/** A feature that was asked for in an environment. */
export interface Sighting {
  readonly feature: string;
  readonly environment: string;
  /** When; it may be told late. */
  readonly at: Date;
}

const seen = (sightings: readonly Sighting[]) =>
  sql<Sighting>`unnest(
    ${sightings.map(({ feature }) => feature)}::text[],
    ${sightings.map(({ environment }) => environment)}::text[],
    ${sightings.map(({ at }) => at.toISOString())}::timestamptz[])`.as<'seen'>(
    sql`seen(feature, environment, at)`,
  );

/**
 * Whoever deletes a feature locks it first, and then what it has. Whoever notes what it has needs the feature, too,
 * for what refers to it: in the same order, neither waits for the other while holding what that one needs.
 */
export const holdFeatures = (tx: Tx, sightings: readonly Sighting[]) =>
  tx.db
    .selectFrom('features')
    .where(sql<boolean>`name = any(${sightings.map(({ feature }) => feature)}::text[])`)
    .select('name')
    .orderBy('name')
    .forKeyShare()
    .execute();

/**
 * The features among them that have no row in the environment yet. Nobody takes it from their projects, nor them to
 * another project, until the transaction ends: whoever does locks the feature first.
 */
export async function holdNewlySeen(tx: Tx, sightings: readonly Sighting[]): Promise<boolean> {
  const held = await tx.db
    .selectFrom('features')
    .where(({ selectFrom }) => {
      const fresh = selectFrom(seen(sightings))
        .leftJoin('feature_environments as stored', (join) =>
          join
            .onRef('stored.feature_name', '=', 'seen.feature')
            .onRef('stored.environment', '=', 'seen.environment'),
        )
        .where('stored.feature_name', 'is', null)
        .select('seen.feature');
      return sql<boolean>`name = any(array(${fresh}))`;
    })
    .select('name')
    .orderBy('name')
    .forShare()
    .execute();
  return held.length > 0;
}

/** Never backwards; in the order of the names, as everybody. */
export const updateLastSeen = (tx: Tx, sightings: readonly Sighting[]) =>
  tx.db
    .with('due', (db) =>
      db
        .selectFrom('feature_environments as stored')
        .innerJoin(seen(sightings), (join) =>
          join
            .onRef('seen.feature', '=', 'stored.feature_name')
            .onRef('seen.environment', '=', 'stored.environment'),
        )
        .where(({ or, eb, ref }) =>
          or([
            eb('stored.last_seen_at', 'is', null),
            eb('stored.last_seen_at', '<', ref('seen.at')),
          ]),
        )
        .select(['stored.feature_name', 'stored.environment', 'seen.at'])
        .orderBy('stored.feature_name')
        .orderBy('stored.environment')
        .forNoKeyUpdate('stored'),
    )
    .updateTable('feature_environments')
    .from('due')
    .whereRef('feature_environments.feature_name', '=', 'due.feature_name')
    .whereRef('feature_environments.environment', '=', 'due.environment')
    .set(({ ref }) => ({ last_seen_at: ref('due.at') }))
    .execute();

/** Where a feature has no row yet, in environments that its project has. */
export const insertLastSeen = (tx: Tx, sightings: readonly Sighting[]) =>
  tx.db
    .insertInto('feature_environments')
    .columns(['feature_name', 'environment', 'last_seen_at'])
    .expression(({ selectFrom }) =>
      selectFrom(seen(sightings))
        .innerJoin('features', 'features.name', 'seen.feature')
        .innerJoin('project_environments as own', (join) =>
          join
            .onRef('own.project', '=', 'features.project')
            .onRef('own.environment', '=', 'seen.environment'),
        )
        .leftJoin('feature_environments as stored', (join) =>
          join
            .onRef('stored.feature_name', '=', 'seen.feature')
            .onRef('stored.environment', '=', 'seen.environment'),
        )
        .where('stored.feature_name', 'is', null)
        .select(['features.name', 'own.environment', 'seen.at'])
        .orderBy('features.name')
        .orderBy('own.environment'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();

import { sql } from 'kysely';
import type { Tx } from '../../../../platform/db/database.ts';

/** An evaluation of a feature in an environment. */
export interface Sighting {
  readonly feature: string;
  readonly environment: string;
  /** It may be reported late. */
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
 * A deletion locks a feature first and its states afterwards. Writing a state also locks the feature, through the foreign
 * key. Both must lock in the same order, or they can wait for each other.
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
 * The features that have no state in the environment yet. Until the transaction ends their project keeps the
 * environment and the features stay in it, because every change of either locks the features first.
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

/** Never sets an earlier time. Updates in the order of names, as everywhere. */
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

/** Only for features without a state, in environments that their project has. */
export const insertLastSeen = (tx: Tx, sightings: readonly Sighting[]) =>
  tx.db
    .insertInto('feature_environments')
    .columns(['feature_name', 'environment', 'last_seen_at'])
    .expression(({ selectFrom }) =>
      selectFrom(seen(sightings))
        .innerJoin('features', 'features.name', 'seen.feature')
        .innerJoin('project_environments as pe', (join) =>
          join
            .onRef('pe.project', '=', 'features.project')
            .onRef('pe.environment', '=', 'seen.environment'),
        )
        .leftJoin('feature_environments as stored', (join) =>
          join
            .onRef('stored.feature_name', '=', 'seen.feature')
            .onRef('stored.environment', '=', 'seen.environment'),
        )
        .where('stored.feature_name', 'is', null)
        .select(['features.name', 'pe.environment', 'seen.at'])
        .orderBy('features.name')
        .orderBy('pe.environment'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();

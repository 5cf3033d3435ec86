import { type RawBuilder, sql } from 'kysely';
import type { Actor, Db, Tx } from '../../../../platform/db/database.ts';
import { type Completion, type Stage, stages } from './contract.ts';

/** The place of a stage among all, from one. */
const placeOf = (stage: RawBuilder<unknown>) =>
  sql<number>`array_position(${[...stages]}::text[], ${stage})`;

export const listEnteredStages = (db: Db, feature: string) =>
  db
    .selectFrom('feature_lifecycles')
    .where('feature_name', '=', feature)
    .select(['stage', 'entered_at as enteredAt', 'status', 'status_value as statusValue'])
    .orderBy(placeOf(sql.ref('stage')))
    .execute();

export const findCompletion = (db: Db, feature: string) =>
  db
    .selectFrom('feature_lifecycles')
    .where('feature_name', '=', feature)
    .where('stage', '=', 'completed')
    .select(['status', 'status_value as statusValue'])
    .executeTakeFirst();

/** Completed stays the day on which it was first. */
export const upsertCompletion = (
  tx: Tx,
  feature: string,
  { status, statusValue = null }: Omit<Completion, 'statusValue'> & { statusValue?: string | null },
) =>
  tx.db
    .insertInto('feature_lifecycles')
    .values({
      feature_name: feature,
      stage: 'completed',
      status,
      status_value: statusValue,
      entered_at: tx.now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['feature_name', 'stage'])
        .doUpdateSet({ status, status_value: statusValue }),
    )
    .execute();

export const deleteStage = (tx: Tx, feature: string, stage: Stage) =>
  tx.db
    .deleteFrom('feature_lifecycles')
    .where('feature_name', '=', feature)
    .where('stage', '=', stage)
    .returning('stage')
    .executeTakeFirst();

/** When a feature did what lets it enter a stage. */
export interface Entry {
  readonly feature: string;
  readonly at: Date;
}

/**
 * Those features that stand before the stage enter it; nobody goes back. Whoever tells of it late may name an
 * instant before the stage in which the feature stands: stages are entered one after the other.
 */
export const insertStage = (tx: Tx, entries: readonly Entry[], stage: Stage) =>
  tx.db
    .insertInto('feature_lifecycles')
    .columns(['feature_name', 'stage', 'entered_at'])
    .expression(({ selectFrom }) =>
      selectFrom(
        sql<{ feature: string; at: Date }>`unnest(
          ${entries.map(({ feature }) => feature)}::text[],
          ${entries.map(({ at }) => at.toISOString())}::timestamptz[])`.as<'told'>(
          sql`told(feature, at)`,
        ),
      )
        .innerJoin('features', 'features.name', 'told.feature')
        .leftJoinLateral(
          (from) =>
            from
              .selectFrom('feature_lifecycles as entered')
              .whereRef('entered.feature_name', '=', 'features.name')
              .select([
                sql<number>`max(${placeOf(sql.ref('entered.stage'))})`.as('place'),
                sql<Date>`max(entered.entered_at)`.as('since'),
              ])
              .as('standing'),
          (join) => join.onTrue(),
        )
        .where(sql<boolean>`coalesce(standing.place, 0) < ${placeOf(sql.lit(stage))}`)
        .select([
          'features.name',
          sql<Stage>`${stage}`.as('stage'),
          sql<Date>`greatest(told.at, standing.since)`.as('entered_at'),
        ])
        // As everybody who inserts several: they wait for each other in one order.
        .orderBy('features.name'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/** How many features stand at each stage, of the living projects that may be seen. */
export const countStages = (
  db: Db,
  sees: Actor['sees'],
): Promise<{ stage: Stage; count: number }[]> =>
  db
    .selectFrom(({ selectFrom }) =>
      selectFrom('features')
        .innerJoin('projects', 'projects.id', 'features.project')
        .innerJoin('feature_lifecycles as entered', 'entered.feature_name', 'features.name')
        .where('projects.archived_at', 'is', null)
        .$if(sees !== 'all', (query) =>
          query.where(sql<boolean>`features.project = any(${[...sees]}::text[])`),
        )
        .groupBy('features.name')
        .select(sql<number>`max(${placeOf(sql.ref('entered.stage'))})`.as('place'))
        .as('standing'),
    )
    .groupBy('place')
    .select([
      sql<Stage>`(${[...stages]}::text[])[place]`.as('stage'),
      sql<number>`count(*)::int`.as('count'),
    ])
    .execute();

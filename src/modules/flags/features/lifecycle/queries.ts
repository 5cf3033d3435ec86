import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../../../platform/actor.ts';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { type Completion, type Stage, stages } from './contract.ts';

/** The first stage is 1. */
const stageNumber = (stage: RawBuilder<unknown>) =>
  sql<number>`array_position(${[...stages]}::text[], ${stage})`;

export const listEnteredStages = (db: Db, feature: string) =>
  db
    .selectFrom('feature_lifecycles')
    .where('feature_name', '=', feature)
    .select(['stage', 'entered_at as enteredAt', 'status', 'status_value as statusValue'])
    .orderBy(stageNumber(sql.ref('stage')))
    .execute();

export const listCompletions = (db: Db, features: readonly string[]) =>
  db
    .selectFrom('feature_lifecycles')
    .where(sql<boolean>`feature_name = any(${features}::text[])`)
    .where('stage', '=', 'completed')
    .select(['feature_name as featureName', 'status', 'status_value as statusValue'])
    .execute();

/** Keeps the day on which each feature was first completed. */
export const upsertCompletions = (
  tx: Tx,
  features: readonly string[],
  { status, statusValue = null }: Omit<Completion, 'statusValue'> & { statusValue?: string | null },
) =>
  tx.db
    .insertInto('feature_lifecycles')
    .columns(['feature_name', 'stage', 'status', 'status_value', 'entered_at'])
    .expression(({ selectFrom }) =>
      selectFrom(
        sql<{ name: string }>`unnest(${features}::text[])`.as<'completed'>(sql`completed(name)`),
      ).select([
        'completed.name',
        sql<Stage>`'completed'`.as('stage'),
        sql<string>`${status}::text`.as('status'),
        sql<string | null>`${statusValue}::text`.as('status_value'),
        sql<Date>`${tx.now}::timestamptz`.as('entered_at'),
      ]),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['feature_name', 'stage'])
        .doUpdateSet({ status, status_value: statusValue }),
    )
    .execute();

/** Returns the features that had the stage. */
export const deleteStages = (tx: Tx, features: readonly string[], stage: Stage) =>
  tx.db
    .deleteFrom('feature_lifecycles')
    .where(sql<boolean>`feature_name = any(${features}::text[])`)
    .where('stage', '=', stage)
    .returning('feature_name as featureName')
    .execute();

/** When a feature entered a stage. */
export interface Entry {
  readonly feature: string;
  readonly at: Date;
}

/**
 * Moves features forward, never back. A late report may name an instant before the feature entered its current
 * stage. The new stage then begins with the current one, because stages follow each other.
 */
export const insertStage = (tx: Tx, entries: readonly Entry[], stage: Stage) =>
  tx.db
    .insertInto('feature_lifecycles')
    .columns(['feature_name', 'stage', 'entered_at'])
    .expression(({ selectFrom }) =>
      selectFrom(
        sql<{ feature: string; at: Date }>`unnest(
          ${entries.map(({ feature }) => feature)}::text[],
          ${entries.map(({ at }) => at.toISOString())}::timestamptz[])`.as<'entries'>(
          sql`entries(feature, at)`,
        ),
      )
        .innerJoin('features', 'features.name', 'entries.feature')
        .leftJoinLateral(
          (from) =>
            from
              .selectFrom('feature_lifecycles as entered')
              .whereRef('entered.feature_name', '=', 'features.name')
              .select([
                sql<number>`max(${stageNumber(sql.ref('entered.stage'))})`.as('stage_number'),
                sql<Date>`max(entered.entered_at)`.as('since'),
              ])
              .as('standing'),
          (join) => join.onTrue(),
        )
        .where(sql<boolean>`coalesce(standing.stage_number, 0) < ${stageNumber(sql.lit(stage))}`)
        .select([
          'features.name',
          sql<Stage>`${stage}`.as('stage'),
          sql<Date>`greatest(entries.at, standing.since)`.as('entered_at'),
        ])
        // Everyone inserts in this order, so that two writers cannot wait for each other.
        .orderBy('features.name'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/** Counts the features of visible active projects at each stage. */
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
        .select(sql<number>`max(${stageNumber(sql.ref('entered.stage'))})`.as('stage_number'))
        .as('standing'),
    )
    .groupBy('stage_number')
    .select([
      sql<Stage>`(${[...stages]}::text[])[stage_number]`.as('stage'),
      sql<number>`count(*)::int`.as('count'),
    ])
    .execute();

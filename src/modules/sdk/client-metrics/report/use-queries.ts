import { sql } from 'kysely';
import type { Tx } from '../../../../platform/db/database.ts';
import { type RowLimits, touchAfter } from './application-queries.ts';

export interface FeatureUse {
  readonly appName: string;
  readonly feature: string;
  readonly environment: string;
}

const reportedUses = (uses: readonly FeatureUse[]) =>
  sql<{ app: string; feature: string; environment: string }>`unnest(
    ${uses.map(({ appName }) => appName)}::text[], ${uses.map(({ feature }) => feature)}::text[],
    ${uses.map(({ environment }) => environment)}::text[])`.as<'reported'>(
    sql`reported(app, feature, environment)`,
  );

/** To the hour: readers ask whether an application uses a feature, not when. */
export const upsertUses = (tx: Tx, uses: readonly FeatureUse[]) =>
  tx.db
    .insertInto('application_features')
    .columns(['app_name', 'feature_name', 'environment', 'seen_at'])
    .expression(({ selectFrom }) =>
      selectFrom(reportedUses(uses))
        .leftJoin('application_features as stored', (join) =>
          join
            .onRef('stored.app_name', '=', 'reported.app')
            .onRef('stored.feature_name', '=', 'reported.feature')
            .onRef('stored.environment', '=', 'reported.environment'),
        )
        .where(
          sql<boolean>`stored.app_name is null
            or stored.seen_at < ${tx.now}::timestamptz - interval '1 hour'`,
        )
        .select([
          'reported.app',
          'reported.feature',
          'reported.environment',
          sql<Date>`${tx.now}::timestamptz`.as('seen_at'),
        ])
        .orderBy('reported.app')
        .orderBy('reported.feature')
        .orderBy('reported.environment'),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['app_name', 'feature_name', 'environment'])
        .doUpdateSet(({ ref }) => ({ seen_at: ref('excluded.seen_at') })),
    )
    .execute();

/** A use of a name that no feature has. */
export interface UseOfUnknownFeature extends FeatureUse {
  readonly isPublic: boolean;
}

/** Limits of stored names: of all, and of one application. */
interface NameLimits extends RowLimits {
  readonly ofApplication: number;
}

/** Inserts new names only within the limits. */
export const upsertUnknown = (tx: Tx, uses: readonly UseOfUnknownFeature[], most: NameLimits) =>
  tx.db
    .insertInto('unknown_features')
    .columns(['name', 'app_name', 'environment', 'seen_at'])
    .expression(({ selectFrom }) =>
      selectFrom((from) =>
        from
          .selectFrom(
            sql<{ app: string; feature: string; environment: string; open: boolean }>`unnest(
              ${uses.map(({ appName }) => appName)}::text[],
              ${uses.map(({ feature }) => feature)}::text[],
              ${uses.map(({ environment }) => environment)}::text[],
              ${uses.map(({ isPublic }) => isPublic)}::boolean[])`.as<'reported'>(
              sql`reported(app, feature, environment, open)`,
            ),
          )
          .leftJoin('unknown_features as stored', (join) =>
            join
              .onRef('stored.name', '=', 'reported.feature')
              .onRef('stored.app_name', '=', 'reported.app')
              .onRef('stored.environment', '=', 'reported.environment'),
          )
          .where(
            sql<boolean>`stored.name is null
              or stored.seen_at < ${tx.now}::timestamptz - ${touchAfter}`,
          )
          .select(['reported.feature', 'reported.app', 'reported.environment', 'reported.open'])
          .select([
            sql<boolean>`stored.name is not null`.as('isStored'),
            sql<number>`row_number() over (
              partition by stored.name is null order by reported.open)`.as('rank'),
            sql<number>`row_number() over (
              partition by stored.name is null, reported.app order by reported.open)`.as('ownRank'),
          ])
          .as('reported'),
      )
        .where(
          sql<boolean>`reported."isStored" or (
            reported.rank + (select count(*) from unknown_features)
              <= case when reported.open then ${most.public} else ${most.all} end::int
            and reported."ownRank" + (
              select count(*) from unknown_features unknown_feature where unknown_feature.app_name = reported.app
            ) <= ${most.ofApplication})`,
        )
        .select([
          'reported.feature',
          'reported.app',
          'reported.environment',
          sql<Date>`${tx.now}::timestamptz`.as('seen_at'),
        ])
        .orderBy('reported.feature')
        .orderBy('reported.app')
        .orderBy('reported.environment'),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['name', 'app_name', 'environment'])
        .doUpdateSet(({ ref }) => ({ seen_at: ref('excluded.seen_at') })),
    )
    .execute();

import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database, Db } from '../../../../platform/db/database.ts';
import type { Backfill } from './backfill.ts';
import type { Counts } from './replay.ts';

/** The health of a project at the end of a day. */
export interface Snapshot extends Counts {
  readonly project: string;
  readonly day: string;
  readonly reconstructed: boolean;
}

/** Lists snapshots from the first day to the last, both included. */
export const listSnapshots = (
  db: Db,
  { project, from, to }: { readonly project: string; readonly from: string; readonly to: string },
) =>
  db
    .selectFrom('health_snapshots')
    .where('project', '=', project)
    .where(sql<boolean>`day between ${from}::date and ${to}::date`)
    .select([
      sql<string>`day::text`.as('day'),
      'total',
      'stale',
      'potentially_stale as potentiallyStale',
      'health',
      'reconstructed',
    ])
    .orderBy('health_snapshots.day')
    .execute();

export async function findSettledDay(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ day: string | null }>`
    select settled_through::text as day from health_history`.execute(db);
  return rows[0]?.day ?? undefined;
}

/**
 * Inserts snapshots, and keeps existing ones. It omits projects that were deleted since, even if a new project has the
 * same id. The lock prevents deletions of projects while snapshots are written.
 */
export const insertSnapshots = (db: Kysely<Database>, snapshots: readonly Snapshot[]) =>
  db
    .insertInto('health_snapshots')
    .columns(['project', 'day', 'total', 'stale', 'potentially_stale', 'health', 'reconstructed'])
    .expression(({ selectFrom }) =>
      selectFrom(
        sql<Snapshot>`json_to_recordset(${JSON.stringify(snapshots)})`.as<'made'>(
          sql`made(project text, day date, total integer, stale integer, "potentiallyStale" integer,
            health integer, reconstructed boolean)`,
        ),
      )
        .innerJoin('projects', 'projects.id', 'made.project')
        .where(sql<boolean>`projects.created_at < (made.day + 1)::timestamp at time zone 'UTC'`)
        .select([
          'made.project',
          'made.day',
          'made.total',
          'made.stale',
          'made.potentiallyStale',
          'made.health',
          'made.reconstructed',
        ])
        // Locked in a fixed order, so that two instances cannot deadlock.
        .orderBy('projects.id')
        .orderBy('made.day')
        .forKeyShare('projects'),
    )
    .onConflict((conflict) => conflict.columns(['project', 'day']).doNothing())
    .execute();

interface Progress {
  readonly settled: string | undefined;
  readonly step: number;
  readonly backfill: Backfill | undefined;
}

export async function findProgress(db: Db): Promise<Progress> {
  const { rows } = await sql<{ day: string | null; step: number; backfill: Backfill | null }>`
    select settled_through::text as day, step, backfill from health_history`.execute(db);
  const { day, step, backfill } = rows[0] as (typeof rows)[number];
  return { settled: day ?? undefined, step, backfill: backfill ?? undefined };
}

/** Stores the progress. Returns false if another instance has stored its own since. */
async function updateStep(
  db: Kysely<Database>,
  step: number,
  change: { backfill: string | null; settled_through?: RawBuilder<string> },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('health_history')
    .where('step', '=', step)
    .set({ ...change, step: step + 1 })
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export const updateBackfill = (db: Kysely<Database>, step: number, backfill: Backfill) =>
  updateStep(db, step, { backfill: JSON.stringify(backfill) });

export const updateSettledDay = (db: Kysely<Database>, step: number, day: string) =>
  updateStep(db, step, {
    backfill: null,
    settled_through: sql<string>`greatest(settled_through, ${day}::date)`,
  });

/** Deletes the snapshots of later days. */
export async function deleteSnapshotsAfter(db: Kysely<Database>, day: string): Promise<void> {
  await db.deleteFrom('health_snapshots').where(sql<boolean>`day > ${day}::date`).execute();
  await db
    .updateTable('health_history')
    .set({
      settled_through: sql`case when settled_through > ${day}::date then ${day}::date else settled_through end`,
      backfill: null,
      step: sql`step + 1`,
    })
    .execute();
}

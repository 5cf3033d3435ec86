import type { Kysely } from 'kysely';
import { dayMs } from '../../../../platform/clock.ts';
import type { Database } from '../../../../platform/db/database.ts';
import type { Module } from '../../../../platform/module.ts';
import {
  deleteBatches,
  deleteHours,
  deleteInstances,
  deleteReach,
  deleteSilentApplications,
  deleteUnknown,
  deleteUses,
} from './queries.ts';

const instanceDays = 1;
const unknownDays = 7;
/** Longer than an edge repeats a report. */
const batchDays = 7;
const mostBatches = 2_000_000;
const applicationDays = 90;
const publicApplicationDays = 7;

/** Deletes expired rows. */
export async function prune(
  db: Kysely<Database>,
  now: Date,
  metricsRetentionDays: number,
): Promise<void> {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs);
  await deleteHours(db, 'usage_hours', ago(metricsRetentionDays));
  await deleteHours(db, 'usage_variant_hours', ago(metricsRetentionDays));
  await deleteHours(db, 'evaluation_hours', ago(metricsRetentionDays));
  await deleteUses(db, ago(metricsRetentionDays));
  await deleteInstances(db, ago(instanceDays));
  await deleteUnknown(db, ago(unknownDays));
  await deleteBatches(db, ago(batchDays), mostBatches);
  await deleteReach(db, ago(metricsRetentionDays));
  await deleteSilentApplications(
    db,
    ago(Math.max(applicationDays, metricsRetentionDays)),
    ago(publicApplicationDays),
  );
}

export const usageJobs: NonNullable<Module['jobs']> = ({ writeDb, clock, settings }) => [
  {
    name: 'client-metrics: delete old metrics',
    everyMs: 600_000,
    run: () => prune(writeDb, clock(), settings.metricsRetentionDays),
  },
];

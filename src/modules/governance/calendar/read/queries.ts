import { sql } from 'kysely';
import type { Actor } from '../../../../platform/actor.ts';
import type { Db } from '../../../../platform/db/database.ts';
import type { CalendarScope } from '../calendar-schema.ts';
import type { entryStatuses } from './contract.ts';

export interface EntryFilter extends CalendarScope {
  readonly environment?: string | undefined;
  readonly status?: (typeof entryStatuses)[number] | undefined;
  readonly from: Date;
  readonly to?: Date | undefined;
}

/** The schedules in visible projects, by their time. Others don't see a draft. */
export async function listScheduled(
  db: Db,
  { id, sees }: Pick<Actor, 'id' | 'sees'>,
  { project, feature, environment, status, from, to }: EntryFilter,
  limit: number,
) {
  let found = db
    .selectFrom('change_request_schedules as schedule')
    .innerJoin('change_requests as request', 'request.id', 'schedule.request_id')
    .where('schedule.scheduled_at', '>=', from)
    .where(sql<boolean>`(request.state <> 'Draft' or request.created_by_user_id = ${id})`);
  if (sees !== 'all')
    found = found.where(sql<boolean>`request.project = any(${[...sees]}::text[])`);
  if (to !== undefined) found = found.where('schedule.scheduled_at', '<', to);
  if (project !== undefined) found = found.where('request.project', '=', project);
  if (environment !== undefined) found = found.where('request.environment', '=', environment);
  if (status !== undefined) found = found.where('schedule.status', '=', status);
  if (feature !== undefined) {
    found = found.where(
      sql<boolean>`exists (select from change_request_changes change
        where change.request_id = request.id and change.feature = ${feature})`,
    );
  }
  return found
    .select([
      'request.id',
      'request.title',
      'request.project',
      'request.environment',
      'request.created_by as createdBy',
      'request.created_by_user_id as createdByUserId',
      'schedule.scheduled_at as scheduledAt',
      'schedule.time_zone as timeZone',
      'schedule.status',
      'schedule.reason',
      'schedule.sequence',
      'schedule.changed_at as changedAt',
    ])
    .orderBy('schedule.scheduled_at')
    .orderBy('request.id')
    .limit(limit)
    .execute();
}

export type ScheduledRequest = Awaited<ReturnType<typeof listScheduled>>[number];

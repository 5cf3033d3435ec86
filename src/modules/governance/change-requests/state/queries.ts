import { sql } from 'kysely';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import type { AccountReference } from '../../../access/gate/index.ts';
import type { ChangeRequestRules } from '../../../catalogue/projects/index.ts';

export const upsertApproval = (tx: Tx, request: number, hash: Buffer) =>
  tx.db
    .insertInto('change_request_approvals')
    .values({
      request_id: request,
      user_id: tx.actor.id,
      user_name: tx.actor.name,
      hash,
      created_at: tx.now,
    })
    .onConflict((conflict) =>
      conflict.columns(['request_id', 'user_id']).doUpdateSet({ hash, created_at: tx.now }),
    )
    .execute();

export const insertRejection = (tx: Tx, request: number) =>
  tx.db
    .insertInto('change_request_rejections')
    .values({
      request_id: request,
      user_id: tx.actor.id,
      user_name: tx.actor.name,
      created_at: tx.now,
    })
    .execute();

export const insertEmergency = (tx: Tx, request: number, reason: string) =>
  tx.db
    .insertInto('change_request_emergencies')
    .values({
      request_id: request,
      reason,
      user_id: tx.actor.id,
      user_name: tx.actor.name,
      created_at: tx.now,
      reviewer_id: null,
      reviewer_name: null,
      reviewed_at: null,
    })
    .execute();

/** Those who approved exactly these changes. */
export async function listApproversOf(db: Db, request: number, hash: Buffer): Promise<number[]> {
  const rows = await db
    .selectFrom('change_request_approvals')
    .where('request_id', '=', request)
    .where('hash', '=', hash)
    .select('user_id as userId')
    .orderBy('created_at')
    .orderBy('user_id')
    .execute();
  return rows.map(({ userId }) => userId);
}

/** Which of these users are approvers: by themselves, through a group, or through a role in the project or everywhere. */
export async function listListed(
  db: Db,
  { users, groups, roles }: ChangeRequestRules['approvers'],
  project: string,
  ids: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with own_groups as (
      select m.user_id, g.id, g.root_role from group_users m join groups g on g.id = m.group_id
      where m.user_id = any(${ids}::int[]))
    select u.id from users u
    where u.id = any(${ids}::int[]) and (
      u.id = any(${users}::int[])
      or u.root_role = any(${roles}::int[])
      or exists (select from project_user_roles r
        where r.user_id = u.id and r.project = ${project} and r.role_id = any(${roles}::int[]))
      or exists (select from own_groups g
        where g.user_id = u.id and (
          g.id = any(${groups}::int[])
          or g.root_role = any(${roles}::int[])
          or exists (select from project_group_roles r
            where r.group_id = g.id and r.project = ${project} and r.role_id = any(${roles}::int[])))))
    order by u.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Requests that are older than the rules of their environment permit. */
const expiring = sql`
  from project_environments pe
  join change_requests request
    on request.project = pe.project and request.environment = pe.environment
  cross join lateral (
    select (request.state_times ->> 'In review')::timestamptz
      + make_interval(hours => 24 * (pe.change_request_rules ->> 'expiresAfterDays')::int) as at) expiry
  where pe.change_request_rules ->> 'expiresAfterDays' is not null
    and request.state in ('In review', 'Approved', 'Scheduled') and request.min_approvals > 0`;

export async function listExpired(db: Db, now: Date, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select request.id ${expiring} and expiry.at <= ${now}
    order by expiry.at, request.id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

export async function findNextExpiry(db: Db): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`select min(expiry.at) as at ${expiring}`.execute(
    db,
  );
  return rows[0]?.at ?? undefined;
}

export interface NewSchedule {
  readonly scheduledAt: Date;
  readonly timeZone: string | null;
  readonly whenOverdue: 'apply' | 'suspend';
  readonly scheduledBy: AccountReference & { readonly name: string };
}

export const upsertSchedule = (tx: Tx, request: number, schedule: NewSchedule) => {
  const row = {
    scheduled_at: schedule.scheduledAt,
    time_zone: schedule.timeZone,
    when_overdue: schedule.whenOverdue,
    status: 'pending' as const,
    reason: null,
    scheduled_by: JSON.stringify(schedule.scheduledBy),
    created_at: tx.now,
    changed_at: tx.now,
  };
  return tx.db
    .insertInto('change_request_schedules')
    .values({ request_id: request, ...row })
    .onConflict((conflict) =>
      conflict.column('request_id').doUpdateSet({
        ...row,
        sequence: sql<number>`change_request_schedules.sequence + 1`,
      }),
    )
    .execute();
};

const nextSequence = sql<number>`sequence + 1`;

/** Ends the schedule of a request, if it has one. A request that was applied before its time was applied at that moment. */
export const closeSchedule = (tx: Tx, request: number, status: 'applied' | 'canceled') =>
  tx.db
    .updateTable('change_request_schedules')
    .set({
      status,
      reason: null,
      sequence: nextSequence,
      changed_at: tx.now,
      ...(status === 'applied' && { scheduled_at: sql<Date>`least(scheduled_at, ${tx.now})` }),
    })
    .where('request_id', '=', request)
    .where('status', 'in', ['pending', 'failed', 'suspended'])
    .execute();

export const updateSchedule = (
  tx: Tx,
  request: number,
  status: 'failed' | 'suspended',
  reason: string,
) =>
  tx.db
    .updateTable('change_request_schedules')
    .set({ status, reason, sequence: nextSequence, changed_at: tx.now })
    .where('request_id', '=', request)
    .execute();

/** A channel on which instances learn of new and changed schedules. */
export const schedulesChannel = 'burgee_schedules';

export const announceSchedule = (tx: Tx) => sql`notify ${sql.id(schedulesChannel)}`.execute(tx.db);

export interface DueSchedule {
  readonly requestId: number;
  readonly scheduledAt: Date;
  readonly whenOverdue: 'apply' | 'suspend';
  readonly scheduledBy: AccountReference & { readonly name: string };
}

/** The oldest first. */
export const listDue = (db: Db, now: Date, limit: number): Promise<DueSchedule[]> =>
  db
    .selectFrom('change_request_schedules')
    .where('status', '=', 'pending')
    .where('scheduled_at', '<=', now)
    .select([
      'request_id as requestId',
      'scheduled_at as scheduledAt',
      'when_overdue as whenOverdue',
      'scheduled_by as scheduledBy',
    ])
    .orderBy('scheduled_at')
    .orderBy('request_id')
    .limit(limit)
    .execute();

export async function findNextDue(db: Db): Promise<Date | undefined> {
  const row = await db
    .selectFrom('change_request_schedules')
    .where('status', '=', 'pending')
    .select('scheduled_at as at')
    .orderBy('scheduled_at')
    .limit(1)
    .executeTakeFirst();
  return row?.at;
}

/** The requests whose schedule waits. */
export async function listPending(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('change_request_schedules')
    .where('status', '=', 'pending')
    .select('request_id as id')
    .orderBy('request_id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The schedule of a request that this transaction has locked, if it still waits. */
export const findPending = (tx: Tx, request: number) =>
  tx.db
    .selectFrom('change_request_schedules')
    .where('request_id', '=', request)
    .where('status', '=', 'pending')
    .select('scheduled_at as scheduledAt')
    .executeTakeFirst();

/** The account that scheduled a request; undefined if it isn't scheduled, or if a token did it. */
export async function findScheduler(tx: Tx, request: number): Promise<number | undefined> {
  const row = await tx.db
    .selectFrom('change_request_schedules')
    .where('request_id', '=', request)
    .select('scheduled_by as by')
    .executeTakeFirst();
  return row?.by.kind === 'account' ? row.by.id : undefined;
}

/** Waiting requests that touch what events after this one are about, and the last of these events. */
export async function listTouchedSince(db: Db, eventId: number) {
  const { rows } = await sql<{ requestId: number | null; last: string }>`
    with news as (
      select id, feature_name, type,
        coalesce(data, pre_data) ->> 'id' as segment
      from events where id > ${eventId})
    select (select max(id) from news) as last, touched.request_id as "requestId"
    from (select 1) one left join (
      select distinct change.request_id
      from news
      join change_request_changes change on change.feature = news.feature_name
        or (news.type like 'segment-%'
          and (change.segment_id::text = news.segment
            or jsonb_exists(change.used_segments, news.segment)))
        -- Changes of several features name them in their payload.
        or (change.feature is null and strpos(change.payload::text, to_json(news.feature_name)::text) > 0)
        -- What enabling and adding take from the settings of the project.
        or (change.action in ('updateDefaultStrategy', 'updateEnabled', 'addStrategy',
            'saveFeatureChanges', 'createFeature')
          and news.type in ('default-strategy-updated', 'project-updated'))
      join change_request_schedules schedule
        on schedule.request_id = change.request_id and schedule.status = 'pending') touched on true`.execute(
    db,
  );
  return {
    last: Number(rows[0]?.last ?? eventId),
    requests: rows.flatMap(({ requestId }) => requestId ?? []),
  };
}

/** The environments of a project in which changes need approval. */
export async function listProtectedEnvironments(db: Db, project: string): Promise<string[]> {
  const rows = await db
    .selectFrom('project_environments')
    .where('project', '=', project)
    .where('change_requests_enabled', '=', true)
    .select('environment')
    .execute();
  return rows.map(({ environment }) => environment);
}

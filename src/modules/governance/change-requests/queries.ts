import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { erasedName, type Json } from '../../events/index.ts';
import type { StoredChange } from './content.ts';
import { openStates, type RequestState } from './request-schema.ts';

const requestColumns = [
  'id',
  'project',
  'environment',
  'title',
  'state',
  'state_times as stateTimes',
  'min_approvals as minApprovals',
  'contributors',
  'apply_failure as applyFailure',
  'created_by as createdBy',
  'created_by_user_id as createdByUserId',
  'created_at as createdAt',
] as const;

export const selectRequests = (db: Db) => db.selectFrom('change_requests').select(requestColumns);

/** A request without what belongs to it. */
export type StoredRequest = NonNullable<Awaited<ReturnType<typeof findRequest>>>;

export const findRequest = (db: Db, id: number) =>
  selectRequests(db).where('id', '=', id).executeTakeFirst();

/** Everything that changes a request or belongs to it begins here, and so happens one after the other. */
export const lockRequest = (tx: Tx, id: number) =>
  selectRequests(tx.db).where('id', '=', id).forUpdate().executeTakeFirst();

/** The request, or undefined if another transaction has locked it. */
export const lockRequestUnlessBusy = (tx: Tx, id: number) =>
  selectRequests(tx.db).where('id', '=', id).forUpdate().skipLocked().executeTakeFirst();

/** Open requests for an environment of a project. */
export const lockOpenIn = (tx: Tx, project: string, environment: string) =>
  selectRequests(tx.db)
    .where('project', '=', project)
    .where('environment', '=', environment)
    .where('state', 'in', [...openStates])
    .orderBy('id')
    .forUpdate()
    .execute();

/** The draft of an account, created unless there is one. */
export async function lockDraft(
  tx: Tx,
  place: { readonly project: string; readonly environment: string },
  minApprovals: number,
): Promise<{ readonly request: StoredRequest; readonly isNew: boolean }> {
  const created = await tx.db
    .insertInto('change_requests')
    .values({
      ...place,
      title: null,
      state: 'Draft',
      state_times: JSON.stringify({ Draft: tx.now.toISOString() }),
      min_approvals: minApprovals,
      created_by: tx.actor.name,
      created_by_user_id: tx.actor.id,
      created_at: tx.now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['created_by_user_id', 'project', 'environment'])
        // With a parameter, the partial index would not be found.
        .where(sql<boolean>`state = 'Draft'`)
        .doNothing(),
    )
    .returning(requestColumns)
    .executeTakeFirst();
  if (created) return { request: created, isNew: true };
  const request = await selectRequests(tx.db)
    .where('created_by_user_id', '=', tx.actor.id)
    .where('project', '=', place.project)
    .where('environment', '=', place.environment)
    .where('state', '=', 'Draft')
    .forUpdate()
    .executeTakeFirst();
  // Another request of the account has sent the draft to review in the meantime.
  return request ? { request, isNew: false } : lockDraft(tx, place, minApprovals);
}

export async function countOpenOf(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('change_requests')
    .where('created_by_user_id', '=', userId)
    .where('state', 'in', [...openStates])
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** A transaction can change the state twice, so that the times are those of the row. */
export const updateState = (tx: Tx, { id }: Pick<StoredRequest, 'id'>, state: RequestState) =>
  tx.db
    .updateTable('change_requests')
    .set({
      state,
      state_times: sql`state_times || ${JSON.stringify({ [state]: tx.now.toISOString() })}::jsonb`,
    })
    .where('id', '=', id)
    .execute();

export const updateMinApprovals = (tx: Tx, id: number, minApprovals: number) =>
  tx.db
    .updateTable('change_requests')
    .set({ min_approvals: minApprovals })
    .where('id', '=', id)
    .execute();

export const updateContributors = (tx: Tx, id: number, contributors: number[]) =>
  tx.db.updateTable('change_requests').set({ contributors }).where('id', '=', id).execute();

export const updateApplyFailure = (tx: Tx, id: number, reason: string | null) =>
  tx.db
    .updateTable('change_requests')
    .set({ apply_failure: reason })
    .where('id', '=', id)
    .execute();

export const updateTitle = (tx: Tx, id: number, title: string) =>
  tx.db.updateTable('change_requests').set({ title }).where('id', '=', id).execute();

export const deleteRequest = (tx: Tx, id: number) =>
  tx.db.deleteFrom('change_requests').where('id', '=', id).execute();

const selectChanges = (db: Db, requests: readonly number[]) =>
  db
    .selectFrom('change_request_changes')
    .where(sql<boolean>`request_id = any(${requests}::integer[])`)
    .select([
      'id',
      'request_id as requestId',
      'feature',
      'segment_id as segmentId',
      'action',
      'payload',
      'created_by as createdBy',
      'created_by_user_id as createdByUserId',
      'created_at as createdAt',
    ])
    .orderBy('request_id')
    .orderBy('position')
    .orderBy('id');

/** The changes of requests, in their order. */
export const listChanges = (
  db: Db,
  requests: readonly number[],
): Promise<(StoredChange & { readonly requestId: number })[]> =>
  selectChanges(db, requests)
    .select(['base', 'feature_created_at as featureCreatedAt', 'used_segments as usedSegments'])
    .execute();

/**
 * The changes of requests without what only a comparison with the present needs, which is most of their data. A list
 * shows only the default strategies that are added, and the name of a segment.
 */
export const listChangesOnly = (
  db: Db,
  requests: readonly number[],
): Promise<(StoredChange & { readonly requestId: number })[]> =>
  selectChanges(db, requests)
    .select([
      sql<Json | null>`case when action in ('updateEnabled', 'saveFeatureChanges', 'createFeature') then base
        when segment_id is not null then jsonb_build_object('name', base -> 'name') end`.as('base'),
      sql<null>`null`.as('featureCreatedAt'),
      sql<null>`null`.as('usedSegments'),
    ])
    .execute();

export const listSegmentNames = (db: Db, ids: readonly number[]) =>
  db
    .selectFrom('segments')
    .where(sql<boolean>`id = any(${ids}::integer[])`)
    .select(['id', 'name', 'project'])
    .execute();

export interface NewChange {
  readonly feature: string | null;
  readonly segmentId: number | null;
  readonly action: string;
  readonly payload: unknown;
  readonly base: Json | null;
  readonly featureCreatedAt: Date | null;
  readonly usedSegments: Json | null;
}

const rowOf = (
  tx: Tx,
  request: number,
  { segmentId, payload, base, featureCreatedAt, usedSegments, ...change }: NewChange,
) => ({
  ...change,
  request_id: request,
  segment_id: segmentId,
  feature_created_at: featureCreatedAt,
  used_segments: usedSegments === null ? null : JSON.stringify(usedSegments),
  payload: JSON.stringify(payload),
  base: base === null ? null : JSON.stringify(base),
  created_by: tx.actor.name,
  created_by_user_id: tx.actor.id,
  created_at: tx.now,
});

/** Appends changes to a request. */
export async function insertChanges(
  tx: Tx,
  request: number,
  changes: readonly NewChange[],
): Promise<void> {
  const { last } = await tx.db
    .selectFrom('change_request_changes')
    .where('request_id', '=', request)
    .select(sql<number>`coalesce(max(position), 0)`.as('last'))
    .executeTakeFirstOrThrow();
  await tx.db
    .insertInto('change_request_changes')
    .values(
      changes.map((change, index) => ({
        ...rowOf(tx, request, change),
        position: last + 1 + index,
      })),
    )
    .execute();
}

/** Replaces a change by another one in the same position. */
export async function replaceChange(
  tx: Tx,
  request: number,
  id: number,
  change: NewChange,
): Promise<number> {
  const { position } = await tx.db
    .deleteFrom('change_request_changes')
    .where('id', '=', id)
    .returning('position')
    .executeTakeFirstOrThrow();
  const added = await tx.db
    .insertInto('change_request_changes')
    .values({ ...rowOf(tx, request, change), position })
    .returning('id')
    .executeTakeFirstOrThrow();
  return added.id;
}

export const deleteChange = (tx: Tx, id: number) =>
  tx.db.deleteFrom('change_request_changes').where('id', '=', id).execute();

/** Returns who had approved. */
export async function deleteApprovals(tx: Tx, request: number): Promise<number[]> {
  const rows = await tx.db
    .deleteFrom('change_request_approvals')
    .where('request_id', '=', request)
    .returning('user_id as userId')
    .execute();
  return rows.map(({ userId }) => userId);
}

const listVotes = (
  db: Db,
  table: 'change_request_approvals' | 'change_request_rejections',
  requests: readonly number[],
) =>
  db
    .selectFrom(table)
    .where(sql<boolean>`request_id = any(${requests}::integer[])`)
    .select([
      'request_id as requestId',
      'user_id as userId',
      'user_name as userName',
      'created_at as createdAt',
    ])
    .orderBy('created_at')
    .orderBy('user_id')
    .execute();

export const listApprovals = (db: Db, requests: readonly number[]) =>
  listVotes(db, 'change_request_approvals', requests);

export const listRejections = (db: Db, requests: readonly number[]) =>
  listVotes(db, 'change_request_rejections', requests);

export const listComments = (db: Db, requests: readonly number[]) =>
  db
    .selectFrom('change_request_comments')
    .where(sql<boolean>`request_id = any(${requests}::integer[])`)
    .select([
      'id',
      'request_id as requestId',
      'text',
      'user_id as userId',
      'user_name as userName',
      'created_at as createdAt',
    ])
    .orderBy('id')
    .execute();

export const listEmergencies = (db: Db, requests: readonly number[]) =>
  db
    .selectFrom('change_request_emergencies')
    .where(sql<boolean>`request_id = any(${requests}::integer[])`)
    .select([
      'request_id as requestId',
      'reason',
      'user_id as userId',
      'user_name as userName',
      'created_at as createdAt',
      'reviewer_id as reviewerId',
      'reviewer_name as reviewerName',
      'reviewed_at as reviewedAt',
    ])
    .execute();

/** Without those that were applied or canceled. */
export const listSchedules = (db: Db, requests: readonly number[]) =>
  db
    .selectFrom('change_request_schedules')
    .where(sql<boolean>`request_id = any(${requests}::integer[])`)
    .where('status', 'in', ['pending', 'failed', 'suspended'])
    .select([
      'request_id as requestId',
      'scheduled_at as scheduledAt',
      'time_zone as timeZone',
      'when_overdue as whenOverdue',
      sql<'pending' | 'failed' | 'suspended'>`status`.as('status'),
      'reason',
    ])
    .execute();

/** Scheduled requests of a project that touch one of these features or segments. */
export const listScheduledTouching = (
  db: Db,
  project: string,
  features: readonly string[],
  segments: readonly number[],
) =>
  db
    .selectFrom('change_request_changes as change')
    .innerJoin('change_requests as request', 'request.id', 'change.request_id')
    .where('request.project', '=', project)
    .where('request.state', '=', 'Scheduled')
    .where((where) =>
      where.or([
        where(sql<boolean>`change.feature = any(${features}::text[])`, '=', true),
        where(sql<boolean>`change.segment_id = any(${segments}::integer[])`, '=', true),
      ]),
    )
    .select([
      'request.id',
      'request.title',
      'request.environment',
      'change.feature',
      'change.segment_id as segmentId',
      'change.action',
      'change.payload',
    ])
    .orderBy('request.id')
    .execute();

/** Erases the name of a person. The id stays, but no longer leads to a person. */
export async function updateForgottenPerson(tx: Tx, userId: number): Promise<void> {
  for (const table of ['change_requests', 'change_request_changes'] as const) {
    await tx.db
      .updateTable(table)
      .set({ created_by: erasedName })
      .where('created_by_user_id', '=', userId)
      .execute();
  }
  await tx.db
    .updateTable('change_request_schedules')
    .set({ scheduled_by: sql`scheduled_by || ${JSON.stringify({ name: erasedName })}::jsonb` })
    .where(sql<boolean>`scheduled_by @> ${JSON.stringify({ kind: 'account', id: userId })}::jsonb`)
    .execute();
  for (const table of [
    'change_request_approvals',
    'change_request_rejections',
    'change_request_comments',
    'change_request_emergencies',
  ] as const) {
    await tx.db
      .updateTable(table)
      .set({ user_name: erasedName })
      .where('user_id', '=', userId)
      .execute();
  }
  await tx.db
    .updateTable('change_request_emergencies')
    .set({ reviewer_name: erasedName })
    .where('reviewer_id', '=', userId)
    .execute();
}

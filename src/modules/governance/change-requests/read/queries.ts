import { sql } from 'kysely';
import type { Actor } from '../../../../platform/actor.ts';
import type { Db } from '../../../../platform/db/database.ts';
import { selectRequests } from '../queries.ts';
import type { RequestState } from '../request-schema.ts';

/** Others see a draft when it is sent to review. */
const visibleTo = (userId: number) =>
  sql<boolean>`(state <> 'Draft' or created_by_user_id = ${userId})`;

/** Newest first. */
export const listRequests = (db: Db, userId: number, project: string, limit: number) =>
  selectRequests(db)
    .where('project', '=', project)
    .where(visibleTo(userId))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

const pendingStates: RequestState[] = ['Draft', 'In review', 'Approved'];

export const listPendingOf = (db: Db, userId: number, project: string, limit: number) =>
  selectRequests(db)
    .where('project', '=', project)
    .where('created_by_user_id', '=', userId)
    .where('state', 'in', pendingStates)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

export const listPendingTouching = (
  db: Db,
  userId: number,
  {
    project,
    feature,
    limit,
  }: { readonly project: string; readonly feature: string; limit: number },
) =>
  selectRequests(db)
    .where('project', '=', project)
    .where('state', 'in', pendingStates)
    .where(visibleTo(userId))
    .where('id', 'in', (of) =>
      of
        .selectFrom('change_request_changes')
        .where('change_request_changes.feature', '=', feature)
        .select('request_id'),
    )
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

interface Touched {
  readonly feature?: string | undefined;
  readonly strategyId?: string | undefined;
  readonly variantForFlag?: string | undefined;
}

export const listScheduledWith = (
  db: Db,
  project: string,
  { feature, strategyId, variantForFlag }: Touched,
  limit: number,
) =>
  db
    .selectFrom('change_requests as request')
    .where('request.project', '=', project)
    .where('request.state', '=', 'Scheduled')
    .where(
      sql<boolean>`exists (
        select from change_request_changes change
        where change.request_id = request.id and (
          change.feature = ${feature ?? null}
          or (change.action in ('updateStrategy', 'deleteStrategy')
            and change.payload ->> 'id' = ${strategyId ?? null})
          or (change.action in ('patchVariant', 'updateVariants')
            and change.feature = ${variantForFlag ?? null})))`,
    )
    .select(['request.id', 'request.environment', 'request.title'])
    .orderBy('request.id')
    .limit(limit)
    .execute();

export const countByState = (db: Db, project: string) =>
  db
    .selectFrom('change_requests')
    .where('project', '=', project)
    .where('state', '<>', 'Draft')
    .select(['state', sql<number>`count(*)::int`.as('count')])
    .groupBy('state')
    .execute();

const isApprovedBy = (userId: number) => sql<boolean>`exists (
  select from change_request_approvals approval
  where approval.request_id = request.id and approval.user_id = ${userId})`;

const isOwnOf = (userId: number) =>
  sql<boolean>`(request.created_by_user_id = ${userId} or ${userId} = any(request.contributors))`;

/** Applied in an emergency by someone else, and not reviewed yet. */
const isToReviewAfterwards = (userId: number) => sql<boolean>`exists (
  select from change_request_emergencies emergency
  where emergency.request_id = request.id and emergency.reviewed_at is null
    and emergency.user_id <> ${userId})`;

const isDecidable = (userId: number) => sql<boolean>`(request.state in ('In review', 'Approved')
  or (request.state = 'Applied' and ${isToReviewAfterwards(userId)}))`;

/**
 * Requests that someone could approve or apply, and emergencies that someone could review: by place, author, and
 * whether the user approved already; with the rules.
 */
export const countDecidable = (db: Db, userId: number, project: string | undefined) =>
  db
    .selectFrom('change_requests as request')
    .innerJoin('project_environments as place', (join) =>
      join
        .onRef('place.project', '=', 'request.project')
        .onRef('place.environment', '=', 'request.environment'),
    )
    .where(isDecidable(userId))
    .$if(project !== undefined, (query) => query.where('request.project', '=', project as string))
    .select([
      'request.state',
      'request.project',
      'request.environment',
      isOwnOf(userId).as('isOwn'),
      isApprovedBy(userId).as('isApproved'),
      'place.change_request_rules as rules',
      sql<number>`count(*)::int`.as('count'),
    ])
    .groupBy(['request.state', 'request.project', 'request.environment', sql`4`, sql`5`, sql`6`])
    .execute();

export type Decidable = Awaited<ReturnType<typeof countDecidable>>[number];

/** Which requests belong to one of these groups. */
const isAmong = (userId: number, groups: readonly Decidable[]) =>
  sql<boolean>`exists (
    select from unnest(
      ${groups.map(({ state }) => state)}::text[], ${groups.map(({ project }) => project)}::text[],
      ${groups.map(({ environment }) => environment)}::text[],
      ${groups.map(({ isOwn }) => isOwn)}::boolean[],
      ${groups.map(({ isApproved }) => isApproved)}::boolean[]
    ) own (state, project, environment, is_own, is_approved)
    where ${isDecidable(userId)} and own.state = request.state and own.project = request.project
      and own.environment = request.environment and own.is_own = ${isOwnOf(userId)}
      and own.is_approved = ${isApprovedBy(userId)})`;

export interface RequestFilter {
  readonly sees: Actor['sees'];
  readonly userId: number;
  readonly createdBy: number | undefined;
  readonly reviewer: number | undefined;
  readonly states: readonly RequestState[] | undefined;
  readonly project: string | undefined;
  readonly environment: string | undefined;
  readonly groups: readonly Decidable[] | undefined;
  /** Applied in an emergency, and not reviewed yet. */
  readonly isUnreviewed: boolean;
}

export async function searchRequests(
  db: Db,
  {
    sees,
    userId,
    createdBy,
    reviewer,
    states,
    project,
    environment,
    groups,
    isUnreviewed,
  }: RequestFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  let found = selectRequests(db).where(visibleTo(userId));
  if (sees !== 'all') found = found.where(sql<boolean>`project = any(${[...sees]}::text[])`);
  if (createdBy !== undefined) found = found.where('created_by_user_id', '=', createdBy);
  if (states) found = found.where('state', 'in', [...states]);
  if (project !== undefined) found = found.where('project', '=', project);
  if (environment !== undefined) found = found.where('environment', '=', environment);
  if (groups) {
    found = found.where('id', 'in', (of) =>
      of
        .selectFrom('change_requests as request')
        .where(isAmong(userId, groups))
        .select('request.id'),
    );
  }
  if (reviewer !== undefined) {
    found = found.where('id', 'in', (of) =>
      of
        .selectFrom('change_request_reviewers')
        .where('change_request_reviewers.user_id', '=', reviewer)
        .select('request_id'),
    );
  }
  if (isUnreviewed) {
    found = found.where('id', 'in', (of) =>
      of
        .selectFrom('change_request_emergencies')
        .where('reviewed_at', 'is', null)
        .select('request_id'),
    );
  }
  const { total } = await found
    .clearSelect()
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow();
  const requests = await found.orderBy('id', 'desc').limit(limit).offset(offset).execute();
  return { total, requests };
}

/** The names of what requests change. A segment that their project can't use any more has the name that it had. */
export const listNames = (db: Db, requests: readonly number[]) =>
  db
    .selectFrom('change_request_changes as change')
    .innerJoin('change_requests as request', 'request.id', 'change.request_id')
    .leftJoin('segments', (join) =>
      join
        .onRef('segments.id', '=', 'change.segment_id')
        .on(({ or, eb, ref }) =>
          or([
            eb('segments.project', 'is', null),
            eb('segments.project', '=', ref('request.project')),
          ]),
        ),
    )
    .where(sql<boolean>`change.request_id = any(${requests}::integer[])`)
    .select([
      'change.request_id as requestId',
      'change.feature',
      'change.segment_id as segmentId',
      sql<string | null>`case when change.segment_id is not null
        then coalesce(segments.name, change.base ->> 'name') end`.as('segment'),
    ])
    .orderBy('change.position')
    .execute();

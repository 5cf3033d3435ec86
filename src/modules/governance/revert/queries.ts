import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import { instantText } from '../../../platform/db/instant-text.ts';
import { badData } from '../../../platform/errors.ts';
import { type EventType, isEventVisible } from '../../events/index.ts';
import type { SelectedEvent } from './plan.ts';

/** Which events a request selects. */
export interface EventFilter {
  readonly ids?: readonly number[];
  readonly requestId?: string;
  /** Between these, inclusive. */
  readonly span?: { readonly from: number; readonly to: number };
  readonly project?: string | undefined;
  readonly environment?: string | undefined;
}

/** Types of events that change what all environments of a project evaluate. */
const inAllEnvironments: readonly EventType[] = [
  'feature-archived',
  'feature-revived',
  'feature-deleted',
  // Its features come back with it.
  'project-deleted',
  'feature-project-change',
  'feature-variants-updated',
  'feature-dependency-added',
  'feature-dependency-removed',
  'feature-dependencies-removed',
  'segment-updated',
  'segment-deleted',
];

/** More characters of events than this are not read. */
const maxCharacters = 8_000_000;

const tooLarge = () =>
  badData([{ path: '/body', message: '/body selects events that are too large. Select fewer' }]);

/** The events that the actor sees, in their order. */
export async function listEvents(
  db: Db,
  actor: Actor,
  { ids, requestId, span, project, environment }: EventFilter,
  limit: number,
): Promise<SelectedEvent[]> {
  const conditions: RawBuilder<unknown>[] = [
    isEventVisible(actor.sees, 'e.project', 'e.id'),
    ...(ids ? [sql`e.id = any(${ids}::bigint[])`] : []),
    // Callers choose the ID of a request, so that two can use the same one.
    ...(requestId === undefined
      ? []
      : [
          sql`e.request_id = ${requestId} and e.created_by_user_id = (
            select first.created_by_user_id from events first
            where first.request_id = ${requestId} order by first.id limit 1)`,
        ]),
    ...(span ? [sql`e.id between ${span.from} and ${span.to}`] : []),
    ...(project === undefined ? [] : [sql`e.project = ${project}`]),
    ...(environment === undefined
      ? []
      : [
          sql`(e.environment = ${environment}
            or e.environment is null and e.type = any(${inAllEnvironments}::text[]))`,
        ]),
  ];
  const { rows } = await sql<SelectedEvent & { readonly characters: number }>`
    select * from (
      select found.*, sum(found.length) over (order by found.id)::float8 as characters
      from (
        select e.id::float8 as id, e.type, ${instantText('e.created_at')} as "createdAt", e.project,
          e.environment, e.feature_name as "featureName", e.data, e.pre_data as "preData", e.summary,
          length(e.summary) + coalesce(length(e.data::text), 0)
            + coalesce(length(e.pre_data::text), 0) as length
        from events e where ${sql.join(conditions, sql` and `)}
        order by e.id limit ${limit}) found) measured
    where characters - length <= ${maxCharacters}
    order by id`.execute(db);
  if ((rows.at(-1)?.characters ?? 0) > maxCharacters) throw tooLarge();
  return rows.map(({ characters, ...event }) => event);
}

/**
 * What was made, deleted, or removed together with these, in the same transaction: the features and segments of a deleted
 * project, the dependencies of an archived feature, the owner of a new project, what features had in an environment that
 * was removed from their project, the permissions and tokens in a deleted environment, and what a deleted group owned.
 */
export async function listCompanionIds(
  db: Db,
  actor: Actor,
  ids: readonly number[],
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct other.id::float8 as id
    from events e
    join events other on other.request_id = e.request_id
      and other.created_by_user_id = e.created_by_user_id
      and (other.project = e.project or e.project is null)
    where e.id = any(${ids}::bigint[]) and (
      e.type = 'project-deleted' and other.type in ('feature-deleted', 'segment-deleted')
      or e.type = 'feature-archived' and other.type = 'feature-dependencies-removed'
        and other.feature_name = e.feature_name
      or other.created_at = e.created_at and (
        e.type = 'project-created' and other.type = 'project-access-added'
        or e.type = 'project-environment-removed' and other.environment = e.environment
          and other.type in ('feature-strategy-remove', 'feature-environment-disabled',
            'feature-environment-variants-updated')
        or e.type = 'environment-deleted'
          and other.type in ('role-updated', 'api-token-deleted', 'api-token-updated')
        or e.type = 'group-deleted' and other.type in ('feature-updated', 'feature-metadata-updated')))
      and ${isEventVisible(actor.sees, 'other.project', 'other.id')}
    order by id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The events of this request that revert others. */
export async function listRevertingIds(
  db: Db,
  { id: actorId, requestId }: Pick<Actor, 'id' | 'requestId'>,
  after: number,
) {
  const { rows } = await sql<{ id: number }>`
    select e.id::float8 as id from events e
    where e.request_id = ${requestId} and e.created_by_user_id = ${actorId}
      and e.id > ${after} and e.data -> 'reverts' is not null
    order by e.id`.execute(db);
  return rows.map(({ id }) => id);
}

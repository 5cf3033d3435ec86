import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import { type EventTag, eventJson } from '../../events/index.ts';
import { type OwnerNames, ownerNamesOfEvent } from '../../flags/features/index.ts';
import { isCurrentInSql } from '../delivery/visibility.ts';
import type { IntegrationEvent } from '../providers/provider.ts';
import type { Preview } from './contract.ts';

interface RecentEvent {
  readonly id: number;
  readonly type: string;
  readonly project: string | null;
  readonly environment: string | null;
  readonly tags: readonly EventTag[];
  /** Whether the event belongs to the project that has this id now. */
  readonly isCurrent: boolean;
}

/** The ids of the newest events that the reader may see. One look-up in the index per project. */
const newestIds = (sees: Actor['sees'], limit: number): RawBuilder<unknown> =>
  sees === 'all'
    ? sql`select id from events order by id desc limit ${limit}`
    : sql`
      select newest.id
      from projects p cross join lateral (
        select e.id from events e
        where e.project = p.id and e.id >= p.first_event_id
        order by e.project, e.id desc limit ${limit}
      ) newest
      where p.id = any(${[...sees]}::text[])
      order by newest.id desc limit ${limit}`;

/** Newest first. */
export async function listRecentEvents(
  db: Db,
  sees: Actor['sees'],
  limit: number,
): Promise<RecentEvent[]> {
  const { rows } = await sql<RecentEvent>`
    with newest as materialized (${newestIds(sees, limit)})
    select e.id, e.type, e.project, e.environment, e.tags::json as tags,
      ${isCurrentInSql(sql`e.project`, sql`e.id`)} as "isCurrent"
    from newest join events e on e.id = newest.id
    order by e.id desc`.execute(db);
  return rows;
}

/** An event as an integration gets it and as the API returns it. */
type WholeEvent = IntegrationEvent & Preview['messages'][number]['event'];

/** Newest first. */
export async function listWholeEvents(
  db: Db,
  ids: readonly number[],
): Promise<{ readonly event: WholeEvent; readonly ownerNames: OwnerNames }[]> {
  const { rows } = await sql<{ json: string; ownerNames: OwnerNames }>`
    select ${eventJson({ ip: false, proof: false })} as json, ${ownerNamesOfEvent} as "ownerNames"
    from events e where e.id = any(${ids}::bigint[]) order by e.id desc`.execute(db);
  return rows.map(({ json, ownerNames }) => ({
    event: JSON.parse(json) as WholeEvent,
    ownerNames,
  }));
}

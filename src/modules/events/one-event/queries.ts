import { sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import { type EventFieldVisibility, eventJson } from '../event-json.ts';
import { isEventVisible } from '../visibility.ts';
import { maxNeighbours, maxReverts } from './contract.ts';

interface FoundEvent {
  readonly json: string;
  readonly sameRequest: number[];
  readonly previousHash: Buffer;
}

/** The event as JSON, if the reader may see it. A request id can come from the client, so that the creator counts too. */
export async function findEvent(
  db: Db,
  id: number,
  sees: Actor['sees'],
  visibility: EventFieldVisibility,
): Promise<FoundEvent | undefined> {
  const { rows } = await sql<FoundEvent>`
    select ${eventJson(visibility)} as json,
      coalesce((select p.hash from events p where p.id = e.id - 1),
               (select anchor_hash from event_log)) as "previousHash",
      array(
        select other.id::float8 from events other
        where other.id between e.id - ${maxNeighbours} and e.id + ${maxNeighbours}
          and (other.id = e.id or (other.request_id = e.request_id
            and other.created_by_user_id = e.created_by_user_id
            and ${isEventVisible(sees, 'other.project', 'other.id')}))
        order by other.id) as "sameRequest"
    from events e where e.id = ${id} and ${isEventVisible(sees, 'e.project', 'e.id')}`.execute(db);
  return rows[0];
}

/** Reads the anchor and the last id of the retained log. */
export async function readEnds(db: Db) {
  const { rows } = await sql<{ anchor: number; anchorHash: Buffer; head: number }>`
    select anchor_id as anchor, anchor_hash as "anchorHash",
           coalesce((select max(id) from events), anchor_id) as head
    from event_log`.execute(db);
  return rows[0] as { anchor: number; anchorHash: Buffer; head: number };
}

/** The size of the log in the database, with its indexes and what is stored beside the rows. */
export async function readLogSize(db: Db): Promise<number> {
  const { rows } = await sql<{ size: number }>`
    select pg_total_relation_size('events')::float8 as size`.execute(db);
  return rows[0]?.size ?? 0;
}

/** Which event reverts which. */
export interface Revert {
  readonly eventId: number;
  readonly by: number;
}

/** The events that revert some events, those that revert these, and so on, as far as the reader sees them. */
export async function listReverts(
  db: Db,
  ids: readonly number[],
  sees: Actor['sees'],
): Promise<readonly Revert[]> {
  const { rows } = await sql<Revert>`
    with recursive reverted(id, by, depth) as (
      select null::bigint, asked.id, 0 from unnest(${ids}::bigint[]) asked(id)
      join events own on own.id = asked.id and ${isEventVisible(sees, 'own.project', 'own.id')}
      union
      select reverted.by, later.id, reverted.depth + 1
      from reverted cross join lateral (
        select e.id from events e
        where e.data -> 'reverts' is not null
          and (e.data -> 'reverts')::jsonb @> to_jsonb(reverted.by)
          and e.id > reverted.by and ${isEventVisible(sees, 'e.project', 'e.id')}
        order by e.id limit ${maxReverts}
      ) later
      where reverted.depth < ${maxReverts}
    )
    select distinct id::float8 as "eventId", by::float8 as by from reverted
    where id is not null order by by limit ${maxReverts * maxReverts}`.execute(db);
  return rows;
}

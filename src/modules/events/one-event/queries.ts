import { sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import { type EventFieldVisibility, eventJson } from '../event-json.ts';
import { isEventVisible } from '../visibility.ts';
import { maxNeighbours } from './contract.ts';

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

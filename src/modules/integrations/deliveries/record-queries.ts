import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/db/database.ts';
import { eventJson } from '../../events/index.ts';
import type { Attempt } from '../delivery/attempt-schema.ts';
import type { Message } from '../providers/provider.ts';
import type { Page, RecordFilter } from './filter.ts';
import { isEventInLog, visibleTo } from './visible.ts';

export interface StoredRecord {
  readonly id: string;
  readonly createdAt: Date;
  readonly state: string;
  readonly stateDetails: string;
  readonly redeliveredAt: Date | null;
  readonly redeliveredBy: string | null;
  readonly target: string | null;
  readonly message: Message;
  readonly attempts: readonly Attempt[];
  /** JSON text. */
  readonly event: string;
}

export interface Reader {
  readonly sees: Actor['sees'];
  /** Whether the actor's IP address is returned. */
  readonly ip: boolean;
}

type Condition = RawBuilder<unknown>;

const all = (conditions: readonly Condition[]): Condition => sql.join([...conditions], sql` and `);

const conditions = (
  integrationId: number,
  { events, since, until }: RecordFilter,
  sees: Actor['sees'],
): Condition[] => [
  sql`d.integration_id = ${integrationId} and d.outcome is not null and ${isEventInLog}`,
  ...(sees === 'all' ? [] : [visibleTo(sees)]),
  ...(events === undefined ? [] : [sql`d.event_id = any(${events}::bigint[])`]),
  ...(since === undefined ? [] : [sql`d.created_at >= ${new Date(since)}`]),
  ...(until === undefined ? [] : [sql`d.created_at < ${new Date(until)}`]),
];

/**
 * The records of a page, by time and event. No index has several types or states in one order. So each is read from
 * its own index, up to the end of the page, and the results are merged.
 */
function selectPage(
  integrationId: number,
  filter: RecordFilter,
  { limit, offset }: Page,
  sees: Actor['sees'],
): Condition {
  const where = all(conditions(integrationId, filter, sees));
  const { types = [null], states = [null] } = filter;
  const ofType = (type: Condition) => (filter.types ? sql`and d.event_type = ${type}` : sql``);
  const ofState = (state: Condition) => (filter.states ? sql`and d.outcome = ${state}` : sql``);
  if (types.length === 1 && states.length === 1) {
    return sql`
      select d.created_at, d.event_id from deliveries d
      where ${where} ${ofType(sql`${types[0]}`)} ${ofState(sql`${states[0]}`)}
      order by d.created_at desc, d.event_id desc limit ${limit} offset ${offset}`;
  }
  return sql`
    select d.created_at, d.event_id
    from unnest(${types}::text[]) as of_type(type) cross join unnest(${states}::text[]) as of_state(state)
    cross join lateral (
      select d.created_at, d.event_id from deliveries d
      where ${where} ${ofType(sql`of_type.type`)} ${ofState(sql`of_state.state`)}
      order by d.created_at desc, d.event_id desc limit ${limit + offset}
    ) d
    order by d.created_at desc, d.event_id desc limit ${limit} offset ${offset}`;
}

const columns = (ip: boolean): Condition => sql`
  d.id, d.created_at as "createdAt", d.outcome as state, d.state_details as "stateDetails",
  d.redelivered_at as "redeliveredAt", d.redelivered_by as "redeliveredBy",
  d.target, d.message, d.attempts, ${eventJson({ ip, proof: false })} as event`;

/** A record of a page, and the approximate length of its JSON. */
export interface RecordInPage {
  readonly eventId: number;
  readonly characters: number;
}

/** The records of a page, newest first. An index alone finds them; only rows of the page are read. */
export async function listPageOfRecords(
  db: Db,
  integrationId: number,
  filter: RecordFilter,
  page: Page,
  sees: Actor['sees'],
): Promise<RecordInPage[]> {
  const { rows } = await sql<RecordInPage>`
    with page as materialized (${selectPage(integrationId, filter, page, sees)})
    select page.event_id as "eventId",
      (octet_length(d.message::text) + octet_length(d.attempts::text)
        + coalesce(octet_length(e.data::text), 0) + coalesce(octet_length(e.pre_data::text), 0))
        as characters
    from page
    join deliveries d on d.integration_id = ${integrationId} and d.event_id = page.event_id
    join events e on e.id = page.event_id
    order by page.created_at desc, page.event_id desc`.execute(db);
  return rows;
}

/** Newest first. */
export async function listRecords(
  db: Db,
  integrationId: number,
  eventIds: readonly number[],
  { sees, ip }: Reader,
): Promise<StoredRecord[]> {
  const { rows } = await sql<StoredRecord>`
    select ${columns(ip)} from deliveries d join events e on e.id = d.event_id
    where ${all(conditions(integrationId, {}, sees))} and d.event_id = any(${eventIds}::bigint[])
    order by d.created_at desc, d.event_id desc`.execute(db);
  return rows;
}

export async function findRecord(
  db: Db,
  integrationId: number,
  id: string,
  { sees, ip }: Reader,
): Promise<StoredRecord | undefined> {
  const { rows } = await sql<StoredRecord>`
    select ${columns(ip)} from deliveries d join events e on e.id = d.event_id
    where d.id = ${id} and ${all(conditions(integrationId, {}, sees))}`.execute(db);
  return rows[0];
}

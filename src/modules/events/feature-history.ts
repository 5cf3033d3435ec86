import { sql } from 'kysely';
import type { Actor } from '../../platform/actor.ts';
import type { Db } from '../../platform/db/database.ts';
import { createdAtText } from './created-at.ts';
import type { EventType } from './event-types-schema.ts';
import { isEventVisible } from './visibility.ts';

/** The newest event about a feature. 0 if retention has removed all of them. */
export async function findLastEventId(db: Db, feature: string): Promise<number> {
  const row = await db
    .selectFrom('events')
    .where('feature_name', '=', feature)
    .orderBy('feature_name')
    .orderBy('id', 'desc')
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? 0;
}

interface HistoryEvent {
  readonly id: number;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly createdByUserId: number | null;
  readonly type: EventType;
  readonly environment: string | null;
  readonly label: string;
  readonly summary: string;
}

interface Since {
  readonly sees: Actor['sees'];
  /** Types that do not count. */
  readonly without: readonly EventType[];
  /** How many are listed, the newest first. */
  readonly limit: number;
}

/** After so many no one reads how many it were. */
const maxCounted = 1_000;

/** Changes to a feature after an event. All are counted; those that the reader may not see are not listed. */
export async function listEventsSince(
  db: Db,
  feature: string,
  after: number,
  { sees, without, limit }: Since,
): Promise<{ readonly count: number; readonly events: HistoryEvent[] }> {
  const since = sql`
    select e.id, e.project, e.created_at, e.created_by, e.created_by_user_id, e.type, e.environment,
           e.label, e.summary
    from events e
    where e.feature_name = ${feature} and e.id > ${after} and e.type <> all(${without}::text[])
    order by e.feature_name, e.id desc limit ${maxCounted}`;
  const { rows } = await sql<{ count: number; events: HistoryEvent[] }>`
    with since as materialized (${since}), listed as (
      select e.id, ${createdAtText} as "createdAt", e.created_by as "createdBy",
             e.created_by_user_id as "createdByUserId", e.type, e.environment, e.label, e.summary
      from since e where ${isEventVisible(sees, 'e.project', 'e.id')} order by e.id desc limit ${limit}
    )
    select (select count(*) from since) as count,
      (select coalesce(json_agg(listed order by id desc), '[]') from listed) as events`.execute(db);
  return rows[0] ?? { count: 0, events: [] };
}

import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import type { Filter } from './filter.ts';

/** Where the log stands in a snapshot. Ids have no gaps: it holds exactly head - anchor events. */
export interface LogState {
  readonly anchor: number;
  readonly head: number;
  readonly rewrites: number;
  /** Where the log of the project begins whose name was used again last; 0 where none was. */
  readonly recreated: number;
}

/** The log's row and its last id, as a CTE for statements that must see both in one snapshot. */
export const logCte: RawBuilder<LogState> = sql`
  log as materialized (
    select anchor_id as anchor, rewrites,
           coalesce((select max(id) from events), anchor_id) as head,
           coalesce((select max(first_event_id) from projects), 0) as recreated
    from event_log
  )`;

export async function readLog(db: Db): Promise<LogState> {
  const { rows } =
    await sql<LogState>`with ${logCte} select anchor, head, rewrites, recreated from log`.execute(
      db,
    );
  return rows[0] as LogState;
}

/** The newest event up to an id that a reader may see, in the projects asked for; 0 where there is none. */
export async function newestSeen(
  db: Db,
  { projects, sees }: Filter,
  head: number,
): Promise<number> {
  const names = projects ?? sees ?? [];
  if (names.length === 0) return 0;
  // One step along the index for each project.
  const { rows } = await sql<{ id: number | null }>`
    select max(last.id) as id
    from projects own cross join lateral (
      select e.id from events e
      where e.project = own.id and e.id >= own.first_event_id and e.id <= ${head}
      order by e.project, e.id desc limit 1
    ) last
    where own.id = any(${names}::text[])`.execute(db);
  return rows[0]?.id ?? 0;
}

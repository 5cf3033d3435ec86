import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';

/** Where the log stands in a snapshot. Ids have no gaps: it holds exactly head - anchor events. */
export interface LogState {
  readonly anchor: number;
  readonly head: number;
  readonly rewrites: number;
}

/** The log's row and its last id, as a CTE for statements that must see both in one snapshot. */
export const logCte: RawBuilder<LogState> = sql`
  log as materialized (
    select anchor_id as anchor, rewrites,
           coalesce((select max(id) from events), anchor_id) as head
    from event_log
  )`;

export async function readLog(db: Db): Promise<LogState> {
  const { rows } =
    await sql<LogState>`with ${logCte} select anchor, head, rewrites from log`.execute(db);
  return rows[0] as LogState;
}

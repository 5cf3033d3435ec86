import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/** The state of the log in a snapshot. Ids have no gaps: it has exactly head - anchor events. */
export interface LogState {
  readonly anchor: number;
  readonly head: number;
  /** How many erasures have rewritten it. */
  readonly rewrites: number;
  /** The first event of the project whose name was used again last. 0 if there is none. */
  readonly recreated: number;
}

/** The row of event_log and the last id, as a CTE for statements that need both in one snapshot. */
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

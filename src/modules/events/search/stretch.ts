import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import { eventJson, type Shown } from '../event-json.ts';
import type { Filter } from '../filter.ts';
import { logCte } from './log.ts';
import { all, columnConditions, textCondition } from './predicate.ts';
import { isTimed, timeCondition } from './range.ts';

export interface Stretch {
  /** One event a line, oldest first; empty when none of the stretch matches. */
  readonly lines: string;
  /** Everything up to this id was looked at. */
  readonly upTo: number;
  readonly head: number;
}

/** A follower that was away for long catches up in pieces of this size. */
const maxStretch = 1000;

/** The next piece of the log behind an id, for a reader that follows it. */
export async function readStretch(
  db: Db,
  filter: Filter,
  shown: Shown,
  after: number,
): Promise<Stretch> {
  const conditions: RawBuilder<unknown>[] = [
    sql`e.id > ${after}`,
    sql`e.id <= ${after + maxStretch}`,
    ...columnConditions(filter),
    ...(isTimed(filter) ? [timeCondition(filter)] : []),
  ];
  if (filter.text) conditions.push(textCondition(filter.text));
  const { rows } = await sql<{ head: number; lines: string | null }>`
    with ${logCte}
    select log.head, (
      select string_agg(${eventJson(shown)}, chr(10) order by e.id)
      from events e where ${all(conditions)}
    ) as lines
    from log`.execute(db);
  const { head, lines } = rows[0] as (typeof rows)[number];
  return { head, lines: lines ?? '', upTo: Math.max(after, Math.min(head, after + maxStretch)) };
}

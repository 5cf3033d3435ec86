import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import { eventJson, type Shown } from '../event-json.ts';
import type { Filter } from '../search/filter.ts';
import { logCte, newestSeen, readLog } from '../search/log.ts';
import { all, columnConditions, textCondition } from '../search/predicate.ts';
import { isTimed, timeCondition } from '../search/range.ts';

/** What a tail is about: tails for which all of this is equal are told the same bytes. */
export interface Subject {
  /** What the caller asked for, within what the caller may see. */
  readonly filter: Filter;
  /** All that the caller may see; undefined: everything. */
  readonly visible: Filter | undefined;
  readonly shown: Shown;
}

export interface Batch {
  /** One frame for each matching event, oldest first; undefined when none matches. */
  readonly frames: Buffer | undefined;
  /** Everything up to this id was looked at. */
  readonly upTo: number;
  /** The last event up to there that the caller may see, if there is one in the batch. */
  readonly lastVisible: number | undefined;
  readonly head: number;
}

/**
 * So many bytes wait in memory for a tail whose client reads slowly, and one event more: 500 tails that all stall
 * hold 128 MB.
 */
const batchBytes = 256 * 1024;

/** What an event has beside its texts: type, label, summary, hash. */
const otherBytes = 1_000;

/** PostgreSQL knows how long a stored text is without reading it. */
const bytesOf = sql`
  ${sql.lit(otherBytes)}
  + coalesce((select octet_length(t.search) from event_texts t where t.id = e.id), 0)
  + coalesce((select sum(octet_length(t.search)) from event_side_texts t where t.id = e.id), 0)`;

const conditionsOf = (filter: Filter): RawBuilder<unknown>[] => [
  ...columnConditions(filter),
  ...(isTimed(filter) ? [timeCondition(filter)] : []),
  ...(filter.text ? [textCondition(filter.text)] : []),
];

const idOf = (json: string): string => /^\{"id":(\d+)/.exec(json)?.[1] ?? '';

const frame = (json: string) => `id: ${idOf(json)}\nevent: event\ndata: ${json}\n\n`;

interface Row {
  readonly anchor: number;
  readonly head: number;
  readonly lines: string | null;
  readonly lastSent: number | null;
  /** The first event that matches and did not fit. */
  readonly next: number | null;
  readonly lastVisible: number | null;
}

/**
 * The next piece of the log behind an id, for those who follow it: at most `window` ids are looked at, which is a
 * range of the primary key, and no more events are told than fit.
 */
export async function readBatch(
  db: Db,
  { filter, visible, shown }: Subject,
  { after, window }: { readonly after: number; readonly window: number },
): Promise<Batch> {
  const inWindow = [sql`e.id > ${after}`, sql`e.id <= ${after + window}`];
  const lastVisible = visible
    ? sql`(select max(e.id) from events e where ${all([...inWindow, ...conditionsOf(visible)])})`
    : sql`null::bigint`;
  const { rows } = await sql<Row>`
    with ${logCte}, matching as materialized (
      select e.id, sum(${bytesOf}) over (order by e.id) - (${bytesOf}) as bytes_before
      from events e where ${all([...inWindow, ...conditionsOf(filter)])}
    ), told as (
      select id from matching where bytes_before < ${batchBytes}
    )
    select log.anchor, log.head, (
        select string_agg(${eventJson(shown)}, chr(10) order by e.id)
        from events e where e.id in (select id from told)
      ) as lines,
      (select max(id) from told) as "lastSent",
      (select min(id) from matching where bytes_before >= ${batchBytes}) as next,
      ${lastVisible} as "lastVisible"
    from log`.execute(db);
  const { anchor, head, lines, lastSent, next, ...row } = rows[0] as Row;
  const frames = lines === null ? undefined : Buffer.from(lines.split('\n').map(frame).join(''));
  if (next !== null) return { frames, head, upTo: next - 1, lastVisible: lastSent ?? undefined };
  // What retention removed need not be gone through.
  const upTo = Math.max(after, Math.min(head, Math.max(after + window, anchor)));
  return { frames, head, upTo, lastVisible: visible ? (row.lastVisible ?? undefined) : upTo };
}

/** Where a tail begins that was given no id: behind everything, and behind the last event that the caller may see. */
export async function readEnd(
  db: Db,
  visible: Filter | undefined,
): Promise<{ readonly head: number; readonly lastVisible: number }> {
  const { head } = await readLog(db);
  return { head, lastVisible: visible ? await newestSeen(db, visible, head) : head };
}

import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import { type EventFieldVisibility, eventJson } from '../event-json.ts';
import { logCte, readLog } from '../log-state.ts';
import type { Filter } from '../search/filter.ts';
import { all, columnConditions, textCondition } from '../search/predicate.ts';
import { isTimed, timeCondition } from '../search/range.ts';
import { findNewestVisible } from '../visibility.ts';
import { typesHinted } from './hints.ts';

/** What a tail reads. Tails with equal subjects get the same bytes. */
export interface TailSubject {
  /** The requested filter, limited to what the caller may see. */
  readonly filter: Filter;
  /** Everything that the caller may see. Undefined means all events. */
  readonly visible: Filter | undefined;
  readonly visibility: EventFieldVisibility;
  /** Whether to report changes to something that everyone can read, even if the caller may not see the event. */
  readonly hints: boolean;
}

export interface Batch {
  /** One frame per matching event, oldest first. Undefined if none matches. */
  readonly frames: Buffer | undefined;
  /** Everything up to this id was read. */
  readonly upTo: number;
  /** The last event of the batch that the caller may see, if there is one. */
  readonly lastVisible: number | undefined;
  readonly head: number;
}

/** So many bytes, and one more event, wait in memory for a client that reads slowly: 500 stalled tails hold 128 MB. */
const batchBytes = 256 * 1024;

/** The approximate size of an event besides its texts: type, label, summary, hash. */
const otherBytes = 1_000;

/** PostgreSQL has the length of a stored text without reading the text. */
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

/** Without an id, which would reveal how much happened. */
const hintFrame = (types: readonly string[]) =>
  `event: hint\ndata: ${JSON.stringify({ types })}\n\n`;

const frame = (json: string) => `id: ${idOf(json)}\nevent: event\ndata: ${json}\n\n`;

interface Row {
  readonly anchor: number;
  readonly head: number;
  readonly lines: string | null;
  readonly lastSent: number | null;
  /** The first matching event that did not fit. */
  readonly next: number | null;
  readonly lastVisible: number | null;
  readonly hintedTypes: string[] | null;
}

/**
 * Reads the next events after an id. It examines at most `window` ids, which is a range of the primary key, and returns
 * no more events than fit.
 */
export async function readBatch(
  db: Db,
  { filter, visible, visibility, hints }: TailSubject,
  { after, window }: { readonly after: number; readonly window: number },
): Promise<Batch> {
  const inWindow = [sql`e.id > ${after}`, sql`e.id <= ${after + window}`];
  const lastVisible = visible
    ? sql`(select max(e.id) from events e where ${all([...inWindow, ...conditionsOf(visible)])})`
    : sql`null::bigint`;
  const hintedTypes = hints ? typesHinted(inWindow) : sql`null::text[]`;
  const { rows } = await sql<Row>`
    with ${logCte}, matching as materialized (
      select e.id, sum(${bytesOf}) over (order by e.id) - (${bytesOf}) as bytes_before
      from events e where ${all([...inWindow, ...conditionsOf(filter)])}
    ), sent as (
      select id from matching where bytes_before < ${batchBytes}
    )
    select log.anchor, log.head, (
        select string_agg(${eventJson(visibility)}, chr(10) order by e.id)
        from events e where e.id in (select id from sent)
      ) as lines,
      (select max(id) from sent) as "lastSent",
      (select min(id) from matching where bytes_before >= ${batchBytes}) as next,
      ${lastVisible} as "lastVisible", ${hintedTypes} as "hintedTypes"
    from log`.execute(db);
  const { anchor, head, lines, lastSent, next, hintedTypes: hinted, ...row } = rows[0] as Row;
  const texts = [
    ...(lines === null ? [] : lines.split('\n').map(frame)),
    ...(hinted === null ? [] : [hintFrame(hinted)]),
  ];
  const frames = texts.length === 0 ? undefined : Buffer.from(texts.join(''));
  if (next !== null) return { frames, head, upTo: next - 1, lastVisible: lastSent ?? undefined };
  // Skips the events that retention removed.
  const upTo = Math.max(after, Math.min(head, Math.max(after + window, anchor)));
  return { frames, head, upTo, lastVisible: visible ? (row.lastVisible ?? undefined) : upTo };
}

/** Where a tail without an id starts: after all events, and after the last event that the caller may see. */
export async function findLogEnd(
  db: Db,
  visible: Filter | undefined,
): Promise<{ readonly head: number; readonly lastVisible: number }> {
  const { head } = await readLog(db);
  return {
    head,
    lastVisible: visible ? await findNewestVisible(db, visible.projects ?? [], head) : head,
  };
}

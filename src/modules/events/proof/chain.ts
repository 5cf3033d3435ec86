import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import { createdAtText } from '../created-at.ts';
import type { JsonObject } from './canonical.ts';
import { type Content, contentHash, linkHash } from './hash.ts';

/** An event as stored, with its search texts. */
export interface StoredEvent extends Content {
  readonly id: number;
  readonly hash: Buffer;
  readonly summary: string;
  /** The stored text: another spelling of the same value would have the same hash. */
  readonly dataText: string | null;
  readonly preDataText: string | null;
  readonly tagsText: string;
  readonly search: string | null;
  readonly searchPreData: string | null;
  readonly searchTags: string | null;
}

type Row = Omit<StoredEvent, 'data' | 'preData' | 'tags'>;

const parsed = (text: string | null) => (text === null ? null : (JSON.parse(text) as JsonObject));

const eventOf = (row: Row): StoredEvent =>
  Object.assign(row, {
    data: parsed(row.dataText),
    preData: parsed(row.preDataText),
    tags: parsed(row.tagsText),
  });

interface Range {
  readonly after: number;
  readonly limit: number;
  /** A further condition on `e`. */
  readonly where?: RawBuilder<unknown>;
  /** The schema of the tables, for a reader that must not rely on the search path. */
  readonly schema?: string | undefined;
}

/** A table of the log, without tables that inherit from it. */
export const only = (table: string, schema?: string): RawBuilder<unknown> =>
  sql`only ${schema === undefined ? sql.id(table) : sql.id(schema, table)}`;

/** The first events after an id, in the order of their ids. */
export async function listStored(
  db: Db,
  { after, limit, where = sql`true`, schema }: Range,
): Promise<StoredEvent[]> {
  // Each table has the lower bound. Otherwise a merge join reads the texts from the start for each batch: walking a
  // million events took three and a half minutes instead of one.
  const { rows } = await sql<Row>`
    select e.id, e.hash, e.summary, e.type, e.created_by as "createdBy", e.ip, e.project, e.environment,
           ${createdAtText} as "createdAt",
           e.created_by_user_id as "createdByUserId", e.request_id as "requestId",
           e.feature_name as "featureName", e.actor_seal as "actorSeal",
           e.subject_keys as "subjectKeys", e.subject_seal as "subjectSeal",
           e.data::text as "dataText", e.pre_data::text as "preDataText", e.tags::text as "tagsText",
           texts.search, pre.search as "searchPreData", tags.search as "searchTags"
    from ${only('events', schema)} e
    left join ${only('event_texts', schema)} texts on texts.id = e.id and texts.id > ${after}
    left join ${only('event_side_texts', schema)} pre on pre.id = e.id and pre.id > ${after} and pre.part = 'preData'
    left join ${only('event_side_texts', schema)} tags on tags.id = e.id and tags.id > ${after} and tags.part = 'tags'
    where e.id > ${after} and (${where})
    order by e.id limit ${limit}`.execute(db);
  return rows.map(eventOf);
}

const batchSize = 2000;

/** Yields all events after an id in batches, in order. The next batch is read in advance. */
export async function* walk(
  db: Db,
  after: number,
  schema?: string,
): AsyncGenerator<readonly StoredEvent[]> {
  const read = (id: number) => {
    const batch = listStored(db, { after: id, limit: batchSize, schema });
    // If the consumer stops, no one awaits the batch that is being read.
    batch.catch(() => undefined);
    return batch;
  };
  let next = read(after);
  for (;;) {
    const batch = await next;
    const last = batch.at(-1);
    if (!last) return;
    next = batch.length < batchSize ? Promise.resolve([]) : read(last.id);
    yield batch;
  }
}

/** Matches no hash. The event is nested more deeply than anything that was ever recorded. */
const noContent = Buffer.alloc(0);

export function contentOf(event: Content): Buffer {
  try {
    return contentHash(event);
  } catch (error) {
    if (error instanceof RangeError) return noContent;
    throw error;
  }
}

/** Whether an event with this content and hash belongs at an id, after its predecessor. */
export const fits = (hash: Buffer, id: number, previous: Buffer, content: Buffer): boolean =>
  hash.equals(linkHash(id, previous, content));
